//! The pieces of surface that closed contacts keep to.

use carom_multibody::mechanism::Contacts;
use carom_multibody::{Piece, State};

use super::closed::Held;
use crate::scale::Scale;

/// For every contact the piece of surface that it keeps to; none where it may be on any.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    of: Vec<Option<Piece>>,
    /// How far ahead contacts look for the pieces that they move onto (s).
    soon: f64,
}

impl Pieces {
    /// All contacts free, in a motion of these sizes.
    pub(crate) fn new(scale: &Scale) -> Self {
        Self {
            of: Vec::new(),
            soon: scale.soon(),
        }
    }

    /// One after another, by contact.
    pub(crate) fn all(&self) -> &[Option<Piece>] {
        &self.of
    }

    /// Keeps a contact to the piece that it is on or moves onto; whether there is one.
    pub(crate) fn keep(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contact: usize,
    ) -> bool {
        let ahead = mechanism.piece_ahead(state, contact, self.soon);
        if ahead.is_some() {
            let count = self.of.len().max(contact + 1);
            self.of.resize(count, None);
            self.of[contact] = ahead;
        }
        ahead.is_some()
    }

    /// Lets a contact be on any piece.
    pub(crate) fn free(&mut self, contact: usize) {
        if let Some(piece) = self.of.get_mut(contact) {
            *piece = None;
        }
    }

    /// Lays closed contacts each on the piece it is on at a state; at the end of one on that it comes from, or
    /// moves onto where the motion begins there. All others are free.
    pub(crate) fn lay(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        held: &[Held],
        is_start: bool,
    ) {
        self.of.clear();
        let sense = if is_start { 1.0 } else { -1.0 };
        let along: Vec<f64> = state.v.iter().map(|v| sense * v).collect();
        let state = State { v: &along, ..state };
        for held in held {
            self.keep(mechanism, state, held.contact);
        }
    }

    /// Frees the contacts that are closed no longer, and keeps those that are new.
    pub(crate) fn follow(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        old: &[Held],
        new: &[Held],
    ) {
        let is_in = |held: &Held, all: &[Held]| all.iter().any(|one| one.contact == held.contact);
        for held in old.iter().filter(|held| !is_in(held, new)) {
            self.free(held.contact);
        }
        for held in new.iter().filter(|held| !is_in(held, old)) {
            self.keep(mechanism, state, held.contact);
        }
    }
}
