use carom_numeric::lanes::Real;

use super::{Law, Rebound, Restitution, along};

/// Poisson's kinetic coefficient: the impact ends when `p_n = (1 + e) p_c`.
///
/// Never creates energy. Limits: with `e = 1` the normal impulse may still dissipate when slip
/// halts. Reference: `WangMason1992`.
#[derive(Debug, Clone, Copy)]
pub struct Poisson;

impl Restitution for Poisson {
    const LAW: Law = Law::Poisson;

    #[inline(always)]
    fn impulse_left<T: Real>(from: &Rebound<T>) -> T {
        let left = (from.p_c - from.p_n) + from.restitution * from.p_c;
        left.if_positive(left)
    }

    #[inline(always)]
    fn end<T: Real>(from: &Rebound<T>, step: T) -> (T, T) {
        along(from, from.v_n + from.slope * step, step)
    }
}
