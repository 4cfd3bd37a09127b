//! Tolerances and limits of an integration.

use crate::SetupError;

/// Tolerances and limits of an integration; every field has a default.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Error allowed per step as a fraction of each component; default `1e-12`.
    pub relative: f64,
    /// Error allowed per step in the units of each component; default `1e-12`.
    pub absolute: f64,
    /// Longest step (s); default infinite.
    pub max_step: f64,
    /// Shortest step (s); default 0, which means the spacing of the time axis.
    pub min_step: f64,
    /// Steps allowed in one call, accepted and rejected; default one million.
    pub max_steps: u64,
    /// First step to try (s); default 0, which means chosen from the first rates.
    pub first_step: f64,
    /// Guards that vanish within this time after the earliest belong to one event (s); default
    /// `1e-11`.
    pub simultaneous: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            relative: 1e-12,
            absolute: 1e-12,
            max_step: f64::INFINITY,
            min_step: 0.0,
            max_steps: 1_000_000,
            first_step: 0.0,
            simultaneous: 1e-11,
        }
    }
}

impl Options {
    /// Smallest relative tolerance that rounding lets a step meet.
    pub const MIN_RELATIVE: f64 = 4.0 * f64::EPSILON;

    /// The defaults with both tolerances set to `tolerance`.
    pub fn with_tolerance(tolerance: f64) -> Self {
        Self {
            relative: tolerance,
            absolute: tolerance,
            ..Self::default()
        }
    }

    /// The first field outside its range, if any.
    pub fn check(&self) -> Result<(), SetupError> {
        let positive = "a number > 0";
        let not_negative = "a finite number >= 0";
        let time = |x: f64| x >= 0.0 && x.is_finite();
        let checks = [
            (
                "relative",
                self.relative,
                "a number of at least 4 machine epsilons and below 1",
                self.relative >= Self::MIN_RELATIVE && self.relative < 1.0,
            ),
            (
                "absolute",
                self.absolute,
                "a finite number > 0",
                self.absolute > 0.0 && self.absolute.is_finite(),
            ),
            ("max_step", self.max_step, positive, self.max_step > 0.0),
            ("min_step", self.min_step, not_negative, time(self.min_step)),
            (
                "first_step",
                self.first_step,
                not_negative,
                time(self.first_step),
            ),
            (
                "simultaneous",
                self.simultaneous,
                not_negative,
                time(self.simultaneous),
            ),
        ];
        refuse_first(&checks)
    }
}

/// A named value, what is allowed, and whether it is.
pub(crate) type Check = (&'static str, f64, &'static str, bool);

/// The error of the first check that failed.
pub(crate) fn refuse_first(checks: &[Check]) -> Result<(), SetupError> {
    match checks.iter().find(|check| !check.3) {
        None => Ok(()),
        Some(&(name, value, allowed, _)) => Err(SetupError::BadOption {
            name,
            value,
            allowed,
        }),
    }
}
