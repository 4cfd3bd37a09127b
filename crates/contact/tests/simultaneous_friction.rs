//! Several contacts with friction in the plane: what must hold whatever the mechanism.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use carom_contact::contact_space::GivenFriction;

use carom_contact::impact::{
    Constraint, Contact, ImpactProblem, ImpactResult, Law, Method, NoteCode, Outcome, Tangential,
    solve,
};
use carom_support::contact::several::{mass, row};
use carom_support::random::full_or;
use common::{chance, count};
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

const LAWS: [Law; 3] = [Law::Newton, Law::Poisson, Law::Moreau];

fn along(row: &[f64], velocity: &[f64]) -> f64 {
    row.iter().zip(velocity).map(|(a, b)| a * b).sum()
}

/// `k` contacts of `n` coordinates, most of them approaching, friction up to `mu`.
fn problem(rng: &mut Rng, n: usize, k: usize, mu: f64) -> ImpactProblem {
    let velocity = row(rng, n);
    let common = rng.f64();
    let is_equal = rng.bool();
    let contacts = (0..k).map(|i| {
        let mut normal = row(rng, n);
        if along(&normal, &velocity) > 0.0 && rng.u8(0..4) > 0 {
            normal.iter_mut().for_each(|x| *x = -*x);
        }
        let kinetic = mu * rng.f64();
        let is_rough = chance(rng, 0.85);
        Contact {
            name: i.to_string(),
            normal,
            tangent: is_rough.then(|| row(rng, n)),
            tangents: None,
            stiffness: 1.0,
            friction: GivenFriction {
                mu_s: kinetic * if rng.bool() { 1.0 } else { 1.3 },
                mu_d: kinetic,
            },
            restitution: if is_equal { common } else { rng.f64() },
            tangential_restitution: None,
        }
    });
    let contacts = contacts.collect();
    ImpactProblem {
        mass: mass(rng, n),
        velocity,
        contacts,
        constraints: Vec::new(),
    }
}

fn by(problem: &ImpactProblem, law: Law) -> ImpactResult {
    let result = solve(problem, law, Method::Complementarity);
    result.unwrap_or_else(|error| panic!("{error}: {problem:?}"))
}

/// The outcomes of a result, itself where it is the only one.
fn outcomes(result: &ImpactResult) -> Vec<&ImpactResult> {
    match result.outcomes.is_empty() {
        true => vec![result],
        false => result.outcomes.iter().collect(),
    }
}

fn tangent(value: Option<Tangential>) -> f64 {
    value.and_then(Tangential::plane).unwrap_or(0.0)
}

fn differ(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().chain(b).fold(1.0f64, |most, x| most.max(x.abs()));
    let pairs = a.iter().zip(b);
    pairs.fold(0.0f64, |most, (x, y)| most.max((x - y).abs())) / scale
}

/// Newton's ratio and Coulomb's law on totals, or for Poisson what is left of them.
fn check_conditions(problem: &ImpactProblem, result: &ImpactResult) {
    let size = |pick: &dyn Fn(&carom_contact::impact::ContactResult) -> f64| {
        let values = result.contacts.iter().map(|c| pick(c).abs());
        values.fold(1e-3, f64::max)
    };
    let p_scale = size(&|c| c.impulse.normal.unwrap());
    let v_scale = size(&|c| c.velocity_after.normal.unwrap()) + p_scale;
    for (given, contact) in problem.contacts.iter().zip(&result.contacts) {
        let (p_n, p_t) = (
            contact.impulse.normal.unwrap(),
            tangent(contact.impulse.tangent),
        );
        let (v_n, v) = (
            contact.velocity_after.normal.unwrap(),
            contact.velocity_before,
        );
        let v_t = tangent(contact.velocity_after.tangent);
        let GivenFriction { mu_s, mu_d } = match given.tangent {
            Some(_) => given.friction,
            None => GivenFriction::default(),
        };
        assert!(p_n >= -1e-9 * p_scale, "pulls: {contact:?}");
        assert!(
            p_t.abs() <= mu_s * p_n + 1e-8 * p_scale,
            "{contact:?} {mu_s}"
        );
        assert!(v_n >= -1e-8 * v_scale, "{contact:?}");
        if result.law == Law::Poisson {
            continue;
        }
        let approach = v.normal.unwrap().min(0.0);
        let slack = v_n + given.restitution * approach;
        assert!(slack >= -1e-8 * v_scale, "{contact:?}");
        assert!(
            (slack * p_n).abs() <= 1e-7 * v_scale * p_scale,
            "{contact:?}"
        );
        if result.law == Law::Moreau && given.tangent.is_some() && v_t.abs() > 1e-6 * v_scale {
            let slip = p_t + mu_d * v_t.signum() * p_n;
            assert!(slip.abs() <= 1e-8 * p_scale, "{contact:?} {mu_d}");
        }
    }
}

