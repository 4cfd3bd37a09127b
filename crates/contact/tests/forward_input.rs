//! Questions that are refused, with the place and what is allowed.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use crate::forward_common;

use carom_contact::forward::rod::Rod;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::{ForwardInputError, ForwardProblem, answers, solve};
use fastrand::Rng;
use forward_common::{dupont, random_problem};

#[track_caller]
fn refused(problem: &ForwardProblem, path: &str, said: &str) {
    let error = solve(problem).unwrap_err();
    assert_eq!(error.path(), path, "{error}");
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn malformed_questions_are_refused_with_place_and_what_is_allowed() {
    let good = dupont(0.3, 1.0, 1.0);
    let with = |change: &dyn Fn(&mut ForwardProblem)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad
    };
    refused(
        &with(&|p| p.force.clear()),
        "force",
        "expected at least one",
    );
    refused(
        &with(&|p| p.bias.push(1.0)),
        "bias",
        "has 2 elements, expected 1",
    );
    refused(
        &with(&|p| p.force[0] = f64::NAN),
        "force[0]",
        "is NaN, expected zero or a size",
    );
    refused(
        &with(&|p| p.inertia[0][0] = -1.0),
        "inertia[0]",
        "not positive definite",
    );
    refused(
        &with(&|p| p.inertia[0][0] = f64::INFINITY),
        "inertia[0][0]",
        "is inf",
    );
    refused(
        &with(&|p| p.load_matrix[0][0] = 1e200),
        "load_matrix[0][0]",
        "from 1e-100 to 1e100",
    );
    refused(
        &with(&|p| p.load_offset.clear()),
        "load_offset",
        "has 0 elements, expected 1",
    );
    refused(
        &with(&|p| p.friction[0] = (-0.1).into()),
        "friction[0]",
        "expected a finite number >= 0",
    );
    refused(
        &with(&|p| p.friction[0].mu_s = 0.1),
        "friction[0]",
        "expected static >= kinetic",
    );
    refused(
        &with(&|p| p.velocity.clear()),
        "velocity",
        "has 0 elements, expected 1",
    );
}

#[test]
fn a_skew_inertia_and_too_many_elements_are_refused() {
    let mut rng = Rng::with_seed(311);
    let mut skew = random_problem(&mut rng, 2);
    skew.inertia[0][1] += 0.1;
    refused(&skew, "inertia[0][1]", "is not symmetric");
    let mut many = random_problem(&mut rng, 13);
    for given in &mut many.friction {
        *given = 0.1.into();
    }
    let error = solve(&many).unwrap_err();
    assert_eq!(error, ForwardInputError::TooManyElements { found: 13 });
    assert!(error.to_string().contains("expected at most 12"), "{error}");
    // A coordinate without friction has one pattern and does not count.
    many.friction[3] = 0.0.into();
    assert!(answers(&many).is_ok());
}

#[test]
fn malformed_shorthands_are_refused() {
    let screw = Screw {
        inertia: 0.002,
        mass: 50.0,
        lead: 0.003,
        helix: 0.3,
        thread: 0.25,
        friction: 0.1.into(),
        gravity: 9.81,
        velocity: 1.0,
        force: 2.5,
    };
    let error = Screw {
        helix: 1.6,
        ..screw
    }
    .solve()
    .unwrap_err();
    assert_eq!(
        (
            error.path().as_str(),
            error.to_string().contains("between 0 and 90 deg")
        ),
        ("screw.helix", true)
    );
    let error = Screw { mass: 0.0, ..screw }.solve().unwrap_err();
    assert_eq!(
        error.to_string(),
        "screw.mass is 0, expected a positive number"
    );
    let rod: Rod = serde_json::from_str(
        r#"{"mass": 1, "half_length": 1, "inertia": 0.3, "angle": 1, "slip": -1, "friction": 0.5, "gravity": 9.81}"#,
    )
    .unwrap();
    assert!(rod.solve().is_ok());
    let error = Rod {
        restitution: 1.5,
        ..rod.clone()
    }
    .solve()
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "rod.restitution is 1.5, expected a number from 0 to 1"
    );
    let error = Rod {
        inertia: f64::NAN,
        ..rod
    }
    .solve()
    .unwrap_err();
    assert_eq!(error.path(), "rod.inertia");
}

#[test]
fn numbers_at_the_ends_of_the_range_give_finite_answers_or_are_refused() {
    let mut rng = Rng::with_seed(312);
    let (mut solved, mut refused) = (0, 0);
    for _ in 0..common::count(4_000) {
        let n = rng.usize(1..4);
        let mut problem = random_problem(&mut rng, n);
        let mut size = || 10f64.powi(rng.i32(-99..99));
        for i in 0..n {
            problem.force[i] *= size();
            problem.bias[i] *= size();
            problem.load_offset[i] *= size();
            problem.friction[i] = (problem.friction[i].mu_d * size()).into();
        }
        match solve(&problem) {
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains("expected"), "{error}");
            }
            Ok(result) => {
                solved += 1;
                let text = serde_json::to_string(&result).unwrap();
                let back: Result<carom_contact::forward::ForwardResult, _> =
                    serde_json::from_str(&text);
                assert_eq!(back.unwrap(), result);
            }
        }
    }
    assert!(solved > 10, "{solved} {refused}");
}
