//! The question: one planar impact, checked when it is built.

use crate::contact_space::{Friction, PlanarDelassus, PlanarVector};
use crate::impact::point::{PointImpactError, check};

/// A planar impact at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarImpact {
    w: PlanarDelassus,
    v_pre: PlanarVector,
    friction: Friction,
    restitution: f64,
}

impl PlanarImpact {
    /// Inverse inertia, velocity before, friction and restitution of one contact.
    pub fn new(
        w: PlanarDelassus,
        v_pre: PlanarVector,
        friction: Friction,
        restitution: f64,
    ) -> Result<Self, PointImpactError> {
        check([("v_n", v_pre.n), ("v_t", v_pre.t)], restitution)?;
        Ok(Self {
            w,
            v_pre,
            friction,
            restitution,
        })
    }

    /// Inverse inertia at the contact (1/kg).
    #[inline]
    pub fn w(&self) -> PlanarDelassus {
        self.w
    }

    /// Relative velocity before the impact (m/s).
    #[inline]
    pub fn v_pre(&self) -> PlanarVector {
        self.v_pre
    }

    /// Friction coefficients.
    #[inline]
    pub fn friction(&self) -> Friction {
        self.friction
    }

    /// Coefficient of restitution.
    #[inline]
    pub fn restitution(&self) -> f64 {
        self.restitution
    }
}
