//! Several contacts with friction in space: what must hold whatever the mechanism.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    Constraint, Contact, ContactType, ImpactProblem, ImpactResult, Law, Method, NoteCode, Outcome,
    Tangential, solve,
};
use carom_support::contact::several::{mass, row};
use carom_support::near::assert_all_near;
use carom_support::random::count;
use fastrand::Rng;

const LAWS: [Law; 3] = [Law::Newton, Law::Poisson, Law::Moreau];

fn by(problem: &ImpactProblem, law: Law) -> ImpactResult {
    let result = solve(problem, law, Method::Complementarity);
    result.unwrap_or_else(|error| panic!("{error}: {problem:?}"))
}

fn space(value: Option<Tangential>) -> [f64; 2] {
    match value {
        Some(Tangential::Space(pair)) => pair,
        other => panic!("{other:?} is no pair"),
    }
}

fn along(row: &[f64], velocity: &[f64]) -> f64 {
    row.iter().zip(velocity).map(|(a, b)| a * b).sum()
}

fn has(result: &ImpactResult, code: NoteCode) -> bool {
    result.notes.iter().any(|note| note.code == code)
}

/// `k` contacts in space of `n` coordinates, most of them approaching, friction up to `mu`.
fn problem(rng: &mut Rng, n: usize, k: usize, mu: f64) -> ImpactProblem {
    let (velocity, restitution) = (row(rng, n), rng.f64());
    let contacts = (0..k).map(|i| {
        let mut normal = row(rng, n);
        if along(&normal, &velocity) > 0.0 && rng.u8(0..4) > 0 {
            normal.iter_mut().for_each(|x| *x = -*x);
        }
        let kinetic = mu * rng.f64();
        Contact {
            name: i.to_string(),
            normal,
            tangent: None,
            tangents: (rng.u8(0..6) > 0).then(|| [row(rng, n), row(rng, n)]),
            friction: GivenFriction {
                mu_s: kinetic * if rng.bool() { 1.0 } else { 1.3 },
                mu_d: kinetic,
            },
            restitution,
            tangential_restitution: None,
            stiffness: Contact::EQUAL_STIFFNESS,
        }
    });
    ImpactProblem {
        contacts: contacts.collect(),
        mass: mass(rng, n),
        velocity,
        constraints: Vec::new(),
    }
}

/// Momentum, cone, complementarity and slip against friction, read off the result alone.
fn audit(problem: &ImpactProblem, result: &ImpactResult) {
    let residuals = result.residuals;
    assert!(residuals.momentum.unwrap() < 1e-9, "{result:?}");
    assert!(residuals.energy.unwrap() < 1e-9, "{result:?}");
    assert!(residuals.cone.unwrap() < 1e-9, "{result:?}");
    let velocity = result.velocity.as_ref().unwrap();
    let speed = velocity.iter().fold(1.0f64, |most, v| most.max(v.abs()));
    for (posed, contact) in problem.contacts.iter().zip(&result.contacts) {
        let v_n = along(&posed.normal, velocity);
        assert!(v_n > -1e-8 * speed, "{result:?}");
        let p_n = contact.impulse.normal.unwrap();
        assert!(p_n >= 0.0);
        let Some(tangents) = &posed.tangents else {
            continue;
        };
        let p_t = space(contact.impulse.tangent);
        let mu = match result.law {
            Law::Moreau => posed.friction.mu_d,
            _ => posed.friction.mu_s,
        };
        assert!(p_t[0].hypot(p_t[1]) <= mu * p_n + 1e-9, "{contact:?}");
        let v_t = [0, 1].map(|k| along(&tangents[k], velocity));
        assert_all_near("v_t", &space(contact.velocity_after.tangent), &v_t, 1e-8);
    }
}

