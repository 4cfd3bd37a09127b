//! Bodies that tumble: quaternions keep their length, and nothing is lost by that.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::mechanism::{Drawing, SpaceMechanism};
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, SpaceJoint, Symmetric};
use carom_multibody::{Body, Joint, SpaceModelBuilder, State, Vector};
use carom_sim::record::record;
use carom_sim::{End, Options, Rule, Setup, run};
use carom_support::random::full_or;
use carom_support::sim::assert_balanced;

const MOMENTS: [f64; 3] = [0.3, 0.4, 0.5];

/// An asymmetric body left alone, nearly about its middle axis.
fn tumbling(duration: f64, tolerance: f64, omega: [f64; 3]) -> Setup<SpaceMechanism> {
    let body = Body {
        center: [0.1, -0.2, 0.15].into(),
        ..Body::new(2.0, Symmetric::from(MOMENTS))
    };
    let mut builder = SpaceModelBuilder::new();
    builder.body("b", body);
    builder.joint("j", Joint::new(SpaceJoint::Free, "world", "b"));
    let model = builder.build().unwrap();
    let mut v = vec![0.02, 0.01, -0.03];
    v.extend(omega);
    Setup {
        q: model.reference(),
        mechanism: SpaceMechanism::new(model, Vec::new()),
        rules: Vec::new(),
        v,
        options: Options {
            duration,
            tolerance,
            samples: 1000,
            ..Options::default()
        },
    }
}

fn norm_error(quaternion: &[f64]) -> f64 {
    let square: f64 = quaternion.iter().map(|x| x * x).sum();
    (square.sqrt() - 1.0).abs()
}

/// Angular momentum about the mass centre and kinetic energy.
fn constants(mechanism: &mut SpaceMechanism, q: &[f64], v: &[f64]) -> [f64; 4] {
    let id = mechanism.model().bodies()[0].id;
    let placed = mechanism.place(State::new(0.0, q, v));
    let rotation = placed.pose(id).rotation;
    let spin = rotation.undo(placed.twist(id).angular);
    let own = Vector([0, 1, 2].map(|k| MOMENTS[k] * spin.0[k]));
    let [x, y, z] = rotation.apply(own).0;
    [x, y, z, placed.energy().kinetic]
}

#[test]
fn quaternions_keep_unit_length_over_a_day_of_motion() {
    let duration = full_or(1e5, 1e3);
    let mut setup = tumbling(duration, 1e-12, [0.1, 1.0, 0.05]);
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_eq!(run.samples.len(), 1000);
    let worst = run.samples.iter().map(|sample| norm_error(&sample.q[3..]));
    let worst = worst.fold(norm_error(&run.q[3..]), f64::max);
    assert!(worst <= 4.0 * f64::EPSILON, "{worst:e}");
    let flips = run.samples.iter().filter(|sample| {
        let turned = Rotation::new(sample.q[3..].try_into().unwrap());
        turned.undo(Vector([0.0, 1.0, 0.0])).0[1] < 0.0
    });
    assert!(flips.count() > 100, "the body tumbles");
}

#[test]
fn a_body_left_alone_keeps_momentum_and_energy_over_a_thousand_turns_of_a_run() {
    let turns = full_or(1000.0, 10.0);
    let duration = turns * std::f64::consts::TAU / 6.0;
    let mut setup = tumbling(duration, 1e-14, [0.1, 6.0, 0.05]);
    let (q, v) = (setup.q.clone(), setup.v.clone());
    let before = constants(&mut setup.mechanism, &q, &v);
    let run = run(&mut setup).unwrap();
    for sample in &run.samples {
        let after = constants(&mut setup.mechanism, &sample.q, &sample.v);
        for (a, b) in after.iter().zip(before) {
            assert!((a - b).abs() < 1e-11, "{after:?} {before:?}");
        }
    }
    assert_balanced(&run, 1e-11);
}

