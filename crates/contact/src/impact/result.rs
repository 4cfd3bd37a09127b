//! The answer in generalised coordinates, in the shape files and programs read.

use serde::{Deserialize, Serialize};

use super::spatial::SpatialFacts;
use super::{Law, Method, Note, Tangential};
use crate::impact::{ContactType, Mode, Outcome, Phase};

/// Result of one impact by one law. Values that do not exist (a jam, a missing tangent) are `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImpactResult {
    /// The law.
    pub law: Law,
    /// The method.
    pub method: Method,
    /// What became of it.
    pub outcome: Outcome,
    /// Generalised velocity after the impact. Empty for a problem stated in contact space, which has no
    /// coordinates; files then leave it out.
    #[serde(default = "no_coordinates", skip_serializing_if = "has_no_coordinates")]
    pub velocity: Option<Vec<f64>>,
    /// Change of kinetic energy (J): the works of the contacts and of constraints that move.
    pub energy_change: Option<f64>,
    /// One entry per contact.
    pub contacts: Vec<ContactResult>,
    /// One entry per constraint.
    pub constraints: Vec<ConstraintResult>,
    /// What the collision determines.
    pub determinacy: Determinacy,
    /// How well the balances close.
    pub residuals: Residuals,
    /// Remarks.
    pub notes: Vec<Note>,
    /// Where velocities are not unique, the outcomes known, each of this shape; the result itself has
    /// the numbers of the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<ImpactResult>,
}

/// A normal and a tangent value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Along the normal.
    pub normal: Option<f64>,
    /// Along the tangent; in space along t1 and t2.
    pub tangent: Option<Tangential>,
}

/// What happened at one contact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactResult {
    /// Its name.
    pub name: String,
    /// Type of contact.
    #[serde(rename = "type")]
    pub contact_type: ContactType,
    /// `v_t⁻ = 0`.
    pub started_at_rest: bool,
    /// Impulse on A (N·s).
    pub impulse: Pair,
    /// Relative velocity before (m/s).
    pub velocity_before: Pair,
    /// Relative velocity after (m/s).
    pub velocity_after: Pair,
    /// Works of the normal and of the friction impulse (J); in space of its parts along t1 and t2.
    pub work: Pair,
    /// The path through the impulse plane; of several contacts the ends of Poisson's phases.
    pub path: Vec<PathCorner>,
    /// Of one contact in space with friction: its thresholds and invariant directions.
    #[serde(flatten)]
    pub spatial: Option<SpatialFacts>,
}

/// A corner of the path; phase and mode of the segment that starts there (the last corner repeats
/// those of the segment that ends there).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PathCorner {
    /// Normal impulse so far (N·s).
    pub p_n: f64,
    /// Tangent impulse so far (N·s).
    pub p_t: Tangential,
    /// Normal velocity (m/s).
    pub v_n: f64,
    /// Tangent velocity (m/s), where there is a tangent.
    pub v_t: Option<Tangential>,
    /// Phase.
    pub phase: Phase,
    /// Mode, where there is a tangent; in space along the direction of the impact, and none without
    /// friction.
    pub mode: Option<Mode>,
}

/// Impulses of one bilateral constraint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstraintResult {
    /// Its name.
    pub name: String,
    /// One impulse per row, least norm where not unique.
    pub impulse: Option<Vec<f64>>,
    /// Whether each is determined.
    pub unique: Vec<bool>,
    /// Work of a constraint that moves, `λ · G q̇` (J); zero for one at rest.
    pub work: Option<f64>,
}

/// What the collision determines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Determinacy {
    /// Rank of `W = J M⁻¹ Jᵀ` over the contact rows (normal, then tangents); of several contacts
    /// over the normal rows.
    pub rank: usize,
    /// Orthonormal basis of the impulses that move nothing.
    pub null_space: Vec<Vec<f64>>,
    /// Whether the velocities after are unique.
    pub velocity_unique: bool,
    /// Per contact, whether its impulse is unique.
    pub impulses_unique: Vec<bool>,
    /// How far Newton's linear law contradicts the null space, `|Nᵀ(v⁻ + K v⁻)|` with K at
    /// approaching contacts, for the method `linear` at all (m/s); 0 for one contact.
    pub compatibility_residual: f64,
    /// Condition number of `W`; `None` when singular.
    pub condition: Option<f64>,
}

/// Residuals of the balances, relative to their largest terms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Residuals {
    /// `M Δq̇ = Jᵀp + Gᵀλ`, and `Δv = W p`.
    pub momentum: Option<f64>,
    /// `ΔT = W_n + W_t = vᵀp + ½pᵀWp`, and against `½q̇ᵀMq̇`.
    pub energy: Option<f64>,
    /// How far the impulse leaves the friction cone on its worst segment, over `p_n`; of several
    /// contacts how far they miss complementarity, `|min(p, slack)|`.
    pub cone: Option<f64>,
}

impl Residuals {
    /// Where there is no end to balance.
    pub(super) const NONE: Self = Self {
        momentum: None,
        energy: None,
        cone: None,
    };
}

/// The velocity of a problem without coordinates, which files leave out.
fn no_coordinates() -> Option<Vec<f64>> {
    Some(Vec::new())
}

fn has_no_coordinates(velocity: &Option<Vec<f64>>) -> bool {
    velocity.as_ref().is_some_and(Vec::is_empty)
}
