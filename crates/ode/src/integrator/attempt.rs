//! Steps tried until one is good.

use super::{Integrator, is_finite};
use crate::Error;
use crate::pace::Pace;
use crate::problem::{Flow, Problem, State};
use crate::step::LAST;

/// Largest error of half a step whose whole passes: it should fall to 1/256.
const HALVED: f64 = 1.0 / 16.0;

impl<S: State> Integrator<S> {
    /// Tries steps until one is good.
    pub(super) fn attempt<P: Problem>(
        &mut self,
        problem: &mut P,
        until: f64,
        left: &mut u64,
    ) -> Result<(), Error<P::Failure>> {
        let start = &mut self.trial;
        problem.begin_step(start.t, start.y.as_mut(), start.k[0].as_mut());
        loop {
            let (t, limit) = (self.trial.t, self.options.max_steps);
            *left = left
                .checked_sub(1)
                .ok_or(Error::TooManySteps { t, limit })?;
            let mut flow = Flow {
                problem,
                effort: &mut self.effort,
            };
            self.trial.t_new = self.pace.end_of_step(t, until, &self.options);
            self.trial.run(&mut flow)?;
            let mut error = self.trial.error(&self.measure);
            if error <= 1.0 && self.pace.is_first() {
                error = self.halve(problem)?;
            }
            let mut flow = Flow {
                problem,
                effort: &mut self.effort,
            };
            if error <= 1.0 {
                self.trial.finish(&mut flow)?;
                if is_finite(&self.trial.k[LAST]) {
                    self.pace.accept(error, self.trial.h());
                    return self.judge_outlook(until, *left);
                }
                error = f64::NAN;
            }
            self.effort.steps_rejected += 1;
            self.pace.reject(error, self.trial.h());
            self.refuse_underflow(error)?;
        }
    }

    /// Takes half of a first step that passes instead of the whole; its error, above 1 where it contradicts
    /// that of the whole.
    ///
    /// A first step is a guess. One that is far too long may pass by chance, and nothing but a shorter one
    /// shows it.
    fn halve<P: Problem>(&mut self, problem: &mut P) -> Result<f64, Error<P::Failure>> {
        let mut flow = Flow {
            problem,
            effort: &mut self.effort,
        };
        self.trial.t_new = self.trial.t + 0.5 * self.trial.h();
        self.trial.run(&mut flow)?;
        let half = self.trial.error(&self.measure);
        Ok(if half <= HALVED { half } else { half.max(2.0) })
    }

    /// Refuses a step below the smallest.
    fn refuse_underflow<F>(&self, error: f64) -> Result<(), Error<F>> {
        let t = self.trial.t;
        let (step, smallest) = (self.pace.step(), Pace::smallest(t, &self.options));
        if step >= smallest {
            Ok(())
        } else if error.is_finite() {
            Err(Error::StepUnderflow { t, step, smallest })
        } else {
            Err(Error::NonFiniteRate { t })
        }
    }
}
