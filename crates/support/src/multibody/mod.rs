//! Random mechanisms, and the same mechanisms in maximal coordinates with multipliers.

pub mod maximal;
pub mod maximal_space;
pub mod space;

use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::{
    Body, Drive, Harmonic, Joint, Load, Model, ModelBuilder, Motion, PointForce, Spring, State,
    Vector,
};
use fastrand::Rng;

pub use crate::near::derivative;
pub use crate::random::{count, either_sign as spread};

pub fn vector(rng: &mut Rng, size: f64) -> Vector<2> {
    Vector([spread(rng, size), spread(rng, size)])
}

/// The parts of a random mechanism, to be built as they are or changed first.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    pub bodies: Vec<(String, Body<Plane>)>,
    pub joints: Vec<(String, Joint<Plane>)>,
    pub loads: Vec<(String, Load<Plane>)>,
}

pub const GRAVITY: [f64; 2] = [0.7, -9.81];

impl Parts {
    /// A tree of any shape with `bodies` bodies, all kinds of joint and all that acts on them.
    pub fn random(rng: &mut Rng, bodies: usize) -> Self {
        let mut parts = Self::default();
        for i in 0..bodies {
            let body = Body {
                center: vector(rng, 0.5),
                ..Body::new(0.5 + rng.f64(), 0.05 + 0.2 * rng.f64())
            };
            parts.bodies.push((format!("b{i}"), body));
            let parent = match rng.usize(0..=i) {
                0 => "world".to_owned(),
                p => format!("b{}", p - 1),
            };
            let joint = random_joint(rng, &parent, &format!("b{i}"));
            if rng.f64() < 0.97 {
                parts.joints.push((format!("j{i}"), joint));
            }
            if rng.f64() < 0.3 {
                let load = random_load(rng, &format!("b{i}"));
                parts.loads.push((format!("l{i}"), load));
            }
        }
        parts
    }

    pub fn build(&self) -> Model<Plane> {
        self.builder().build().unwrap()
    }

    pub fn builder(&self) -> ModelBuilder<Plane> {
        let mut builder = ModelBuilder::new();
        builder.gravity(GRAVITY);
        for (name, body) in &self.bodies {
            builder.body(name, body.clone());
        }
        for (name, joint) in &self.joints {
            builder.joint(name, joint.clone());
        }
        for (name, load) in &self.loads {
            builder.load(name, load.clone());
        }
        builder
    }
}

fn random_joint(rng: &mut Rng, parent: &str, child: &str) -> Joint<Plane> {
    let kind = match rng.usize(0..10) {
        0..5 => PlaneJoint::Revolute,
        5..8 => {
            let axis = vector(rng, 1.0);
            PlaneJoint::Prismatic { axis }
        }
        8 => PlaneJoint::Fixed,
        _ => PlaneJoint::Free,
    };
    let mut joint = Joint {
        parent_at: vector(rng, 0.6),
        child_at: vector(rng, 0.6),
        ..Joint::new(kind, parent, child)
    };
    if rng.bool() {
        joint.parent_rotation = spread(rng, 3.0).into();
    }
    if matches!(kind, PlaneJoint::Fixed | PlaneJoint::Free) {
        return joint;
    }
    joint.damping = if rng.bool() { rng.f64() } else { 0.0 };
    joint.spring = rng.bool().then(|| Spring {
        stiffness: 10.0 * rng.f64(),
        rest: spread(rng, 1.0),
    });
    joint.drive = rng.bool().then(|| Drive {
        amplitude: spread(rng, 5.0),
        frequency: spread(rng, 4.0),
        phase: spread(rng, 3.0),
    });
    joint.motion = (rng.f64() < 0.2).then(|| Motion {
        offset: spread(rng, 1.0),
        rate: spread(rng, 1.0),
        amplitude: spread(rng, 0.5),
        frequency: spread(rng, 3.0),
        phase: spread(rng, 3.0),
    });
    joint
}

fn random_load(rng: &mut Rng, body: &str) -> Load<Plane> {
    Load {
        at: vector(rng, 0.5),
        force: Harmonic {
            constant: vector(rng, 3.0),
            amplitude: vector(rng, 3.0),
            frequency: spread(rng, 4.0),
            phase: spread(rng, 3.0),
        },
        torque: Harmonic {
            constant: spread(rng, 1.0),
            amplitude: spread(rng, 1.0),
            frequency: spread(rng, 4.0),
            phase: spread(rng, 3.0),
        },
        ..Load::new(body)
    }
}

/// A state that owns its numbers.
#[derive(Debug, Clone)]
pub struct Start {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

impl Start {
    pub fn random(rng: &mut Rng, model: &Model<Plane>) -> Self {
        Self {
            t: spread(rng, 2.0),
            q: (0..model.positions()).map(|_| spread(rng, 2.0)).collect(),
            v: (0..model.rates()).map(|_| spread(rng, 2.0)).collect(),
        }
    }

    pub fn state(&self) -> State<'_> {
        State {
            t: self.t,
            q: &self.q,
            v: &self.v,
        }
    }

    /// The state a little later, along its own rates and the given accelerations (to first order).
    pub fn after(&self, dt: f64, acceleration: &[f64]) -> Self {
        let step = |x: &[f64], rate: &[f64]| -> Vec<f64> {
            x.iter().zip(rate).map(|(x, r)| x + dt * r).collect()
        };
        Self {
            t: self.t + dt,
            q: step(&self.q, &self.v),
            v: step(&self.v, acceleration),
        }
    }

    /// The state a little later, positions to second order.
    pub fn after_2(&self, dt: f64, acceleration: &[f64]) -> Self {
        let mut later = self.after(dt, acceleration);
        for (q, a) in later.q.iter_mut().zip(acceleration) {
            *q += 0.5 * dt * dt * a;
        }
        later
    }
}

pub fn random_forces(rng: &mut Rng, model: &Model<Plane>) -> Vec<PointForce<Plane>> {
    let bodies = model.bodies();
    let force = |rng: &mut Rng| PointForce {
        body: bodies[rng.usize(0..bodies.len())].id,
        point: vector(rng, 2.0),
        force: vector(rng, 5.0),
    };
    (0..rng.usize(0..3)).map(|_| force(rng)).collect()
}

/// Models with 1 to 30 degrees of freedom, each with its random parts.
pub fn models(rng: &mut Rng, full: usize) -> Vec<(Parts, Model<Plane>)> {
    let mut found = Vec::new();
    while found.len() < count(full) {
        let bodies = rng.usize(1..=24);
        let parts = Parts::random(rng, bodies);
        let model = parts.build();
        if (1..=30).contains(&model.rates()) {
            found.push((parts, model));
        }
    }
    found
}
