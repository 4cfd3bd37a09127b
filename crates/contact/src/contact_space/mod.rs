//! Contact space: inverse inertia at a contact, friction cone, reduction from coordinates.

mod delassus;
mod friction;
mod principal;
mod reduction;
mod spatial_delassus;

pub use delassus::{DelassusError, PlanarDelassus};
pub use friction::{Friction, FrictionError, GivenFriction};
pub(crate) use reduction::on_line;
pub use reduction::{ContactSpace, Mechanism, ReductionError};
pub use spatial_delassus::SpatialDelassus;

/// A pair (normal, tangent) at a planar contact: velocities (m/s), impulses (N·s), works (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlanarVector {
    /// Along the normal, from B to A.
    pub n: f64,
    /// Along the tangent; (t, n) is right-handed.
    pub t: f64,
}

/// A vector at a contact in space: velocities (m/s), impulses (N·s).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpatialVector {
    /// Along the normal, from B to A.
    pub n: f64,
    /// Along the tangents; (t1, t2, n) is right-handed.
    pub t: [f64; 2],
}

impl From<PlanarVector> for SpatialVector {
    /// The tangent of the plane is the first of space.
    fn from(v: PlanarVector) -> Self {
        Self {
            n: v.n,
            t: [v.t, 0.0],
        }
    }
}

/// Decisions between two modes are ties below this many units of round-off (relative).
///
/// Applies where two lines of the impulse plane meet in one point: the halt of slip on the line of
/// greatest compression, a friction cone along the line of sticking, a slope that vanishes.
pub const TIE: f64 = 8.0 * f64::EPSILON;

/// Sizes between which products of inverse masses, velocities and impulses neither overflow nor
/// lose their digits to underflow.
pub const RANGE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Whether a number is zero or of a size within [`RANGE`].
#[inline]
pub(crate) fn is_in_range(x: f64) -> bool {
    x == 0.0 || RANGE.contains(&x.abs())
}
