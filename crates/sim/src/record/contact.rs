//! What contacts do in an event that is no collision.

use carom_contact::impact::{ContactResult, ContactType, Pair, Tangential};
use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, Dimension};

use crate::Rule;
use crate::contact::rows::ContactRows;
use crate::journal::event::{Event, Happening, WithoutCollision};

/// The contacts of a change of mode, an accumulation or an impact without collision, as in an impact
/// result.
pub(super) fn contacts(
    mechanism: &mut dyn Contacts,
    rules: &[Rule],
    event: &Event,
) -> Vec<ContactResult> {
    let state = |v| State::new(event.time, &event.q, v);
    let mut all = Vec::new();
    for (k, contact) in event.contacts().iter().enumerate() {
        let before = velocity(mechanism, state(&event.v_pre), *contact);
        let after = velocity(mechanism, state(&event.v_post), *contact);
        let still = Pair {
            normal: Some(0.0),
            tangent: before.tangent.map(|t| match t {
                Tangential::Plane(_) => Tangential::Plane(0.0),
                Tangential::Space(_) => Tangential::Space([0.0; 2]),
            }),
        };
        let quiet = ContactResult {
            name: rules[*contact].name.clone(),
            contact_type: ContactType::NoImpact,
            started_at_rest: false,
            impulse: still,
            velocity_before: before,
            velocity_after: after,
            work: still,
            path: Vec::new(),
            spatial: None,
        };
        all.push(match &event.what {
            Happening::WithoutCollision(jump) => jumped(quiet, jump, k),
            _ => quiet,
        });
    }
    all
}

/// Contact `k` of an impact without collision.
fn jumped(quiet: ContactResult, jump: &WithoutCollision, k: usize) -> ContactResult {
    let pair = |[n, t]: [f64; 2]| Pair {
        normal: Some(n),
        tangent: Some(Tangential::Plane(t)),
    };
    let is_struck = jump.impulses[k][0] > 0.0;
    ContactResult {
        contact_type: match is_struck {
            true => ContactType::NonSlidingCompression,
            false => ContactType::NoImpact,
        },
        impulse: pair(jump.impulses[k]),
        velocity_before: pair(jump.v_pre[k]),
        velocity_after: pair(jump.v_post[k]),
        work: pair(if is_struck { jump.works } else { [0.0; 2] }),
        ..quiet
    }
}

/// Velocity of a contact.
fn velocity(mechanism: &mut dyn Contacts, state: State<'_>, contact: usize) -> Pair {
    let rows = ContactRows::of(mechanism, state, contact);
    let drift = rows.drift(0).velocity;
    let along = |(row, drift): (&[f64], f64)| carom_numeric::dot(row, state.v) + drift;
    let t: Vec<f64> = rows.tangents(0).zip(drift.t).map(along).collect();
    let tangent = match (mechanism.dimension(), &t[..]) {
        _ if !mechanism.has_tangent(contact) => None,
        (Dimension::Plane, [t]) => Some(Tangential::Plane(*t)),
        (_, [t_1, t_2]) => Some(Tangential::Space([*t_1, *t_2])),
        _ => None,
    };
    Pair {
        normal: Some(along((rows.normal(0), drift.n))),
        tangent,
    }
}
