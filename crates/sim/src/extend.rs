//! From a motion whose contacts only collide to one in which they may stay closed.

use carom_multibody::mechanism::Mechanism;
use carom_ode::{Effort, Integrator};

use crate::SimError;
use crate::flow::WORKS_IN_CONTACT;
use crate::run::{Course, guards};
use crate::sustained::{self, Sustained};

impl<M: Mechanism> Course<'_, M> {
    /// Gives the motion the guards of closed contacts and the work of friction, once.
    pub(crate) fn extend(&mut self) -> Result<(), SimError> {
        if self.flow.sustained.is_some() {
            return Ok(());
        }
        let t = self.motion.time();
        let (q, v, works) = self.flow.split(self.motion.state());
        let mut works = works.to_vec();
        works.resize(WORKS_IN_CONTACT, 0.0);
        let y = [q, v, &works].concat();
        let contacts = self.rules.len();
        let mut all = guards(self.flow.mechanism);
        let first = all.len();
        all.extend(sustained::guards(contacts));
        let count = all.len();
        let options = self.motion.options().clone();
        let refused = |error: carom_ode::SetupError| SimError::Integration {
            time: t,
            message: error.to_string(),
        };
        add(&mut self.spent, self.motion.effort());
        self.sampler.resize(&y);
        self.motion = Integrator::new(y, all, options).map_err(refused)?;
        self.motion.set_time(t);
        for guard in first..count {
            self.motion.arm(guard, false);
        }
        self.flow.sustained = Some(Sustained::default());
        Ok(())
    }

    /// What the integration cost so far.
    pub(crate) fn effort(&self) -> Effort {
        let mut all = self.spent;
        add(&mut all, self.motion.effort());
        all
    }
}

fn add(sum: &mut Effort, other: &Effort) {
    sum.steps_accepted += other.steps_accepted;
    sum.steps_rejected += other.steps_rejected;
    sum.evaluations += other.evaluations;
    sum.guard_evaluations += other.guard_evaluations;
    sum.polish_steps += other.polish_steps;
    sum.events += other.events;
}
