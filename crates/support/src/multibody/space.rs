//! Random mechanisms in space.

use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{
    Body, Drive, Harmonic, Joint, Load, Model, ModelBuilder, Motion, PointForce, Spring, State,
    Vector,
};
use fastrand::Rng;

use super::{count, spread};

pub fn vector(rng: &mut Rng, size: f64) -> Vector<3> {
    Vector([0; 3].map(|_| spread(rng, size)))
}

pub fn rotation(rng: &mut Rng) -> Rotation {
    Rotation::new([0; 4].map(|_| spread(rng, 1.0)))
}

/// Moments that a body can have, about turned axes.
pub fn inertia(rng: &mut Rng) -> Symmetric {
    let [x, y, z] = [0; 3].map(|_| 0.02 + 0.1 * rng.f64());
    let turned = *rotation(rng).rows();
    let moments = [y + z, z + x, x + y];
    let element = |i: usize, j: usize| -> f64 {
        (0..3)
            .map(|k| turned[i].0[k] * moments[k] * turned[j].0[k])
            .sum()
    };
    Symmetric {
        xx: element(0, 0),
        yy: element(1, 1),
        zz: element(2, 2),
        xy: element(0, 1),
        xz: element(0, 2),
        yz: element(1, 2),
    }
}

/// The parts of a random mechanism, to be built as they are or changed first.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    pub gravity: Vector<3>,
    pub bodies: Vec<(String, Body<Space>)>,
    pub joints: Vec<(String, Joint<Space>)>,
    pub loads: Vec<(String, Load<Space>)>,
}

impl Parts {
    /// A tree of any shape with `bodies` bodies, all kinds of joint and all that acts on them.
    pub fn random(rng: &mut Rng, bodies: usize) -> Self {
        let mut parts = Self {
            gravity: Vector([0.7, -0.4, -9.81]),
            ..Self::default()
        };
        for i in 0..bodies {
            let body = Body {
                center: vector(rng, 0.5),
                ..Body::new(0.5 + rng.f64(), inertia(rng))
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

    pub fn build(&self) -> Model<Space> {
        self.builder().build().unwrap()
    }

    pub fn builder(&self) -> ModelBuilder<Space> {
        let mut builder = ModelBuilder::new();
        builder.gravity(self.gravity);
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

pub fn random_kind(rng: &mut Rng) -> SpaceJoint {
    let axis = vector(rng, 1.0);
    match rng.usize(0..10) {
        0..3 => SpaceJoint::Revolute { axis },
        3..5 => SpaceJoint::Prismatic { axis },
        5 => match rng.usize(0..3) {
            0 => SpaceJoint::Fixed,
            _ => SpaceJoint::Free,
        },
        6 => SpaceJoint::Spherical,
        7 => SpaceJoint::Cylindrical { axis },
        8 => SpaceJoint::Universal {
            first: axis,
            second: vector(rng, 1.0),
        },
        _ => SpaceJoint::Screw {
            axis,
            lead: spread(rng, 0.3),
        },
    }
}

fn random_joint(rng: &mut Rng, parent: &str, child: &str) -> Joint<Space> {
    let kind = random_kind(rng);
    let mut joint = Joint {
        parent_at: vector(rng, 0.6),
        child_at: vector(rng, 0.6),
        ..Joint::new(kind, parent, child)
    };
    if rng.bool() {
        joint.parent_rotation = rotation(rng);
    }
    let has_one = matches!(
        kind,
        SpaceJoint::Revolute { .. } | SpaceJoint::Prismatic { .. } | SpaceJoint::Screw { .. }
    );
    if !has_one {
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
        offset: spread(rng, 0.8),
        rate: spread(rng, 0.7),
        amplitude: spread(rng, 0.5),
        frequency: spread(rng, 3.0),
        phase: spread(rng, 3.0),
    });
    joint
}

fn random_load(rng: &mut Rng, body: &str) -> Load<Space> {
    let mut harmonic = |size: f64| Harmonic {
        constant: vector(rng, size),
        amplitude: vector(rng, size),
        frequency: spread(rng, 4.0),
        phase: spread(rng, 3.0),
    };
    let (force, torque) = (harmonic(3.0), harmonic(1.0));
    Load {
        at: vector(rng, 0.5),
        force,
        torque,
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
    pub fn random(rng: &mut Rng, model: &Model<Space>) -> Self {
        let mut q: Vec<f64> = (0..model.positions()).map(|_| spread(rng, 2.0)).collect();
        model.normalise(&mut q);
        Self {
            t: spread(rng, 2.0),
            q,
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
    pub fn after(&self, model: &Model<Space>, dt: f64, acceleration: &[f64]) -> Self {
        let mut rate = vec![f64::NAN; model.positions()];
        model.position_rate(&self.q, &self.v, &mut rate);
        let step = |x: &[f64], rate: &[f64]| -> Vec<f64> {
            x.iter().zip(rate).map(|(x, r)| x + dt * r).collect()
        };
        Self {
            t: self.t + dt,
            q: step(&self.q, &rate),
            v: step(&self.v, acceleration),
        }
    }
}

pub fn random_forces(rng: &mut Rng, model: &Model<Space>) -> Vec<PointForce<Space>> {
    let bodies = model.bodies();
    let force = |rng: &mut Rng| PointForce {
        body: bodies[rng.usize(0..bodies.len())].id,
        point: vector(rng, 2.0),
        force: vector(rng, 5.0),
    };
    (0..rng.usize(0..3)).map(|_| force(rng)).collect()
}

/// Models with 1 to 30 degrees of freedom, each with its random parts.
pub fn models(rng: &mut Rng, full: usize) -> Vec<(Parts, Model<Space>)> {
    let mut found = Vec::new();
    while found.len() < count(full) {
        let bodies = rng.usize(1..=20);
        let parts = Parts::random(rng, bodies);
        let model = parts.build();
        if (1..=30).contains(&model.rates()) {
            found.push((parts, model));
        }
    }
    found
}