#[test]
fn impulses_in_space_keep_momentum_cone_and_complementarity() {
    let mut rng = Rng::with_seed(4101);
    let mut solved = [0; 3];
    for _ in 0..count(600) {
        let (n, k) = (rng.usize(6..13), rng.usize(2..5));
        let mut problem = problem(&mut rng, n, k, 0.8);
        if rng.bool() {
            let rows = vec![row(&mut rng, n)];
            let held = along(&rows[0], &problem.velocity) / along(&rows[0], &rows[0]);
            for (v, g) in problem.velocity.iter_mut().zip(&rows[0]) {
                *v -= held * g;
            }
            let name = "held".to_owned();
            problem.constraints.push(Constraint { name, rows });
        }
        for (i, law) in LAWS.into_iter().enumerate() {
            let result = by(&problem, law);
            if result.outcome == Outcome::NoImpact || result.velocity.is_none() {
                continue;
            }
            audit(&problem, &result);
            result.outcomes.iter().for_each(|one| audit(&problem, one));
            solved[i] += 1;
            if law != Law::Newton && result.law != Law::Moreau {
                assert!(!has(&result, NoteCode::EnergyGain), "{result:?}");
            }
        }
    }
    assert!(solved.iter().all(|n| *n > count(400)), "{solved:?}");
}

#[test]
fn weak_friction_on_regular_contacts_is_proved_to_have_one_velocity() {
    let mut rng = Rng::with_seed(4102);
    let mut proved = 0;
    for _ in 0..count(200) {
        let mut problem = problem(&mut rng, 9, 2, 0.05);
        for contact in &mut problem.contacts {
            contact.friction.mu_s = contact.friction.mu_d;
        }
        let result = by(&problem, Law::Moreau);
        if result.outcome == Outcome::Solved && result.determinacy.velocity_unique {
            proved += 1;
            assert!(!has(&result, NoteCode::OutcomesNotSought));
        }
    }
    assert!(proved > count(100), "{proved}");
}

/// A problem of the plane and the same in space: one more coordinate, along which t2 moves, and every pair of
/// tangents turned.
fn lifted(rng: &mut Rng, k: usize) -> (ImpactProblem, ImpactProblem) {
    let n = rng.usize(3..3 + 2 * k);
    let velocity = row(rng, n);
    let mut flat = ImpactProblem {
        mass: mass(rng, n),
        velocity,
        contacts: Vec::new(),
        constraints: Vec::new(),
    };
    let mut round = flat.clone();
    round.mass.iter_mut().for_each(|row| row.push(0.0));
    let mut last = vec![0.0; n + 1];
    last[n] = 0.7;
    round.mass.push(last);
    round.velocity.push(0.0);
    for i in 0..k {
        let (normal, tangent) = (row(rng, n), row(rng, n));
        let contact = Contact {
            name: i.to_string(),
            normal: normal.clone(),
            tangent: Some(tangent.clone()),
            tangents: None,
            friction: (0.6 * rng.f64()).into(),
            restitution: rng.f64(),
            tangential_restitution: None,
            stiffness: Contact::EQUAL_STIFFNESS,
        };
        let (s, c) = (6.3 * rng.f64()).sin_cos();
        let turned = |a: f64, b: f64| {
            let own = tangent.iter().map(|t| a * t);
            own.chain([b]).collect::<Vec<f64>>()
        };
        round.contacts.push(Contact {
            normal: [&normal[..], &[0.0]].concat(),
            tangent: None,
            tangents: Some([turned(c, -s), turned(s, c)]),
            ..contact.clone()
        });
        flat.contacts.push(contact);
    }
    (flat, round)
}

