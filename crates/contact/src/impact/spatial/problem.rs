//! The question: one impact in space, checked when it is built.

use crate::contact_space::{Friction, SpatialDelassus, SpatialVector, is_in_range};

/// An impact at one point in space. The frictional moment about the normal is taken as zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialImpact {
    w: SpatialDelassus,
    v_pre: SpatialVector,
    friction: Friction,
    restitution: f64,
}

/// Why an impact was refused, or could not be computed in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SpatialImpactError {
    /// A velocity is infinite, not a number, or of a size whose products lose their digits.
    BadVelocity {
        /// `v_n`, `v_t1` or `v_t2`.
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
    /// The slip was not followed to the end of the impact in the steps allowed.
    Unfinished {
        /// Pieces of the path followed.
        pieces: usize,
    },
}

impl std::fmt::Display for SpatialImpactError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BadVelocity { which, value } => write!(
                f,
                "{which} is {value:e}, expected zero or a size from 1e-100 to 1e100 (rescale the units)"
            ),
            Self::BadRestitution { restitution } => write!(
                f,
                "coefficient of restitution is {restitution}, expected a number from 0 to 1"
            ),
            Self::Overflow => write!(
                f,
                "numbers too large or too small: the impulse or an energy overflows; expected values \
                 whose products stay below 1e308 (rescale the units)"
            ),
            Self::Unfinished { pieces } => write!(
                f,
                "the impact has not ended after {pieces} pieces of its path: the slip turns too slowly \
                 for double precision, expected a W_tt that is singular or clearly not"
            ),
        }
    }
}

impl std::error::Error for SpatialImpactError {}

impl SpatialImpact {
    /// Inverse inertia, velocity before, friction and restitution of one contact.
    pub fn new(
        w: SpatialDelassus,
        v_pre: SpatialVector,
        friction: Friction,
        restitution: f64,
    ) -> Result<Self, SpatialImpactError> {
        let named = [("v_n", v_pre.n), ("v_t1", v_pre.t[0]), ("v_t2", v_pre.t[1])];
        for (which, value) in named {
            if !is_in_range(value) {
                return Err(SpatialImpactError::BadVelocity { which, value });
            }
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(SpatialImpactError::BadRestitution { restitution });
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
}
