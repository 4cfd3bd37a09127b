//! Several contacts that collide at one instant.

use carom_contact::contact_space::{self, ReductionError};
use carom_contact::impact::simultaneous::{Closing, Simultaneous};
use carom_contact::impact::{Law, Method};
use carom_multibody::State;
use carom_multibody::mechanism::{FrameImpulse, Mechanism};
use carom_multibody::space::contact::FrameComponents;

use super::Collider;
use crate::journal::end::NoAnswer;
use crate::journal::event::{Collision, Event, Happening};
use crate::{ImpactFault, Rule, SimError};

/// How contacts that close together are to be solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    /// The rule of every contact of the mechanism.
    pub(super) of_contacts: &'a [Rule],
    /// The law they share.
    pub(super) law: Law,
    pub(super) method: Method,
    /// The order stated for a sequence.
    pub(super) order: &'a [String],
}

impl Rules<'_> {
    /// Why an impact of contacts could not be posed or solved.
    pub(super) fn refuse(&self, time: f64, contacts: &[usize], source: ImpactFault) -> SimError {
        let names = contacts.iter().map(|c| self.of_contacts[*c].name.as_str());
        SimError::Impact {
            time,
            contact: names.collect::<Vec<_>>().join(", "),
            source,
        }
    }
}

/// The law that holds for all of the contacts, or why there is none.
///
/// The stops of joints have no law of their own: without friction, one contact has the same answer
/// by every law, and they follow the others.
pub(crate) fn common_law<M: Mechanism>(
    mechanism: &M,
    contacts: &[usize],
    rules: &[Rule],
    method: Method,
) -> Result<Law, NoAnswer> {
    let mut law = None;
    let is_plane = mechanism.dimension().tangents() == 1;
    for &contact in contacts.iter().filter(|c| mechanism.has_tangent(**c)) {
        let rule = &rules[contact];
        if rule.friction.mu_s() > 0.0 && !(is_plane && method != Method::Linear) {
            return Err(NoAnswer::Friction(method));
        }
        if law.is_some_and(|law| law != rule.law) {
            return Err(NoAnswer::MixedLaws);
        }
        law = Some(rule.law);
    }
    let law = law.unwrap_or(Law::Newton);
    match law.is_offered(method) {
        true => Ok(law),
        false => Err(NoAnswer::Law(law, method)),
    }
}

/// Whether complementarity of the normal impulses is all there is to solve.
pub(crate) fn is_smooth(contacts: &[usize], rules: &[Rule], method: Method) -> bool {
    let mut rough = contacts.iter().map(|contact| rules[*contact].friction);
    method == Method::Complementarity && rough.all(|friction| friction.mu_s() == 0.0)
}

impl Collider {
    /// Solves the collision of several contacts without friction at a state.
    pub(super) fn strike_together<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        contacts: &[usize],
        rules: Rules<'_>,
    ) -> Result<Event, SimError> {
        let refuse = |source| rules.refuse(state.t, contacts, source);
        let v_n_pre = self.reduce_normals(mechanism, state, contacts);
        let v_n_pre = v_n_pre.map_err(|e| refuse(ImpactFault::Reduction(e)))?;
        let rows: Vec<usize> = (0..contacts.len()).collect();
        let restitution = contacts.iter().map(|c| rules.of_contacts[*c].restitution);
        let restitution: Vec<f64> = restitution.collect();
        let closing = Closing {
            rows: &rows,
            v_n: &v_n_pre,
            restitution: &restitution,
        };
        let mut solver = Simultaneous::new();
        let end = solver.solve(&self.space, &closing, rules.law);
        let end = end.map_err(|e| refuse(ImpactFault::Several(e)))?;
        let impulses = match end.has_end() {
            true => solver.impulses().to_vec(),
            false => vec![0.0; contacts.len()],
        };
        let pushes = contacts.iter().zip(&impulses);
        let pushes = pushes.map(|(contact, p)| FrameImpulse {
            contact: *contact,
            impulse: FrameComponents { n: *p, t: [0.0; 2] },
        });
        let pushes: Vec<FrameImpulse> = pushes.collect();
        let moved = self.moved(mechanism, state, &impulses, &pushes);
        let collision = Collision {
            contacts: contacts.to_vec(),
            law: rules.law,
            method: Method::Complementarity,
            order: None,
            outcome: end.outcome,
            is_taken: true,
            friction_impulses: vec![0.0; impulses.len()],
            slips: vec![0.0; impulses.len()],
            impulses,
            v_n_post: match end.has_end() {
                true => solver.v_post().to_vec(),
                false => v_n_pre.clone(),
            },
            v_n_pre,
            work: end.energy_change,
            friction_work: 0.0,
        };
        let change = end.energy_change + moved.motion_work;
        Ok(Event {
            v_post: moved.v_post,
            energy_change: end.has_end().then_some(change),
            motion_work: moved.motion_work,
            joint_impulses: moved.joint_impulses,
            ..Event::at(state, Happening::Collision(collision))
        })
    }

    /// Brings the normal rows to contact space; the normal velocities of the contacts.
    fn reduce_normals<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        contacts: &[usize],
    ) -> Result<Vec<f64>, ReductionError> {
        self.look(mechanism, state, contacts);
        let at = contact_space::Mechanism {
            mass: &self.mass,
            velocity: state.v,
            rows: self.rows.normals(),
            constraints: &self.closures.rows,
        };
        self.space.reduce(&at)?;
        let drifts = self.rows.drifts().iter().enumerate();
        Ok(drifts
            .map(|(i, drift)| self.space.v(i) + drift.velocity.n)
            .collect())
    }
}
