//! Space: triples, quaternions, balls and polyhedra.

use carom_multibody::mechanism::SpaceMechanism;
use carom_multibody::space::contact::{Solid, SolidFault, SolidFeature, SolidShape};
use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{Algebra, SpaceModel, Vector};

use super::{Coordinates, Dialect, Form, angle, way};
use crate::InputError;
use crate::scenario::Pairing;
use crate::scenario::raw::KindName;
use crate::scenario::spot::Spot;
use crate::scenario::value::{RawInertia, RawRotation, Torque, Tuple};

const INERTIA: &str = "three principal moments [x, y, z] or three rows of a symmetric matrix";
const ROTATION: &str =
    "a table {axis, angle} or four numbers [w, x, y, z] of a quaternion, in space";

/// Of half the sum of the principal moments: by how much the greatest may exceed the two others
/// together, so that the moments of a flat body may be rounded to three digits.
const FLATTER: f64 = 1e-3;

impl Dialect for Space {
    type Mechanism = SpaceMechanism;
    type Feature = SolidFeature;

    const WHERE: &'static str = "in space";
    const VECTOR: &'static str = "three numbers [x, y, z]";
    const TORQUE: &'static str = "three numbers [x, y, z]";
    const OUTLINES: &'static str =
        "point, ball, disk, cylinder, ellipsoid, capsule, box, polyhedron, half_space, bowl, tube";
    const CORNERED: &'static str = "polyhedron";
    const GRAVITY: Vector<3> = Vector([0.0, 0.0, -9.81]);

    fn vector(tuple: Tuple) -> Option<Vector<3>> {
        match tuple {
            Tuple::Two(_) => None,
            Tuple::Three(numbers) => Some(Vector(numbers)),
        }
    }

    fn of(numbers: [f64; 3]) -> Vector<3> {
        Vector(numbers)
    }

    fn torque(torque: Torque) -> Option<Vector<3>> {
        match torque {
            Torque::Number(_) => None,
            Torque::Three(numbers) => Some(Vector(numbers)),
        }
    }

    fn inertia(spot: &Spot<'_>, raw: RawInertia) -> Result<Symmetric, InputError> {
        let inertia = match raw {
            RawInertia::Number(_) => return Err(spot.expected(INERTIA)),
            RawInertia::Three(moments) => moments.into(),
            RawInertia::Matrix(rows) => symmetric(spot, rows)?,
        };
        refuse_impossible(spot, inertia)?;
        Ok(inertia)
    }

    fn rotation(spot: &Spot<'_>, raw: RawRotation) -> Result<Rotation, InputError> {
        quaternion(spot, raw).map(Rotation::new)
    }

    fn disk(radius: f64) -> Form<Vector<3>> {
        Form::Flat { radius }
    }

    fn shape(form: Form<Vector<3>>, at: Vector<3>, rotation: Rotation) -> SolidShape {
        let solid = match form {
            Form::Point => Solid::Point,
            Form::Round { radius } => Solid::Ball { radius },
            Form::Flat { radius } => Solid::Disk { radius },
            Form::Cylinder { radius, length } => Solid::Cylinder { radius, length },
            Form::Ellipsoid { semi_axes } => Solid::Ellipsoid { semi_axes },
            Form::Bowl { radius } => Solid::Bowl { radius },
            Form::Tube { radius } => Solid::Tube { radius },
            Form::Capsule { length, radius } => Solid::Capsule { length, radius },
            Form::Box { size } => Solid::Box { size },
            Form::Corners { vertices } => Solid::Polyhedron { vertices },
            Form::HalfSpace { normal } => Solid::HalfSpace { normal },
        };
        SolidShape {
            solid,
            at,
            rotation,
        }
    }

    fn axes(kind: KindName) -> usize {
        match kind {
            KindName::Fixed | KindName::Free | KindName::Spherical => 0,
            KindName::Revolute | KindName::Prismatic | KindName::Cylindrical | KindName::Screw => 1,
            KindName::Universal => 2,
        }
    }

    fn joint(kind: KindName, axes: &[Vector<3>], lead: f64) -> Option<SpaceJoint> {
        Some(match (kind, axes) {
            (KindName::Revolute, &[axis]) => SpaceJoint::Revolute { axis },
            (KindName::Prismatic, &[axis]) => SpaceJoint::Prismatic { axis },
            (KindName::Fixed, []) => SpaceJoint::Fixed,
            (KindName::Free, []) => SpaceJoint::Free,
            (KindName::Spherical, []) => SpaceJoint::Spherical,
            (KindName::Cylindrical, &[axis]) => SpaceJoint::Cylindrical { axis },
            (KindName::Universal, &[first, second]) => SpaceJoint::Universal { first, second },
            (KindName::Screw, &[axis]) => SpaceJoint::Screw { axis, lead },
            _ => return None,
        })
    }

