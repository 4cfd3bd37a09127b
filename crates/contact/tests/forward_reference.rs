//! Every case of the forward reference book, computed elsewhere.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use carom_contact::contact_space::GivenFriction;

use carom_contact::forward::rod::Rod;
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::{ForwardProblem, ForwardResult, Mode, map::rod_map, solve};
use carom_contact::impact::Law;
use carom_contact::resolution::{resolve, resolve_rod};
use carom_support::cases::numbers;
use common::assert_close;
use serde_json::Value;

/// Of every expected number.
const TOLERANCE: f64 = 1e-10;

fn cases(kind: &str) -> Vec<Value> {
    let mut wanted = carom_support::cases::cases("forward-reference");
    wanted.retain(|case| case["type"] == kind);
    assert!(!wanted.is_empty(), "no case of type {kind}");
    wanted
}

#[track_caller]
fn meet(id: &Value, what: &str, found: f64, wanted: &Value) {
    let wanted = wanted
        .as_f64()
        .unwrap_or_else(|| panic!("{id} {what} has no number"));
    let bound = TOLERANCE * wanted.abs().max(1.0);
    assert_close(&format!("{id} {what}"), found, wanted, bound);
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn number(input: &Value, key: &str) -> f64 {
    input[key].as_f64().unwrap_or_else(|| panic!("no {key}"))
}

fn coefficients(input: &Value) -> GivenFriction {
    let mu_d = number(input, "mu");
    let mu_s = input["mu_s"].as_f64().unwrap_or(mu_d);
    GivenFriction { mu_s, mu_d }
}

fn scalar_problem(input: &Value) -> ForwardProblem {
    ForwardProblem {
        inertia: vec![vec![number(input, "a")]],
        bias: vec![input["b"].as_f64().unwrap_or(0.0)],
        load_matrix: vec![vec![number(input, "c")]],
        load_offset: vec![input["d"].as_f64().unwrap_or(0.0)],
        friction: vec![coefficients(input)],
        velocity: vec![input["sgn"].as_f64().unwrap_or(0.0)],
        force: vec![input["tau"].as_f64().unwrap_or(0.0)],
        contacts: Vec::new(),
    }
}

#[track_caller]
fn meet_answers(id: &Value, result: &ForwardResult, expected: &Value) {
    let count = expected["count"].as_u64().map(|n| n as usize);
    assert_eq!(result.count, count, "{id}");
    let wanted = expected["solutions"].as_array().unwrap();
    assert_eq!(result.answers.len(), wanted.len(), "{id}");
}

#[test]
fn scalar_cases_are_met_by_enumeration_and_by_the_closed_form() {
    for case in cases("scalar") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let problem = scalar_problem(&case["input"]);
        let result = solve(&problem).unwrap();
        meet_answers(id, &result, expected);
        let closed = ScalarFriction::of(&problem).unwrap();
        let quick = closed.answers(problem.force[0], problem.velocity[0]);
        assert_eq!(quick.count(), result.count, "{id}");
        let solutions = expected["solutions"].as_array().unwrap();
        for ((answer, other), wanted) in result.answers.iter().zip(quick.iter()).zip(solutions) {
            meet(id, "acceleration", answer.acceleration[0], &wanted["x"]);
            meet(id, "load", answer.normal_load[0], &wanted["N"]);
            meet(id, "closed acceleration", other.acceleration, &wanted["x"]);
            meet(id, "closed load", other.normal_load, &wanted["N"]);
            assert_eq!(answer.mode[0].name(), wanted["mode"], "{id}");
            assert_eq!(other.mode, answer.mode[0], "{id}");
        }
        let rays = expected["continua"].as_array().unwrap();
        assert_eq!(result.continua.len(), rays.len(), "{id}");
        for (family, ray) in result.continua.iter().zip(rays) {
            let [low, high] = family.bounds[0];
            let at = |t: Option<f64>| t.map(|t| family.point[0] + t * family.direction[0][0]);
            for (found, wanted) in [(at(low), &ray["lo"]), (at(high), &ray["hi"])] {
                assert_eq!(found.is_none(), wanted.is_null(), "{id}");
                if let Some(found) = found {
                    meet(id, "bound", found, wanted);
                }
            }
            let closed = quick.ray.unwrap();
            assert_eq!(
                (closed.low.is_none(), closed.high.is_none()),
                (low.is_none(), high.is_none())
            );
            assert_eq!(family.mode[0].name(), ray["mode"], "{id}");
        }
    }
}

