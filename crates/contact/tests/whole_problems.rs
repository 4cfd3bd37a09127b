//! `impact::solve` on whole mechanisms: random mass matrices, constraints (some redundant), one
//! contact, every law, against the saddle-point system of multipliers.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::Outcome;
use carom_contact::impact::Tangential;
use carom_contact::impact::{Constraint, Contact, ImpactProblem, ImpactResult, Law, Method};
use carom_contact::impact::{Note, NoteCode, Prepared};
use carom_support::contact::several::row;
use carom_support::random::count;
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

/// A mechanism of `n` coordinates with `m` constraint rows, of which the last may repeat another,
/// moving as the constraints allow.
fn problem(rng: &mut Rng, n: usize, m: usize, repeats: bool) -> ImpactProblem {
    let a = DMatrix::from_fn(n, n, |_, _| rng.f64() - 0.5);
    let mass = &a * a.transpose() + DMatrix::identity(n, n) * 0.05;
    let mut rows: Vec<Vec<f64>> = (0..m).map(|_| row(rng, n)).collect();
    if repeats {
        let copy: Vec<f64> = rows[0].iter().map(|x| -2.0 * x).collect();
        rows.push(copy);
    }
    let mut velocity = DVector::from_vec(row(rng, n));
    if m > 0 {
        let g = DMatrix::from_fn(m, n, |i, j| rows[i][j]);
        let gram = (&g * g.transpose()).lu().solve(&(&g * &velocity)).unwrap();
        velocity -= g.transpose() * gram;
    }
    let mut normal = row(rng, n);
    let approach: f64 = normal.iter().zip(&velocity).map(|(a, b)| a * b).sum();
    if approach > 0.0 {
        normal.iter_mut().for_each(|x| *x = -*x);
    }
    let mu = 1.5 * rng.f64();
    ImpactProblem {
        mass: mass
            .row_iter()
            .map(|r| r.iter().copied().collect())
            .collect(),
        velocity: velocity.iter().copied().collect(),
        contacts: vec![Contact {
            name: "c".to_owned(),
            normal,
            tangent: Some(row(rng, n)),
            tangents: None,
            stiffness: 1.0,
            friction: GivenFriction {
                mu_s: mu * 1.1,
                mu_d: mu,
            },
            restitution: rng.f64(),
            tangential_restitution: None,
        }],
        constraints: vec![Constraint {
            name: "g".to_owned(),
            rows,
        }],
    }
}

/// Velocity jump of contact impulses by the saddle-point system over independent rows.
fn saddle_point(problem: &ImpactProblem, m: usize, p: [f64; 2]) -> DVector<f64> {
    let n = problem.velocity.len();
    let rows = &problem.constraints[0].rows;
    let mut k = DMatrix::zeros(n + m, n + m);
    for i in 0..n {
        for j in 0..n {
            k[(i, j)] = problem.mass[i][j];
        }
        for j in 0..m {
            k[(i, n + j)] = -rows[j][i];
            k[(n + j, i)] = rows[j][i];
        }
    }
    let contact = &problem.contacts[0];
    let tangent = contact.tangent.as_ref().unwrap();
    let mut b = DVector::zeros(n + m);
    for i in 0..n {
        b[i] = contact.normal[i] * p[0] + tangent[i] * p[1];
    }
    k.lu().solve(&b).unwrap().rows(0, n).into_owned()
}

#[test]
fn whole_problems_move_as_the_saddle_point_system_says_and_balance() {
    let mut rng = Rng::with_seed(71);
    let mut redundant = 0;
    for _ in 0..count(20_000) {
        let n = rng.usize(2..9);
        let m = rng.usize(0..n - 1);
        let repeats = m > 0 && rng.bool();
        let problem = problem(&mut rng, n, m, repeats);
        let prepared = Prepared::new(&problem).unwrap();
        for law in Law::ALL {
            let result = prepared.solve(law, Method::default()).unwrap();
            let text = serde_json::to_string(&result).unwrap();
            assert_eq!(serde_json::from_str::<ImpactResult>(&text).unwrap(), result);
            assert_eq!(result.outcome, Outcome::Solved, "{problem:?}");
            let impulse = result.contacts[0].impulse;
            let p = [impulse.normal.unwrap(), impulse.tangent.unwrap().value()];
            let jump = saddle_point(&problem, m, p);
            let after = result.velocity.unwrap();
            let scale = jump.amax().max(1.0);
            for i in 0..n {
                let expected = problem.velocity[i] + jump[i];
                assert!((after[i] - expected).abs() < 1e-9 * scale, "{law}");
            }
            assert!(result.residuals.momentum.unwrap() < 1e-9);
            assert!(result.residuals.energy.unwrap() < 1e-9);
            assert!(result.residuals.cone.unwrap() < 1e-12);
            let unique = &result.constraints[0].unique;
            assert_eq!(unique.first(), unique.last());
            let is_one = result.determinacy.velocity_unique;
            if repeats {
                redundant += 1;
                assert!(!unique[0] && unique[1..m].iter().all(|u| *u == is_one));
            }
        }
    }
    assert!(redundant > count(10_000), "{redundant}");
}

