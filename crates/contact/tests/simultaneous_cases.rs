//! Simultaneous impacts against the reference book and the numbers printed in the theory.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::contact_space::{ContactSpace, GivenFriction, Mechanism};
use carom_contact::impact::Tangential;
use carom_contact::impact::simultaneous::{Closing, Simultaneous};
use carom_contact::impact::{
    Constraint, Contact, ImpactInputError, ImpactProblem, ImpactResult, Law, Method, NoteCode,
    Outcome, Prepared, solve,
};
use carom_support::cases::{cases, numbers};
use common::book::problem;
use common::several::{assert_all_close, impulses};
use serde_json::Value;

/// Agreement asked of every number: the book has sixteen digits, the rows are normalised here.
const TOLERANCE: f64 = 1e-10;

fn codes(result: &ImpactResult) -> Vec<NoteCode> {
    result.notes.iter().map(|note| note.code).collect()
}

/// The least-norm impulses of the book are compared too: they are what is promised.
fn compare(case: &Value, law: Law, wanted: &Value) {
    let id = format!("{} {law}", case["id"]);
    let problem = problem(case);
    let result = solve(&problem, law, Method::default()).unwrap();
    let expected = &case["expected"];
    let v_n: Vec<f64> = numbers(&expected["delta"]).iter().map(|x| -x).collect();
    let before = result.contacts.iter();
    let before: Vec<f64> = before.map(|c| c.velocity_before.normal.unwrap()).collect();
    assert_all_close(&format!("{id} v_n before"), &before, &v_n);
    let after = result.contacts.iter();
    let after: Vec<f64> = after.map(|c| -c.velocity_after.normal.unwrap()).collect();
    let at = |key: &str| numbers(&wanted[key]);
    assert_all_close(&format!("{id} v_n after"), &after, &at("delta_plus"));
    let velocity = result.velocity.as_deref().unwrap();
    let twists = [at("v1"), at("v2")].concat();
    assert_all_close(&format!("{id} velocity"), velocity, &twists);
    assert_all_close(&format!("{id} impulses"), &impulses(&result), &at("P"));
    assert_all_close(
        &format!("{id} energy"),
        &[result.energy_change.unwrap()],
        &at("dT"),
    );
    let rank = expected["rank"].as_u64().unwrap() as usize;
    let determinacy = &result.determinacy;
    assert_eq!(determinacy.rank, rank, "{id}");
    assert_eq!(determinacy.null_space.len() + rank, v_n.len());
    assert_eq!(determinacy.condition.is_none(), rank < v_n.len());
    if let Some(condition) = determinacy.condition {
        let eigenvalues = numbers(&expected["eigenvalues"]);
        let ratio = eigenvalues[v_n.len() - 1] / eigenvalues[0];
        assert!((condition / ratio - 1.0).abs() < TOLERANCE, "{id}");
    }
    let residual = numbers(&expected["linear"]["residual"]);
    assert_all_close(&id, &[determinacy.compatibility_residual], &residual);
    assert!(result.residuals.momentum.unwrap() < 1e-12, "{id}");
    assert!(result.residuals.energy.unwrap() < 1e-12, "{id}");
    for z in &determinacy.null_space {
        let length: f64 = z.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-13, "{id}: {z:?}");
    }
}

#[test]
fn every_case_of_the_book_comes_out_by_newton_and_by_poisson() {
    let (mut unique, mut shared, mut undetermined) = (0, 0, 0);
    for case in &cases("simultaneous-reference") {
        let (newton, poisson) = (
            &case["expected"]["newton_lcp"],
            &case["expected"]["poisson_lcp"],
        );
        compare(case, Law::Newton, newton);
        compare(case, Law::Poisson, poisson);
        let result = solve(&problem(case), Law::Newton, Method::default()).unwrap();
        let is_unique = newton["status"] == "unique";
        let determinacy = &result.determinacy;
        assert_eq!(determinacy.impulses_unique.iter().all(|u| *u), is_unique);
        assert_eq!(
            codes(&result).contains(&NoteCode::ImpulsesNotUnique),
            !is_unique
        );
        assert_eq!(result.outcome, Outcome::Solved);
        // Where every vertex of the compression leads to one velocity, it is unique.
        let ends = poisson["delta_plus_by_compression_vertex"]
            .as_array()
            .unwrap();
        let ends: Vec<Vec<f64>> = ends.iter().map(numbers).collect();
        let is_one = ends.iter().flatten().zip(ends[0].iter().cycle());
        let is_one = is_one.into_iter().all(|(a, b)| (a - b).abs() < TOLERANCE);
        let result = solve(&problem(case), Law::Poisson, Method::default()).unwrap();
        assert_eq!(result.determinacy.velocity_unique, is_one, "{}", case["id"]);
        assert_eq!(result.outcome == Outcome::Undetermined, !is_one);
        unique += usize::from(is_unique);
        shared += usize::from(!is_unique);
        undetermined += usize::from(!is_one);
    }
    assert_eq!((unique, shared, undetermined), (7, 4, 1));
}

