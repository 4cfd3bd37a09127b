//! The linear law, contacts one after another, and second routes for complementarity.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::impact::{
    Constraint, Contact, ImpactProblem, ImpactResult, Law, Method, NoteCode, Outcome, Prepared,
    solve,
};
use carom_support::cases::{cases, numbers};
use carom_support::contact::several::row;
use carom_support::random::full_or;
use common::book::problem;
use common::several::{assert_all_close, impulses};
use common::{ROUTH, count};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

const TOLERANCE: f64 = 1e-10;

fn says(result: &ImpactResult, code: NoteCode) -> Option<&str> {
    let note = result.notes.iter().find(|note| note.code == code);
    note.map(|note| note.sentence.as_str())
}

/// Wrench (force; moment) of the constraints of body `b`, from their rows over (ω; v_C).
fn wrench(problem: &ImpactProblem, result: &ImpactResult, b: usize) -> Vec<f64> {
    let rows = &problem.constraints[b].rows;
    let lambda = result.constraints[b].impulse.as_ref().unwrap();
    let component = |i: usize| rows.iter().zip(lambda).map(|(r, x)| r[6 * b + i] * x).sum();
    [3, 4, 5, 0, 1, 2].map(component).to_vec()
}

fn is_unique(result: &ImpactResult) -> bool {
    result
        .constraints
        .iter()
        .flat_map(|c| &c.unique)
        .all(|u| *u)
}

#[test]
fn every_case_of_the_book_comes_out_by_the_linear_law() {
    let (mut inconsistent, mut pulled, mut shared) = (0, 0, 0);
    for case in &cases("simultaneous-reference") {
        let (id, expected) = (case["id"].as_str().unwrap(), &case["expected"]);
        let wanted = &expected["linear"];
        let problem = problem(case);
        let result = solve(&problem, Law::Newton, Method::Linear).unwrap();
        let residual = numbers(&wanted["residual"]);
        let determinacy = &result.determinacy;
        assert_all_close(id, &[determinacy.compatibility_residual], &residual);
        assert_eq!(
            determinacy.rank,
            expected["rank"].as_u64().unwrap() as usize
        );
        if wanted["status"] == "inconsistent" {
            assert_eq!(result.outcome, Outcome::Infeasible, "{id}");
            assert!(
                says(&result, NoteCode::Infeasible)
                    .unwrap()
                    .contains("ratio")
            );
            inconsistent += 1;
            continue;
        }
        assert_eq!(result.outcome, Outcome::Solved, "{id}");
        let twists = [numbers(&wanted["v1"]), numbers(&wanted["v2"])].concat();
        assert_all_close(id, result.velocity.as_ref().unwrap(), &twists);
        assert_all_close(id, &impulses(&result), &numbers(&wanted["P"]));
        assert_all_close(
            id,
            &[result.energy_change.unwrap()],
            &numbers(&wanted["dT"]),
        );
        let is_shared = wanted["status"] != "unique";
        assert_eq!(determinacy.impulses_unique.iter().all(|u| *u), !is_shared);
        assert_eq!(
            is_unique(&result),
            expected["reactions_unique"] == true,
            "{id}"
        );
        shared += usize::from(is_shared);
        for (b, key) in ["joint_wrench1", "joint_wrench2"].into_iter().enumerate() {
            if wanted[key].is_array() && is_unique(&result) {
                assert_all_close(id, &wrench(&problem, &result, b), &numbers(&wanted[key]));
            }
        }
        let is_pulled = numbers(&wanted["P"]).iter().any(|p| *p < -TOLERANCE);
        assert_eq!(says(&result, NoteCode::PullingImpulse).is_some(), is_pulled);
        pulled += usize::from(is_pulled);
        if let Some(norm) = expected["kinetic_norm_K"].as_f64() {
            let said = says(&result, NoteCode::Dissipative).unwrap();
            assert!(said.contains(&format!("{norm:.6}")), "{id}: {said} {norm}");
            let is_dissipative = expected["dissipative_for_all_delta"] == true;
            assert_eq!(said.contains("<= 1"), is_dissipative, "{id}");
        }
    }
    assert_eq!((inconsistent, pulled, shared), (1, 1, 4));
}