/// A mechanism of one degree of freedom written with n − 1 constraint rows jammed or not as
/// round-off had it (22 % of them at n = 12), because W was put on one line and v was not.
#[test]
fn one_degree_of_freedom_never_jams_by_round_off_or_drift() {
    let mut rng = Rng::with_seed(72);
    let mut solved = 0;
    for _ in 0..count(20_000) {
        let n = rng.usize(2..13);
        let mut problem = problem(&mut rng, n, n - 1, false);
        for x in &mut problem.velocity {
            *x *= 1.0 + 1e-13 * (rng.f64() - 0.5); // drift of an integrator
        }
        problem.contacts[0].restitution = 0.0;
        let prepared = Prepared::new(&problem).unwrap();
        for law in [Law::Newton, Law::Poisson, Law::Energetic] {
            let result = prepared.solve(law, Method::default()).unwrap();
            let is_at_rest = result.outcome == Outcome::NoImpact;
            assert!(
                is_at_rest || result.outcome == Outcome::Solved,
                "{result:?}"
            );
            solved += usize::from(!is_at_rest);
        }
    }
    assert!(solved > count(50_000), "{solved}");
}

/// A tangent that constraints hold kept the round-off of its velocity and slipped with it.
#[test]
fn a_held_tangent_has_no_slip_whatever_the_round_off_of_its_velocity() {
    let mut problem = ImpactProblem {
        mass: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
        velocity: vec![-1.0, 0.0],
        contacts: vec![Contact {
            name: "c".to_owned(),
            normal: vec![1.0, 0.0],
            tangent: Some(vec![0.0, 1.0]),
            tangents: None,
            stiffness: 1.0,
            friction: 0.5.into(),
            restitution: 0.5,
            tangential_restitution: None,
        }],
        constraints: vec![Constraint {
            name: "guide".to_owned(),
            rows: vec![vec![0.0, 1.0]],
        }],
    };
    for noise in [0.0, 1e-17, -1e-12] {
        problem.velocity[1] = noise;
        let result = Prepared::new(&problem).unwrap();
        let result = result.solve(Law::Poisson, Method::default()).unwrap();
        assert_eq!(
            result.contacts[0].impulse.tangent,
            Some(Tangential::Plane(0.0))
        );
        assert_eq!(result.determinacy.impulses_unique, [false]);
        let codes: Vec<NoteCode> = result.notes.iter().map(|note| note.code).collect();
        assert!(
            codes.contains(&NoteCode::TangentImpulseUndetermined),
            "{codes:?}"
        );
    }
    // Without friction it is zero.
    problem.contacts[0].friction = 0.0.into();
    let smooth = Prepared::new(&problem).unwrap();
    let smooth = smooth.solve(Law::Poisson, Method::default()).unwrap();
    let is_open = |note: &Note| note.code == NoteCode::TangentImpulseUndetermined;
    assert!(!smooth.notes.iter().any(is_open));
}

/// Sums of rounded velocities were taken for the momentum gained: 2e-6 on a correct answer.
#[test]
fn heavy_coordinates_beside_light_ones_leave_the_balances_at_round_off() {
    for heavy in [1e8, 1e12, 1e30] {
        let problem = ImpactProblem {
            mass: vec![vec![1.0, 0.0], vec![0.0, heavy]],
            velocity: vec![-1000.0, 100.0],
            contacts: vec![Contact {
                name: "c".to_owned(),
                normal: vec![1.0, 0.2],
                tangent: Some(vec![0.3, 1.0]),
                tangents: None,
                stiffness: 1.0,
                friction: 0.4.into(),
                restitution: 0.7,
                tangential_restitution: None,
            }],
            constraints: Vec::new(),
        };
        let prepared = Prepared::new(&problem).unwrap();
        for law in Law::ALL {
            let result = prepared.solve(law, Method::default()).unwrap();
            assert!(
                result.residuals.momentum.unwrap() < 1e-13,
                "{heavy} {result:?}"
            );
        }
    }
}

#[test]
fn energies_that_overflow_are_refused_and_not_balanced_away() {
    let problem = ImpactProblem {
        mass: vec![vec![1.0, 0.0], vec![0.0, 1e300]],
        velocity: vec![-1.0, 1e10],
        contacts: vec![Contact {
            name: "c".to_owned(),
            normal: vec![1.0, 0.0],
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: 0.7,
            tangential_restitution: None,
        }],
        constraints: Vec::new(),
    };
    let prepared = Prepared::new(&problem).unwrap();
    let error = prepared.solve(Law::Newton, Method::default()).unwrap_err();
    assert!(error.to_string().contains("overflows"), "{error}");
}