#[test]
fn the_count_diagram_is_met() {
    for case in cases("scalar_diagram") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let scalar = ScalarFriction::of(&scalar_problem(&case["input"])).unwrap();
        let diagram = scalar.count_diagram();
        let breaks = expected["breaks"].as_array().unwrap();
        assert_eq!(diagram.breaks.len(), breaks.len(), "{id}");
        for (found, wanted) in diagram.breaks.iter().zip(breaks) {
            meet(id, "break", *found, wanted);
        }
        let rows = expected["rows"].as_array().unwrap();
        assert_eq!(diagram.rows.len(), rows.len(), "{id}");
        for (found, wanted) in diagram.rows.iter().zip(rows) {
            meet(id, "force", found.force, &wanted["tau"]);
            assert_eq!(found.at_break, wanted["at_break"].as_bool().unwrap());
            let counts = [
                ("1", found.moving_plus),
                ("0", found.at_rest),
                ("-1", found.moving_minus),
            ];
            for (key, count) in counts {
                assert_eq!(
                    count.map(|c| c as u64),
                    wanted["counts"][key].as_u64(),
                    "{id} {key}"
                );
            }
        }
        meet(
            id,
            "critical friction",
            scalar.critical_friction().unwrap(),
            &expected["mu_crit"],
        );
    }
}

#[test]
fn a_seizure_is_met() {
    for case in cases("scalar_seizure") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let mut problem = scalar_problem(&case["input"]);
        problem.velocity = vec![number(&case["input"], "v0")];
        let jump = resolve(&problem, 0.0, Law::Poisson).unwrap().unwrap();
        meet(
            id,
            "velocity",
            jump.velocity_after.unwrap()[0],
            &expected["v_plus"],
        );
        meet(
            id,
            "friction impulse",
            jump.friction_impulse[0],
            &expected["friction_impulse"],
        );
        meet(
            id,
            "normal impulse",
            jump.normal_impulse[0],
            &expected["normal_impulse"],
        );
        meet(id, "energy", jump.energy_loss, &expected["energy_loss"]);
    }
}

fn joint_problem(input: &Value) -> ForwardProblem {
    ForwardProblem {
        inertia: rows(&input["A"]),
        bias: numbers(&input["b"]),
        load_matrix: rows(&input["C"]),
        load_offset: numbers(&input["d"]),
        friction: numbers(&input["mu"])
            .into_iter()
            .map(GivenFriction::from)
            .collect(),
        velocity: numbers(&input["s"]),
        force: numbers(&input["tau"]),
        contacts: Vec::new(),
    }
}

#[track_caller]
fn meet_list(id: &Value, what: &str, found: &[f64], wanted: &Value) {
    let wanted = wanted.as_array().unwrap();
    assert_eq!(found.len(), wanted.len(), "{id} {what}");
    for (found, wanted) in found.iter().zip(wanted) {
        meet(id, what, *found, wanted);
    }
}

#[test]
fn cases_of_several_coordinates_are_met() {
    for case in cases("ndof") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let result = solve(&joint_problem(&case["input"])).unwrap();
        meet_answers(id, &result, expected);
        let solutions = expected["solutions"].as_array().unwrap();
        for (answer, wanted) in result.answers.iter().zip(solutions) {
            meet_list(id, "acceleration", &answer.acceleration, &wanted["x"]);
            meet_list(id, "load", &answer.normal_load, &wanted["N"]);
            meet_list(id, "friction", &answer.friction_force, &wanted["friction"]);
            let modes: Vec<&str> = answer.mode.iter().map(|m| m.name()).collect();
            assert_eq!(serde_json::to_value(modes).unwrap(), wanted["mode"], "{id}");
        }
        let families = expected["continua"].as_array().unwrap();
        assert_eq!(result.continua.len(), families.len(), "{id}");
        for (family, wanted) in result.continua.iter().zip(families) {
            assert_eq!(family.dimension as u64, wanted["dim"].as_u64().unwrap());
            meet_list(id, "point", &family.point, &wanted["point"]);
            meet_list(id, "direction", &family.direction[0], &wanted["direction"]);
            for (bound, key) in family.bounds[0].iter().zip(["t_lo", "t_hi"]) {
                assert_eq!(bound.is_none(), wanted[key].is_null(), "{id} {key}");
                if let Some(bound) = bound {
                    meet(id, key, *bound, &wanted[key]);
                }
            }
        }
        if !expected["degree"].is_null() {
            assert_eq!(
                result.degree.map(i64::from),
                expected["degree"].as_i64(),
                "{id}"
            );
        }
        let verdict = &expected["uniqueness"];
        assert_eq!(
            result.unique_for_every_force,
            verdict["unique"].as_bool(),
            "{id}"
        );
        assert_eq!(
            result.witness.is_some(),
            result.unique_for_every_force == Some(false),
            "{id}"
        );
        meet(
            id,
            "margin",
            result.friction_margin.unwrap(),
            &verdict["friction_margin"],
        );
        let radius = 1.0 / result.friction_margin.unwrap();
        meet(id, "radius", radius, &verdict["sign_real_radius"]);
        let wanted = verdict["dets"].as_object().unwrap();
        assert_eq!(result.condition.determinants.len(), wanted.len(), "{id}");
        for (signs, found) in &result.condition.determinants {
            meet(id, signs, *found, &wanted[signs]);
        }
    }
}

