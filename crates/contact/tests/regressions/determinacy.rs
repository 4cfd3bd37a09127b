//! What a collision determines: statements that round-off, units or a threshold decided.

use carom_contact::impact::{self, ImpactResult, Law, Method, NoteCode, Outcome, Prepared};

use super::several::problem;

/// A null vector (1, −1, 0.001) touches the third contact by less than 1.8e-3, and its impulse was called
/// unique: it is anything from 0.999 to 1.
#[test]
fn a_share_of_a_thousandth_is_a_share() {
    for share in [1e-3, 1e-6, 1e-9] {
        let text = format!(
            r#"{{"mass": [[1, 0], [0, 1]], "velocity": [-1, -1], "law": "newton", "contacts": [
                {{"normal": [1, 0], "restitution": 0}}, {{"normal": [1, {share}], "restitution": 0}},
                {{"normal": [0, 1], "restitution": 0}}]}}"#
        );
        let (problem, law) = problem(&text);
        let result = impact::solve(&problem, law, Method::Complementarity).unwrap();
        assert_eq!(result.determinacy.impulses_unique, [false; 3], "{share}");
    }
}

/// Slip starts at rest with μ_kinetic < |W_nt|/W_tt <= μ_static: the note said that reverse slip is also
/// consistent, and the flag that the velocity is unique.
#[test]
fn a_contact_held_by_static_friction_alone_has_no_unique_velocity() {
    let text = r#"{"mass": [[2, 1], [1, 2]], "velocity": [-1, 0], "contacts": [{"normal": [1, 0],
        "tangent": [0, 1], "friction": 0.25, "restitution": 0.5}]}"#;
    let (mut problem, _) = problem(text);
    for (mu_static, is_unique) in [(1.0, false), (0.25, true)] {
        problem.contacts[0].friction.mu_s = mu_static;
        for law in [Law::Newton, Law::Poisson, Law::Energetic] {
            let result = impact::solve(&problem, law, Method::Complementarity).unwrap();
            assert_eq!(result.determinacy.velocity_unique, is_unique, "{law}");
            assert_eq!(result.determinacy.impulses_unique, [is_unique], "{law}");
            assert_eq!(
                says(&result, NoteCode::ReverseSlipAlsoConsistent),
                !is_unique
            );
        }
    }
}

fn says(result: &ImpactResult, code: NoteCode) -> bool {
    result.notes.iter().any(|note| note.code == code)
}

/// Rows of rank five of seven and a mass matrix of condition 3e4: the pivots ended in a ray that proved
/// nothing, and the answer was an error.
#[test]
fn opposed_contacts_of_an_unequal_mechanism_are_infeasible_and_no_error() {
    let text = r#"{"mass": [[0.25, 0.375, -0.75, -0.875, -0.875, 0.75],
        [0.375, 3.625, -3.3125, 0.875, -3.5, -1.0625], [-0.75, -3.3125, 4.375, 1.0625, 4.9375, 0.8125],
        [-0.875, 0.875, 1.0625, 4.875, 2.25, -4.3125], [-0.875, -3.5, 4.9375, 2.25, 11.875, -0.4375],
        [0.75, -1.0625, 0.8125, -4.3125, -0.4375, 8.1875]],
        "velocity": [-0.75, -0.25, 1.75, -1.0, 0.5, 1.5], "law": "newton", "contacts": [
        {"normal": [5.5, -5.5, 1.0, 6.5, 4.25, 1.5], "restitution": 0.0},
        {"normal": [-1.0, 2.0, -0.75, -2.0, -0.5, 1.25], "restitution": 0.75},
        {"normal": [2.5, 3.5, 3.0, 9.75, 3.25, 1.75], "restitution": 0.0},
        {"normal": [4.0, -4.25, 4.0, 4.0, 0.5, 1.25], "restitution": 0.0},
        {"normal": [-6.0, 4.0, -2.25, -7.5, -4.0, -2.75], "restitution": 0.25},
        {"normal": [-4.0, -1.75, -2.5, -9.75, -5.0, -4.5], "restitution": 0.75},
        {"normal": [-5.0, 3.5, 1.5, -0.5, -2.5, -3.5], "restitution": 0.25}]}"#;
    let (problem, law) = problem(text);
    let result = impact::solve(&problem, law, Method::Complementarity).unwrap();
    assert_eq!(result.outcome, Outcome::Infeasible);
    assert_eq!(result.determinacy.rank, 5);
}

