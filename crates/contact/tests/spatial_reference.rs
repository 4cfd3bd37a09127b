//! Every spatial impact of the reference book, computed elsewhere by two routes in 30-digit arithmetic, and
//! the printed values of a sphere and of a free body.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::contact_space::{
    ContactSpace, Friction, Mechanism, SpatialDelassus, SpatialVector,
};
use carom_contact::impact::spatial::{
    EventKind, SpatialImpact, SpatialSolution, invariant_directions, solve, trace,
};
use carom_contact::impact::{ContactType, Law, Outcome};
use carom_support::cases::{cases, numbers};
use carom_support::near::{assert_all_near, assert_near};
use serde_json::Value;

const TOLERANCE: f64 = 1e-11;

/// A case as its problem in coordinates says, reduced to contact space.
fn impact_of(case: &Value) -> (SpatialImpact, Law) {
    let problem = &case["problem"];
    let contact = &problem["contacts"][0];
    let velocity = numbers(&problem["velocity"]);
    let rows = [numbers(&contact["normal"]), numbers(&contact["tangents"])].concat();
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &numbers(&problem["mass"]),
            velocity: &velocity,
            rows: &rows,
            constraints: &[],
        })
        .unwrap();
    let (w, v) = space.spatial(0, [1, 2]).unwrap();
    let mu = |key: &str| contact["friction"][key].as_f64().unwrap();
    let friction = Friction::new(mu("static"), mu("kinetic")).unwrap();
    let restitution = contact["restitution"].as_f64().unwrap();
    let law = problem["law"].as_str().unwrap().parse().unwrap();
    let impact = SpatialImpact::new(w, v, friction, restitution).unwrap();
    (impact, law)
}

/// The contact type that the events of a case mean.
fn type_of(expected: &Value) -> ContactType {
    let events: Vec<&str> = expected["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event[0].as_str().unwrap())
        .collect();
    let sticks = expected["modes"]
        .as_array()
        .unwrap()
        .iter()
        .any(|mode| mode == "stick");
    let Some(halt) = events.iter().position(|name| *name == "halt") else {
        return ContactType::PermanentSliding;
    };
    let last = events[..halt].last();
    match (last.copied() == Some("max_compression"), sticks) {
        (true, true) => ContactType::NonSlidingRestitution,
        (true, false) => ContactType::ReverseRestitution,
        (false, true) => ContactType::NonSlidingCompression,
        (false, false) => ContactType::ReverseCompression,
    }
}

fn listed(v: SpatialVector) -> [f64; 3] {
    [v.n, v.t[0], v.t[1]]
}

#[test]
fn every_spatial_reference_case_is_met_digit_by_digit() {
    let cases = cases("spatial-impact-reference");
    assert_eq!(cases.len(), 20);
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let (impact, law) = impact_of(case);
        let solution = solve(&impact, law).unwrap();
        let expected = &case["expected"];
        let end = solution.end.unwrap_or_else(|| panic!("{id} has no end"));
        let number = |key: &str| expected[key].as_f64().unwrap();
        let compare = |what: &str, found: f64, key: &str| {
            assert_near(&format!("{id} {what}"), found, number(key), TOLERANCE);
        };
        let lists = [
            ("v⁻", listed(impact.v_pre()), "v_before"),
            ("v⁺", listed(end.v_post), "v"),
            ("p", listed(end.impulse), "P"),
        ];
        for (what, found, key) in lists {
            let wanted = numbers(&expected[key]);
            assert_all_near(&format!("{id} {what}"), &found, &wanted, TOLERANCE);
        }
        compare("energy", end.energy_change, "energy_change");
        compare("W_n", end.work.n, "work_normal");
        compare("W_t", end.work.t[0] + end.work.t[1], "work_tangent");
        compare("μ_stick", solution.mu_stick, "mu_stick");
        compare("σ", impact.w().nn_stuck(), "schur_normal");
        let is_arrested = expected["outcome"] == "arrested";
        assert_eq!(solution.findings.arrested, is_arrested, "{id}");
        assert_eq!(solution.outcome, Outcome::Solved, "{id}");
        assert_events(id, &solution, expected);
    }
}

/// The repelled slip of M31 turns away from its line by round-off only: it halts as well as it swerves.
fn assert_events(id: &str, solution: &SpatialSolution, expected: &Value) {
    let name = |kind: EventKind| match kind {
        EventKind::GreatestCompression => Some("max_compression"),
        EventKind::SecondCompression => Some("recompress"),
        EventKind::Halt => Some("halt"),
        EventKind::Restart | EventKind::End => None,
    };
    let found = solution.events.iter();
    let found = found.filter_map(|event| Some((name(event.kind)?, event.at.p_n)));
    let found = found.filter(|(name, _)| id != "M31" || *name != "halt");
    let found: Vec<(&str, f64)> = found.collect();
    let wanted = expected["events"].as_array().unwrap();
    assert_eq!(found.len(), wanted.len(), "{id}: {found:?}");
    for ((name, p_n), wanted) in found.iter().zip(wanted) {
        assert_eq!(wanted[0], *name, "{id}: {found:?}");
        assert_near(id, *p_n, wanted[1].as_f64().unwrap(), TOLERANCE);
    }
    let count = solution.compression.map_or(0, |c| c.count);
    assert_eq!(
        count as u64,
        expected["compressions"].as_u64().unwrap(),
        "{id}"
    );
    if id != "M31" {
        assert_eq!(solution.contact_type, type_of(expected), "{id}");
    }
}

