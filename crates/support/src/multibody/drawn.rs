//! The plane and space as random mechanisms and second routes see them.

use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::{JointForce, Setting};
use carom_multibody::plane::{Angle, Plane, PlaneJoint};
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{Model, Vector};
use fastrand::Rng;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

use crate::random::either_sign;

/// A vector of the second routes.
pub type V3 = nalgebra::Vector3<f64>;

/// The plane or space: what random mechanisms draw in it, and where it lies in space. The plane is that
/// of x and y.
pub trait Drawn: Setting {
    /// Gravity of random mechanisms (m/s²).
    const GRAVITY: Self::Vector;
    /// Bodies of a random mechanism, at most.
    const MOST_BODIES: usize;
    /// Random mechanisms of a sweep in release.
    const MODELS: usize;
    /// Part of the largest number by which two routes through a mass matrix may differ.
    const ROUTES: f64;
    /// Which of the numbers of a twist (ω; v) in space it has.
    const RATES: &'static [usize];

    /// A vector up to a size in each component.
    fn vector(rng: &mut Rng, size: f64) -> Self::Vector;
    /// The same for angular quantities.
    fn angular(rng: &mut Rng, size: f64) -> Self::Angular;
    fn rotation(rng: &mut Rng) -> Self::Rotation;
    /// An inertia that a body can have.
    fn inertia(rng: &mut Rng) -> Self::CentralInertia;
    fn kind(rng: &mut Rng) -> Self::Joint;

    /// A point as a shape.
    fn point(at: Self::Vector) -> Self::Shape;
    /// All before a plane through the origin.
    fn half_space(normal: Self::Vector) -> Self::Shape;
    /// The contacts of a pair of shapes.
    fn features(model: &Model<Self>, a: (&str, &str), b: (&str, &str)) -> Vec<Self::Feature>;

    fn inverse(rotation: Self::Rotation) -> Self::Rotation;
    fn lifted(r: Self::Vector) -> V3;
    fn lifted_angular(omega: Self::Angular) -> V3;
    fn lifted_rotation(rotation: Self::Rotation) -> UnitQuaternion<f64>;
    fn lifted_inertia(inertia: Self::CentralInertia) -> Matrix3<f64>;
    fn lifted_kind(kind: Self::Joint) -> SpaceJoint;
    /// Of a vector in space what it has of it.
    fn lowered(r: [f64; 3]) -> Self::Vector;

    /// The numbers it has of an angular and a linear quantity in space.
    fn numbers_of(angular: V3, linear: V3) -> impl Iterator<Item = f64> {
        let six = [angular.as_slice(), linear.as_slice()].concat();
        Self::RATES.iter().map(move |k| six[*k])
    }

    /// The numbers of a twist or a wrench.
    fn numbers(angular: Self::Angular, linear: Self::Vector) -> impl Iterator<Item = f64> {
        Self::numbers_of(Self::lifted_angular(angular), Self::lifted(linear))
    }

    /// The numbers of what joints carry.
    fn carried(forces: &[JointForce]) -> Vec<f64> {
        let numbers = |f: &JointForce| Self::numbers_of(f.moment.into(), f.force.into());
        forces.iter().flat_map(numbers).collect()
    }
}

impl Drawn for Plane {
    const GRAVITY: Vector<2> = Vector([0.7, -9.81]);
    const MOST_BODIES: usize = 24;
    const MODELS: usize = 2000;
    const ROUTES: f64 = 1e-10;
    const RATES: &'static [usize] = &[2, 3, 4];

    fn vector(rng: &mut Rng, size: f64) -> Vector<2> {
        Vector([0; 2].map(|_| either_sign(rng, size)))
    }

    fn angular(rng: &mut Rng, size: f64) -> f64 {
        either_sign(rng, size)
    }

    fn rotation(rng: &mut Rng) -> Angle {
        either_sign(rng, 3.0).into()
    }

    fn inertia(rng: &mut Rng) -> f64 {
        0.05 + 0.2 * rng.f64()
    }

    fn kind(rng: &mut Rng) -> PlaneJoint {
        match rng.usize(0..10) {
            0..5 => PlaneJoint::Revolute,
            5..8 => PlaneJoint::Prismatic {
                axis: Self::vector(rng, 1.0),
            },
            8 => PlaneJoint::Fixed,
            _ => PlaneJoint::Free,
        }
    }

