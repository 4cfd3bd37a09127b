//! The question: one planar impact, checked when it is built.

use crate::contact_space::{Friction, PlanarDelassus, PlanarVector, is_in_range};

/// A planar impact at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarImpact {
    w: PlanarDelassus,
    v_pre: PlanarVector,
    friction: Friction,
    restitution: f64,
}

/// Why an impact was refused, or could not be computed in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PlanarImpactError {
    /// A velocity is infinite, not a number, or of a size whose products lose their digits.
    BadVelocity {
        /// `v_n` or `v_t`.
        which: &'static str,
        /// The value given.
        value: f64,
    },
    /// The coefficient of restitution is outside `[0, 1]` or not a number.
    BadRestitution {
        /// The value given.
        restitution: f64,
    },
    /// Every number given is finite but a product of them is not.
    Overflow,
}

impl std::fmt::Display for PlanarImpactError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BadVelocity { which, value } => {
                write!(
                    f,
                    "{which} is {value:e}, expected zero or a size from 1e-100 to 1e100 (rescale the units)"
                )
            }
            Self::BadRestitution { restitution } => write!(
                f,
                "coefficient of restitution is {restitution}, expected a number from 0 to 1"
            ),
            Self::Overflow => write!(
                f,
                "numbers too large or too small: the impulse or an energy overflows; expected values \
                 whose products stay below 1e308 (rescale the units)"
            ),
        }
    }
}

impl std::error::Error for PlanarImpactError {}

impl PlanarImpact {
    /// Inverse inertia, velocity before, friction and restitution of one contact.
    pub fn new(
        w: PlanarDelassus,
        v_pre: PlanarVector,
        friction: Friction,
        restitution: f64,
    ) -> Result<Self, PlanarImpactError> {
        for (which, value) in [("v_n", v_pre.n), ("v_t", v_pre.t)] {
            if !is_in_range(value) {
                return Err(PlanarImpactError::BadVelocity { which, value });
            }
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(PlanarImpactError::BadRestitution { restitution });
        }
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
