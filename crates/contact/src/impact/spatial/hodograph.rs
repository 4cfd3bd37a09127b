//! The path of slip as data: what a figure of an impact in space shows.

use serde::Serialize;

use super::facts::SpatialFacts;
use super::path::{PathEvent, SpatialPoint};
use super::problem::SpatialImpact;
use super::solution::SpatialSolution;
use super::solve::{solve, trace};
use crate::contact_space::GivenFriction;
use crate::impact::{Law, Outcome, PointImpactError};

/// Where a law ends an impact in space.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SpatialLawEnd {
    /// The law.
    pub law: Law,
    /// Normal impulse (N·s).
    pub p_n: f64,
    /// Tangent impulse (N·s).
    pub p_t: [f64; 2],
    /// Normal velocity (m/s).
    pub v_n: f64,
    /// Slip (m/s).
    pub v_t: [f64; 2],
}

/// An impact in space, drawn: the hodograph of its slip, its path through impulse space, its directions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hodograph {
    /// Velocity before, along n, t1, t2 (m/s).
    pub v_pre: [f64; 3],
    /// Static and kinetic friction.
    pub friction: GivenFriction,
    /// The points of the longest path: every event, and enough between for its curves.
    pub path: Vec<SpatialPoint>,
    /// The events of that path.
    pub events: Vec<PathEvent>,
    /// The ends, one per law that has one.
    pub ends: Vec<SpatialLawEnd>,
    /// The laws that do not end an impact here, with what became of them.
    pub unended: Vec<(Law, Outcome)>,
    /// Thresholds and invariant directions.
    #[serde(flatten)]
    pub facts: SpatialFacts,
}

/// Draws an impact by one or several laws.
///
/// The laws of Routh's path share it and differ in where they leave it: the longest is kept.
pub fn hodograph(impact: &SpatialImpact, laws: &[Law]) -> Result<Hodograph, PointImpactError> {
    let (v, friction) = (impact.v_pre(), impact.friction());
    let mut drawn = Hodograph {
        v_pre: [v.n, v.t[0], v.t[1]],
        friction: GivenFriction {
            mu_s: friction.mu_s(),
            mu_d: friction.mu_d(),
        },
        path: Vec::new(),
        events: Vec::new(),
        ends: Vec::new(),
        unended: Vec::new(),
        facts: SpatialFacts::of(&impact.w(), friction),
    };
    for law in laws {
        let solution = solve(impact, *law)?;
        drawn.add_end(&solution);
        let path = trace(impact, *law)?;
        if reach(&path) > reach(&drawn.path) {
            drawn.events = solution.events.iter().copied().collect();
            drawn.path = path;
        }
    }
    Ok(drawn)
}

fn reach(path: &[SpatialPoint]) -> f64 {
    path.last().map_or(-1.0, |point| point.p_n)
}

impl Hodograph {
    fn add_end(&mut self, s: &SpatialSolution) {
        match s.end.filter(|_| s.outcome == Outcome::Solved) {
            Some(end) => self.ends.push(SpatialLawEnd {
                law: s.law,
                p_n: end.impulse.n,
                p_t: end.impulse.t,
                v_n: end.v_post.n,
                v_t: end.v_post.t,
            }),
            None => self.unended.push((s.law, s.outcome)),
        }
    }
}
