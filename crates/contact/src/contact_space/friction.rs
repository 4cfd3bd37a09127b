//! Coulomb friction with a static and a kinetic coefficient.

use serde::{Deserialize, Serialize};

/// Coulomb's coefficients: `0 <= kinetic <= static`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    mu_s: f64,
    mu_d: f64,
}

/// Coulomb's coefficients as a question has them, not checked yet: [`GivenFriction::checked`].
///
/// Files have one number or `{static, kinetic}`; it is written as the latter.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Pair")]
pub struct GivenFriction {
    /// Static coefficient.
    pub mu_s: f64,
    /// Kinetic coefficient.
    pub mu_d: f64,
}

#[derive(Serialize, Deserialize)]
struct Pair {
    r#static: f64,
    kinetic: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    One(f64),
    Two(Pair),
}

impl From<Written> for GivenFriction {
    fn from(written: Written) -> Self {
        match written {
            Written::One(mu) => mu.into(),
            Written::Two(pair) => Self {
                mu_s: pair.r#static,
                mu_d: pair.kinetic,
            },
        }
    }
}

impl From<GivenFriction> for Pair {
    fn from(given: GivenFriction) -> Self {
        Self {
            r#static: given.mu_s,
            kinetic: given.mu_d,
        }
    }
}

impl From<f64> for GivenFriction {
    fn from(mu: f64) -> Self {
        Self { mu_s: mu, mu_d: mu }
    }
}

impl From<Friction> for GivenFriction {
    fn from(friction: Friction) -> Self {
        Self {
            mu_s: friction.mu_s,
            mu_d: friction.mu_d,
        }
    }
}

impl GivenFriction {
    /// The coefficients, checked.
    pub fn checked(self) -> Result<Friction, FrictionError> {
        Friction::new(self.mu_s, self.mu_d)
    }

    /// Whether both are zero.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// The same for forces that count in `factor` of these.
    pub fn times(self, factor: f64) -> Self {
        Self {
            mu_s: self.mu_s * factor,
            mu_d: self.mu_d * factor,
        }
    }
}

/// Why a pair of coefficients was refused.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum FrictionError {
    /// A coefficient is negative, above 1e100, or not a number.
    OutOfRange {
        /// `static `, `kinetic `, or empty where one number was given.
        which: &'static str,
        /// The value given.
        mu: f64,
    },
    /// The static coefficient is below the kinetic one.
    StaticBelowKinetic {
        /// The static coefficient given.
        mu_s: f64,
        /// The kinetic coefficient given.
        mu_d: f64,
    },
}

impl std::fmt::Display for FrictionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfRange { which, mu } => write!(
                f,
                "{which}friction coefficient is {mu}, expected a finite number >= 0"
            ),
            Self::StaticBelowKinetic { mu_s, mu_d } => write!(
                f,
                "static friction coefficient {mu_s} is below the kinetic one {mu_d}, expected static >= kinetic"
            ),
        }
    }
}

impl std::error::Error for FrictionError {}

/// Largest coefficient: beyond it products with velocities may overflow.
const MOST: f64 = *super::RANGE.end();

impl Friction {
    /// No friction.
    pub const NONE: Self = Self {
        mu_s: 0.0,
        mu_d: 0.0,
    };

    /// A static and a kinetic coefficient.
    pub fn new(mu_s: f64, mu_d: f64) -> Result<Self, FrictionError> {
        let is_one = mu_s.to_bits() == mu_d.to_bits();
        let (first, second) = if is_one {
            ("", "")
        } else {
            ("static ", "kinetic ")
        };
        for (which, mu) in [(first, mu_s), (second, mu_d)] {
            if !(0.0..=MOST).contains(&mu) {
                return Err(FrictionError::OutOfRange { which, mu });
            }
        }
        if mu_s < mu_d {
            return Err(FrictionError::StaticBelowKinetic { mu_s, mu_d });
        }
        Ok(Self { mu_s, mu_d })
    }

    /// One coefficient for both.
    pub fn uniform(mu: f64) -> Result<Self, FrictionError> {
        Self::new(mu, mu)
    }

    /// Static coefficient: decides whether a contact at rest stays at rest.
    #[inline]
    pub fn mu_s(&self) -> f64 {
        self.mu_s
    }

    /// Kinetic coefficient: acts while the contact slips.
    #[inline]
    pub fn mu_d(&self) -> f64 {
        self.mu_d
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_has_one_spelling_and_one_number_is_read_as_both() {
        let pair = GivenFriction {
            mu_s: 0.4,
            mu_d: 0.3,
        };
        let text = serde_json::to_string(&pair).unwrap();
        assert_eq!(text, r#"{"static":0.4,"kinetic":0.3}"#);
        assert_eq!(serde_json::from_str::<GivenFriction>(&text).unwrap(), pair);
        let one: GivenFriction = serde_json::from_str("0.3").unwrap();
        assert_eq!(one, 0.3.into());
        assert_eq!(one.checked(), Friction::uniform(0.3));
    }

    #[test]
    fn a_slippery_static_contact_is_refused() {
        let error = Friction::new(0.3, 0.4).unwrap_err();
        assert_eq!(
            error.to_string(),
            "static friction coefficient 0.3 is below the kinetic one 0.4, expected static >= kinetic"
        );
    }

    #[test]
    fn negative_infinite_and_undefined_coefficients_are_refused() {
        for mu in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(Friction::uniform(mu).is_err(), "{mu}");
        }
    }
}
