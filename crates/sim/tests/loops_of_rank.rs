//! Constraints of a system of one's own, and loops whose constraints repeat each other.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_multibody::mechanism::{Closure, Contacts, Drawing, Dynamics, Guards, SpaceMechanism};
use carom_multibody::space::{Rotation, SpaceJoint};
use carom_multibody::{Body, ConstraintRows, Energy, Joint, SpaceModelBuilder, State, Vector};
use carom_sim::{End, Options, Setup, run};
use carom_support::sim::assert_balanced;
use common::openness;

const G: f64 = 9.81;

fn options(duration: f64, samples: usize) -> Options {
    Options {
        duration,
        samples,
        ..Options::default()
    }
}

/// A bead on a circle, by the coordinates of the plane and one constraint: a system of one's own.
struct Bead;

impl Dynamics for Bead {
    fn rates(&self) -> usize {
        2
    }
    fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[2.0, 0.0, 0.0, 2.0]);
    }
    fn bias(&mut self, _: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[0.0, 2.0 * G]);
    }
    fn constraints(&self) -> usize {
        1
    }
    fn closures(&self) -> Vec<Closure> {
        let (name, units) = ("thread".to_owned(), vec!["m"]);
        vec![Closure { name, units }]
    }
    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        out.reset(1, 2);
        let (&[x, y], &[u, v]) = (
            <&[f64; 2]>::try_from(state.q).unwrap(),
            <&[f64; 2]>::try_from(state.v).unwrap(),
        );
        out.value[0] = 0.5 * (x * x + y * y - 1.0);
        out.rows.copy_from_slice(&[x, y]);
        out.bias[0] = u * u + v * v;
    }
    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        let squares: f64 = state.v.iter().map(|v| v * v).sum();
        Some(Energy {
            kinetic: squares,
            gravity: 2.0 * G * state.q[1],
            ..Energy::default()
        })
    }
}

impl Contacts for Bead {}

impl Guards for Bead {}

impl Drawing for Bead {}

#[test]
fn a_bead_on_a_thread_is_a_pendulum() {
    let (amplitude, mut setup) = (
        1e-3f64,
        Setup {
            mechanism: Bead,
            rules: Vec::new(),
            q: vec![1e-3f64.sin(), -1e-3f64.cos()],
            v: vec![0.0; 2],
            options: options(10.0, 11),
        },
    );
    let run = run(&mut setup).unwrap();
    for sample in &run.samples {
        // Of small swings, the frequency falls by a sixteenth of the squared amplitude.
        let rate = G.sqrt() * (1.0 - amplitude * amplitude / 16.0);
        let angle = amplitude * (rate * sample.time).cos();
        assert!(
            (sample.q[0] - angle).abs() < 1e-9,
            "{}",
            sample.q[0] - angle
        );
    }
    assert!(openness(&mut setup, &run) < 1e-14);
    assert_balanced(&run, 1e-11);
}

/// Bennett's linkage: four bars in space whose axes are skew, and which moves although six times
/// three freedoms less five times four constraints leave none.
fn bennett(duration: f64) -> Setup<SpaceMechanism> {
    let (a, b, alpha) = (0.5, 0.8, 0.6f64);
    let beta = (alpha.sin() * b / a).asin();
    let turned = |angle: f64| Rotation::about([1.0, 0.0, 0.0], angle);
    let mut builder = SpaceModelBuilder::new();
    builder.gravity([0.3, -1.0, -G]);
    let body = |length: f64| Body {
        center: [0.5 * length, 0.0, 0.0].into(),
        ..Body::new(1.0, [0.02, 0.03, 0.04].into())
    };
    builder
        .body("one", body(a))
        .body("two", body(b))
        .body("three", body(a));
    let axis = Vector([0.0, 0.0, 1.0]);
    let pin = |parent: &str, child: &str, (length, twist): (f64, f64)| Joint {
        parent_at: [length, 0.0, 0.0].into(),
        parent_rotation: turned(twist),
        ..Joint::new(SpaceJoint::Revolute { axis }, parent, child)
    };
    builder.joint("O", pin("world", "one", (0.0, 0.0)));
    builder.joint("A", pin("one", "two", (a, alpha)));
    builder.joint("B", pin("two", "three", (b, beta)));
    // The fourth bar is the world: its end towards three is (Tx(b) Rx(β))⁻¹.
    let closing = Joint {
        parent_at: turned(-beta).apply(Vector([-b, 0.0, 0.0])),
        parent_rotation: turned(-beta - alpha),
        child_at: [a, 0.0, 0.0].into(),
        ..Joint::new(
            SpaceJoint::Revolute {
                axis: turned(alpha).apply(axis),
            },
            "world",
            "three",
        )
    };
    builder.joint("D", closing);
    let mechanism = SpaceMechanism::new(builder.build().unwrap(), Vec::new());
    let first = 2.0f64;
    let ratio = (0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin();
    let second = 2.0 * (ratio / (0.5 * first).tan()).atan();
    Setup {
        mechanism,
        rules: Vec::new(),
        q: vec![first, second, -first],
        v: vec![3.0, 0.0, 0.0],
        options: Options {
            assemble: true,
            ..options(duration, 50)
        },
    }
}

#[test]
fn a_bennett_linkage_moves_although_its_constraints_outnumber_its_freedoms() {
    let mut setup = bennett(5.0);
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    let moved = run.samples.iter().map(|s| (s.q[0] - setup.q[0]).abs());
    let moved = moved.fold(0.0, f64::max);
    assert!(moved > 0.5, "{moved}");
    let ledger = run.ledger.unwrap();
    assert!(
        ledger.residual().abs() < 1e-10 * ledger.largest,
        "{ledger:?}"
    );
    let open = openness(&mut setup, &run);
    assert!(open < 1e-10, "{open:e}");
}
