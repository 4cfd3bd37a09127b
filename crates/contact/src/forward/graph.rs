//! One coordinate as a picture: force against acceleration, and how many answers each force has.
//!
//! Reference: `Dupont1992`.

use serde::{Deserialize, Serialize};

use super::error::ForwardInputError;
use super::mode::Mode;
use super::scalar::{ScalarAnswer, ScalarFriction};

/// A point of the graph: acceleration to the right, force upward.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GraphPoint {
    /// q̈.
    pub acceleration: f64,
    /// τ.
    pub force: f64,
}

/// Half a V: where the load has one sign and the velocity the other or the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GraphBranch {
    /// Sign of the velocity: 1 the upper V, −1 the lower.
    pub velocity: i8,
    /// Sign of the load.
    pub load: i8,
    /// `dτ/dq̈`: the inertia felt.
    pub slope: f64,
    /// The two ends within the window.
    pub ends: [GraphPoint; 2],
}

/// An answer at the force asked about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GraphAnswer {
    /// Sign of the velocity: 1, 0 or −1.
    pub velocity: i8,
    /// q̈.
    pub acceleration: f64,
    /// N.
    pub normal_load: f64,
    /// What the element does.
    pub mode: Mode,
}

/// Where a slowing answer goes when its velocity reaches zero.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transition {
    /// Sign of the velocity before.
    pub velocity: i8,
    /// q̈ before.
    pub from: f64,
    /// q̈ after, one of the answers at rest.
    pub to: f64,
    /// What the element does after.
    pub mode: Mode,
}

/// Force against acceleration for one coordinate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScalarGraph {
    /// The force asked about.
    pub force: f64,
    /// Both Vs, cut to the window.
    pub branches: Vec<GraphBranch>,
    /// Forces at q̈ = 0 that hold the system at rest, least and greatest.
    pub static_band: Vec<f64>,
    /// q̈ at which the load vanishes at the force asked about; `None`: it never does.
    pub zero_load: Option<f64>,
    /// Where the Vs turn.
    pub vertex: Option<GraphPoint>,
    /// Every answer at this force, for each velocity.
    pub answers: Vec<GraphAnswer>,
    /// What follows when a slowing velocity reaches zero.
    pub transitions: Vec<Transition>,
}

const VELOCITIES: [i8; 3] = [1, 0, -1];

impl ScalarFriction {
    /// The graph over the accelerations from `low` to `high`, with the answers at the force `tau`.
    pub fn graph(&self, tau: f64, low: f64, high: f64) -> Result<ScalarGraph, ForwardInputError> {
        if !(low < high && low.is_finite() && high.is_finite() && tau.is_finite()) {
            return Err(ForwardInputError::NotDrawn {
                what: "the graph of force against acceleration",
                needs: "a finite force and a window of accelerations from low to high",
            });
        }
        let mut answers = Vec::new();
        for velocity in VELOCITIES {
            let found = self.answers(tau, f64::from(velocity));
            answers.extend(found.iter().map(|answer| graph_answer(velocity, answer)));
        }
        Ok(ScalarGraph {
            force: tau,
            branches: self.branches(low, high),
            static_band: self.static_band(),
            zero_load: (self.c != 0.0).then(|| -(self.d + self.d_force * tau) / self.c),
            vertex: self.vertex_force().map(|force| GraphPoint {
                acceleration: (force - self.b) / self.a,
                force,
            }),
            transitions: transitions(&answers),
            answers,
        })
    }

    /// Force on the branch of `κ = s ε` at an acceleration; `None` where the branch has no force.
    fn force_at(&self, kappa: f64, x: f64) -> Option<f64> {
        let mu = kappa * self.friction.mu_d;
        let slope = 1.0 - mu * self.d_force;
        (slope != 0.0).then(|| (self.a * x + self.b + mu * (self.c * x + self.d)) / slope)
    }

