use carom_numeric::lanes::Real;

use super::{Law, Rebound, Restitution, along};

/// Newton's kinematic coefficient: the impact ends when `v_n⁺ = −e v_n⁻`.
///
/// Limits: it may create energy once slip halts (the slope changes but the end velocity does not),
/// and it does nothing for an impact that starts with `v_n⁻ = 0`. Reference: `WangMason1992`.
#[derive(Debug, Clone, Copy)]
pub struct Newton;

impl Restitution for Newton {
    const LAW: Law = Law::Newton;

    #[inline(always)]
    fn impulse_left<T: Real>(from: &Rebound<T>) -> T {
        let rise = -from.restitution * from.v_n_pre - from.v_n;
        rise.if_positive(rise / from.slope)
    }

    #[inline(always)]
    fn end<T: Real>(from: &Rebound<T>, step: T) -> (T, T) {
        along(from, -from.restitution * from.v_n_pre, step)
    }
}
