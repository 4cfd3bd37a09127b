//! Why an integration was refused or could not go on.

use std::error;
use std::fmt;

/// Why an integrator was not built.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SetupError {
    /// The state has no component.
    EmptyState,
    /// A component of the first state is infinite or not a number.
    BadState {
        /// Index of the component.
        component: usize,
        /// The value given.
        value: f64,
    },
    /// A list of the options has not one number per component.
    BadCount {
        /// Name of the field.
        name: &'static str,
        /// How many numbers it has.
        found: usize,
        /// How many components there are.
        expected: usize,
    },
    /// An option or a tolerance of a guard is outside its range.
    BadOption {
        /// Name of the field.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyState => write!(f, "state has 0 components, expected at least 1"),
            Self::BadState { component, value } => {
                write!(f, "state {component} is {value}, expected a finite number")
            }
            Self::BadCount {
                name,
                found,
                expected,
            } => write!(f, "{name} has {found} numbers, expected {expected} or none"),
            Self::BadOption {
                name,
                value,
                allowed,
            } => write!(f, "{name} is {value}, expected {allowed}"),
        }
    }
}

impl error::Error for SetupError {}

/// Why an integration stopped short; the integrator stands at its last accepted point.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error<F> {
    /// The end is before the present time, infinite or not a number.
    BadSpan {
        /// Present time (s).
        from: f64,
        /// End asked for (s).
        until: f64,
    },
    /// A rate is infinite or not a number, and no shorter step avoids it.
    NonFiniteRate {
        /// Time of the last good point (s).
        t: f64,
    },
    /// An armed guard is infinite or not a number.
    NonFiniteGuard {
        /// Index of the guard.
        guard: usize,
        /// Time (s).
        t: f64,
    },
    /// The error asks for a step below the smallest one.
    StepUnderflow {
        /// Time of the last good point (s).
        t: f64,
        /// Step asked for (s).
        step: f64,
        /// Smallest step allowed (s).
        smallest: f64,
    },
    /// The steps allowed in one call are used up.
    TooManySteps {
        /// Time of the last good point (s).
        t: f64,
        /// Steps allowed, accepted and rejected.
        limit: u64,
    },
    /// Stability, not accuracy, keeps the steps short, and too many are needed to reach the end.
    Stiff {
        /// Time of the last good point (s).
        t: f64,
        /// Length of the steps there (s).
        step: f64,
        /// End asked for (s).
        until: f64,
    },
    /// The motion is so fast that far too many steps are needed to reach the end.
    TooFast {
        /// Time of the last good point (s).
        t: f64,
        /// Length of the steps there (s).
        step: f64,
        /// End asked for (s).
        until: f64,
    },
    /// A guard has no smooth shape even in the shortest step: noise above its `zero`.
    RoughGuard {
        /// Index of the guard.
        guard: usize,
        /// Time of the last good point (s).
        t: f64,
    },
    /// The problem refused to be evaluated.
    Problem {
        /// Time of the evaluation (s).
        t: f64,
        /// The problem's own reason.
        source: F,
    },
}

impl<F: fmt::Display> fmt::Display for Error<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadSpan { from, until } => write!(
                f,
                "end time is {until} s, expected a finite time >= {from} s"
            ),
            Self::NonFiniteRate { t } => {
                write!(f, "rate after t = {t} s is not finite, expected numbers")
            }
            Self::NonFiniteGuard { guard, t } => write!(
                f,
                "guard {guard} at t = {t} s is not finite, expected a number"
            ),
            Self::StepUnderflow { t, step, smallest } => write!(
                f,
                "step at t = {t} s shrank to {step} s, expected at least {smallest} s"
            ),
            Self::TooManySteps { t, limit } => {
                write!(f, "{limit} steps used up at t = {t} s, expected fewer")
            }
            Self::Stiff { t, step, until } => write!(
                f,
                "the problem is stiff at t = {t} s: steps of {step:e} s are all that stability \
                 allows, and {:.0e} of them lead to {until} s; expected softer springs and dampers, \
                 heavier bodies, a prescribed motion in place of the stiffest spring, or less time",
                (until - t) / step
            ),
            Self::TooFast { t, step, until } => write!(
                f,
                "the motion at t = {t} s is too fast: it asks for steps of {step:e} s, and {:.0e} of \
                 them lead to {until} s; expected a slower motion, a coarser tolerance, or less time",
                (until - t) / step
            ),
            Self::RoughGuard { guard, t } => write!(
                f,
                "guard {guard} after t = {t} s is noise, expected a smooth function or a larger `zero`"
            ),
            Self::Problem { t, source } => write!(f, "problem at t = {t} s: {source}"),
        }
    }
}

impl<F: error::Error + 'static> error::Error for Error<F> {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Problem { source, .. } => Some(source),
            _ => None,
        }
    }
}
