//! Every scenario of the plane has a twin in space: x is x, y is z, and counter-clockwise is
//! right-handed about −y. Both move alike.
//!
//! A mechanism in the plane multiplies errors of round-off as any other disturbance. How much is
//! measured: the plane scenario runs again with every rate at the start changed by [`NUDGE`], and the
//! instant of an impact may differ between the twins by [`AGREE`] times its shift per nudge, at least
//! by [`AGREE`].
#![allow(clippy::unwrap_used)]

use carom_scenario::examples::SCENARIOS;
use carom_scenario::{Mechanics, read_scenario};
use carom_sim::{End, Run, Setup, run};
use serde_json::{Map, Value, json};

/// Change of the rates at the start (m/s or rad/s).
const NUDGE: f64 = 1e-8;
/// Difference of instants (s), and of energies as part of the largest, for a motion that multiplies
/// nothing.
const AGREE: f64 = 1e-11;
/// Thickness of twins of rectangles (m).
const DEPTH: f64 = 0.1;

type Table = Map<String, Value>;

/// [x, y] of the plane in space.
fn lifted(value: &Value) -> Value {
    json!([value[0], 0.0, value[1]])
}

/// A counter-clockwise turn in space.
fn turn(angle: &Value) -> Value {
    json!({ "axis": [0.0, -1.0, 0.0], "angle": angle })
}

/// The negative of a number or of a text with a unit.
fn negative(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('-') {
            Some(rest) => json!(rest),
            None => json!(format!("-{text}")),
        },
        number => json!(-number.as_f64().unwrap()),
    }
}

/// A moment or angular rate about the axis out of the plane.
fn about(value: &Value) -> Value {
    json!([0.0, negative(value), 0.0])
}

fn change(table: &mut Table, key: &str, new: &str, change: impl Fn(&Value) -> Value) {
    if let Some(value) = table.remove(key) {
        table.insert(new.to_owned(), change(&value));
    }
}

fn each(table: &mut Table, key: &str, change: impl Fn(&mut Table)) {
    let Some(Value::Object(named)) = table.get_mut(key) else {
        return;
    };
    for value in named.values_mut() {
        change(value.as_object_mut().unwrap());
    }
}

fn shape(shape: &mut Table) {
    change(shape, "at", "at", lifted);
    change(shape, "angle", "rotation", turn);
    change(shape, "disk", "ball", Value::clone);
    change(
        shape,
        "half_space",
        "half_space",
        |half| json!({ "normal": lifted(&half["normal"]) }),
    );
    change(
        shape,
        "box",
        "box",
        |r#box| json!({ "size": [r#box["size"][0], DEPTH, r#box["size"][1]] }),
    );
    assert!(!shape.contains_key("polygon"), "a polygon has no twin here");
}

/// Start of a free body or free joint.
fn free_start(start: &Value) -> Value {
    let mut twin = Table::new();
    if let Some(position) = start.get("position") {
        twin.insert("position".to_owned(), lifted(position));
        twin.insert("rotation".to_owned(), turn(&position[2]));
    }
    if let Some(rate) = start.get("rate") {
        twin.insert("velocity".to_owned(), lifted(rate));
        twin.insert("angular_velocity".to_owned(), about(&rate[2]));
    }
    Value::Object(twin)
}

fn body(body: &mut Table) {
    change(body, "inertia", "inertia", |moment| {
        json!([moment, moment, moment])
    });
    change(body, "center", "center", lifted);
    change(body, "start", "start", free_start);
    each(body, "shapes", shape);
}

fn joint(joint: &mut Table) {
    for key in ["parent_at", "child_at", "axis"] {
        change(joint, key, key, lifted);
    }
    change(joint, "parent_rotation", "parent_rotation", turn);
    match joint["kind"].as_str().unwrap() {
        "revolute" => drop(joint.insert("axis".to_owned(), json!([0.0, -1.0, 0.0]))),
        "free" => change(joint, "start", "start", free_start),
        _ => {}
    }
}

/// Changes a steady value or the parts of one that varies.
fn varying(value: &Value, change: impl Fn(&Value) -> Value) -> Value {
    let Value::Object(parts) = value else {
        return change(value);
    };
    let mut twin = parts.clone();
    for key in ["constant", "amplitude"] {
        self::change(&mut twin, key, key, &change);
    }
    Value::Object(twin)
}

