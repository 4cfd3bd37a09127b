//! The answer: contact type, path, impulses, velocities, works, residuals.

use super::path::{Path, Track};
use crate::contact_space::PlanarVector;
use crate::impact::{ContactType, Law, Outcome};

/// Greatest compression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compression {
    /// Normal impulse `p_c` (N·s).
    pub p_n: f64,
    /// Normal work of compression `W_c <= 0` (J).
    pub work: f64,
}

/// The end of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactEnd {
    /// Total impulse on A (N·s).
    pub impulse: PlanarVector,
    /// Relative velocity after (m/s).
    pub v_post: PlanarVector,
    /// Work of the normal and of the friction impulse (J).
    pub work: PlanarVector,
    /// Change of kinetic energy `W_n + W_t` (J).
    pub energy_change: f64,
    /// `|v⁺ − v⁻ − W p|` over its largest term.
    pub momentum_residual: f64,
    /// `|W_n + W_t − vᵀp − ½pᵀWp|` over its largest term.
    pub energy_residual: f64,
    /// Largest term of that balance, `v_n p_n, v_t p_t, ½W_nn p_n², W_nt p_n p_t, ½W_tt p_t²` (J).
    pub energy_scale: f64,
}

/// What a reader should be told beside the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Findings {
    /// `v_n⁻ = 0` with a jam slope: solved as an impact, and no impact is consistent too.
    pub without_collision: bool,
    /// `a − μσc <= 0` at the start: pressing makes the bodies approach faster.
    pub jam_slope: bool,
    /// `μ_d < μ_c <= μ_s` and slip halted: stick was chosen, reverse slip is consistent too. Of a law that
    /// compares totals: another mode is consistent beside the one chosen.
    pub reverse_also_consistent: bool,
    /// The kinetic energy grows, beyond round-off.
    pub energy_gain: bool,
    /// `W_tt = 0`: the tangent impulse moves nothing; with `v_t = 0` it is reported as 0.
    pub tangent_impulse_undetermined: bool,
    /// A sliding assumed throughout ends against the slip it started with.
    pub slip_contradicted: bool,
    /// The contact grips: tangential restitution gives its slip back, and there is no path.
    pub grips: bool,
    /// Friction does not hold the impulse that tangential restitution asks for, or none meets both ratios: the
    /// contact goes on as without it.
    pub cannot_grip: bool,
}

impl Findings {
    /// Whether another end is consistent beside the one given.
    pub fn another_is_consistent(&self) -> bool {
        self.reverse_also_consistent || self.without_collision
    }
}

/// Everything about one solved planar impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarSolution {
    /// The law that ended it.
    pub law: Law,
    /// Solved, no impact, jammed or infeasible.
    pub outcome: Outcome,
    /// Type of contact.
    pub contact_type: ContactType,
    /// `v_t⁻ = 0`.
    pub started_at_rest: bool,
    /// Greatest compression, where the law knows it and it is reached.
    pub compression: Option<Compression>,
    /// The end; absent when jammed or infeasible.
    pub end: Option<ImpactEnd>,
    /// Remarks.
    pub findings: Findings,
    /// What the path is drawn from.
    pub(super) track: Option<Track>,
}

impl PlanarSolution {
    /// The path through the impulse plane: no corner without an impact, for a law that compares
    /// totals only or where the contact grips; a jammed path ends where it is last known.
    pub fn path(&self) -> Path {
        self.track
            .map_or(Path::NONE, |track| track.path(self.compression, self.end))
    }
}
