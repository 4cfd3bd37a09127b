//! The scenario file, key by key, as it is written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::value::{
    Angle, Fraction, Named, NotNegative, Number, Positive, Quantities, Quantity, RawInertia,
    RawRotation, Tolerance, Torque, Tuple, Varying, Whole,
};
use crate::names::{AnyLaw, AnyMethod, Name};
use crate::problem::RawFriction;

/// A mechanism in the plane or in space, its contacts, and how long it moves. SI units: m, kg, s, rad,
/// N. Vectors are two numbers in the plane and three in space.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Scenario")]
pub(crate) struct RawScenario {
    /// Shown above results.
    pub(crate) title: Option<String>,
    /// The space it moves in. Default: plane.
    pub(crate) space: Option<SpaceName>,
    /// Gravity in world axes (m/s²). Default: [0, -9.81], in space [0, 0, -9.81].
    pub(crate) gravity: Option<Tuple>,
    /// Rigid bodies by name. One to which no joint leads is free.
    pub(crate) bodies: Named<RawBody>,
    /// What does not move. Default: nothing.
    pub(crate) world: Option<RawWorld>,
    /// Joints by name, each from a parent to a child; together a tree. Default: none.
    #[serde(default)]
    pub(crate) joints: Named<RawJoint>,
    /// Tuples of shapes that may collide, by name. Default: none.
    #[serde(default)]
    pub(crate) contacts: Named<RawContact>,
    /// Forces and torques from the world, by name. Default: none.
    #[serde(default)]
    pub(crate) loads: Named<RawLoad>,
    /// How long, how exact, how much. `carom impact` and `carom forward` need none of it.
    #[serde(default)]
    pub(crate) run: RawRun,
}

/// A space.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "space")]
pub(crate) enum SpaceName {
    /// x right, y up, angles counter-clockwise.
    Plane,
    /// z up, angles right-handed about their axes.
    Space,
}

/// A rigid body. Its frame is yours to place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Body")]
pub(crate) struct RawBody {
    /// Mass (kg).
    pub(crate) mass: NotNegative,
    /// Inertia about the mass centre (kg·m²). In space three principal moments along the axes of the
    /// body frame, or a symmetric matrix by rows.
    pub(crate) inertia: RawInertia,
    /// Mass centre in the body frame (m). Default: its origin.
    pub(crate) center: Option<Tuple>,
    /// Outlines in the body frame, by name. Default: none.
    #[serde(default)]
    pub(crate) shapes: Named<RawShape>,
    /// Of a free body only: position [x, y, angle] and rate of its frame; in space position,
    /// rotation, velocity of its origin, angular velocity. Default: zero.
    pub(crate) start: Option<RawStart>,
}

/// What does not move.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "World")]
pub(crate) struct RawWorld {
    /// Outlines in the world frame, by name.
    #[serde(default)]
    pub(crate) shapes: Named<RawShape>,
}

/// An outline that can touch; exactly one of point, disk, capsule, box, polygon, half_space; in space of point,
/// ball, disk, cylinder, ellipsoid, capsule, box, polyhedron, half_space, bowl, tube.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Shape")]
pub(crate) struct RawShape {
    /// A point.
    pub(crate) point: Option<RawPoint>,
    /// A disk about the shape's origin; in space flat, without thickness, across the shape's z axis.
    pub(crate) disk: Option<RawRound>,
    /// In space: a ball about the shape's origin.
    pub(crate) ball: Option<RawRound>,
    /// In space: a solid cylinder about the shape's origin, along the shape's z axis.
    pub(crate) cylinder: Option<RawCylinder>,
    /// In space: a solid ellipsoid about the shape's origin.
    pub(crate) ellipsoid: Option<RawEllipsoid>,
    /// In space: the inside of a sphere about the shape's origin; all material is outside of it.
    pub(crate) bowl: Option<RawRound>,
    /// In space: the inside of a cylinder without ends, along the shape's z axis; all material is outside of it.
    pub(crate) tube: Option<RawRound>,
    /// All points within a radius of a segment of the shape's x axis, centred.
    pub(crate) capsule: Option<RawCapsule>,
    /// A rectangle, in space a cuboid, about the shape's origin.
    pub(crate) r#box: Option<RawBox>,
    /// In the plane: a convex polygon.
    pub(crate) polygon: Option<RawCorners>,
    /// In space: the convex hull of its vertices.
    pub(crate) polyhedron: Option<RawCorners>,
    /// Everything on one side of a line, in space of a plane, through the shape's origin.
    pub(crate) half_space: Option<RawHalfSpace>,
    /// The shape's origin in the body frame (m). Default: the body's origin.
    pub(crate) at: Option<Tuple>,
    /// In the plane: angle by which the shape is turned in the body frame. Default: 0.
    pub(crate) angle: Option<Angle>,
    /// In space: rotation of the shape in the body frame. Default: none.
    pub(crate) rotation: Option<RawRotation>,
}

