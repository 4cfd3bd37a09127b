//! What ends the modes of closed contacts.

use carom_multibody::State;
use carom_multibody::mechanism::Contacts;

use super::Closed;
use crate::contact::mode::ContactMode;
use crate::contact::way::{Way, inner, speed, unit};
use crate::flow::board::Board;

/// A slip so many times as fast as one whose way is held fixed turns its way again.
const FASTER: f64 = 4.0;

/// What ends the mode of a closed contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// The normal force of a contact vanishes.
    Force(usize),
    /// Its slip vanishes.
    Slip(usize),
    /// Its friction reaches `+μ_s λ_n`.
    ConeForward(usize),
    /// Its friction reaches `−μ_s λ_n`.
    ConeBackward(usize),
    /// Its friction in space reaches `μ_s λ_n`.
    Cone(usize),
    /// Its slip in space is so fast again that its way turns with it.
    Turn(usize),
    /// Its pivoting about its normal vanishes.
    Pivot(usize),
    /// The torque that holds it against pivoting reaches `+μ_s r λ_n`.
    TorqueForward(usize),
    /// The same reaches `−μ_s r λ_n`.
    TorqueBackward(usize),
    /// The piece of surface it is on ends.
    End(usize),
    /// Forces that are not unique cannot be shared any longer.
    Margin,
    /// Forces of contacts that slide move them no longer: those that carry a load grow without bound.
    Jam,
}

impl Trigger {
    /// The contact, where it is one.
    pub(crate) fn contact(self) -> Option<usize> {
        match self {
            Self::Force(contact)
            | Self::Slip(contact)
            | Self::ConeForward(contact)
            | Self::ConeBackward(contact)
            | Self::Cone(contact)
            | Self::Turn(contact)
            | Self::Pivot(contact)
            | Self::TorqueForward(contact)
            | Self::TorqueBackward(contact)
            | Self::End(contact) => Some(contact),
            Self::Margin | Self::Jam => None,
        }
    }

    /// Both bounds of the torque that holds a contact against pivoting, with its sign there.
    pub(crate) fn torques(contact: usize) -> [(f64, Self); 2] {
        [
            (1.0, Self::TorqueForward(contact)),
            (-1.0, Self::TorqueBackward(contact)),
        ]
    }
}

/// Values and rates of the guards of closed contacts, by their places on the board.
pub(crate) struct Sheet<'a> {
    pub(crate) board: Board,
    pub(crate) values: &'a mut [f64],
    pub(crate) rates: &'a mut [f64],
}

impl Sheet<'_> {
    fn write(&mut self, trigger: Trigger, value: f64, rate: f64) {
        let at = self.board.place(trigger);
        (self.values[at], self.rates[at]) = (value, rate);
    }
}

impl Closed {
    /// The guards that watch the present modes.
    pub(crate) fn watched(&self) -> Vec<Trigger> {
        let mut all = Vec::new();
        for (i, held) in self.held.iter().enumerate() {
            let contact = held.contact;
            let is_unique = |part: usize| self.found.is_unique(self.at(i) + part);
            if is_unique(0) {
                all.push(Trigger::Force(contact));
            }
            if held.mode.pivot_sense() != 0.0 {
                all.push(Trigger::Pivot(contact));
            }
            if held.is_pivot_held() && is_unique(0) && is_unique(held.rows() - 1) {
                all.extend(Trigger::torques(contact).map(|(_, trigger)| trigger));
            }
            match held.mode.without_pivot() {
                ContactMode::Stick if !(0..=held.sticking()).all(is_unique) => {}
                ContactMode::Stick if held.tangents == 2 => all.push(Trigger::Cone(contact)),
                ContactMode::Stick => {
                    all.push(Trigger::ConeForward(contact));
                    all.push(Trigger::ConeBackward(contact));
                }
                ContactMode::Slide if held.way != Way::Turning => {
                    all.push(Trigger::Slip(contact));
                    all.push(Trigger::Turn(contact));
                }
                mode if mode.is_sliding() => all.push(Trigger::Slip(contact)),
                _ => {}
            }
            if self.has_end[i] {
                all.push(Trigger::End(contact));
            }
        }
        if self.is_redundant {
            all.push(Trigger::Margin);
        }
        if self.first_determinant.is_some() {
            all.push(Trigger::Jam);
        }
        all
    }

    /// Writes the guards of the forces, of the last accelerations, by their places on the board.
    pub(crate) fn write_forces(&self, board: Board, out: &mut [f64]) {
        let mut write = |trigger, value| out[board.place(trigger)] = value;
        for (i, held) in self.held.iter().enumerate() {
            let (contact, force) = (held.contact, self.force(i));
            write(Trigger::Force(contact), force.n / self.scale);
            if held.is_pivot_held() {
                let scale = self.scale * (1.0 + held.mu_s);
                for (side, trigger) in Trigger::torques(contact) {
                    write(trigger, (held.mu_s * force.n - side * force.p) / scale);
                }
            }
            if held.mode.is_sticking() {
                let room = held.mu_s * force.n;
                let scale = self.scale * (1.0 + held.mu_s); // round-off of the normal force counts μ times
                write(Trigger::ConeForward(contact), (room - force.t[0]) / scale);
                write(Trigger::ConeBackward(contact), (room + force.t[0]) / scale);
                write(Trigger::Cone(contact), (room - speed(force.t)) / scale);
            }
        }
        if self.is_redundant {
            write(Trigger::Margin, self.margin());
        }
        if let Some(leverage) = self.leverage() {
            write(Trigger::Jam, leverage);
        }
    }

    /// Writes the ways to the ends of the pieces of surface, and their rates.
    pub(crate) fn write_ends(
        &self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        sheet: &mut Sheet<'_>,
    ) {
        for (held, _) in self.held.iter().zip(&self.has_end).filter(|(_, has)| **has) {
            if let Some(room) = mechanism.piece_room(state, held.contact) {
                sheet.write(Trigger::End(held.contact), room.value, room.rate);
            }
        }
    }

    /// Writes slips and their rates, of the last accelerations: along a way that is fixed down to zero, else
    /// down to where it is held fixed.
    pub(crate) fn write_slips(&self, v: &[f64], acceleration: &[f64], sheet: &mut Sheet<'_>) {
        for (i, held) in self.held.iter().enumerate() {
            if held.mode.pivot_sense() != 0.0 {
                let per_length = held.mode.pivot_sense() / held.radius;
                let spin = per_length * self.pivots.rate(i, v);
                let rate = self.pivots.acceleration(i, acceleration);
                let noise = self.pivot_noise(i, spin);
                let rate = if rate.abs() <= noise { 0.0 } else { rate };
                sheet.write(Trigger::Pivot(held.contact), spin, per_length * rate);
            }
            if !held.mode.is_sliding() {
                continue;
            }
            let slips = self.rows.slips(i, v);
            let rates = self.rows.slip_rates(i, acceleration);
            let rate = inner(self.ways[i], rates);
            let slip = match held.way {
                Way::Fixed(way) => inner(way, slips),
                Way::Turning => speed(slips) - self.slow,
            };
            // A contact that begins to slip does so without acceleration: what is left is round-off of
            // large forces, and must not stop it at once.
            let noise = self.slip_noise(i, slip);
            let rate = if rate.abs() <= noise { 0.0 } else { rate };
            sheet.write(Trigger::Slip(held.contact), slip, rate);
            let faster = unit(slips).map_or(0.0, |way| inner(way, rates));
            let room = FASTER * self.slow - speed(slips);
            sheet.write(Trigger::Turn(held.contact), room, -faster);
        }
    }
}
