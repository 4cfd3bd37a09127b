//! Several contacts with friction: claims that went too far.

use carom_contact::impact::{self, Constraint, Contact, ImpactProblem, ImpactResult, Law, Method};
use carom_contact::impact::{NoteCode, Outcome};
use serde_json::Value;

use crate::common::book::numbers;
use carom_support::random::full_or;

pub(super) fn problem(text: &str) -> (ImpactProblem, Law) {
    let file: Value = serde_json::from_str(text).unwrap();
    let contacts = file["contacts"].as_array().unwrap().iter();
    let contact = |(i, c): (usize, &Value)| Contact {
        name: i.to_string(),
        normal: numbers(&c["normal"]),
        tangent: c.get("tangent").map(numbers),
        tangents: None,
        stiffness: 1.0,
        friction: c["friction"].as_f64().unwrap_or(0.0).into(),
        restitution: c["restitution"].as_f64().unwrap(),
        tangential_restitution: None,
    };
    let rows = |value: &Value| value.as_array().unwrap().iter().map(numbers).collect();
    let constraints = file["constraints"].as_array().into_iter().flatten();
    let constraint = |c: &Value| Constraint {
        name: "joint".to_owned(),
        rows: rows(&c["rows"]),
    };
    let problem = ImpactProblem {
        mass: rows(&file["mass"]),
        velocity: numbers(&file["velocity"]),
        contacts: contacts.enumerate().map(contact).collect(),
        constraints: constraints.map(constraint).collect(),
    };
    let law = serde_json::from_value(file["law"].clone());
    (problem, law.unwrap_or(Law::Poisson))
}

/// The answer of a problem file, by complementarity.
fn solved(text: &str) -> ImpactResult {
    let (problem, law) = problem(text);
    impact::solve(&problem, law, Method::Complementarity).unwrap()
}

/// Rows of a rigid rod that touches a floor with friction 0.3 at places `x`, landing flat.
fn landing(x: &[f64], law: Law) -> ImpactResult {
    let contacts = x.iter().map(|x| {
        format!(r#"{{"normal": [0, 1, {x}], "tangent": [1, 0, 0], "restitution": 0.5, "friction": 0.3}}"#)
    });
    let contacts: Vec<String> = contacts.collect();
    solved(&format!(
        r#"{{"mass": [[1, 0, 0], [0, 1, 0], [0, 0, 0.1]], "velocity": [1, -1, 0], "law": "{law}",
            "contacts": [{}]}}"#,
        contacts.join(", ")
    ))
}

/// Beyond four contacts Lemke's corner (0, 0, 1.5, 0, 0) was given and called unique.
#[test]
fn five_feet_in_a_row_share_their_impulse_with_least_norm() {
    for law in [Law::Newton, Law::Moreau, Law::Poisson] {
        let feet = [-0.2, -0.1, 0.0, 0.1, 0.2];
        let result = landing(&feet, law);
        assert_eq!(result.determinacy.impulses_unique, [false; 5]);
        assert!(!result.determinacy.velocity_unique);
        for contact in &result.contacts {
            let p = contact.impulse.normal.unwrap();
            assert!((p - 0.3).abs() < 1e-12, "{law}: {p}");
        }
        let codes: Vec<NoteCode> = result.notes.iter().map(|note| note.code).collect();
        assert!(codes.contains(&NoteCode::ImpulsesNotUnique), "{codes:?}");
        let four = landing(&[-0.2, -0.1, 0.1, 0.2], law);
        let pairs = result
            .velocity
            .unwrap()
            .into_iter()
            .zip(four.velocity.unwrap());
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{law}"));
    }
}

/// With three receding contacts beside the two that have two outcomes, the one found was called the
/// only one.
#[test]
fn of_five_contacts_no_velocity_is_claimed_to_be_the_only_one() {
    let result = solved(include_str!("several/wedged-plate.json"));
    assert_eq!(result.outcome, Outcome::Solved);
    assert!(!result.determinacy.velocity_unique);
    let codes: Vec<NoteCode> = result.notes.iter().map(|note| note.code).collect();
    assert!(codes.contains(&NoteCode::OutcomesNotSought), "{codes:?}");
}

/// Lemke's method met a ray, and "no combination of stick, slip and separation" was claimed though the
/// answer of the first contacts solved the whole.
#[test]
fn a_ray_of_lemkes_method_does_not_hide_a_solution() {
    let part = solved(include_str!("several/lemke-ray-without-two.json"));
    let whole = solved(include_str!("several/lemke-ray.json"));
    assert_eq!(part.outcome, Outcome::Solved);
    assert_eq!(whole.outcome, Outcome::Solved);
}

