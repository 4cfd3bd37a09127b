//! The same mechanism written in other units.

use carom_multibody::algebra::JointKind as _;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::plane::{Plane, PlaneJoint};
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Space, SpaceJoint, Symmetric};
use carom_multibody::{
    Body, Drive, Harmonic, Joint, Limits, Linear, Load, Model, ModelBuilder, Motion, Spring,
};
use fastrand::Rng;

use super::{Drawn, Parts};
use crate::random::either_sign;

/// What a metre, a kilogram and a second are in other units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    pub length: f64,
    pub mass: f64,
    pub time: f64,
}

impl Units {
    pub const SI: Self = Self {
        length: 1.0,
        mass: 1.0,
        time: 1.0,
    };

    /// Powers of two; of the mass powers of four, whose roots are exact.
    pub fn binary(rng: &mut Rng) -> Self {
        Self {
            length: 2f64.powi(rng.i32(-20..=20)),
            mass: 4f64.powi(rng.i32(-20..=20)),
            time: 2f64.powi(rng.i32(-10..=10)),
        }
    }

    /// Any, over many decades.
    pub fn any(rng: &mut Rng) -> Self {
        let mut decades = |most: f64| 10f64.powf(either_sign(rng, most));
        Self {
            length: decades(6.0),
            mass: decades(12.0),
            time: decades(3.0),
        }
    }

    pub fn energy(&self) -> f64 {
        self.force() * self.length
    }

    pub fn force(&self) -> f64 {
        self.mass * self.length / self.time / self.time
    }

    pub fn acceleration(&self) -> f64 {
        self.length / self.time / self.time
    }
}

/// What the plane and space write each in its own way.
pub trait Written: Drawn {
    fn scaled_inertia(inertia: Self::CentralInertia, factor: f64) -> Self::CentralInertia;
    fn scaled_kind(kind: Self::Joint, length: f64) -> Self::Joint;
    fn scaled_shape(shape: &Self::Shape, length: f64) -> Self::Shape;
}

impl Written for Plane {
    fn scaled_inertia(inertia: f64, factor: f64) -> f64 {
        inertia * factor
    }

    fn scaled_kind(kind: PlaneJoint, _: f64) -> PlaneJoint {
        kind
    }

    fn scaled_shape(shape: &Shape, l: f64) -> Shape {
        let outline = match shape.outline.clone() {
            Outline::Disk { radius } => Outline::Disk { radius: radius * l },
            Outline::Capsule { length, radius } => Outline::Capsule {
                length: length * l,
                radius: radius * l,
            },
            Outline::Box { size } => Outline::Box { size: size * l },
            Outline::Polygon { vertices } => Outline::Polygon {
                vertices: vertices.into_iter().map(|r| r * l).collect(),
            },
            other => other,
        };
        Shape {
            outline,
            at: shape.at * l,
            ..*shape
        }
    }
}

impl Written for Space {
    fn scaled_inertia(inertia: Symmetric, factor: f64) -> Symmetric {
        let rows = inertia.rows().map(|row| (row * factor).0);
        Symmetric::from_rows(rows).unwrap()
    }

    fn scaled_kind(kind: SpaceJoint, length: f64) -> SpaceJoint {
        match kind {
            SpaceJoint::Screw { axis, lead } => SpaceJoint::Screw {
                axis,
                lead: lead * length,
            },
            other => other,
        }
    }

    fn scaled_shape(shape: &SolidShape, l: f64) -> SolidShape {
        let solid = match shape.solid.clone() {
            Solid::Ball { radius } => Solid::Ball { radius: radius * l },
            Solid::Capsule { length, radius } => Solid::Capsule {
                length: length * l,
                radius: radius * l,
            },
            Solid::Disk { radius } => Solid::Disk { radius: radius * l },
            Solid::Cylinder { radius, length } => Solid::Cylinder {
                radius: radius * l,
                length: length * l,
            },
            Solid::Ellipsoid { semi_axes } => Solid::Ellipsoid {
                semi_axes: semi_axes * l,
            },
            Solid::Bowl { radius } => Solid::Bowl { radius: radius * l },
            Solid::Tube { radius } => Solid::Tube { radius: radius * l },
            Solid::Box { size } => Solid::Box { size: size * l },
            Solid::Polyhedron { vertices } => Solid::Polyhedron {
                vertices: vertices.into_iter().map(|r| r * l).collect(),
            },
            other @ (Solid::Point | Solid::HalfSpace { .. }) => other,
        };
        SolidShape {
            solid,
            at: shape.at * l,
            ..*shape
        }
    }
}

