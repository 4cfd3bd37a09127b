//! Everything about one problem.

use super::assemble::{Variation, assemble};
use super::collect::{Keep, collect};
use super::error::ForwardInputError;
use super::problem::ForwardProblem;
use super::result::{Condition, ForwardResult};
use super::verdict::{Verdict, degree, sufficient_tests, verdict};
use super::witness::witness;

/// Solves a forward problem: all answers, the verdict for every input, a witness.
///
/// What follows where nothing is consistent needs velocities and a law of impact:
/// [`crate::resolution::resolve`] says it and fills `resolution`.
pub fn solve(problem: &ForwardProblem) -> Result<ForwardResult, ForwardInputError> {
    let system = assemble(problem, Variation::NONE)?;
    let collected = collect(&system, problem, Keep::Everything)?;
    let verdict = verdict(problem)?;
    let count = collected.found.count();
    let witness = if verdict.unique {
        None
    } else {
        witness(problem, count)?
    };
    Ok(ForwardResult {
        count,
        answers: collected.found.answers,
        continua: collected.found.continua,
        refuted: collected.refuted,
        refuted_count: collected.refuted_count,
        unique_for_every_force: match (verdict.unique, count, &witness) {
            (true, ..) => Some(true),
            (false, Some(1), None) => None,
            (false, ..) => Some(false),
        },
        friction_margin: verdict.margin,
        degree: degree(problem, &system, verdict.has_singular)?,
        condition: condition(problem, verdict)?,
        witness,
        resolution: None,
        resolutions: Vec::new(),
    })
}

fn condition(problem: &ForwardProblem, verdict: Verdict) -> Result<Condition, ForwardInputError> {
    let tests = sufficient_tests(problem)?;
    let is_scalar = problem.coordinates() == 1 && problem.friction.len() == 1;
    let c = if is_scalar {
        problem.load_matrix[0][0]
    } else {
        0.0
    };
    let a = problem.inertia[0][0];
    let vertex = |c: f64| problem.bias[0] - a * problem.load_offset[0] / c;
    Ok(Condition {
        critical_friction: (c != 0.0).then(|| a / c.abs()),
        vertex_force: (c != 0.0).then(|| vertex(c)),
        determinants: verdict.determinants,
        mode_determinants: verdict.mode_determinants,
        perron_radius: tests.map(|tests| tests.perron_radius),
        norm: tests.map(|tests| tests.norm),
        ..Condition::default()
    })
}