#[test]
fn every_outcome_keeps_coulombs_law_and_balances() {
    let mut rng = Rng::with_seed(1);
    let (mut solved, mut several, mut none, mut poisson_gains) = (0, 0, 0, 0);
    for _ in 0..count(2_000) {
        let (n, k) = (rng.usize(2..7), rng.usize(2..4));
        let problem = problem(&mut rng, n, k, 1.2);
        for law in LAWS {
            let result = by(&problem, law);
            several += usize::from(result.outcomes.len() > 1);
            for one in outcomes(&result) {
                let Some(change) = one.energy_change else {
                    none += 1;
                    assert_ne!(law, Law::Poisson, "always has an end: {problem:?}");
                    continue;
                };
                solved += 1;
                if !one.notes.iter().any(|n| n.sentence.contains("alone")) {
                    check_conditions(&problem, one);
                }
                assert!(one.residuals.momentum.unwrap() < 1e-9, "{one:?}");
                assert!(one.residuals.energy.unwrap() < 1e-8, "{one:?}");
                let gains = one.notes.iter().any(|n| n.code == NoteCode::EnergyGain);
                let works = one.contacts.iter().map(|c| c.work.normal.unwrap().abs());
                let scale = works.fold(0.0, f64::max);
                assert!(change <= 1e-9 * scale || gains, "{one:?}");
                poisson_gains += usize::from(gains && law == Law::Poisson);
            }
            let is_rough = |c: &Contact| c.tangent.is_some() && c.friction.mu_s > 0.0;
            if problem.contacts.iter().any(is_rough) {
                assert_eq!(
                    result.outcome == Outcome::Undetermined,
                    !result.outcomes.is_empty()
                );
            }
        }
    }
    assert!(solved > count(5_000), "{solved}");
    assert!(
        several >= count(100) && none >= full_or(50, 0),
        "{several} {none}"
    );
    assert!(poisson_gains >= full_or(20, 0), "{poisson_gains}");
}

#[test]
fn one_contact_among_receding_ones_moves_by_the_closed_form() {
    let mut rng = Rng::with_seed(2);
    let mut compared = 0;
    for _ in 0..count(20_000) {
        let n = rng.usize(2..7);
        let mut several = problem(&mut rng, n, 1, 1.2);
        if several.contacts[0].tangent.is_none() {
            continue;
        }
        for (i, other) in problem(&mut rng, n, 2, 1.2)
            .contacts
            .into_iter()
            .enumerate()
        {
            let mut other = other;
            if along(&other.normal, &several.velocity) < 0.0 {
                other.normal.iter_mut().for_each(|x| *x = -*x);
            }
            other.name = format!("other {i}");
            several.contacts.push(other);
        }
        let mut one = several.clone();
        one.contacts.truncate(1);
        for law in LAWS {
            let alone = by(&one, law);
            let Some(velocity) = &alone.velocity else {
                continue;
            };
            // The others stay open along the path, if they do at its corners.
            let path = alone.contacts[0]
                .path
                .iter()
                .map(|c| (c.p_n, tangent(Some(c.p_t))));
            let end = alone.contacts[0].impulse;
            let corners = path.chain([(end.normal.unwrap(), tangent(end.tangent))]);
            let corners: Vec<(f64, f64)> = corners.collect();
            if alone.outcome != Outcome::Solved || !stay_open(&several, &corners) {
                continue;
            }
            compared += 1;
            let together = by(&several, law);
            let found = outcomes(&together);
            let near = |r: &&ImpactResult| {
                r.velocity
                    .as_ref()
                    .is_some_and(|v| differ(v, velocity) < 1e-10)
            };
            let near = found.iter().find(|r| near(r));
            let near = near.unwrap_or_else(|| panic!("{law} {several:?}\n{together:?}"));
            let change = near.energy_change.unwrap() - alone.energy_change.unwrap();
            assert!(change.abs() < 1e-10, "{change}");
            let impulse = near.contacts[0].impulse;
            let pairs = [
                (impulse.normal, alone.contacts[0].impulse.normal),
                (Some(tangent(impulse.tangent)), Some(tangent(end.tangent))),
            ];
            for (a, b) in pairs {
                let (a, b) = (a.unwrap(), b.unwrap());
                assert!((a - b).abs() < 1e-10 * b.abs().max(1.0), "{a} {b}");
            }
        }
    }
    assert!(compared > count(5_000), "{compared}");
}

