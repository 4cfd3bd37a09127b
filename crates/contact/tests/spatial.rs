//! One contact in space: planar in effect as in its plane, frictionless, or along Routh's path in space.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    Contact, ContactResult, ContactType, ImpactInputError, ImpactProblem, ImpactResult, Law,
    Method, NoteCode, Outcome, Prepared, Tangential, solve,
};
use carom_support::random::count;

/// A rod in the plane that strikes with one end, drawn at random.
fn in_plane(rng: &mut fastrand::Rng) -> ImpactProblem {
    let (angle, half) = (3.0 * rng.f64(), 0.2 + rng.f64());
    let (x, y) = (half * angle.cos(), half * angle.sin());
    let (mass, inertia) = (0.2 + rng.f64(), 0.02 + 0.4 * rng.f64());
    let mu = 1.5 * rng.f64();
    let at_rest = rng.usize(..5) == 0;
    let spin = 4.0 * (rng.f64() - 0.5);
    let slip = if at_rest {
        0.0
    } else {
        2.0 * (rng.f64() - 0.5)
    };
    // v_t = ẋ − y ω, v_n = ẏ + x ω
    ImpactProblem {
        mass: vec![
            vec![mass, 0.0, 0.0],
            vec![0.0, mass, 0.0],
            vec![0.0, 0.0, inertia],
        ],
        velocity: vec![slip + y * spin, -0.1 - rng.f64() - x * spin, spin],
        contacts: vec![Contact {
            name: "hit".to_owned(),
            normal: vec![0.0, 1.0, x],
            tangent: Some(vec![1.0, 0.0, -y]),
            tangents: None,
            stiffness: 1.0,
            friction: GivenFriction {
                mu_s: mu * (1.0 + rng.f64()),
                mu_d: mu,
            },
            restitution: rng.f64(),
            tangential_restitution: None,
        }],
        constraints: Vec::new(),
    }
}

/// The same in space: one more coordinate, across the plane, and tangents turned by `angle`.
fn in_space(flat: &ImpactProblem, angle: f64, across: f64) -> ImpactProblem {
    let mut problem = flat.clone();
    for row in &mut problem.mass {
        row.push(0.0);
    }
    problem.mass.push(vec![0.0, 0.0, 0.0, 0.7]);
    problem.velocity.push(across);
    let contact = &mut problem.contacts[0];
    contact.normal.push(0.0);
    let (sin, cos) = angle.sin_cos();
    let t = contact.tangent.take().unwrap();
    let row = |along: f64, side: f64| {
        let mut row: Vec<f64> = t.iter().map(|x| along * x).collect();
        row.push(side);
        row
    };
    contact.tangents = Some([row(cos, -sin), row(sin, cos)]);
    problem
}

