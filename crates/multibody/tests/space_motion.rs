//! Motions in space with known constants, integrated.
#![allow(clippy::unwrap_used)]

use std::convert::Infallible;

use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{
    Body, Joint, Linear as _, Model, SpaceModelBuilder, State, Vector, Workspace,
};
use carom_ode::{Integrator, Options, Problem, Stop};
use carom_support::random::full_or;

/// The equations of motion of a model, as a first-order system.
struct Motion<'a> {
    model: &'a Model<Space>,
    work: Workspace<Space>,
    zero: Vec<f64>,
}

impl<'a> Motion<'a> {
    fn of(model: &'a Model<Space>) -> Self {
        Self {
            model,
            work: model.workspace(),
            zero: vec![0.0; model.rates()],
        }
    }
}

impl Problem for Motion<'_> {
    type Failure = Infallible;

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        let (q, v) = y.split_at(self.model.positions());
        let (q_rate, v_rate) = dy.split_at_mut(self.model.positions());
        self.model.position_rate(q, v, q_rate);
        let mut placed = self.model.place(&mut self.work, State::new(t, q, v));
        placed.accelerations(&self.zero, v_rate).unwrap();
        Ok(())
    }
}

/// One body on one joint, without gravity.
fn single(kind: SpaceJoint, body: Body<Space>) -> Model<Space> {
    let mut builder = SpaceModelBuilder::new();
    builder.body("b", body);
    builder.joint("j", Joint::new(kind, "world", "b"));
    builder.build().unwrap()
}

fn norm_error(quaternion: &[f64]) -> f64 {
    let square: f64 = quaternion.iter().map(|x| x * x).sum();
    (square.sqrt() - 1.0).abs()
}

/// Momentum, angular momentum about the mass centre, and energy of the only body.
fn constants(model: &Model<Space>, y: &[f64]) -> [f64; 7] {
    let (q, v) = y.split_at(model.positions());
    let mut work = model.workspace();
    let placed = model.place(&mut work, State::new(0.0, q, v));
    let record = &model.bodies()[0];
    let (pose, twist) = (placed.pose(record.id), placed.twist(record.id));
    let center = placed.center(record.id);
    let momentum = placed.velocity(record.id, center) * record.body.mass;
    let rows = record.body.inertia.rows();
    let spin = pose.rotation.undo(twist.angular);
    let own = pose.rotation.apply(Vector(rows.map(|row| row.dot(spin))));
    let [a, b, c] = momentum.0;
    let [d, e, f] = own.0;
    [a, b, c, d, e, f, placed.energy().kinetic]
}

#[test]
fn a_body_left_alone_keeps_momentum_and_energy_over_a_thousand_turns() {
    let turns = full_or(1000.0, 10.0);
    let body = Body {
        center: [0.1, -0.2, 0.15].into(),
        ..Body::new(2.0, Symmetric::from([0.3, 0.4, 0.5]))
    };
    // About the middle axis, nearly: it tumbles.
    let omega = [0.1, 6.0, 0.05];
    let model = single(SpaceJoint::Free, body);
    let mut start = model.reference();
    start.extend([0.02, 0.01, -0.03]);
    start.extend(omega);
    let before = constants(&model, &start);
    let options = Options {
        relative: 1e-14,
        absolute: 1e-14,
        max_steps: 10_000_000,
        ..Options::default()
    };
    let mut integrator = Integrator::new(start, Vec::new(), options).unwrap();
    let mut motion = Motion::of(&model);
    let until = turns * std::f64::consts::TAU / 6.0;
    let mut flips = 0;
    let mut t = 0.0;
    while t < until {
        t += 0.5;
        let stop = integrator.advance(&mut motion, t).unwrap();
        assert_ne!(stop, Stop::Event);
        model.normalise(&mut integrator.state_mut()[..7]);
        let turned = Rotation::new(integrator.state()[3..7].try_into().unwrap());
        flips += usize::from(turned.undo(Vector([0.0, 1.0, 0.0])).0[1] < 0.0);
    }
    assert!(flips > 0, "the body tumbles");
    let after = constants(&model, integrator.state());
    for (a, b) in after.iter().zip(before) {
        assert!((a - b).abs() < 1e-11, "{after:?} {before:?}");
    }
}