/// Solves contacts of a given W, by its Cholesky factor as rows over unit masses.
fn of_matrix(w: [[f64; 2]; 2], v_n: [f64; 2], restitution: [f64; 2], law: Law) -> (Vec<f64>, f64) {
    let l = w[0][0].sqrt();
    let below = w[1][0] / l;
    let rest = (w[1][1] - below * below).max(0.0).sqrt();
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &[1.0, 0.0, 0.0, 1.0],
            velocity: &[0.0, 0.0],
            rows: &[l, 0.0, below, rest],
            constraints: &[],
        })
        .unwrap();
    let closing = Closing {
        rows: &[0, 1],
        v_n: &v_n,
        restitution: &restitution,
    };
    let mut solver = Simultaneous::new();
    let end = solver.solve(&space, &closing, law).unwrap();
    assert_eq!(end.outcome, Outcome::Solved);
    assert_eq!(end.energy_gain, end.energy_change > 0.0);
    (solver.impulses().to_vec(), end.energy_change)
}

#[test]
fn a_receding_contact_gains_energy_by_newton_and_loses_it_by_poisson() {
    let w = [[1.0, -0.9], [-0.9, 1.0]];
    let printed = [
        (Law::Newton, [8.157895, 6.842105], 1.710526),
        (Law::Poisson, [5.789474, 4.710526], -0.125),
    ];
    for (law, impulses, energy) in printed {
        let (found, change) = of_matrix(w, [-1.0, 0.5], [1.0, 1.0], law);
        for (a, b) in found.iter().zip(impulses) {
            assert!((a - b).abs() < 5e-7, "{law}: {found:?}"); // six digits are printed
        }
        assert!((change - energy).abs() < 5e-7, "{law}: {change}");
    }
}

fn balls(n: usize, restitution: f64) -> ImpactProblem {
    let line = |i: usize, x: f64| (0..n).map(|j| if i == j { x } else { 0.0 }).collect();
    let contact = |i: usize| Contact {
        name: format!("{i}-{}", i + 1),
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
    };
    ImpactProblem {
        mass: (0..n).map(|i| line(i, 1.0)).collect(),
        velocity: line(0, 1.0),
        contacts: (0..n - 1).map(contact).collect(),
        constraints: Vec::new(),
    }
}

#[test]
fn three_equal_balls_part_with_minus_one_third_and_two_thirds() {
    let problem = balls(3, 1.0);
    for law in [Law::Newton, Law::Poisson, Law::Moreau] {
        let result = solve(&problem, law, Method::default()).unwrap();
        let third = 1.0 / 3.0;
        let velocity = result.velocity.as_deref().unwrap();
        assert_all_close("balls", velocity, &[-third, 2.0 * third, 2.0 * third]);
        assert!(result.energy_change.unwrap().abs() < 1e-15);
        assert_eq!(result.notes, []);
    }
}

#[test]
fn a_block_between_walls_of_unequal_restitution_has_no_newton_answer() {
    // One coordinate; wall A ahead, wall B behind, both touching.
    let wall = |name: &str, sign: f64, restitution: f64| Contact {
        name: name.to_owned(),
        normal: vec![sign],
        tangent: None,
        tangents: None,
        stiffness: 1.0,
        friction: 0.0.into(),
        restitution,
        tangential_restitution: None,
    };
    let problem = ImpactProblem {
        mass: vec![vec![2.0]],
        velocity: vec![1.0],
        contacts: vec![wall("ahead", -1.0, 0.5), wall("behind", 1.0, 0.3)],
        constraints: Vec::new(),
    };
    let newton = solve(&problem, Law::Newton, Method::default()).unwrap();
    assert_eq!(newton.outcome, Outcome::Infeasible);
    assert_eq!(
        (newton.velocity.as_ref(), newton.energy_change),
        (None, None)
    );
    assert_eq!(newton.contacts[0].impulse.normal, None);
    assert_eq!(newton.notes[0].code, NoteCode::Infeasible);
    assert!(
        newton.notes[0].sentence.contains("ahead, behind"),
        "{newton:?}"
    );
    let poisson = solve(&problem, Law::Poisson, Method::default()).unwrap();
    assert_eq!(poisson.outcome, Outcome::Solved, "{poisson:?}");
    assert_all_close("walls", poisson.velocity.as_deref().unwrap(), &[0.0]);
    assert!(poisson.energy_change.unwrap() < 0.0);
}

#[test]
fn a_contact_that_nothing_moves_jams_when_it_is_driven() {
    let mut problem = balls(2, 0.5);
    let mut pushed = problem.contacts[0].clone();
    pushed.name = "driven".to_owned();
    problem.contacts.push(pushed);
    problem.constraints = vec![Constraint {
        name: "drive".to_owned(),
        rows: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
    }];
    for law in [Law::Newton, Law::Poisson] {
        let result = solve(&problem, law, Method::default()).unwrap();
        assert_eq!(result.outcome, Outcome::Jammed);
        assert_eq!(codes(&result)[0], NoteCode::Jammed);
        assert!(codes(&result).contains(&NoteCode::MovingConstraint));
    }
}

