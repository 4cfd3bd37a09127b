//! What became of an impact, and what its contact did: words shared by plane and space.

use serde::{Deserialize, Serialize};

/// What became of an impact problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Velocities are unique (impulses may not be).
    Solved,
    /// The bodies separate, or touch at rest: nothing happens.
    NoImpact,
    /// No finite impulse ends the impact.
    Jammed,
    /// Velocities are not unique (several contacts; one contact never is).
    Undetermined,
    /// The law has no solution.
    Infeasible,
}

impl Outcome {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::NoImpact => "no_impact",
            Self::Jammed => "jammed",
            Self::Undetermined => "undetermined",
            Self::Infeasible => "infeasible",
        }
    }
}

/// Type of contact during an impact, by what the slip does. With `p_h`, `p_p`, `p_f` the normal
/// impulses at which slip would halt, compression would end and the impact would end if it slid
/// throughout, and `μ_c = |W_nt|/W_tt`:
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactType {
    /// Slip never halts: `p_h >= p_f`, or it does not slow down.
    PermanentSliding,
    /// `p_h < p_p` (or a jam slope) and `μ_s >= μ_c`: slip halts in compression, then sticks.
    NonSlidingCompression,
    /// `p_p <= p_h < p_f` and `μ_s >= μ_c`: slip halts in restitution, then sticks.
    NonSlidingRestitution,
    /// `p_h < p_p` and `μ_s < μ_c`: slip halts in compression and reverses.
    ReverseCompression,
    /// `p_p <= p_h < p_f` and `μ_s < μ_c`: slip halts in restitution and reverses.
    ReverseRestitution,
    /// The contact has no tangent (said by [`super::solve`]; the plane always has one).
    Frictionless,
    /// `v_n⁻ > 0`, or `v_n⁻ = 0` without a jam slope.
    NoImpact,
}

impl ContactType {
    /// Every type.
    pub const ALL: [Self; 7] = [
        Self::PermanentSliding,
        Self::NonSlidingCompression,
        Self::NonSlidingRestitution,
        Self::ReverseCompression,
        Self::ReverseRestitution,
        Self::Frictionless,
        Self::NoImpact,
    ];

    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::PermanentSliding => "permanent_sliding",
            Self::NonSlidingCompression => "non_sliding_compression",
            Self::NonSlidingRestitution => "non_sliding_restitution",
            Self::ReverseCompression => "reverse_compression",
            Self::ReverseRestitution => "reverse_restitution",
            Self::Frictionless => "frictionless",
            Self::NoImpact => "no_impact",
        }
    }
}