    fn coordinates(kind: KindName) -> Coordinates {
        Coordinates::List(match kind {
            KindName::Revolute | KindName::Screw => const { &[angle("angle")] },
            KindName::Prismatic => const { &[way("way")] },
            KindName::Cylindrical => const { &[angle("angle"), way("way")] },
            KindName::Universal => const { &[angle("angle"), angle("angle")] },
            KindName::Fixed => &[],
            KindName::Free | KindName::Spherical => {
                let has_place = matches!(kind, KindName::Free);
                return Coordinates::Pose { has_place };
            }
        })
    }

    fn friction_fault(kind: KindName) -> Option<&'static str> {
        match kind {
            KindName::Screw => None,
            KindName::Prismatic | KindName::Revolute | KindName::Cylindrical => Some(
                "the load of this joint in space is the length of its reaction, which is not linear \
                 in the accelerations: not offered yet",
            ),
            _ => Some("friction of this joint is not offered yet"),
        }
    }

    fn fault_key(fault: &SolidFault) -> String {
        let key = match fault {
            SolidFault::NotPositive { quantity, .. } | SolidFault::NotFinite { quantity, .. } => {
                super::size_key(quantity)
            }
            SolidFault::NotACorner { vertex } => return format!("polyhedron.vertices[{vertex}]"),
            _ => "polyhedron.vertices",
        };
        key.to_owned()
    }

    /// Each edge may cross each of the other's.
    fn fewest_features(model: &SpaceModel, pair: &Pairing) -> usize {
        let edges = |(body, name): (&str, &str)| {
            let shape = model.shape(body, name);
            shape.map_or(0, |shape| shape.solid.fewest_edges())
        };
        edges(pair.first()) * edges(pair.second())
    }

    fn features(model: &SpaceModel, pair: &Pairing) -> Result<Vec<SolidFeature>, String> {
        let found = model.features(pair.first(), pair.second());
        found.map_err(|error| error.to_string())
    }

    fn mechanism(model: SpaceModel, features: Vec<SolidFeature>) -> SpaceMechanism {
        SpaceMechanism::new(model, features)
    }
}

/// The unit quaternion of a rotation.
pub(crate) fn quaternion(spot: &Spot<'_>, raw: RawRotation) -> Result<[f64; 4], InputError> {
    let rotation = match raw {
        RawRotation::Angle(_) => return Err(spot.expected(ROTATION)),
        RawRotation::About { axis, angle } => {
            let spot = spot.key("axis");
            let axis = Space::vector(axis).ok_or_else(|| spot.expected(Space::VECTOR))?;
            Rotation::about(scaled(axis.0).ok_or_else(|| no_direction(&spot))?, angle)
        }
        RawRotation::Quaternion(numbers) => {
            Rotation::new(scaled(numbers).ok_or_else(|| no_direction(spot))?)
        }
    };
    Ok(rotation.quaternion())
}

fn no_direction(spot: &Spot<'_>) -> InputError {
    spot.error("every number is zero, expected a length > 0")
}

/// The same direction at a length whose square is far from the ends of the numbers.
fn scaled<const N: usize>(numbers: [f64; N]) -> Option<[f64; N]> {
    let size = numbers.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
    (size > 0.0).then(|| numbers.map(|x| x / size))
}

fn symmetric(spot: &Spot<'_>, rows: [[f64; 3]; 3]) -> Result<Symmetric, InputError> {
    Symmetric::from_rows(rows).ok_or_else(|| {
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let unlike = pairs
            .into_iter()
            .find(|(i, k)| rows[*i][*k] != rows[*k][*i]);
        let (i, k) = unlike.unwrap_or((0, 1));
        spot.item(i).item(k).error(format!(
            "found {} here and {} at [{k}][{i}], expected a symmetric matrix",
            rows[i][k], rows[k][i]
        ))
    })
}

/// No mass has a negative moment, and none turns more about one axis than about the two others together.
fn refuse_impossible(spot: &Spot<'_>, inertia: Symmetric) -> Result<(), InputError> {
    let least = Space::least_inertia(inertia);
    if least < 0.0 {
        let message = format!("the least principal moment is {least}, expected all >= 0");
        return Err(spot.error(message));
    }
    let excess = inertia.excess();
    if excess > FLATTER * inertia.half_trace() {
        let message = format!(
            "the greatest principal moment exceeds the sum of the two others by {excess}, expected \
             no more than that sum"
        );
        return Err(spot.error(message));
    }
    Ok(())
}
