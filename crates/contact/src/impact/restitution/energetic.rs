use carom_numeric::lanes::Real;
use carom_numeric::quadratic::step_over_area;

use super::{Law, Rebound, Restitution};

/// Stronge's energetic coefficient: the impact ends when `W_n = (1 − e²) W_c`.
///
/// With `R = (1 − e²) W_c − W_n` left to do and slope `k` the step is the root that does not
/// cancel, `2R/(v_n + √(v_n² + 2kR))`. Never creates energy; with `e = 1` only friction
/// dissipates. Reference: `Stronge1990`.
#[derive(Debug, Clone, Copy)]
pub struct Energetic;

impl Restitution for Energetic {
    const LAW: Law = Law::Energetic;

    #[inline(always)]
    fn impulse_left<T: Real>(from: &Rebound<T>) -> T {
        // (W_c − W_n) vanishes exactly at greatest compression: nothing is lost there.
        let left = (from.w_c - from.w_n) - from.restitution * from.restitution * from.w_c;
        step_over_area(from.v_n, from.slope, left)
    }

    #[inline(always)]
    fn end<T: Real>(from: &Rebound<T>, step: T) -> (T, T) {
        let one = T::constant(1.0);
        let lost = (one - from.restitution) * (one + from.restitution);
        (from.v_n + from.slope * step, lost * from.w_c)
    }
}
