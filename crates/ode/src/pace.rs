//! Step size: the first one, and how it follows the error.

use crate::measure::Measure;
use crate::problem::{Flow, Problem, State};
use crate::step::Trial;
use crate::{Error, Options};

/// The next step is this fraction of the one whose error would just pass.
const SAFETY: f64 = 0.9;
/// A step shrinks at most by this factor.
const LEAST_FACTOR: f64 = 1.0 / 3.0;
/// A step grows at most by this factor.
const GREATEST_FACTOR: f64 = 6.0;
/// A step whose rates were not finite shrinks by this factor.
const NON_FINITE_FACTOR: f64 = 0.1;
/// A step that would leave less than this fraction of itself before the end goes to the end.
const STRETCH: f64 = 0.01;
/// Longest step remembered, over the time by which times are measured, so that growth without bound
/// stays finite.
const LONGEST: f64 = 1e100;
/// Growth per step of the length in which rough guards are tried again.
const RELAXATION: f64 = 1.05;
/// Spacings of the time axis in the shortest step.
const SHORTEST_ULPS: f64 = 4.0;
/// First trial: the change allowed, as a fraction of the state.
const FIRST_CHANGE: f64 = 0.01;
/// First trial when state or rate vanish, over the time by which times are measured.
const FIRST_DEFAULT: f64 = 1e-6;
/// Weighted norms below this say nothing.
const NEGLIGIBLE: f64 = 1e-5;
/// Weighted norms of the first rates below this vanish.
const VANISHING: f64 = 1e-15;
/// The first step is at most this many first trials.
const FIRST_GROWTH: f64 = 100.0;
/// Least first step over first trial when the rates vanish.
const FIRST_SHRINK: f64 = 1e-3;

/// Step size control of the method of order 8.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    /// Step proposed (s); zero before the first.
    h: f64,
    rejected: bool,
    /// Whether no step of this pace was good yet.
    first: bool,
    /// Longest step in which the guards were not too rough (s); relaxes step by step.
    ceiling: f64,
    /// Longest step remembered (s).
    longest: f64,
}

/// Eighth root, by operations that round alike everywhere.
fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}

/// Root mean square of `x − from` over the tolerance at `y`; `from` may be empty for zero.
fn norm<S: State>(x: &[f64], from: &[f64], y: &[f64], measure: &Measure<S>) -> f64 {
    let mut sum = 0.0;
    for i in 0..y.len() {
        let scale = measure.tolerance(i, y[i], y[i]);
        let part = (x[i] - from.get(i).unwrap_or(&0.0)) / scale;
        sum += part * part;
    }
    (sum / y.len() as f64).sqrt()
}

impl Pace {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            h: options.first_step,
            rejected: false,
            first: true,
            ceiling: LONGEST * options.time,
            longest: LONGEST * options.time,
        }
    }

    pub(crate) fn is_unset(&self) -> bool {
        self.h == 0.0
    }

    /// Whether no step of this pace was good yet.
    pub(crate) fn is_first(&self) -> bool {
        self.first
    }

    /// Step proposed (s).
    pub(crate) fn step(&self) -> f64 {
        self.h
    }

    /// Shortest step at time `t` (s).
    pub(crate) fn smallest(t: f64, options: &Options) -> f64 {
        let spacing = SHORTEST_ULPS * f64::EPSILON * t.abs();
        options.min_step.max(spacing).max(f64::MIN_POSITIVE)
    }

    /// End of the next step; `until` itself when the step comes near it.
    pub(crate) fn end_of_step(&self, t: f64, until: f64, options: &Options) -> f64 {
        let h = self.h.min(options.max_step);
        if t + (h + STRETCH * h).min(options.max_step) >= until {
            until
        } else {
            t + h
        }
    }

    /// Factor for the next step, from the error of this one.
    fn factor(error: f64) -> f64 {
        if error == 0.0 {
            GREATEST_FACTOR
        } else {
            (SAFETY / eighth_root(error)).clamp(LEAST_FACTOR, GREATEST_FACTOR)
        }
    }

    /// Follows a good step of length `taken`; one cut short by the end leaves the proposal.
    pub(crate) fn accept(&mut self, error: f64, taken: f64) {
        let mut next = taken * Self::factor(error);
        if self.rejected {
            next = next.min(taken);
        } else if taken < self.h {
            next = next.max(self.h);
        }
        self.h = next.min(self.ceiling);
        self.ceiling = (self.ceiling * RELAXATION).min(self.longest);
        (self.rejected, self.first) = (false, false);
    }

    /// Follows a step of length `taken` that failed.
    pub(crate) fn reject(&mut self, error: f64, taken: f64) {
        self.h = if error.is_finite() {
            taken * Self::factor(error).min(SAFETY)
        } else {
            taken * NON_FINITE_FACTOR
        };
        self.rejected = true;
    }

    /// Proposes no more than `longest` (s).
    pub(crate) fn shorten(&mut self, longest: f64) {
        self.h = self.h.min(longest);
    }

    /// Halves a step in which a guard was too rough.
    pub(crate) fn halve(&mut self, taken: f64) {
        self.h = 0.5 * taken;
        self.ceiling = self.h;
        self.rejected = true;
    }

    /// First step, from the size of the state, its rate, and the change of the rate over a trial, all
    /// over the time by which times are measured.
    ///
    /// Reference: `HairerNorsettWanner1993` (starting step size).
    pub(crate) fn choose<S: State, P: Problem>(
        &mut self,
        trial: &mut Trial<S>,
        flow: &mut Flow<'_, P>,
        measure: &Measure<S>,
        options: &Options,
    ) -> Result<(), Error<P::Failure>> {
        let (y, dy) = (trial.y.as_ref(), trial.k[0].as_ref());
        let time = options.time;
        let size = norm(y, measure.origin.as_ref(), y, measure);
        let speed = norm(dy, &[], y, measure) * time;
        let first = if size < NEGLIGIBLE || speed < NEGLIGIBLE {
            FIRST_DEFAULT
        } else {
            FIRST_CHANGE * size / speed
        };
        let first = (first * time).min(options.max_step).min(self.longest);
        let stage = trial.stage.as_mut();
        for i in 0..y.len() {
            stage[i] = y[i] + first * dy[i];
        }
        flow.rate(trial.t + first, trial.stage.as_ref(), trial.k[1].as_mut())?;
        let (bent, dy) = (trial.k[1].as_ref(), trial.k[0].as_ref());
        let bend = norm(bent, dy, y, measure) * time / (first / time);
        let fastest = speed.max(bend);
        let second = if fastest <= VANISHING {
            FIRST_DEFAULT.max(first / time * FIRST_SHRINK)
        } else {
            eighth_root(FIRST_CHANGE / fastest)
        };
        let chosen = (FIRST_GROWTH * first)
            .min(second * time)
            .min(options.max_step);
        self.h = if chosen > 0.0 { chosen } else { first };
        Ok(())
    }
}
