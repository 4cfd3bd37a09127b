//! Answers by a second route: a complementarity problem solved by its bases, not by signs of loads.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use carom_contact::contact_space::GivenFriction;

use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::{ForwardProblem, Mode, answers, solve};
use common::{between, chance, count, either_sign};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

/// A random symmetric positive definite matrix.
fn spd(rng: &mut Rng, n: usize) -> DMatrix<f64> {
    let a = DMatrix::from_fn(n, n, |_, _| either_sign(rng, 1.0));
    &a * a.transpose() + DMatrix::identity(n, n) * 0.3
}

fn rows(m: &DMatrix<f64>) -> Vec<Vec<f64>> {
    m.row_iter()
        .map(|row| row.iter().copied().collect())
        .collect()
}

fn list(rng: &mut Rng, n: usize, most: f64) -> Vec<f64> {
    (0..n).map(|_| either_sign(rng, most)).collect()
}

/// A random problem without contacts; some coordinates at rest, some loads symmetric.
fn random_problem(rng: &mut Rng, n: usize, resting: f64) -> ForwardProblem {
    let load = if rng.bool() {
        spd(rng, n)
    } else {
        DMatrix::from_fn(n, n, |_, _| either_sign(rng, 1.5))
    };
    let strength = between(rng, 0.0, 1.5);
    ForwardProblem {
        inertia: rows(&spd(rng, n)),
        bias: list(rng, n, 1.0),
        load_matrix: rows(&load),
        load_offset: list(rng, n, 1.0),
        friction: (0..n).map(|_| (strength * rng.f64()).into()).collect(),
        velocity: (0..n)
            .map(|_| {
                if chance(rng, resting) {
                    0.0
                } else {
                    either_sign(rng, 1.0).signum()
                }
            })
            .collect(),
        force: list(rng, n, 3.0),
        contacts: Vec::new(),
    }
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

/// Second route for coordinates in motion. With `N = u − v`, `u, v >= 0`, `u v = 0` the balance
/// `A q̈ + D(u + v) = τ − b`, `C q̈ + d = u − v` is the complementarity problem `u = M v + r` with
/// `M = (I + G)⁻¹(I − G)`, `G = C A⁻¹ D`: every complementary basis is tried.
fn by_complementarity(p: &ForwardProblem) -> Option<Vec<Vec<f64>>> {
    let n = p.force.len();
    let a = matrix(&p.inertia).try_inverse()?;
    let c = matrix(&p.load_matrix);
    let signed = (0..n).map(|i| p.friction[i].mu_d * p.velocity[i].signum());
    let d = DMatrix::from_diagonal(&DVector::from_iterator(n, signed));
    let drive = DVector::from_fn(n, |i, _| p.force[i] - p.bias[i]);
    let offset = DVector::from_column_slice(&p.load_offset);
    // u − v = C A⁻¹(drive − D(u + v)) + d  =>  (I + G) u = (I − G) v + C A⁻¹ drive + d
    let g = &c * &a * &d;
    let one = DMatrix::identity(n, n);
    let left = (&one + &g).lu();
    let m = left.solve(&(&one - &g))?;
    let r = left.solve(&(&c * &a * &drive + &offset))?;
    let mut found = Vec::new();
    for code in 0..1usize << n {
        // In the basis: v_i where the bit is set, else u_i.
        let basic: Vec<usize> = (0..n).filter(|i| code >> i & 1 == 1).collect();
        let k = basic.len();
        let sub = DMatrix::from_fn(k, k, |i, j| m[(basic[i], basic[j])]);
        let side = DVector::from_fn(k, |i, _| -r[basic[i]]);
        let values = if k == 0 {
            Some(side)
        } else {
            sub.lu().solve(&side)
        };
        let Some(values) = values else { continue };
        let mut v = DVector::zeros(n);
        basic
            .iter()
            .zip(values.iter())
            .for_each(|(i, x)| v[*i] = *x);
        let u = &m * &v + &r;
        if v.iter().all(|x| *x >= 0.0) && (0..n).all(|i| code >> i & 1 == 1 || u[i] >= 0.0) {
            let u = DVector::from_fn(n, |i, _| if code >> i & 1 == 1 { 0.0 } else { u[i] });
            let q = &a * (&drive - &d * (&u + &v));
            found.push(q.iter().copied().collect::<Vec<f64>>());
        }
    }
    found.sort_by(|a, b| a.partial_cmp(b).unwrap());
    Some(found)
}

fn is_one_list(found: &[Vec<f64>], wanted: &[Vec<f64>]) -> bool {
    let near = |a: &Vec<f64>, b: &Vec<f64>| {
        let size = a.iter().fold(1.0f64, |most, x| most.max(x.abs()));
        a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-7 * size)
    };
    found.len() == wanted.len() && found.iter().all(|a| wanted.iter().any(|b| near(a, b)))
}

