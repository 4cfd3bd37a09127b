//! Which condition each guard of the integrator watches.

use carom_multibody::mechanism::{Crossing, Guards, Mechanism};
use carom_ode::Guard;

use super::DIFFERENCE;
use crate::contact::closed::Trigger;
use crate::scale::Scale;

/// What a guard of the integrator watches; a bijection with its index, once [`Board`] is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuardId {
    /// The gap of a contact.
    Gap(usize),
    /// A guard of the system's own.
    Own(usize),
    /// What ends the mode of closed contacts.
    Mode(Trigger),
}

/// The order of the guards: gaps, the system's own, the bounds of each contact, the margin of
/// forces that are not unique, the leverage of those that slide. The last three are there once contacts have
/// stayed closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) contacts: usize,
    pub(crate) own: usize,
}

/// Guards of a contact that is closed: its force, its slip, both sides of its cone in the plane, the end of its
/// piece, its cone in space, the slip beyond which its way turns, its pivoting, both bounds of the torque that
/// holds that.
const PER_CONTACT: usize = 10;

/// Round-off of a force, as a part of the largest …
const FORCE_ZERO: f64 = 1e-13;
/// … and of its rate, which is differenced, as a part of that and of the time of the motion.
const FORCE_RATE_ZERO: f64 = FORCE_ZERO / DIFFERENCE;

impl Board {
    pub(crate) fn of(mechanism: &dyn Mechanism) -> Self {
        Self {
            contacts: mechanism.contacts(),
            own: mechanism.guards(),
        }
    }

    /// Place of the first guard of closed contacts.
    pub(crate) fn first_of_modes(self) -> usize {
        self.contacts + self.own
    }

    /// Count of all guards, those of closed contacts included.
    pub(crate) fn len(self) -> usize {
        self.first_of_modes() + PER_CONTACT * self.contacts + 2
    }

    /// Place of a guard.
    pub(crate) fn index(self, id: GuardId) -> usize {
        match id {
            GuardId::Gap(contact) => contact,
            GuardId::Own(guard) => self.contacts + guard,
            GuardId::Mode(trigger) => self.first_of_modes() + self.place(trigger),
        }
    }

    /// The guard at a place.
    pub(crate) fn id(self, index: usize) -> GuardId {
        if index < self.contacts {
            return GuardId::Gap(index);
        }
        if index < self.first_of_modes() {
            return GuardId::Own(index - self.contacts);
        }
        let place = index - self.first_of_modes();
        let contact = place / PER_CONTACT;
        GuardId::Mode(match place % PER_CONTACT {
            _ if place == self.place(Trigger::Margin) => Trigger::Margin,
            _ if place == self.place(Trigger::Jam) => Trigger::Jam,
            0 => Trigger::Force(contact),
            1 => Trigger::Slip(contact),
            2 => Trigger::ConeForward(contact),
            3 => Trigger::ConeBackward(contact),
            4 => Trigger::End(contact),
            5 => Trigger::Cone(contact),
            6 => Trigger::Turn(contact),
            7 => Trigger::Pivot(contact),
            8 => Trigger::TorqueForward(contact),
            _ => Trigger::TorqueBackward(contact),
        })
    }

    /// Place of a bound among those of closed contacts.
    pub(crate) fn place(self, trigger: Trigger) -> usize {
        match trigger {
            Trigger::Force(contact) => PER_CONTACT * contact,
            Trigger::Slip(contact) => PER_CONTACT * contact + 1,
            Trigger::ConeForward(contact) => PER_CONTACT * contact + 2,
            Trigger::ConeBackward(contact) => PER_CONTACT * contact + 3,
            Trigger::End(contact) => PER_CONTACT * contact + 4,
            Trigger::Cone(contact) => PER_CONTACT * contact + 5,
            Trigger::Turn(contact) => PER_CONTACT * contact + 6,
            Trigger::Pivot(contact) => PER_CONTACT * contact + 7,
            Trigger::TorqueForward(contact) => PER_CONTACT * contact + 8,
            Trigger::TorqueBackward(contact) => PER_CONTACT * contact + 9,
            Trigger::Margin => PER_CONTACT * self.contacts,
            Trigger::Jam => PER_CONTACT * self.contacts + 1,
        }
    }

    /// Gaps and guards of the system's own.
    pub(crate) fn free_guards(self, mechanism: &dyn Guards, scale: &Scale) -> Vec<Guard> {
        let gap = |contact| Guard::falling().sized(scale.gap(contact), scale.time);
        let own = (0..self.own).map(|guard| match mechanism.guard_crossing(guard) {
            Crossing::Falling => Guard::falling(),
            Crossing::Rising => Guard::rising(),
            Crossing::Either => Guard::either(),
        });
        (0..self.contacts).map(gap).chain(own).collect()
    }

    /// All guards.
    pub(crate) fn all_guards(self, mechanism: &dyn Guards, scale: &Scale) -> Vec<Guard> {
        let force = Guard {
            zero: FORCE_ZERO,
            rate_zero: FORCE_RATE_ZERO / scale.time,
            ..Guard::falling().sized(1.0, scale.time)
        };
        let slip = Guard::falling().sized(scale.length / scale.time, scale.time);
        let end = Guard::falling().sized(scale.length, scale.time);
        let pivot = Guard::falling().sized(1.0 / scale.time, scale.time);
        let each = [
            force, slip, force, force, end, force, slip, pivot, force, force,
        ];
        let each = (0..self.contacts).flat_map(|_| each);
        let mut all = self.free_guards(mechanism, scale);
        all.extend(each.chain([force, force]));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guard_has_one_place_and_every_place_one_guard() {
        for (contacts, own) in [(0, 0), (3, 0), (0, 2), (4, 3)] {
            let board = Board { contacts, own };
            for index in 0..board.len() {
                assert_eq!(board.index(board.id(index)), index, "{board:?}");
            }
        }
    }
}
