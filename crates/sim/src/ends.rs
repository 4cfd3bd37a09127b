//! Closed contacts at the end of a piece of surface: a side that becomes a round corner, an edge.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;
use carom_numeric::dot;

use crate::mode::ContactMode;
use crate::modes::Cause;
use crate::rows::ContactRows;
use crate::run::Course;
use crate::sustained::Trigger;

/// A gap below this part of the positions is closed.
const CLOSED: f64 = 1e-12;
/// A contact that moves along its surface no faster stays where it is (m/s).
const STILL: f64 = 1e-12;
/// A normal velocity below this part of the velocities it belongs to is rest.
const REST: f64 = 1e-9;

/// How far ahead a contact looks for the piece of surface it moves onto (s).
pub(crate) const SOON: f64 = 1e-3;

impl<M: Mechanism> Course<'_, M> {
    /// Contacts at the end of their piece go on on the next one, or leave where that is sharp. Others that
    /// touch at rest are asked too: of a box that slides over an edge its corner leaves, and the edge comes to
    /// bear on its side. Those that stay at the very end, to round-off, change nothing.
    pub(crate) fn pass_ends(&mut self, cause: &mut Cause) {
        let triggers = cause.triggers.iter();
        let ended = triggers.filter(|(_, trigger)| *trigger == Trigger::End);
        let ended: Vec<usize> = ended.map(|(contact, _)| *contact).collect();
        let (t, q, v) = self.now();
        let state = State { t, q: &q, v: &v };
        for contact in ended {
            let rests = self.rests_ahead(state, contact);
            let room = self.flow.mechanism.piece_room(state, contact);
            if !rests {
                cause.left.push(contact);
            } else if room.is_none_or(|room| room.rate > STILL) {
                cause.has_passed = true;
            }
        }
        if cause.is_nothing() {
            return;
        }
        let size = q.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let gaps = self.flow.gaps(state).to_vec();
        let is_near = |contact: &usize| gaps[*contact].gap.abs() <= CLOSED * size;
        for contact in (0..gaps.len()).filter(is_near) {
            let is_open = match &self.flow.sustained {
                Some(sustained) => sustained.mode(contact) == ContactMode::Open,
                None => true,
            };
            if is_open && !cause.landed.contains(&contact) && self.rests_ahead(state, contact) {
                cause.landed.push(contact);
            }
        }
    }

    /// Whether a contact touches, at rest across its surface, on the piece that it moves onto; it is kept
    /// there if so, else free.
    fn rests_ahead(&mut self, state: State<'_>, contact: usize) -> bool {
        let size = state.q.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let is_near = |gap: f64| gap.abs() <= CLOSED * size;
        let is_kept = self.flow.mechanism.keep_piece(state, contact, SOON);
        let gap = self.flow.gaps(state)[contact].gap;
        let rows = ContactRows::of(self.flow.mechanism, state, contact);
        let v_n = dot(rows.normal(0), state.v) + rows.drift(0).velocity.n;
        let rests = is_kept && is_near(gap) && v_n.abs() <= REST * self.last.size(&rows, state);
        if !rests {
            self.flow.mechanism.free_piece(contact);
        }
        rests
    }
}
