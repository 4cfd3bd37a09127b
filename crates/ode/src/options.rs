//! Tolerances and limits of an integration.

use crate::SetupError;

/// Tolerances and limits of an integration; every field has a default.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Error allowed per step as a fraction of each component, measured from its origin; default `1e-12`.
    pub relative: f64,
    /// Error allowed per step as a fraction of each component's size; default `1e-12`.
    pub absolute: f64,
    /// What each component is measured by, in its unit; default empty, which means 1 each.
    pub sizes: Vec<f64>,
    /// From where each component is measured; default empty, which means 0 each.
    pub origin: Vec<f64>,
    /// What times are measured by (s); default 1.
    pub time: f64,
    /// Longest step (s); default infinite.
    pub max_step: f64,
    /// Shortest step (s); default 0, which means the spacing of the time axis.
    pub min_step: f64,
    /// Steps allowed in one call, accepted and rejected; default one million.
    pub max_steps: u64,
    /// First step to try (s); default 0, which means chosen from the first rates.
    pub first_step: f64,
    /// Guards that vanish within this fraction of `time` after the earliest belong to one event;
    /// default `1e-11`.
    pub simultaneous: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            relative: 1e-12,
            absolute: 1e-12,
            sizes: Vec::new(),
            origin: Vec::new(),
            time: 1.0,
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
                is_size(self.absolute),
            ),
            ("time", self.time, "a finite number > 0", is_size(self.time)),
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
        refuse_first(&checks)?;
        let is_finite = |x: f64| x.is_finite();
        refuse_any("sizes", &self.sizes, "finite numbers > 0", is_size)?;
        refuse_any("origin", &self.origin, "finite numbers", is_finite)
    }

    /// Time after the earliest guard within which others belong to its event (s).
    pub(crate) fn window(&self) -> f64 {
        self.simultaneous * self.time
    }
}

/// Whether something can be measured by a number.
pub(crate) fn is_size(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

/// Refuses the first number of a list that is not good.
fn refuse_any(
    name: &'static str,
    list: &[f64],
    allowed: &'static str,
    is_good: impl Fn(f64) -> bool,
) -> Result<(), SetupError> {
    let bad = list.iter().copied().find(|x| !is_good(*x));
    bad.map_or(Ok(()), |value| {
        Err(SetupError::BadOption {
            name,
            value,
            allowed,
        })
    })
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
