//! Boxes and polyhedra that passed through each other.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::{PlaneMechanism, SpaceMechanism};
use carom_multibody::plane::PlaneJoint::{Free, Prismatic};
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, SpaceJoint};
use carom_multibody::{Body, Joint, Motion, PlaneModelBuilder, SpaceModelBuilder, Vector};
use carom_sim::{End, Options, Rule, Run, Setup, run};

fn rules(count: usize, restitution: f64) -> Vec<Rule> {
    let rule = |k: usize| Rule {
        name: format!("hit.{k}"),
        law: Law::Newton,
        friction: Friction::NONE,
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    (0..count).map(rule).collect()
}

fn options(duration: f64) -> Options {
    Options {
        duration,
        samples: 101,
        sustained: false,
        ..Options::default()
    }
}

/// Two free solids of 1 kg without gravity, all turned together; B stays at the origin, A comes from
/// its place with a velocity.
fn meet(solids: [Solid; 2], turn: [f64; 4], from: [f64; 3], velocity: [f64; 3]) -> Run {
    let turn = Rotation::new(turn);
    let mut builder = SpaceModelBuilder::new();
    for (name, solid) in ["a", "b"].into_iter().zip(solids) {
        let body = Body {
            shapes: vec![("skin".to_owned(), SolidShape::new(solid))],
            ..Body::new(1.0, [0.02, 0.03, 0.04].into())
        };
        let joint = Joint::new(SpaceJoint::Free, "world", name);
        builder.body(name, body).joint(name, joint);
    }
    let model = builder.build().unwrap();
    let features = model.features(("a", "skin"), ("b", "skin")).unwrap();
    let place = turn.apply(Vector(from)).0;
    let velocity = turn.apply(Vector(velocity)).0;
    let nowhere = [0.0; 3];
    let mut setup = Setup {
        q: [&place[..], &turn.quaternion(), &nowhere, &turn.quaternion()].concat(),
        v: [&velocity[..], &[0.0; 9]].concat(),
        rules: rules(features.len(), 1.0),
        mechanism: SpaceMechanism::new(model, features),
        options: options(1.0),
    };
    run(&mut setup).unwrap()
}

const TURNS: [[f64; 4]; 4] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.2, 0.5, 0.2, -0.8],
    [-0.4, 0.3, 0.7, 0.1],
    [0.9, -0.1, 0.3, 0.6],
];

fn block(size: [f64; 3]) -> Solid {
    Solid::Box { size: size.into() }
}

/// A comes down the z axis of the turned frame and gives all its velocity to B, four corners at once.
fn swaps_velocities(solids: [Solid; 2], turn: [f64; 4], gap: f64) {
    let height = 0.1 + gap;
    let run = meet(solids, turn, [0.0, 0.0, height], [0.0, 0.0, -1.0]);
    assert_eq!(run.events.len(), 1, "{turn:?}");
    assert!((run.events[0].time - gap).abs() < 1e-12);
    assert_eq!(run.end, End::Duration);
    let down = Rotation::new(turn).apply(Vector([0.0, 0.0, -1.0]));
    for k in 0..3 {
        assert!(run.v[k].abs() < 1e-9 && (run.v[6 + k] - down.0[k]).abs() < 1e-9);
        assert!(
            run.v[3 + k].abs() < 1e-9 && run.v[9 + k].abs() < 1e-9,
            "no spin"
        );
    }
}

/// Story: of equal boxes face to face every corner slides along the line of a side, its distance from
/// the other box stays zero, and the boxes passed through each other without an event; in space the
/// run did not end.
#[test]
fn equal_boxes_that_meet_face_to_face_swap_their_velocities() {
    for turn in TURNS {
        let cube = || block([0.1; 3]);
        swaps_velocities([cube(), cube()], turn, 0.3);
    }
}

/// Story: crossed planks touch with their edges only, whose normal is that of both faces; round-off
/// decided whether it led out, and planks passed through each other. Then their gap jumped where another
/// axis overlapped less, and a long step passed over it.
#[test]
fn crossed_planks_that_meet_flat_swap_their_velocities() {
    for turn in TURNS {
        let planks = [block([1.0, 0.1, 0.1]), block([0.1, 1.0, 0.1])];
        swaps_velocities(planks, turn, 0.4);
    }
}

/// Story: after the impact of faces that overlap in part, edges in the middle of a face struck
/// sideways: behind each other, though the cubes were apart along another axis.
#[test]
fn smooth_faces_that_overlap_in_part_push_along_their_normal_only() {
    let cubes = || [block([0.3; 3]), block([0.3; 3])];
    for turn in TURNS {
        let run = meet(cubes(), turn, [0.1, 0.05, 0.5], [0.0, 0.0, -1.0]);
        assert!((run.events[0].time - 0.2).abs() < 1e-12, "{turn:?}");
        let turn = Rotation::new(turn);
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            let axis = turn.apply(Vector(axis)).0;
            let along: f64 = (0..3).map(|k| axis[k] * run.v[k]).sum();
            assert!(along.abs() < 1e-9, "sideways by {along:e}");
        }
    }
}

