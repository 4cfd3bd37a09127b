//! From a motion whose contacts only collide to one in which they may stay closed.

use carom_ode::{Effort, Integrator};

use super::WORKS_IN_CONTACT;
use super::board::Board;
use crate::world::World;
use crate::{SimError, Stuck};

impl World<'_> {
    /// Gives the motion the guards of closed contacts and the work of friction, once; the new size of the
    /// state.
    pub(crate) fn extend(&mut self) -> Result<(), SimError> {
        if self.flow.is_in_contact {
            return Ok(());
        }
        let t = self.motion.time();
        let (q, v, works) = self.flow.split(self.motion.state());
        let mut works = works.to_vec();
        works.resize(WORKS_IN_CONTACT, 0.0);
        let y = [q, v, &works].concat();
        let board = Board::of(self.flow.mechanism);
        let all = board.all_guards(self.flow.mechanism, &self.flow.scale);
        let mut options = self.motion.options().clone();
        options.sizes = self.flow.state_sizes(works.len());
        options.origin.resize(y.len(), 0.0);
        add(&mut self.spent, self.motion.effort());
        let motion = Integrator::new(y, all, options);
        self.motion = motion.map_err(|error| self.stuck(Stuck::Setup(error)))?;
        self.motion.set_time(t);
        for guard in board.first_of_modes()..board.len() {
            self.motion.arm(guard, false);
        }
        self.flow.is_in_contact = true;
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