#[test]
fn joint_impulses_of_complementarity_are_those_of_the_book_where_unique() {
    let mut compared = 0;
    for case in &cases("simultaneous-reference") {
        let (id, wanted) = (
            case["id"].as_str().unwrap(),
            &case["expected"]["newton_lcp"],
        );
        let problem = problem(case);
        let result = solve(&problem, Law::Newton, Method::Complementarity).unwrap();
        for (b, key) in ["joint_wrench1", "joint_wrench2"].into_iter().enumerate() {
            if wanted[key].is_array() {
                assert!(result.constraints[b].unique.iter().all(|u| *u), "{id}");
                assert_all_close(id, &wrench(&problem, &result, b), &numbers(&wanted[key]));
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "{compared}");
}

/// A free uniform rod of length and mass one in the plane, held at its end by a pivot.
#[test]
fn a_pendulum_struck_at_its_centre_of_percussion_leaves_the_pivot_at_rest() {
    for (d, wanted) in [(0.5, -0.25), (2.0 / 3.0, 0.0), (1.0, 0.5)] {
        let arm = d - 0.5;
        let strike = Contact {
            name: "strike".to_owned(),
            normal: vec![0.0, 1.0, arm],
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: 0.5,
            tangential_restitution: None,
        };
        let mut again = strike.clone();
        again.name = "again".to_owned();
        let pivot = |name: &str| Constraint {
            name: name.to_owned(),
            rows: vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, -0.5]],
        };
        let mut problem = ImpactProblem {
            mass: vec![
                vec![1.0, 0.0, 0.0],
                vec![0.0, 1.0, 0.0],
                vec![0.0, 0.0, 1.0 / 12.0],
            ],
            velocity: vec![0.0, -0.5, -1.0],
            contacts: vec![strike, again],
            constraints: vec![pivot("pivot")],
        };
        for method in [Method::Linear, Method::Complementarity] {
            let result = solve(&problem, Law::Newton, method).unwrap();
            let p: f64 = impulses(&result).iter().sum();
            let held = result.constraints[0].impulse.as_ref().unwrap();
            assert_all_close("pivot", &[held[1] / p], &[wanted]);
            assert!(is_unique(&result), "two equal contacts press alike");
        }
        problem.constraints.push(pivot("pivot twice"));
        let result = solve(&problem, Law::Newton, Method::Linear).unwrap();
        assert!(!is_unique(&result), "two pivots in one place share");
        let shares = result.constraints.iter();
        let shares: f64 = shares.map(|c| c.impulse.as_ref().unwrap()[1]).sum();
        let p: f64 = impulses(&result).iter().sum();
        assert_all_close("pivots", &[shares / p], &[wanted]);
    }
}

/// Contacts without friction; the velocity approaches most of them.
fn smooth(rng: &mut Rng, n: usize, k: usize) -> ImpactProblem {
    let velocity = row(rng, n);
    let a = DMatrix::from_fn(n, n, |_, _| rng.f64() - 0.5);
    let mass = &a * a.transpose() + DMatrix::identity(n, n) * 0.3;
    let common = rng.f64();
    let contacts = (0..k).map(|i| {
        let mut normal = row(rng, n);
        let v: f64 = normal.iter().zip(&velocity).map(|(a, b)| a * b).sum();
        if v > 0.0 && rng.u8(0..4) > 0 {
            normal.iter_mut().for_each(|x| *x = -*x);
        }
        Contact {
            name: i.to_string(),
            normal,
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: common,
            tangential_restitution: None,
        }
    });
    let contacts = contacts.collect();
    ImpactProblem {
        mass: mass
            .row_iter()
            .map(|r| r.iter().copied().collect())
            .collect(),
        velocity,
        contacts,
        constraints: Vec::new(),
    }
}