/// A point has no sizes: `point = {}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Point")]
pub(crate) struct RawPoint {}

/// A cylinder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Cylinder")]
pub(crate) struct RawCylinder {
    /// Its radius (m).
    pub(crate) radius: Positive,
    /// Distance between its caps (m).
    pub(crate) length: Positive,
}

/// An ellipsoid.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Ellipsoid")]
pub(crate) struct RawEllipsoid {
    /// Its semi-axes along the shape's axes (m), each > 0.
    pub(crate) semi_axes: Tuple,
}

/// A disk, a ball, or a round hollow.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Round")]
pub(crate) struct RawRound {
    /// Its radius (m).
    pub(crate) radius: Positive,
}

/// A capsule.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Capsule")]
pub(crate) struct RawCapsule {
    /// Distance between the centres of its caps (m).
    pub(crate) length: Positive,
    /// Radius of its caps, half its width (m).
    pub(crate) radius: Positive,
}

/// A rectangle or a cuboid.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Box")]
pub(crate) struct RawBox {
    /// Its extents along the axes (m), each > 0.
    pub(crate) size: Tuple,
}

/// A convex polygon or polyhedron.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Corners")]
pub(crate) struct RawCorners {
    /// Its corners (m), up to 256: in the plane at least 3, counter-clockwise; in space at least 4, in
    /// any order.
    #[schemars(length(min = 3, max = 256))]
    pub(crate) vertices: Vec<Tuple>,
}

/// All points with `normal · r <= 0`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "HalfSpace")]
pub(crate) struct RawHalfSpace {
    /// Direction out of the material, any length but zero.
    pub(crate) normal: Tuple,
}

/// A joint and what acts along its coordinate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Joint")]
pub(crate) struct RawJoint {
    /// Motion it leaves free.
    pub(crate) kind: KindName,
    /// Body it starts from, or "world".
    pub(crate) parent: String,
    /// Body it leads to.
    pub(crate) child: String,
    /// The joint in the parent's frame (m). Default: its origin.
    pub(crate) parent_at: Option<Tuple>,
    /// The joint in the child's frame (m). Default: its origin.
    pub(crate) child_at: Option<Tuple>,
    /// Rotation of the joint's axes in the parent's frame; in the plane an angle. Default: none.
    pub(crate) parent_rotation: Option<RawRotation>,
    /// Direction in the joint's axes, any length but zero: of a prismatic joint; in space also of a
    /// revolute, cylindrical or screw joint.
    pub(crate) axis: Option<Tuple>,
    /// Of a universal joint: the axis fixed in the parent and the one fixed in the child, in the
    /// joint's axes where both angles are zero.
    #[schemars(length(min = 2, max = 2))]
    pub(crate) axes: Option<Vec<Tuple>>,
    /// Of a screw joint: advance along the axis (m per radian), of either sign.
    pub(crate) lead: Option<Number>,
    /// Coordinate and rate at t = 0. Default: zero.
    pub(crate) start: Option<RawStart>,
    /// Viscous damping c, force `−c q̇` (N·s/m or N·m·s). Default: 0.
    pub(crate) damping: Option<NotNegative>,
    /// Spring along the coordinate. Default: none.
    pub(crate) spring: Option<RawSpring>,
    /// Force or torque that time prescribes. Default: none.
    pub(crate) drive: Option<RawDrive>,
    /// Makes the coordinate a function of time. Default: none.
    pub(crate) motion: Option<RawMotion>,
    /// Stops of the coordinate. Default: none.
    pub(crate) limits: Option<RawLimits>,
    /// Coulomb friction by the load of the joint: of a prismatic joint in the plane and of a screw.
    /// Read by `carom forward`; a run does not take it yet. Default: none.
    pub(crate) friction: Option<RawJointFriction>,
}

