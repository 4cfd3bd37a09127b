//! Guards of closed contacts in space that vanished, taken at their word.

use super::standing::tangential;
use crate::SimError;
use crate::contact::choose::Cause;
use crate::contact::closed::{Held, Trigger};
use crate::contact::standing::Touch;
use crate::contact::way::{Way, inner, speed, unit};
use crate::world::World;

/// An acceleration beyond zero by this part of its terms is round-off.
const START_NOISE: f64 = 1e-9;
/// Friction with which contacts that can hold no longer begin to move.
const WEAKENED: f64 = 1.0 - 1e-6;

impl World<'_> {
    /// The modes that guards which vanished lead to: a contact whose force vanished opens, one whose friction
    /// reached its cone slips against it, one whose torque reached its bound pivots against it, a slip nearly at
    /// its end keeps its way. None where that is not consistent, or not alone.
    pub(super) fn hinted_in_space(
        &mut self,
        touches: &[Touch],
        cause: &Cause,
    ) -> Result<Option<Vec<Held>>, SimError> {
        if let Some(held) = self.only_ways(touches, cause) {
            return Ok(Some(held));
        }
        if cause.triggers.contains(&Trigger::Margin) {
            return self.hinted_together_in_space(touches);
        }
        let opened = |contact: usize| cause.triggers.contains(&Trigger::Force(contact));
        let (opening, rest): (Vec<_>, Vec<_>) =
            touches.iter().partition(|touch| opened(touch.contact));
        let rest: Vec<Touch> = rest
            .into_iter()
            .map(|touch| self.starting(touch, cause))
            .collect();
        if rest == touches {
            return Ok(None);
        }
        let starts: Vec<bool> = rest
            .iter()
            .map(|touch| cause.triggers.contains(&Trigger::Cone(touch.contact)))
            .collect();
        let opening: Vec<usize> = opening.iter().map(|touch| touch.contact).collect();
        let standing = self.pose_in_space(rest)?;
        let found = self.answers_in_space(&standing)?;
        let [answer] = &found.answers[..] else {
            return Ok(None);
        };
        let begins = starts.iter().enumerate().all(|(i, starts)| {
            let a_t = tangential(&answer.acceleration, i);
            let way = unit(standing.touches[i].slip).unwrap_or_default();
            let size = speed(tangential(&standing.drift, i)) + speed(a_t);
            !starts || inner(way, a_t) >= -START_NOISE * size
        });
        let begins =
            begins && standing.all_pivot(answer, START_NOISE, |c| turning(c, cause) != 0.0);
        let acceleration = standing.acceleration(answer);
        let is_consistent = begins && self.all_open(&opening, &acceleration);
        Ok(is_consistent.then(|| standing.held(answer)))
    }

    /// A contact whose friction reached its cone, about to slip against it; one whose torque reached its bound,
    /// about to pivot.
    fn starting(&self, touch: &Touch, cause: &Cause) -> Touch {
        let closed = &self.flow.closed;
        let held = closed.contacts().iter().position(|c| *c == touch.contact);
        let is_at_cone = cause.triggers.contains(&Trigger::Cone(touch.contact));
        let against = held
            .filter(|_| is_at_cone)
            .and_then(|i| unit(closed.force(i).t));
        let touch = match turning(touch.contact, cause) {
            0.0 => *touch,
            sense => touch.pivoting(sense * self.scale().least_pivot()),
        };
        match against {
            Some([a, b]) => {
                let least = self.scale().least_speed();
                let slip = [-least * a, -least * b];
                Touch { slip, ..touch }
            }
            None => touch,
        }
    }

    /// Where slips only slow down to where their ways are held fixed, or are faster again, nothing else changes.
    fn only_ways(&self, touches: &[Touch], cause: &Cause) -> Option<Vec<Held>> {
        let held = self.flow.closed.held();
        let is_way = |trigger: &Trigger| match trigger {
            Trigger::Turn(_) => true,
            Trigger::Slip(contact) => held
                .iter()
                .any(|held| held.contact == *contact && held.way == Way::Turning),
            _ => false,
        };
        let is_quiet = !cause.triggers.is_empty()
            && cause.triggers.iter().all(is_way)
            && cause.landed.is_empty()
            && cause.left.is_empty()
            && cause.handed.is_empty()
            && cause.stopped.is_empty()
            && !cause.has_jumped;
        if !is_quiet || touches.len() != held.len() {
            return None;
        }
        let turned = held.iter().zip(touches).map(|(held, touch)| {
            let mut held = *held;
            if held.mode.is_sliding_in_space()
                && cause.triggers.contains(&Trigger::Turn(held.contact))
            {
                held.way = Way::Turning;
            } else if held.mode.is_sliding_in_space()
                && cause.triggers.contains(&Trigger::Slip(held.contact))
            {
                held.way = unit(touch.slip).map_or(held.way, Way::Fixed);
            }
            held
        });
        Some(turned.collect())
    }

    /// The modes that follow where forces that are not unique cannot be shared any longer: with a little less
    /// friction the contacts move, and show which of them slip together.
    fn hinted_together_in_space(
        &mut self,
        touches: &[Touch],
    ) -> Result<Option<Vec<Held>>, SimError> {
        let weaker = touches.iter().map(|touch| Touch {
            friction: touch.friction.times(WEAKENED),
            ..*touch
        });
        let standing = self.pose_in_space(weaker.collect())?;
        let found = self.answers_in_space(&standing)?;
        let [answer] = &found.answers[..] else {
            return Ok(None);
        };
        let mut held = standing.held(answer);
        for held in &mut held {
            let given = touches.iter().find(|touch| touch.contact == held.contact);
            let given = given.map_or_else(Default::default, |touch| touch.friction);
            (held.mu_s, held.mu_d) = (given.mu_s, given.mu_d);
        }
        Ok(Some(held))
    }
}

/// Sense in which a contact begins to pivot whose torque reached its bound; zero where none did.
fn turning(contact: usize, cause: &Cause) -> f64 {
    let reached = Trigger::torques(contact).into_iter();
    let reached = reached.filter(|(_, trigger)| cause.triggers.contains(trigger));
    reached.map(|(side, _)| -side).sum()
}
