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
    /// As `Slide`, and it pivots about its normal.
    SlidePivot(Pivot),
    /// As `Stick`, and it pivots about its normal.
    StickPivot(Pivot),
}

/// How a contact with a spin radius pivots about its normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pivot {
    /// `ω_n > 0`, torque `−μ r λ_n`.
    Forward,
    /// `ω_n < 0`, torque `μ r λ_n`.
    Backward,
    /// Without a torque: it stands for impacts up to their limit, and these have none.
    Free,
}

impl Pivot {
    /// The sense of a rate; none at rest.
    pub(crate) fn of(rate: f64) -> Option<Self> {
        match rate {
            rate if rate > 0.0 => Some(Self::Forward),
            rate if rate < 0.0 => Some(Self::Backward),
            _ => None,
        }
    }

    /// Sign of the rate; zero where it does not matter.
    pub fn sense(self) -> f64 {
        match self {
            Self::Forward => 1.0,
            Self::Backward => -1.0,
            Self::Free => 0.0,
        }
    }
}

impl ContactMode {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::SlideForward => "slide+",
            Self::SlideBackward => "slide-",
            Self::Slide | Self::SlidePivot(Pivot::Free) => "slide",
            Self::Stick | Self::StickPivot(Pivot::Free) => "stick",
            Self::Closed => "closed",
            Self::SlidePivot(Pivot::Forward) => "slide pivot+",
            Self::SlidePivot(Pivot::Backward) => "slide pivot-",
            Self::StickPivot(Pivot::Forward) => "stick pivot+",
            Self::StickPivot(Pivot::Backward) => "stick pivot-",
        }
    }

    /// The same pivoting, or not; a contact that neither slides nor sticks in space does not.
    pub fn with_pivot(self, pivot: Option<Pivot>) -> Self {
        match (self.without_pivot(), pivot) {
            (Self::Slide, Some(pivot)) => Self::SlidePivot(pivot),
            (Self::Stick, Some(pivot)) => Self::StickPivot(pivot),
            (mode, _) => mode,
        }
    }

    /// What the contact does along its surface.
    pub fn without_pivot(self) -> Self {
        match self {
            Self::SlidePivot(_) => Self::Slide,
            Self::StickPivot(_) => Self::Stick,
            mode => mode,
        }
    }

    /// How it pivots about its normal; none where it is held, or nothing resists it.
    pub fn pivot(self) -> Option<Pivot> {
        match self {
            Self::SlidePivot(pivot) | Self::StickPivot(pivot) => Some(pivot),
            _ => None,
        }
    }

    /// Sign of its pivoting; zero where there is none, or none that matters.
    pub(crate) fn pivot_sense(self) -> f64 {
        self.pivot().map_or(0.0, Pivot::sense)
    }

    /// Whether it sticks along its surface.
    pub fn is_sticking(self) -> bool {
        self.without_pivot() == Self::Stick
    }

    /// Whether it slides in space, where its slip may turn.
    pub fn is_sliding_in_space(self) -> bool {
        self.without_pivot() == Self::Slide
    }

    /// Whether friction does work in it.
    pub(crate) fn rubs(self) -> bool {
        self.is_sliding() || self.pivot_sense() != 0.0
    }

    /// Sign of the slip in the plane; zero where there is none, or none that matters.
    pub fn sense(self) -> f64 {
        match self {
            Self::SlideForward => 1.0,
            Self::SlideBackward => -1.0,
            _ => 0.0,
        }
    }

    /// The way a contact in this mode slips: in space along its velocity.
    pub(crate) fn way(self) -> Way {
        match self.without_pivot() {
            Self::Slide => Way::Turning,
            mode => Way::Fixed([mode.sense(), 0.0]),
        }
    }

    /// Whether the contact slides with friction.
    pub fn is_sliding(self) -> bool {
        matches!(
            self.without_pivot(),
            Self::SlideForward | Self::SlideBackward | Self::Slide
        )
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