#[test]
fn answers_in_motion_are_those_of_a_complementarity_problem() {
    let mut rng = Rng::with_seed(101);
    let mut counts = [0usize; 9];
    for _ in 0..count(30_000) {
        let n = rng.usize(1..7);
        let problem = random_problem(&mut rng, n, 0.0);
        let Some(wanted) = by_complementarity(&problem) else {
            continue;
        };
        let found: Vec<Vec<f64>> = answers(&problem)
            .unwrap()
            .answers
            .into_iter()
            .map(|a| a.acceleration)
            .collect();
        assert!(
            is_one_list(&found, &wanted),
            "{problem:?}\n{found:?}\n{wanted:?}"
        );
        counts[found.len().min(8)] += 1;
    }
    assert!(
        counts[0] > 0 && counts[1] > 0 && counts[2] > 0,
        "{counts:?}"
    );
}

/// Direction of motion and sign of the load in one pattern: digit 0 sticks, 1 and 2 go forward with
/// N > 0 and N < 0, 3 and 4 backward likewise.
fn signs(digit: usize) -> (f64, f64) {
    let forward = if digit <= 2 { 1.0 } else { -1.0 };
    (forward, if digit % 2 == 1 { 1.0 } else { -1.0 })
}

/// Accelerations and friction forces of one pattern, from the system in `(q̈, f)`.
fn pattern(p: &ForwardProblem, digits: &[usize]) -> Option<DVector<f64>> {
    let n = digits.len();
    let mut m = DMatrix::zeros(2 * n, 2 * n);
    let mut side = DVector::zeros(2 * n);
    for i in 0..n {
        side[i] = p.force[i] - p.bias[i];
        m[(i, n + i)] = 1.0;
        for j in 0..n {
            m[(i, j)] = p.inertia[i][j];
        }
        if digits[i] == 0 {
            m[(n + i, i)] = 1.0;
            continue;
        }
        let (forward, load) = signs(digits[i]);
        let mu = p.friction[i].mu_d * forward * load;
        m[(n + i, n + i)] = 1.0;
        for j in 0..n {
            m[(n + i, j)] = -mu * p.load_matrix[i][j];
        }
        side[n + i] = mu * p.load_offset[i];
    }
    m.lu().solve(&side)
}

/// Second route at rest: every pattern of stick, onset and load sign is its own small system, with
/// conditions written out by hand.
fn by_patterns(p: &ForwardProblem) -> Vec<(Vec<f64>, Vec<Mode>)> {
    let n = p.force.len();
    let mut found: Vec<(Vec<f64>, Vec<Mode>)> = Vec::new();
    for code in 0..5usize.pow(n as u32) {
        let digits: Vec<usize> = (0..n).map(|i| code / 5usize.pow(i as u32) % 5).collect();
        let fits = |i: usize| {
            let (forward, _) = signs(digits[i]);
            p.velocity[i] == 0.0 || (digits[i] != 0 && forward * p.velocity[i] > 0.0)
        };
        if !(0..n).all(fits) {
            continue;
        }
        let Some(x) = pattern(p, &digits) else {
            continue;
        };
        let q = x.rows(0, n).into_owned();
        let loads = matrix(&p.load_matrix) * &q + DVector::from_column_slice(&p.load_offset);
        let holds = |i: usize| {
            let (forward, sign) = signs(digits[i]);
            match digits[i] {
                0 => x[n + i].abs() <= p.friction[i].mu_s * loads[i].abs(),
                _ => sign * loads[i] >= 0.0 && (p.velocity[i] != 0.0 || forward * q[i] > 0.0),
            }
        };
        if (0..n).all(holds) {
            let mode = |i: usize| match (p.velocity[i] == 0.0, digits[i]) {
                (false, _) => Mode::Slide,
                (true, 0) => Mode::Stick,
                (true, 1 | 2) => Mode::OnsetForward,
                _ => Mode::OnsetBackward,
            };
            found.push((q.iter().copied().collect(), (0..n).map(mode).collect()));
        }
    }
    found.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
    found
}

