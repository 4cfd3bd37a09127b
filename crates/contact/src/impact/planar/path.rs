//! The path an impact follows through the impulse plane.

use serde::Serialize;

use super::closed_form::{Halt, Segment};
use super::solution::{Compression, ImpactEnd};
use crate::contact_space::PlanarVector;
use crate::impact::{Mode, Phase};

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

/// The straight pieces of a path, before corners are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Track {
    pub(super) v_pre: PlanarVector,
    pub(super) first: Segment,
    pub(super) halt: Option<Halt>,
}

impl Track {
    /// The corners, in order of normal impulse: start, halt, greatest compression, end.
    pub(super) fn path(&self, compression: Option<Compression>, end: Option<ImpactEnd>) -> Path {
        let v = self.v_pre;
        let mut path = Path::NONE;
        let mut mode = match &self.halt {
            Some(halt) if v.t == 0.0 => halt.mode_after(),
            _ => Mode::slip(v.t),
        };
        path.push(corner(0.0, 0.0, v, Phase::Compression, mode));
        let inner = self.halt.filter(|_| v.t != 0.0);
        let at_halt = |halt: &Halt, phase| {
            let v_halt = PlanarVector {
                n: halt.v_n,
                t: 0.0,
            };
            corner(
                halt.p_n,
                self.first.friction * halt.p_n,
                v_halt,
                phase,
                halt.mode_after(),
            )
        };
        if let Some(halt) = inner.filter(|halt| halt.is_in_compression) {
            mode = halt.mode_after();
            path.push(at_halt(&halt, Phase::Compression));
        }
        // A halt exactly at greatest compression is one corner, and so is an end there.
        let is_tie = inner.is_some_and(|halt| !halt.is_in_compression && halt.v_n == 0.0);
        let p_c = compression.map(|c| c.p_n);
        let ends_there = p_c.is_some() && end.map(|end| end.impulse.n) == p_c;
        if let Some(p_c) = p_c.filter(|_| !is_tie && !ends_there) {
            let (p_t, v_t) = self.at_compression(p_c);
            let v_c = PlanarVector { n: 0.0, t: v_t };
            path.push(corner(p_c, p_t, v_c, Phase::Restitution, mode));
        }
        if let Some(halt) = inner.filter(|halt| !halt.is_in_compression) {
            mode = halt.mode_after();
            path.push(at_halt(&halt, Phase::Restitution));
        }
        if let Some(end) = end {
            let phase = if ends_there {
                Phase::Compression
            } else {
                Phase::Restitution
            };
            path.push(corner(
                end.impulse.n,
                end.impulse.t,
                end.v_post,
                phase,
                mode,
            ));
        }
        path
    }

    /// Tangent impulse and velocity at greatest compression.
    fn at_compression(&self, p_c: f64) -> (f64, f64) {
        match self.halt {
            Some(halt) if halt.is_in_compression => {
                let after = p_c - halt.p_n;
                let p_t = self.first.friction * halt.p_n + halt.then.friction * after;
                (p_t, halt.then.v_t * after)
            }
            _ => (
                self.first.friction * p_c,
                self.v_pre.t + self.first.v_t * p_c,
            ),
        }
    }
}

impl Halt {
    fn mode_after(&self) -> Mode {
        if self.then.is_stuck() {
            Mode::Stick
        } else {
            Mode::slip(self.then.sigma)
        }
    }
}

fn corner(p_n: f64, p_t: f64, v: PlanarVector, phase: Phase, mode: Mode) -> PathPoint {
    // Adding zero turns −0 into 0.
    PathPoint {
        p_n,
        p_t: p_t + 0.0,
        v_n: v.n + 0.0,
        v_t: v.t + 0.0,
        phase,
        mode,
    }
}
