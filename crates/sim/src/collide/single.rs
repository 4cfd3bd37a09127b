//! One impact of a mechanism, at the exact configuration.

use carom_contact::contact_space::{
    self, ContactSpace, DelassusError, Friction, PlanarDelassus, PlanarVector, ReductionError,
};
use carom_contact::impact::planar::{PlanarImpact, solve};
use carom_contact::impact::spatial::{PlanarEffect, planar_effect};
use carom_multibody::mechanism::{Contacts, FrameImpulse, JointForce};
use carom_multibody::space::contact::FrameComponents;
use carom_multibody::{ConstraintRows, State};

use crate::contact::approach::LastImpact;
use crate::contact::rows::ContactRows;
use crate::journal::event::{Event, Happening, Impact};
use crate::world::Now;
use crate::{ImpactFault, Rule, SimError};

/// A slip below this part of the terms that velocities of the contact are sums of is rest.
const SLIP_AT_REST: f64 = 1e-13;

/// Buffers of the impacts of a run.
#[derive(Debug, Default)]
pub(crate) struct Collider {
    pub(crate) space: ContactSpace,
    pub(crate) mass: Vec<f64>,
    pub(crate) rows: ContactRows,
    /// Rows of what closes loops.
    pub(crate) closures: ConstraintRows,
    jump: Vec<f64>,
    speed: f64,
}

/// What becomes of the impact of one contact.
pub(crate) enum Strike {
    /// It was solved; what came out is in the event.
    Event(Box<Event>),
    /// Its friction turns out of a plane.
    Spatial,
}

/// Why the impact of one contact could not be posed in a plane.
enum Unposed {
    Spatial,
    Refused(ImpactFault),
}

impl Unposed {
    fn reduction(error: ReductionError) -> Self {
        Self::Refused(ImpactFault::Reduction(error))
    }

    fn delassus(error: DelassusError) -> Self {
        Self::Refused(ImpactFault::Delassus(error))
    }
}

/// What of a contact takes part in its impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The normal alone: no tangent, or no friction in space.
    Normal,
    /// Normal and tangent of the plane.
    Plane,
    /// Normal and both tangents.
    Space,
}

impl Part {
    fn of(mechanism: &dyn Contacts, contact: usize, rule: &Rule) -> Self {
        let tangents = mechanism.dimension().tangents();
        match mechanism.has_tangent(contact) {
            true if tangents == 1 => Self::Plane,
            true if rule.friction.mu_s() > 0.0 => Self::Space,
            _ => Self::Normal,
        }
    }

    fn rows(self) -> usize {
        match self {
            Self::Normal => 1,
            Self::Plane => 2,
            Self::Space => 3,
        }
    }
}

impl Collider {
    /// Mass matrix and rows of the contacts at a state, a normal and its tangents each.
    pub(crate) fn look(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contacts: &[usize],
    ) {
        let n = state.v.len();
        self.mass.resize(n * n, 0.0);
        mechanism.mass(state, &mut self.mass);
        if mechanism.constraints() > 0 {
            mechanism.constraint_rows(state, &mut self.closures);
        }
        self.rows.look(mechanism, state, contacts);
        self.speed = 0.0;
        for i in 0..contacts.len() {
            self.speed = self.speed.max(self.rows.terms(i, state.v));
        }
    }

    /// How fast the contacts of the last look were.
    pub(crate) fn speed_at(&self, time: f64) -> LastImpact {
        let speed = self.speed;
        LastImpact { time, speed }
    }

    /// Takes a slip that is round-off off the rates: the contact rests, whoever solves its impact.
    pub(crate) fn still(&mut self, mechanism: &mut dyn Contacts, contact: usize, now: &mut Now) {
        self.look(mechanism, now.state(), &[contact]);
        let [slip, _] = self.rows.slips(0, &now.v);
        let is_rest = slip.abs() <= SLIP_AT_REST * self.rows.terms(0, &now.v);
        if slip == 0.0 || !is_rest || self.rows.width() != 2 {
            return;
        }
        let at = contact_space::Mechanism {
            mass: &self.mass,
            velocity: &now.v,
            rows: self.rows.all(),
            constraints: &self.closures.rows,
        };
        if self.space.reduce(&at).is_err() || self.space.w(1, 1) <= 0.0 {
            return;
        }
        let stop = -slip / self.space.w(1, 1);
        self.jump.clear();
        self.jump.resize(now.v.len(), 0.0);
        self.space.apply(&[0.0, stop], &mut self.jump);
        let pairs = now.v.iter_mut().zip(&self.jump);
        pairs.for_each(|(v, jump)| *v += jump);
    }