#[test]
fn planar_collisions_of_several_contacts_end_alike_in_space() {
    let mut rng = Rng::with_seed(4103);
    let mut compared = [0; 4];
    for _ in 0..count(500) {
        let k = rng.usize(2..4);
        let (flat, round) = lifted(&mut rng, k);
        for (i, law) in LAWS.into_iter().enumerate() {
            let (plane, space) = (by(&flat, law), by(&round, law));
            let is_one = plane.outcome == Outcome::Solved && plane.outcomes.is_empty();
            if !is_one || space.outcome != Outcome::Solved {
                // What space claims to be unique is not several in the plane.
                assert!(plane.outcomes.is_empty() || !space.determinacy.velocity_unique);
                continue;
            }
            compared[i] += 1;
            let wanted = [&plane.velocity.clone().unwrap()[..], &[0.0]].concat();
            assert_all_near(law.name(), &space.velocity.unwrap(), &wanted, 1e-8);
            // What impulses that are shared do on the way is a choice.
            let is_shared = plane.determinacy.impulses_unique.contains(&false);
            let pairs = plane.contacts.iter().zip(&space.contacts);
            for (a, b) in pairs.filter(|_| !is_shared) {
                assert_eq!(a.contact_type, b.contact_type, "{law} {a:?} {b:?}");
            }
        }
        let order: Vec<usize> = (0..k).collect();
        let turns = |problem| {
            let prepared = carom_contact::impact::Prepared::new(problem).unwrap();
            prepared.solve_in_order(Law::Energetic, &order).unwrap()
        };
        let (plane, space) = (turns(&flat), turns(&round));
        assert_eq!(plane.outcome, space.outcome);
        if let (Some(plane), Some(space)) = (plane.velocity, space.velocity) {
            compared[3] += 1;
            let wanted = [&plane[..], &[0.0]].concat();
            assert_all_near("in turn", &space, &wanted, 1e-8);
        }
    }
    assert!(compared.iter().all(|n| *n > count(150)), "{compared:?}");
}

/// A free body with unit mass and inertia, touching a floor with points.
fn body(velocity: [f64; 6], points: &[[f64; 3]], mu: f64, restitution: f64) -> ImpactProblem {
    let contact = |(i, r): (usize, &[f64; 3])| Contact {
        name: format!("corner {i}"),
        normal: vec![0.0, 0.0, 1.0, r[1], -r[0], 0.0],
        tangent: None,
        tangents: Some([
            vec![1.0, 0.0, 0.0, 0.0, r[2], -r[1]],
            vec![0.0, 1.0, 0.0, -r[2], 0.0, r[0]],
        ]),
        friction: mu.into(),
        restitution,
        tangential_restitution: None,
        stiffness: Contact::EQUAL_STIFFNESS,
    };
    ImpactProblem {
        mass: (0..6)
            .map(|i| (0..6).map(|j| f64::from(u8::from(i == j))).collect())
            .collect(),
        velocity: velocity.to_vec(),
        contacts: points.iter().enumerate().map(contact).collect(),
        constraints: Vec::new(),
    }
}

const CORNERS: [[f64; 3]; 4] = [
    [0.5, 0.5, -0.2],
    [0.5, -0.5, -0.2],
    [-0.5, 0.5, -0.2],
    [-0.5, -0.5, -0.2],
];

#[test]
fn a_box_that_lands_flat_and_slides_has_no_unique_velocity_and_says_so() {
    let problem = body([2.0, 0.4, -1.0, 0.0, 0.0, 1.5], &CORNERS, 0.3, 0.0);
    for law in LAWS {
        let result = by(&problem, law);
        assert_eq!(result.outcome, Outcome::Undetermined, "{result:?}");
        assert!(!result.determinacy.velocity_unique);
        assert!(result.outcomes.len() > 1 && has(&result, NoteCode::SeveralOutcomes));
        result.outcomes.iter().for_each(|one| audit(&problem, one));
        let said = &result.notes[0].sentence;
        assert!(said.contains("equally compliant"), "{said}");
    }
}

#[test]
fn a_box_that_falls_straight_stops_dead_and_shares_its_weight_equally() {
    let problem = body([0.0, 0.0, -1.0, 0.0, 0.0, 0.0], &CORNERS, 0.5, 0.0);
    for law in LAWS {
        let result = by(&problem, law);
        assert_all_near("v", &result.velocity.clone().unwrap(), &[0.0; 6], 1e-9);
        for contact in &result.contacts {
            assert!(
                (contact.impulse.normal.unwrap() - 0.25).abs() < 1e-6,
                "{contact:?}"
            );
            assert_eq!(contact.contact_type, ContactType::NonSlidingCompression);
            assert!(contact.started_at_rest);
        }
        assert!(!result.determinacy.velocity_unique || !result.determinacy.impulses_unique[0]);
    }
}

