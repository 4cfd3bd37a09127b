//! What closed contacts carry at a sample, and what that adds to the reactions of the joints.

use std::collections::BTreeSet;

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, Dimension, FrameImpulse, JointForce};
use carom_multibody::space::contact::FrameComponents;
use indexmap::IndexMap;

use super::ForceSeries;
use crate::Rule;
use crate::contact::closed::{Closed, Held};
use crate::contact::pieces::Pieces;
use crate::journal::sample::Sample;
use crate::scale::Scale;

/// Forces of the closed contacts at a sample, and the accelerations with them.
pub(super) struct Carried {
    closed: Closed,
    pieces: Pieces,
    forces: Vec<FrameImpulse>,
    acceleration: Vec<f64>,
    change: Vec<f64>,
    more: Vec<JointForce>,
    is_spatial: bool,
    /// The contacts whose force was one choice of several at some sample, in ascending order.
    pub(super) shared: BTreeSet<usize>,
    /// Those of them whose share decided the motion.
    pub(super) chosen: BTreeSet<usize>,
}

impl Carried {
    /// Nothing yet, in a motion of these sizes.
    pub(super) fn new(scale: &Scale, dimension: Dimension) -> Self {
        Self {
            closed: Closed::default(),
            pieces: Pieces::new(scale),
            forces: Vec::new(),
            acceleration: Vec::new(),
            change: Vec::new(),
            more: Vec::new(),
            is_spatial: dimension == Dimension::Space,
            shared: BTreeSet::new(),
            chosen: BTreeSet::new(),
        }
    }

    /// The forces of the closed contacts of a sample; none where the motion has no acceleration.
    pub(super) fn weigh(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        sample: &Sample,
        rules: &[Rule],
    ) {
        self.forces.clear();
        if sample.modes.is_empty() {
            return;
        }
        let held = sample.modes.iter();
        let held = held.map(|(contact, mode)| {
            let held = Held::of(mechanism, *contact, *mode, rules);
            held.along(&sample.ways)
        });
        let held: Vec<Held> = held.collect();
        self.pieces.lay(mechanism, state, &held, sample.is_start);
        self.closed.put(held);
        self.acceleration.resize(state.v.len(), 0.0);
        let state = state.on(self.pieces.all());
        let (closed, acceleration) = (&mut self.closed, &mut self.acceleration);
        let moved = closed.accelerate(mechanism, state, acceleration);
        if moved
            .and_then(|()| closed.align(mechanism, state, acceleration))
            .is_err()
        {
            return;
        }
        let is_chosen = self.closed.share_decides();
        for (i, (contact, _)) in sample.modes.iter().enumerate() {
            if !self.closed.is_unique(i) {
                self.shared.insert(*contact);
                self.chosen.extend(is_chosen.then_some(*contact));
            }
        }
        self.closed.share_within_laws();
        for (i, (contact, _)) in sample.modes.iter().enumerate() {
            let force = self.closed.force(i);
            self.forces.push(FrameImpulse {
                contact: *contact,
                impulse: FrameComponents {
                    n: force.n,
                    t: force.t,
                },
                spin: rules[*contact].spin_radius * force.p,
            });
        }
    }

    /// Adds to reactions without contact forces what these change: forces and accelerations enter the
    /// balance of every body as impulses and jumps do.
    pub(super) fn add_reactions(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        free: &[f64],
        reactions: &mut [JointForce],
    ) {
        if self.forces.is_empty() {
            return;
        }
        let pairs = self.acceleration.iter().zip(free);
        self.change.clear();
        self.change
            .extend(pairs.map(|(with, without)| with - without));
        let change = &self.change;
        mechanism.frame_impulse_reactions(state, change, &self.forces, &mut self.more);
        for (sum, more) in reactions.iter_mut().zip(&self.more) {
            let force = sum.force.iter_mut().zip(more.force);
            let moment = sum.moment.iter_mut().zip(more.moment);
            force.chain(moment).for_each(|(a, b)| *a += b);
        }
    }

    /// Appends the forces to the columns of their contacts, zero where a contact is open.
    pub(super) fn write(&self, columns: &mut IndexMap<String, ForceSeries>, rules: &[Rule]) {
        for (contact, rule) in rules.iter().enumerate() {
            let Some(series) = columns.get_mut(&rule.name) else {
                continue;
            };
            let acting = self.forces.iter().find(|force| force.contact == contact);
            let force = acting.map_or_else(FrameComponents::default, |force| force.impulse);
            series.normal.push(force.n);
            series.tangent.push(force.t[0]);
            if self.is_spatial {
                series.second_tangent.push(force.t[1]);
            }
            if rule.spin_radius > 0.0 {
                series.spin.push(acting.map_or(0.0, |force| force.spin));
            }
        }
    }
}
