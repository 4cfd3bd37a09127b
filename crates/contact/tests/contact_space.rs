//! Problems stated in contact space: the same answers as those of the mechanisms behind them.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use carom_contact::contact_space::{ContactSpace, GivenFriction, Mechanism};
use carom_contact::impact::{
    Constraint, Contact, ContactSpaceProblem, ContactType, ImpactInputError, ImpactProblem,
    ImpactResult, Law, Method, NoteCode, Outcome, Prepared, StatedContact,
};
use carom_support::cases::{cases, numbers};
use carom_support::contact::several::{mass, row};
use carom_support::near::{assert_all_near, assert_near};
use common::{chance, count};
use fastrand::Rng;
use serde_json::Value;

const TOLERANCE: f64 = 1e-11;

fn one(w: &[f64], v: &[f64], friction: GivenFriction, restitution: f64) -> ContactSpaceProblem {
    ContactSpaceProblem {
        delassus: w.chunks_exact(v.len()).map(<[f64]>::to_vec).collect(),
        contact_velocity: v.to_vec(),
        contacts: vec![StatedContact {
            name: "0".to_owned(),
            friction,
            restitution,
            tangential_restitution: None,
            stiffness: 1.0,
        }],
    }
}

fn by(problem: &ContactSpaceProblem, law: Law) -> ImpactResult {
    let prepared = Prepared::stated(problem).unwrap();
    prepared.solve(law, Method::Complementarity).unwrap()
}

fn vector(pair: &carom_contact::impact::Pair) -> Vec<f64> {
    let mut all = vec![pair.normal.unwrap()];
    all.extend_from_slice(pair.tangent.unwrap().numbers());
    all
}

#[test]
fn every_spatial_reference_case_is_met_from_its_delassus_matrix() {
    for case in &cases("spatial-impact-reference") {
        let id = case["id"].as_str().unwrap();
        let (contact, expected) = (&case["problem"]["contacts"][0], &case["expected"]);
        let mu = |key: &str| contact["friction"][key].as_f64().unwrap();
        let friction = GivenFriction {
            mu_s: mu("static"),
            mu_d: mu("kinetic"),
        };
        let problem = one(
            &numbers(&expected["W"]),
            &numbers(&expected["v_before"]),
            friction,
            contact["restitution"].as_f64().unwrap(),
        );
        let law = case["problem"]["law"].as_str().unwrap().parse().unwrap();
        let result = by(&problem, law);
        let found = &result.contacts[0];
        let lists = [
            ("v", vector(&found.velocity_after), "v"),
            ("p", vector(&found.impulse), "P"),
        ];
        for (what, found, key) in lists {
            let wanted = numbers(&expected[key]);
            assert_all_near(&format!("{id} {what}"), &found, &wanted, TOLERANCE);
        }
        let wanted = expected["energy_change"].as_f64().unwrap();
        assert_near(id, result.energy_change.unwrap(), wanted, TOLERANCE);
        let is_arrested = result.notes.iter().any(|n| n.code == NoteCode::Arrested);
        assert_eq!(is_arrested, expected["outcome"] == "arrested", "{id}");
        assert_eq!(result.velocity, Some(vec![]), "{id}");
        for residual in [result.residuals.momentum, result.residuals.energy] {
            assert!(residual.unwrap() < 1e-14, "{id}");
        }
    }
}

fn planar_case(case: &Value) -> (ContactSpaceProblem, Law) {
    let velocity = numbers(&case["qdot_minus"]);
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &numbers(&case["M"]),
            velocity: &velocity,
            rows: &numbers(&case["J"]),
            constraints: &[],
        })
        .unwrap();
    let number = |key: &str| case[key].as_f64().unwrap();
    let friction = GivenFriction {
        mu_s: number("mu_s"),
        mu_d: number("mu_d"),
    };
    let w = [space.w(0, 0), space.w(0, 1), space.w(1, 0), space.w(1, 1)];
    let v = [space.v(0), space.v(1)];
    let law = case["law"].as_str().unwrap().parse().unwrap();
    (one(&w, &v, friction, number("e")), law)
}