/// The laws of several contacts, and whether each is offered: linear, complementarity, sequential.
const OFFERED: [(Law, [bool; 3]); 5] = [
    (Law::Newton, [true, true, true]),
    (Law::Poisson, [false, true, true]),
    (Law::Energetic, [false, false, true]),
    (Law::Moreau, [false, true, false]),
    (Law::Whittaker, [false, false, false]),
];

#[test]
fn a_law_is_offered_where_the_table_says_and_nowhere_else() {
    let smooth = balls(3, 0.5);
    let mut rough = balls(3, 0.5);
    rough.contacts[1].tangent = Some(vec![0.0, 1.0, 0.0]);
    rough.contacts[1].friction = 0.2.into();
    let one = balls(2, 0.5);
    for (law, row) in OFFERED {
        for (method, is_offered) in Method::ALL.into_iter().zip(row) {
            assert_eq!(law.is_offered(method), is_offered, "{law} {method}");
            for problem in [&smooth, &rough] {
                if method == Method::Linear && problem == &rough {
                    continue; // the linear method has no friction
                }
                match Prepared::new(problem).unwrap().solve(law, method) {
                    Ok(result) => {
                        assert!(is_offered, "{law} {method}");
                        assert_eq!((result.law, result.method), (law, method));
                    }
                    Err(error) => {
                        assert!(!is_offered, "{law} {method}: {error}");
                        assert!(matches!(error, ImpactInputError::LawRefused { .. }));
                    }
                }
            }
            let alone = Prepared::new(&one).unwrap().solve(law, method);
            assert!(alone.is_ok(), "one contact, {law} {method}");
        }
    }
}

#[test]
fn what_several_contacts_do_not_have_is_refused_where_it_stands() {
    let mut problem = balls(3, 0.5);
    let prepared = Prepared::new(&problem).unwrap();
    for law in [Law::Energetic, Law::Whittaker] {
        let error = prepared.solve(law, Method::default()).unwrap_err();
        assert_eq!(error.path(), "law");
        assert!(error.to_string().starts_with(law.name()), "{error}");
    }
    let error = prepared.solve_in_order(Law::Newton, &[0, 0]).unwrap_err();
    assert_eq!(error.path(), "order");
    let error = prepared.diagram(&[Law::Newton]).unwrap_err();
    assert!(matches!(
        error,
        ImpactInputError::SeveralInOnePlane { found: 2 }
    ));
    let sides = [vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
    problem.contacts[1].tangents = Some(sides);
    problem.contacts[1].friction = GivenFriction {
        mu_s: 0.2,
        mu_d: 0.0,
    };
    let mut flat = problem.clone();
    flat.contacts[1].tangents = None;
    flat.contacts[1].tangent = Some(vec![0.0, 1.0, 0.0]);
    for rough in [&problem, &flat] {
        let prepared = Prepared::new(rough).unwrap();
        let error = prepared.solve(Law::Newton, Method::Linear).unwrap_err();
        assert_eq!(error.path(), "method");
        assert!(error.to_string().contains("friction"), "{error}");
    }
    problem.contacts.clear();
    assert_eq!(problem.check(), Err(ImpactInputError::NoContact));
}

#[test]
fn a_tangent_without_friction_shows_its_slip_and_takes_no_impulse() {
    // A disk with coordinates (x, y, angle) in a corner; the floor's tangent is x plus the spin.
    let contact = |name: &str, normal: [f64; 3], tangent: [f64; 3]| Contact {
        name: name.to_owned(),
        normal: normal.to_vec(),
        tangent: Some(tangent.to_vec()),
        tangents: None,
        stiffness: 1.0,
        friction: 0.0.into(),
        restitution: 0.5,
        tangential_restitution: None,
    };
    let problem = ImpactProblem {
        mass: vec![
            vec![2.0, 0.0, 0.0],
            vec![0.0, 2.0, 0.0],
            vec![0.0, 0.0, 0.1],
        ],
        velocity: vec![-1.0, -2.0, 0.3],
        contacts: vec![
            contact("floor", [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]),
            contact("wall", [1.0, 0.0, 0.0], [0.0, -1.0, 1.0]),
        ],
        constraints: Vec::new(),
    };
    for law in [Law::Newton, Law::Poisson] {
        let result = solve(&problem, law, Method::default()).unwrap();
        let floor = &result.contacts[0];
        assert_eq!(floor.impulse.tangent, Some(Tangential::Plane(0.0)));
        assert_all_close(
            "slip before",
            &[floor.velocity_before.tangent.unwrap().value()],
            &[-0.7],
        );
        assert_all_close(
            "slip after",
            &[floor.velocity_after.tangent.unwrap().value()],
            &[0.8],
        );
        let kind = carom_contact::impact::ContactType::ReverseCompression;
        assert_eq!(floor.contact_type, kind);
        assert_eq!(floor.path.len(), if law == Law::Poisson { 3 } else { 0 });
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<ImpactResult>(&text).unwrap(), result);
    }
}