/// Projected Gauss–Seidel for `0 <= p ⟂ W p + q >= 0`, until it stands still.
fn gauss_seidel(w: &DMatrix<f64>, q: &DVector<f64>) -> Option<DVector<f64>> {
    let mut p = DVector::zeros(q.len());
    for _ in 0..20_000 {
        let mut moved = 0.0f64;
        for i in 0..q.len() {
            let slack = q[i] + w.row(i).transpose().dot(&p);
            let next = (p[i] - slack / w[(i, i)]).max(0.0);
            moved = moved.max((next - p[i]).abs());
            p[i] = next;
        }
        if moved < 1e-15 {
            return Some(p);
        }
    }
    None
}

#[test]
fn complementarity_agrees_with_projected_gauss_seidel() {
    let mut rng = Rng::with_seed(21);
    let mut compared = 0;
    for _ in 0..count(2_000) {
        let k = rng.usize(2..6);
        let n = k + rng.usize(1..4);
        let problem = smooth(&mut rng, n, k);
        let mass = DMatrix::from_fn(n, n, |i, j| problem.mass[i][j]);
        let inverse = mass.try_inverse().unwrap();
        let jac = DMatrix::from_fn(k, n, |i, j| problem.contacts[i].normal[j]);
        let start = DVector::from_vec(problem.velocity.clone());
        let (w, v) = (&jac * &inverse * jac.transpose(), &jac * &start);
        let e = problem.contacts[0].restitution;
        let ends = |p: &DVector<f64>| -> Vec<f64> {
            let after = &start + &inverse * jac.transpose() * p;
            after.iter().copied().collect()
        };
        let newton = gauss_seidel(&w, &v.map(|v| v + e * v.min(0.0)));
        let poisson = gauss_seidel(&w, &v).and_then(|p_c| {
            let more = gauss_seidel(&w, &(&v + &w * &p_c * (1.0 + e)))?;
            Some(p_c * (1.0 + e) + more)
        });
        for (law, p) in [(Law::Newton, newton), (Law::Poisson, poisson)] {
            let Some(p) = p else { continue };
            compared += 1;
            let result = solve(&problem, law, Method::Complementarity).unwrap();
            let wanted = ends(&p);
            for (a, b) in result.velocity.unwrap().iter().zip(&wanted) {
                assert!((a - b).abs() < 1e-8, "{law}: {wanted:?}");
            }
        }
    }
    assert!(compared > count(2_000), "{compared}");
}

#[test]
fn the_linear_law_gains_energy_exactly_where_it_is_said_to() {
    let mut rng = Rng::with_seed(22);
    let (mut gained, mut lost) = (0, 0);
    for _ in 0..count(5_000) {
        let k = rng.usize(2..5);
        let mut problem = smooth(&mut rng, k + 1, k);
        for contact in &mut problem.contacts {
            contact.restitution = if rng.bool() { 1.0 } else { 0.0 };
        }
        let result = solve(&problem, Law::Newton, Method::Linear).unwrap();
        if result.outcome == Outcome::NoImpact {
            continue;
        }
        let change = result.energy_change.unwrap();
        let v = |c: &carom_contact::impact::ContactResult| c.velocity_before.normal.unwrap();
        let pairs = result.contacts.iter().zip(&problem.contacts);
        let book: f64 = pairs
            .map(|(c, given)| 0.5 * c.impulse.normal.unwrap() * (1.0 - given.restitution) * v(c))
            .sum();
        let scale = impulses(&result).iter().fold(1.0f64, |m, p| m.max(p.abs()));
        assert!((change - book).abs() < 1e-9 * scale, "{change} {book}");
        let is_gain = change > 1e-9 * scale;
        assert!(!is_gain || says(&result, NoteCode::EnergyGain).is_some());
        let said = says(&result, NoteCode::Dissipative).unwrap();
        assert!(!is_gain || said.contains("create energy"), "{said}");
        gained += usize::from(is_gain);
        lost += usize::from(!is_gain);
    }
    assert!(
        gained > count(100) && lost > count(1_000),
        "{gained} {lost}"
    );
}