/// Named parts of a mechanism in SI.
#[derive(Debug, Clone)]
pub struct Kit<A: Written> {
    pub parts: Parts<A>,
    pub world: Vec<(String, A::Shape)>,
}

impl<A: Written> Kit<A> {
    /// The mechanism in other units.
    pub fn builder(&self, units: Units) -> ModelBuilder<A> {
        let mut builder = ModelBuilder::new();
        builder.gravity(self.parts.gravity * units.acceleration());
        for (name, body) in &self.parts.bodies {
            builder.body(name, scaled_body(body, units));
        }
        for (name, joint) in &self.parts.joints {
            builder.joint(name, scaled_joint(joint, units));
        }
        for (name, load) in &self.parts.loads {
            builder.load(name, scaled_load(load, units));
        }
        for (name, shape) in &self.world {
            builder.world_shape(name, A::scaled_shape(shape, units.length));
        }
        builder
    }

    pub fn build(&self, units: Units) -> Model<A> {
        self.builder(units).build().unwrap()
    }
}

fn scaled_body<A: Written>(body: &Body<A>, units: Units) -> Body<A> {
    let shapes = body.shapes.iter();
    let shapes = shapes.map(|(name, shape)| (name.clone(), A::scaled_shape(shape, units.length)));
    Body {
        mass: body.mass * units.mass,
        inertia: A::scaled_inertia(body.inertia, units.mass * units.length * units.length),
        center: body.center * units.length,
        shapes: shapes.collect(),
    }
}

fn scaled_joint<A: Written>(joint: &Joint<A>, units: Units) -> Joint<A> {
    let Units { length, time, .. } = units;
    let way = if joint.kind.is_length(0) { length } else { 1.0 };
    let force = units.energy() / way;
    let spring = |spring: Spring| Spring {
        stiffness: spring.stiffness * (force / way),
        rest: spring.rest * way,
    };
    let drive = |drive: Drive| Drive {
        amplitude: drive.amplitude * force,
        frequency: drive.frequency / time,
        ..drive
    };
    let motion = |motion: Motion| Motion {
        offset: motion.offset * way,
        rate: motion.rate * way / time,
        amplitude: motion.amplitude * way,
        frequency: motion.frequency / time,
        ..motion
    };
    let limits = |limits: Limits| Limits {
        lower: limits.lower * way,
        upper: limits.upper * way,
        ..limits
    };
    Joint {
        kind: A::scaled_kind(joint.kind, length),
        parent_at: joint.parent_at * length,
        child_at: joint.child_at * length,
        damping: joint.damping * (force * time / way),
        spring: joint.spring.map(spring),
        drive: joint.drive.map(drive),
        motion: joint.motion.map(motion),
        limits: joint.limits.map(limits),
        ..joint.clone()
    }
}

fn scaled_load<A: Written>(load: &Load<A>, units: Units) -> Load<A> {
    Load {
        at: load.at * units.length,
        force: scaled_harmonic(&load.force, units.force(), units.time),
        torque: scaled_harmonic(&load.torque, units.energy(), units.time),
        ..load.clone()
    }
}

fn scaled_harmonic<T: Linear>(given: &Harmonic<T>, factor: f64, time: f64) -> Harmonic<T> {
    Harmonic {
        constant: given.constant * factor,
        amplitude: given.amplitude * factor,
        frequency: given.frequency / time,
        ..*given
    }
}
