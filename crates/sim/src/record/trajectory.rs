//! The sampled motion, column by column.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Moment;

/// Columns over time: `column[k]` belongs to `time[k]`.
///
/// A sample at the very instant of an event is the state before it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trajectory {
    /// The instants (s): evenly spaced, or those of the events, each twice.
    pub time: Vec<f64>,
    /// Per joint, one column per coordinate (m or rad).
    pub coordinates: IndexMap<String, Vec<Vec<f64>>>,
    /// Per joint, one column per rate (m/s or rad/s).
    pub rates: IndexMap<String, Vec<Vec<f64>>>,
    /// Kinetic energy (J).
    pub kinetic: Vec<f64>,
    /// Potential energy, gravity and springs (J).
    pub potential: Vec<f64>,
    /// Per joint, its reaction on the child.
    pub reactions: IndexMap<String, ReactionSeries>,
    /// Per contact, its gap.
    pub gaps: IndexMap<String, Vec<f64>>,
    /// The unit of each gap: `m`, or `rad` at a stop of an angle.
    pub gap_units: IndexMap<String, String>,
    /// Per contact that is closed at some sample, what it does: `open`, `slide+`, `slide-`, `slide` in
    /// space, `stick`, or `closed` where it has no friction; `slide pivot+`, `stick pivot-` … where it pivots about
    /// its normal against a torque.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub modes: IndexMap<String, Vec<String>>,
    /// Per contact that is closed at some sample, its force; zero while it is open.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub contact_forces: IndexMap<String, ForceSeries>,
    /// The contacts whose force is one choice of several at some sample.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_forces: Vec<String>,
    /// Those of them whose share decides the motion: they slide different ways, and share as equally stiff
    /// contacts do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen_forces: Vec<String>,
    /// Per body, columns x (m), y (m), angle (rad) of its frame; in space x, y, z (m) and the unit
    /// quaternion qw, qx, qy, qz.
    pub poses: IndexMap<String, Vec<Vec<f64>>>,
}

/// Force of a contact on its first body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ForceSeries {
    /// Along the normal (N); of forces that are not unique, those that leave the most room within the laws.
    pub normal: Vec<f64>,
    /// Along the tangent of the plane, or t1 of space (N).
    pub tangent: Vec<f64>,
    /// Along t2 of space (N).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_tangent: Vec<f64>,
    /// Torque about the normal against pivoting (N·m), of contacts with a spin radius.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spin: Vec<f64>,
}

/// Reaction of a joint on its child, at the joint, in world axes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ReactionSeries {
    /// One column per axis (N).
    pub force: Vec<Vec<f64>>,
    /// Moment about the joint (N·m): one column in the plane, three in space.
    pub moment: Moment<Vec<f64>>,
}
