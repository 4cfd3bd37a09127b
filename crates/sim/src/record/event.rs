//! One event of a run, in the words of the files.

use carom_contact::impact::{ContactResult, Determinacy, ImpactProblem, Law, Method, Note};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::PerJoint;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// Bodies collided.
    Impact,
    /// The user's own event.
    User,
}

impl EventKind {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::User => "user",
        }
    }
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its number, from 1.
    pub index: usize,
    /// When (s).
    pub time: f64,
    /// What happened.
    pub kind: EventKind,
    /// What each contact did, as in an impact result.
    pub contacts: Vec<ContactResult>,
    /// Law of the impact; none for the user's own events.
    pub law: Option<Law>,
    /// How several contacts are treated.
    pub method: Option<Method>,
    /// Change of the kinetic energy (J), work of prescribed motions included.
    pub energy_change: Option<f64>,
    /// Energy, kinetic and potential, just before (J).
    pub energy_before: Option<f64>,
    /// Coordinates of every joint.
    pub coordinates: PerJoint,
    /// Rates before.
    pub rates_before: PerJoint,
    /// Rates after; null when the impact has no end.
    pub rates_after: Option<PerJoint>,
    /// Reaction impulse of every joint.
    pub joint_impulses: IndexMap<String, JointImpulseRecord>,
    /// What each contact of the event does afterwards: `open`, or `closed` where it stays.
    pub modes_after: IndexMap<String, String>,
    /// Remarks.
    pub notes: Vec<Note>,
    /// What the collision determines, of several contacts at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub determinacy: Option<Determinacy>,
    /// The problem that was solved, to be solved again.
    #[serde(skip)]
    pub problem: Option<ImpactProblem>,
}

/// Reaction impulse of a joint on its child, at the joint, in world axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointImpulseRecord {
    /// Impulse (N·s).
    pub force: Vec<f64>,
    /// Its moment about the joint (N·m·s).
    pub moment: f64,
    /// Whether it is determined.
    pub unique: bool,
}
