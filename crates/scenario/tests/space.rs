//! Scenarios in space: how a start is read, and what its examples conserve.
#![allow(clippy::unwrap_used)]

use carom_multibody::space::SpaceJoint;
use carom_multibody::{Dynamics, Linear, SpaceMechanism, State, Vector};
use carom_scenario::examples::{SCENARIOS, example};
use carom_scenario::{Mechanics, read_scenario};
use carom_sim::{End, Event, Run, Setup, run};
use carom_support::random::full_or;
use carom_support::scenario::damaged;

fn space(text: &str) -> Setup<SpaceMechanism> {
    let read = read_scenario("t.toml", text, &[]);
    let built = read.and_then(|scenario| scenario.build_space());
    built.map_err(|error| error.render()).unwrap()
}

fn ran(name: &str) -> Run {
    run(&mut space(example(name).unwrap().text)).unwrap()
}

fn turned(axis: [f64; 3], angle: f64, r: Vector<3>) -> Vector<3> {
    let axis = Vector(axis);
    let (u, (sin, cos)) = (axis * axis.norm().recip(), angle.sin_cos());
    r * cos + u.cross(r) * sin + u * (u.dot(r) * (1.0 - cos))
}

/// Place and velocity of a point of a body at the start.
fn point(setup: &mut Setup<SpaceMechanism>, body: &str, r: Vector<3>) -> [Vector<3>; 2] {
    let (q, v) = (setup.q.clone(), setup.v.clone());
    let id = setup.mechanism.model().body(body).unwrap();
    let state = State::new(0.0, &q, &v);
    let placed = setup.mechanism.place(state);
    let place = placed.pose(id).point(r);
    [place, placed.velocity(id, place)]
}

#[test]
fn a_free_body_starts_with_its_velocities_in_world_axes() {
    let mut setup = space(
        "space = \"space\"\nrun.duration = 1\n[bodies.b]\nmass = 1\ninertia = [1, 2, 2.5]\n\
         start = { position = [1, 2, 3], rotation = { axis = [1, 2, -1], angle = \"50 deg\" }, \
         velocity = [0.1, 0.2, 0.3], angular_velocity = [1, \"180 deg/s\", -2] }\n",
    );
    let r = Vector([0.3, -0.4, 0.7]);
    let [place, velocity] = point(&mut setup, "b", r);
    let arm = turned([1.0, 2.0, -1.0], 50f64.to_radians(), r);
    let omega = Vector([1.0, std::f64::consts::PI, -2.0]);
    assert!((place - Vector([1.0, 2.0, 3.0]) - arm).norm() < 1e-15);
    let wanted = Vector([0.1, 0.2, 0.3]) + omega.cross(arm);
    assert!((velocity - wanted).norm() < 1e-14, "{velocity:?}");
}

/// The joint's axes are turned in the parent, and its point is not the child's origin.
#[test]
fn a_free_joint_starts_in_the_axes_of_the_joint_on_its_parent() {
    let mut setup = space(
        "space = \"space\"\nrun.duration = 1\nbodies.b = { mass = 1, inertia = [1, 2, 2.5] }\n\
         [joints.j]\nkind = \"free\"\nparent = \"world\"\nchild = \"b\"\n\
         parent_at = [0, 0, 5]\nchild_at = [0.2, 0, 0]\n\
         parent_rotation = { axis = [0, 0, 1], angle = \"90 deg\" }\n\
         start = { position = [1, 0, 0], rotation = [1, 0, 0, 1], velocity = [0, 1, 0], \
         angular_velocity = [3, 0, 0] }\n",
    );
    let [place, velocity] = point(&mut setup, "b", Vector([0.2, 0.0, 0.0]));
    assert!((place - Vector([0.0, 1.0, 5.0])).norm() < 1e-15);
    assert!((velocity - Vector([-1.0, 0.0, 0.0])).norm() < 1e-15);
    // The body is turned by half a turn about z, and turns about world y.
    let [place, velocity] = point(&mut setup, "b", Vector([0.2, 0.0, 1.0]));
    assert!((place - Vector([0.0, 1.0, 6.0])).norm() < 1e-15);
    assert!((velocity - Vector([2.0, 0.0, 0.0])).norm() < 1e-15);
}

