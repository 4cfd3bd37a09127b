//! Two rods that cross: axes of capsules, edges of polyhedra.

use std::sync::Arc;

use super::distance::across;
use super::hull::Hull;
use super::overlap::Overlap;
use crate::contact::closeness::{END, ON, Spot};
use crate::model::BodyId;
use crate::vector::{Linear, Vector};

/// A segment of a body, with a radius; of an edge also the solid it bounds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rod {
    pub(super) body: BodyId,
    pub(super) start: Vector<3>,
    /// Unit vector.
    pub(super) along: Vector<3>,
    pub(super) length: f64,
    pub(super) radius: f64,
    pub(super) bounds: Option<Bounded>,
}

/// The solid that an edge bounds, in the frame of its body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bounded {
    /// Unit vectors from the edge into its two faces, across it.
    pub(super) wedge: [Vector<3>; 2],
    pub(super) hull: Arc<Hull>,
}

impl Rod {
    /// Distance of its furthest end from the origin of the body's frame (m).
    pub(super) fn reach(&self) -> f64 {
        let end = self.start + self.along * self.length;
        self.start.norm().max(end.norm())
    }
}

/// Sine of the angle between rods below which they count as parallel.
pub(super) const PARALLEL: f64 = 1e-9;

/// Where two segments are next to each other; B is given in the axes of A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Feet {
    /// Ways along the segments (m).
    pub(super) ways: [f64; 2],
    /// Whether each foot moves along its segment, not held by an end.
    pub(super) is_free: [bool; 2],
    pub(super) points: [Vector<3>; 2],
}

/// A segment in some axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) start: Vector<3>,
    pub(super) along: Vector<3>,
    pub(super) length: f64,
}

impl Segment {
    fn foot(&self, point: Vector<3>) -> f64 {
        self.along.dot(point - self.start).clamp(0.0, self.length)
    }

    fn at(&self, way: f64) -> Vector<3> {
        self.start + self.along * way
    }

    /// Whether a foot is inside, round-off away from the ends.
    fn is_inside(&self, way: f64, blur: f64) -> bool {
        let rim = END * (ON * self.length + blur);
        rim < way && way < self.length - rim
    }
}

/// The way along A to the foot of the lines of two segments, and the sine of their angle; half of A where
/// they are parallel.
fn free_way(a: &Segment, b: &Segment) -> (f64, f64) {
    let apart = a.start - b.start;
    let cos = a.along.dot(b.along);
    let sin = a.along.cross(b.along).norm();
    let way = match sin > PARALLEL {
        true => (cos * apart.dot(b.along) - apart.dot(a.along)) / (sin * sin),
        false => 0.5 * a.length,
    };
    (way, sin)
}

/// The nearest points of the lines of two segments.
pub(super) fn endless_feet(a: &Segment, b: &Segment) -> Feet {
    let (on_a, _) = free_way(a, b);
    let on_b = b.along.dot(a.at(on_a) - b.start);
    Feet {
        ways: [on_a, on_b],
        is_free: [true, true],
        points: [a.at(on_a), b.at(on_b)],
    }
}

/// The nearest points of two segments.
pub(super) fn feet(a: &Segment, b: &Segment) -> Feet {
    let (free_way, sin) = free_way(a, b);
    // The foot on A of the lines, kept on A; then that on B; then that on A again.
    let on_b = b.foot(a.at(free_way.clamp(0.0, a.length)));
    let on_a = a.foot(b.at(on_b));
    let on_b = b.foot(a.at(on_a));
    let points = [a.at(on_a), b.at(on_b)];
    let blur = Spot::new(points[0], [points[1], a.start, b.start]).blur;
    Feet {
        ways: [on_a, on_b],
        is_free: [
            sin > PARALLEL && a.is_inside(on_a, blur),
            sin > PARALLEL && b.is_inside(on_b, blur),
        ],
        points,
    }
}

