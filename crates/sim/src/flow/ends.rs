//! Closed contacts at the end of a piece of surface: a side that becomes a round corner, an edge.

use crate::contact::Cause;
use crate::contact::closed::Trigger;
use crate::contact::rows::ContactRows;
use crate::world::{Now, World};

/// A contact whose way along its surface changes by less than this part of its velocities stays where it is.
const LINGERS: f64 = 1e-12;
/// A normal velocity below this part of the velocities it belongs to is rest.
const ALONG_SURFACE: f64 = 1e-9;

impl World<'_> {
    /// Contacts at the end of their piece go on on the next one, or leave where that is sharp. Others that
    /// touch at rest are asked too: of a box that slides over an edge its corner leaves, and the edge comes to
    /// bear on its side. Those that stay at the very end, to round-off, change nothing.
    pub(crate) fn pass_ends(&mut self, cause: &mut Cause) {
        let ended = cause.triggers.iter().filter_map(|trigger| match trigger {
            Trigger::End(contact) => Some(*contact),
            _ => None,
        });
        let ended: Vec<usize> = ended.collect();
        let mut now = self.now();
        for contact in ended {
            let rests = self.rests_ahead(&mut now, contact);
            let state = now.state();
            let room = self.flow.mechanism.piece_room(state, contact);
            let rows = ContactRows::of(self.flow.mechanism, state, contact);
            let still = LINGERS * self.last.size(&rows, state);
            if !rests {
                cause.left.push(contact);
            } else if room.is_none_or(|room| room.rate > still) {
                cause.has_passed = true;
            }
        }
        if cause.is_nothing() {
            return;
        }
        let gaps = self.flow.gaps(now.state()).to_vec();
        for (contact, gap) in gaps.iter().enumerate() {
            let is_near = self.scale().is_closed(contact, gap.gap, &now.q);
            let is_told = cause.landed.contains(&contact) || cause.came_off.contains(&contact);
            let is_new = is_near && self.is_open(contact) && !is_told;
            if is_new && self.rests_ahead(&mut now, contact) {
                cause.handed.push(contact);
            }
        }
    }

    /// Whether a contact touches, at rest across its surface, on the piece that it moves onto; it is kept
    /// there if so, else free.
    fn rests_ahead(&mut self, now: &mut Now, contact: usize) -> bool {
        let is_kept = self.keep_piece(now, contact);
        let state = now.state();
        let gap = self.flow.gaps(state)[contact].gap;
        let is_near = self.scale().is_closed(contact, gap, state.q);
        let rows = ContactRows::of(self.flow.mechanism, state, contact);
        let v_n = rows.v_n(0, state.v);
        let rests = is_kept && is_near && v_n.abs() <= ALONG_SURFACE * self.last.size(&rows, state);
        if !rests {
            self.free_piece(now, contact);
        }
        rests
    }
}
