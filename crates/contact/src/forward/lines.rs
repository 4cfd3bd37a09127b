//! Two coordinates as a picture: each constraint is a V in the plane of accelerations.
//!
//! Reference: `Dupont1992`, figure 1.

use serde::{Deserialize, Serialize};

use super::answers::answers;
use super::assemble::{Variation, assemble};
use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::ForwardProblem;
use super::system::{Branch, Choice, FACE, Place, System};

/// A straight part of a constraint, `point + t·direction`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// What the element does on it.
    pub mode: Mode,
    /// Sign of `f N`, `0` stuck.
    pub sign: char,
    /// A point of the line.
    pub point: [f64; 2],
    /// Its direction, of length one.
    pub direction: [f64; 2],
    /// Least and greatest t; `None` is unbounded.
    pub bounds: [Option<f64>; 2],
}

/// The constraint of one coordinate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstraintLine {
    /// Index of the coordinate.
    pub element: usize,
    /// Its parts: the arms of the V, at rest also the stuck segment.
    pub arms: Vec<Arm>,
}

/// Both constraints in the plane of accelerations; answers are where they meet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccelerationPlane {
    /// One per coordinate.
    pub constraints: Vec<ConstraintLine>,
    /// The isolated answers.
    pub intersections: Vec<[f64; 2]>,
    /// The answer without friction.
    pub frictionless: [f64; 2],
}

/// The constraints of a problem of two coordinates with friction and no contact.
pub fn acceleration_plane(
    problem: &ForwardProblem,
) -> Result<AccelerationPlane, ForwardInputError> {
    problem.check()?;
    if problem.friction.len() != 2 || !problem.contacts.is_empty() {
        return Err(ForwardInputError::NotDrawn {
            what: "the plane of accelerations",
            needs: "two coordinates with friction and no contact",
        });
    }
    let system = assemble(problem, Variation::NONE)?;
    let mut constraints = Vec::with_capacity(2);
    for element in &system.elements {
        let Place::Coordinate(i) = element.place else {
            continue;
        };
        let parts = element.choices.iter().flat_map(|choice| {
            let arm = |branch| arm(&system, choice, branch);
            choice.branches.iter().filter_map(arm).collect::<Vec<_>>()
        });
        let arms = parts.collect();
        constraints.push(ConstraintLine { element: i, arms });
    }
    constraints.sort_by_key(|line| line.element);
    let smooth = ForwardProblem {
        friction: vec![0.0.into(); 2],
        ..problem.clone()
    };
    let pair = |q: &Vec<f64>| [q[0], q[1]];
    let one = answers(&smooth)?.answers;
    Ok(AccelerationPlane {
        constraints,
        intersections: answers(problem)?
            .answers
            .iter()
            .map(|a| pair(&a.acceleration))
            .collect(),
        frictionless: one.first().map_or([0.0; 2], |a| pair(&a.acceleration)),
    })
}

/// The line of one choice, cut to where a branch of it holds; `None` where it nowhere does.
fn arm(system: &System, choice: &Choice, branch: &Branch) -> Option<Arm> {
    let row = &choice.rows[0];
    let raw = |g: &[f64]| -> [f64; 2] {
        let row = system.frame.over_accelerations(g);
        [row[0], row[1]]
    };
    let normal = raw(row);
    let length = normal[0].hypot(normal[1]);
    if !(length > 0.0) {
        return None;
    }
    let distance = row[2] / (length * length);
    let point = [normal[0] * distance, normal[1] * distance];
    let direction = [-normal[1] / length, normal[0] / length];
    let mut bounds = [None, None];
    for condition in &branch.conditions {
        let g = raw(&condition.g);
        let slope = g[0] * direction[0] + g[1] * direction[1];
        let slack = g[0] * point[0] + g[1] * point[1] + condition.h;
        let terms = (g[0] * point[0]).abs() + (g[1] * point[1]).abs() + condition.h.abs();
        if slope.abs() <= FACE * g[0].hypot(g[1]) {
            if slack < -FACE * terms {
                return None;
            }
            continue;
        }
        let end = -slack / slope;
        let side = usize::from(slope < 0.0);
        bounds[side] = Some(match bounds[side] {
            None => end,
            Some(other) if side == 0 => end.max(other),
            Some(other) => end.min(other),
        });
    }
    if matches!(bounds, [Some(low), Some(high)] if low > high) {
        return None;
    }
    Some(Arm {
        mode: branch.mode,
        sign: choice.symbol,
        point,
        direction,
        bounds,
    })
}