/// Masses on a line, contacts between neighbours; the last against a wall where asked.
fn line(masses: &[f64], velocity: &[f64], has_wall: bool, restitution: f64) -> ImpactProblem {
    let n = masses.len();
    let spread = |i: usize, x: f64| (0..n).map(|j| if i == j { x } else { 0.0 }).collect();
    let contacts = (0..n - usize::from(!has_wall)).map(|i| Contact {
        name: i.to_string(),
        normal: (0..n)
            .map(|j| match j {
                j if j == i => -1.0,
                j if j == i + 1 => 1.0,
                _ => 0.0,
            })
            .collect(),
        tangent: None,
        tangents: None,
        stiffness: 1.0,
        friction: 0.0.into(),
        restitution,
        tangential_restitution: None,
    });
    ImpactProblem {
        mass: (0..n).map(|i| spread(i, masses[i])).collect(),
        velocity: velocity.to_vec(),
        contacts: contacts.collect(),
        constraints: Vec::new(),
    }
}

#[test]
fn newtons_cradle_one_after_another_passes_the_motion_on() {
    for n in [3, 5, 9] {
        let mut velocity = vec![0.0; n];
        velocity[0] = 1.0;
        let problem = line(&vec![1.0; n], &velocity, false, 1.0);
        for law in ROUTH {
            let result = solve(&problem, law, Method::Sequential).unwrap();
            let mut wanted = vec![0.0; n];
            wanted[n - 1] = 1.0;
            assert_all_close("cradle", result.velocity.as_ref().unwrap(), &wanted);
            assert_eq!(result.outcome, Outcome::Solved);
            let is_listed = says(&result, NoteCode::OutcomesNotSought).is_some();
            assert_eq!(is_listed, n > 7);
        }
    }
}

#[test]
fn a_heavy_block_makes_a_ball_collide_as_often_as_pi_has_digits() {
    for (mass, wanted) in [(1.0, 3), (1e2, 31), (1e4, 314), (1e6, 3141)] {
        let problem = line(&[mass, 1.0], &[1.0, 0.0], true, 1.0);
        let prepared = Prepared::new(&problem).unwrap();
        let result = prepared.solve_in_order(Law::Newton, &[0, 1]).unwrap();
        let said = says(&result, NoteCode::Order).unwrap();
        assert!(said.starts_with(&format!("{wanted} collisions")), "{said}");
    }
}

#[test]
fn two_elastic_contacts_end_alike_in_either_order_where_the_wedge_divides_half_a_turn() {
    for (parts, is_alike) in [
        (2.0, true),
        (3.0, true),
        (5.0, true),
        (2.5, false),
        (3.3, false),
    ] {
        let angle = std::f64::consts::PI / parts;
        let (c, s) = (angle.cos(), angle.sin());
        // Unit masses; normals (1, 0) and (-c, s): cos = -W_12.
        let wall = |name: &str, normal: Vec<f64>| Contact {
            name: name.to_owned(),
            normal,
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: 1.0,
            tangential_restitution: None,
        };
        let problem = ImpactProblem {
            mass: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
            velocity: vec![-0.3, -0.9],
            contacts: vec![wall("a", vec![1.0, 0.0]), wall("b", vec![-c, s])],
            constraints: Vec::new(),
        };
        let result = solve(&problem, Law::Newton, Method::Sequential).unwrap();
        assert_eq!(
            result.outcome == Outcome::Solved,
            is_alike,
            "{parts}: {result:?}"
        );
        assert_eq!(result.outcomes.is_empty(), is_alike);
        for one in &result.outcomes {
            assert!(one.energy_change.unwrap().abs() < 1e-12);
            assert!(
                one.contacts
                    .iter()
                    .all(|c| c.velocity_after.normal.unwrap() > -1e-12)
            );
        }
    }
}

