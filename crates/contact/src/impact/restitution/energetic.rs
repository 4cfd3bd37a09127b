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
    fn impulse_left(from: &Rebound) -> f64 {
        // (W_c − W_n) vanishes exactly at greatest compression: nothing is lost there.
        let left = (from.w_c - from.w_n) - from.restitution * from.restitution * from.w_c;
        step_over_area(from.v_n, from.slope, left)
    }

    #[inline(always)]
    fn end(from: &Rebound, step: f64) -> (f64, f64) {
        let e = from.restitution;
        (from.v_n + from.slope * step, (1.0 - e) * (1.0 + e) * from.w_c)
    }
}