#[test]
fn a_contact_that_strikes_alone_follows_rouths_path_though_another_touches() {
    // The second point touches and is driven apart.
    let points = [[0.6, 0.1, -0.3], [-0.5, 0.0, 0.4]];
    let mut both = body([0.9, -0.4, -1.0, 0.2, 0.1, 0.3], &points, 0.4, 0.6);
    let lifts = along(&both.contacts[1].normal, &both.velocity);
    both.velocity[4] += lifts / points[1][0]; // v_n = 0 there
    let one = ImpactProblem {
        contacts: vec![both.contacts[0].clone()],
        ..both.clone()
    };
    // An impulse at one side of the body lifts the other unless it tilts: here it is pressed down.
    let up = Contact {
        normal: both.contacts[1].normal.iter().map(|x| -x).collect(),
        ..both.contacts[1].clone()
    };
    for law in [Law::Newton, Law::Poisson] {
        let alone = by(&one, law);
        let open = [
            &both,
            &ImpactProblem {
                contacts: vec![both.contacts[0].clone(), up.clone()],
                ..both.clone()
            },
        ];
        let mut told = 0;
        for problem in open {
            let result = by(problem, law);
            let sentence = "corner 0 acts alone, along Routh's path";
            if result.notes.iter().any(|note| note.sentence == sentence) {
                told += 1;
                let wanted = alone.velocity.clone().unwrap();
                assert_all_near("v", &result.velocity.unwrap(), &wanted, 1e-12);
            }
        }
        assert_eq!(told, 1, "one side opens, the other is pressed");
    }
}

#[test]
fn a_static_coefficient_holds_what_the_kinetic_one_would_let_slip() {
    // Two points of a heavy body in translation: P_t = 0.45 of P_n stops the slip.
    let points = [[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]];
    let mut problem = body([0.45, 0.0, -1.0, 0.0, 0.0, 0.0], &points, 0.4, 0.0);
    let slipped = by(&problem, Law::Newton);
    assert!(slipped.velocity.unwrap()[0] > 0.04);
    for contact in &mut problem.contacts {
        contact.friction.mu_s = 0.5;
    }
    for law in [Law::Newton, Law::Poisson] {
        let held = by(&problem, law);
        assert_all_near("v", &held.velocity.clone().unwrap(), &[0.0; 6], 1e-9);
        assert!(!held.determinacy.velocity_unique);
    }
    let kinetic = by(&problem, Law::Moreau);
    assert!((kinetic.velocity.unwrap()[0] - 0.05).abs() < 1e-9);
}

#[test]
fn the_units_of_a_stop_do_not_change_what_happens_beside_rough_contacts() {
    let points = [[0.5, 0.1, -0.2], [-0.4, -0.3, -0.2]];
    let mut problem = body([0.5, 0.3, -1.0, 0.4, -0.2, 0.1], &points, 0.3, 0.4);
    problem.contacts.push(Contact {
        name: "stop".to_owned(),
        normal: vec![-1.0, 0.0, 0.2, 0.0, 0.0, 0.1],
        tangent: None,
        tangents: None,
        friction: 0.0.into(),
        restitution: 0.4,
        tangential_restitution: None,
        stiffness: Contact::EQUAL_STIFFNESS,
    });
    let mut other = problem.clone();
    other.contacts[2].normal.iter_mut().for_each(|x| *x *= 1e3);
    for law in LAWS {
        let (a, b) = (by(&problem, law), by(&other, law));
        let p = |r: &ImpactResult| r.contacts[2].impulse.normal.unwrap();
        assert!(p(&a) > 0.01, "{a:?}");
        assert!((p(&a) - 1e3 * p(&b)).abs() < 1e-9 * p(&a));
        assert_all_near("v", &a.velocity.unwrap(), &b.velocity.unwrap(), 1e-9);
    }
}
