//! Shapes in the plane: signed gaps, normals, contact points, and their rates.
//!
//! Every contact is a round probe (a point with a radius, perhaps zero) on one body against a
//! target on another: a half-space, a disk, a capsule or a convex polygon. The gap is the signed
//! distance of the probe's centre from the target, less the probe's radius.
//!
//! | pair | contacts |
//! |---|---|
//! | point, disk – half-space, disk, capsule, box, polygon | one |
//! | point – point | refused: no inside |
//! | capsule – half-space | one per cap, at −x first |
//! | box, polygon – half-space | one per vertex |
//! | capsule, box, polygon – capsule, box, polygon | one per cap or vertex of the first, then of the second |
//! | half-space – half-space, a body with itself | refused |
//!
//! A box has its vertices counter-clockwise from (−x, −y). In the last but one row the contacts of
//! the second shape own only the touchings inside a side of the first ([`Touch::is_owned`]), so that
//! cap meeting cap is one contact and not two; the least gap of all is the distance of the shapes as
//! long as these do not overlap.
//!
//! Outside a target the gap has a continuous gradient. Inside, it has kinks on the medial axis: at
//! the centre of a disk, on the segment of a capsule, on the bisectors of a polygon. A capsule
//! overlapped by more than its radius is therefore seen from the other side.

pub(crate) mod closeness;
pub(crate) mod distance;
mod feature;
mod piece;
mod shape;
mod speed;
mod touch;

pub use crate::dynamics::Bounds;
pub use crate::model::PairError;
pub use feature::Feature;
pub use shape::{Outline, Shape, ShapeFault};
pub use touch::{ContactComponents, Touch};