    /// The Vs: each velocity and load sign where the load really has that sign.
    fn branches(&self, low: f64, high: f64) -> Vec<GraphBranch> {
        let mut branches = Vec::new();
        let corner = self.vertex_force().map(|force| (force - self.b) / self.a);
        let cut = corner.filter(|x| *x > low && *x < high);
        let spans = match cut {
            Some(x) => vec![(low, x), (x, high)],
            None => vec![(low, high)],
        };
        for (velocity, kappa) in [(1, 1.0), (1, -1.0), (-1, 1.0), (-1, -1.0)] {
            for &(from, to) in &spans {
                let middle = 0.5 * (from + to);
                let force = self.force_at(kappa, middle);
                let ends = (self.force_at(kappa, from), self.force_at(kappa, to));
                let (Some(force), (Some(start), Some(end))) = (force, ends) else {
                    continue;
                };
                let load = self.c * middle + self.d + self.d_force * force;
                if load * kappa * f64::from(velocity) < 0.0 {
                    continue;
                }
                let point = |acceleration, force| GraphPoint {
                    acceleration,
                    force,
                };
                branches.push(GraphBranch {
                    velocity,
                    load: if load < 0.0 { -1 } else { 1 },
                    slope: (end - start) / (to - from),
                    ends: [point(from, start), point(to, end)],
                });
            }
        }
        branches
    }

    /// How many answers each force has, for each velocity: rows at the breaks and between them.
    ///
    /// Breaks are the vertex force and the edges of the static bands: exact, not searched.
    pub fn count_diagram(&self) -> CountDiagram {
        let mut breaks: Vec<f64> = self.vertex_force().into_iter().collect();
        breaks.extend(self.band_edges(self.friction.mu_s));
        breaks.extend(self.band_edges(self.friction.mu_d));
        breaks.sort_by(f64::total_cmp);
        let size = breaks.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        breaks.dedup_by(|a, b| (*a - *b).abs() <= super::system::FACE * size);
        let row = |force: f64, at_break: bool| {
            let count = |v: f64| self.answers(force, v).count();
            CountRow {
                force,
                at_break,
                moving_plus: count(1.0),
                at_rest: count(0.0),
                moving_minus: count(-1.0),
            }
        };
        CountDiagram {
            rows: rows_around(&breaks, row),
            breaks,
        }
    }
}

/// Part of the breaks that rows outside are off them at least: any place beyond will do.
const BEYOND: f64 = 1e-3;

/// Rows before, at, between and after the breaks. Beyond the outermost breaks nothing changes any more, and any
/// place shows it: one unit off in the units given, more where that would be lost beside the breaks.
pub(super) fn rows_around<R>(breaks: &[f64], mut row: impl FnMut(f64, bool) -> R) -> Vec<R> {
    let (Some(first), Some(last)) = (breaks.first(), breaks.last()) else {
        return vec![row(0.0, false)];
    };
    let off = (BEYOND * first.abs().max(last.abs())).max(1.0);
    let mut rows = vec![row(first - off, false)];
    for (i, force) in breaks.iter().enumerate() {
        rows.push(row(*force, true));
        if let Some(next) = breaks.get(i + 1) {
            rows.push(row(0.5 * (force + next), false));
        }
    }
    rows.push(row(last + off, false));
    rows
}

/// Counts against the force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountDiagram {
    /// Forces at which a count may change.
    pub breaks: Vec<f64>,
    /// Counts before, at, between and after the breaks.
    pub rows: Vec<CountRow>,
}

/// Counts at one force; `None` is a continuum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CountRow {
    /// τ.
    pub force: f64,
    /// Whether it is one of the breaks.
    pub at_break: bool,
    /// Answers with `q̇ > 0`.
    pub moving_plus: Option<usize>,
    /// Answers at rest.
    pub at_rest: Option<usize>,
    /// Answers with `q̇ < 0`.
    pub moving_minus: Option<usize>,
}

fn graph_answer(velocity: i8, answer: &ScalarAnswer) -> GraphAnswer {
    GraphAnswer {
        velocity,
        acceleration: answer.acceleration,
        normal_load: answer.normal_load,
        mode: answer.mode,
    }
}

/// Every slowing answer with every answer at rest that does not turn it back.
fn transitions(answers: &[GraphAnswer]) -> Vec<Transition> {
    let mut found = Vec::new();
    let is_slowing = |a: &&GraphAnswer| f64::from(a.velocity) * a.acceleration < 0.0;
    for from in answers.iter().filter(is_slowing) {
        let is_onward = |to: &&GraphAnswer| {
            to.velocity == 0 && f64::from(from.velocity) * to.acceleration <= 0.0
        };
        for to in answers.iter().filter(is_onward) {
            found.push(Transition {
                velocity: from.velocity,
                from: from.acceleration,
                to: to.acceleration,
                mode: to.mode,
            });
        }
    }
    found
}
