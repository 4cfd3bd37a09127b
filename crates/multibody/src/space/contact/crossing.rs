//! Two rods that cross: axes of capsules, edges of polyhedra.

use std::sync::Arc;

use super::distance::across;
use super::hull::Hull;
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

    fn is_inside(&self, way: f64) -> bool {
        0.0 < way && way < self.length
    }
}

/// The nearest points of two segments.
pub(super) fn feet(a: &Segment, b: &Segment) -> Feet {
    let apart = a.start - b.start;
    let cos = a.along.dot(b.along);
    let sin = a.along.cross(b.along).norm();
    let free_way = match sin > PARALLEL {
        true => (cos * apart.dot(b.along) - apart.dot(a.along)) / (sin * sin),
        false => 0.5 * a.length,
    };
    // The foot on A of the lines, kept on A; then that on B; then that on A again.
    let on_b = b.foot(a.at(free_way.clamp(0.0, a.length)));
    let on_a = a.foot(b.at(on_b));
    let on_b = b.foot(a.at(on_a));
    Feet {
        ways: [on_a, on_b],
        is_free: [
            sin > PARALLEL && a.is_inside(on_a),
            sin > PARALLEL && b.is_inside(on_b),
        ],
        points: [a.at(on_a), b.at(on_b)],
    }
}

/// Distance of two rods without their radii, its direction from B to A, and whose touching it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Apart {
    pub(super) distance: f64,
    pub(super) normal: Vector<3>,
    pub(super) is_owned: bool,
}

/// Of solids, how far the unit vectors into a face may lead against a normal: faces that meet flat have
/// edges that cross with the normal of both, to within round-off.
const FLAT: f64 = 1e-9;

/// Whether a normal, from B to A, leaves B through its edge and enters A through its edge.
pub(super) fn leads_out(wedges: [Option<[Vector<3>; 2]>; 2], n: Vector<3>, slack: f64) -> bool {
    let is_out = |wedge: Option<[Vector<3>; 2]>, n: Vector<3>| {
        wedge.is_none_or(|wedge| wedge.iter().all(|side| side.dot(n) <= slack))
    };
    is_out(wedges[0], -n) && is_out(wedges[1], n)
}

/// `wedges` are those of A and B; `overlap` is whether their solids do, and along no axis by less than
/// the given (negative) distance.
///
/// The normal of two edges that meet leads out of both solids, and along it they pass from apart to
/// overlapping. Edges lie behind each other also where the solids are apart along another axis, or
/// overlap less: these are not past each other.
pub(super) fn apart(
    (a, b): (&Segment, &Segment),
    feet: &Feet,
    wedges: [Option<[Vector<3>; 2]>; 2],
    overlap: impl Fn(f64) -> bool,
) -> Apart {
    let away = feet.points[0] - feet.points[1];
    let length = away.norm();
    if feet.is_free != [true, true] {
        let normal = match length > 0.0 {
            true => away * length.recip(),
            false => across(a.along),
        };
        return Apart {
            distance: length,
            normal,
            is_owned: false,
        };
    }
    let cross = a.along.cross(b.along);
    let normal = cross * cross.norm().recip();
    let facing = if normal.dot(away) < 0.0 {
        -normal
    } else {
        normal
    };
    let distance = facing.dot(away);
    let is_past = |[a, b]: [[Vector<3>; 2]; 2]| {
        // The normal that leads out of B and into A, as far as one does.
        let into_a = a[0] + a[1];
        let out_of_b = -(b[0] + b[1]);
        facing.dot(into_a + out_of_b) < 0.0
    };
    let solids = wedges[0].zip(wedges[1]).map(|(a, b)| [a, b]);
    if solids.is_some_and(is_past) && overlap(-distance) {
        return Apart {
            distance: -distance,
            normal: -facing,
            is_owned: leads_out(wedges, -facing, FLAT),
        };
    }
    Apart {
        distance,
        normal: facing,
        is_owned: leads_out(wedges, facing, FLAT),
    }
}