/// Exact orientation of a body with two equal moments, left alone: it spins about its axis while the
/// axis goes round the angular momentum L.
///
/// ```text
/// R(t) = exp(t L/I₁) R(0) exp(t ω₃ (1 − I₃/I₁) e₃)
/// ```
fn precession(moments: [f64; 2], omega: Vector<3>, t: f64) -> Rotation {
    let [across, along] = moments;
    let Vector([x, y, z]) = omega;
    let momentum = Vector([across * x, across * y, along * z]);
    let about = Rotation::about(momentum, t * momentum.norm() / across);
    about.then(&Rotation::about(
        [0.0, 0.0, 1.0],
        t * z * (1.0 - along / across),
    ))
}

/// Angle between two orientations (rad).
fn between(a: &Rotation, b: &Rotation) -> f64 {
    let [_, x, y, z] = a.inverse().then(b).quaternion();
    2.0 * Vector([x, y, z]).norm()
}

/// Largest error of the norm, and error of the orientation, after `until` seconds.
fn spin_top(until: f64, step: f64, with_normalise: bool) -> (f64, f64) {
    let (across, along) = (0.4, 0.25);
    let body = Body::new(1.0, [across, across, along].into());
    let model = single(SpaceJoint::Spherical, body);
    let omega = Vector([0.3, -0.2, 0.9]);
    let mut start = model.reference();
    start.extend(omega.0);
    let options = Options {
        max_steps: u64::MAX,
        max_step: 1.0,
        ..Options::with_tolerance(1e-15)
    };
    let mut integrator = Integrator::new(start, Vec::new(), options).unwrap();
    let mut motion = Motion::of(&model);
    let (mut worst, mut k) = (0.0f64, 0.0);
    while integrator.time() < until {
        k += 1.0;
        integrator.advance(&mut motion, k * step).unwrap();
        if with_normalise {
            model.normalise(&mut integrator.state_mut()[..4]);
        }
        worst = worst.max(norm_error(&integrator.state()[..4]));
    }
    let found = Rotation::new(integrator.state()[..4].try_into().unwrap());
    let exact = precession([across, along], omega, integrator.time());
    (worst, between(&found, &exact))
}

#[test]
fn a_normalised_quaternion_keeps_its_length_and_loses_no_accuracy() {
    let until = full_or(1e5, 1e3);
    let (norm, angle) = spin_top(until, 1.0, true);
    assert!(norm < 1e-14, "{norm:e}");
    let (loose_norm, loose_angle) = spin_top(until, 1.0, false);
    // Errors of the angular velocity grow with time, those of the angle with its square.
    let share = 1e-7 * (until / 1e5) * (until / 1e5);
    assert!(angle < share, "{angle:e}");
    assert!(
        angle < 1.5 * loose_angle + 1e-11,
        "{angle:e} {loose_angle:e}"
    );
    assert!(loose_norm > norm, "{loose_norm:e} {norm:e}");
}

#[test]
fn the_length_of_a_quaternion_places_nothing() {
    let body = || Body {
        center: [0.1, 0.0, 0.2].into(),
        ..Body::new(1.0, [0.3, 0.4, 0.5].into())
    };
    let model = single(SpaceJoint::Free, body());
    let v = [0.1, 0.2, 0.3, 1.0, -2.0, 0.5];
    let mut work = model.workspace();
    let mut answer = |length: f64| {
        let mut q = vec![0.5, 0.6, 0.7];
        q.extend([0.8, -0.2, 0.4, 0.4].map(|x| x * length));
        let state = State::new(0.0, &q, &v);
        let mut out = [0.0; 6];
        let mut placed = model.place(&mut work, state);
        placed.accelerations(&[0.0; 6], &mut out).unwrap();
        (placed.pose(model.bodies()[0].id).origin, out)
    };
    let (long, short) = (answer(2.0), answer(0.5));
    assert!((long.0 - short.0).norm() < 1e-15);
    assert!(
        long.1
            .iter()
            .zip(short.1)
            .all(|(a, b)| (a - b).abs() < 1e-14)
    );
}
