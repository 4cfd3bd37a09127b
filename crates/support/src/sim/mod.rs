//! Mechanisms that several tests run.

pub mod cases;
pub mod lift;
pub mod made_up;
pub mod route;
pub mod scene;
pub mod spec;
pub mod unbounded;
pub mod wedge;

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::{Closer, Mechanism, PlaneMechanism};
use carom_multibody::plane::PlaneJoint::{Prismatic, Revolute};
use carom_multibody::{Body, Joint, Motion, PlaneModelBuilder, State};
use carom_sim::record::{RunRecord, record};
use carom_sim::{Options, Rule, Run, Setup, run};

fn double_pendulum() -> PlaneMechanism {
    let tip = Shape::new(Outline::Disk { radius: 0.05 }).at([0.0, -0.65]);
    let up = [0.0, 1.0].into();
    let obstacle = Shape::new(Outline::HalfSpace { normal: up }).at([0.0, -0.9]);
    let upper = Body {
        center: [0.0, -0.25].into(),
        ..Body::new(3.2, 0.0676)
    };
    let lower = Body {
        center: [0.0, -0.3627].into(),
        shapes: vec![("tip".to_owned(), tip)],
        ..Body::new(3.8, 0.164)
    };
    let elbow = Joint {
        parent_at: [0.0, -0.5].into(),
        ..Joint::new(Revolute, "upper", "lower")
    };
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -9.81]);
    builder.body("upper", upper).body("lower", lower);
    builder.joint("O", Joint::new(Revolute, "world", "upper"));
    builder.joint("A", elbow).world_shape("obstacle", obstacle);
    let model = builder.build().unwrap();
    let features = model.features(("lower", "tip"), ("world", "obstacle"));
    PlaneMechanism::new(model, features.unwrap())
}

/// The double pendulum of paper 001.
pub fn pendulum(restitution: f64, mu: f64, duration: f64, samples: usize) -> Setup {
    let (first, second) = (140f64.to_radians(), (-90f64).to_radians());
    let rule = Rule {
        name: "hit".to_owned(),
        law: Law::Poisson,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    Setup {
        mechanism: double_pendulum(),
        rules: vec![rule],
        q: vec![first, second - first],
        v: vec![1.2, -0.5 - 1.2],
        options: Options {
            duration,
            samples,
            ..Options::default()
        },
    }
}

/// A ball on a table that is shaken up and down.
pub fn table() -> Setup {
    let mut builder = PlaneModelBuilder::new();
    let axis = [0.0, 1.0].into();
    let point = ("skin".to_owned(), Shape::new(Outline::Point));
    let ball = Body {
        shapes: vec![point],
        ..Body::new(0.3, 1.0)
    };
    let top = Shape::new(Outline::HalfSpace { normal: axis });
    let table = Body {
        shapes: vec![("top".to_owned(), top)],
        ..Body::new(2.0, 1.0)
    };
    builder.gravity([0.0, -9.81]);
    builder.body("ball", ball).body("table", table);
    let line = |child| Joint::new(Prismatic { axis }, "world", child);
    let shaken = Joint {
        motion: Some(Motion {
            amplitude: 0.01,
            frequency: 40.0,
            ..Motion::default()
        }),
        ..line("table")
    };
    builder.joint("ball", line("ball")).joint("table", shaken);
    let model = builder.build().unwrap();
    let features = model.features(("ball", "skin"), ("table", "top")).unwrap();
    Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: vec![Rule {
            name: "hit".to_owned(),
            law: Law::Poisson,
            friction: Friction::uniform(0.3).unwrap(),
            restitution: 0.6,
            spin_radius: 0.0,
            tangential_restitution: None,
        }],
        q: vec![0.2],
        v: vec![0.0],
        options: Options {
            duration: 2.0,
            ..Options::default()
        },
    }
}

/// A run, and the same under its names.
pub fn recorded(setup: &mut Setup<dyn Mechanism>) -> (Run, RunRecord) {
    let run = run(setup).unwrap();
    let record = record(setup, &run).unwrap();
    (run, record)
}

/// The energy of a run is accounted for to this part of the largest there was.
#[track_caller]
pub fn assert_balanced(run: &Run, part: f64) {
    let ledger = run.ledger.unwrap();
    let residual = ledger.residual().abs();
    assert!(
        residual <= part * ledger.largest,
        "{residual:e} of {:e}",
        ledger.largest
    );
}

/// Largest residual of the loops and of their rates over the samples, events and end of a run.
pub fn openness<M: Mechanism>(setup: &mut Setup<M>, run: &Run) -> f64 {
    let mut closer = Closer::default();
    let ends = [(run.time, &run.q, &run.v)];
    let samples = run.samples.iter().map(|s| (s.time, &s.q, &s.v));
    let before = run.events.iter().map(|e| (e.time, &e.q, &e.v_pre));
    let after = run.events.iter().map(|e| (e.time, &e.q, &e.v_post));
    let states = ends.into_iter().chain(samples).chain(before).chain(after);
    states.fold(0.0, |most: f64, (t, q, v)| {
        let open = closer
            .worst(&mut setup.mechanism, State::new(t, q, v))
            .unwrap();
        most.max(open.value.abs())
    })
}
