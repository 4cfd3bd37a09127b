//! The answer: contact type, events, impulses, velocities, works, residuals.

use super::path::Events;
use crate::contact_space::SpatialVector;
use crate::impact::{ContactType, Law, Outcome};

/// The compressions of an impact, one or two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialCompression {
    /// Normal impulse of all compressions `I_c` (N·s).
    pub p_n: f64,
    /// Normal work of all compressions `W_c <= 0` (J).
    pub work: f64,
    /// How many there are.
    pub count: usize,
}

/// Works at a contact in space (J).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpatialWork {
    /// Of the normal impulse.
    pub n: f64,
    /// Of the parts of the friction impulse along t1 and t2.
    pub t: [f64; 2],
}

/// The end of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialEnd {
    /// Total impulse on A (N·s).
    pub impulse: SpatialVector,
    /// Relative velocity after (m/s).
    pub v_post: SpatialVector,
    /// Works of the impulses (J).
    pub work: SpatialWork,
    /// Change of kinetic energy, the sum of the works (J).
    pub energy_change: f64,
    /// `|v⁺ − v⁻ − W p|` over its largest term, along the normal and across it.
    pub momentum_residual: f64,
    /// `|W_n + W_t − vᵀp − ½pᵀWp|` over its largest term.
    pub energy_residual: f64,
    /// `|p_t| − μ_s p_n` over its larger term, where positive.
    pub cone_residual: f64,
    /// Largest term of the energy balance (J).
    pub energy_scale: f64,
}

/// What a reader should be told beside the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpatialFindings {
    /// `v_n⁻ = 0` with `k < 0`: solved as an impact, and no impact is consistent too.
    pub without_collision: bool,
    /// `k = W_nn − μ W_nt·u <= 0` at the start: pressing makes the bodies approach faster.
    pub jam_slope: bool,
    /// `μ_d < μ_stick <= μ_s` and slip halted: stick was chosen, slip along the outgoing direction is
    /// consistent too. Of a law that compares totals: another mode is consistent beside the one chosen.
    pub slip_also_consistent: bool,
    /// The kinetic energy grows, beyond round-off.
    pub energy_gain: bool,
    /// Nothing moves the contact point along some tangent (λ1 = 0): while it sticks, an impulse there moves
    /// nothing and is reported as 0.
    pub tangent_impulse_undetermined: bool,
    /// The contact sticks with `v = 0` and σ = 0: the mechanism is arrested. No restitution acts; impulses
    /// are those at the halt, beyond it they move nothing.
    pub arrested: bool,
    /// A sliding assumed throughout ends against the slip it started with.
    pub slip_contradicted: bool,
    /// The contact grips: tangential restitution gives its slip back, and there is no path.
    pub grips: bool,
    /// Friction does not hold the impulse that tangential restitution asks for, or none meets both ratios: the
    /// contact goes on as without it.
    pub cannot_grip: bool,
}

impl SpatialFindings {
    /// Whether another end is consistent beside the one given.
    pub fn another_is_consistent(&self) -> bool {
        self.slip_also_consistent || self.without_collision
    }
}

/// Everything about one solved impact in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialSolution {
    /// The law that ended it.
    pub law: Law,
    /// Solved, no impact, jammed or infeasible.
    pub outcome: Outcome,
    /// Type of contact: reverse where slip halts and leaves again; a slip that swerves past zero slides.
    pub contact_type: ContactType,
    /// `v_t⁻ = 0`.
    pub started_at_rest: bool,
    /// The compressions, where the law knows them and the last is over.
    pub compression: Option<SpatialCompression>,
    /// The end; absent when jammed or infeasible.
    pub end: Option<SpatialEnd>,
    /// What happens on the way; none for a law that compares totals, and where the contact grips.
    pub events: Events,
    /// `μ_stick = |W_tt⁺ W_tn|`: least friction that holds a contact at rest.
    pub mu_stick: f64,
    /// `μ_P = W_nn/|W_tn|`: friction beyond which some slip jams; infinite without coupling.
    pub mu_jam: f64,
    /// Remarks.
    pub findings: SpatialFindings,
}
