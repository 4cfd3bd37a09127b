//! What does not depend on names, units and handedness; what goes through a file unchanged.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use crate::forward_common;

use carom_contact::forward::{ForwardProblem, ForwardResult, Mode, answers, pieces, solve};
use carom_contact::impact::Law;
use carom_contact::resolution::solve_and_resolve;
use common::{assert_close, chance, count, either_sign};
use fastrand::Rng;
use forward_common::{dupont, random_problem};

#[test]
fn the_scalar_benchmark_is_met() {
    let wanted: [(f64, f64, &[f64]); 6] = [
        (1.0, 1.0, &[-5.3333333333, -0.6153846154]),
        (1.0, -1.0, &[]),
        (1.0, 0.0, &[0.0]),
        (-3.0, 1.0, &[]),
        (-3.0, -1.0, &[-2.1538461538, 1.3333333333]),
        (-3.0, 0.0, &[-2.1538461538]),
    ];
    for (tau, velocity, accelerations) in wanted {
        let found = solve(&dupont(0.8, tau, velocity)).unwrap();
        assert_eq!(found.unique_for_every_force, Some(false));
        assert_eq!(found.answers.len(), accelerations.len(), "{tau} {velocity}");
        for (answer, x) in found.answers.iter().zip(accelerations) {
            assert_close("q̈", answer.acceleration[0], *x, 1e-10);
        }
    }
    for velocity in [1.0, 0.0, -1.0] {
        let result = solve(&dupont(0.3, 1.0, velocity)).unwrap();
        assert_eq!(result.unique_for_every_force, Some(true));
        for k in -40..40 {
            let found = answers(&dupont(0.3, 0.3 * f64::from(k), velocity)).unwrap();
            assert_eq!(found.count(), Some(1));
        }
    }
}

#[test]
fn the_mirror_image_has_mirrored_answers() {
    let mut rng = Rng::with_seed(301);
    for _ in 0..count(4_000) {
        let n = rng.usize(1..5);
        let problem = random_problem(&mut rng, n);
        let minus = |list: &[f64]| list.iter().map(|x| -x).collect::<Vec<f64>>();
        let mirrored = ForwardProblem {
            bias: minus(&problem.bias),
            load_offset: minus(&problem.load_offset),
            velocity: minus(&problem.velocity),
            force: minus(&problem.force),
            ..problem.clone()
        };
        let (a, b) = (answers(&problem).unwrap(), answers(&mirrored).unwrap());
        assert_eq!(a.count(), b.count());
        for (x, y) in a.answers.iter().zip(b.answers.iter().rev()) {
            for (p, q) in x.acceleration.iter().zip(&y.acceleration) {
                assert_close("q̈", *p, -q, 1e-12 * (1.0 + p.abs()));
            }
            for (p, q) in x.mode.iter().zip(&y.mode) {
                let turned = match q {
                    Mode::OnsetForward => Mode::OnsetBackward,
                    Mode::OnsetBackward => Mode::OnsetForward,
                    other => *other,
                };
                assert_eq!(*p, turned);
            }
        }
    }
}