fn by(problem: &ImpactProblem, law: Law) -> Result<ImpactResult, ImpactInputError> {
    solve(problem, law, Method::default())
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// Whether a pair is a value of the plane, along the direction at `angle`.
fn is_along(pair: Option<Tangential>, flat: Option<Tangential>, angle: f64) -> bool {
    let (Some(Tangential::Space([a, b])), Some(Tangential::Plane(value))) = (pair, flat) else {
        return pair.is_none() && flat.is_none();
    };
    near(a, value * angle.cos()) && near(b, value * angle.sin())
}

fn assert_as_in_plane(solid: &ContactResult, flat: &ContactResult, angle: f64) {
    assert_eq!(solid.contact_type, flat.contact_type);
    assert_eq!(solid.started_at_rest, flat.started_at_rest);
    let pairs = [
        (solid.impulse, flat.impulse),
        (solid.velocity_before, flat.velocity_before),
        (solid.velocity_after, flat.velocity_after),
    ];
    for (a, b) in pairs {
        assert!(near(a.normal.unwrap_or(0.0), b.normal.unwrap_or(0.0)));
        assert!(is_along(a.tangent, b.tangent, angle), "{a:?} {b:?}");
    }
    assert_eq!(solid.path.len(), flat.path.len());
    for (a, b) in solid.path.iter().zip(&flat.path) {
        assert!(near(a.p_n, b.p_n) && near(a.v_n, b.v_n));
        assert!(is_along(Some(a.p_t), Some(b.p_t), angle));
        assert!(is_along(a.v_t, b.v_t, angle));
        assert_eq!(a.phase, b.phase);
    }
    let work = |c: &ContactResult| c.work.tangent.map(|w| w.numbers().iter().sum::<f64>());
    assert!(near(work(solid).unwrap_or(0.0), work(flat).unwrap_or(0.0)));
}

#[test]
fn an_impact_that_is_planar_in_effect_has_the_answer_of_its_plane() {
    let rng = &mut fastrand::Rng::with_seed(41);
    let mut types = std::collections::BTreeSet::new();
    for _ in 0..count(20_000) {
        let flat = in_plane(rng);
        let angle = 6.3 * rng.f64();
        let solid = in_space(&flat, angle, 0.0);
        for law in Law::ALL {
            let (one, other) = (by(&flat, law).unwrap(), by(&solid, law).unwrap());
            assert_eq!(other.outcome, one.outcome, "{flat:?}");
            assert_as_in_plane(&other.contacts[0], &one.contacts[0], angle);
            types.insert(one.contacts[0].contact_type);
            let change = |r: &ImpactResult| r.energy_change.unwrap_or(0.0);
            assert!(near(change(&one), change(&other)));
            let is_said = other
                .notes
                .iter()
                .any(|n| n.code == NoteCode::PlanarInEffect);
            assert!(is_said);
            if one.outcome == Outcome::Solved {
                assert_eq!(other.determinacy.rank, one.determinacy.rank + 1);
                assert!(other.residuals.momentum.unwrap() < 1e-12);
                assert!(other.residuals.energy.unwrap() < 1e-11);
            }
            let text = serde_json::to_string(&other).unwrap();
            assert_eq!(serde_json::from_str::<ImpactResult>(&text).unwrap(), other);
        }
    }
    assert!(types.len() >= 5, "{types:?}");
}

#[test]
fn slip_across_the_plane_and_inertia_that_couples_it_are_spatial() {
    let rng = &mut fastrand::Rng::with_seed(43);
    let mut solved = 0;
    for _ in 0..100 {
        let mut flat = in_plane(rng);
        flat.contacts[0].friction = 0.5.into();
        let across = in_space(&flat, 1.0, 0.3);
        let mut coupled = in_space(&flat, 1.0, 0.0);
        (coupled.mass[3][2], coupled.mass[2][3]) = (0.01, 0.01);
        for problem in [across, coupled] {
            assert_balances(&problem);
            let prepared = Prepared::new(&problem).unwrap();
            let error = prepared.diagram(&[Law::Poisson]).unwrap_err();
            assert_eq!(error.path(), "contacts[0].tangents");
            let ImpactInputError::OutOfPlane { contact: 0, source } = error else {
                panic!("{error}");
            };
            let worst = source.v_across.max(source.w_normal).max(source.w_tangent);
            assert!(worst > 1e-6 && source.to_string().contains("spatial friction"));
            solved += 1;
        }
    }
    assert_eq!(solved, 200);
}

/// By every law: residuals, velocities from the impulses, the cone on totals, corners of the path in order, and
/// no energy gained where the law promises that.
fn assert_balances(problem: &ImpactProblem) {
    let contact = &problem.contacts[0];
    for law in Law::ALL {
        let result = by(problem, law).unwrap();
        if result.outcome != Outcome::Solved {
            continue;
        }
        let found = &result.contacts[0];
        let residuals = result.residuals;
        assert!(residuals.momentum.unwrap() < 1e-11, "{law} {residuals:?}");
        assert!(residuals.energy.unwrap() < 1e-11, "{law} {residuals:?}");
        let p_n = found.impulse.normal.unwrap();
        let p_t = found.impulse.tangent.unwrap();
        let p_t = p_t.numbers();
        assert!(p_t[0].hypot(p_t[1]) <= contact.friction.mu_s * p_n * (1.0 + 1e-11));
        let rows = [&contact.normal, &contact.tangents.as_ref().unwrap()[0]];
        let seen = [
            found.velocity_after.normal.unwrap(),
            found.velocity_after.tangent.unwrap().numbers()[0],
        ];
        let velocity = result.velocity.as_ref().unwrap();
        for (row, seen) in rows.iter().zip(seen) {
            let v: f64 = row.iter().zip(velocity).map(|(a, b)| a * b).sum();
            assert!(near(v, seen), "{law} {v} {seen}");
        }
        assert!(found.path.windows(2).all(|two| two[0].p_n < two[1].p_n));
        assert_eq!(found.path.is_empty(), !law.follows_the_path());
        let promises = matches!(law, Law::Poisson | Law::Energetic);
        assert!(!promises || result.energy_change.unwrap() <= 1e-12, "{law}");
    }
}

#[test]
fn a_small_slip_of_no_direction_does_not_make_an_impact_spatial() {
    let rng = &mut fastrand::Rng::with_seed(44);
    for _ in 0..200 {
        let mut flat = in_plane(rng);
        // At rest but for round-off in both directions.
        let slip =
            flat.velocity[0] + flat.contacts[0].tangent.as_ref().unwrap()[2] * flat.velocity[2];
        flat.velocity[0] -= slip;
        let solid = in_space(&flat, 2.0, 1e-16 * (rng.f64() - 0.5));
        let (one, other) = (
            by(&flat, Law::Poisson).unwrap(),
            by(&solid, Law::Poisson).unwrap(),
        );
        let p = |r: &ImpactResult| r.contacts[0].impulse;
        assert!(near(
            p(&one).normal.unwrap_or(0.0),
            p(&other).normal.unwrap_or(0.0)
        ));
    }
}

#[test]
fn a_contact_in_space_without_friction_is_frictionless_whichever_way_it_slips() {
    let rng = &mut fastrand::Rng::with_seed(45);
    for _ in 0..100 {
        let mut flat = in_plane(rng);
        flat.contacts[0].friction = 0.0.into();
        let mut solid = in_space(&flat, 6.0 * rng.f64(), 0.4);
        (solid.mass[3][2], solid.mass[2][3]) = (0.01, 0.01);
        for law in [Law::Newton, Law::Poisson, Law::Energetic] {
            let result = by(&solid, law).unwrap();
            let contact = &result.contacts[0];
            assert_eq!(contact.contact_type, ContactType::Frictionless);
            assert_eq!(contact.impulse.tangent, Some(Tangential::Space([0.0; 2])));
            let after = result.velocity.unwrap();
            let tangents = solid.contacts[0].tangents.as_ref().unwrap();
            let Some(Tangential::Space(v_t)) = contact.velocity_after.tangent else {
                panic!("{contact:?}");
            };
            for (row, v_t) in tangents.iter().zip(v_t) {
                let exact: f64 = row.iter().zip(&after).map(|(j, v)| j * v).sum();
                assert!(near(exact, v_t), "{exact} {v_t}");
            }
        }
    }
}

#[test]
fn a_stuck_contact_that_nothing_moves_across_leaves_that_impulse_open() {
    // A slider along n and t1: no freedom along t2.
    let problem = ImpactProblem {
        mass: vec![vec![2.0, 0.0], vec![0.0, 2.0]],
        velocity: vec![0.0, -1.0],
        contacts: vec![Contact {
            name: "hit".to_owned(),
            normal: vec![0.0, 1.0],
            tangent: None,
            tangents: Some([vec![1.0, 0.0], vec![0.0, 0.0]]),
            stiffness: 1.0,
            friction: 0.4.into(),
            restitution: 0.5,
            tangential_restitution: None,
        }],
        constraints: Vec::new(),
    };
    let result = by(&problem, Law::Poisson).unwrap();
    assert_eq!(
        (result.outcome, result.determinacy.rank),
        (Outcome::Solved, 2)
    );
    assert_eq!(result.determinacy.impulses_unique, [false]);
    assert_eq!(result.determinacy.null_space, [[0.0, 0.0, 1.0]]);
    let codes: Vec<NoteCode> = result.notes.iter().map(|note| note.code).collect();
    assert!(
        codes.contains(&NoteCode::TangentImpulseUndetermined),
        "{codes:?}"
    );
    let mut slipping = problem.clone();
    slipping.velocity[0] = 3.0;
    let result = by(&slipping, Law::Poisson).unwrap();
    assert_eq!(result.determinacy.impulses_unique, [true]);
}

#[test]
fn a_contact_of_plane_and_space_at_once_is_refused() {
    let rng = &mut fastrand::Rng::with_seed(46);
    let mut problem = in_space(&in_plane(rng), 0.3, 0.0);
    problem.contacts[0].tangent = Some(vec![0.0; 4]);
    let error = by(&problem, Law::Newton).unwrap_err();
    assert_eq!(error, ImpactInputError::PlaneAndSpace { contact: 0 });
    problem.contacts[0].tangent = None;
    problem.contacts[0].tangents.as_mut().unwrap()[1].pop();
    let error = by(&problem, Law::Newton).unwrap_err();
    assert_eq!(error.path(), "contacts[0].tangents[1]");
}

/// A brick on its corner, over its mass centre: `W_nt = 0`, and two principal directions.
#[test]
fn a_slip_that_all_but_vanishes_is_planar_along_either_principal_direction() {
    let brick = |slip: [f64; 2]| ImpactProblem {
        mass: vec![
            vec![1.0, 0.0, 0.0],
            vec![0.0, 1.0, 0.0],
            vec![0.0, 0.0, 3.0],
        ],
        velocity: vec![-1.0, slip[0], slip[1]],
        contacts: vec![Contact {
            name: "hit".to_owned(),
            normal: vec![1.0, 0.0, 0.0],
            tangent: None,
            tangents: Some([vec![0.0, 0.8, 0.6], vec![0.0, -0.6, 0.8]]),
            stiffness: 1.0,
            friction: 0.3.into(),
            restitution: 0.5,
            tangential_restitution: None,
        }],
        constraints: Vec::new(),
    };
    for size in [1.0, 1e-8, 1e-12] {
        for (k, noise) in [(0, 1e-17), (1, -1e-17)] {
            let mut slip = [noise; 2];
            slip[k] = size;
            let result = by(&brick(slip), Law::Poisson).unwrap();
            assert_eq!(result.outcome, Outcome::Solved);
            let after = result.velocity.unwrap();
            assert!((after[2 - k] - noise).abs() < 1e-15, "{after:?}");
            assert!((after[1 + k]).abs() < size, "{after:?}");
        }
    }
    let turning = brick([0.5, 0.4]);
    let prepared = Prepared::new(&turning).unwrap();
    assert!(prepared.diagram(&[Law::Poisson]).is_err());
}