/// Distance of two rods without their radii, its direction from B to A, and whose touching it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Apart {
    pub(super) distance: f64,
    pub(super) normal: Vector<3>,
    pub(super) is_owned: bool,
    /// Whether the points are so near each other that the direction between them, and so the rate of their
    /// distance, is mostly round-off.
    pub(super) is_round_off: bool,
    /// How their solids overlap where they touch elsewhere: the gap is less by twice its depth.
    pub(super) elsewhere: Option<Overlap>,
}

/// Of solids, how far the unit vectors into a face may lead against a normal: faces that meet flat have
/// edges that cross with the normal of both, to within round-off.
pub(super) const FLAT: f64 = 1e-9;
/// Depths that differ by less than this part of the lengths of two edges are the same.
const SAME: f64 = 1e-9;
/// Edges nearer than this part of their lengths lie in one plane, to within round-off.
const ROUND: f64 = 1e-14;
/// Points of edges that touch elsewhere, nearer than this part of their lengths, have no direction between
/// them that could be trusted.
const NEAR: f64 = 1e-9;

/// Whether a normal, from B to A, leaves B through its edge and enters A through its edge.
pub(super) fn leads_out(wedges: [Option<[Vector<3>; 2]>; 2], n: Vector<3>, slack: f64) -> bool {
    let is_out = |wedge: Option<[Vector<3>; 2]>, n: Vector<3>| {
        wedge.is_none_or(|wedge| wedge.iter().all(|side| side.dot(n) <= slack))
    };
    is_out(wedges[0], -n) && is_out(wedges[1], n)
}

/// `wedges` are those of A and B; `overlap` is how their solids do, if they do.
///
/// The gap of rods is the distance d of the segments. That of edges is d + 2 s with s <= 0 the depth to
/// which their solids overlap: where the edges are what touches, s = −d beyond the touching, and the
/// sum goes on smoothly to −d; where the solids touch elsewhere it is positive until they overlap by
/// half of d. It has no jump anywhere, so that no step is long enough to miss it.
pub(super) fn apart(
    a: &Segment,
    b: &Segment,
    feet: &Feet,
    wedges: [Option<[Vector<3>; 2]>; 2],
    overlap: impl FnOnce() -> Option<Overlap>,
) -> Apart {
    let away = feet.points[0] - feet.points[1];
    let lengths = a.length + b.length;
    let [on_a, on_b] = feet.points;
    let blur = Spot::new(away, [on_a, on_b, away]).blur;
    let aside = |otherwise, elsewhere| Apart {
        is_round_off: away.norm() <= NEAR * lengths + blur,
        ..aside(away, otherwise, elsewhere)
    };
    if feet.is_free != [true, true] {
        return aside(across(a.along), overlap());
    }
    let cross = a.along.cross(b.along);
    let normal = cross * cross.norm().recip();
    let facing = match normal.dot(away) < 0.0 {
        true => -normal,
        false => normal,
    };
    let distance = facing.dot(away);
    let touching = |distance, normal| Apart {
        distance,
        normal,
        is_owned: true,
        is_round_off: false,
        elsewhere: None,
    };
    if leads_out(wedges, facing, FLAT) {
        return touching(distance, facing); // a plane between the edges is one between the solids
    }
    let is_behind = leads_out(wedges, -facing, FLAT);
    if is_behind && distance <= ROUND * lengths + blur {
        return touching(-distance, -facing);
    }
    match overlap() {
        Some(sunk) if is_behind && distance + sunk.depth <= SAME * lengths + blur => {
            touching(-distance, -facing)
        }
        sunk => aside(facing, sunk),
    }
}

/// Segments whose solids touch elsewhere, if at all.
fn aside(away: Vector<3>, otherwise: Vector<3>, elsewhere: Option<Overlap>) -> Apart {
    let length = away.norm();
    let normal = match length > 0.0 {
        true => away * length.recip(),
        false => otherwise,
    };
    Apart {
        distance: length,
        normal,
        is_owned: false,
        is_round_off: false,
        elsewhere,
    }
}
