//! None, one or several accelerations: what a run does with each, and contacts that rest while others
//! collide.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::contact_space::Friction;
use carom_contact::forward::Mode;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::{Free, Prismatic};
use carom_multibody::{Body, Joint, PlaneModelBuilder};
use carom_sim::record::{EndKind, EventKind, RunRecord, record};
use carom_sim::{ContactMode, End, Happening, Options, Rule, Setup, Several, Transition, run};
use carom_support::near::assert_close;
use carom_support::sim::assert_balanced;
use common::scene::Scene;

/// The rod of Painlevé: uniform, half-length 1, mass 1, at 60° on its tip, which runs ahead to the left
/// at 1 m/s with friction 2.
fn rod(rate: f64, law: Law, restitution: f64) -> Scene {
    let angle = 60f64.to_radians();
    let (sin, cos) = angle.sin_cos();
    Scene {
        inertia: 1.0 / 3.0,
        skin: Outline::Polygon {
            vertices: vec![[-1.0, 0.0].into(), [1.0, 0.0].into(), [0.0, 0.3].into()],
        },
        q: [cos, sin, angle],
        v: [-1.0 - rate * sin, rate * cos, rate],
        law,
        restitution,
        friction: [2.0; 2],
        duration: 0.2,
        ..Scene::default()
    }
}

#[test]
fn where_no_acceleration_is_consistent_the_rod_collides_without_an_approach() {
    let cases = [
        (Law::Poisson, 0.0, 0.0, -0.21875),
        (Law::Poisson, 0.5, 0.199852016258, -0.202524038462),
        (Law::Energetic, 0.5, 0.127648252579, -0.212130531468),
    ];
    for (law, restitution, v_n, change) in cases {
        let mut setup = rod(0.0, law, restitution).setup();
        let run = run(&mut setup).unwrap();
        assert_eq!(run.end, End::Duration);
        let Happening::WithoutCollision(jump) = &run.events[0].what else {
            unreachable!("{law:?}");
        };
        assert_eq!(run.events[0].time, 0.0);
        assert_close("v_n", jump.v_post[0][0], v_n, 1e-11);
        assert_close("v_t", jump.v_post[0][1], 0.0, 1e-14);
        assert_close(
            "change",
            run.events[0].energy_change.unwrap(),
            change,
            1e-11,
        );
        if restitution == 0.0 {
            assert_close("p_n", jump.impulses[0][0], 0.324759526419, 1e-11);
            assert_close("p_t", jump.impulses[0][1], 0.4375, 1e-11);
            assert_eq!(run.events[0].modes_after[0].1, ContactMode::Stick);
        }
        assert_balanced(&run, 1e-10);
        let told = record(&mut setup, &run).unwrap();
        let event = &told.events[0];
        assert_eq!(event.kind, EventKind::ImpactWithoutCollision);
        assert_eq!(event.contacts[0].impulse.normal, Some(jump.impulses[0][0]));
        assert_eq!(event.law, Some(law));
    }
}

#[test]
fn where_several_accelerations_are_consistent_the_run_stops_and_lists_them() {
    let mut setup = rod(4.0, Law::Poisson, 0.0).setup();
    let run = run(&mut setup).unwrap();
    let End::SeveralAnswers { answers, .. } = &run.end else {
        unreachable!("{:?}", run.end);
    };
    let mut modes: Vec<Mode> = answers.iter().map(|answer| answer.mode[0]).collect();
    modes.sort_by_key(|mode| mode.name());
    assert_eq!(modes, [Mode::LiftOff, Mode::Slide]);
    assert_eq!(run.time, 0.0);
    let told = record(&mut setup, &run).unwrap();
    assert_eq!(told.end.kind, EndKind::SeveralAnswers);
    assert_eq!(told.end.answers, *answers);
    assert!(told.end.reason.contains("lift-off"), "{}", told.end.reason);
    let again: RunRecord = serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap();
    assert_eq!(again, told);
}

