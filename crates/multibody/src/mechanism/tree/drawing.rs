//! The names and the look of a model.

use super::TreeMechanism;
use crate::algebra::JointKind as _;
use crate::dynamics::State;
use crate::mechanism::setting::Setting;
use crate::mechanism::{Drawing, Group, Positions};
use crate::model::JointRecord;
use crate::scene::Scene;

fn group<A: Setting>(record: &JointRecord<A>) -> Group {
    let (kind, columns) = A::columns(&record.joint.kind);
    Group {
        name: record.name.clone(),
        kind,
        positions: columns.iter().map(|c| c.0.to_owned()).collect(),
        units: columns.iter().map(|c| c.1).collect(),
        rates: record.joint.kind.rates(),
    }
}

impl<A: Setting> Drawing for TreeMechanism<A> {
    /// The joints of the tree, then those that close loops, which have no coordinates.
    fn groups(&self) -> Vec<Group> {
        let joints = self.model.joints().iter().map(group);
        let closures = self.model.closures().iter().map(|record| Group {
            name: record.name.clone(),
            kind: A::columns(&record.joint.kind).0,
            positions: Vec::new(),
            units: Vec::new(),
            rates: 0,
        });
        joints.chain(closures).collect()
    }

    fn coordinates(&mut self, state: State<'_>, out: &mut Positions) {
        out.read(&self.model, state);
    }

    fn scene(&self) -> Option<Scene> {
        Some(A::scene(&self.model))
    }

    fn poses(&mut self, state: State<'_>, out: &mut Vec<f64>) {
        out.clear();
        let placed = self.model.place(&mut self.work, state);
        for record in placed.model.bodies() {
            A::write_pose(placed.pose(record.id), out);
        }
    }
}
