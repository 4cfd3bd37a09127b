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
use carom_sim::{End, Happening, Run, Setup, run};
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

/// Names of the contacts of every event.
fn names<M>(setup: &Setup<M>, run: &Run) -> Vec<Vec<String>> {
    let name = |contact: &usize| setup.rules[*contact].name.clone();
    let events = run.events.iter();
    events
        .map(|event| event.contacts().iter().map(name).collect())
        .collect()
}

/// Runs both; their events come at the same instants and lose the same energies. Who collided, event
/// by event.
fn compare(name: &str, text: &str) -> [Vec<Vec<String>>; 2] {
    let mut setup = plane(text).unwrap();
    let scenario = read_scenario("twin.json", &twin(text), &[]).unwrap();
    let mut other = scenario.build_space().unwrap();
    let (a, b) = (run(&mut setup).unwrap(), run(&mut other).unwrap());
    let is_cut = is_pile(&b) && !is_pile(&a);
    assert!(
        is_cut || std::mem::discriminant(&a.end) == std::mem::discriminant(&b.end),
        "{name}: {:?}",
        b.end
    );
    let spare = if is_pile(&b) { 3 } else { 0 };
    let mut a = a;
    if is_cut {
        // Friction in space ends a run where impacts pile up; the plane goes on from the limit.
        let is_pile = |event: &carom_sim::Event| matches!(event.what, Happening::Accumulation(_));
        let limit = a.events.iter().position(is_pile).unwrap();
        a.events.truncate(limit);
    }
    assert!(a.events.len().abs_diff(b.events.len()) <= spare, "{name}");
    let (shifts, mut most) = (shifts(&setup, &a), 1.0f64);
    for ((one, two), shift) in a.events.iter().zip(&b.events).zip(&shifts) {
        most = most.max(*shift);
        let apart = (one.time - two.time).abs();
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
    if is_cut {
        return [names(&setup, &a), names(&other, &b)];
    }
    let ledgers = [&a, &b].map(|run| run.ledger.unwrap());
    let apart = (ledgers[0].end - ledgers[1].end).abs() / ledgers[0].largest;
    assert!(apart <= AGREE * 100.0 * most, "{name}: energies {apart:e}");
    [names(&setup, &a), names(&other, &b)]
}

#[test]
fn every_scenario_of_the_plane_moves_in_space_as_it_does_in_the_plane() {
    let mut twins = 0;
    for example in SCENARIOS {
        let is_rough_together = example.name == "slider-crank-clearance"; // of the plane alone
        if plane(example.text).is_some() && !is_rough_together {
            let [a, b] = compare(example.name, example.text);
            let both = a.len().min(b.len());
            assert_eq!(a[..both], b[..both], "{}", example.name);
            twins += 1;
        }
    }
    assert!(twins >= 10, "{twins}");
}

/// Turned joints and shapes, a free joint, loads that vary, a spring, a stop.
const TURNED: &str = r#"
run.duration = 3.0
[bodies.base]
mass = 1.0
inertia = 0.1
[bodies.block]
mass = 0.7
inertia = 0.02
center = [0.1, 0.02]
shapes.end = { capsule = { length = 0.2, radius = 0.05 }, at = [0.2, 0.1], angle = "25 deg" }
[bodies.hoop]
mass = 0.5
inertia = 0.01
shapes.rim = { disk = { radius = 0.1 } }
[world]
shapes.slope = { half_space = { normal = [0.0, 1.0] }, at = [0.0, -1.0], angle = "-12 deg" }
shapes.post = { point = {}, at = [0.6, -0.4] }
[joints.swing]
kind = "revolute"
parent = "world"
child = "base"
parent_at = [0.0, 0.3]
child_at = [0.2, 0.0]
start = { position = "-30 deg", rate = "40 deg/s" }
damping = 0.05
[joints.slide]
kind = "prismatic"
parent = "base"
child = "block"
parent_rotation = "20 deg"
axis = [1.0, 0.2]
child_at = [0.0, -0.05]
start = { position = 0.1, rate = 0.5 }
spring = { stiffness = 40.0, rest = 0.1 }
limits = { lower = -0.1, upper = 0.3, restitution = 0.7 }
[joints.loose]
kind = "free"
parent = "world"
child = "hoop"
parent_rotation = "15 deg"
start = { position = [0.3, 0.4, 1.0], rate = [0.1, -0.2, "-90 deg/s"] }
[contacts.floor]
between = ["block.end", "world.slope"]
restitution = 0.8
[contacts.roll]
between = ["hoop.rim", "world.slope"]
restitution = 0.9
[contacts.post]
between = ["hoop.rim", "world.post"]
restitution = 0.9
[loads.wind]
body = "hoop"
at = [0.05, 0.02]
force = { constant = [0.3, 0.0], amplitude = [0.2, 0.4], frequency = 3.0 }
[loads.motor]
body = "base"
torque = { constant = 0.2, amplitude = -0.4, frequency = 2.0, phase = "30 deg" }
"#;

/// A box and its twin, an upright prism: where the box has a corner the twin has an edge, both ends of
/// which strike together.
const BOX: &str = r#"
run.duration = 1.2
[bodies.box]
mass = 2.0
inertia = 0.05
shapes.skin = { box = { size = [0.4, 0.2] }, angle = "10 deg" }
start = { position = [0.0, 0.5, "30 deg"], rate = [0.5, 0.0, "90 deg/s"] }
[world]
shapes.ground = { half_space = { normal = [0.0, 1.0] } }
[contacts.floor]
between = ["box.skin", "world.ground"]
law = "newton"
restitution = 0.8
"#;

#[test]
fn turned_joints_and_shapes_loads_and_stops_have_their_twins() {
    let [a, b] = compare("turned", TURNED);
    assert!(a.len() >= 5, "{a:?}");
    assert_eq!(a, b);
}

#[test]
fn an_edge_strikes_in_space_when_the_corner_does_in_the_plane() {
    let [a, b] = compare("box", BOX);
    assert!(a.len() >= 3, "{a:?}");
    for (one, two) in a.iter().zip(&b) {
        assert_eq!(2 * one.len(), two.len());
    }
}