#[test]
fn a_policy_that_lifts_off_goes_on_in_flight() {
    let mut setup = rod(4.0, Law::Poisson, 0.0).setup();
    setup.options.several = Several::LiftOff;
    setup.options.duration = 0.05;
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_close("x", run.v[0], setup.v[0], 1e-14);
    assert_close("y", run.v[1], setup.v[1] - 9.81 * 0.05, 1e-13);
}

fn rule(name: &str, restitution: f64, mu: f64) -> Rule {
    Rule {
        name: name.to_owned(),
        law: Law::Poisson,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

fn block(mass: f64, size: [f64; 2]) -> Body<carom_multibody::plane::Plane> {
    let skin = Shape::new(Outline::Box { size: size.into() });
    Body {
        shapes: vec![("skin".to_owned(), skin)],
        ..Body::new(mass, 0.1 * mass)
    }
}

/// A ball falls on a block that rests on the floor: Poisson's law pushes the ball back, and the floor
/// bears what the block is given.
#[test]
fn a_block_at_rest_takes_part_in_the_impact_of_a_ball_on_it() {
    let up = [0.0, 1.0].into();
    let mut builder = PlaneModelBuilder::new();
    let ball = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Point))],
        ..Body::new(0.5, 1.0)
    };
    let floor = Shape::new(Outline::HalfSpace { normal: up });
    builder.gravity([0.0, -9.81]).world_shape("floor", floor);
    builder
        .body("block", block(3.0, [1.0, 0.4]))
        .body("ball", ball);
    let line = |child| Joint::new(Prismatic { axis: up }, "world", child);
    builder
        .joint("block", line("block"))
        .joint("ball", line("ball"));
    let model = builder.build().unwrap();
    let mut features = model
        .features(("block", "skin"), ("world", "floor"))
        .unwrap();
    let on_floor = features.len();
    features.extend(model.features(("ball", "skin"), ("block", "skin")).unwrap());
    let names = (0..features.len()).map(|k| format!("c{k}"));
    let run = run(&mut Setup {
        rules: names.map(|name| rule(&name, 0.5, 0.0)).collect(),
        mechanism: PlaneMechanism::new(model, features),
        q: vec![0.2, 1.4],
        v: vec![0.0; 2],
        options: Options {
            duration: 5.0,
            ..Options::default()
        },
    })
    .unwrap();
    assert_eq!(run.end, End::Duration);
    let speed = (2.0 * 9.81f64).sqrt();
    let first = &run.events[0];
    let Happening::Collision(all) = &first.what else {
        unreachable!("{:?}", first.what);
    };
    assert_close("time", first.time, speed / 9.81, 1e-12);
    assert_close("ball", first.v_post[1], 0.5 * speed, 1e-12);
    assert_close("block", first.v_post[0], 0.0, 1e-14);
    let pairs = all.contacts.iter().zip(&all.impulses);
    let borne = pairs.filter(|(contact, _)| **contact < on_floor);
    let borne: f64 = borne.map(|(_, p)| p).sum();
    assert_close("floor", borne, 0.5 * 1.5 * speed, 1e-12);
    let last = run.events.last().unwrap();
    assert!(matches!(last.what, Happening::Accumulation(_)));
    assert_close("rest", last.time, speed / 9.81 * 3.0, 1e-9);
    assert!(run.v.iter().all(|v| v.abs() < 1e-14));
    assert_balanced(&run, 1e-10);
}