/// Contacts along +x, −x, +y and −y among eight leave nothing to move, whatever the share; expansions of
/// other shares were solved without a check, and the velocity was said to depend on them.
#[test]
fn a_body_held_on_all_sides_rests_whatever_the_share() {
    let rows = [
        ("-0.75, 0.25", 1.0),
        ("-0.25, -0.5", 1.0),
        ("0, 1", 0.25),
        ("2, 0.5", 0.0),
        ("0, -1", 0.25),
        ("-1.5, -0.5", 0.25),
        ("-1, 0", 0.0),
        ("1, 0", 1.0),
    ];
    let contacts = rows.map(|(row, e)| format!(r#"{{"normal": [{row}], "restitution": {e}}}"#));
    let text = format!(
        r#"{{"mass": [[0.0625, -0.4375], [-0.4375, 3.125]], "velocity": [-1.25, 1], "law": "poisson",
            "contacts": [{}]}}"#,
        contacts.join(", ")
    );
    let (problem, law) = problem(&text);
    let result = impact::solve(&problem, law, Method::Complementarity).unwrap();
    assert_eq!(result.outcome, Outcome::Solved);
    assert!(result.determinacy.velocity_unique);
    let velocity = result.velocity.unwrap();
    assert!(velocity.iter().all(|v| v.abs() < 1e-11), "{velocity:?}");
}

/// Impulses (1.875 + t/2, t, 2.8125 + t/2) have one effect for t from 0 to 7.5. At t = 0 the second contact
/// pushes nothing and was called open; all three were called unique.
#[test]
fn a_contact_that_touches_without_pushing_takes_part_in_a_share() {
    let text = r#"{"mass": [[2.5, 0, 0], [0, 2.5, 0], [0, 0, 0.375]], "velocity": [0.5, 0, 0],
        "law": "moreau", "contacts": [
        {"normal": [0, 1, -1], "tangent": [1, 0, 1], "friction": 0.5, "restitution": 0.5},
        {"normal": [0, 1, 1], "tangent": [1, 0, 1], "friction": 0.25, "restitution": 0},
        {"normal": [-1, 0, 1], "tangent": [0, 1, 1], "friction": 2, "restitution": 0.5}]}"#;
    let (problem, law) = problem(text);
    let result = impact::solve(&problem, law, Method::Complementarity).unwrap();
    assert!(result.determinacy.velocity_unique);
    assert_eq!(result.determinacy.impulses_unique, [false; 3]);
}

/// Both tangent rows are equal and contact 0 has just stuck: the slip of contact 1 is exactly zero, and
/// static friction holds it. Round-off took it for a slip.
#[test]
fn a_contact_struck_again_at_rest_sticks_by_its_static_coefficient() {
    let text = r#"{"mass": [[1, 0, 0], [0, 1, 0], [0, 0, 0.125]], "velocity": [-0.4, -0.6, 1.5],
        "contacts": [
        {"normal": [0, 1, -0.5], "tangent": [1, 0, 0.25], "friction": 3, "restitution": 0.3},
        {"normal": [0, 1, 0.5], "tangent": [1, 0, 0.25], "friction": 0.5, "restitution": 0}]}"#;
    let (mut problem, _) = problem(text);
    problem.contacts[1].friction.mu_s = 0.75;
    let prepared = Prepared::new(&problem).unwrap();
    let result = prepared.solve_in_order(Law::Newton, &[1, 0]).unwrap();
    let wanted = [0.09816326530612245, 0.1963265306122449, -0.3926530612244898];
    for (v, wanted) in result.velocity.unwrap().iter().zip(wanted) {
        assert!((v - wanted).abs() < 1e-14, "{v} {wanted}");
    }
}
