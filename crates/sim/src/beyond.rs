//! What lies just ahead of closed contacts: a surface whose normal or curvature jumps.
//!
//! A disk that slides along a bar comes to its round end, a box to the edge of a table. Before that
//! instant the contact presses; beyond it would have to pull, or its point has left the face. The state
//! at the instant itself says nothing of this, a state a moment later does.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;

use crate::SimError;
use crate::modes::Cause;
use crate::rows::ContactRows;
use crate::run::Course;
use crate::standing::{Standing, Touch};
use crate::sustained::Held;

/// How far ahead is looked (s, and spacings of the time axis): a step stops short of a corner by its
/// tolerance, and what a contact presses in so short a time is below round-off.
const AHEAD: [f64; 4] = [1e-11, 1e-10, 1e-9, 1e-8];
const AHEAD_ULPS: f64 = 4096.0;
/// A normal velocity beyond this part of the terms it is the sum of parts the contact.
const PARTS: f64 = 1e-7;

impl<M: Mechanism> Course<'_, M> {
    /// The contacts that stay closed a moment ahead, where they or their modes are others than now;
    /// nothing where they are the same, or where no moment ahead has one answer.
    pub(crate) fn beyond(&mut self) -> Result<Option<Vec<Held>>, SimError> {
        let held = match &self.flow.sustained {
            Some(sustained) => sustained.held().to_vec(),
            None => return Ok(None),
        };
        let named = |all: &[Held]| -> Vec<_> { all.iter().map(|h| (h.contact, h.mode)).collect() };
        let spacing = AHEAD_ULPS * f64::EPSILON * self.motion.time().abs();
        for ahead in AHEAD {
            let next = self.held_ahead(&held, ahead.max(spacing))?;
            if let Some(next) = next.filter(|next| named(next) != named(&held)) {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// The contacts that stay closed so long ahead, if there is one answer.
    fn held_ahead(&mut self, held: &[Held], ahead: f64) -> Result<Option<Vec<Held>>, SimError> {
        let (time, mut q, v) = self.now();
        let mut rate = vec![0.0; q.len()];
        let mechanism = &mut *self.flow.mechanism;
        let now = State {
            t: time,
            q: &q,
            v: &v,
        };
        mechanism.position_rate(now, &mut rate);
        q.iter_mut().zip(&rate).for_each(|(q, r)| *q += ahead * r);
        mechanism.normalise(&mut q);
        let t = time + ahead;
        let state = State { t, q: &q, v: &v };
        let mut touches = Vec::new();
        for one in held {
            let rows = ContactRows::of(self.flow.mechanism, state, one.contact);
            if parts(&rows, state) {
                continue;
            }
            let slip = crate::modes::slip_of(one, &rows, state, &Cause::default());
            let rule = &self.rules[one.contact];
            touches.push(Touch::of(self.flow.mechanism, one.contact, slip, rule));
        }
        let posed = Standing::pose(self.flow.mechanism, state, touches);
        let standing = posed.map_err(|source| SimError::Singular { time, source })?;
        let Ok(found) = standing.answers() else {
            return Ok(None);
        };
        Ok(match (found.count(), &found.answers[..]) {
            (Some(1), [answer]) => Some(standing.held(&answer.mode)),
            _ => None,
        })
    }
}

/// Whether a contact parts.
fn parts(rows: &ContactRows, state: State<'_>) -> bool {
    let drift = rows.drift(0).velocity.n;
    let terms = rows.normal(0).iter().zip(state.v).map(|(j, v)| j * v);
    let size = terms.clone().map(f64::abs).sum::<f64>() + drift.abs();
    terms.sum::<f64>() + drift > PARTS * size
}
