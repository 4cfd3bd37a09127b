//! Contacts that struck wrongly.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::{Prismatic, Revolute};
use carom_multibody::{Body, Joint, Limits, Motion, PlaneModelBuilder};
use carom_sim::record::record;
use carom_sim::{End, Options, Rule, Setup, run};

fn disk(radius: f64, at: [f64; 2]) -> Vec<(String, Shape)> {
    let shape = Shape::new(Outline::Disk { radius }).at(at);
    vec![("skin".to_owned(), shape)]
}

fn rule(restitution: f64, mu: f64) -> Rule {
    Rule {
        name: "hit".to_owned(),
        law: Law::Poisson,
        friction: Friction::uniform(mu).unwrap(),
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

/// A pendulum that carries two bodies: the first turns as prescribed, the second as prescribed or
/// freely.
fn carousel(rate: f64, second: Option<Motion>, mu: f64) -> Setup {
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -9.81]);
    let arm = Body {
        center: [0.13, -0.47].into(),
        ..Body::new(1.7, 0.21)
    };
    let hand = |at| Body {
        shapes: disk(0.1, at),
        ..Body::new(0.7, 0.05)
    };
    builder.body("arm", arm);
    builder.body("one", hand([0.31, 0.07]));
    builder.body("two", hand([-0.29, 0.11]));
    builder.joint("pivot", Joint::new(Revolute, "world", "arm"));
    let on_arm = |at: [f64; 2], child| Joint {
        parent_at: at.into(),
        ..Joint::new(Revolute, "arm", child)
    };
    let turn = Motion {
        rate,
        ..Motion::default()
    };
    let first = Joint {
        motion: Some(turn),
        ..on_arm([-0.4, -0.6], "one")
    };
    let second = Joint {
        motion: second,
        ..on_arm([0.4, -0.5], "two")
    };
    builder.joint("left", first).joint("right", second);
    let model = builder.build().unwrap();
    let features = model.features(("one", "skin"), ("two", "skin")).unwrap();
    let rates = model.rates();
    Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: vec![rule(0.5, mu)],
        q: vec![0.8, -0.9][..rates].to_vec(),
        v: vec![2.0, 0.7][..rates].to_vec(),
        options: Options {
            duration: 5.0,
            sustained: false,
            ..Options::default()
        },
    }
}

/// Two bodies on one arm, both moved as prescribed, collided: the Jacobian row of the contact was
/// the difference of two equal rows, 1e-17 instead of 0, and an impulse of 1e32 N·s threw the arm
/// out of the world. Rows now leave out what moves both bodies alike, and the end says that no
/// impulse can help.
#[test]
fn an_approach_that_is_prescribed_jams() {
    let turn = Motion {
        rate: 1.0,
        ..Motion::default()
    };
    let mut setup = carousel(-0.2, Some(turn), 0.3);
    let run = run(&mut setup).unwrap();
    let end = End::Jammed {
        contacts: vec![0],
        is_prescribed: true,
    };
    assert_eq!(run.end, end);
    let said = record(&mut setup, &run).unwrap().end.reason;
    assert!(said.contains("approach is prescribed"), "{said}");
}

/// Where one free joint alone moves two bodies against each other, the contact can move along one
/// line only and a stuck contact cannot rebound. Round-off of the joints that move both alike made
/// W regular by 1e-29, and the impulse that a stuck contact needs was 1e15 N·s.
#[test]
fn one_joint_between_two_bodies_makes_w_singular_exactly() {
    let mut setup = carousel(1.3, None, 0.9);
    let run = run(&mut setup).unwrap();
    assert!(!run.events.is_empty());
    for event in &run.events {
        let impact = event.impact().unwrap();
        assert_eq!(impact.problem.w().nn_stuck(), 0.0);
        let impulse = impact.solution.end.map_or(0.0, |end| end.impulse.n);
        assert!(impulse < 100.0, "{impulse}");
    }
}

