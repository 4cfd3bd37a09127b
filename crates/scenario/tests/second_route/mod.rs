//! Smooth motions in space with friction are those of free bodies in maximal coordinates, whose joints and closed
//! contacts are constraints on the accelerations: from just after an event of a run to just before the next.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_multibody::Load;
use carom_scenario::Scenario;
use carom_support::random::{count, full_or};
use carom_support::scenario::{changed, read};
use carom_support::sim::recorded;
use carom_support::sim::route::leg::{Route, Skipped, legs};
use carom_support::sim::route::model::{Model, Pair, Parts};

use crate::invariance::rough::rough_scene;

/// Motions with closed contacts that were compared, forces that were compared one by one, and motions left out.
#[derive(Debug, Default)]
struct Seen {
    closed: usize,
    forces: usize,
    skipped: usize,
}

/// Motions of a run that are taken once more.
const MOST_LEGS: usize = 60;

fn parts(scenario: &Scenario) -> Parts {
    let own = scenario.space().unwrap();
    let pair = |(name, pairing): &(String, carom_scenario::Pairing)| Pair {
        name: name.clone(),
        first: pairing.first.clone(),
        second: pairing.second.clone(),
    };
    let loads = own.loads.iter();
    Parts {
        gravity: own.gravity.0,
        bodies: own.bodies.clone(),
        world_shapes: own.world_shapes.clone(),
        joints: own.joints.clone(),
        loads: loads.map(|(_, load): &(_, Load<_>)| load.clone()).collect(),
        pairs: scenario.contacts.iter().map(pair).collect(),
    }
}

/// Digits in which both routes agree: lengths, directions, speeds and forces as parts of those there are.
const AGREES: f64 = 1e-9;
/// The same where a contact begins to slide: a run holds its way while it slips by less than 4e-8 of the speeds.
const AGREES_FROM_REST: f64 = 3e-8;
/// Directions of the axes at samples: of round bodies that turn by many angles in a step they are known less well.
const AGREES_BETWEEN: f64 = 1e-8;
/// No run may set its bodies on their surfaces by more, as parts of lengths and speeds.
const SETTLES: f64 = 1e-5;

/// A run of a scenario, its smooth motions once more.
#[track_caller]
fn seen(name: &str, scenario: &Scenario) -> Seen {
    let mut setup = scenario.build().unwrap();
    setup.options.samples = 12;
    let (run, record) = recorded(&mut setup);
    let model = Model::new(&parts(scenario));
    let route = Route {
        model: &model,
        rules: &setup.rules,
        record: &record,
    };
    let mut seen = Seen::default();
    for leg in legs(&run).iter().take(MOST_LEGS) {
        match route.take(leg) {
            Ok(apart) => {
                let at = format!(
                    "{name} from {} s, {:?}: {apart:?}",
                    leg.ends()[0].t,
                    leg.modes
                );
                let bound = if apart.begins {
                    AGREES_FROM_REST
                } else {
                    AGREES
                };
                assert!(apart.worst() < bound, "{at}");
                assert!(apart.turn_between < AGREES_BETWEEN.max(bound), "{at}");
                seen.closed += usize::from(!leg.modes.is_empty());
                seen.forces += apart.forces;
            }
            Err(Skipped::Settled(by)) => assert!(by < SETTLES, "{name}: {by}"),
            Err(_) => seen.skipped += 1,
        }
    }
    seen
}

/// Names of examples with friction in space.
const EXAMPLES: [&str; 15] = [
    "masse",
    "disk-rolls",
    "turntable",
    "ball-in-tube",
    "coin",
    "tippe-top",
    "spinning-ball",
    "table-slides",
    "box-slides",
    "table-three-pushed",
    "screwdriver-slips",
    "foot-strike",
    "box-tumbles",
    "dice",
    "break",
];

#[test]
fn examples_move_as_free_bodies_under_constraints_do() {
    for name in &EXAMPLES[..full_or(EXAMPLES.len(), 1)] {
        let seen = seen(name, &changed(name, &[]));
        assert!(seen.closed > 0, "{name}: {seen:?}");
    }
}

#[test]
fn rough_scenes_move_as_free_bodies_under_constraints_do() {
    let mut all = Seen::default();
    for seed in &SEEDS[..count(SEEDS.len())] {
        let seen = seen(&seed.to_string(), &read(&rough_scene(*seed).toml()));
        all.closed += seen.closed;
        all.forces += seen.forces;
        all.skipped += seen.skipped;
    }
    let is_swept = count(SEEDS.len()) > 1;
    assert!(
        !is_swept || (all.closed > 40 && all.forces > 150),
        "{all:?}"
    );
}

