//! Time of mass matrix, bias and accelerations for chains of bodies.
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
    kind: A::Joint,
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
                ..Joint::new(self.kind, parent, &child)
            };
            builder.joint(&format!("j{i}"), joint);
        }
        builder.build().unwrap()
    }
}

/// Least time of one call over several rounds (ns).
fn time(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 20_000;
    let round = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..7).map(round).fold(f64::INFINITY, f64::min)
}

fn report<A: Algebra>(name: &str, link: &Link<A>) {
    for n in [2, 7, 30] {
        let model = link.chain(n);
        let mut work = model.workspace();
        let (q, v) = (vec![0.3; n], vec![0.7; n]);
        let (zero, mut m, mut h) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n]);
        let state = State {
            t: 0.0,
            q: &q,
            v: &v,
        };
        let place = time(|| {
            black_box(model.place(&mut work, black_box(state)));
        });
        let mut placed = model.place(&mut work, state);
        let mass = time(|| placed.mass(black_box(&mut m)));
        let bias = time(|| placed.bias(black_box(&mut h)));
        let accelerations = time(|| placed.accelerations(&zero, black_box(&mut h)).unwrap());
        println!("{name} {n:6} {place:9.0} {mass:8.0} {bias:8.0} {accelerations:17.0}");
    }
}

fn main() {
    println!("      bodies  place_ns  mass_ns  bias_ns  accelerations_ns  (each beyond placing)");
    let plane = Link::<Plane> {
        gravity: [0.0, -9.81].into(),
        inertia: 0.02,
        center: [0.0, -0.25].into(),
        joint_at: [0.0, -0.5].into(),
        kind: PlaneJoint::Revolute,
    };
    report("plane", &plane);
    let axis = [0.0, -1.0, 0.0].into();
    let space = Link::<Space> {
        gravity: [0.0, 0.0, -9.81].into(),
        inertia: [0.02, 0.02, 0.001].into(),
        center: [0.0, 0.0, -0.25].into(),
        joint_at: [0.0, 0.0, -0.5].into(),
        kind: SpaceJoint::Revolute { axis },
    };
    report("space", &space);
}