#[test]
fn answers_at_rest_are_those_of_every_pattern_written_out() {
    let mut rng = Rng::with_seed(102);
    let (mut several, mut none, mut sticks) = (0, 0, 0);
    for turn in 0..count(6_000) {
        let n = match turn % 40 {
            39 => 6,
            19 => 5,
            _ => rng.usize(1..5),
        };
        let mut problem = random_problem(&mut rng, n, 0.6);
        if rng.bool() {
            for given in &mut problem.friction {
                given.mu_s *= between(&mut rng, 1.0, 1.5);
            }
        }
        let wanted = by_patterns(&problem);
        let found = answers(&problem).unwrap();
        let list: Vec<Vec<f64>> = found
            .answers
            .iter()
            .map(|a| a.acceleration.clone())
            .collect();
        let other: Vec<Vec<f64>> = wanted.iter().map(|w| w.0.clone()).collect();
        assert!(
            is_one_list(&list, &other),
            "{problem:?}\n{list:?}\n{other:?}"
        );
        for (answer, (_, mode)) in found.answers.iter().zip(&wanted) {
            if found.answers.len() == 1 {
                assert_eq!(&answer.mode, mode, "{problem:?}");
            }
            sticks += usize::from(answer.mode.contains(&Mode::Stick));
        }
        several += usize::from(list.len() > 1);
        none += usize::from(list.is_empty());
    }
    assert!(
        several > 2 && sticks > 10 && none > 0,
        "{several} {sticks} {none}"
    );
}

#[test]
fn the_closed_form_of_one_coordinate_is_the_enumeration_of_one() {
    let mut rng = Rng::with_seed(103);
    let mut counts = [0usize; 4];
    for _ in 0..count(200_000) {
        let mut problem = random_problem(&mut rng, 1, 0.4);
        if chance(&mut rng, 0.3) {
            // Exactly at the vertex force.
            let (a, c) = (problem.inertia[0][0], problem.load_matrix[0][0]);
            problem.force[0] = problem.bias[0] - a * problem.load_offset[0] / c;
        }
        if chance(&mut rng, 0.3) {
            problem.friction[0] = GivenFriction {
                mu_s: 1.3 * problem.friction[0].mu_d,
                ..problem.friction[0]
            };
        }
        let all = answers(&problem).unwrap();
        let closed = ScalarFriction::of(&problem).unwrap();
        let quick = closed.answers(problem.force[0], problem.velocity[0]);
        assert_eq!(quick.count(), all.count(), "{problem:?}");
        for (a, b) in all.answers.iter().zip(quick.iter()) {
            let scale = 1e-9 * (1.0 + b.acceleration.abs());
            assert!(
                (a.acceleration[0] - b.acceleration).abs() < scale,
                "{problem:?}"
            );
            assert_eq!(a.mode[0], b.mode, "{problem:?}");
            let scale = 1e-9 * (1.0 + b.friction_force.abs());
            assert!(
                (a.friction_force[0] - b.friction_force).abs() < scale,
                "{problem:?}"
            );
        }
        counts[all.answers.len().min(3)] += 1;
    }
    assert!(counts.iter().all(|c| *c > 0), "{counts:?}");
}

