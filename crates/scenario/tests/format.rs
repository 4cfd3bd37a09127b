//! The scenario format: what the page says is what is read.
#![allow(clippy::unwrap_used)]

use carom_multibody::plane::PlaneJoint;
use carom_scenario::examples::SCENARIOS;
use carom_scenario::{read_scenario, scenario_schema};
use carom_support::random::full_or;
use carom_support::scenario::{assert_explained, damaged};
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/scenario-format.md");

#[test]
fn the_page_explains_every_key_of_the_schema() {
    assert_explained(PAGE, &scenario_schema(), 50);
}

#[test]
fn every_table_of_the_schema_forbids_other_keys_and_describes_its_own() {
    fn walk(schema: &Value, tables: &mut usize) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            *tables += 1;
            assert_eq!(schema["additionalProperties"], false, "{schema}");
            for (key, value) in properties {
                assert!(value.get("description").is_some(), "{key}: {value}");
            }
        }
        match schema {
            Value::Object(entries) => entries.values().for_each(|value| walk(value, tables)),
            Value::Array(items) => items.iter().for_each(|item| walk(item, tables)),
            _ => {}
        }
    }
    let mut tables = 0;
    walk(&scenario_schema(), &mut tables);
    assert!(tables > 15, "{tables}");
}

#[test]
fn every_block_of_the_page_is_read_and_built() {
    let blocks: Vec<&str> = PAGE
        .split("```toml\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 4);
    for block in blocks {
        let read = read_scenario("page.toml", block, &[]);
        let built = read.and_then(|scenario| match scenario.has_spots() {
            true => scenario.collision().map(|_| ()),
            false => scenario.build().map(|_| ()),
        });
        assert!(built.is_ok(), "{}", built.unwrap_err().render());
    }
}

/// The tables of the examples as JSON; inline tables and dotted keys become objects.
fn as_json(text: &str) -> String {
    let table: toml::Table = text.parse().unwrap();
    serde_json::to_string_pretty(&table).unwrap()
}

#[test]
fn a_scenario_in_json_is_the_one_in_toml() {
    for example in SCENARIOS {
        let toml = read_scenario(example.file, example.text, &[]).unwrap();
        let json = read_scenario("t.json", &as_json(example.text), &[]).unwrap();
        assert_eq!(toml.mechanics, json.mechanics, "{}", example.name);
        assert_eq!(toml.contacts, json.contacts, "{}", example.name);
        assert_eq!(toml.options, json.options, "{}", example.name);
    }
}

#[test]
fn defaults_are_explicit_and_the_order_is_the_file_s() {
    let text = "[bodies.z]\nmass = 1\ninertia = 1\nshapes.s = { box = { size = [2, 1] } }\n\
                [bodies.a]\nmass = 1\ninertia = 1\n[world]\nshapes.f = { half_space = { normal = \
                [0, 2] }, at = [0, -3] }\n[contacts.hit]\nbetween = [\"z.s\", \"world.f\"]\n\
                restitution = 0.5\n[run]\nduration = 1\n";
    let scenario = read_scenario("t.toml", text, &[]).unwrap();
    let parts = scenario.plane().unwrap();
    assert_eq!(parts.gravity.0, [0.0, -9.81]);
    let names: Vec<&str> = parts.bodies.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["z", "a"]);
    let contact = &scenario.contacts[0].1;
    assert_eq!(contact.law, carom_contact::impact::Law::Poisson);
    assert_eq!(
        (contact.friction.mu_s(), contact.friction.mu_d()),
        (0.0, 0.0)
    );
    let options = &scenario.options;
    assert_eq!((options.tolerance, options.samples), (1e-12, 1200));
    assert_eq!(options.max_events, 100_000);
    let setup = scenario.build_plane().unwrap();
    let rules: Vec<&str> = setup.rules.iter().map(|rule| &*rule.name).collect();
    assert_eq!(rules, ["hit.0", "hit.1", "hit.2", "hit.3"]);
    assert_eq!((setup.q, setup.v), (vec![0.0; 6], vec![0.0; 6]));
    let said = scenario.summary(&scenario.build_plane().unwrap());
    let wanted = "scenario with 2 bodies, 0 joints, 6 degrees of freedom, 4 contacts, 1 s";
    assert_eq!(said, wanted);
}

#[test]
fn an_angle_may_carry_its_unit_wherever_one_is_meant() {
    let text = r#"
run.duration = 1
[bodies.b]
mass = 1
inertia = 1
shapes.s = { capsule = { length = 1, radius = 0.1 }, angle = "90 deg" }
[bodies.c]
mass = 1
inertia = 1
[bodies.f]
mass = 1
inertia = 1
start = { position = [1, 2, "180 deg"], rate = [0, 0, "-180 deg/s"] }
[joints.j]
kind = "revolute"
parent = "world"
child = "b"
parent_rotation = "45 deg"
start = { position = "90 deg", rate = "180 deg/s" }
spring = { stiffness = 1, rest = "30 deg" }
drive = { amplitude = 1, frequency = 2, phase = "60 deg" }
limits = { lower = "-90 deg", upper = "135 deg", restitution = 0 }
[joints.k]
kind = "revolute"
parent = "b"
child = "c"
motion = { offset = "10 deg", rate = "20 deg/s", amplitude = "5 deg", frequency = 1, phase = "15 deg" }
"#;
    let scenario = read_scenario("t.toml", text, &[]).unwrap();
    let rad = f64::to_radians;
    let parts = scenario.plane().unwrap();
    assert_eq!(parts.bodies[0].1.shapes[0].1.angle, rad(90.0));
    let joint = &parts.joints[0].1;
    assert_eq!(joint.kind, PlaneJoint::Revolute);
    assert_eq!(joint.parent_rotation.radians(), rad(45.0));
    assert_eq!(joint.spring.unwrap().rest, rad(30.0));
    assert_eq!(joint.drive.unwrap().phase, rad(60.0));
    let limits = joint.limits.unwrap();
    assert_eq!((limits.lower, limits.upper), (rad(-90.0), rad(135.0)));
    let motion = parts.joints[1].1.motion.unwrap();
    assert_eq!((motion.offset, motion.rate), (rad(10.0), rad(20.0)));
    assert_eq!((motion.amplitude, motion.phase), (rad(5.0), rad(15.0)));
    let setup = scenario.build_plane().unwrap();
    assert_eq!(setup.q, [rad(90.0), 1.0, 2.0, rad(180.0)]);
    assert_eq!(setup.v, [rad(180.0), 0.0, 0.0, rad(-180.0)]);
}