fn screw(input: &Value) -> Screw {
    Screw {
        inertia: number(input, "I"),
        mass: number(input, "m"),
        lead: number(input, "l"),
        helix: number(input, "alpha"),
        thread: number(input, "theta"),
        friction: coefficients(input),
        gravity: number(input, "g"),
        velocity: number(input, "sgn"),
        force: number(input, "tau"),
    }
}

#[test]
fn screws_are_met() {
    for case in cases("screw") {
        let (id, input, expected) = (&case["id"], &case["input"], &case["expected"]);
        let screw = screw(input);
        let (numbers, given) = (screw.numbers().unwrap(), &expected["parameters"]);
        meet(id, "rho", numbers.rho, &given["rho"]);
        meet(id, "r", numbers.radius, &given["r"]);
        meet(
            id,
            "1/η₁",
            numbers.inverse_efficiency_driving,
            &given["inv_eta1"],
        );
        meet(
            id,
            "1/η₂",
            numbers.inverse_efficiency_driven,
            &given["inv_eta2"],
        );
        meet(id, "slope 1", numbers.slope_driving, &given["slope1"]);
        meet(id, "slope 2", numbers.slope_driven, &given["slope2"]);
        meet(id, "β", numbers.beta, &given["beta"]);
        meet(id, "k+", numbers.k_plus, &given["k_plus"]);
        meet(id, "k-", numbers.k_minus, &given["k_minus"]);
        let result = screw.solve().unwrap();
        assert_eq!(result.condition.screw, Some(numbers), "{id}");
        meet(
            id,
            "μ_crit",
            result.condition.critical_friction.unwrap(),
            &given["mu_crit"],
        );
        assert_eq!(
            result.unique_for_every_force,
            given["unique"].as_bool(),
            "{id}"
        );
        meet_answers(id, &result, expected);
        let solutions = expected["solutions"].as_array().unwrap();
        for (answer, wanted) in result.answers.iter().zip(solutions) {
            meet(id, "acceleration", answer.acceleration[0], &wanted["x"]);
            meet(
                id,
                "thread",
                answer.normal_load[0],
                &wanted["thread_normal"],
            );
            let lift =
                screw.mass * screw.lead * (screw.lead * answer.acceleration[0] + screw.gravity);
            meet(id, "τ_l", lift, &wanted["tau_l"]);
            assert_eq!(answer.mode[0].name(), wanted["mode"], "{id}");
        }
        assert_eq!(
            result.witness.is_none(),
            result.unique_for_every_force == Some(true),
            "{id}"
        );
    }
}

fn rod(input: &Value) -> Rod {
    let law = input["law"].as_str().unwrap_or("poisson");
    Rod {
        mass: number(input, "m"),
        half_length: number(input, "l"),
        inertia: number(input, "I"),
        angle: input["phi"].as_f64().unwrap_or(0.0),
        rate: input["omega"].as_f64().unwrap_or(0.0),
        slip: input["v"].as_f64().unwrap_or(-1.0),
        friction: coefficients(input),
        gravity: number(input, "g"),
        force: [0.0; 2],
        torque: 0.0,
        restitution: input["e"].as_f64().unwrap_or(0.0),
        law: if law == "stronge" { "energetic" } else { law }
            .parse()
            .unwrap(),
    }
}

#[test]
fn rods_are_met() {
    for case in cases("rod") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let rod = rod(&case["input"]);
        let result = rod.solve().unwrap();
        meet(
            id,
            "p+",
            result.condition.p_plus.unwrap(),
            &expected["p_plus"],
        );
        meet(
            id,
            "p-",
            result.condition.p_minus.unwrap(),
            &expected["p_minus"],
        );
        meet(id, "b_n", rod.drift()[0], &expected["b_n"]);
        meet(id, "b_t", rod.drift()[1], &expected["b_t"]);
        let solutions = expected["solutions"].as_array().unwrap();
        assert_eq!(result.count, Some(solutions.len()), "{id}");
        for wanted in solutions {
            let is_it = |m: &&carom_contact::forward::Answer| m.mode[0].name() == wanted["mode"];
            let answer = result
                .answers
                .iter()
                .find(is_it)
                .unwrap_or_else(|| panic!("{id}"));
            meet(id, "N", answer.normal_load[0], &wanted["N"]);
            meet(id, "F", answer.friction_force[0], &wanted["F"]);
            let tip = answer.tip_acceleration.unwrap();
            meet(id, "a_t", tip.tangent, &wanted["a_t"]);
            meet(id, "a_n", tip.normal, &wanted["a_n"]);
        }
    }
}