/// Whether all but the first contact stay open under the impulses of the first.
fn stay_open(problem: &ImpactProblem, corners: &[(f64, f64)]) -> bool {
    let n = problem.velocity.len();
    let mass = DMatrix::from_fn(n, n, |i, j| problem.mass[i][j]);
    let inverse = mass.try_inverse().unwrap();
    let first = &problem.contacts[0];
    let tangent = DVector::from_vec(first.tangent.clone().unwrap());
    let normal = DVector::from_vec(first.normal.clone());
    corners.iter().all(|(p_n, p_t)| {
        let jump = &inverse * (&normal * *p_n + &tangent * *p_t);
        problem.contacts[1..].iter().all(|other| {
            let before = along(&other.normal, &problem.velocity);
            before + along(&other.normal, jump.as_slice()) > 1e-9
        })
    })
}

/// Second route: projected Gauss–Seidel on Moreau's conditions.
fn gauss_seidel(problem: &ImpactProblem) -> Option<Vec<f64>> {
    let n = problem.velocity.len();
    let mass = DMatrix::from_fn(n, n, |i, j| problem.mass[i][j]);
    let inverse = mass.try_inverse()?;
    let start = DVector::from_vec(problem.velocity.clone());
    let mut v = start.clone();
    let mut p = vec![(0.0f64, 0.0f64); problem.contacts.len()];
    for _ in 0..20_000 {
        let mut moved = 0.0f64;
        for (i, contact) in problem.contacts.iter().enumerate() {
            let normal = DVector::from_vec(contact.normal.clone());
            let w = (&inverse * &normal).dot(&normal);
            let before = normal.dot(&start).min(0.0);
            let slack = normal.dot(&v) + contact.restitution * before;
            let p_n = (p[i].0 - slack / w).max(0.0);
            v += &inverse * &normal * (p_n - p[i].0);
            moved = moved.max((p_n - p[i].0).abs());
            p[i].0 = p_n;
            let Some(tangent) = &contact.tangent else {
                continue;
            };
            let tangent = DVector::from_vec(tangent.clone());
            let w = (&inverse * &tangent).dot(&tangent);
            let bound = contact.friction.mu_d * p_n;
            let p_t = (p[i].1 - tangent.dot(&v) / w).clamp(-bound, bound);
            v += &inverse * &tangent * (p_t - p[i].1);
            moved = moved.max((p_t - p[i].1).abs());
            p[i].1 = p_t;
        }
        if moved < 1e-14 {
            return Some(v.iter().copied().collect());
        }
    }
    None
}

#[test]
fn what_projected_gauss_seidel_converges_to_is_among_the_outcomes() {
    let mut rng = Rng::with_seed(3);
    let mut compared = 0;
    for _ in 0..count(2_000) {
        let (n, k) = (rng.usize(2..7), rng.usize(2..4));
        let problem = problem(&mut rng, n, k, 0.8);
        let Some(velocity) = gauss_seidel(&problem) else {
            continue;
        };
        compared += 1;
        let result = by(&problem, Law::Moreau);
        let near = |r: &&ImpactResult| {
            r.velocity
                .as_ref()
                .is_some_and(|v| differ(v, &velocity) < 1e-8)
        };
        assert!(
            outcomes(&result).iter().any(near),
            "{velocity:?} {problem:?} {result:?}"
        );
    }
    assert!(compared > count(1_000), "{compared}");
}

