//! The plane: pairs, angles, disks and polygons.

use carom_multibody::contact::{Feature, Outline, Shape, ShapeFault};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::{Angle, Plane, PlaneJoint};
use carom_multibody::{PlaneModel, Vector};

use super::{Coordinates, Dialect, Form, angle, way};
use crate::InputError;
use crate::scenario::Pairing;
use crate::scenario::raw::KindName;
use crate::scenario::spot::Spot;
use crate::scenario::value::{RawInertia, RawRotation, Torque, Tuple};

impl Dialect for Plane {
    type Mechanism = PlaneMechanism;
    type Feature = Feature;

    const WHERE: &'static str = "in the plane";
    const VECTOR: &'static str = "two numbers [x, y]";
    const TORQUE: &'static str = "a number";
    const OUTLINES: &'static str = "point, disk, capsule, box, polygon, half_space";
    const CORNERED: &'static str = "polygon";
    const GRAVITY: Vector<2> = Vector([0.0, -9.81]);

    fn vector(tuple: Tuple) -> Option<Vector<2>> {
        match tuple {
            Tuple::Two(numbers) => Some(Vector(numbers)),
            Tuple::Three(_) => None,
        }
    }

    fn of([x, y, _]: [f64; 3]) -> Vector<2> {
        Vector([x, y])
    }

    fn torque(torque: Torque) -> Option<f64> {
        match torque {
            Torque::Number(number) => Some(number),
            Torque::Three(_) => None,
        }
    }

    fn inertia(spot: &Spot<'_>, raw: RawInertia) -> Result<f64, InputError> {
        match raw {
            RawInertia::Number(number) => Ok(number),
            _ => Err(spot.expected("a number >= 0, in the plane")),
        }
    }

    fn rotation(spot: &Spot<'_>, raw: RawRotation) -> Result<Angle, InputError> {
        match raw {
            RawRotation::Angle(angle) => Ok(angle.into()),
            _ => Err(spot.expected("an angle, in the plane")),
        }
    }

    fn disk(radius: f64) -> Form<Vector<2>> {
        Form::Round { radius }
    }

    fn shape(form: Form<Vector<2>>, at: Vector<2>, turned: Angle) -> Shape {
        let outline = match form {
            Form::Point => Outline::Point,
            Form::Round { radius }
            | Form::Flat { radius }
            | Form::Cylinder { radius, .. }
            | Form::Bowl { radius }
            | Form::Tube { radius } => Outline::Disk { radius },
            Form::Capsule { length, radius } => Outline::Capsule { length, radius },
            Form::Box { size } | Form::Ellipsoid { semi_axes: size } => Outline::Box { size },
            Form::Corners { vertices } => Outline::Polygon { vertices },
            Form::HalfSpace { normal } => Outline::HalfSpace { normal },
        };
        let angle = turned.radians();
        Shape { outline, at, angle }
    }

    fn axes(kind: KindName) -> usize {
        usize::from(matches!(kind, KindName::Prismatic))
    }

    fn joint(kind: KindName, axes: &[Vector<2>], _: f64) -> Option<PlaneJoint> {
        match (kind, axes) {
            (KindName::Revolute, []) => Some(PlaneJoint::Revolute),
            (KindName::Prismatic, [axis]) => Some(PlaneJoint::Prismatic { axis: *axis }),
            (KindName::Fixed, []) => Some(PlaneJoint::Fixed),
            (KindName::Free, []) => Some(PlaneJoint::Free),
            _ => None,
        }
    }

    fn coordinates(kind: KindName) -> Coordinates {
        Coordinates::List(match kind {
            KindName::Revolute => const { &[angle("angle")] },
            KindName::Prismatic => const { &[way("way")] },
            KindName::Free => const { &[way("x"), way("y"), angle("angle")] },
            _ => &[],
        })
    }

    fn friction_fault(kind: KindName) -> Option<&'static str> {
        match kind {
            KindName::Prismatic => None,
            KindName::Revolute => Some(
                "the load of a revolute bearing is the length of its reaction, which is not linear in \
                 the accelerations: not offered yet",
            ),
            _ => Some("this joint has no surface that slides"),
        }
    }

    fn fault_key(fault: &ShapeFault) -> String {
        let key = match fault {
            ShapeFault::NotPositive { quantity, .. } | ShapeFault::NotFinite { quantity, .. } => {
                super::size_key(quantity)
            }
            ShapeFault::NotConvex { vertex } => return format!("polygon.vertices[{vertex}]"),
            _ => "polygon.vertices",
        };
        key.to_owned()
    }

    fn features(model: &PlaneModel, pair: &Pairing) -> Result<Vec<Feature>, String> {
        let found = model.features(pair.first(), pair.second());
        found.map_err(|error| error.to_string())
    }

    fn mechanism(model: PlaneModel, features: Vec<Feature>) -> PlaneMechanism {
        PlaneMechanism::new(model, features)
    }
}
