//! Coulomb friction with a static and a kinetic coefficient.

/// Coulomb's coefficients: `0 <= kinetic <= static`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    mu_s: f64,
    mu_d: f64,
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
