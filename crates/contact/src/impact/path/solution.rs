//! The answer: impulses, velocities, works and corners of every contact.

use crate::contact_space::SpatialVector;
use crate::impact::{ContactType, Mode, Outcome, Phase};

/// A corner of the path of one contact; phase and mode of the segment that starts there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathPoint {
    /// Impulse so far (N·s).
    pub impulse: SpatialVector,
    /// Velocity (m/s).
    pub v: SpatialVector,
    /// Phase.
    pub phase: Phase,
    /// Mode, where there is friction.
    pub mode: Option<Mode>,
}

/// The first greatest compression of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathCompression {
    /// How often it was compressed.
    pub count: usize,
}

/// One contact at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct PathEnd {
    /// Impulse on A (N·s); in the plane along the first tangent.
    pub impulse: SpatialVector,
    /// Velocity after (m/s).
    pub v_post: SpatialVector,
    /// Works (J).
    pub work: SpatialVector,
    /// What its slip did.
    pub contact_type: ContactType,
    /// Its compressions.
    pub compression: PathCompression,
    /// Its path through the impulses.
    pub path: Vec<PathPoint>,
}

/// Everything about one path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathSolution {
    /// Solved, no impact, jammed, or infeasible where it has not ended.
    pub outcome: Outcome,
    /// The contacts at the end; where it has not ended, at the last moment followed.
    pub contacts: Vec<PathEnd>,
    /// Change of kinetic energy, the sum of the works (J).
    pub energy_change: f64,
    /// Largest term of the energy balance (J).
    pub energy_scale: f64,
    /// The kinetic energy grows, beyond round-off.
    pub energy_gain: bool,
    /// `|v⁺ − v⁻ − W p|` over its largest term: the worst row.
    pub momentum_residual: f64,
    /// `|Σ works − vᵀp − ½pᵀWp|` over its largest term.
    pub energy_residual: f64,
    /// How far a total impulse leaves its cone, over the normal one: the worst contact.
    pub cone_residual: f64,
    /// Changes of mode on the way.
    pub phases: usize,
    /// Where strikes do not die out in double precision: the part of its largest size below which an approach was
    /// left; 0 where nothing was.
    pub left: f64,
    /// Contacts that stick shared friction in more than one way.
    pub friction_shared: bool,
    /// A contact stuck by its static coefficient alone: slip was also consistent.
    pub slip_also_consistent: bool,
}