#[test]
fn sequences_with_friction_balance_and_never_leave_a_contact_approaching() {
    let mut rng = Rng::with_seed(23);
    let (mut ended, mut several) = (0, 0);
    for _ in 0..count(3_000) {
        let (n, k) = (rng.usize(3..6), rng.usize(2..4));
        let mut problem = smooth(&mut rng, n, k);
        for contact in &mut problem.contacts {
            contact.tangent = rng.bool().then(|| row(&mut rng, n));
            let mu = rng.f64();
            contact.friction = mu.into();
        }
        for law in ROUTH {
            let result = solve(&problem, law, Method::Sequential).unwrap();
            several += usize::from(!result.outcomes.is_empty());
            let all: Vec<&ImpactResult> = match result.outcomes.is_empty() {
                true => vec![&result],
                false => result.outcomes.iter().collect(),
            };
            for one in all.iter().filter(|one| one.velocity.is_some()) {
                ended += 1;
                assert!(one.residuals.momentum.unwrap() < 1e-9, "{one:?}");
                assert!(one.residuals.energy.unwrap() < 1e-9, "{one:?}");
                let after = one
                    .contacts
                    .iter()
                    .map(|c| c.velocity_after.normal.unwrap());
                assert!(after.fold(0.0, f64::min) > -1e-9, "{one:?}");
                let gains = says(one, NoteCode::EnergyGain).is_some();
                assert!(gains || one.energy_change.unwrap() < 1e-9);
                assert!(!gains || law != Law::Energetic, "{one:?}");
            }
        }
    }
    assert!(
        ended > count(5_000) && several > count(500),
        "{ended} {several}"
    );
}

#[test]
fn a_sequence_without_an_end_says_so() {
    // Between two approaching walls of one block: driven constraints move both.
    let mut problem = line(&[1.0, 1.0, 1.0], &[1.0, 0.0, -1.0], false, 1.0);
    problem.constraints = vec![Constraint {
        name: "drive".to_owned(),
        rows: vec![vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0]],
    }];
    let result = solve(&problem, Law::Newton, Method::Sequential).unwrap();
    let first = result.outcomes.first().unwrap_or(&result);
    assert_eq!(first.outcome, Outcome::Infeasible, "{result:?}");
    assert!(
        says(first, NoteCode::Infeasible)
            .unwrap()
            .contains("not ended")
    );
}

#[test]
fn degenerate_contacts_in_a_line_or_one_after_another_never_give_a_nan() {
    let mut rng = Rng::with_seed(24);
    let (mut seen, mut refused) = ([0; 5], 0);
    for _ in 0..count(10_000) {
        let (n, k) = (rng.usize(1..5), rng.usize(2..5));
        let digits =
            |rng: &mut Rng| -> Vec<f64> { (0..n).map(|_| f64::from(rng.i8(-1..=1))).collect() };
        let mut problem = smooth(&mut rng, n, k);
        problem.velocity = digits(&mut rng);
        let is_rough = rng.bool();
        for contact in &mut problem.contacts {
            contact.normal = digits(&mut rng);
            contact.tangent = is_rough.then(|| digits(&mut rng));
            contact.friction = 0.5.into();
            contact.restitution = f64::from(rng.u8(0..=2)) / 2.0;
        }
        for method in [Method::Linear, Method::Sequential] {
            let Ok(result) = solve(&problem, Law::Newton, method) else {
                refused += 1;
                assert!(is_rough && method == Method::Linear);
                continue;
            };
            for one in result.outcomes.iter().chain([&result]) {
                let velocity = one.velocity.iter().flatten().copied();
                assert!(velocity.chain(one.energy_change).all(f64::is_finite));
                assert!(one.velocity.is_some() || !one.notes.is_empty());
            }
            seen[match result.outcome {
                Outcome::Solved => 0,
                Outcome::NoImpact => 1,
                Outcome::Infeasible => 2,
                Outcome::Jammed => 3,
                Outcome::Undetermined => 4,
            }] += 1;
        }
    }
    assert!(refused > count(1_000), "{refused}");
    assert!(seen[0] > count(1_000) && seen[4] > count(500), "{seen:?}");
    assert!(seen[2] > count(500), "{seen:?}");
}

#[test]
fn two_hundred_contacts_are_solved_by_the_linear_law_and_one_after_another() {
    let mut rng = Rng::with_seed(25);
    let problem = smooth(&mut rng, 220, full_or(200, 60));
    for method in [Method::Linear, Method::Sequential] {
        let result = solve(&problem, Law::Newton, method).unwrap();
        if let Some(residual) = result.residuals.momentum {
            assert!(residual < 1e-9, "{method}: {residual}");
        }
        assert!(result.velocity.is_some() || !result.notes.is_empty());
    }
}
