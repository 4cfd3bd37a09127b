//! What ends the modes of closed contacts.

use carom_multibody::State;
use carom_multibody::mechanism::Contacts;

use super::Closed;
use crate::contact::mode::ContactMode;
use crate::flow::board::Board;

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
            | Self::End(contact) => Some(contact),
            Self::Margin | Self::Jam => None,
        }
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
            match held.mode {
                ContactMode::Stick if is_unique(0) && is_unique(1) => {
                    all.push(Trigger::ConeForward(contact));
                    all.push(Trigger::ConeBackward(contact));
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
            if held.mode == ContactMode::Stick {
                let room = held.mu_s * force.n;
                let scale = self.scale * (1.0 + held.mu_s); // round-off of the normal force counts μ times
                write(Trigger::ConeForward(contact), (room - force.t) / scale);
                write(Trigger::ConeBackward(contact), (room + force.t) / scale);
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
    pub(crate) fn write_ends<M: Contacts>(
        &self,
        mechanism: &mut M,
        state: State<'_>,
        sheet: &mut Sheet<'_>,
    ) {
        for (held, _) in self.held.iter().zip(&self.has_end).filter(|(_, has)| **has) {
            if let Some(room) = mechanism.piece_room(state, held.contact) {
                sheet.write(Trigger::End(held.contact), room.value, room.rate);
            }
        }
    }

    /// Writes slips and their rates, of the last accelerations.
    pub(crate) fn write_slips(&self, v: &[f64], acceleration: &[f64], sheet: &mut Sheet<'_>) {
        for (i, held) in self.held.iter().enumerate() {
            if !held.mode.is_sliding() {
                continue;
            }
            let tangent = self.rows.tangents(i).next();
            let rate = tangent.map_or(0.0, |row| carom_numeric::dot(row, acceleration));
            let bias = self.rows.drift(i).acceleration.t[0];
            let rate = held.mode.sense() * (rate + bias);
            // A contact that begins to slip does so without acceleration: what is left is round-off of
            // large forces, and must not stop it at once.
            let rate = if rate.abs() <= self.slip_noise(i) {
                0.0
            } else {
                rate
            };
            let slip = held.mode.sense() * self.slip(i, v);
            sheet.write(Trigger::Slip(held.contact), slip, rate);
        }
    }
}
