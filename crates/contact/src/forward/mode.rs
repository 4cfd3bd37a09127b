//! What a friction element does at the instant.

use serde::{Deserialize, Serialize};

/// Mode of a friction element in one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// It moves, and friction opposes the motion.
    #[serde(rename = "slide")]
    Slide,
    /// At rest, and stays: no acceleration, `|f| <= μ_s |N|`.
    #[serde(rename = "stick")]
    Stick,
    /// At rest, starts forward: acceleration `> 0`.
    #[serde(rename = "onset+")]
    OnsetForward,
    /// At rest, starts backward: acceleration `< 0`.
    #[serde(rename = "onset-")]
    OnsetBackward,
    /// A contact of space at rest starts to slip along its acceleration.
    #[serde(rename = "onset")]
    Onset,
    /// The contact opens: no force, normal acceleration `>= 0`.
    #[serde(rename = "lift-off")]
    LiftOff,
}

impl Mode {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slide => "slide",
            Self::Stick => "stick",
            Self::OnsetForward => "onset+",
            Self::OnsetBackward => "onset-",
            Self::Onset => "onset",
            Self::LiftOff => "lift-off",
        }
    }

    /// Where modes meet in one answer the lower is named: rest before motion, touch before opening.
    pub(super) fn rank(self) -> usize {
        match self {
            Self::Stick => 0,
            Self::Slide | Self::OnsetForward | Self::OnsetBackward | Self::Onset => 1,
            Self::LiftOff => 2,
        }
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