#[test]
fn joints_in_space_start_from_the_coordinates_of_their_kind() {
    let joint = |kind: &str, more: &str| {
        space(&format!(
            "space = \"space\"\nrun.duration = 1\nbodies.b = {{ mass = 1, inertia = [1, 1, 1], \
             center = [0.1, 0.2, 0.3] }}\n[joints.j]\nkind = \"{kind}\"\nparent = \"world\"\n\
             child = \"b\"\n{more}\n"
        ))
    };
    let screw = joint(
        "screw",
        "axis = [0, 0, 2]\nlead = 0.1\nstart.position = \"90 deg\"",
    );
    let kind = screw.mechanism.model().joints()[0].joint.kind;
    let axis = Vector([0.0, 0.0, 1.0]);
    assert_eq!(kind, SpaceJoint::Screw { axis, lead: 0.1 });
    assert_eq!(screw.q, [90f64.to_radians()]);
    let start = "start = { position = [\"90 deg\", 2], rate = [\"180 deg/s\", 3] }";
    let slide = joint("cylindrical", &format!("axis = [1, 0, 0]\n{start}"));
    assert_eq!(slide.q, [90f64.to_radians(), 2.0]);
    assert_eq!(slide.v, [180f64.to_radians(), 3.0]);
    let start = "start = { rotation = [2, 0, 0, 0], angular_velocity = [1, 2, 3] }";
    let ball = joint("spherical", start);
    assert_eq!(
        (&ball.q[..], &ball.v[..]),
        (&[1.0, 0.0, 0.0, 0.0][..], &[1.0, 2.0, 3.0][..])
    );
    let still = joint("free", "");
    assert_eq!(still.q, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(joint("fixed", "").q.len(), 0);
}

#[test]
fn gravity_in_space_pulls_down_z_unless_the_file_says_otherwise() {
    let fallen = |more: &str| {
        let text = format!(
            "space = \"space\"\nrun.duration = 1\nbodies.b = {{ mass = 2, inertia = [1, 1, 1] }}\n{more}"
        );
        let last = run(&mut space(&text)).unwrap().q;
        [last[0], last[1], last[2]]
    };
    let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(fallen(""), [0.0, 0.0, -9.81 / 2.0]));
    assert!(close(fallen("gravity = [1, 2, 0]\n"), [0.5, 1.0, 0.0]));
    let pushed = fallen("gravity = [0, 0, 0]\nloads.l = { body = \"b\", force = [0, 4, 0] }\n");
    assert!(close(pushed, [0.0, 1.0, 0.0]));
}

/// The impulse of a smooth floor passes through the centre of the peg, on the axis of the top.
#[test]
fn no_blow_on_its_peg_changes_the_spin_of_a_top() {
    let top = ran("spinning-top");
    assert!(top.events.len() >= 5 && top.end == End::Duration);
    let spin = |q: &[f64], v: &[f64]| {
        let up = carom_multibody::space::Rotation::new([q[3], q[4], q[5], q[6]]);
        up.apply(Vector([0.0, 0.0, 1.0]))
            .dot(Vector([v[3], v[4], v[5]]))
    };
    for event in &top.events {
        for v in [&event.v_pre, &event.v_post] {
            let miss = spin(&event.q, v) - 300.0;
            assert!(miss.abs() < 1e-6, "{miss:e} at {}", event.time);
        }
    }
}

/// A smooth floor pushes up: it changes no momentum along it and no moment about the vertical.
#[test]
fn a_smooth_floor_leaves_what_is_level_alone() {
    let solid = ran("tetrahedron");
    assert!(solid.events.len() >= 5 && solid.end == End::Duration);
    let level = |event: &Event| [event.v_post[0], event.v_post[1], event.v_post[5]];
    for event in &solid.events {
        for (found, wanted) in level(event).iter().zip([0.0, 0.0, 0.5]) {
            assert!((found - wanted).abs() < 1e-11, "{:?}", level(event));
        }
    }
    let thrown = ran("falling-box");
    assert!(thrown.events.len() >= 5 && thrown.end == End::Duration);
    for event in &thrown.events {
        let along = (event.v_post[0] - 0.5).abs() + (event.v_post[1] - 0.2).abs();
        assert!(along < 1e-11, "{along:e}");
    }
}

#[test]
fn the_gimbal_comes_back_to_its_stop_at_the_speed_it_left_with() {
    let gyroscope = ran("gyroscope");
    assert!(gyroscope.events.len() >= 5 && gyroscope.end == End::Duration);
    for pair in gyroscope.events.windows(2) {
        let (left, came) = (pair[0].v_post[1], pair[1].v_pre[1]);
        assert!((left + came).abs() < 1e-10, "{left} and {came}");
    }
}