#[test]
fn relabelling_rough_contacts_changes_nothing() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..count(2_000) {
        let (n, k) = (rng.usize(2..6), rng.usize(2..4));
        let problem = problem(&mut rng, n, k, 1.2);
        let mut other = problem.clone();
        rng.shuffle(&mut other.contacts);
        for law in LAWS {
            let (a, b) = (by(&problem, law), by(&other, law));
            let (all_a, all_b) = (outcomes(&a), outcomes(&b));
            assert_eq!(all_a.len(), all_b.len(), "{problem:?}");
            for (a, b) in all_a.iter().zip(&all_b) {
                assert_eq!(a.outcome, b.outcome);
                let (Some(v), Some(w)) = (&a.velocity, &b.velocity) else {
                    continue;
                };
                assert!(differ(v, w) < 1e-8, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_repeated_rough_contact_changes_no_velocity() {
    let mut rng = Rng::with_seed(5);
    let mut shared = 0;
    for _ in 0..count(1_000) {
        let (n, k) = (rng.usize(2..6), rng.usize(1..3));
        let mut problem = problem(&mut rng, n, k, 1.0);
        let mut more = problem.clone();
        let mut copy = more.contacts[0].clone();
        copy.name = "copy".to_owned();
        more.contacts.push(copy);
        let common = problem.contacts[0].restitution;
        for contact in problem.contacts.iter_mut().chain(&mut more.contacts) {
            contact.restitution = common;
        }
        for law in LAWS {
            let (a, b) = (by(&problem, law), by(&more, law));
            let (all_a, all_b) = (outcomes(&a), outcomes(&b));
            assert_eq!(all_a.len(), all_b.len());
            for one in &all_a {
                let Some(v) = &one.velocity else { continue };
                let near =
                    |r: &&&ImpactResult| r.velocity.as_ref().is_some_and(|w| differ(v, w) < 1e-8);
                let found = all_b.iter().find(near);
                let found = found.unwrap_or_else(|| panic!("{law} {more:?} {a:?} {b:?}"));
                let pushes = found.contacts[0].impulse.normal.unwrap() > 1e-9;
                if pushes {
                    shared += 1;
                    assert!(!found.determinacy.impulses_unique[0], "{found:?}");
                    let codes = found.notes.iter().map(|n| n.code);
                    assert!(codes.into_iter().any(|c| c == NoteCode::ImpulsesNotUnique));
                }
            }
        }
    }
    assert!(shared > count(1_000), "{shared}");
}

#[test]
fn degenerate_rough_contacts_get_an_answer_or_a_reason_and_never_a_nan() {
    let mut rng = Rng::with_seed(6);
    let mut seen = [0; 5];
    for _ in 0..count(5_000) {
        let (n, k) = (rng.usize(1..5), rng.usize(2..4));
        let digit = |rng: &mut Rng| f64::from(rng.i8(-1..=1));
        let digits = |rng: &mut Rng| (0..n).map(|_| digit(rng)).collect::<Vec<f64>>();
        let contacts = (0..k).map(|i| Contact {
            name: i.to_string(),
            normal: digits(&mut rng),
            tangent: chance(&mut rng, 0.8).then(|| digits(&mut rng)),
            tangents: None,
            stiffness: 1.0,
            friction: {
                let mu = f64::from(rng.u8(0..=2)) / 2.0;
                mu.into()
            },
            restitution: f64::from(rng.u8(0..=2)) / 2.0,
            tangential_restitution: None,
        });
        let contacts = contacts.collect();
        let rows = (0..rng.usize(0..3)).map(|_| digits(&mut rng));
        let constraints = vec![Constraint {
            name: "g".to_owned(),
            rows: rows.collect(),
        }];
        let problem = ImpactProblem {
            mass: mass(&mut rng, n),
            velocity: digits(&mut rng),
            contacts,
            constraints,
        };
        for law in LAWS {
            let result = by(&problem, law);
            for one in outcomes(&result) {
                let text = serde_json::to_string(one).unwrap();
                assert_eq!(serde_json::from_str::<ImpactResult>(&text).unwrap(), *one);
                let velocity = one.velocity.iter().flatten();
                let impulses = one.contacts.iter().filter_map(|c| c.impulse.normal);
                assert!(velocity.copied().chain(impulses).all(f64::is_finite));
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
    assert!(seen.iter().all(|&x| x > count(300)), "{seen:?}");
}

#[test]
fn many_rough_contacts_get_one_outcome_that_says_so() {
    let mut rng = Rng::with_seed(7);
    // The effort grows with more than the cube: two hundred take half a minute.
    let most = full_or([60, 120], [20, 25]);
    for (n, k) in [(12, 8), (6, 30), (40, most[0]), (12, most[1])] {
        let problem = problem(&mut rng, n, k, 0.5);
        for law in [Law::Poisson, Law::Moreau] {
            let result = by(&problem, law);
            let codes: Vec<NoteCode> = result.notes.iter().map(|n| n.code).collect();
            assert!(codes.contains(&NoteCode::OutcomesNotSought), "{codes:?}");
            if result.velocity.is_some() {
                check_conditions(&problem, &result);
            }
        }
    }
}
