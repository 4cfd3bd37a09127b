//! What friction can do at a contact in space, whatever its velocity.

use serde::{Deserialize, Serialize};

use super::invariant::{InvariantDirection, invariant_directions};
use crate::contact_space::{Friction, SpatialDelassus};

/// Thresholds and invariant directions of a contact in space: of W and friction, not of the velocities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpatialFacts {
    /// `μ_stick = |W_tt⁺ W_tn|`: a contact at rest stays at rest when its static friction is at least this.
    pub stick_threshold: f64,
    /// `μ_P = W_nn/|W_tn|`: beyond it pressing makes the bodies approach along some slip; none without
    /// coupling.
    pub jam_threshold: Option<f64>,
    /// The directions in which slip does not turn: two or four, or none listed where every one is.
    pub invariant_directions: Vec<InvariantDirection>,
    /// Every direction is invariant: slip never turns (a sphere).
    pub every_direction: bool,
}

impl SpatialFacts {
    /// Of a contact.
    pub fn of(w: &SpatialDelassus, friction: Friction) -> Self {
        let directions = invariant_directions(w, friction.mu_d());
        Self {
            stick_threshold: w.stick_threshold(),
            jam_threshold: Some(w.jam_threshold()).filter(|mu| mu.is_finite()),
            invariant_directions: directions.iter().copied().collect(),
            every_direction: directions.every,
        }
    }
}