fn load(load: &mut Table) {
    change(load, "at", "at", lifted);
    change(load, "force", "force", |force| varying(force, lifted));
    change(load, "torque", "torque", |torque| varying(torque, about));
}

/// The twin of a scenario in the plane, as JSON.
fn twin(text: &str) -> String {
    let plane: toml::Table = text.parse().unwrap();
    let Value::Object(mut file) = serde_json::to_value(plane).unwrap() else {
        unreachable!("a scenario is a table");
    };
    file.insert("space".to_owned(), json!("space"));
    change(&mut file, "gravity", "gravity", lifted);
    each(&mut file, "bodies", body);
    if let Some(world) = file.get_mut("world") {
        each(world.as_object_mut().unwrap(), "shapes", shape);
    }
    each(&mut file, "joints", joint);
    each(&mut file, "loads", load);
    Value::Object(file).to_string()
}

fn plane(text: &str) -> Option<Setup> {
    let scenario = read_scenario("plane.toml", text, &[]).unwrap();
    matches!(scenario.mechanics, Mechanics::Plane(_)).then(|| scenario.build_plane().unwrap())
}

/// By how much a change of the rates at the start shifts every event, per unit of the change.
fn shifts(setup: &Setup, of: &Run) -> Vec<f64> {
    let mut nudged = setup.clone();
    nudged.v.iter_mut().for_each(|v| *v += NUDGE);
    let nudged = run(&mut nudged).unwrap();
    let pairs = of.events.iter().zip(&nudged.events);
    pairs
        .map(|(a, b)| (a.time - b.time).abs() / NUDGE)
        .collect()
}

/// A pile of impacts is seen after a number of them that round-off may change by a few.
fn is_pile(run: &Run) -> bool {
    matches!(run.end, End::Accumulates { .. })
}

fn compare(name: &str, text: &str) -> f64 {
    let mut setup = plane(text).unwrap();
    let scenario = read_scenario("twin.json", &twin(text), &[]).unwrap();
    let mut other = scenario.build_space().unwrap();
    let (a, b) = (run(&mut setup).unwrap(), run(&mut other).unwrap());
    assert_eq!(
        std::mem::discriminant(&a.end),
        std::mem::discriminant(&b.end),
        "{name}: {:?}",
        b.end
    );
    let spare = if is_pile(&a) { 3 } else { 0 };
    assert!(a.events.len().abs_diff(b.events.len()) <= spare, "{name}");
    let (shifts, mut worst, mut most) = (shifts(&setup, &a), 0.0f64, 1.0f64);
    for ((one, two), shift) in a.events.iter().zip(&b.events).zip(&shifts) {
        most = most.max(*shift);
        let apart = (one.time - two.time).abs();
        worst = worst.max(apart);
        assert_eq!(one.contacts(), two.contacts(), "{name} at {}", one.time);
        assert!(
            apart <= AGREE * shift.max(1.0),
            "{name}: {} and {} s, {apart:e} apart",
            one.time,
            two.time
        );
        let lost = [one, two].map(|event| event.energy_change.unwrap());
        let largest = a.ledger.unwrap().largest;
        let apart = (lost[0] - lost[1]).abs() / largest;
        assert!(apart <= AGREE * 100.0 * most, "{name}: losses {lost:?}");
    }
    let ledgers = [&a, &b].map(|run| run.ledger.unwrap());
    let apart = (ledgers[0].end - ledgers[1].end).abs() / ledgers[0].largest;
    assert!(apart <= AGREE * 100.0 * most, "{name}: energies {apart:e}");
    println!(
        "{name}: {} events, {worst:e} s apart, {most:.0}",
        a.events.len()
    );
    worst
}

#[test]
fn every_scenario_of_the_plane_moves_in_space_as_it_does_in_the_plane() {
    let mut twins = 0;
    for example in SCENARIOS {
        if plane(example.text).is_some() {
            compare(example.name, example.text);
            twins += 1;
        }
    }
    assert!(twins >= 10, "{twins}");
}