#[test]
fn a_start_of_any_length_is_taken_to_unit_length_and_no_length_is_refused() {
    let short = run(&mut tumbling(1.0, 1e-12, [0.1, 6.0, 0.05])).unwrap();
    let mut long = tumbling(1.0, 1e-12, [0.1, 6.0, 0.05]);
    long.q[3] = 4.0;
    let long = run(&mut long).unwrap();
    assert_eq!(short.samples, long.samples);
    let mut none = tumbling(1.0, 1e-12, [0.1, 6.0, 0.05]);
    none.q[3] = 0.0;
    let error = run(&mut none).unwrap_err().to_string();
    assert!(error.contains("length other than zero"), "{error}");
}

/// A box that tumbles and bounces inside a box without friction.
fn tumbling_box(samples: usize) -> Setup<SpaceMechanism> {
    let size = [0.3, 0.2, 0.12].into();
    let skin = SolidShape::new(Solid::Box { size });
    let body = Body {
        shapes: vec![("skin".to_owned(), skin)],
        ..Body::new(1.0, [0.004, 0.008, 0.011].into())
    };
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]).body("box", body);
    builder.joint("j", Joint::new(SpaceJoint::Free, "world", "box"));
    let normal = [0.0, 0.0, 1.0].into();
    builder.world_shape("floor", SolidShape::new(Solid::HalfSpace { normal }));
    let model = builder.build().unwrap();
    let features = model.features(("box", "skin"), ("world", "floor")).unwrap();
    let rule = |k: usize| Rule {
        name: format!("corner.{k}"),
        law: Law::Newton,
        friction: Friction::NONE,
        restitution: 1.0,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    let rules = (0..features.len()).map(rule).collect();
    let mut q = vec![0.0, 0.0, 0.7];
    q.extend(Rotation::about([1.0, 0.4, -0.3], 0.8).quaternion());
    Setup {
        mechanism: SpaceMechanism::new(model, features),
        rules,
        q,
        v: vec![0.3, -0.2, 0.0, 2.0, -3.0, 1.0],
        options: Options {
            duration: 3.0,
            samples,
            ..Options::default()
        },
    }
}

#[test]
fn events_and_samples_of_a_bouncing_box_have_unit_quaternions_and_keep_the_energy() {
    let mut setup = tumbling_box(500);
    let run = run(&mut setup).unwrap();
    assert!(run.events.len() > 5, "{:?}", run.end);
    let samples = run.samples.iter().map(|sample| &sample.q);
    let events = run.events.iter().map(|event| &event.q);
    for q in samples.chain(events) {
        assert!(norm_error(&q[3..]) <= 4.0 * f64::EPSILON, "{q:?}");
    }
    let ledger = run.ledger.unwrap();
    assert!((ledger.end - ledger.start).abs() < 1e-10 * ledger.largest);
    assert!(ledger.residual().abs() < 1e-10 * ledger.largest);
    // What is around the events joins the samples: seven columns of a pose.
    let record = record(&mut setup, &run).unwrap();
    let poses = &record.trajectory.unwrap().poses["box"];
    assert_eq!(poses.len(), 7);
    assert!(poses.iter().all(|column| column.len() == 500));
    assert_eq!(setup.mechanism.scene().unwrap().names(), ["box"]);
}

#[test]
fn samples_do_not_change_the_events_of_a_tumbling_box() {
    let with = run(&mut tumbling_box(500)).unwrap();
    let without = run(&mut tumbling_box(0)).unwrap();
    assert_eq!(with.events, without.events);
    // Between two samples around an event the box moves no further than it can.
    let speed = 20.0;
    for pair in with.samples.windows(2) {
        let way = |k: usize| (pair[1].q[k] - pair[0].q[k]).abs();
        let most = (0..7).map(way).fold(0.0, f64::max);
        assert!(most <= speed * (pair[1].time - pair[0].time));
    }
}
