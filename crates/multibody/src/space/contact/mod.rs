//! Solids in space: signed gaps, normals, contact points, and their rates.
//!
//! A contact is a round probe (a point with a radius, perhaps zero) on one body against a target on
//! another, or two rods that cross: axes of capsules, edges of boxes and polyhedra. The gap of a
//! probe is the signed distance of its centre from the target, less its radius; that of rods is the
//! distance of their segments, less their radii.
//!
//! | pair | contacts |
//! |---|---|
//! | point, ball – half-space, ball, capsule, box, polyhedron | one |
//! | point – point | refused: no inside |
//! | capsule – half-space | one per cap, at −x first |
//! | box, polyhedron – half-space | one per vertex |
//! | capsule, box, polyhedron – capsule, box, polyhedron | one per cap or vertex of the first, then of the second, then one per pair of axes or edges |
//! | half-space – half-space, a body with itself | refused |
//!
//! A box has its vertices counter-clockwise from (−x, −y), seen from above, the lower four first. Of
//! a polyhedron only the vertices are given; faces and edges are those of their convex hull, and
//! every vertex must be a corner of it. Edges go face by face, each from its smaller vertex.
//!
//! In the last but one row every touching belongs to one contact ([`SolidTouch::is_owned`]): the
//! contacts of the second shape own those beside its cap or vertex that are no corner or end of the
//! first, crossings those inside both rods at which the normal leaves both shapes. The least gap of
//! all is the distance of the shapes as long as these do not overlap.
//!
//! The gap of two edges is negative where each point next to the other is inside the other's solid.
//! Parallel rods have no crossing of their own: their gap is then that of an end, and not owned.
//! Outside a target the gap of a probe has a continuous gradient; inside, it has kinks on the medial
//! axis, as in the plane ([`crate::contact`]).
//!
//! The first tangent is the projection of world x on the tangent plane, of world y where that
//! vanishes; (t1, t2, n) is right-handed.

mod crossing;
pub(crate) mod distance;
mod feature;
mod frame;
mod hull;
mod motion;
mod overlap;
mod piece;
mod reach;
mod shape;
mod touch;

pub use feature::SolidFeature;
pub use reach::SolidOverlap;
pub use shape::{Solid, SolidFault, SolidShape};
pub use touch::{FrameComponents, SolidTouch};
