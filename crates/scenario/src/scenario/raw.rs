//! The scenario file, key by key, as it is written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::value::{
    Angle, Fraction, Named, NotNegative, Number, Pair, Positive, Quantities, Quantity, Tolerance,
    Varying, Whole,
};
use crate::problem::RawFriction;

/// A mechanism in the plane, its contacts, and how long it moves. SI units: m, kg, s, rad, N.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Scenario")]
pub(crate) struct RawScenario {
    /// Shown above results.
    pub(crate) title: Option<String>,
    /// The space it moves in. Default: plane (x right, y up, angles counter-clockwise).
    pub(crate) space: Option<SpaceName>,
    /// Gravity in world axes (m/s²). Default: [0, -9.81].
    pub(crate) gravity: Option<Pair>,
    /// Rigid bodies by name. One to which no joint leads is free.
    pub(crate) bodies: Named<RawBody>,
    /// What does not move. Default: nothing.
    pub(crate) world: Option<RawWorld>,
    /// Joints by name, each from a parent to a child; together a tree. Default: none.
    #[serde(default)]
    pub(crate) joints: Named<RawJoint>,
    /// Pairs of shapes that may collide, by name. Default: none.
    #[serde(default)]
    pub(crate) contacts: Named<RawContact>,
    /// Forces and torques from the world, by name. Default: none.
    #[serde(default)]
    pub(crate) loads: Named<RawLoad>,
    /// How long, how exact, how much.
    pub(crate) run: RawRun,
}

/// A space.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "space")]
pub(crate) enum SpaceName {
    /// x right, y up, angles counter-clockwise.
    Plane,
}

/// A rigid body. Its frame is yours to place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Body")]
pub(crate) struct RawBody {
    /// Mass (kg).
    pub(crate) mass: NotNegative,
    /// Inertia about the mass centre (kg·m²).
    pub(crate) inertia: NotNegative,
    /// Mass centre in the body frame (m). Default: its origin.
    pub(crate) center: Option<Pair>,
    /// Outlines in the body frame, by name. Default: none.
    #[serde(default)]
    pub(crate) shapes: Named<RawShape>,
    /// Of a free body only: position [x, y, angle] and rate of its frame. Default: zero.
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

/// An outline that can touch; exactly one of point, disk, capsule, box, polygon, half_space.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Shape")]
pub(crate) struct RawShape {
    /// A point.
    pub(crate) point: Option<RawPoint>,
    /// A disk about the shape's origin.
    pub(crate) disk: Option<RawDisk>,
    /// All points within a radius of a segment of the shape's x axis, centred.
    pub(crate) capsule: Option<RawCapsule>,
    /// A rectangle about the shape's origin.
    pub(crate) r#box: Option<RawBox>,
    /// A convex polygon.
    pub(crate) polygon: Option<RawPolygon>,
    /// Everything on one side of a line through the shape's origin.
    pub(crate) half_space: Option<RawHalfSpace>,
    /// The shape's origin in the body frame (m). Default: the body's origin.
    pub(crate) at: Option<Pair>,
    /// Angle by which the shape is turned in the body frame. Default: 0.
    pub(crate) angle: Option<Angle>,
}

/// A point has no sizes: `point = {}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Point")]
pub(crate) struct RawPoint {}

/// A disk.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Disk")]
pub(crate) struct RawDisk {
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

/// A rectangle.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Box")]
pub(crate) struct RawBox {
    /// Its extents along x and y (m), both > 0.
    pub(crate) size: Pair,
}

/// A convex polygon.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Polygon")]
pub(crate) struct RawPolygon {
    /// Its corners (m), counter-clockwise, 3 to 256.
    #[schemars(length(min = 3, max = 256))]
    pub(crate) vertices: Vec<Pair>,
}

/// All points with `normal · r <= 0`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "HalfSpace")]
pub(crate) struct RawHalfSpace {
    /// Direction out of the material, any length but zero.
    pub(crate) normal: Pair,
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
    pub(crate) parent_at: Option<Pair>,
    /// The joint in the child's frame (m). Default: its origin.
    pub(crate) child_at: Option<Pair>,
    /// Angle of the joint's axes in the parent's frame. Default: 0.
    pub(crate) parent_rotation: Option<Angle>,
    /// Of a prismatic joint: direction in the joint's axes, any length but zero.
    pub(crate) axis: Option<Pair>,
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
}

/// The kinds of joint in the plane.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "kind")]
pub(crate) enum KindName {
    /// The child turns about the joint; its coordinate is the angle.
    Revolute,
    /// The child slides along an axis; its coordinate is the way.
    Prismatic,
    /// The child is part of the parent.
    Fixed,
    /// The child moves freely; its coordinates are x, y and the angle.
    Free,
}

/// State at t = 0.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Start")]
pub(crate) struct RawStart {
    /// Coordinate (m or rad), or a list of as many as there are. Default: zero.
    pub(crate) position: Option<Quantities>,
    /// Its rate (m/s or rad/s), or a list of as many as there are. Default: zero.
    pub(crate) rate: Option<Quantities>,
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
    /// Two shapes as "body.shape"; the normal points from the second to the first.
    #[schemars(length(min = 2, max = 2))]
    pub(crate) between: Vec<String>,
    /// Law of restitution. Default: poisson.
    pub(crate) law: Option<ContactLaw>,
    /// Coefficient of restitution, from 0 to 1.
    pub(crate) restitution: Fraction,
    /// Coefficient of friction, or a static and a kinetic one. Default: 0.
    pub(crate) friction: Option<RawFriction>,
}

/// A law of restitution.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "law")]
pub(crate) enum ContactLaw {
    /// Routh's path, ended by Newton's ratio of velocities.
    Newton,
    /// Routh's path, ended by Poisson's ratio of impulses.
    Poisson,
    /// Routh's path, ended by Stronge's ratio of works.
    Energetic,
    /// Newton's ratio, Coulomb on total impulses.
    Moreau,
    /// One mode assumed throughout.
    Whittaker,
}

/// Force and torque from the world on a body, in world axes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Load")]
pub(crate) struct RawLoad {
    /// The body.
    pub(crate) body: String,
    /// Point of the body frame on which the force acts (m). Default: its origin.
    pub(crate) at: Option<Pair>,
    /// Force (N). Default: none.
    pub(crate) force: Option<Varying<Pair>>,
    /// Torque, counter-clockwise (N·m). Default: none.
    pub(crate) torque: Option<Varying<Number>>,
}

/// How long, how exact, how much.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Run")]
pub(crate) struct RawRun {
    /// Simulated time (s).
    pub(crate) duration: Positive,
    /// Relative and absolute error allowed per step. Default: 1e-12.
    pub(crate) tolerance: Option<Tolerance>,
    /// Rows of the trajectory, first and last instant included. Default: 1200.
    pub(crate) samples: Option<Whole<2, 1_000_000>>,
    /// How contacts that close together are treated. Default: complementarity.
    pub(crate) simultaneous: Option<SimultaneousName>,
    /// What to do where friction allows several motions. Default: stop.
    pub(crate) several_answers: Option<SeveralName>,
    /// Events allowed. Default: 100000.
    pub(crate) max_events: Option<Whole<1, 100_000_000>>,
}

/// A treatment of contacts that close together.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "method")]
pub(crate) enum SimultaneousName {
    /// Contacts push or separate.
    Complementarity,
}

/// What to do where friction allows several motions.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", rename = "policy")]
pub(crate) enum SeveralName {
    /// End the run with the evidence.
    Stop,
}
