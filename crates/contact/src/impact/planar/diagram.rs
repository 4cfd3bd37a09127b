//! The impulse plane as data: the lines a reader of the theory expects, and the path.

use serde::Serialize;

use super::path::{Path, PathPoint};
use super::problem::PlanarImpact;
use super::solution::PlanarSolution;
use crate::impact::Law;
use crate::impact::Outcome;

/// A line `n p_n + t p_t + offset = 0` of the impulse plane.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Line {
    /// Factor of `p_n`.
    pub n: f64,
    /// Factor of `p_t`.
    pub t: f64,
    /// Constant term.
    pub offset: f64,
}

impl Line {
    /// `n p_n + t p_t + offset`: zero on the line.
    pub fn at(&self, p_n: f64, p_t: f64) -> f64 {
        self.n * p_n + self.t * p_t + self.offset
    }

    /// Whether this is a line at all: both factors zero leave no direction.
    fn exists(self) -> Option<Self> {
        (self.n != 0.0 || self.t != 0.0).then_some(self)
    }
}

/// Where a law ends the impact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EndLine {
    /// The law.
    pub law: Law,
    /// Newton, Moreau, Whittaker: `v_n = −e v_n⁻`. Poisson: `p_n = (1 + e) p_c`. Absent for the
    /// energetic law, whose condition depends on the path.
    pub line: Option<Line>,
    /// Normal and tangent impulse at the end (N·s).
    pub p_n: f64,
    /// See `p_n`.
    pub p_t: f64,
}

/// Routh's diagram of one impact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpulsePlane {
    /// Line of sticking, `v_t⁻ + W_nt p_n + W_tt p_t = 0`.
    pub sticking: Option<Line>,
    /// Line of maximum compression, `v_n⁻ + W_nn p_n + W_nt p_t = 0`.
    pub compression: Option<Line>,
    /// Slope `dp_t/dp_n = −μ_d σ` of the line of friction from the origin; absent at rest.
    pub friction_slope: Option<f64>,
    /// Slope of the line of reversed friction, drawn from the halt.
    pub reverse_slope: Option<f64>,
    /// Kinetic and static angle of friction, `atan μ` (rad).
    pub friction_angle: f64,
    /// See `friction_angle`.
    pub static_angle: f64,
    /// Angle of the line of sticking, `atan(|W_nt|/W_tt)` (rad): slip that halts sticks when the
    /// static angle of friction is at least this.
    pub sticking_angle: f64,
    /// The ends, one per law solved.
    pub ends: Vec<EndLine>,
    /// The laws that do not end an impact here, with what became of them.
    pub unended: Vec<(Law, Outcome)>,
    /// The corners of the longest path.
    pub path: Vec<PathPoint>,
}

/// Draws the impulse plane of an impact and of its solutions by one or several laws.
///
/// The laws of Routh's path share it and differ in where they leave it: the longest is kept.
pub fn impulse_plane(impact: &PlanarImpact, solutions: &[PlanarSolution]) -> ImpulsePlane {
    let (w, v, friction) = (impact.w(), impact.v_pre(), impact.friction());
    let sigma = (v.t != 0.0).then(|| v.t.signum());
    let compression = Line {
        n: w.nn(),
        t: w.nt(),
        offset: v.n,
    };
    let sticking = Line {
        n: w.nt(),
        t: w.tt(),
        offset: v.t,
    };
    let longest = solutions
        .iter()
        .map(PlanarSolution::path)
        .max_by(|a, b| reach(a).total_cmp(&reach(b)))
        .unwrap_or(Path::NONE);
    ImpulsePlane {
        sticking: sticking.exists(),
        compression: compression.exists(),
        friction_slope: sigma.map(|s| -s * friction.mu_d() + 0.0),
        reverse_slope: sigma.map(|s| s * friction.mu_d() + 0.0),
        friction_angle: friction.mu_d().atan(),
        static_angle: friction.mu_s().atan(),
        sticking_angle: w.stick_threshold().atan(),
        ends: solutions
            .iter()
            .filter_map(|s| end_line(impact, compression, s))
            .collect(),
        unended: solutions
            .iter()
            .filter(|s| s.outcome != Outcome::Solved)
            .map(|s| (s.law, s.outcome))
            .collect(),
        path: longest.to_vec(),
    }
}

fn reach(path: &[PathPoint]) -> f64 {
    path.last().map_or(-1.0, |point| point.p_n)
}

fn end_line(impact: &PlanarImpact, compression: Line, s: &PlanarSolution) -> Option<EndLine> {
    let end = s.end.filter(|_| s.outcome == Outcome::Solved)?;
    let line = match s.law {
        Law::Newton | Law::Moreau | Law::Whittaker => Some(Line {
            offset: (1.0 + impact.restitution()) * compression.offset,
            ..compression
        }),
        Law::Poisson => Some(Line {
            n: 1.0,
            t: 0.0,
            offset: -end.impulse.n,
        }),
        Law::Energetic => None,
    };
    Some(EndLine {
        law: s.law,
        line,
        p_n: end.impulse.n,
        p_t: end.impulse.t,
    })
}
