//! Space: triples, quaternions, balls and polyhedra.

use carom_multibody::mechanism::SpaceMechanism;
use carom_multibody::space::contact::{Solid, SolidFault, SolidFeature, SolidShape};
use carom_multibody::space::{Rotation, Space, SpaceJoint, Symmetric};
use carom_multibody::{Algebra, SpaceModel, Vector};

use super::{Coordinates, Dialect, Form, LoadReading, angle, way};
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
    const OUTLINES: &'static str = "point, ball, capsule, box, polyhedron, half_space";
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

    fn undo(rotation: Rotation, r: Vector<3>) -> Vector<3> {
        rotation.undo(r)
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

    fn shape(form: Form<Vector<3>>, at: Vector<3>, rotation: Rotation) -> SolidShape {
        let solid = match form {
            Form::Point => Solid::Point,
            Form::Round { radius } => Solid::Ball { radius },
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

    /// The flank of a thread carries what acts along its normal, unrolled:
    ///
    /// ```text
    /// N = F_a cos α − (M_a/r) sin α,    tan α = l/r,    f per friction force: √(r² + l²)
    /// ```
    ///
    /// Drive, spring and damper act beside the thread, so that their moment is taken out of `M_a`.
    fn load(joint: &SpaceJoint, rotation: Rotation, radius: f64) -> Option<LoadReading> {
        let SpaceJoint::Screw { axis, lead } = joint else {
            return None;
        };
        let axis = rotation.apply(*axis * axis.norm().recip());
        let arm = radius.hypot(*lead);
        let (cos, sin_by_radius) = (radius / arm, lead / (radius * arm));
        Some(LoadReading {
            force: (axis * cos).0,
            moment: (axis * -sin_by_radius).0,
            own: sin_by_radius,
            arm,
        })
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

    /// A solid of v corners has at least 3v/2 edges, and each may cross each of the other's.
    fn fewest_features(model: &SpaceModel, pair: &Pairing) -> usize {
        let edges = |(body, name): (&str, &str)| match model.shape(body, name).map(|s| &s.solid) {
            Ok(Solid::Polyhedron { vertices }) => 3 * vertices.len() / 2,
            Ok(Solid::Box { .. }) => 12,
            _ => 0,
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

/// No mass has a negative moment, and none turns more about one axis than about the two others
/// together: `½ tr I − I` is the sum of `m r rᵀ`.
fn refuse_impossible(spot: &Spot<'_>, inertia: Symmetric) -> Result<(), InputError> {
    let least = Space::least_inertia(inertia);
    if least < 0.0 {
        let message = format!("the least principal moment is {least}, expected all >= 0");
        return Err(spot.error(message));
    }
    let half = 0.5 * (inertia.xx + inertia.yy + inertia.zz);
    let spread = Symmetric {
        xx: half - inertia.xx,
        yy: half - inertia.yy,
        zz: half - inertia.zz,
        xy: -inertia.xy,
        xz: -inertia.xz,
        yz: -inertia.yz,
    };
    let excess = -2.0 * Space::least_inertia(spread);
    if excess > FLATTER * half {
        let message = format!(
            "the greatest principal moment exceeds the sum of the two others by {excess}, expected \
             no more than that sum"
        );
        return Err(spot.error(message));
    }
    Ok(())
}
