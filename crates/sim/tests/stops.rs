//! Stops of joints as contacts, against closed forms.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::Plane;
use carom_multibody::plane::PlaneJoint::{self, Prismatic, Revolute};
use carom_multibody::{Body, Joint, Limits, PlaneModelBuilder};
use carom_sim::{End, Happening, Options, Rule, Run, Setup, SimError, run};
use carom_support::sim::assert_balanced;

fn limited(kind: PlaneJoint, lower: f64, upper: f64, restitution: f64) -> Joint<Plane> {
    let limits = Limits {
        lower,
        upper,
        restitution,
    };
    Joint {
        limits: Some(limits),
        ..Joint::new(kind, "world", "body")
    }
}

fn simulate(
    gravity: f64,
    body: Body<Plane>,
    joint: Joint<Plane>,
    start: (f64, f64),
    duration: f64,
) -> Result<Run, SimError> {
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -gravity]).body("body", body);
    builder.joint("joint", joint);
    let mechanism = PlaneMechanism::new(builder.build().unwrap(), Vec::new());
    let rules = Rule::of_limits(&mechanism).collect();
    run(&mut Setup {
        mechanism,
        rules,
        q: vec![start.0],
        v: vec![start.1],
        options: Options {
            duration,
            sustained: false,
            ..Options::default()
        },
    })
}

#[test]
fn a_slider_bounces_between_its_stops_by_the_closed_form() {
    let axis = [1.0, 0.0].into();
    let (restitution, width) = (0.8, 0.75);
    let joint = limited(Prismatic { axis }, -0.25, 0.5, restitution);
    let run = simulate(0.0, Body::new(2.0, 1.0), joint, (0.5 - width, 3.0), 3.0).unwrap();
    assert_eq!(run.end, End::Duration);
    let (mut t, mut v) = (0.0, 3.0f64);
    for (k, event) in run.events.iter().enumerate() {
        t += width / v.abs();
        assert!(
            (event.time - t).abs() < 1e-12 * t,
            "{k}: {} {t}",
            event.time
        );
        let v_post = -restitution * v;
        assert!((event.v_post[0] - v_post).abs() < 1e-13);
        // The stop's impulse is what the joint does along its coordinate.
        let wanted = 2.0 * (v_post - v);
        assert!((event.joint_impulses[0].force[0] - wanted).abs() < 1e-12);
        assert_eq!(event.contacts(), [usize::from(v > 0.0)]);
        v = v_post;
    }
    assert!(run.events.len() > 5);
    let ledger = run.ledger.unwrap();
    assert!(ledger.residual().abs() < 1e-13 * ledger.largest);
    assert!((ledger.impacts_normal - (v * v - 9.0)).abs() < 1e-12);
}

#[test]
fn a_pendulum_strikes_its_stop_with_the_speed_of_its_energy() {
    let (length, inertia, restitution) = (0.4, 0.3, 0.6);
    let body = Body {
        center: [0.0, -length].into(),
        ..Body::new(1.5, inertia)
    };
    let joint = limited(Revolute, -2.0, 0.3, restitution);
    let run = simulate(9.81, body, joint, (-1.2, 0.0), 2.0).unwrap();
    let about_pivot = inertia + 1.5 * length * length;
    let drop = length * (0.3f64.cos() - 1.2f64.cos());
    let omega = (2.0 * 1.5 * 9.81 * drop / about_pivot).sqrt();
    let first = &run.events[0];
    assert!((first.v_pre[0] - omega).abs() < 1e-11, "{:?}", first.v_pre);
    assert!((first.v_post[0] + restitution * omega).abs() < 1e-11);
    // The pivot alone turns the pendulum back: its moment is the whole change of spin about it.
    let moment = first.joint_impulses[0].moment[2];
    assert!((moment + about_pivot * (1.0 + restitution) * omega).abs() < 1e-11);
    // The pivot holds the mass centre on its circle: the force is the change of momentum.
    let force = first.joint_impulses[0].force;
    let change = -1.5 * length * (1.0 + restitution) * omega;
    assert!((force[0] - change * 0.3f64.cos()).abs() < 1e-11);
    assert!((force[1] - change * 0.3f64.sin()).abs() < 1e-11);
    assert_balanced(&run, 1e-11);
}

