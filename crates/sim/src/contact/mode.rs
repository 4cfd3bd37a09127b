//! What a contact does between events.

use super::way::Way;

/// What a contact does between events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactMode {
    /// Apart, or touching without a force.
    Open,
    /// Closed, `v_t > 0`, friction `−μ λ_n`.
    SlideForward,
    /// Closed, `v_t < 0`, friction `+μ λ_n`.
    SlideBackward,
    /// Closed in space, `v_t ≠ 0` or about to be, friction `−μ λ_n v_t/|v_t|`.
    Slide,
    /// Closed, `v_t = 0`, friction within its cone.
    Stick,
    /// Closed, without friction.
    Closed,
}

impl ContactMode {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::SlideForward => "slide+",
            Self::SlideBackward => "slide-",
            Self::Slide => "slide",
            Self::Stick => "stick",
            Self::Closed => "closed",
        }
    }

    /// Sign of the slip in the plane; zero where there is none, or none that matters.
    pub fn sense(self) -> f64 {
        match self {
            Self::SlideForward => 1.0,
            Self::SlideBackward => -1.0,
            Self::Open | Self::Slide | Self::Stick | Self::Closed => 0.0,
        }
    }

    /// The way a contact in this mode slips: in space along its velocity.
    pub(crate) fn way(self) -> Way {
        match self {
            Self::Slide => Way::Turning,
            mode => Way::Fixed([mode.sense(), 0.0]),
        }
    }

    /// Whether the contact slides with friction.
    pub fn is_sliding(self) -> bool {
        matches!(self, Self::SlideForward | Self::SlideBackward | Self::Slide)
    }

    /// Sliding in the plane, in the sense of a slip.
    pub(crate) fn sliding(slip: f64) -> Self {
        match slip > 0.0 {
            true => Self::SlideForward,
            false => Self::SlideBackward,
        }
    }
}

impl std::fmt::Display for ContactMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
