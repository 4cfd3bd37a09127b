//! Bodies much smaller than the way they fly meet, in plane and space.
#![allow(clippy::unwrap_used)]

use carom_multibody::contact::{Bounds, Outline, Shape};
use carom_multibody::mechanism::{Derivative, Gap, MassSolver, Mechanism};
use carom_multibody::plane::Plane;
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Space, Symmetric};
use carom_multibody::{Body, ModelBuilder, PlaneMechanism, SpaceMechanism, State, Vector};
use carom_ode::{Guard, Integrator, Options, Point, Problem, Stop, Tube};
use carom_support::multibody::Drawn;
use carom_support::random::{count, either_sign};
use fastrand::Rng;
use std::convert::Infallible;

/// A mechanism in flight, its gaps as guards.
struct Flight<M> {
    mechanism: M,
    solver: MassSolver,
    gaps: Vec<Gap>,
}

impl<M: Mechanism> Flight<M> {
    fn new(mechanism: M) -> Self {
        let gaps = vec![Gap { gap: 0.0, v_n: 0.0 }; mechanism.contacts()];
        let solver = MassSolver::default();
        Self {
            mechanism,
            solver,
            gaps,
        }
    }

    fn integrator(&self, y: Vec<f64>) -> Integrator<Vec<f64>> {
        let guard = Guard::falling().sized(self.mechanism.extent(), 1.0);
        Integrator::new(y, vec![guard; self.gaps.len()], Options::default()).unwrap()
    }
}

impl<M: Mechanism> Problem for Flight<M> {
    type Failure = Infallible;

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        let at = self.mechanism.positions();
        let ((q, v), out) = (y.split_at(at), dy.split_at_mut(at));
        let out = Derivative { q: out.0, v: out.1 };
        let moved = self
            .mechanism
            .derivative(State::new(t, q, v), &mut self.solver, out);
        moved.unwrap();
        Ok(())
    }

    fn guards(&mut self, at: Point<'_>, g: &mut [f64], r: &mut [f64]) -> Result<(), Infallible> {
        let (q, v) = at.y.split_at(self.mechanism.positions());
        self.mechanism.gaps(State::new(at.t, q, v), &mut self.gaps);
        for (i, gap) in self.gaps.iter().enumerate() {
            (g[i], r[i]) = (gap.gap, gap.v_n);
        }
        Ok(())
    }

    fn guard_speeds(&mut self, tube: Tube<'_>, speeds: &mut [f64]) {
        let at = self.mechanism.positions();
        let (low, high) = (tube.low.split_at(at), tube.high.split_at(at));
        let bounds = Bounds {
            t: (tube.from, tube.until),
            q: (low.0, high.0),
            v: (low.1, high.1),
        };
        self.mechanism.gap_speeds(&bounds, speeds);
    }
}

/// Size of the bodies over the way they fly, and where they pass each other.
struct Aim {
    size: f64,
    /// Distance at which their centres pass, in sizes.
    off: f64,
    gravity: f64,
    speed: f64,
    way: f64,
}

impl Aim {
    fn random(rng: &mut Rng) -> Self {
        Self {
            size: 10f64.powf(-1.0 - 9.0 * rng.f64()),
            off: if rng.bool() { 0.0 } else { 0.45 * rng.f64() },
            gravity: if rng.bool() { 9.81 } else { 0.0 },
            speed: 1.0 + rng.f64(),
            way: 1.0 + rng.f64(),
        }
    }
}

/// A shape that reaches at least half a size from its centre in every direction, and a size at most.
fn outline(kind: usize, size: f64) -> Outline {
    match kind {
        0 => Outline::Disk {
            radius: 0.75 * size,
        },
        1 => Outline::Capsule {
            length: size,
            radius: 0.5 * size,
        },
        2 => Outline::Box {
            size: Vector([1.2 * size, 1.5 * size]),
        },
        _ => Outline::Point,
    }
}

fn solid(kind: usize, size: f64) -> Solid {
    match kind {
        0 => Solid::Ball {
            radius: 0.75 * size,
        },
        1 => Solid::Capsule {
            length: size,
            radius: 0.5 * size,
        },
        2 => Solid::Box {
            size: Vector([1.1, 1.2, 1.0]) * size,
        },
        _ => Solid::Point,
    }
}