/// Coulomb friction in a joint.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "JointFriction")]
pub(crate) struct RawJointFriction {
    /// Coefficient while it moves; of a thread with inclined flanks `μ / cos θ`.
    pub(crate) kinetic: NotNegative,
    /// Coefficient at rest. Default: the kinetic one.
    pub(crate) r#static: Option<NotNegative>,
    /// Of a screw: pitch radius of the thread (m).
    pub(crate) radius: Option<Positive>,
    /// What adds to the normal load (N). Default: 0.
    pub(crate) preload: Option<Number>,
}

/// The kinds of joint; the last four only in space.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "kind")]
pub(crate) enum KindName {
    /// The child turns about the joint, in space about an axis; its coordinate is the angle.
    Revolute,
    /// The child slides along an axis; its coordinate is the way.
    Prismatic,
    /// The child is part of the parent.
    Fixed,
    /// The child moves freely; its coordinates are x, y and the angle, in space x, y, z and a
    /// quaternion.
    Free,
    /// The child turns about a point.
    Spherical,
    /// The child turns about an axis and slides along it; its coordinates are the angle and the way.
    Cylindrical,
    /// The child turns about two axes in succession; its coordinates are the two angles.
    Universal,
    /// The child turns about an axis and advances in proportion; its coordinate is the angle.
    Screw,
}

impl KindName {
    /// As in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Fixed => "fixed",
            Self::Free => "free",
            Self::Spherical => "spherical",
            Self::Cylindrical => "cylindrical",
            Self::Universal => "universal",
            Self::Screw => "screw",
        }
    }
}

/// State at t = 0.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Start")]
pub(crate) struct RawStart {
    /// Coordinate (m or rad), or a list of as many as there are. Default: zero.
    pub(crate) position: Option<Quantities>,
    /// Its rate (m/s or rad/s), or a list of as many as there are. Default: zero.
    pub(crate) rate: Option<Quantities>,
    /// Of a free or spherical joint in space: rotation of the child in the joint's axes. Default: none.
    pub(crate) rotation: Option<RawRotation>,
    /// Of a free joint in space: velocity of the child's joint point, in the joint's axes (m/s).
    /// Default: zero.
    pub(crate) velocity: Option<Quantities>,
    /// Of a free or spherical joint in space: angular velocity, in the joint's axes (rad/s). Default:
    /// zero.
    pub(crate) angular_velocity: Option<Quantities>,
}

/// Force `−stiffness (q − rest)` along a coordinate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Spring")]
pub(crate) struct RawSpring {
    /// Stiffness (N/m or N·m/rad).
    pub(crate) stiffness: NotNegative,
    /// Coordinate at which it is slack (m or rad). Default: 0.
    pub(crate) rest: Option<Quantity>,
}

/// Force `amplitude cos(frequency t + phase)` along a coordinate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Drive")]
pub(crate) struct RawDrive {
    /// Largest force (N or N·m).
    pub(crate) amplitude: Number,
    /// Angular frequency (rad/s). Default: 0, a constant force.
    pub(crate) frequency: Option<Number>,
    /// Phase at t = 0. Default: 0.
    pub(crate) phase: Option<Angle>,
}

/// Coordinate `offset + rate t + amplitude sin(frequency t + phase)`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Motion")]
pub(crate) struct RawMotion {
    /// Coordinate to start from (m or rad). Default: 0.
    pub(crate) offset: Option<Quantity>,
    /// Steady rate (m/s or rad/s). Default: 0.
    pub(crate) rate: Option<Quantity>,
    /// Amplitude of the oscillation (m or rad). Default: 0.
    pub(crate) amplitude: Option<Quantity>,
    /// Its angular frequency (rad/s). Default: 0.
    pub(crate) frequency: Option<Number>,
    /// Its phase at t = 0. Default: 0.
    pub(crate) phase: Option<Angle>,
}