/// A block that sticks on a floor is struck from the side: it slides `v²/2μg` far and sticks again.
#[test]
fn a_block_at_rest_that_is_struck_from_the_side_slides_and_stops() {
    let (mu, up) = (0.4, [0.0, 1.0].into());
    let mut builder = PlaneModelBuilder::new();
    let ball = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Disk { radius: 0.1 }))],
        ..Body::new(1.0, 1.0)
    };
    let floor = Shape::new(Outline::HalfSpace { normal: up });
    builder.gravity([0.0, -9.81]).world_shape("floor", floor);
    builder
        .body("block", block(1.0, [1.0, 0.4]))
        .body("ball", ball);
    let axis = [1.0, 0.0].into();
    let rail = Joint {
        parent_at: [0.0, 0.2].into(),
        ..Joint::new(Prismatic { axis }, "world", "ball")
    };
    builder.joint("block", Joint::new(Free, "world", "block"));
    builder.joint("ball", rail);
    let model = builder.build().unwrap();
    let mut features = model
        .features(("block", "skin"), ("world", "floor"))
        .unwrap();
    let on_floor = features.len();
    features.extend(model.features(("ball", "skin"), ("block", "skin")).unwrap());
    let rules = (0..features.len()).map(|k| match k < on_floor {
        true => rule(&format!("floor.{k}"), 0.0, mu),
        false => rule(&format!("ball.{k}"), 1.0, 0.0),
    });
    let run = run(&mut Setup {
        rules: rules.collect(),
        mechanism: PlaneMechanism::new(model, features),
        q: vec![0.0, 0.2, 0.0, -1.6],
        v: vec![0.0, 0.0, 0.0, 2.0],
        options: Options {
            duration: 3.0,
            ..Options::default()
        },
    })
    .unwrap();
    assert_eq!(run.end, End::Duration);
    let first = &run.events[0];
    assert_close("time", first.time, 0.5, 1e-12);
    assert_close("block", first.v_post[0], 2.0, 1e-12);
    assert_close("ball", first.v_post[3], 0.0, 1e-12);
    let slides = |(_, mode): &&(usize, ContactMode)| *mode == ContactMode::SlideForward;
    assert_eq!(first.modes_after.iter().filter(slides).count(), 2);
    let Happening::Transition { kind, .. } = run.events[1].what else {
        unreachable!("{:?}", run.events[1].what);
    };
    assert_eq!(kind, Transition::Stick);
    assert_close("stops", run.events[1].time, 0.5 + 2.0 / (mu * 9.81), 1e-11);
    assert_close("way", run.q[0], 4.0 / (2.0 * mu * 9.81), 1e-11);
    assert_balanced(&run, 1e-10);
}

/// What a joint carries while a contact is closed counts the force of the contact.
#[test]
fn the_hinge_of_a_leaning_stick_carries_what_the_floor_does_not() {
    let lean = 0.6f64;
    let mut builder = PlaneModelBuilder::new();
    let tip = Shape::new(Outline::Point).at([1.0, 0.0]);
    let stick = Body {
        center: [0.5, 0.0].into(),
        shapes: vec![("tip".to_owned(), tip)],
        ..Body::new(2.0, 2.0 / 12.0)
    };
    let normal = [0.0, 1.0].into();
    let floor = Shape::new(Outline::HalfSpace { normal }).at([0.0, -lean.sin()]);
    builder.gravity([0.0, -9.81]).world_shape("floor", floor);
    builder.body("stick", stick);
    builder.joint(
        "hinge",
        Joint::new(
            carom_multibody::plane::PlaneJoint::Revolute,
            "world",
            "stick",
        ),
    );
    let model = builder.build().unwrap();
    let features = model
        .features(("stick", "tip"), ("world", "floor"))
        .unwrap();
    let mut setup = Setup {
        rules: vec![rule("floor", 0.0, 0.0)],
        mechanism: PlaneMechanism::new(model, features),
        q: vec![-lean],
        v: vec![0.0],
        options: Options {
            duration: 1.0,
            samples: 5,
            ..Options::default()
        },
    };
    let run = run(&mut setup).unwrap();
    let told = record(&mut setup, &run).unwrap().trajectory.unwrap();
    for k in 0..5 {
        assert_close("floor", told.contact_forces["floor"].normal[k], 9.81, 1e-12);
        assert_close("hinge", told.reactions["hinge"].force[1][k], 9.81, 1e-12);
        assert_close("hinge", told.reactions["hinge"].force[0][k], 0.0, 1e-12);
    }
}