#[test]
fn every_planar_reference_case_is_met_from_its_delassus_matrix() {
    for case in &cases("planar-reference") {
        let id = case["id"].as_str().unwrap();
        let (problem, law) = planar_case(case);
        let result = by(&problem, law);
        let (found, expected) = (&result.contacts[0], &case["expected"]);
        let number = |key: &str| expected[key].as_f64().unwrap();
        let p = [number("In"), number("It")];
        let v = [number("vn_plus"), number("vt_plus")];
        assert_all_near(id, &vector(&found.impulse), &p, 1e-10);
        let speed = problem.contact_velocity[0].abs() + problem.contact_velocity[1].abs();
        for (found, wanted) in vector(&found.velocity_after).iter().zip(v) {
            assert!(
                (found - wanted).abs() <= 1e-10 * speed,
                "{id}: {found} {wanted}"
            );
        }
        let name = found.contact_type.name();
        let others = expected["type_alt"].as_array().unwrap();
        assert!(
            expected["type"] == name || others.iter().any(|t| t == name),
            "{id}: {name}"
        );
    }
}

/// The statement of a problem in contact space, through the reduction: rows stacked by contact.
fn stated(problem: &ImpactProblem) -> ContactSpaceProblem {
    let rows: Vec<&Vec<f64>> = problem
        .contacts
        .iter()
        .flat_map(|c| {
            std::iter::once(&c.normal)
                .chain(&c.tangent)
                .chain(c.tangents.iter().flatten())
        })
        .collect();
    let flat: Vec<f64> = rows.iter().flat_map(|row| row.iter().copied()).collect();
    let joints = problem.constraints.iter().flat_map(|c| &c.rows);
    let joints: Vec<f64> = joints.flatten().copied().collect();
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &problem.mass.concat(),
            velocity: &problem.velocity,
            rows: &flat,
            constraints: &joints,
        })
        .unwrap();
    let all = 0..rows.len();
    ContactSpaceProblem {
        delassus: all
            .clone()
            .map(|i| all.clone().map(|j| space.w(i, j)).collect())
            .collect(),
        contact_velocity: all.clone().map(|i| space.v(i)).collect(),
        contacts: problem
            .contacts
            .iter()
            .map(|c| StatedContact {
                name: c.name.clone(),
                friction: c.friction,
                restitution: c.restitution,
                tangential_restitution: None,
                stiffness: c.stiffness,
            })
            .collect(),
    }
}

/// `k` contacts in the plane of a mechanism of `n` coordinates, held by a row that may move.
fn several(rng: &mut Rng, n: usize, k: usize, moves: bool) -> ImpactProblem {
    let contacts = (0..k).map(|i| Contact {
        name: i.to_string(),
        normal: row(rng, n),
        tangent: Some(row(rng, n)),
        tangents: None,
        friction: (0.6 * rng.f64()).into(),
        restitution: rng.f64(),
        tangential_restitution: None,
        stiffness: 1.0,
    });
    let contacts = contacts.collect();
    let held = Constraint {
        name: "held".to_owned(),
        rows: vec![row(rng, n)],
    };
    ImpactProblem {
        mass: mass(rng, n),
        velocity: row(rng, n),
        contacts,
        constraints: if moves { vec![held] } else { Vec::new() },
    }
}

#[test]
fn several_contacts_have_the_velocities_and_energies_of_the_mechanism_behind_them() {
    let rng = &mut Rng::with_seed(71);
    let (mut solved, mut dependent) = (0, 0);
    for _ in 0..count(2_000) {
        let (n, k, moves) = (2 + rng.usize(..4), 2 + rng.usize(..2), chance(rng, 0.3));
        let problem = several(rng, n, k, moves);
        let restated = stated(&problem);
        for method in [Method::Complementarity, Method::Sequential] {
            for law in [Law::Newton, Law::Poisson] {
                let whole = Prepared::new(&problem).unwrap().solve(law, method);
                let alone = Prepared::stated(&restated).unwrap().solve(law, method);
                let (Ok(whole), Ok(alone)) = (whole, alone) else {
                    continue;
                };
                assert_eq!(whole.outcome, alone.outcome, "{law} {restated:?}");
                if whole.outcome != Outcome::Solved {
                    continue;
                }
                solved += 1;
                dependent += usize::from(n < 2 * k);
                assert_agree(&whole, &alone, &restated);
            }
        }
    }
    assert!(
        solved > count(2_000) && dependent > solved / 4,
        "{solved} {dependent}"
    );
}

