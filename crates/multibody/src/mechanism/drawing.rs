//! What is written and drawn of a mechanism.

use super::{Dynamics, Group, Positions};
use crate::dynamics::State;
use crate::scene::Scene;

/// Names of the coordinates and what the bodies look like; by default one group without units, and no bodies.
pub trait Drawing: Dynamics {
    /// Coordinates by name, joint by joint; by default one group `q` without units.
    fn groups(&self) -> Vec<Group> {
        vec![Group::own(self.positions(), self.rates())]
    }

    /// Coordinates and rates as [`Drawing::groups`] names them, prescribed ones included.
    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        out.q.clear();
        out.q.extend_from_slice(state.q);
        out.v.clear();
        out.v.extend_from_slice(state.v);
    }

    /// What the bodies look like; nothing by default.
    fn scene(&self) -> Option<Scene> {
        None
    }

    /// Poses of the bodies: x, y (m) and angle (rad) of each; in space x, y, z (m) and the unit
    /// quaternion (w, x, y, z).
    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        let _ = state;
        out.clear();
    }
}
