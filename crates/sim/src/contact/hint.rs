//! Guards of closed contacts that vanished, taken at their word.

use carom_multibody::State;
use carom_multibody::mechanism::Dynamics;
use carom_numeric::{Cholesky, dot};

use super::choose::Cause;
use super::closed::{Held, Trigger};
use super::mode::ContactMode;
use super::rows::ContactRows;
use super::standing::Touch;
use crate::SimError;
use crate::world::World;

/// An acceleration beyond zero by this part of its terms is round-off.
const HINT_NOISE: f64 = 1e-9;
/// Friction with which contacts that can hold no longer begin to move.
const LESS_FRICTION: f64 = 1.0 - 1e-6;

impl World<'_> {
    /// The modes that guards which vanished lead to: a contact whose force vanished opens, one whose
    /// friction reached its cone slips that way. None where that is not consistent, or not alone.
    pub(crate) fn hinted(
        &mut self,
        touches: &[Touch],
        cause: &Cause,
    ) -> Result<Option<Vec<Held>>, SimError> {
        let mut triggers = cause.triggers.clone();
        let is_shared = triggers.contains(&Trigger::Margin);
        if is_shared {
            triggers.extend(self.flow.closed.tightest());
        }
        let opened = |contact: usize| triggers.contains(&Trigger::Force(contact));
        let slipping = |contact: usize| {
            let forward = triggers.contains(&Trigger::ConeBackward(contact));
            let backward = triggers.contains(&Trigger::ConeForward(contact));
            f64::from(i8::from(forward) - i8::from(backward))
        };
        let mut opening = Vec::new();
        let mut rest = Vec::new();
        for touch in touches {
            match opened(touch.contact) {
                true => opening.push(touch.contact),
                false if slipping(touch.contact) != 0.0 => rest.push(Touch {
                    slip: [slipping(touch.contact), 0.0],
                    ..*touch
                }),
                false => rest.push(*touch),
            }
        }
        if rest == touches {
            return Ok(None);
        }
        if is_shared {
            return self.hinted_together(rest);
        }
        let standing = self.pose(rest)?;
        let Ok(found) = self.answers(&standing)? else {
            return Ok(None);
        };
        let found = standing.at_rest(found);
        let (Some(1), [answer]) = (found.count(), &found.answers[..]) else {
            return Ok(None);
        };
        let is_consistent = self.all_open(&opening, &standing.acceleration(answer))
            && standing.touches.iter().enumerate().all(|(k, touch)| {
                let starts = answer.contact_acceleration[k][1] * slipping(touch.contact);
                let drift = standing.problem.contacts[k].drift[1].abs();
                starts >= -HINT_NOISE * (drift + answer.contact_acceleration[k][1].abs())
            });
        Ok(is_consistent.then(|| standing.held(answer)))
    }

    /// The modes that follow where forces that are not unique cannot be shared any longer. At that very
    /// instant nothing moves yet: with a little less friction it does, and shows which contacts slip
    /// together.
    fn hinted_together(&mut self, touches: Vec<Touch>) -> Result<Option<Vec<Held>>, SimError> {
        let lessened = touches.into_iter().map(|touch| Touch {
            friction: touch.friction.times(LESS_FRICTION),
            ..touch
        });
        let standing = self.pose(lessened.collect())?;
        let Ok(found) = self.answers(&standing)? else {
            return Ok(None);
        };
        let found = standing.at_rest(found);
        let (Some(1), [answer]) = (found.count(), &found.answers[..]) else {
            return Ok(None);
        };
        let (mechanism, rules) = (&*self.flow.mechanism, self.rules);
        let seen = standing.seen(answer).into_iter();
        let closed = seen.filter(|(_, mode)| *mode != ContactMode::Open);
        let held = closed.map(|(contact, mode)| Held::of(mechanism, contact, mode, rules));
        Ok(Some(held.collect()))
    }

    /// Whether contacts do not approach under accelerations; what the round-off of the forces that held
    /// them would do is no approach.
    pub(super) fn all_open(&mut self, contacts: &[usize], acceleration: &[f64]) -> bool {
        let now = self.now();
        let state = now.state();
        let forces = self.flow.closed.scale();
        contacts.iter().all(|contact| {
            let rows = ContactRows::of(self.flow.mechanism, state, *contact);
            let terms = rows.normal(0).iter().zip(acceleration).map(|(j, a)| j * a);
            let bias = rows.drift(0).acceleration.n;
            let size = terms.clone().map(f64::abs).sum::<f64>() + bias.abs();
            let size = size + forces * inverse_mass(self.flow.mechanism, state, rows.normal(0));
            terms.sum::<f64>() + bias >= -HINT_NOISE * size
        })
    }
}

/// Acceleration along a row per force along it, `J M⁻¹ Jᵀ` (1/kg); zero where M is singular.
fn inverse_mass(mechanism: &mut dyn Dynamics, state: State<'_>, row: &[f64]) -> f64 {
    let n = row.len();
    let (mut mass, mut whitened) = (vec![0.0; n * n], row.to_vec());
    mechanism.mass(state, &mut mass);
    let mut factor = Cholesky::new();
    match factor.factor(&mass, n) {
        Ok(()) => {
            factor.solve_lower(&mut whitened);
            dot(&whitened, &whitened)
        }
        Err(_) => 0.0,
    }
}
