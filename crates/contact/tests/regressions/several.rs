//! Several contacts with friction: claims that went too far.

use carom_contact::impact::{self, Contact, ImpactProblem, ImpactResult, Law, Method};
use carom_contact::impact::{NoteCode, Outcome};
use serde_json::Value;

use crate::common::book::numbers;

/// The answer of a problem file, by complementarity.
fn solved(text: &str) -> ImpactResult {
    let file: Value = serde_json::from_str(text).unwrap();
    let contacts = file["contacts"].as_array().unwrap().iter();
    let contact = |(i, c): (usize, &Value)| Contact {
        name: i.to_string(),
        normal: numbers(&c["normal"]),
        tangent: Some(numbers(&c["tangent"])),
        tangents: None,
        friction: (
            c["friction"].as_f64().unwrap(),
            c["friction"].as_f64().unwrap(),
        ),
        restitution: c["restitution"].as_f64().unwrap(),
    };
    let mass = file["mass"].as_array().unwrap().iter();
    let problem = ImpactProblem {
        mass: mass.map(numbers).collect(),
        velocity: numbers(&file["velocity"]),
        contacts: contacts.enumerate().map(contact).collect(),
        constraints: Vec::new(),
    };
    let law: Law = serde_json::from_value(file["law"].clone()).unwrap();
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