#[test]
fn a_unique_problem_has_one_answer_for_every_force_and_any_other_has_a_witness() {
    let mut rng = Rng::with_seed(104);
    let (mut unique, mut others, mut resting) = (0, 0, 0);
    for _ in 0..count(3_000) {
        let n = rng.usize(1..7);
        let share = if rng.bool() { 0.0 } else { 0.5 };
        let mut problem = random_problem(&mut rng, n, share);
        let result = solve(&problem).unwrap();
        if result.unique_for_every_force == Some(true) {
            unique += 1;
            resting += usize::from(problem.velocity.contains(&0.0));
            assert!(result.friction_margin.is_none_or(|margin| margin > 1.0));
            assert_eq!((result.count, &result.witness), (Some(1), &None));
            assert_eq!(result.degree, Some(1));
            for _ in 0..30 {
                problem.force = list(&mut rng, n, 20.0);
                problem.load_offset = list(&mut rng, n, 5.0);
                assert_eq!(answers(&problem).unwrap().count(), Some(1), "{problem:?}");
            }
        } else {
            others += 1;
            let witness = result
                .witness
                .unwrap_or_else(|| panic!("no witness: {problem:?}"));
            let other = witness.apply(&problem);
            let found = answers(&other).unwrap().count();
            assert_eq!(found, witness.count);
            assert_ne!(found, result.count, "{problem:?}");
        }
    }
    assert!(
        unique > 5 && others > 5 && resting > 0,
        "{unique} {others} {resting}"
    );
}

#[test]
fn a_unique_problem_has_one_answer_for_ten_thousand_forces() {
    let mut rng = Rng::with_seed(106);
    for n in 1..7 {
        for share in [0.0, 0.3] {
            let mut problem = random_problem(&mut rng, n, share);
            while solve(&problem).unwrap().unique_for_every_force != Some(true) {
                for given in &mut problem.friction {
                    *given = (0.8 * given.mu_d).into();
                }
            }
            for _ in 0..count(10_000) {
                problem.force = list(&mut rng, n, 20.0);
                assert_eq!(answers(&problem).unwrap().count(), Some(1), "{problem:?}");
            }
        }
    }
}

#[test]
fn the_margin_is_where_uniqueness_is_lost() {
    let mut rng = Rng::with_seed(105);
    let mut bounded = 0;
    for _ in 0..count(2_000) {
        let n = rng.usize(1..5);
        let mut problem = random_problem(&mut rng, n, 0.3);
        let Some(margin) = solve(&problem).unwrap().friction_margin else {
            continue;
        };
        bounded += 1;
        let given = problem.friction.clone();
        for (factor, is_unique) in [
            (1.0 - 1e-9, true),
            (1.0 + 1e-9, false),
            (0.3, true),
            (2.0, false),
        ] {
            for (now, before) in problem.friction.iter_mut().zip(&given) {
                *now = (before.mu_d * margin * factor).into();
            }
            let found = carom_contact::forward::verdict(&problem).unwrap().unique;
            assert_eq!(found, is_unique, "{factor} {margin} {problem:?}");
        }
    }
    assert!(bounded > 10, "{bounded}");
}

/// Stuck neighbours can take away what held a slide together: all `det(A + Diag(±μ) C)` are positive
/// here, and with coordinate 1 stuck the rest of A is not.
#[test]
fn a_coordinate_at_rest_can_lose_the_uniqueness_that_motion_has() {
    let mut problem = ForwardProblem {
        inertia: vec![vec![1.0, 0.9], vec![0.9, 1.0]],
        bias: vec![0.0, 0.0],
        load_matrix: vec![vec![2.0, 2.2], vec![0.0, 0.01]],
        load_offset: vec![1.0, 10.0],
        friction: vec![0.6.into(), 1.0.into()],
        velocity: vec![1.0, 1.0],
        force: vec![1.0, 0.0],
        contacts: Vec::new(),
    };
    let moving = solve(&problem).unwrap();
    assert_eq!(moving.unique_for_every_force, Some(true));
    assert!(moving.condition.determinants.values().all(|d| *d > 0.0));
    assert!(moving.condition.perron_radius.unwrap() < 1.0);
    problem.velocity[1] = 0.0;
    let resting = solve(&problem).unwrap();
    assert!(resting.condition.determinants.values().all(|d| *d > 0.0));
    assert_eq!(resting.unique_for_every_force, Some(false));
    assert!(
        resting
            .condition
            .mode_determinants
            .values()
            .any(|d| *d < 0.0)
    );
    let mut counts: Vec<Option<usize>> = (-20..20)
        .map(|k| {
            problem.force[0] = 0.1 * f64::from(k) + 0.03;
            assert_eq!(
                by_patterns(&problem).len(),
                answers(&problem).unwrap().answers.len()
            );
            answers(&problem).unwrap().count()
        })
        .collect();
    counts.sort();
    counts.dedup();
    assert!(counts.len() > 1, "{counts:?}");
}