#[test]
fn the_drawn_path_of_a_case_passes_its_events_and_ends_at_its_end() {
    for case in &cases("spatial-impact-reference") {
        let (impact, law) = impact_of(case);
        let (solution, points) = (solve(&impact, law).unwrap(), trace(&impact, law).unwrap());
        let (first, last) = (points.first().unwrap(), points.last().unwrap());
        let end = solution.end.unwrap();
        assert_eq!((first.p_n, last.p_n), (0.0, end.impulse.n));
        assert_eq!((last.v_n, last.v_t), (end.v_post.n, end.v_post.t));
        for event in solution.events.iter() {
            let is_passed = points.iter().any(|point| point.p_n == event.at.p_n);
            assert!(is_passed, "{}: {event:?}", case["id"]);
        }
        for pair in points.windows(2) {
            assert!(pair[0].p_n <= pair[1].p_n, "{}", case["id"]);
            let turn = |v: [f64; 2]| v[1].atan2(v[0]);
            let apart = turn(pair[1].v_t) - turn(pair[0].v_t);
            let is_slip = pair.iter().all(|p| p.v_t[0].hypot(p.v_t[1]) > 1e-9);
            let apart = apart.abs().min(std::f64::consts::TAU - apart.abs());
            assert!(!is_slip || apart < 0.2, "{}: {apart}", case["id"]);
        }
    }
}

/// The sphere of benchmark P11.
fn sphere(mu: f64) -> SpatialImpact {
    let w = SpatialDelassus::new([[1.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]]).unwrap();
    let v = SpatialVector {
        n: -3.0,
        t: [1.0, 2.0],
    };
    SpatialImpact::new(w, v, Friction::uniform(mu).unwrap(), 0.8).unwrap()
}

#[test]
fn a_sphere_slides_straight_or_sticks_by_any_law() {
    for law in Law::ALL {
        let slides = solve(&sphere(0.05), law).unwrap();
        let end = slides.end.unwrap();
        assert_near("v_t1", end.v_post.t[0], 0.577383152253, 1e-12);
        assert_near("v_t2", end.v_post.t[1], 1.154766304505, 1e-12);
        assert_eq!(slides.contact_type, ContactType::PermanentSliding);
        let sticks = solve(&sphere(0.3), law).unwrap().end.unwrap();
        assert_near("energy", sticks.energy_change, -2.334285714286, 1e-12);
        assert_eq!(sticks.v_post.t, [0.0, 0.0]);
    }
    let limit = 2.0 * 5f64.sqrt() / (7.0 * 1.8 * 3.0);
    assert_near("limit", limit, 0.118310475, 1e-9);
    for (mu, is_sliding) in [(limit * (1.0 - 1e-9), true), (limit * (1.0 + 1e-9), false)] {
        let solution = solve(&sphere(mu), Law::Energetic).unwrap();
        let is_permanent = solution.contact_type == ContactType::PermanentSliding;
        assert_eq!(is_permanent, is_sliding, "{mu}");
    }
    assert!(invariant_directions(&sphere(0.1).w(), 0.1).every);
}

/// The free body of benchmarks P12 and P13.
fn body() -> SpatialDelassus {
    SpatialDelassus::new([[1.5, 0.5, -0.5], [0.5, 67.0 / 30.0, 0.6], [-0.5, 0.6, 3.15]]).unwrap()
}

#[test]
fn a_free_body_has_its_invariant_directions() {
    let w = body();
    assert_near("μ_stick", w.stick_threshold(), 0.352062138632, 1e-12);
    let few = invariant_directions(&w, 0.2);
    let few: Vec<_> = few.iter().collect();
    assert_eq!(few.len(), 2);
    let wanted = [
        (-0.690110927501, 0.300756976652),
        (2.173452079671, -1.154353885499),
    ];
    for (found, (angle, rate)) in few.iter().zip(wanted) {
        assert_near("angle", found.angle, angle, 1e-12);
        assert_near("rate", found.rate, rate, 1e-12);
    }
    assert!(few[0].is_attracting && !few[1].is_attracting);
    let many = invariant_directions(&w, 0.9);
    assert_eq!(many.iter().count(), 4);
    assert_eq!(many.iter().filter(|d| d.is_attracting).count(), 2);
    for found in many.iter() {
        assert!(found.rate < 0.0, "{found:?}");
        // (μ W_tt + r) u = W_tn
        let [a, b] = found.direction;
        let t = [0.9 * a, 0.9 * b];
        let moved = w.times(SpatialVector { n: 0.0, t }).t;
        assert_near("along t1", moved[0] + found.rate * a, 0.5, 1e-13);
        assert_near("along t2", moved[1] + found.rate * b, -0.5, 1e-13);
    }
}

#[test]
fn a_free_body_halts_in_compression_and_sticks() {
    let v = SpatialVector {
        n: -1.0,
        t: [0.3, -0.5],
    };
    let friction = Friction::uniform(0.9).unwrap();
    let impact = SpatialImpact::new(body(), v, friction, 0.6).unwrap();
    for (law, v_n) in [
        (Law::Energetic, 0.683754116313),
        (Law::Poisson, 0.714232209738),
    ] {
        let solution = solve(&impact, law).unwrap();
        let end = solution.end.unwrap();
        assert_near("v_n", end.v_post.n, v_n, 1e-12);
        assert_eq!(end.v_post.t, [0.0, 0.0]);
        assert_eq!(solution.contact_type, ContactType::NonSlidingCompression);
        let halt = solution.events.first(EventKind::Halt).unwrap();
        assert_near("halt", halt.at.p_n, 0.497252997999, 1e-12);
        if law == Law::Energetic {
            assert_near("energy", end.energy_change, -0.455302154905, 1e-12);
        }
    }
}
