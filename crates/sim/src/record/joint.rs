//! What joints carry in an impact.

use carom_multibody::mechanism::{Dimension, JointForce};
use serde::{Deserialize, Serialize};

use super::Moment;

/// Reaction impulse of a joint on its child, at the joint, in world axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointImpulseRecord {
    /// Impulse (N·s).
    pub force: Vec<f64>,
    /// Its moment about the joint (N·m·s): one number in the plane, three in space.
    pub moment: Moment,
    /// Whether all of it is determined.
    pub unique: bool,
    /// Where some of it is not: whether each component is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique_components: Option<UniqueComponents>,
}

/// Whether each component of a joint impulse is the same in all answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UniqueComponents {
    /// Of the impulse.
    pub force: Vec<bool>,
    /// Of its moment.
    pub moment: Moment<bool>,
}

impl JointImpulseRecord {
    pub(crate) fn of(force: &JointForce, dimension: Dimension) -> Self {
        let [a, b, c, d, e, f] = force.unique;
        let moment = match dimension {
            Dimension::Plane => Moment::Plane(f),
            Dimension::Space => Moment::Space([d, e, f]),
        };
        let components = UniqueComponents {
            force: [a, b, c][..dimension.axes()].to_vec(),
            moment,
        };
        Self {
            force: force.force[..dimension.axes()].to_vec(),
            moment: Moment::of(force.moment, dimension),
            unique: components.all(),
            unique_components: Some(components).filter(|unique| !unique.all()),
        }
    }

    /// Whether a component of the impulse is determined.
    pub fn is_force_unique(&self, k: usize) -> bool {
        let told = self.unique_components.as_ref();
        told.map_or(self.unique, |unique| unique.force.get(k) == Some(&true))
    }

    /// Whether a component of its moment is determined.
    pub fn is_moment_unique(&self, k: usize) -> bool {
        let told = self.unique_components.as_ref();
        told.map_or(self.unique, |unique| {
            unique.moment.components().get(k) == Some(&true)
        })
    }
}

impl UniqueComponents {
    fn all(&self) -> bool {
        let moments = self.moment.components().iter();
        self.force.iter().chain(moments).all(|is_unique| *is_unique)
    }
}
