//! The path an impact follows through the impulse plane.

use serde::Serialize;

/// Phase of an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// `v_n < 0`: the bodies still approach.
    Compression,
    /// `v_n >= 0` until the law ends the impact.
    Restitution,
}

/// What the contact point does along one segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Mode {
    /// `v_t > 0`
    #[serde(rename = "slip+")]
    SlipForward,
    /// `v_t < 0`
    #[serde(rename = "slip-")]
    SlipBackward,
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
            Self::Stick => "stick",
        }
    }

    /// The slip of sign `sigma`.
    #[inline]
    pub(super) fn slip(sigma: f64) -> Self {
        if sigma > 0.0 {
            Self::SlipForward
        } else {
            Self::SlipBackward
        }
    }
}

/// A corner of the path. Phase and mode are those of the segment that starts here; the last
/// corner repeats those of the segment that ends there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PathPoint {
    /// Normal impulse so far (N·s).
    pub p_n: f64,
    /// Tangent impulse so far (N·s).
    pub p_t: f64,
    /// Normal velocity (m/s).
    pub v_n: f64,
    /// Tangent velocity (m/s).
    pub v_t: f64,
    /// Phase from here on.
    pub phase: Phase,
    /// Mode from here on.
    pub mode: Mode,
}

/// The corners of a path: none, or a start followed by at most three segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    points: [PathPoint; 4],
    len: usize,
}

impl Path {
    const ORIGIN: PathPoint = PathPoint {
        p_n: 0.0,
        p_t: 0.0,
        v_n: 0.0,
        v_t: 0.0,
        phase: Phase::Compression,
        mode: Mode::Stick,
    };

    /// No path: no impact, or a law that compares totals only.
    pub const NONE: Self = Self {
        points: [Self::ORIGIN; 4],
        len: 0,
    };

    /// Appends a corner; a fifth one is never reached (start, halt, compression, end).
    #[inline]
    pub(super) fn push(&mut self, point: PathPoint) {
        if let Some(slot) = self.points.get_mut(self.len) {
            *slot = point;
            self.len += 1;
        }
    }
}

impl std::ops::Deref for Path {
    type Target = [PathPoint];

    fn deref(&self) -> &[PathPoint] {
        &self.points[..self.len]
    }
}
