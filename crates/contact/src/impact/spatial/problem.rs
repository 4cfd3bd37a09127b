//! The question: one impact in space, checked when it is built.

use crate::contact_space::{Friction, SpatialDelassus, SpatialVector};
use crate::impact::point::{PointImpactError, check, check_tangential};

/// An impact at one point in space. The frictional moment about the normal is taken as zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialImpact {
    w: SpatialDelassus,
    v_pre: SpatialVector,
    friction: Friction,
    restitution: f64,
    tangential_restitution: Option<f64>,
}

impl SpatialImpact {
    /// Inverse inertia, velocity before, friction and restitution of one contact.
    pub fn new(
        w: SpatialDelassus,
        v_pre: SpatialVector,
        friction: Friction,
        restitution: f64,
    ) -> Result<Self, PointImpactError> {
        let velocities = [("v_n", v_pre.n), ("v_t1", v_pre.t[0]), ("v_t2", v_pre.t[1])];
        check(velocities, restitution)?;
        Ok(Self {
            w,
            v_pre,
            friction,
            restitution,
            tangential_restitution: None,
        })
    }

    /// The same with a tangential restitution β, or without: by Newton's law the contact grips where friction
    /// holds it, and its slip comes back by β.
    pub fn with_tangential_restitution(self, beta: Option<f64>) -> Result<Self, PointImpactError> {
        check_tangential(beta)?;
        Ok(Self {
            tangential_restitution: beta,
            ..self
        })
    }

    /// Inverse inertia at the contact (1/kg).
    #[inline]
    pub fn w(&self) -> SpatialDelassus {
        self.w
    }

    /// Relative velocity before the impact (m/s).
    #[inline]
    pub fn v_pre(&self) -> SpatialVector {
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
    /// Coefficient of tangential restitution β, where there is one.
    #[inline]
    pub fn tangential_restitution(&self) -> Option<f64> {
        self.tangential_restitution
    }
}