/// Stops of a coordinate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Limits")]
pub(crate) struct RawLimits {
    /// Least coordinate (m or rad). Default: none.
    pub(crate) lower: Option<Quantity>,
    /// Greatest coordinate (m or rad). Default: none.
    pub(crate) upper: Option<Quantity>,
    /// Coefficient of restitution at the stops.
    pub(crate) restitution: Fraction,
}

/// A pair of shapes that may collide.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Contact")]
pub(crate) struct RawContact {
    /// Two shapes as "body.shape"; the normal points from the second to the first. With point and
    /// normal two bodies, or "world".
    #[schemars(length(min = 2, max = 2))]
    pub(crate) between: Vec<String>,
    /// At an instant (`carom impact`): the point that both bodies share, world axes (m).
    pub(crate) point: Option<Tuple>,
    /// At an instant: the normal, world axes; it pushes the first body along it.
    pub(crate) normal: Option<Tuple>,
    /// Whether impulse and velocity count in lengths of the normal as written. Default: false, it is
    /// taken to length one.
    pub(crate) raw: Option<bool>,
    /// Law of restitution. Default: poisson.
    pub(crate) law: Option<Name<AnyLaw>>,
    /// Coefficient of restitution, from 0 to 1.
    pub(crate) restitution: Fraction,
    /// Coefficient of tangential restitution, from 0 to 1, of the law newton: where friction holds it the slip
    /// comes back by it. Default: none.
    pub(crate) tangential_restitution: Option<Fraction>,
    /// Coefficient of friction, or a static and a kinetic one. Default: 0.
    pub(crate) friction: Option<RawFriction>,
    /// In space, with friction: radius r at which friction resists pivoting about the normal while the contact
    /// stays closed, by a torque up to friction · r · normal force (m). Impacts have none. Default: 0.
    pub(crate) spin_radius: Option<NotNegative>,
}

/// Force and torque from the world on a body, in world axes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Load")]
pub(crate) struct RawLoad {
    /// The body.
    pub(crate) body: String,
    /// Point of the body frame on which the force acts (m). Default: its origin.
    pub(crate) at: Option<Tuple>,
    /// Force (N). Default: none.
    pub(crate) force: Option<Varying<Tuple>>,
    /// Torque (N·m): a number, counter-clockwise; in space three. Default: none.
    pub(crate) torque: Option<Varying<Torque>>,
}

/// How long, how exact, how much.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Run")]
pub(crate) struct RawRun {
    /// Simulated time (s). Required by `carom run`.
    pub(crate) duration: Option<Positive>,
    /// Relative and absolute error allowed per step. Default: 1e-12.
    pub(crate) tolerance: Option<Tolerance>,
    /// Rows of the trajectory, first and last instant included. Default: 1200.
    pub(crate) samples: Option<Whole<2, 1_000_000>>,
    /// How contacts that close together are treated. Default: complementarity.
    pub(crate) simultaneous: Option<Name<AnyMethod>>,
    /// Of the sequential method: names of contacts in the order in which they collide, a pair of several
    /// contacts as a whole or one by one; those not named follow, as they are listed. Default: every
    /// order of up to six contacts, else as they are listed.
    pub(crate) order: Option<Vec<String>>,
    /// What to do where an impact, or an acceleration in contact, has several answers. Default: stop.
    pub(crate) several_answers: Option<SeveralName>,
    /// Events allowed. Default: 100000.
    pub(crate) max_events: Option<Whole<1, 100_000_000>>,
    /// Whether a start at which joints that close loops do not hold is solved for, nearest to the one
    /// given. Default: false, it is refused.
    pub(crate) assemble: Option<bool>,
}

/// What to do where an impact, or an acceleration in contact, has several answers.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "policy")]
pub(crate) enum SeveralName {
    /// End the run with the evidence.
    Stop,
    /// Of an impact, go on with the first outcome; of accelerations, with the one that keeps the modes.
    Keep,
    /// Of accelerations, go on with the one in which a contact lifts off.
    #[serde(rename = "lift-off")]
    LiftOff,
}