/// The scenario by which the format was agreed upon, word by word.
const AGREED: &str = r#"title = "Double pendulum on a rough obstacle"
space = "plane"                                  # "plane" (x right, y up, angles counter-clockwise) or "space" (z up)
gravity = [0.0, -9.81]

[bodies.upper]                                   # the body frame is yours to place; here its origin is the upper joint
mass = 3.2
inertia = 0.0676                                 # about the mass centre; in space three numbers or a 3×3 matrix
center = [0.0, -0.25]                            # mass centre in the body frame (default: the origin)

[bodies.lower]
mass = 3.8
inertia = 0.164
center = [0.0, -0.3627]
shapes.tip = { disk = { radius = 0.05 }, at = [0.0, -0.65] }      # angle = .. turns a shape

[world]
shapes.obstacle = { half_space = { normal = [0.0, 1.0] }, at = [0.0, -0.9] }

[joints.O]
kind = "revolute"                                # revolute, prismatic, fixed, free, spherical, cylindrical, universal, screw
parent = "world"
child = "upper"
parent_at = [0.0, 0.0]                           # the joint in the parent's frame; child_at likewise (default: the origin)
start = { position = "140 deg", rate = 1.2 }     # relative coordinate; lists where a joint has several
damping = 0.0

[joints.A]
kind = "revolute"
parent = "upper"
child = "lower"
parent_at = [0.0, -0.5]
start = { position = "-230 deg", rate = -1.7 }   # -90° - 140°; -0.5 - 1.2

[contacts.hit]
between = ["lower.tip", "world.obstacle"]        # normal from the second to the first
law = "poisson"
restitution = 0.9
friction = 0.15                                  # or {static, kinetic}

[loads.torque2]                                  # optional, on a body, from the world
body = "lower"
torque = { amplitude = 0.0, frequency = 0.0 }    # also force, at, constant values

[run]
duration = 6.0
tolerance = 1e-12                                # the default must reproduce ten digits of the impact times
samples = 1200                                   # rows of the trajectory output
simultaneous = "complementarity"
several_answers = "stop"                         # stop, keep, lift-off, branch
max_events = 100000
"#;

#[test]
fn the_scenario_agreed_upon_is_the_rough_pendulum() {
    let run = |text: &str| {
        let scenario = read_scenario("t.toml", text, &[]).unwrap();
        carom_sim::run(&mut scenario.build_plane().unwrap()).unwrap()
    };
    let rough = carom_scenario::examples::example("pendulum-rough").unwrap();
    assert_eq!(run(AGREED).events, run(rough.text).events);
}

#[test]
fn a_mechanism_without_freedom_or_without_contacts_still_runs() {
    let text = "run = { duration = 1, samples = 5 }\nbodies.b = { mass = 2, inertia = 0 }\n\
                joints.j = { kind = \"prismatic\", parent = \"world\", child = \"b\", axis = [0, 3], \
                motion = { rate = 1 } }\n";
    let lifted = carom_sim::run(
        &mut read_scenario("t.toml", text, &[])
            .unwrap()
            .build_plane()
            .unwrap(),
    );
    let ledger = lifted.unwrap().ledger;
    // Lifting 2 kg by 1 m.
    assert!(
        (ledger.unwrap().motions - 2.0 * 9.81).abs() < 1e-12,
        "{ledger:?}"
    );
    let falling = "run.duration = 1\nbodies.b = { mass = 2, inertia = 1 }\n";
    let run = carom_sim::run(
        &mut read_scenario("t.toml", falling, &[])
            .unwrap()
            .build_plane()
            .unwrap(),
    );
    assert!((run.unwrap().q[1] + 9.81 / 2.0).abs() < 1e-12);
}

/// Random damage to good files is refused or read, but never a panic or a hang.
#[test]
fn damaged_files_never_panic() {
    let mut random = fastrand::Rng::with_seed(7);
    let rounds = full_or(1000, 40);
    let bits = [
        "nan",
        "-1",
        "0",
        "1e40",
        "1e-40",
        "\"world\"",
        "\"90 deg\"",
        "[]",
        "{}",
        ".",
        "=",
        "\n",
        "[",
        "\"",
        "true",
        "1e400",
        "[1, 2]",
        "{ static = 1, kinetic = 2 }",
    ];
    let (mut good, mut bad) = (0, 0);
    for example in SCENARIOS {
        for _ in 0..rounds {
            let text = damaged(&mut random, example.text, &bits);
            match read_scenario("t.toml", &text, &[]).and_then(|s| s.build()) {
                Ok(_) => good += 1,
                Err(error) => {
                    assert!(!error.message.is_empty());
                    bad += 1;
                }
            }
        }
    }
    assert!(good > 20 && bad > 100, "{good} good, {bad} bad");
}