#[test]
fn the_map_of_the_rod_is_met_and_its_boundaries_are_where_theory_puts_them() {
    for case in cases("rod_map") {
        let input = &case["input"];
        let mut plain = input.clone();
        (plain["phi"], plain["omega"]) = (Value::Null, Value::Null);
        let rod = rod(&plain);
        let (angles, rates) = (numbers(&input["phi"]), numbers(&input["omega"]));
        let found = rod_map(&rod, &angles, &rates).unwrap();
        assert_eq!(
            serde_json::to_value(&found.labels).unwrap(),
            case["expected"]["map"]
        );
        let mut points = 0;
        for boundary in &found.boundaries {
            for [angle, rate] in boundary.segments.iter().flatten() {
                let moved = Rod {
                    angle: *angle,
                    rate: *rate,
                    ..rod.clone()
                };
                let miss = moved.slope(-1.0).abs().min(moved.drift()[0].abs());
                assert!(
                    miss < 1e-12,
                    "{:?} {angle} {rate}: {miss:e}",
                    boundary.between
                );
                points += 1;
            }
        }
        assert!(points > 20, "{points}");
        assert!(found.boundaries.len() >= 4);
    }
}

#[test]
fn thresholds_of_the_rod_are_met() {
    for case in cases("rod_threshold") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let k = number(&case["input"], "k");
        let rod = Rod {
            mass: 1.0,
            half_length: 1.0,
            inertia: k,
            angle: 1.0,
            rate: 0.0,
            slip: -1.0,
            friction: number(&case["input"], "mu").into(),
            gravity: 9.81,
            force: [0.0; 2],
            torque: 0.0,
            restitution: 0.0,
            law: Law::Poisson,
        };
        let numbers = rod.numbers().unwrap();
        meet(id, "mu_P", numbers.mu_p, &expected["mu_P"]);
        meet(id, "angle_P", numbers.angle_p, &expected["phi_P"]);
        meet_list(id, "window", &numbers.window.unwrap(), &expected["window"]);
    }
}

#[test]
fn impacts_without_collision_are_met() {
    for case in cases("rod_impact") {
        let (id, expected) = (&case["id"], &case["expected"]);
        let result = resolve_rod(&rod(&case["input"])).unwrap();
        let jump = result.resolution.unwrap();
        meet(id, "P_n", jump.normal_impulse[0], &expected["P_n"]);
        meet(id, "P_t", jump.friction_impulse[0], &expected["P_t"]);
        meet(id, "u", jump.contact_velocity_after[0][0], &expected["u"]);
        meet(id, "v", jump.contact_velocity_after[0][1], &expected["v"]);
        let after = jump.velocity_after.unwrap();
        meet(id, "vcx", after[0], &expected["vcx"]);
        meet(id, "vcy", after[1], &expected["vcy"]);
        meet(id, "omega", after[2], &expected["omega"]);
        meet(
            id,
            "before",
            jump.energy_before.unwrap(),
            &expected["T_before"],
        );
        meet(
            id,
            "after",
            jump.energy_after.unwrap(),
            &expected["T_after"],
        );
        let path = jump.impulse_path.unwrap();
        meet(id, "P_c", path.compression.unwrap(), &expected["P_c"]);
        meet(id, "W_c", path.compression_work.unwrap(), &expected["W_c"]);
        let phases = expected["phases"].as_array().unwrap();
        assert_eq!(path.corners.len(), phases.len() + 1, "{id}");
        for (corner, phase) in path.corners[1..].iter().zip(phases) {
            meet(id, "corner", corner[0], &phase["P_to"]);
        }
        match (&jump.next_modes, &expected["next_modes"]) {
            (None, wanted) => assert!(wanted.is_null(), "{id}"),
            (Some(found), wanted) => {
                let found: Vec<Mode> = found.concat();
                let wanted = wanted.as_array().unwrap();
                assert_eq!(found.len(), wanted.len(), "{id}");
                for (mode, wanted) in found.iter().zip(wanted) {
                    assert_eq!(mode.name(), wanted["mode"], "{id}");
                }
            }
        }
    }
}
