//! Forces of the contacts that are closed, and the motion with them.

use std::collections::BTreeSet;

use carom_multibody::State;
use carom_multibody::mechanism::{FrameImpulse, JointForce, MassSolver, Mechanism};
use carom_multibody::space::contact::FrameComponents;

use super::Trajectory;
use crate::mode::ContactMode;
use crate::standing::Touch;
use crate::sustained::{ContactForce, Held, Sustained};
use crate::{Rule, Run};

/// What contacts do at an instant: those that are closed, in the order of their index.
type Modes = [(usize, ContactMode)];

/// The contacts that are closed at any time of a run.
pub(super) fn ever_closed(run: &Run) -> Vec<usize> {
    let samples = run.samples.iter().flat_map(|sample| &sample.modes);
    let events = run.events.iter().flat_map(|event| &event.modes_after);
    let closed = samples
        .chain(events)
        .filter(|(_, mode)| *mode != ContactMode::Open);
    let all: BTreeSet<usize> = closed.map(|(contact, _)| *contact).collect();
    all.into_iter().collect()
}

/// Accelerations, contact forces and joint reactions at states, with their buffers.
pub(super) struct Forces<'a> {
    rules: &'a [Rule],
    closed: Vec<usize>,
    sustained: Sustained,
    solver: MassSolver,
    free: Vec<f64>,
    held: Vec<f64>,
    shares: Vec<JointForce>,
}

impl<'a> Forces<'a> {
    pub(super) fn new(rules: &'a [Rule], closed: &[usize], rates: usize) -> Self {
        Self {
            rules,
            closed: closed.to_vec(),
            sustained: Sustained::default(),
            solver: MassSolver::default(),
            free: vec![0.0; rates],
            held: vec![0.0; rates],
            shares: Vec::new(),
        }
    }

    /// Adds modes and forces of the contacts to a trajectory, and gives the reactions of the joints;
    /// whether the mechanism has accelerations, without which there are none.
    ///
    /// Reactions are linear in accelerations and forces: those of the free motion, and those of the
    /// contact forces with the accelerations they make.
    pub(super) fn add<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        (state, modes): (State<'_>, &Modes),
        trajectory: &mut Trajectory,
        reactions: &mut Vec<JointForce>,
    ) -> bool {
        let forces = self.held(mechanism, state, modes);
        self.list(modes, forces.as_deref().unwrap_or(&[]), trajectory);
        let moves = mechanism.accelerations(state, &mut self.solver, &mut self.free);
        if moves.is_err() {
            return false;
        }
        mechanism.reactions(state, &self.free, reactions);
        let Some(forces) = forces.filter(|forces| !forces.is_empty()) else {
            return true;
        };
        let pushes: Vec<FrameImpulse> = forces.iter().map(|force| force.push()).collect();
        let jump = self.held.iter().zip(&self.free).map(|(a, b)| a - b);
        let jump: Vec<f64> = jump.collect();
        mechanism.frame_impulse_reactions(state, &jump, &pushes, &mut self.shares);
        for (sum, share) in reactions.iter_mut().zip(&self.shares) {
            let pairs = sum.force.iter_mut().zip(share.force);
            pairs.for_each(|(a, b)| *a += b);
            let pairs = sum.moment.iter_mut().zip(share.moment);
            pairs.for_each(|(a, b)| *a += b);
        }
        true
    }

    /// Forces of the closed contacts; the accelerations stay.
    fn held<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        modes: &Modes,
    ) -> Option<Vec<Acting>> {
        let held = modes.iter().filter(|(_, mode)| *mode != ContactMode::Open);
        let held = held.map(|(contact, mode)| {
            let touch = Touch::of(mechanism, *contact, 0.0, &self.rules[*contact]);
            Held {
                contact: *contact,
                mode: *mode,
                mu_s: touch.friction.mu_s,
                mu_d: touch.friction.mu_d,
            }
        });
        let held: Vec<Held> = held.collect();
        let contacts: Vec<usize> = held.iter().map(|held| held.contact).collect();
        self.sustained.hold(mechanism, state, held).ok()?;
        self.sustained
            .accelerate(mechanism, state, &mut self.held)
            .ok()?;
        let numbered = contacts.into_iter().enumerate();
        let acting = numbered.map(|(i, contact)| Acting {
            contact,
            force: self.sustained.force(i),
            is_unique: self.sustained.is_unique(i),
        });
        Some(acting.collect())
    }

    /// Adds a row of modes and forces.
    fn list(&self, modes: &Modes, forces: &[Acting], trajectory: &mut Trajectory) {
        for contact in &self.closed {
            let name = &self.rules[*contact].name;
            let mode = modes.iter().find(|(c, _)| c == contact);
            let mode = mode.map_or(ContactMode::Open, |(_, mode)| *mode);
            if let Some(column) = trajectory.modes.get_mut(name) {
                column.push(mode.name().to_owned());
            }
            let acting = forces.iter().find(|acting| acting.contact == *contact);
            let force = acting.map_or(ContactForce::default(), |acting| acting.force);
            let Some(series) = trajectory.contact_forces.get_mut(name) else {
                continue;
            };
            series.unique &= acting.is_none_or(|acting| acting.is_unique);
            series.normal.push(force.n);
            for (k, column) in series.tangents.iter_mut().enumerate() {
                column.push(if k == 0 { force.t } else { 0.0 });
            }
        }
    }
}

/// A closed contact with its force.
struct Acting {
    contact: usize,
    force: ContactForce,
    is_unique: bool,
}

impl Acting {
    fn push(&self) -> FrameImpulse {
        FrameImpulse {
            contact: self.contact,
            impulse: FrameComponents {
                n: self.force.n,
                t: [self.force.t, 0.0],
            },
        }
    }
}
