//! `cases/simultaneous-reference`, two bodies in space, as problems in maximal coordinates.

use carom_contact::impact::{Constraint, Contact, ImpactProblem};
use serde_json::Value;

pub use crate::cases::numbers;

/// Three numbers.
type Vector = [f64; 3];

fn vector(value: &Value) -> Vector {
    numbers(value).try_into().unwrap()
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn unit(a: Vector) -> Vector {
    let size = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    a.map(|x| x / size)
}

/// Row of the velocity along `direction` of the point at `arm` from the mass centre, per (ω; v_C).
fn point_row(arm: Vector, direction: Vector) -> Vec<f64> {
    [cross(arm, direction), direction].concat()
}

/// What a joint forbids its body, per (ω; v_C).
pub fn joint_rows(body: &Value) -> Vec<Vec<f64>> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let centre = vector(&body["C"]);
    let held = |point: &Value| {
        let arm = minus(vector(point), centre);
        axes.map(|axis| point_row(arm, axis)).to_vec()
    };
    match body["joint"].as_str().unwrap() {
        "free" => Vec::new(),
        "fixed" => (0..6)
            .map(|i| (0..6).map(|j| f64::from(u8::from(i == j))).collect())
            .collect(),
        "spherical" => held(&body["point"]),
        "revolute" => {
            let axis = unit(vector(&body["axis"]));
            let flat = axes.iter().copied().min_by(|a, b| {
                let along = |x: &Vector| x.iter().zip(axis).map(|(a, b)| a * b).sum::<f64>().abs();
                along(a).total_cmp(&along(b))
            });
            let across = unit(cross(axis, flat.unwrap()));
            let turns = [across, cross(axis, across)];
            let turns = turns.map(|turn| [turn, [0.0; 3]].concat());
            [held(&body["point"]), turns.to_vec()].concat()
        }
        other => panic!("joint {other}"),
    }
}

fn twist(body: &Value) -> Vec<f64> {
    let rates = numbers(&body["rates"]);
    let about = |omega: Vector| {
        let arm = minus(vector(&body["C"]), vector(&body["point"]));
        [omega, cross(omega, arm)].concat()
    };
    match body["joint"].as_str().unwrap() {
        "free" => rates,
        "fixed" => vec![0.0; 6],
        "spherical" => about(rates.try_into().unwrap()),
        _ => about(unit(vector(&body["axis"])).map(|x| x * rates[0])),
    }
}

/// A case in maximal coordinates: (ω; v_C) of both bodies, joints as constraints.
pub fn problem(case: &Value) -> ImpactProblem {
    let input = &case["input"];
    let bodies = [&input["bodies"][0], &input["bodies"][1]];
    let diagonal = bodies.iter().flat_map(|body| {
        let m = body["m"].as_f64().unwrap();
        [numbers(&body["J"]), vec![m; 3]].concat()
    });
    let diagonal: Vec<f64> = diagonal.collect();
    let spread = |i: usize| (0..12).map(move |j| if i == j { 1.0 } else { 0.0 });
    let mass = (0..12).map(|i| spread(i).map(|x| x * diagonal[i]).collect());
    let is_raw = input["unit_normals"] == Value::Bool(false);
    let contacts = input["contacts"].as_array().unwrap().iter().enumerate();
    let contact = |(i, given): (usize, &Value)| {
        let normal = vector(&given["normal"]);
        let normal = if is_raw { normal } else { unit(normal) };
        let arms = bodies.map(|b| minus(vector(&given["point"]), vector(&b["C"])));
        let first = point_row(arms[0], normal.map(|x| -x));
        Contact {
            name: i.to_string(),
            normal: [first, point_row(arms[1], normal)].concat(),
            tangent: None,
            tangents: None,
            stiffness: 1.0,
            friction: 0.0.into(),
            restitution: given["k"].as_f64().unwrap(),
            tangential_restitution: None,
        }
    };
    let constraint = |(b, body): (usize, &&Value)| Constraint {
        name: b.to_string(),
        rows: joint_rows(body)
            .into_iter()
            .map(|row| [vec![0.0; 6 * b], row, vec![0.0; 6 - 6 * b]].concat())
            .collect(),
    };
    ImpactProblem {
        mass: mass.collect(),
        velocity: bodies.iter().flat_map(|b| twist(b)).collect(),
        contacts: contacts.map(contact).collect(),
        constraints: bodies.iter().enumerate().map(constraint).collect(),
    }
}