/// Pairs of kinds; a point against what has an inside.
const PAIRS: [(usize, usize); 9] = [
    (0, 0),
    (0, 1),
    (0, 2),
    (1, 1),
    (1, 2),
    (2, 2),
    (3, 0),
    (3, 1),
    (3, 2),
];

/// Advances until the first event, and compares its time with that of the centres within reach.
fn meet<M: Mechanism>(flight: &mut Flight<M>, y: Vec<f64>, aim: &Aim, what: &str) {
    let mut run = flight.integrator(y);
    let stop = run.advance(flight, 3.0);
    assert_eq!(stop, Ok(Stop::Event), "{what}, size {:e}", aim.size);
    let closest = aim.way / aim.speed;
    let early = closest - run.time();
    let most = (2.0 * aim.size + 1e-12) / aim.speed;
    assert!(
        early > -1e-12 && early <= most,
        "{what}, size {:e}: {early:e} early",
        aim.size
    );
}

#[test]
fn tiny_bodies_of_the_plane_that_fly_into_each_other_touch() {
    let mut rng = Rng::with_seed(401);
    for k in 0..count(900) {
        let (a, b) = PAIRS[k % PAIRS.len()];
        let aim = Aim::random(&mut rng);
        let mut builder = ModelBuilder::<Plane>::new();
        builder.gravity([0.0, -aim.gravity]);
        for (name, kind) in [("a", a), ("b", b)] {
            let inertia = aim.size * aim.size;
            let mut body = Body::new(1.0, inertia);
            let shape = Shape::new(outline(kind, aim.size));
            body.shapes.push(("s".to_owned(), shape));
            builder.body(name, body);
        }
        let model = builder.build().unwrap();
        let features = model.features(("a", "s"), ("b", "s")).unwrap();
        let mut flight = Flight::new(PlaneMechanism::new(model, features));
        let (sin, cos) = either_sign(&mut rng, 3.0).sin_cos();
        let (off, turns) = (
            aim.off * aim.size,
            [either_sign(&mut rng, 3.0), either_sign(&mut rng, 3.0)],
        );
        let y = [
            [0.0, 0.0, turns[0]],
            [
                aim.way * cos - off * sin,
                aim.way * sin + off * cos,
                turns[1],
            ],
            [aim.speed * cos, aim.speed * sin, 0.0],
            [0.0, 0.0, 0.0],
        ];
        meet(&mut flight, y.concat(), &aim, &format!("plane {a} {b}"));
    }
}

#[test]
fn tiny_bodies_of_space_that_fly_into_each_other_touch() {
    let mut rng = Rng::with_seed(402);
    for k in 0..count(90) {
        let (a, b) = PAIRS[k % PAIRS.len()];
        let aim = Aim::random(&mut rng);
        let mut builder = ModelBuilder::<Space>::new();
        builder.gravity([0.0, 0.0, -aim.gravity]);
        for (name, kind) in [("a", a), ("b", b)] {
            let inertia = Symmetric::from([aim.size * aim.size; 3]);
            let mut body = Body::new(1.0, inertia);
            let shape = SolidShape::new(solid(kind, aim.size));
            let shape = shape.turned(Space::rotation(&mut rng));
            body.shapes.push(("s".to_owned(), shape));
            builder.body(name, body);
        }
        let model = builder.build().unwrap();
        let features = model.features(("a", "s"), ("b", "s")).unwrap();
        let mut q = model.reference();
        let mut flight = Flight::new(SpaceMechanism::new(model, features));
        let (sin, cos) = either_sign(&mut rng, 3.0).sin_cos();
        let off = aim.off * aim.size;
        q[7..10].copy_from_slice(&[aim.way * cos, aim.way * sin, off]);
        let mut v = vec![0.0; 12];
        v[..2].copy_from_slice(&[aim.speed * cos, aim.speed * sin]);
        let y = [q, v].concat();
        meet(&mut flight, y, &aim, &format!("space {a} {b}"));
    }
}