/// Lemke's method did not end within its pivots where rows depend on each other exactly.
#[test]
fn dependent_rows_that_take_many_pivots_are_solved_another_way() {
    let result = solved(include_str!("several/lemke-pivots.json"));
    assert_ne!(result.outcome, Outcome::Infeasible);
    assert!(result.velocity.is_some());
}

/// A contact that nothing moves carries any impulse. Beside one that acts alone it was called unique,
/// and its shares were taken for other velocities.
#[test]
fn a_contact_on_the_axis_of_a_hinge_has_no_impulse_of_its_own() {
    for law in ["newton", "poisson", "moreau"] {
        let result = solved(&format!(
            r#"{{"mass": [[0.35]], "velocity": [-1], "law": "{law}", "contacts": [
                {{"normal": [0], "tangent": [0], "restitution": 0.5, "friction": 0.3}},
                {{"normal": [1], "tangent": [0], "restitution": 0.5, "friction": 0.3}}]}}"#
        ));
        assert_eq!(result.outcome, Outcome::Solved, "{law}");
        assert!(result.determinacy.velocity_unique);
        assert_eq!(result.determinacy.impulses_unique, [false, false], "{law}");
        assert!((result.velocity.unwrap()[0] - 0.5).abs() < 1e-15);
        let codes: Vec<NoteCode> = result.notes.iter().map(|note| note.code).collect();
        assert!(
            !codes.contains(&NoteCode::VelocityNotUnique),
            "{law} {codes:?}"
        );
    }
}

/// Two contacts with equal rows act as one: the remark named the first only.
#[test]
fn contacts_that_act_as_one_are_named_together() {
    let result = landing(&[0.25, 0.25], Law::Poisson);
    let told = result
        .notes
        .iter()
        .any(|note| note.sentence.contains("act as one"));
    assert!(told, "{:?}", result.notes);
}

/// Round-off of 1e-17 at a contact that takes no impulse made two equal contacts share in a way that
/// depended on the order they were listed in: three velocities, two of them called unique.
#[test]
fn the_order_in_which_contacts_are_listed_changes_nothing() {
    let (given, _) = problem(include_str!("several/order.json"));
    for (law, restitution) in [
        (Law::Poisson, None),
        (Law::Poisson, Some(0.25)),
        (Law::Newton, Some(0.25)),
    ] {
        let mut seen: Vec<(Vec<f64>, Vec<bool>)> = Vec::new();
        for order in orders(4) {
            let mut problem = given.clone();
            problem.contacts = order.iter().map(|i| given.contacts[*i].clone()).collect();
            for contact in &mut problem.contacts {
                contact.restitution = restitution.unwrap_or(contact.restitution);
            }
            let result = impact::solve(&problem, law, Method::Complementarity).unwrap();
            let mut unique = vec![result.determinacy.velocity_unique; 5];
            for (place, i) in order.iter().enumerate() {
                unique[*i] = result.determinacy.impulses_unique[place];
            }
            seen.push((result.velocity.unwrap(), unique));
        }
        for (velocity, unique) in &seen {
            assert_eq!(unique, &seen[0].1, "{law}");
            let pairs = velocity.iter().zip(&seen[0].0);
            pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{law} {seen:?}"));
        }
    }
}

