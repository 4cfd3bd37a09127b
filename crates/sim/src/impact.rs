//! One impact of a mechanism, at the exact configuration.

use carom_contact::impact::planar::{PlanarImpact, solve};
use carom_contact::space::{self, ContactSpace, Friction, PlanarDelassus, PlanarVector};
use carom_multibody::State;
use carom_multibody::contact::ContactComponents;
use carom_multibody::mechanism::{ContactDrift, ContactImpulse, JointForce, Mechanism, Rows};

use crate::approach::{LastImpact, terms};
use crate::event::{Event, Happening, Impact};
use crate::{Rule, SimError};

/// Buffers of the impacts of a run.
#[derive(Debug, Default)]
pub(crate) struct Collider {
    pub(crate) space: ContactSpace,
    pub(crate) mass: Vec<f64>,
    pub(crate) rows: Vec<f64>,
    pub(crate) drifts: Vec<ContactDrift>,
    jump: Vec<f64>,
    speed: f64,
}

impl Collider {
    /// Mass matrix and rows of the contacts at a state, a normal and a tangent row each.
    pub(crate) fn look<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        contacts: &[usize],
    ) {
        let n = state.v.len();
        self.mass.resize(n * n, 0.0);
        mechanism.mass(state, &mut self.mass);
        self.rows.clear();
        self.rows.resize(2 * n * contacts.len(), 0.0);
        self.drifts.clear();
        self.speed = 0.0;
        for (contact, rows) in contacts.iter().zip(self.rows.chunks_exact_mut(2 * n)) {
            let (normal, tangent) = rows.split_at_mut(n);
            let rows = Rows {
                normal: &mut *normal,
                tangent,
            };
            let drift = mechanism.contact_rows(state, *contact, rows);
            self.speed = self.speed.max(terms(normal, state.v, &drift));
            self.drifts.push(drift);
        }
    }

    /// How fast the contacts of the last look were.
    pub(crate) fn speed_at(&self, time: f64) -> LastImpact {
        let speed = self.speed;
        LastImpact { time, speed }
    }

    /// Solves the impact of one contact at a state.
    pub(crate) fn strike<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        contact: usize,
        rule: &Rule,
    ) -> Result<Event, SimError> {
        let has_tangent = mechanism.has_tangent(contact);
        self.look(mechanism, state, &[contact]);
        let impact = self
            .pose(state, has_tangent, rule)
            .and_then(|problem| {
                let solution = solve(&problem, rule.law).map_err(|e| e.to_string())?;
                Ok(Impact {
                    contact,
                    problem,
                    solution,
                })
            })
            .map_err(|message| SimError::Impact {
                time: state.t,
                contact: rule.name.clone(),
                message,
            })?;
        let end = impact.solution.end;
        let p = end.map_or([0.0; 2], |end| [end.impulse.n, end.impulse.t]);
        let p = &p[..self.space.rows()];
        let energy_change = end.map(|end| end.energy_change);
        let push = ContactImpulse {
            contact,
            impulse: ContactComponents {
                n: p[0],
                t: *p.get(1).unwrap_or(&0.0),
            },
        };
        let moved = self.moved(mechanism, state, p, &[push]);
        Ok(Event {
            time: state.t,
            q: state.q.to_vec(),
            v_pre: state.v.to_vec(),
            q_post: state.q.to_vec(),
            v_post: moved.v_post,
            what: Happening::Impact(impact),
            energy_change: energy_change.map(|change| change + moved.motion_work),
            motion_work: moved.motion_work,
            joint_impulses: moved.joint_impulses,
        })
    }

    /// The problem in contact space.
    fn pose(
        &mut self,
        state: State<'_>,
        has_tangent: bool,
        rule: &Rule,
    ) -> Result<PlanarImpact, String> {
        let n = state.v.len();
        let rows = if has_tangent { 2 * n } else { n };
        let at = space::Mechanism {
            mass: &self.mass,
            velocity: state.v,
            rows: &self.rows[..rows],
            constraints: &[],
        };
        self.space.reduce(&at).map_err(|e| e.to_string())?;
        let drift = self.drifts[0].velocity;
        let (w, v, friction) = if has_tangent {
            let (w, v) = self.space.planar(0, 1).map_err(|e| e.to_string())?;
            (w, v, rule.friction)
        } else {
            let w = PlanarDelassus::new(self.space.w(0, 0), 0.0, 0.0);
            let (n, t) = (self.space.v(0), 0.0);
            let v = PlanarVector { n, t };
            (w.map_err(|e| e.to_string())?, v, Friction::NONE)
        };
        let v = PlanarVector {
            n: v.n + drift.n,
            t: v.t + drift.t,
        };
        PlanarImpact::new(w, v, friction, rule.restitution).map_err(|e| e.to_string())
    }

    /// What impulses, one per row of the space, do to the mechanism.
    pub(crate) fn moved<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        p: &[f64],
        impulses: &[ContactImpulse],
    ) -> Moved {
        self.jump.clear();
        self.jump.resize(state.v.len(), 0.0);
        self.space.apply(p, &mut self.jump);
        let v_post = state.v.iter().zip(&self.jump).map(|(a, b)| a + b).collect();
        let mut joint_impulses = Vec::new();
        let motion_work =
            mechanism.impulse_reactions(state, &self.jump, impulses, &mut joint_impulses);
        Moved {
            v_post,
            joint_impulses,
            motion_work,
        }
    }
}

/// What an impact does to a mechanism.
pub(crate) struct Moved {
    pub(crate) v_post: Vec<f64>,
    pub(crate) joint_impulses: Vec<JointForce>,
    pub(crate) motion_work: f64,
}
