//! Numbers for bodies, joints and coordinates; the nodes the algorithms run over.

use super::builder::Links;
use super::{
    Body, BodyId, BodyRecord, Joint, JointId, JointRecord, Model, ModelError, Node, Passive,
};
use crate::algebra::{Algebra, JointKind, Pose};
use crate::dynamics::SingularMass;

impl<A: Algebra> Model<A> {
    pub(super) fn number_joints(
        &mut self,
        joints: Vec<(String, Joint<A>)>,
        links: &Links,
        ids: &[usize],
    ) {
        for (index, (name, joint)) in joints.into_iter().enumerate() {
            let child = links.children[index];
            let is_free = joint.motion.is_none();
            let counts = (joint.kind.positions(), joint.kind.rates());
            let (positions, rates) = if is_free { counts } else { (0, 0) };
            self.joints.push(JointRecord {
                parent: BodyId(links.parents[index].map_or(0, |parent| ids[parent])),
                child: BodyId(ids[child]),
                positions: self.positions..self.positions + positions,
                rates: self.rates..self.rates + rates,
                is_implicit: index >= links.explicit,
                name,
                joint,
            });
            self.positions += positions;
            self.rates += rates;
        }
    }

    pub(super) fn number_bodies(
        &mut self,
        bodies: Vec<(String, Body<A>)>,
        links: &Links,
        ids: &[usize],
    ) {
        let mut leading = vec![0; ids.len()];
        for (joint, child) in links.children.iter().enumerate() {
            leading[*child] = joint;
        }
        for (index, (name, body)) in bodies.into_iter().enumerate() {
            self.bodies.push(BodyRecord {
                name,
                body,
                id: BodyId(ids[index]),
                joint: JointId(leading[index]),
            });
        }
    }

    /// Nodes in outward order, their columns one after another; the world is node 0.
    pub(super) fn lay_out(&mut self, order: &[usize]) {
        self.nodes.push(Node {
            parent: 0,
            joint: usize::MAX,
            kind: A::Joint::fixed(),
            base: Pose::default(),
            child_at: A::Vector::default(),
            mass: 0.0,
            inertia: A::CentralInertia::default(),
            center: A::Vector::default(),
            column: 0,
            columns: 0,
            q_at: 0,
            v_at: 0,
            positions: 0,
            motion: None,
            passive: None,
        });
        for place in order {
            let node = self.node(*place);
            self.columns += node.columns;
            self.nodes.push(node);
        }
    }

    fn node(&mut self, place: usize) -> Node<A> {
        let record = &self.bodies[place];
        let JointId(index) = record.joint;
        let JointRecord {
            joint,
            parent,
            positions,
            rates,
            ..
        } = &self.joints[index];
        let node = Node {
            parent: parent.0,
            joint: index,
            kind: joint.kind,
            base: Pose {
                rotation: joint.parent_rotation,
                origin: joint.parent_at,
            },
            child_at: joint.child_at,
            mass: record.body.mass,
            inertia: record.body.inertia,
            center: record.body.center,
            column: self.columns,
            columns: joint.kind.rates(),
            q_at: positions.start,
            v_at: rates.start,
            positions: positions.len(),
            motion: joint.motion,
            passive: None,
        };
        let acting = Passive::of(joint);
        let passive = acting.map(|_| self.passives.len());
        self.passives.extend(acting);
        Node { passive, ..node }
    }

    /// Refuses a coordinate that nothing resists, judged where no two links are in line.
    pub(super) fn with_inertia(self) -> Result<Self, ModelError<A::ShapeFault>> {
        match self.singular_coordinate() {
            None => Ok(self),
            Some(SingularMass {
                joint,
                coordinate,
                value,
            }) => Err(ModelError::NoInertia {
                joint: self.joints[joint.0].name.clone(),
                coordinate,
                value,
            }),
        }
    }
}

impl Passive {
    /// What acts along the coordinate of a joint, if anything does.
    fn of<A: Algebra>(joint: &Joint<A>) -> Option<Self> {
        let drive = joint.drive.filter(|drive| drive.amplitude != 0.0);
        let acts = joint.damping != 0.0 || joint.spring.is_some() || drive.is_some();
        acts.then_some(Self {
            damping: joint.damping,
            spring: joint.spring,
            drive,
        })
    }
}
