//! Solids in space: signed gaps, normals, contact points, and their rates.
//!
//! A contact is a round probe (a point with a radius, perhaps zero) on one body against a target on
//! another, two rods that cross (axes of capsules, edges of boxes and polyhedra), or a rim or an ellipsoid on a
//! plane. The gap of a probe is the signed distance of its centre from the target, less its radius; that of rods
//! is the distance of their segments, less their radii; that of a rim or an ellipsoid the height of its lowest
//! point.
//!
//! | pair | contacts |
//! |---|---|
//! | point, ball – half-space, ball, capsule, box, polyhedron, cylinder | one |
//! | ball – disk | one |
//! | point – point, disk | refused: no inside |
//! | point, ball, capsule, box, polyhedron – bowl, tube | one per centre, cap or vertex, as with a half-space |
//! | disk – half-space | four: the lowest point of its rim and, where it lies flat, three more around it |
//! | cylinder – half-space | four per rim, that at −z first |
//! | ellipsoid – half-space | one: its lowest point |
//! | capsule – half-space | one per cap, at −x first |
//! | box, polyhedron – half-space | one per vertex |
//! | capsule, box, polyhedron – capsule, box, polyhedron | one per cap or vertex of the first, then of the second, then one per pair of axes or edges |
//! | all others, a body with itself | refused |
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
//! The lowest point of a rim travels around it. Where the axis is along the normal, to within a sine of 1e-8,
//! the whole rim touches: it is carried by four points at right angles (`rim`), which stand still on the body
//! as long as it lies flat. They include the points that a tilting about its own direction makes lowest, so that
//! a landing, or a tipping towards one of them, is that of the whole rim.
//!
//! The lowest point of an ellipsoid travels over it as it turns (`ellipsoid`).
//!
//! The free space of a half-space, a bowl or a tube is convex: a convex shape is inside when its corners are.
//!
//! The first tangent is the projection of world x on the tangent plane, of world y where that
//! vanishes; (t1, t2, n) is right-handed.

mod crossing;
pub(crate) mod distance;
mod ellipsoid;
mod feature;
mod frame;
mod hull;
mod motion;
mod overlap;
mod pairing;
mod piece;
mod pivot;
mod reach;
pub(crate) mod rim;
mod shape;
mod touch;
mod turned;

pub use feature::SolidFeature;
pub use reach::SolidOverlap;
pub use shape::{Solid, SolidFault, SolidShape};
pub use touch::{FrameComponents, SolidTouch};
