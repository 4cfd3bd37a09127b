//! Phases and modes: words shared by plane and space.

use serde::{Deserialize, Serialize};

/// Phase of an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// `v_n < 0`: the bodies still approach.
    Compression,
    /// `v_n >= 0` until the law ends the impact.
    Restitution,
}

/// What the contact point does along one segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// `v_t > 0`
    #[serde(rename = "slip+")]
    SlipForward,
    /// `v_t < 0`
    #[serde(rename = "slip-")]
    SlipBackward,
    /// `v_t ≠ 0` along a direction of space that turns.
    #[serde(rename = "slip")]
    Slip,
    /// `v_t = 0` and the cone holds it.
    #[serde(rename = "stick")]
    Stick,
}

impl Mode {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::SlipForward => "slip+",
            Self::SlipBackward => "slip-",
            Self::Slip => "slip",
            Self::Stick => "stick",
        }
    }

    /// The slip of sign `sigma`.
    #[inline]
    pub(crate) fn slip(sigma: f64) -> Self {
        if sigma > 0.0 {
            Self::SlipForward
        } else {
            Self::SlipBackward
        }
    }
}
