//! How files speak of the plane and of space: what the two do not share.

mod plane;
mod space;

use carom_multibody::mechanism::{JointLimit, Mechanism};
use carom_multibody::{Algebra, Model};

use super::Pairing;
use super::raw::KindName;
use super::spot::Spot;
use super::value::{RawInertia, RawRotation, Torque, Tuple};
use crate::InputError;

pub(super) use space::quaternion;

/// One of the two spaces a scenario moves in.
pub(crate) trait Dialect: Algebra {
    /// What a run moves.
    type Mechanism: Mechanism + AsRef<[JointLimit]> + Clone;
    /// A smooth contact of a pair of shapes.
    type Feature;

    /// `in the plane` or `in space`
    const WHERE: &'static str;
    /// What a vector is written as.
    const VECTOR: &'static str;
    /// What a torque is written as.
    const TORQUE: &'static str;
    /// The outlines there are.
    const OUTLINES: &'static str;
    /// The outline given by its corners.
    const CORNERED: &'static str;
    /// Gravity where the file gives none (m/s²).
    const GRAVITY: Self::Vector;

    /// The vector written so.
    fn vector(tuple: Tuple) -> Option<Self::Vector>;
    /// A vector of three numbers, the last one 0 in the plane.
    fn of(numbers: [f64; 3]) -> Self::Vector;
    /// The torque written so.
    fn torque(torque: Torque) -> Option<Self::Angular>;
    /// The inertia of a body.
    fn inertia(spot: &Spot<'_>, raw: RawInertia) -> Result<Self::CentralInertia, InputError>;
    /// The rotation of a shape or joint.
    fn rotation(spot: &Spot<'_>, raw: RawRotation) -> Result<Self::Rotation, InputError>;
    /// What a disk of a radius is.
    fn disk(radius: f64) -> Form<Self::Vector>;
    /// A form put on a body. Those of the other space are refused before.
    fn shape(form: Form<Self::Vector>, at: Self::Vector, turned: Self::Rotation) -> Self::Shape;
    /// The axes a kind of joint has.
    fn axes(kind: KindName) -> usize;
    /// A joint with as many axes as it has; none where there is no such kind.
    fn joint(kind: KindName, axes: &[Self::Vector], lead: f64) -> Option<Self::Joint>;
    /// What a kind of joint starts from.
    fn coordinates(kind: KindName) -> Coordinates;

    /// Why a kind of joint carries no friction that is offered; `None`: it does.
    fn friction_fault(kind: KindName) -> Option<&'static str>;

    /// The key of a shape that a fault is about, empty for the shape itself.
    fn fault_key(fault: &Self::ShapeFault) -> String;
    /// Contacts that a pair certainly expands into.
    fn fewest_features(_: &Model<Self>, _: &Pairing) -> usize {
        0
    }
    /// The smooth contacts of a pair, or why there are none.
    fn features(model: &Model<Self>, pair: &Pairing) -> Result<Vec<Self::Feature>, String>;
    /// The mechanism of a model with its contacts.
    fn mechanism(model: Model<Self>, features: Vec<Self::Feature>) -> Self::Mechanism;
}

/// Form of a shape, with the vectors of its space.
#[derive(Debug)]
pub(crate) enum Form<V> {
    Point,
    /// A disk in the plane, a ball in space.
    Round {
        radius: f64,
    },
    /// A disk in space.
    Flat {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    Ellipsoid {
        semi_axes: V,
    },
    Bowl {
        radius: f64,
    },
    Tube {
        radius: f64,
    },
    Capsule {
        length: f64,
        radius: f64,
    },
    Box {
        size: V,
    },
    Corners {
        vertices: Vec<V>,
    },
    HalfSpace {
        normal: V,
    },
}

/// What a joint starts from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Coordinates {
    /// Numbers, one rate for each.
    List(&'static [Coordinate]),
    /// A rotation, and where the joint is free a place before it.
    Pose {
        /// Whether there is a place.
        has_place: bool,
    },
}

/// One coordinate of a joint.
#[derive(Debug)]
pub(crate) struct Coordinate {
    pub(crate) name: &'static str,
    pub(crate) is_angle: bool,
}

const fn angle(name: &'static str) -> Coordinate {
    let is_angle = true;
    Coordinate { name, is_angle }
}

const fn way(name: &'static str) -> Coordinate {
    let is_angle = false;
    Coordinate { name, is_angle }
}

/// x, y and z.
pub(crate) const PLACE: &[Coordinate] = &[way("x"), way("y"), way("z")];
/// The components of an angular velocity.
pub(crate) const TURNING: &[Coordinate] = &[angle("x"), angle("y"), angle("z")];

/// The key of the size that a fault of a shape names.
fn size_key(quantity: &str) -> &'static str {
    match quantity {
        "length of the normal" => "half_space.normal",
        "size" => "box.size",
        "semi-axis" => "ellipsoid.semi_axes",
        _ => "",
    }
}
