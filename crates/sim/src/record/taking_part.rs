//! What contacts did in an event that is no collision of bodies.

use carom_contact::impact::{ContactResult, ContactType, Pair, Tangential};
use carom_multibody::State;
use carom_multibody::mechanism::{Dimension, Mechanism};
use carom_numeric::dot;

use crate::Rule;
use crate::event::{Event, Happening, WithoutCollision};
use crate::rows::ContactRows;

/// The contacts of a change of mode, of a jump to the limit of an accumulation, or of an impact without
/// collision.
///
/// A change of mode has no impulse; of an accumulation the impulses left out are not told.
pub(super) fn taking_part<M: Mechanism>(
    mechanism: &mut M,
    rules: &[Rule],
    event: &Event,
) -> Vec<ContactResult> {
    let numbered = event.contacts().iter().enumerate();
    let parts = numbered.map(|(i, contact)| match &event.what {
        Happening::WithoutCollision(jump) => struck(jump, i, &rules[*contact]),
        what => {
            let has_impulse = !matches!(what, Happening::Accumulation(_));
            passing(mechanism, event, &rules[*contact], (*contact, has_impulse))
        }
    });
    parts.collect()
}

/// A contact that keeps its velocity.
fn passing<M: Mechanism>(
    mechanism: &mut M,
    event: &Event,
    rule: &Rule,
    (contact, has_impulse): (usize, bool),
) -> ContactResult {
    let state = State {
        t: event.time,
        q: &event.q,
        v: &event.v_pre,
    };
    let rows = ContactRows::of(mechanism, state, contact);
    let drift = rows.drift(0).velocity;
    let along = rows.tangents(0).zip(drift.t);
    let along: Vec<f64> = along.map(|(row, d)| dot(row, state.v) + d).collect();
    let is_space = mechanism.dimension() == Dimension::Space;
    let tangential = |along: &[f64]| match (along, is_space) {
        _ if !mechanism.has_tangent(contact) => None,
        ([t_1, t_2, ..], true) => Some(Tangential::Space([*t_1, *t_2])),
        ([t, ..], _) => Some(Tangential::Plane(*t)),
        _ => None,
    };
    let velocity = Pair {
        normal: Some(dot(rows.normal(0), state.v) + drift.n),
        tangent: tangential(&along),
    };
    let nothing = Pair {
        normal: has_impulse.then_some(0.0),
        tangent: tangential(&[0.0; 2]).filter(|_| has_impulse),
    };
    ContactResult {
        name: rule.name.clone(),
        contact_type: ContactType::NoImpact,
        started_at_rest: along.iter().all(|v_t| *v_t == 0.0),
        impulse: nothing,
        velocity_before: velocity,
        velocity_after: velocity,
        work: nothing,
        path: Vec::new(),
    }
}

/// A contact that collided although nothing approached.
fn struck(jump: &WithoutCollision, i: usize, rule: &Rule) -> ContactResult {
    let pair = |[normal, tangent]: [f64; 2]| Pair {
        normal: Some(normal),
        tangent: Some(Tangential::Plane(tangent)),
    };
    let is_struck = jump.impulses[i][0] > 0.0;
    let is_stopped = jump.v_post[i][1] == 0.0;
    ContactResult {
        name: rule.name.clone(),
        contact_type: match (is_struck, is_stopped) {
            (false, _) => ContactType::NoImpact,
            (true, true) => ContactType::NonSlidingCompression,
            (true, false) => ContactType::ReverseCompression,
        },
        started_at_rest: jump.v_pre[i][1] == 0.0,
        impulse: pair(jump.impulses[i]),
        velocity_before: pair(jump.v_pre[i]),
        velocity_after: pair(jump.v_post[i]),
        work: pair(if is_struck { jump.works } else { [0.0; 2] }),
        path: Vec::new(),
    }
}
