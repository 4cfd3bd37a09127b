//! Every case of the reference book, computed elsewhere in 50-digit arithmetic.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::contact_space::{ContactSpace, Friction, Mechanism};
use carom_contact::impact::Law;
use carom_contact::impact::planar::{PlanarImpact, PlanarSolution, solve};
use carom_contact::impact::{ContactType, Outcome};
use carom_support::cases::{cases, numbers};
use carom_support::near::assert_near;
use serde_json::Value;

struct Solved {
    solution: PlanarSolution,
    velocity: Vec<f64>,
}

fn solve_case(case: &Value) -> Solved {
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
    let (w, v) = space.planar(0, 1).unwrap();
    let friction = Friction::new(number("mu_s"), number("mu_d")).unwrap();
    let impact = PlanarImpact::new(w, v, friction, number("e")).unwrap();
    let law: Law = case["law"].as_str().unwrap().parse().unwrap();
    let solution = solve(&impact, law).unwrap();
    let mut after = velocity;
    if let Some(end) = solution.end {
        space.apply(&[end.impulse.n, end.impulse.t], &mut after);
    }
    Solved {
        solution,
        velocity: after,
    }
}

fn tolerance(case: &Value) -> f64 {
    let tags = case["tags"].as_array().unwrap();
    let is_delicate = tags.iter().any(|t| t == "near-critical" || t == "jam");
    if is_delicate { 1e-10 } else { 1e-12 }
}

#[test]
fn every_reference_case_is_met_digit_by_digit() {
    let cases = cases("planar-reference");
    assert!(cases.len() >= 65);
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let Solved { solution, velocity } = solve_case(case);
        let end = solution.end.unwrap_or_else(|| panic!("{id} has no end"));
        let expected = &case["expected"];
        let compare = |what: &str, found: f64, wanted: f64| {
            assert_near(&format!("{id} {what}"), found, wanted, tolerance(case));
        };
        let number = |key: &str| expected[key].as_f64().unwrap();
        compare("p_n", end.impulse.n, number("In"));
        compare("p_t", end.impulse.t, number("It"));
        compare("v_n", end.v_post.n, number("vn_plus"));
        compare("v_t", end.v_post.t, number("vt_plus"));
        compare("W_n", end.work.n, number("Wn"));
        compare("W_t", end.work.t, number("Wt"));
        compare("energy", end.energy_change, number("dT"));
        let compression = solution.compression.map_or((0.0, 0.0), |c| (c.p_n, c.work));
        compare("p_c", compression.0, number("Inc"));
        compare("W_c", compression.1, number("Wnc"));
        let wanted = numbers(&expected["qdot_plus"]);
        assert_eq!(velocity.len(), wanted.len());
        for (found, wanted) in velocity.iter().zip(wanted) {
            compare("q̇", *found, wanted);
        }
        let name = solution.contact_type.name();
        let alternatives = expected["type_alt"].as_array().unwrap();
        let is_known = expected["type"] == name || alternatives.iter().any(|t| t == name);
        assert!(is_known, "{id}: {name} for {}", expected["type"]);
    }
}

#[test]
fn a_stuck_contact_of_one_degree_of_freedom_jams_under_newton_and_energetic() {
    let mut cases = cases("planar-reference").into_iter();
    let mut case = cases.find(|case| case["id"] == "P093").unwrap();
    for law in ["newton", "energetic"] {
        case["law"] = law.into();
        let Solved { solution, .. } = solve_case(&case);
        assert_eq!(solution.outcome, Outcome::Jammed, "{law}");
        assert_eq!(solution.end, None);
        assert_eq!(solution.contact_type, ContactType::NonSlidingRestitution);
    }
}