/// A ball that hardly rebounds comes to the round-off of its gap after a few impacts, before four
/// ratios were equal, and then rattled in it: flights of 4 ns, 400 000 of them if allowed.
#[test]
fn a_ball_that_hardly_rebounds_does_not_rattle_in_round_off() {
    for restitution in [0.005, 0.01, 0.03, 0.05, 0.07, 0.09] {
        let mut builder = PlaneModelBuilder::new();
        let body = Body {
            center: [0.05, 0.0].into(),
            shapes: disk(0.1, [0.3, -1.1]),
            ..Body::new(1.0, 0.2)
        };
        let normal = [0.1, 1.0].into();
        let floor = Shape::new(Outline::HalfSpace { normal }).at([0.0, -1.2]);
        builder.gravity([0.0, -9.81]).body("bob", body);
        builder.joint("pivot", Joint::new(Revolute, "world", "bob"));
        builder.world_shape("floor", floor);
        let model = builder.build().unwrap();
        let features = model.features(("bob", "skin"), ("world", "floor")).unwrap();
        let run = run(&mut Setup {
            mechanism: PlaneMechanism::new(model, features),
            rules: vec![rule(restitution, 0.0)],
            q: vec![1.5],
            v: vec![0.0],
            options: Options {
                duration: 20.0,
                sustained: false,
                ..Options::default()
            },
        })
        .unwrap();
        let End::Accumulates { limit, bound, .. } = run.end else {
            unreachable!("{restitution}: {:?}", run.end);
        };
        assert!(run.events.len() < 12, "{restitution}: {}", run.events.len());
        assert!((limit - run.time).abs() < 1e-4 && bound < 1e-6);
    }
}

/// A step that was tried too long led to states so large that the mass matrix was not a number, and
/// the run ended as if the mechanism had lost its inertia. The step is now taken shorter.
#[test]
fn a_trial_step_into_nonsense_is_taken_shorter() {
    let mut builder = PlaneModelBuilder::new();
    let axis = [1.0, 0.0].into();
    let joint = Joint {
        limits: Some(Limits {
            lower: -1.0,
            upper: 1.0,
            restitution: 1.0,
        }),
        ..Joint::new(Prismatic { axis }, "world", "mass")
    };
    builder
        .body("mass", Body::new(1.0, 1.0))
        .joint("line", joint);
    let model = builder.build().unwrap();
    let mechanism = PlaneMechanism::new(model, Vec::new());
    let rules = Rule::of_limits(&mechanism).collect();
    let mut setup = Setup {
        mechanism: common_overflow::Overflowing(mechanism),
        rules,
        q: vec![0.0],
        v: vec![1.0],
        options: Options {
            duration: 5.0,
            sustained: false,
            ..Options::default()
        },
    };
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_eq!(run.events.len(), 3, "stops at 1, 3 and 5 s less the end");
}

/// A mass on a line that refuses states beyond its stops by more than a tenth.
mod common_overflow {
    use carom_multibody::State;
    use carom_multibody::mechanism::{
        ContactDrift, Contacts, Drawing, Dynamics, Gap, Guards, MassSolver, MotionFault,
        PlaneMechanism, Rows,
    };

    pub(super) struct Overflowing(pub(super) PlaneMechanism);

    impl Dynamics for Overflowing {
        fn rates(&self) -> usize {
            1
        }
        fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
            self.0.mass(state, out);
            if state.q[0].abs() > 1.1 {
                out[0] = f64::NAN;
            }
        }
        fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
            self.0.bias(state, out);
        }
        fn accelerations(
            &mut self,
            state: State<'_>,
            solver: &mut MassSolver,
            out: &mut [f64],
        ) -> Result<(), MotionFault> {
            self.mass(state, solver.matrix(1));
            self.bias(state, out);
            solver.solve(out)
        }
    }

    impl Contacts for Overflowing {
        fn contacts(&self) -> usize {
            2
        }
        fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
            self.0.gaps(state, out);
        }
        fn contact_rows(
            &mut self,
            state: State<'_>,
            contact: usize,
            rows: Rows<'_>,
        ) -> ContactDrift {
            self.0.contact_rows(state, contact, rows)
        }
        fn has_tangent(&self, _: usize) -> bool {
            false
        }
    }

    impl Guards for Overflowing {}

    impl Drawing for Overflowing {}
}
