//! Whether the steps left can lead to the end.

use super::Integrator;
use crate::Error;
use crate::problem::State;

/// Steps after which the outlook is judged, again and again, and how many are looked at.
const OUTLOOK: (u64, u64) = (4096, 16);
/// Steps with a larger `h |λ|` are limited by stability. Accuracy keeps it near 1; the method is
/// stable up to about 6.
const STABILITY_LIMIT: f64 = 3.0;
/// Part of the good steps looked at that must be limited by stability for the problem to be stiff.
const STIFF_PART: f64 = 0.75;
/// More steps than allowed by this factor are not worth starting.
const HOPELESS: f64 = 10.0;

impl<S: State> Integrator<S> {
    /// Now and then, refuses to go on where the steps left cannot lead to the end.
    pub(super) fn judge_outlook<F>(&mut self, until: f64, left: u64) -> Result<(), Error<F>> {
        let (every, looked_at) = OUTLOOK;
        let phase = (self.options.max_steps - left) % every;
        if phase < every - looked_at {
            (self.stiff_steps, self.seen_steps) = (0, 0);
            return Ok(());
        }
        self.seen_steps += 1;
        self.stiff_steps += u64::from(self.trial.stability(&self.measure) > STABILITY_LIMIT);
        if phase < every - 1 {
            return Ok(());
        }
        let (t, step) = (self.trial.t, self.trial.h());
        let needed = (until - t) / step;
        let is_stiff = self.stiff_steps as f64 >= STIFF_PART * self.seen_steps as f64;
        if is_stiff && needed > left as f64 {
            return Err(Error::Stiff { t, step, until });
        }
        if needed > HOPELESS * left as f64 {
            return Err(Error::TooFast { t, step, until });
        }
        Ok(())
    }
}
