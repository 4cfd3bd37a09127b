//! Mass matrix, inverse and forward dynamics of chains of bodies, in space and in the plane.
//!
//! Prints a line per chain and question: name, bodies, least time of a call (ns), then the answer's sum
//! of squares, by which a chain is known to be the same in another program.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::space::{Space, SpaceJoint};
use carom_multibody::{Algebra, Body, Joint, Model, ModelBuilder, State};

/// What tells the same chain in the plane from that in space.
struct Link<A: Algebra> {
    gravity: A::Vector,
    inertia: A::CentralInertia,
    center: A::Vector,
    joint_at: A::Vector,
    /// Kinds of the joints, in turn.
    kinds: Vec<A::Joint>,
}

impl<A: Algebra> Link<A> {
    fn chain(&self, n: usize) -> Model<A> {
        let mut builder = ModelBuilder::new();
        builder.gravity(self.gravity);
        for i in 0..n {
            let (parent, child) = (format!("b{}", i.wrapping_sub(1)), format!("b{i}"));
            let parent = if i == 0 { "world" } else { &parent };
            let body = Body {
                center: self.center,
                ..Body::new(1.0, self.inertia)
            };
            builder.body(&child, body);
            let joint = Joint {
                parent_at: self.joint_at,
                ..Joint::new(self.kinds[i % self.kinds.len()], parent, &child)
            };
            builder.joint(&format!("j{i}"), joint);
        }
        builder.build().unwrap()
    }
}

/// Least time of one call over several rounds (ns).
fn least_ns(rounds: usize, mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 20_000;
    let round = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

fn say(name: &str, question: &str, n: usize, time: f64, answer: &[f64]) {
    let squares: f64 = answer.iter().map(|x| x * x).sum();
    println!("{name} {question} {n} {time:.1} {squares:e}");
}

/// Every call starts from q and v: placing the bodies is part of it.
fn report<A: Algebra>(name: &str, rounds: usize, link: &Link<A>) {
    for n in [2, 7, 30] {
        let model = link.chain(n);
        let mut work = model.workspace();
        let column = |from: f64, step: f64| (0..n).map(|i| from + step * i as f64).collect();
        let (q, v): (Vec<f64>, Vec<f64>) = (column(0.3, 0.01), column(0.7, -0.02));
        let (a, force): (Vec<f64>, Vec<f64>) = (column(0.2, 0.03), column(0.0, 0.1));
        let state = State::new(0.0, &q, &v);
        let (mut matrix, mut out) = (vec![0.0; n * n], vec![0.0; n]);
        let time = least_ns(rounds, || {
            model
                .place(&mut work, black_box(state))
                .mass(black_box(&mut matrix));
        });
        say(name, "mass", n, time, &matrix);
        let time = least_ns(rounds, || {
            let mut placed = model.place(&mut work, black_box(state));
            placed
                .balance(black_box(&a), &[])
                .missing_force(black_box(&mut out));
        });
        say(name, "inverse", n, time, &out);
        let time = least_ns(rounds, || {
            let mut placed = model.place(&mut work, black_box(state));
            let solved = placed.accelerations(black_box(&force), black_box(&mut out));
            solved.unwrap();
        });
        say(name, "forward", n, time, &out);
    }
}

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .map_or(7, |text| text.parse().unwrap());
    let turning = |axis: [f64; 3]| SpaceJoint::Revolute { axis: axis.into() };
    let in_space = |kinds| Link::<Space> {
        gravity: [0.0, 0.0, -9.81].into(),
        inertia: [0.02, 0.02, 0.001].into(),
        center: [0.0, 0.0, -0.25].into(),
        joint_at: [0.0, 0.0, -0.5].into(),
        kinds,
    };
    let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(turning);
    report("carom", rounds, &in_space(vec![y, x, z]));
    let flat = Link::<Plane> {
        gravity: [0.0, -9.81].into(),
        inertia: 0.02,
        center: [0.0, -0.25].into(),
        joint_at: [0.0, -0.5].into(),
        kinds: vec![PlaneJoint::Revolute],
    };
    report("carom-plane", rounds, &flat);
    let flat_in_space = vec![turning([0.0, -1.0, 0.0])];
    report("carom-plane-in-space", rounds, &in_space(flat_in_space));
}