fn square(name: &str, builder: &mut PlaneModelBuilder) {
    let size = [0.2, 0.2].into();
    let skin = Shape::new(Outline::Box { size });
    let body = Body {
        shapes: vec![("skin".to_owned(), skin)],
        ..Body::new(1.0, 0.01)
    };
    builder.body(name, body);
}

/// Story: as in space; the corners of one square came down the sides of the other.
#[test]
fn equal_squares_that_meet_face_to_face_swap_their_velocities() {
    let mut builder = PlaneModelBuilder::new();
    for name in ["a", "b"] {
        square(name, &mut builder);
        builder.joint(name, Joint::new(Free, "world", name));
    }
    let model = builder.build().unwrap();
    let features = model.features(("a", "skin"), ("b", "skin")).unwrap();
    for (angle, sideways) in [
        (0.0, 0.0),
        (0.7, 0.0),
        (0.0, 1e-15),
        (0.3, -1e-14),
        (0.0, 0.05),
    ] {
        let (sin, cos) = f64::sin_cos(angle);
        let turned = |x: f64, y: f64| [cos * x - sin * y, sin * x + cos * y];
        let ([x, y], [u, w]) = (turned(sideways, 0.5), turned(0.0, -1.0));
        let mut setup = Setup {
            q: vec![x, y, angle, 0.0, 0.0, angle],
            v: vec![u, w, 0.0, 0.0, 0.0, 0.0],
            rules: rules(features.len(), 1.0),
            mechanism: PlaneMechanism::new(model.clone(), features.clone()),
            options: options(1.0),
        };
        let run = run(&mut setup).unwrap();
        assert!(
            (run.events[0].time - 0.3).abs() < 1e-12,
            "{angle} {sideways}"
        );
        if sideways.abs() < 1e-10 {
            assert_eq!(run.events.len(), 1);
            assert!((run.v[3] - u).abs() < 1e-9 && (run.v[4] - w).abs() < 1e-9);
        }
    }
}

/// Story: a body whose every coordinate is prescribed has no rates, and its meeting with the floor
/// read a row that is not there.
#[test]
fn a_body_without_freedom_that_is_driven_into_a_floor_has_no_answer() {
    let mut builder = PlaneModelBuilder::new();
    square("a", &mut builder);
    let motion = Motion {
        offset: 1.0,
        rate: -1.0,
        ..Motion::default()
    };
    let joint = Joint {
        motion: Some(motion),
        ..Joint::new(
            Prismatic {
                axis: [0.0, 1.0].into(),
            },
            "world",
            "a",
        )
    };
    builder.joint("lift", joint);
    let normal = [0.0, 1.0].into();
    builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal }));
    let model = builder.build().unwrap();
    let features = model.features(("a", "skin"), ("world", "floor")).unwrap();
    let mut setup = Setup {
        q: Vec::new(),
        v: Vec::new(),
        rules: rules(features.len(), 0.5),
        mechanism: PlaneMechanism::new(model, features),
        options: options(2.0),
    };
    let end = run(&mut setup).map(|run| run.end);
    let is_prescribed = |end: &End| {
        matches!(
            end,
            End::Jammed {
                is_prescribed: true,
                ..
            }
        )
    };
    assert!(end.as_ref().is_ok_and(is_prescribed), "{end:?}");
}

/// A ball that bounces with restitution 0.5 from 1 m.
fn ball(duration: f64) -> Setup {
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -9.81]);
    let point = vec![("skin".to_owned(), Shape::new(Outline::Point))];
    let body = Body {
        shapes: point,
        ..Body::new(1.0, 0.1)
    };
    builder.body("a", body);
    builder.joint("a", Joint::new(Free, "world", "a"));
    let normal = [0.0, 1.0].into();
    builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal }));
    let model = builder.build().unwrap();
    let features = model.features(("a", "skin"), ("world", "floor")).unwrap();
    Setup {
        q: vec![0.0, 1.0, 0.0],
        v: vec![0.0; 3],
        rules: rules(features.len(), 0.5),
        mechanism: PlaneMechanism::new(model, features),
        options: options(duration),
    }
}

/// Story: a pile was called although its limit lay beyond the time asked for, and the run ended
/// before that time.
#[test]
fn a_run_that_ends_before_its_impacts_pile_up_reaches_its_time() {
    let limit = (2.0f64 / 9.81).sqrt() * 3.0;
    let run = |duration: f64| run(&mut ball(duration)).unwrap();
    let short = run(limit - 2e-5);
    assert_eq!(short.end, End::Duration);
    let long = run(limit + 1e-3);
    assert!(matches!(long.end, End::Accumulates { .. }));
}

/// Story: the samples of a run that ended early come from a second run up to that end; where it ended
/// a round-off earlier the last row was missing.
#[test]
fn a_run_that_ends_early_has_every_sample_up_to_its_end() {
    for samples in [2, 3, 50, 101, 1200] {
        let mut setup = ball(3.0);
        setup.options.samples = samples;
        let run = run(&mut setup).unwrap();
        assert_eq!(run.samples.len(), samples);
        assert_eq!(run.samples[samples - 1].time, run.time);
    }
}
