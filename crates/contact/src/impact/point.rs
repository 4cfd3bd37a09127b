//! What is refused of an impact at one point, in the plane or in space.

use super::Law;
use crate::contact_space::is_in_range;

/// Why an impact at one point was refused, or could not be computed in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PointImpactError {
    /// A velocity is infinite, not a number, or of a size whose products lose their digits.
    BadVelocity {
        /// `v_n`, `v_t`; in space `v_t1` or `v_t2`.
        which: &'static str,
        /// The value given.
        value: f64,
    },
    /// The coefficient of restitution is outside `[0, 1]` or not a number.
    BadRestitution {
        /// The value given.
        restitution: f64,
    },
    /// The coefficient of tangential restitution is outside `[0, 1]` or not a number.
    BadTangentialRestitution {
        /// The value given.
        beta: f64,
    },
    /// The law has no tangential restitution, and the contact has one.
    NoTangentialRestitution {
        /// The law.
        law: Law,
        /// Why, and what is expected.
        reason: &'static str,
    },
    /// Every number given is finite but a product of them is not.
    Overflow,
    /// The slip in space was not followed to the end of the impact in the steps allowed.
    Unfinished {
        /// Pieces of the path followed.
        pieces: usize,
    },
}

impl std::fmt::Display for PointImpactError {
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
            Self::BadTangentialRestitution { beta } => write!(
                f,
                "coefficient of tangential restitution is {beta}, expected a number from 0 to 1"
            ),
            Self::NoTangentialRestitution { law, reason } => {
                write!(f, "{law} has no tangential_restitution: {reason}")
            }
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

impl std::error::Error for PointImpactError {}

/// Refuses velocities, by their names, and a restitution that no impact has.
pub(super) fn check<const N: usize>(
    velocities: [(&'static str, f64); N],
    restitution: f64,
) -> Result<(), PointImpactError> {
    for (which, value) in velocities {
        if !is_in_range(value) {
            return Err(PointImpactError::BadVelocity { which, value });
        }
    }
    if !(0.0..=1.0).contains(&restitution) {
        return Err(PointImpactError::BadRestitution { restitution });
    }
    Ok(())
}

/// Refuses a tangential restitution that no impact has.
pub(super) fn check_tangential(beta: Option<f64>) -> Result<(), PointImpactError> {
    match beta.filter(|beta| !(0.0..=1.0).contains(beta)) {
        None => Ok(()),
        Some(beta) => Err(PointImpactError::BadTangentialRestitution { beta }),
    }
}

/// Refuses a law that has no tangential restitution for an impact that has one.
pub(super) fn check_law(law: Law, beta: Option<f64>) -> Result<(), PointImpactError> {
    match law.tangential_refusal().filter(|_| beta.is_some()) {
        None => Ok(()),
        Some(reason) => Err(PointImpactError::NoTangentialRestitution { law, reason }),
    }
}
