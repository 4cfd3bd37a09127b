//! Jacobian rows of points of bodies.

use super::place::Placed;
use crate::algebra::{Algebra, Wrench};
use crate::model::{BodyId, JointId};
use crate::vector::Linear;

/// A force, or impulse, on a body at a point of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointForce<A: Algebra> {
    /// The body; a force on the world changes nothing.
    pub body: BodyId,
    /// Where it acts, world axes (m).
    pub point: A::Vector,
    /// Force (N) or impulse (N·s), world axes.
    pub force: A::Vector,
}

impl<A: Algebra> PointForce<A> {
    pub(crate) fn about(&self, origin: A::Vector) -> Wrench<A> {
        Wrench::of_force(self.point - origin, self.force)
    }
}

impl<A: Algebra> Placed<'_, A> {
    /// Adds to `row` the velocity of a point of a body along `direction`, per unit of each rate, and
    /// returns what prescribed motions add to it: `direction·v_point = row·v + drift`.
    ///
    /// # Panics
    ///
    /// When `row` has not the length of the rates.
    pub fn add_row(
        &self,
        body: BodyId,
        point: A::Vector,
        direction: A::Vector,
        row: &mut [f64],
    ) -> f64 {
        let force = direction;
        self.add_row_up_to(BodyId::WORLD, PointForce { body, point, force }, row)
    }

    /// The same of a unit force, as seen from a body further in, on which its body hangs: the joints
    /// between alone.
    pub(crate) fn add_row_up_to(&self, base: BodyId, unit: PointForce<A>, row: &mut [f64]) -> f64 {
        let (body, point, direction) = (unit.body, unit.point, unit.force);
        assert_eq!(row.len(), self.model.rates, "a row has one number per rate");
        let (nodes, work) = (&self.model.nodes, &*self.work);
        let (mut i, mut drift) = (body.0, 0.0);
        while i != base.0 {
            let node = &nodes[i];
            let r = point - work.moving[i].pose.origin;
            for c in 0..node.columns {
                let column = work.columns[node.column + c];
                let along = column.at(r).linear.dot(direction);
                match node.motion {
                    None => row[node.v_at + c] += along,
                    Some(_) => drift += along * work.rates[node.column + c],
                }
            }
            i = node.parent;
        }
        drift
    }

    /// Rate of a prescribed coordinate (m/s or rad/s); none where the coordinate is free.
    pub fn motion_rate(&self, joint: JointId) -> Option<f64> {
        let node = &self.model.nodes[self.model.joints[joint.0].child.0];
        node.motion?;
        Some(self.work.rates[node.column])
    }

    /// Gives the prescribed rate of one joint the value 1 and those of all others 0, so that what
    /// motions add to rows is what this one adds. For rows alone: twists stay as they are.
    pub(crate) fn move_alone(&mut self, joint: JointId) {
        let alone = self.model.joints[joint.0].child.0;
        let nodes = self.model.nodes.iter().enumerate();
        for (i, node) in nodes.filter(|(_, node)| !node.is_free()) {
            self.work.rates[node.column] = f64::from(u8::from(i == alone));
        }
    }

    /// The outermost body on which both hang, or the world.
    pub(crate) fn common_base(&self, a: BodyId, b: BodyId) -> BodyId {
        let (mut a, mut b) = (a.0, b.0);
        while a != b {
            let outer = a.max(b); // bodies are numbered outward
            let inner = self.model.nodes[outer].parent;
            (a, b) = (a.min(b), inner);
        }
        BodyId(a)
    }

    /// Adds to `force` the generalised force of forces on bodies, `Jᵀ f`.
    ///
    /// # Panics
    ///
    /// When `force` has not the length of the rates.
    pub fn add_generalised(&self, forces: &[PointForce<A>], force: &mut [f64]) {
        for acting in forces {
            self.add_row(acting.body, acting.point, acting.force, force);
        }
    }
}