    /// Solves the impact of one contact at a state.
    pub(crate) fn strike(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contact: usize,
        rule: &Rule,
    ) -> Result<Strike, SimError> {
        let refused = |source| SimError::Impact {
            time: state.t,
            contact: rule.name.clone(),
            source,
        };
        let part = Part::of(mechanism, contact, rule);
        self.look(mechanism, state, &[contact]);
        let (problem, direction) = match self.pose(state, part, rule) {
            Ok(posed) => posed,
            Err(Unposed::Spatial) => return Ok(Strike::Spatial),
            Err(Unposed::Refused(fault)) => return Err(refused(fault)),
        };
        let solution = solve(&problem, rule.law).map_err(|e| refused(ImpactFault::Point(e)))?;
        let impact = Impact {
            contact,
            problem,
            direction,
            solution,
        };
        let event = self.struck(mechanism, state, impact);
        Ok(Strike::Event(Box::new(event)))
    }

    /// What a solved impact does.
    fn struck(&mut self, mechanism: &mut dyn Contacts, state: State<'_>, impact: Impact) -> Event {
        let end = impact.solution.end;
        let [n, t] = end.map_or([0.0; 2], |end| [end.impulse.n, end.impulse.t]);
        let [d_1, d_2] = impact.direction.unwrap_or([1.0, 0.0]);
        let p = [n, d_1 * t, d_2 * t];
        let push = FrameImpulse {
            contact: impact.contact,
            impulse: FrameComponents { n, t: [p[1], p[2]] },
            spin: 0.0,
        };
        let energy_change = end.map(|end| end.energy_change);
        let moved = self.moved(mechanism, state, &p[..self.space.rows()], &[push]);
        Event {
            v_post: moved.v_post,
            energy_change: energy_change.map(|change| change + moved.motion_work),
            motion_work: moved.motion_work,
            joint_impulses: moved.joint_impulses,
            ..Event::at(state, Happening::Impact(Box::new(impact)))
        }
    }

    /// The problem in contact space, and in space the direction of its tangent.
    fn pose(
        &mut self,
        state: State<'_>,
        part: Part,
        rule: &Rule,
    ) -> Result<(PlanarImpact, Option<[f64; 2]>), Unposed> {
        let at = contact_space::Mechanism {
            mass: &self.mass,
            velocity: state.v,
            rows: &self.rows.all()[..part.rows() * state.v.len()],
            constraints: &self.closures.rows,
        };
        self.space.reduce(&at).map_err(Unposed::reduction)?;
        let drift = self.rows.drift(0).velocity;
        let (w, v, friction, direction) = match part {
            Part::Plane => {
                let (w, v) = self.space.planar(0, 1).map_err(Unposed::delassus)?;
                (w, v, rule.friction, None)
            }
            Part::Space => {
                let d = self.effect(drift)?.direction;
                let along = self.space.planar_along(0, [1, 2], d);
                let (w, v) = along.map_err(Unposed::delassus)?;
                (w, v, rule.friction, Some(d))
            }
            Part::Normal => {
                let w = PlanarDelassus::new(self.space.w(0, 0), 0.0, 0.0);
                let (n, t) = (self.space.v(0), 0.0);
                let v = PlanarVector { n, t };
                (w.map_err(Unposed::delassus)?, v, Friction::NONE, None)
            }
        };
        let slip_drift = match (part, direction) {
            (Part::Normal, _) => 0.0,
            (_, Some([d_1, d_2])) => d_1 * drift.t[0] + d_2 * drift.t[1],
            (_, None) => drift.t[0],
        };
        let slip = v.t + slip_drift;
        let v = PlanarVector {
            n: v.n + drift.n,
            t: match slip.abs() <= SLIP_AT_REST * self.rows.terms(0, state.v) {
                true => 0.0, // friction is static, whatever round-off says
                false => slip,
            },
        };
        let problem = PlanarImpact::new(w, v, friction, rule.restitution);
        let problem =
            problem.and_then(|one| one.with_tangential_restitution(rule.tangential_restitution));
        let refused = |error| Unposed::Refused(ImpactFault::Point(error));
        Ok((problem.map_err(refused)?, direction))
    }

    /// The direction in which the contact of the last reduction is planar.
    fn effect(&self, drift: FrameComponents) -> Result<PlanarEffect, Unposed> {
        let drift = [drift.n, drift.t[0], drift.t[1]];
        let v: [f64; 3] = std::array::from_fn(|k| self.space.v(k) + drift[k]);
        planar_effect(&self.space, [0, 1, 2], v).map_err(|_| Unposed::Spatial)
    }

    /// What impulses, one per row of the space, do to the mechanism.
    pub(crate) fn moved(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        p: &[f64],
        impulses: &[FrameImpulse],
    ) -> Moved {
        self.jump.clear();
        self.jump.resize(state.v.len(), 0.0);
        self.space.apply(p, &mut self.jump);
        let v_post = state.v.iter().zip(&self.jump).map(|(a, b)| a + b).collect();
        let mut joint_impulses = Vec::new();
        let motion_work =
            mechanism.frame_impulse_reactions(state, &self.jump, impulses, &mut joint_impulses);
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