#[test]
fn a_turning_box_works_on_the_ball_and_the_press_on_its_die() {
    let ball = ran("ball-in-box");
    assert_eq!(ball.end, End::Duration);
    let struck: std::collections::BTreeSet<usize> = ball
        .events
        .iter()
        .map(|event| event.contacts()[0])
        .collect();
    assert_eq!(struck.len(), 6, "every wall is struck");
    assert!(ball.ledger.unwrap().motions > 0.1);
    let press = ran("screw-press");
    assert!(press.events.len() >= 5 && press.end == End::Duration);
    let ledger = press.ledger.unwrap();
    assert!(ledger.drives > 1.0 && ledger.damping < -1.0, "{ledger:?}");
}

#[test]
fn the_pendulum_of_the_plane_strikes_in_space_at_its_instants() {
    let plane = example("pendulum-smooth").unwrap();
    let plane = read_scenario("t.toml", plane.text, &[]).unwrap();
    let plane = run(&mut plane.build_plane().unwrap()).unwrap();
    let twin = ran("pendulum-in-space");
    assert_eq!(twin.events.len(), 6);
    for (a, b) in plane.events.iter().zip(&twin.events) {
        assert!((a.time - b.time).abs() < 1e-11, "{} {}", a.time, b.time);
    }
}

#[test]
fn the_spatial_pendulum_strikes_its_wall_again_and_again() {
    let pendulum = ran("spatial-pendulum");
    assert_eq!(pendulum.end, End::Duration);
    assert!(pendulum.events.len() >= 5);
    // It leaves every plane through the vertical: both level components of the elbow's turn live.
    let swing = |k: usize| {
        let rates = pendulum.samples.iter().map(|sample| sample.v[k].abs());
        rates.fold(0.0, f64::max)
    };
    assert!(swing(0) > 1.0 && swing(1) > 1.0 && swing(2) > 1.0);
}

/// Random damage to the good files in space, as far as the start of a run.
#[test]
fn damaged_files_in_space_never_panic() {
    let mut random = fastrand::Rng::with_seed(11);
    let rounds = full_or(2000, 60);
    let bits = [
        "-1",
        "0",
        "1e40",
        "1e-300",
        "-1e40",
        "nan",
        "\"90 deg\"",
        "[]",
        "{}",
        "[1, 2, 3]",
        "[0, 0, 0]",
        "[0, 0, 0, 0]",
        "[1e40, 1e-40, 0, 1]",
        "{ axis = [0, 0, 1], angle = 1 }",
        "\"spherical\"",
        "\"universal\"",
        "\"screw\"",
        "\"free\"",
        "\"plane\"",
        "\"world\"",
        "\n",
        ",",
        "]",
        "[[1, 2, 3], [2, 1, 0], [3, 0, 1]]",
    ];
    let (mut good, mut bad) = (0, 0);
    for example in SCENARIOS.iter().filter(|example| is_space(example.text)) {
        for _ in 0..rounds {
            let text = damaged(&mut random, example.text, &bits);
            match read_scenario("t.toml", &text, &[]).and_then(|s| s.build_space()) {
                Ok(mut setup) => {
                    good += usize::from(carom_sim::check(&mut setup).is_ok());
                    assert!(setup.q.iter().chain(&setup.v).all(|x| x.is_finite()));
                }
                Err(error) => {
                    assert!(!error.message.is_empty());
                    bad += 1;
                }
            }
        }
    }
    assert!(good > 20 && bad > 100, "{good} good, {bad} bad");
}

fn is_space(text: &str) -> bool {
    let scenario = read_scenario("t.toml", text, &[]).unwrap();
    matches!(scenario.mechanics, Mechanics::Space(_))
}

#[test]
fn a_mechanism_in_space_says_what_it_holds() {
    let top = example("spinning-top").unwrap();
    let scenario = read_scenario("t.toml", top.text, &[]).unwrap();
    let setup = scenario.build_space().unwrap();
    assert_eq!(
        (setup.mechanism.positions(), setup.mechanism.rates()),
        (7, 6)
    );
    let wanted = "scenario in space with 1 body, 0 joints, 6 degrees of freedom, 2 contacts, 0.8 s";
    assert_eq!(scenario.summary(&setup), wanted);
    let error = scenario.build_plane().unwrap_err();
    assert_eq!(error.path.as_deref(), Some("space"), "{error}");
}