#[test]
fn a_stop_and_a_shape_that_meet_at_one_instant_collide_together() {
    for law in [Law::Newton, Law::Poisson] {
        let mut builder = PlaneModelBuilder::new();
        let (across, up) = ([1.0, 0.0].into(), [0.0, 1.0].into());
        let skin = vec![("skin".to_owned(), Shape::new(Outline::Point))];
        let ball = Body {
            shapes: skin,
            ..Body::new(1.0, 1.0)
        };
        builder.body("sled", Body::new(1.0, 1.0)).body("ball", ball);
        let sled = Joint {
            child: "sled".to_owned(),
            ..limited(Prismatic { axis: across }, -5.0, 1.0, 0.5)
        };
        builder.joint("sled", sled);
        builder.joint("lift", Joint::new(Prismatic { axis: up }, "sled", "ball"));
        builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal: up }));
        let model = builder.build().unwrap();
        let features = model
            .features(("ball", "skin"), ("world", "floor"))
            .unwrap();
        let mechanism = PlaneMechanism::new(model, features);
        let floor = Rule {
            name: "floor".to_owned(),
            law,
            friction: Friction::NONE,
            restitution: 1.0,
            spin_radius: 0.0,
            tangential_restitution: None,
        };
        let mut rules = vec![floor];
        rules.extend(Rule::of_limits(&mechanism));
        let run = run(&mut Setup {
            mechanism,
            rules,
            q: vec![0.0, 2.0],
            v: vec![1.0, -2.0],
            options: Options {
                duration: 1.5,
                sustained: false,
                ..Options::default()
            },
        })
        .unwrap();
        assert_eq!((run.events.len(), &run.end), (1, &End::Duration));
        let Happening::Collision(collision) = &run.events[0].what else {
            unreachable!("one contact alone: {:?}", run.events[0].contacts());
        };
        assert_eq!(collision.contacts, [0, 2]);
        assert!((run.v[0] + 0.5).abs() < 1e-13 && (run.v[1] - 2.0).abs() < 1e-13);
    }
}

#[test]
fn a_start_beyond_a_stop_is_refused_in_the_unit_of_the_joint() {
    let joint = limited(Revolute, -1.0, 1.0, 0.5);
    let refused = simulate(9.81, Body::new(1.0, 1.0), joint, (1.25, 0.0), 1.0);
    let said = refused.unwrap_err().to_string();
    assert!(
        said.contains("joint.upper") && said.contains("-0.25 rad"),
        "{said}"
    );
}

#[test]
fn a_start_on_a_stop_leaves_it_or_strikes_it() {
    let axis = [0.0, 1.0].into();
    let start = |v: f64| {
        let joint = limited(Prismatic { axis }, 0.0, 2.0, 0.5);
        simulate(9.81, Body::new(1.0, 1.0), joint, (0.0, v), 0.3).unwrap()
    };
    assert!(start(2.0).events.is_empty());
    assert_eq!(start(-2.0).events[0].time, 0.0);
    assert_eq!(start(-2.0).events.len(), 2, "up at 1 m/s, back after 0.2 s");
    assert_eq!(start(0.0).end, End::ContactPersists { contacts: vec![0] });
}

#[test]
fn stops_without_room_between_are_refused_where_the_model_is_made() {
    for (lower, upper) in [(0.5, 0.5), (0.6, 0.5), (f64::NAN, 1.0)] {
        let mut builder = PlaneModelBuilder::new();
        builder.body("body", Body::new(1.0, 1.0));
        builder.joint("joint", limited(Revolute, lower, upper, 0.5));
        let said = builder.build().unwrap_err().to_string();
        assert!(said.contains("joint"), "{said}");
    }
}