    fn point(at: Self::Vector) -> Self::Shape {
        Shape::new(Outline::Point).at(at)
    }

    fn half_space(normal: Self::Vector) -> Self::Shape {
        Shape::new(Outline::HalfSpace { normal })
    }

    fn features(model: &Model<Self>, a: (&str, &str), b: (&str, &str)) -> Vec<Self::Feature> {
        model.features(a, b).unwrap()
    }

    fn inverse(rotation: Angle) -> Angle {
        Angle::new(-rotation.radians())
    }

    fn lifted(r: Vector<2>) -> V3 {
        V3::new(r.0[0], r.0[1], 0.0)
    }

    fn lifted_angular(omega: f64) -> V3 {
        V3::new(0.0, 0.0, omega)
    }

    fn lifted_rotation(rotation: Angle) -> UnitQuaternion<f64> {
        let (sin, cos) = (0.5 * rotation.radians()).sin_cos();
        UnitQuaternion::from_quaternion(Quaternion::new(cos, 0.0, 0.0, sin))
    }

    fn lifted_inertia(inertia: f64) -> Matrix3<f64> {
        Matrix3::from_diagonal(&V3::new(0.0, 0.0, inertia))
    }

    fn lifted_kind(kind: PlaneJoint) -> SpaceJoint {
        match kind {
            PlaneJoint::Revolute => SpaceJoint::Revolute {
                axis: [0.0, 0.0, 1.0].into(),
            },
            PlaneJoint::Prismatic { axis } => SpaceJoint::Prismatic {
                axis: [axis.0[0], axis.0[1], 0.0].into(),
            },
            PlaneJoint::Fixed => SpaceJoint::Fixed,
            PlaneJoint::Free => SpaceJoint::Free,
        }
    }

    fn lowered(r: [f64; 3]) -> Vector<2> {
        Vector([r[0], r[1]])
    }
}

impl Drawn for Space {
    const GRAVITY: Vector<3> = Vector([0.7, -0.4, -9.81]);
    const MOST_BODIES: usize = 20;
    const MODELS: usize = 1000;
    const ROUTES: f64 = 1e-9;
    const RATES: &'static [usize] = &[0, 1, 2, 3, 4, 5];

    fn vector(rng: &mut Rng, size: f64) -> Vector<3> {
        Vector([0; 3].map(|_| either_sign(rng, size)))
    }

    fn angular(rng: &mut Rng, size: f64) -> Vector<3> {
        Self::vector(rng, size)
    }

    fn rotation(rng: &mut Rng) -> Rotation {
        Rotation::new([0; 4].map(|_| either_sign(rng, 1.0)))
    }

    /// About turned axes.
    fn inertia(rng: &mut Rng) -> Symmetric {
        let [x, y, z] = [0; 3].map(|_| 0.02 + 0.1 * rng.f64());
        let turned = *Self::rotation(rng).rows();
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

    fn kind(rng: &mut Rng) -> SpaceJoint {
        let axis = Self::vector(rng, 1.0);
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
                second: Self::vector(rng, 1.0),
            },
            _ => SpaceJoint::Screw {
                axis,
                lead: either_sign(rng, 0.3),
            },
        }
    }

    fn point(at: Self::Vector) -> Self::Shape {
        SolidShape::new(Solid::Point).at(at)
    }

    fn half_space(normal: Self::Vector) -> Self::Shape {
        SolidShape::new(Solid::HalfSpace { normal })
    }

    fn features(model: &Model<Self>, a: (&str, &str), b: (&str, &str)) -> Vec<Self::Feature> {
        model.features(a, b).unwrap()
    }

    fn inverse(rotation: Rotation) -> Rotation {
        rotation.inverse()
    }

    fn lifted(r: Vector<3>) -> V3 {
        r.0.into()
    }

    fn lifted_angular(omega: Vector<3>) -> V3 {
        omega.0.into()
    }

    fn lifted_rotation(rotation: Rotation) -> UnitQuaternion<f64> {
        let [w, x, y, z] = rotation.quaternion();
        UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
    }

    fn lifted_inertia(inertia: Symmetric) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| inertia.rows()[i].0[j])
    }

    fn lifted_kind(kind: SpaceJoint) -> SpaceJoint {
        kind
    }

    fn lowered(r: [f64; 3]) -> Vector<3> {
        Vector(r)
    }
}