/// Contact velocities to the digits that a Gram matrix keeps of its vectors.
fn assert_agree(whole: &ImpactResult, alone: &ImpactResult, problem: &ContactSpaceProblem) {
    let speed = problem
        .contact_velocity
        .iter()
        .fold(0.0, |s: f64, v| s.max(v.abs()));
    let after = |r: &ImpactResult| -> Vec<f64> {
        let all = r.contacts.iter().flat_map(|c| vector(&c.velocity_after));
        all.collect()
    };
    for (a, b) in after(whole).iter().zip(after(alone)) {
        assert!((a - b).abs() <= 1e-6 * speed, "{a} {b} {problem:?}");
    }
    assert!(alone.residuals.momentum.unwrap() < 1e-8, "{problem:?}");
}

#[test]
fn a_contact_without_tangents_is_frictionless_and_several_share_what_they_must() {
    let rng = &mut Rng::with_seed(72);
    for _ in 0..count(500) {
        let n = 1 + rng.usize(..3);
        let mut problem = several(rng, n, 3, false);
        for contact in &mut problem.contacts {
            contact.tangent = None;
            contact.friction = 0.0.into();
        }
        let restated = stated(&problem);
        assert_eq!(restated.rows_per_contact().unwrap(), 1);
        let (whole, alone) = (
            Prepared::new(&problem).unwrap(),
            Prepared::stated(&restated).unwrap(),
        );
        for law in [Law::Newton, Law::Poisson] {
            let whole = whole.solve(law, Method::Complementarity).unwrap();
            let alone = alone.solve(law, Method::Complementarity).unwrap();
            assert_eq!(whole.outcome, alone.outcome);
            assert_eq!(whole.determinacy.rank, alone.determinacy.rank);
            if whole.outcome == Outcome::Solved {
                for (a, b) in whole.contacts.iter().zip(&alone.contacts) {
                    let (a, b) = (a.velocity_after.normal, b.velocity_after.normal);
                    assert!((a.unwrap() - b.unwrap()).abs() < 1e-7);
                    assert!(alone.contacts.iter().all(|c| matches!(
                        c.contact_type,
                        ContactType::Frictionless | ContactType::NoImpact
                    )));
                }
            }
        }
    }
}

#[test]
fn a_statement_that_does_not_fit_is_refused_at_its_element() {
    let good = one(
        &[1.0, 0.1, 0.0, 0.1, 1.0, 0.2, 0.0, 0.2, 2.0],
        &[-1.0, 0.3, 0.1],
        0.3.into(),
        0.5,
    );
    assert!(Prepared::stated(&good).is_ok());
    let refused = |change: &dyn Fn(&mut ContactSpaceProblem)| {
        let mut bad = good.clone();
        change(&mut bad);
        let error: ImpactInputError = Prepared::stated(&bad).unwrap_err();
        (error.path(), error.to_string())
    };
    for (change, path, says) in [
        (
            &(|p: &mut ContactSpaceProblem| p.delassus[0][1] = 0.2)
                as &dyn Fn(&mut ContactSpaceProblem),
            "delassus[0][1]",
            "not symmetric",
        ),
        (
            &|p| p.delassus[2][2] = 0.01,
            "delassus[1][1]",
            "not positive semidefinite",
        ),
        (
            &|p| p.delassus[1][1] = -1.0,
            "delassus[1][1]",
            "not positive semidefinite",
        ),
        (
            &|p| p.delassus.truncate(2),
            "delassus",
            "2 rows, expected 3",
        ),
        (
            &|p| p.delassus[1].truncate(2),
            "delassus[1]",
            "2 elements, expected 3",
        ),
        (
            &|p| p.contact_velocity.push(0.0),
            "contact_velocity",
            "4 numbers for 1 contact",
        ),
        (
            &|p| p.contact_velocity[2] = f64::NAN,
            "contact_velocity[2]",
            "finite",
        ),
        (
            &|p| p.contacts[0].restitution = 2.0,
            "contacts[0].restitution",
            "from 0 to 1",
        ),
        (&|p| p.contacts.clear(), "contacts", "no contact"),
    ] {
        let (found, message) = refused(change);
        assert!(
            found == path && message.contains(says),
            "{found}: {message}"
        );
    }
}

