//! The guards that watch the modes of contacts.

use crate::flow::board::GuardId;
use crate::world::World;

impl World<'_> {
    /// Arms the gaps of open contacts and the guards of the modes of closed ones.
    pub(super) fn arm_modes(&mut self) {
        let board = self.flow.board();
        for guard in board.first_of_modes()..board.len() {
            self.motion.arm(guard, false);
        }
        for contact in 0..self.rules.len() {
            let is_open = self.is_open(contact);
            if self.motion.is_armed(contact) != is_open {
                self.motion.arm(contact, is_open); // one that comes off, and is let be, stays so
            }
        }
        for trigger in self.flow.closed.watched() {
            self.motion.arm(board.index(GuardId::Mode(trigger)), true);
        }
    }
}
