//! What ends the modes of closed contacts.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;
use carom_ode::Guard;

use super::Sustained;
use crate::mode::ContactMode;

/// What a guard of a closed contact says when it vanishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// The normal force vanishes.
    Force,
    /// The slip vanishes.
    Slip,
    /// Friction reaches `+μ_s λ_n`.
    ConeForward,
    /// Friction reaches `−μ_s λ_n`.
    ConeBackward,
    /// The piece of surface ends.
    End,
    /// Forces that are not unique cannot be shared any longer.
    Margin,
}

/// Guards of each contact: its normal force, its slip or one side of its cone, the other side, the way to
/// the end of the piece of surface it is on.
pub(crate) const PER_CONTACT: usize = 4;

/// Round-off of a force, as a part of the largest (and of its rate, per second).
const FORCE_ZERO: f64 = 1e-13;
const FORCE_RATE_ZERO: f64 = 1e-10;

/// The guards of so many contacts, and one for forces that are not unique.
pub(crate) fn guards(contacts: usize) -> impl Iterator<Item = Guard> {
    let force = Guard {
        zero: FORCE_ZERO,
        rate_zero: FORCE_RATE_ZERO,
        ..Guard::falling()
    };
    let own = [force, Guard::falling(), force, Guard::falling()];
    let each = (0..contacts).flat_map(move |_| own);
    each.chain([force])
}

impl Sustained {
    /// The guards that watch the present modes: their places among [`guards`], and what they say.
    pub(crate) fn watched(&self, contacts: usize) -> Vec<(usize, usize, Trigger)> {
        let mut all = Vec::new();
        for (i, held) in self.held.iter().enumerate() {
            let first = PER_CONTACT * held.contact;
            let is_unique = |part: usize| self.found.is_unique(self.at(i) + part);
            if is_unique(0) {
                all.push((first, held.contact, Trigger::Force));
            }
            match held.mode {
                ContactMode::Stick if is_unique(0) && is_unique(1) => {
                    all.push((first + 1, held.contact, Trigger::ConeForward));
                    all.push((first + 2, held.contact, Trigger::ConeBackward));
                }
                mode if mode.is_sliding() => all.push((first + 1, held.contact, Trigger::Slip)),
                _ => {}
            }
            if self.has_end[i] {
                all.push((first + 3, held.contact, Trigger::End));
            }
        }
        if self.is_redundant {
            all.push((PER_CONTACT * contacts, usize::MAX, Trigger::Margin));
        }
        all
    }

    /// Writes the guards of the forces, of the last accelerations, in the order of [`guards`].
    pub(crate) fn write_forces(&self, out: &mut [f64]) {
        for (i, held) in self.held.iter().enumerate() {
            let first = PER_CONTACT * held.contact;
            let force = self.force(i);
            out[first] = force.n / self.scale;
            if held.mode == ContactMode::Stick {
                let room = held.mu_s * force.n;
                let scale = self.scale * (1.0 + held.mu_s); // round-off of the normal force counts μ times
                out[first + 1] = (room - force.t) / scale;
                out[first + 2] = (room + force.t) / scale;
            }
        }
        if let (true, Some(last)) = (self.is_redundant, out.last_mut()) {
            *last = self.margin();
        }
    }

    /// Writes the ways to the ends of the pieces of surface, and their rates.
    pub(crate) fn write_ends<M: Mechanism>(
        &self,
        mechanism: &mut M,
        state: State<'_>,
        values: &mut [f64],
        rates: &mut [f64],
    ) {
        for (held, _) in self.held.iter().zip(&self.has_end).filter(|(_, has)| **has) {
            let at = PER_CONTACT * held.contact + 3;
            if let Some(room) = mechanism.piece_room(state, held.contact) {
                (values[at], rates[at]) = (room.value, room.rate);
            }
        }
    }

    /// Writes slips and their rates, of the last accelerations.
    pub(crate) fn write_slips(
        &self,
        v: &[f64],
        acceleration: &[f64],
        values: &mut [f64],
        rates: &mut [f64],
    ) {
        for (i, held) in self.held.iter().enumerate() {
            if !held.mode.is_sliding() {
                continue;
            }
            let at = PER_CONTACT * held.contact + 1;
            let tangent = self.rows.tangents(i).next();
            let rate = tangent.map_or(0.0, |row| carom_numeric::dot(row, acceleration));
            let bias = self.rows.drift(i).acceleration.t[0];
            values[at] = held.mode.sense() * self.slip(i, v);
            let rate = held.mode.sense() * (rate + bias);
            // A contact that begins to slip does so without acceleration: what is left is round-off of
            // large forces, and must not stop it at once.
            rates[at] = if rate.abs() <= self.slip_noise(i) {
                0.0
            } else {
                rate
            };
        }
    }
}
