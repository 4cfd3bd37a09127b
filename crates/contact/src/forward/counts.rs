//! How many answers a problem has along a line of forces.

use serde::{Deserialize, Serialize};

use super::assemble::{Variation, assemble};
use super::collect::{Keep, collect};
use super::continuum::{branchings, ends_along};
use super::enumerate::walk;
use super::error::ForwardInputError;
use super::graph::rows_around;
use super::problem::ForwardProblem;
use super::system::{Branch, FACE, System, clean};

/// Counts along `τ + t·direction`, contacts keeping what their motion gives them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineCounts {
    /// Values of t at which a piece begins or ends.
    pub breaks: Vec<f64>,
    /// Counts before, at, between and after the breaks.
    pub rows: Vec<LineCount>,
}

/// The count at one place; `None` is a continuum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LineCount {
    /// t.
    pub at: f64,
    /// Whether it is one of the breaks.
    pub at_break: bool,
    /// Number of answers.
    pub count: Option<usize>,
}

/// Counts the answers along a line of forces.
///
/// On each piece the unknowns are linear in t, so that its interval of validity is exact: the breaks
/// are the ends of these intervals.
pub fn count_along(
    problem: &ForwardProblem,
    direction: &[f64],
) -> Result<LineCounts, ForwardInputError> {
    if direction.len() != problem.coordinates() || !direction.iter().all(|x| x.is_finite()) {
        return Err(ForwardInputError::Length {
            path: "direction".to_owned(),
            found: direction.len(),
            expected: problem.coordinates(),
        });
    }
    let vary = Variation {
        direction,
        ..Variation::NONE
    };
    let system = assemble(problem, vary)?;
    let mut breaks = ends_of_pieces(&system);
    breaks.retain(|t| t.is_finite());
    breaks.sort_by(f64::total_cmp);
    let size = breaks.iter().fold(0.0f64, |most, t| most.max(t.abs()));
    breaks.dedup_by(|a, b| (*a - *b).abs() <= BREAK_TIE * size);
    let mut failed = None;
    let rows = rows_around(&breaks, |at, at_break| {
        let count = count_at(&system, problem, at).unwrap_or_else(|error| {
            failed = Some(error);
            None
        });
        LineCount {
            at,
            at_break,
            count,
        }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(LineCounts { breaks, rows }),
    }
}

/// Ends of pieces closer than this fraction of the largest are one break.
const BREAK_TIE: f64 = 1e-11;

fn ends_of_pieces(system: &System) -> Vec<f64> {
    let mut ends = Vec::new();
    let (mut z, mut rate) = (vec![0.0; system.size], vec![0.0; system.size]);
    walk(system, |leaf| {
        if leaf.determinant.is_none() {
            ends.extend(ends_of_singular(system, leaf.path));
            return;
        }
        leaf.solve(0, &mut z);
        leaf.solve(1, &mut rate);
        let choices = system.elements.iter().zip(leaf.path);
        let mut spans = vec![[f64::NEG_INFINITY, f64::INFINITY]];
        for (element, choice) in choices {
            let branches = &element.choices[*choice].branches;
            let parts = branches.iter().filter_map(|b| span(b, &z, &rate));
            let parts: Vec<[f64; 2]> = parts.collect();
            let cut = |s: &[f64; 2]| -> Vec<[f64; 2]> {
                let pieces = parts.iter().map(|p| [s[0].max(p[0]), s[1].min(p[1])]);
                pieces.filter(|p| p[0] <= p[1]).collect()
            };
            spans = spans.iter().flat_map(cut).collect();
        }
        ends.extend(spans.concat());
    });
    ends
}

/// Ends of a singular piece, such as two feet of one body that stick together.
fn ends_of_singular(system: &System, path: &[usize]) -> Vec<f64> {
    let choice = |e: usize| &system.elements[e].choices[path[e]];
    let rows = (0..path.len()).flat_map(|e| choice(e).rows.iter().map(Vec::as_slice));
    let rows: Vec<&[f64]> = rows.collect();
    let of_branches = |branches: Vec<usize>| {
        let parts = (0..path.len()).map(|e| &choice(e).branches[branches[e]]);
        let conditions: Vec<_> = parts.flat_map(|b| b.conditions.iter()).collect();
        ends_along(system, &rows, &conditions)
    };
    branchings(system, path)
        .into_iter()
        .flat_map(of_branches)
        .collect()
}

/// Values of t for which every condition of a branch holds at `z + t·rate`.
fn span(branch: &Branch, z: &[f64], rate: &[f64]) -> Option<[f64; 2]> {
    let mut span = [f64::NEG_INFINITY, f64::INFINITY];
    for condition in &branch.conditions {
        let (slack, terms) = condition.at(z);
        let mut slope = condition.slope;
        let mut slope_terms = slope.abs();
        for (g, r) in condition.g.iter().zip(rate) {
            slope += g * r;
            slope_terms += (g * r).abs();
        }
        if slope.abs() <= FACE * slope_terms {
            if slack < -FACE * terms {
                return None;
            }
        } else if slope > 0.0 {
            span[0] = span[0].max(-slack / slope);
        } else {
            span[1] = span[1].min(-slack / slope);
        }
    }
    (span[0] <= span[1]).then_some(span)
}

/// The problem moved to `t`, without a change of what contacts do of their own.
fn count_at(
    system: &System,
    problem: &ForwardProblem,
    t: f64,
) -> Result<Option<usize>, ForwardInputError> {
    let mut moved = system.clone();
    let (size, side) = (system.size, system.size + 1);
    for element in &mut moved.elements {
        for choice in &mut element.choices {
            for row in &mut choice.rows {
                let (rhs, by) = (row[size], t * row[side]);
                row[size] = clean(rhs + by, rhs.abs() + by.abs());
            }
            let conditions = choice.branches.iter_mut().flat_map(|b| &mut b.conditions);
            conditions.for_each(|c| c.advance(t));
        }
    }
    let shown = moved.frictions.iter_mut();
    shown
        .chain(&mut moved.contact_accelerations)
        .for_each(|c| c.advance(t));
    Ok(collect(&moved, problem, Keep::Answers)?.found.count())
}