/// A planar problem in space: an inertia across its plane, turned about the normal.
fn embedded(flat: &common::Problem, across: f64, angle: f64) -> ContactSpaceProblem {
    let (sin, cos) = angle.sin_cos();
    let common::Problem { a, b, c, .. } = *flat;
    let w_12 = sin * cos * (b - across);
    let w = [
        a,
        cos * c,
        sin * c,
        cos * c,
        cos * cos * b + sin * sin * across,
        w_12,
        sin * c,
        w_12,
        sin * sin * b + cos * cos * across,
    ];
    let friction = GivenFriction {
        mu_s: flat.mu_s,
        mu_d: flat.mu_d,
    };
    let v = [flat.v_n, cos * flat.v_t, sin * flat.v_t];
    one(&w, &v, friction, flat.restitution)
}

#[test]
fn a_planar_impact_turned_about_its_normal_keeps_type_and_digits() {
    let rng = &mut Rng::with_seed(73);
    let mut types = std::collections::BTreeMap::new();
    for _ in 0..count(10_000) {
        let flat = common::Problem::general(rng);
        let across = flat.b * 10f64.powf(common::either_sign(rng, 1.0));
        let solid = embedded(&flat, across, std::f64::consts::TAU * rng.f64());
        for law in common::ROUTH {
            let (wanted, found) = (flat.solve(law), by(&solid, law));
            let contact = &found.contacts[0];
            assert_eq!(contact.contact_type, wanted.contact_type, "{flat:?}");
            *types.entry(contact.contact_type.name()).or_insert(0) += 1;
            let Some(end) = wanted.end else {
                continue;
            };
            let size = |x: &[f64]| x[1].hypot(x[2]);
            let (p, v) = (vector(&contact.impulse), vector(&contact.velocity_after));
            let speed = flat.v_n.abs() + flat.v_t.abs();
            assert_near("p_n", p[0], end.impulse.n, TOLERANCE);
            assert!((size(&p) - end.impulse.t.abs()).abs() <= TOLERANCE * end.impulse.n);
            assert!((v[0] - end.v_post.n).abs() <= TOLERANCE * speed);
            assert!((size(&v) - end.v_post.t.abs()).abs() <= TOLERANCE * speed);
        }
    }
    assert!(types.len() >= 5, "{types:?}");
}

#[test]
fn an_impact_next_to_a_plane_is_not_put_into_it() {
    // A slip across of 1e-10 of the slip along, where nothing turns it: friction is along the slip, and what
    // crosses the plane is known to its own digits.
    let rng = &mut Rng::with_seed(74);
    for _ in 0..count(1_000) {
        let mu = 0.1 + 0.1 * rng.f64();
        let across = 1e-10 * (0.5 + rng.f64());
        let ball = [1.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 3.5];
        let problem = one(&ball, &[-1.0, 4.0, 4.0 * across], mu.into(), 0.5);
        let result = by(&problem, Law::Poisson);
        let p = vector(&result.contacts[0].impulse);
        let wanted = -mu * p[0] * across;
        assert!((p[2] - wanted).abs() <= 1e-12 * wanted.abs(), "{p:?}");
    }
}
