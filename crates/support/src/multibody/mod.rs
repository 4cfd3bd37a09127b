//! Random mechanisms of the plane and of space, and the same in maximal coordinates with multipliers.

mod drawn;
pub mod maximal;
pub mod units;

use carom_multibody::algebra::JointKind;
use carom_multibody::{
    Body, Drive, Harmonic, Joint, Load, Model, ModelBuilder, Motion, PointForce, Spring, State,
};
use fastrand::Rng;

pub use drawn::{Drawn, V3};

use crate::random::{chance, count, either_sign};

/// Tests that a generic function of the same name makes of the plane and of space.
#[macro_export]
macro_rules! in_plane_and_space {
    ($($statement:ident),* $(,)?) => {
        mod plane {
            $(#[test]
            fn $statement() {
                super::$statement::<carom_multibody::plane::Plane>();
            })*
        }

        mod space {
            $(#[test]
            fn $statement() {
                super::$statement::<carom_multibody::space::Space>();
            })*
        }
    };
}

/// The parts of a random mechanism, to be built as they are or changed first.
#[derive(Debug, Clone)]
pub struct Parts<A: Drawn> {
    pub gravity: A::Vector,
    pub bodies: Vec<(String, Body<A>)>,
    pub joints: Vec<(String, Joint<A>)>,
    pub loads: Vec<(String, Load<A>)>,
}

impl<A: Drawn> Parts<A> {
    /// A tree of any shape with `bodies` bodies, all kinds of joint and all that acts on them.
    pub fn random(rng: &mut Rng, bodies: usize) -> Self {
        let mut parts = Self {
            gravity: A::GRAVITY,
            bodies: Vec::new(),
            joints: Vec::new(),
            loads: Vec::new(),
        };
        for i in 0..bodies {
            let name = format!("b{i}");
            let body = Body {
                center: A::vector(rng, 0.5),
                ..Body::new(0.5 + rng.f64(), A::inertia(rng))
            };
            let parent = match rng.usize(0..=i) {
                0 => "world".to_owned(),
                p => format!("b{}", p - 1),
            };
            let joint = random_joint(rng, &parent, &name);
            if chance(rng, 0.97) {
                parts.joints.push((format!("j{i}"), joint));
            }
            if chance(rng, 0.3) {
                parts.loads.push((format!("l{i}"), random_load(rng, &name)));
            }
            parts.bodies.push((name, body));
        }
        parts
    }

    pub fn build(&self) -> Model<A> {
        self.builder().build().unwrap()
    }

    pub fn builder(&self) -> ModelBuilder<A> {
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

fn random_joint<A: Drawn>(rng: &mut Rng, parent: &str, child: &str) -> Joint<A> {
    let kind = A::kind(rng);
    let mut joint = Joint {
        parent_at: A::vector(rng, 0.6),
        child_at: A::vector(rng, 0.6),
        ..Joint::new(kind, parent, child)
    };
    if rng.bool() {
        joint.parent_rotation = A::rotation(rng);
    }
    if kind.rates() != 1 {
        return joint;
    }
    joint.damping = if rng.bool() { rng.f64() } else { 0.0 };
    joint.spring = rng.bool().then(|| Spring {
        stiffness: 10.0 * rng.f64(),
        rest: either_sign(rng, 1.0),
    });
    joint.drive = rng.bool().then(|| Drive {
        amplitude: either_sign(rng, 5.0),
        frequency: either_sign(rng, 4.0),
        phase: either_sign(rng, 3.0),
    });
    // Less than half a turn at all times of a start: a rotation does not tell more.
    joint.motion = chance(rng, 0.2).then(|| Motion {
        offset: either_sign(rng, 0.8),
        rate: either_sign(rng, 0.7),
        amplitude: either_sign(rng, 0.5),
        frequency: either_sign(rng, 3.0),
        phase: either_sign(rng, 3.0),
    });
    joint
}

fn random_load<A: Drawn>(rng: &mut Rng, body: &str) -> Load<A> {
    Load {
        at: A::vector(rng, 0.5),
        force: Harmonic {
            constant: A::vector(rng, 3.0),
            amplitude: A::vector(rng, 3.0),
            frequency: either_sign(rng, 4.0),
            phase: either_sign(rng, 3.0),
        },
        torque: Harmonic {
            constant: A::angular(rng, 1.0),
            amplitude: A::angular(rng, 1.0),
            frequency: either_sign(rng, 4.0),
            phase: either_sign(rng, 3.0),
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
    pub fn random<A: Drawn>(rng: &mut Rng, model: &Model<A>) -> Self {
        let mut numbers = |n: usize| (0..n).map(|_| either_sign(rng, 2.0)).collect();
        let (mut q, v): (Vec<f64>, Vec<f64>) = (numbers(model.positions()), numbers(model.rates()));
        model.normalise(&mut q);
        Self {
            t: either_sign(rng, 2.0),
            q,
            v,
        }
    }

    pub fn state(&self) -> State<'_> {
        State::new(self.t, &self.q, &self.v)
    }

    /// The state a little later, along its own rates and the given accelerations (to first order).
    pub fn after<A: Drawn>(&self, model: &Model<A>, dt: f64, acceleration: &[f64]) -> Self {
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

/// None to two forces at points of the bodies.
pub fn random_forces<A: Drawn>(rng: &mut Rng, model: &Model<A>) -> Vec<PointForce<A>> {
    let bodies = model.bodies();
    let force = |rng: &mut Rng| PointForce {
        body: bodies[rng.usize(0..bodies.len())].id,
        point: A::vector(rng, 2.0),
        force: A::vector(rng, 5.0),
    };
    (0..rng.usize(0..3)).map(|_| force(rng)).collect()
}

/// Models with 1 to 30 degrees of freedom, each with its random parts.
pub fn models<A: Drawn>(rng: &mut Rng, full: usize) -> Vec<(Parts<A>, Model<A>)> {
    let mut found = Vec::new();
    while found.len() < count(full) {
        let bodies = rng.usize(1..=A::MOST_BODIES);
        let parts = Parts::random(rng, bodies);
        let model = parts.build();
        if (1..=30).contains(&model.rates()) {
            found.push((parts, model));
        }
    }
    found
}
