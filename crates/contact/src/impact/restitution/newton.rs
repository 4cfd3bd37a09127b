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
    fn impulse_left(from: &Rebound) -> f64 {
        let rise = -from.restitution * from.v_n_pre - from.v_n;
        if rise > 0.0 { rise / from.slope } else { 0.0 }
    }

    #[inline(always)]
    fn end(from: &Rebound, step: f64) -> (f64, f64) {
        along(from, -from.restitution * from.v_n_pre, step)
    }
}
