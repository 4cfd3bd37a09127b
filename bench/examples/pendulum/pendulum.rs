//! The double pendulum of paper 001, μ = 0, six seconds; the only file that knows the engine's door.

use carom_contact::impact::Law;
use carom_contact::space::Friction;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::Revolute;
use carom_multibody::{Body, Joint, PlaneModelBuilder};
use carom_sim::{Options, Rule, Setup, run};

fn mechanism() -> PlaneMechanism {
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

/// Mechanism, rule, start and options of a run, built once.
pub(crate) fn setup() -> Setup {
    let (first, second) = (140f64.to_radians(), (-90f64).to_radians());
    let rule = Rule {
        name: "hit".to_owned(),
        law: Law::Poisson,
        friction: Friction::uniform(0.0).unwrap(),
        restitution: 0.9,
    };
    Setup {
        mechanism: mechanism(),
        rules: vec![rule],
        q: vec![first, second - first],
        v: vec![1.2, -0.5 - 1.2],
        options: Options {
            duration: 6.0,
            ..Options::default()
        },
    }
}

/// Impact times (s) and what the integration cost.
pub(crate) fn simulate(setup: &mut Setup) -> (Vec<f64>, String) {
    let run = run(setup).unwrap();
    let impacts = run.events.iter().map(|event| event.time).collect();
    let e = run.effort;
    let effort = format!(
        "{} steps, {} rejected, {} rates, {} guards, {} sub-steps",
        e.steps_accepted, e.steps_rejected, e.evaluations, e.guard_evaluations, e.polish_steps
    );
    (impacts, effort)
}