/// Scenes of all families, none of which runs for long.
const SEEDS: [u64; 12] = [2, 3, 6, 7, 16, 18, 23, 24, 26, 31, 40, 45];

/// A crank-rocker hangs from a carriage that slides up and down; its coupler drags a foot over the floor.
const LOOP: &str = r#"
space = "space"
gravity = [0.0, 0.0, -9.81]
bodies.base = { mass = 2.0, inertia = [0.1, 0.1, 0.1] }
bodies.crank = { mass = 0.4, inertia = [0.002, 0.002, 0.002], center = [0.1, 0.0, 0.0] }
bodies.coupler = { mass = 0.8, inertia = [0.02, 0.02, 0.02], center = [0.25, 0.0, -0.1], shapes.foot = { ball = { radius = 0.03 }, at = [0.25, 0.0, -0.4] } }
bodies.rocker = { mass = 0.6, inertia = [0.01, 0.01, 0.01], center = [0.2, 0.0, 0.0] }
world.shapes.floor = { half_space = { normal = [0.0, 0.0, 1.0] } }
joints.rail = { kind = "prismatic", parent = "world", child = "base", axis = [0.0, 0.0, 1.0], start = { position = 0.5 }, damping = 2.0 }
joints.shaft = { kind = "revolute", parent = "base", child = "crank", axis = [0.0, -1.0, 0.0], start = { position = 1.2 }, drive = { amplitude = 1.5, frequency = 7.0 } }
joints.pin = { kind = "revolute", parent = "crank", child = "coupler", axis = [0.0, -1.0, 0.0], parent_at = [0.2, 0.0, 0.0], start = { position = -0.9 } }
joints.pivot = { kind = "revolute", parent = "base", child = "rocker", axis = [0.0, -1.0, 0.0], parent_at = [0.45, 0.0, 0.0], start = { position = 1.3 }, spring = { stiffness = 5.0, rest = 1.3 } }
joints.knee = { kind = "revolute", parent = "coupler", child = "rocker", axis = [0.0, -1.0, 0.0], parent_at = [0.5, 0.0, 0.0], child_at = [0.4, 0.0, 0.0] }
contacts.drag = { between = ["coupler.foot", "world.floor"], restitution = 0.0, friction = 0.4 }
run = { duration = 1.0, assemble = true }
"#;

/// A top on a universal joint under a turning carrier drags a ball that hangs from it over the floor.
const CHAIN: &str = r#"
space = "space"
gravity = [0.0, 0.0, -9.81]
bodies.carrier = { mass = 1.0, inertia = [0.1, 0.1, 0.1] }
bodies.sleeve = { mass = 0.5, inertia = [0.01, 0.01, 0.004] }
bodies.arm = { mass = 0.4, inertia = [0.01, 0.01, 0.001], center = [0.0, 0.0, -0.15] }
bodies.tip = { mass = 0.7, inertia = [0.003, 0.004, 0.002], center = [0.0, 0.01, -0.1], shapes.ball = { ball = { radius = 0.05 }, at = [0.0, 0.0, -0.2] } }
world.shapes.floor = { half_space = { normal = [0.1, 0.0, 1.0] } }
joints.axle = { kind = "revolute", parent = "world", child = "carrier", axis = [0.0, 0.0, 1.0], motion = { rate = 1.5, amplitude = 0.3, frequency = 4.0 } }
joints.guide = { kind = "cylindrical", parent = "carrier", child = "sleeve", axis = [0.0, 0.0, 1.0], parent_at = [0.3, 0.0, 0.0], start = { position = [0.0, 0.55], rate = [2.0, 0.0] } }
joints.cross = { kind = "universal", parent = "sleeve", child = "arm", axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], start = { position = [0.3, 0.2] } }
joints.ball = { kind = "spherical", parent = "arm", child = "tip", parent_at = [0.0, 0.0, -0.3], start = { angular_velocity = [0.5, -0.3, 3.0] } }
contacts.drag = { between = ["tip.ball", "world.floor"], restitution = 0.3, friction = { static = 0.35, kinetic = 0.3 }, spin_radius = 0.004 }
loads.pull = { body = "tip", force = { constant = [0.2, 0.0, -0.5], amplitude = [0.0, 0.4, 0.0], frequency = 6.0 }, torque = [0.0, 0.01, 0.0] }
run = { duration = 0.8 }
"#;

#[test]
fn loops_and_chains_drag_their_feet_as_free_bodies_under_constraints_do() {
    let both = [("loop", LOOP), ("chain", CHAIN)];
    for (name, text) in &both[..full_or(2, 0)] {
        let seen = seen(name, &read(text));
        assert!(seen.closed > 0, "{name}: {seen:?}");
    }
}
