//! When an impact ends: one coefficient of restitution, three meanings.
//!
//! | law | the impact ends when | what it promises about energy |
//! |---|---|---|
//! | [`Newton`] | `v_n⁺ = −e v_n⁻` | nothing: with friction it may create energy |
//! | [`Poisson`] | `p_n = (1 + e) p_c` | never creates energy; may lose some at `e = 1` |
//! | [`Energetic`] | `W_n = (1 − e²) W_c` | never creates energy; none lost in the normal direction at `e = 1` |
//!
//! The three agree exactly while the slope `dv_n/dp_n` stays the same, and for `e = 0`.

mod energetic;
mod newton;
mod poisson;

pub use energetic::Energetic;
pub use newton::Newton;
pub use poisson::Poisson;

use carom_numeric::lanes::Real;

use super::Law;

/// A point of the path in restitution from which one straight segment leads to the end.
#[derive(Debug, Clone, Copy)]
pub struct Rebound<T> {
    /// Coefficient of restitution.
    pub restitution: T,
    /// Normal velocity before the impact, `<= 0` (m/s).
    pub v_n_pre: T,
    /// Normal impulse at greatest compression (N·s).
    pub p_c: T,
    /// Normal work of compression, `<= 0` (J).
    pub w_c: T,
    /// Normal impulse here, `>= p_c` (N·s).
    pub p_n: T,
    /// Normal velocity here, `>= 0` (m/s).
    pub v_n: T,
    /// Normal work so far (J).
    pub w_n: T,
    /// Slope `dv_n/dp_n` from here on, `>= 0` (1/kg).
    pub slope: T,
}

/// A meaning of the coefficient of restitution, for one impact or several side by side.
pub trait Restitution {
    /// The law this is.
    const LAW: Law;

    /// Normal impulse still to come, `>= 0` (N·s); infinite when no impulse ends the impact.
    fn impulse_left<T: Real>(from: &Rebound<T>) -> T;

    /// Normal velocity and total normal work at the end, `step` after `from`.
    fn end<T: Real>(from: &Rebound<T>, step: T) -> (T, T);
}

/// Velocity and work after `step` along a straight segment.
#[inline(always)]
fn along<T: Real>(from: &Rebound<T>, v_n_post: T, step: T) -> (T, T) {
    (
        v_n_post,
        from.w_n + T::constant(0.5) * (from.v_n + v_n_post) * step,
    )
}