/// All orders of `k` things.
fn orders(k: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..k {
        let longer = all.iter().flat_map(|order: &Vec<usize>| {
            let left = (0..k).filter(|i| !order.contains(i));
            left.map(|i| [&order[..], &[i]].concat())
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

/// Pivots of a hundred dependent contacts lost their digits: "jammed", or no end, though a motion of
/// the mechanism can always be stopped.
#[test]
fn a_hundred_contacts_on_thirty_coordinates_are_stopped() {
    let runs = full_or(12, 1);
    for seed in 0..runs {
        let mut rng = fastrand::Rng::with_seed(seed);
        let k = if seed % 3 == 2 { 200 } else { 100 };
        let mut row = |n: usize| -> Vec<f64> { (0..n).map(|_| rng.f64() - 0.5).collect() };
        let contact = |i: usize, normal: Vec<f64>| Contact {
            name: i.to_string(),
            normal,
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: 0.5,
            tangential_restitution: None,
        };
        let unit = |i: usize| (0..30).map(|j| f64::from(u8::from(i == j))).collect();
        let problem = ImpactProblem {
            mass: (0..30).map(unit).collect(),
            velocity: row(30),
            contacts: (0..k).map(|i| contact(i, row(30))).collect(),
            constraints: Vec::new(),
        };
        let result = impact::solve(&problem, Law::Poisson, Method::Complementarity).unwrap();
        assert_eq!(result.outcome, Outcome::Solved, "{seed}");
        assert!(result.energy_change.unwrap() <= 0.0);
    }
}

/// The ends of the shares along one contact agreed, others did not: `solved`, unique, and a share that
/// leads elsewhere.
#[test]
fn shares_in_several_dimensions_are_looked_at_from_their_corners() {
    for text in [
        include_str!("several/shares-six.json"),
        include_str!("several/shares-eight.json"),
    ] {
        let result = solved(text);
        assert_eq!(result.outcome, Outcome::Undetermined);
        assert!(!result.determinacy.velocity_unique);
    }
}

/// Corners of shares were tested with a slack of wrong units, and nothing looked at the totals:
/// outcomes that approach, leave the cone, or have a thousand times the speed.
#[test]
fn every_outcome_parts_lies_in_its_cone_and_balances_its_energy() {
    let mut solved = 0;
    for text in [
        include_str!("several/large-impulses.json"),
        include_str!("several/mass-ratio-poisson.json"),
        include_str!("several/mass-ratio-moreau.json"),
        include_str!("several/mass-ratio-extreme.json"),
        include_str!("several/friction-extreme.json"),
    ] {
        let (problem, law) = problem(text);
        // An error is allowed: digits may be gone.
        let Ok(result) = impact::solve(&problem, law, Method::Complementarity) else {
            continue;
        };
        let all = std::iter::once(&result).chain(&result.outcomes);
        for outcome in all.filter(|result| result.velocity.is_some()) {
            let before = outcome.contacts.iter();
            let speed = before.map(|c| c.velocity_before.normal.unwrap().abs());
            let speed = speed.fold(0.0, f64::max);
            for contact in &outcome.contacts {
                let after = contact.velocity_after.normal.unwrap();
                assert!(after > -1e-6 * speed, "{law} {after} of {speed}");
            }
            assert!(
                outcome.residuals.energy.unwrap() < 1e-6,
                "{:?}",
                outcome.residuals
            );
            solved += 1;
        }
    }
    assert!(solved > 2, "{solved}");
}

/// Two welded points that stick: what one gives along the tangent the other takes, and the weld carries
/// it. Copies of a contact were thought to swap their normal impulses only.
#[test]
fn a_weld_between_two_sticking_points_carries_an_undetermined_tangent_impulse() {
    for law in ["moreau", "poisson"] {
        let result = solved(&format!(
            r#"{{"mass": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]], "velocity": [0.3,-1,0.3,-1],
                "law": "{law}", "contacts": [
                {{"normal": [0,1,0,0], "tangent": [1,0,0,0], "friction": 0.8, "restitution": 0.5}},
                {{"normal": [0,0,0,1], "tangent": [0,0,1,0], "friction": 0.8, "restitution": 0.5}}],
                "constraints": [{{"rows": [[1,0,-1,0],[0,1,0,-1]]}}]}}"#
        ));
        assert_eq!(result.constraints[0].unique, [false, false], "{law}");
    }
}

/// A constraint that moves drives two contacts against a third: a jam, whose round-off had been taken
/// for impulses of 1e16.
#[test]
fn contacts_driven_together_by_a_moving_constraint_jam() {
    let result = solved(
        r#"{"mass": [[0.2, 0.02, -0.02], [0.02, 0.12, -0.03], [-0.02, -0.03, 0.35]],
            "velocity": [0, 0, -1], "law": "poisson", "contacts": [
            {"normal": [1, 0, 0], "tangent": [0, 0, 1], "friction": 0.5, "restitution": 0},
            {"normal": [-1, -1, 1], "tangent": [0, 1, 0], "friction": 0, "restitution": 1},
            {"normal": [-1, 0, 1], "tangent": [1, 1, 0], "friction": 1, "restitution": 1}],
            "constraints": [{"rows": [[0, 1, -1], [0, 0, -1]]}]}"#,
    );
    assert_eq!(result.outcome, Outcome::Jammed, "{result:?}");
}
