//! Several contacts that collide at one instant.

use carom_contact::impact::simultaneous::{Closing, Simultaneous};
use carom_contact::impact::{Law, Method};
use carom_contact::space;
use carom_multibody::State;
use carom_multibody::mechanism::{FrameImpulse, Mechanism};
use carom_multibody::space::contact::FrameComponents;

use crate::end::NoAnswer;
use crate::event::{Collision, Event, Happening};
use crate::impact::Collider;
use crate::{Rule, SimError};

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
    let is_offered = match method {
        Method::Linear => law == Law::Newton,
        Method::Complementarity => matches!(law, Law::Newton | Law::Poisson | Law::Moreau),
        Method::Sequential => matches!(law, Law::Newton | Law::Poisson | Law::Energetic),
    };
    match is_offered {
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
    pub(crate) fn strike_together<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        contacts: &[usize],
        (rules, law): (&[Rule], Law),
    ) -> Result<Event, SimError> {
        let names = || contacts.iter().map(|c| rules[*c].name.as_str());
        let refuse = |message: String| SimError::Impact {
            time: state.t,
            contact: names().collect::<Vec<_>>().join(", "),
            message,
        };
        let v_n_pre = self
            .reduce_normals(mechanism, state, contacts)
            .map_err(refuse)?;
        let rows: Vec<usize> = (0..contacts.len()).collect();
        let restitution: Vec<f64> = contacts.iter().map(|c| rules[*c].restitution).collect();
        let closing = Closing {
            rows: &rows,
            v_n: &v_n_pre,
            restitution: &restitution,
        };
        let mut solver = Simultaneous::new();
        let end = solver.solve(&self.space, &closing, law);
        let end = end.map_err(|error| refuse(error.to_string()))?;
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
            law,
            method: Method::Complementarity,
            order: None,
            outcome: end.outcome,
            is_taken: true,
            friction_impulses: vec![0.0; impulses.len()],
            impulses,
            v_n_post: match end.has_end() {
                true => solver.v_post().to_vec(),
                false => v_n_pre.clone(),
            },
            v_n_pre,
            work: end.energy_change,
            friction_work: 0.0,
        };
        Ok(Event {
            time: state.t,
            q: state.q.to_vec(),
            v_pre: state.v.to_vec(),
            q_post: state.q.to_vec(),
            v_post: moved.v_post,
            what: Happening::Collision(collision),
            energy_change: end
                .has_end()
                .then_some(end.energy_change + moved.motion_work),
            motion_work: moved.motion_work,
            joint_impulses: moved.joint_impulses,
            modes_before: Vec::new(),
            modes_after: Vec::new(),
        })
    }

    /// Brings the normal rows to contact space; the normal velocities of the contacts.
    fn reduce_normals<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        contacts: &[usize],
    ) -> Result<Vec<f64>, String> {
        self.look(mechanism, state, contacts);
        let at = space::Mechanism {
            mass: &self.mass,
            velocity: state.v,
            rows: self.rows.normals(),
            constraints: &self.closures.rows,
        };
        self.space.reduce(&at).map_err(|e| e.to_string())?;
        let drifts = self.rows.drifts().iter().enumerate();
        Ok(drifts
            .map(|(i, drift)| self.space.v(i) + drift.velocity.n)
            .collect())
    }
}