#[test]
fn other_units_and_another_order_of_coordinates_change_nothing() {
    let mut rng = Rng::with_seed(302);
    for _ in 0..count(4_000) {
        let n = rng.usize(2..5);
        let problem = random_problem(&mut rng, n);
        let mut order: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut order);
        let unit: Vec<f64> = (0..n)
            .map(|_| 10f64.powf(either_sign(&mut rng, 4.0)))
            .collect();
        let force_unit: Vec<f64> = unit.iter().map(|x| 1.0 / x).collect();
        // q = unit·q': forces and inertia follow; loads keep their own unit.
        let list = |from: &[f64], factor: &[f64]| -> Vec<f64> {
            order.iter().map(|i| from[*i] / factor[*i]).collect()
        };
        let moved = ForwardProblem {
            inertia: order
                .iter()
                .map(|i| {
                    order
                        .iter()
                        .map(|j| problem.inertia[*i][*j] * unit[*i] * unit[*j])
                        .collect()
                })
                .collect(),
            bias: list(&problem.bias, &force_unit),
            force: list(&problem.force, &force_unit),
            load_matrix: order
                .iter()
                .map(|i| {
                    order
                        .iter()
                        .map(|j| problem.load_matrix[*i][*j] * unit[*j])
                        .collect()
                })
                .collect(),
            load_offset: order.iter().map(|i| problem.load_offset[*i]).collect(),
            friction: order
                .iter()
                .map(|i| (problem.friction[*i].mu_d * unit[*i]).into())
                .collect(),
            velocity: order.iter().map(|i| problem.velocity[*i]).collect(),
            contacts: Vec::new(),
        };
        let (a, b) = (answers(&problem).unwrap(), answers(&moved).unwrap());
        assert_eq!(a.count(), b.count(), "{problem:?}");
        for answer in &a.answers {
            let size = answer
                .acceleration
                .iter()
                .fold(1.0f64, |most, x| most.max(x.abs()));
            let is_it = |other: &&carom_contact::forward::Answer| {
                order.iter().enumerate().all(|(k, i)| {
                    (other.acceleration[k] * unit[*i] - answer.acceleration[*i]).abs() < 1e-8 * size
                })
            };
            assert!(b.answers.iter().any(|o| is_it(&o)), "{problem:?}");
        }
    }
}

#[test]
fn friction_never_feeds_a_moving_coordinate() {
    let mut rng = Rng::with_seed(303);
    let mut checked = 0;
    for _ in 0..count(10_000) {
        let n = rng.usize(1..6);
        let problem = random_problem(&mut rng, n);
        for answer in answers(&problem).unwrap().answers {
            let power = answer
                .friction_force
                .iter()
                .zip(&problem.velocity)
                .map(|(f, v)| f * v);
            assert!(power.clone().all(|p| p >= 0.0), "{problem:?}");
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn every_piece_is_an_answer_or_refuted() {
    let mut rng = Rng::with_seed(304);
    for _ in 0..count(2_000) {
        let n = rng.usize(1..5);
        let problem = random_problem(&mut rng, n);
        let result = solve(&problem).unwrap();
        let table = pieces(&problem).unwrap();
        let consistent = table.iter().filter(|row| row.is_consistent).count();
        assert_eq!(consistent, result.answers.len());
        assert_eq!(table.len(), consistent + result.refuted.len());
        assert_eq!(result.refuted_count, result.refuted.len());
        for refuted in &result.refuted {
            assert!(
                refuted.missed_by.is_some_and(|miss| miss > 0.0),
                "{refuted:?}"
            );
            assert!(refuted.sentence.contains(refuted.inequality.text()));
        }
    }
}

#[test]
fn a_result_survives_the_file_it_is_written_to() {
    let mut rng = Rng::with_seed(305);
    for _ in 0..count(1_000) {
        let n = rng.usize(1..4);
        let mut problem = random_problem(&mut rng, n);
        if chance(&mut rng, 0.3) {
            problem.friction[0].mu_s *= 1.5;
        }
        let text = serde_json::to_string(&problem).unwrap();
        assert_eq!(
            serde_json::from_str::<ForwardProblem>(&text).unwrap(),
            problem
        );
        let result = solve_and_resolve(&problem, 0.0, Law::Poisson).unwrap();
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(
            serde_json::from_str::<ForwardResult>(&text).unwrap(),
            result,
            "{text}"
        );
    }
    let result = solve(&dupont(0.3, 1.0, 1.0)).unwrap();
    let value = serde_json::to_value(&result).unwrap();
    for key in [
        "count",
        "answers",
        "continua",
        "refuted",
        "unique_for_every_force",
        "friction_margin",
        "degree",
        "condition",
        "witness",
        "resolution",
    ] {
        assert!(value.get(key).is_some(), "{key}");
    }
    assert!(value["resolution"].is_null() && value["witness"].is_null());
}
