//! Whether two convex solids overlap, and how deep.
//!
//! Two convex polyhedra are apart exactly when the normal of a face, or one across two edges, separates
//! them. Of the pairs of edges only those count whose common normal leads out of both solids: they are
//! the faces of the difference of the two.

use super::crossing::{PARALLEL, leads_out};
use super::hull::{Edge, Hull};
use crate::algebra::Pose;
use crate::space::Space;
use crate::vector::{Linear, Vector};

/// A solid somewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posed<'a> {
    pub(super) hull: &'a Hull,
    pub(super) pose: &'a Pose<Space>,
}

/// How two solids overlap along the axis on which they do least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Overlap {
    /// Distance along the axis, never positive (m).
    pub(super) depth: f64,
    /// Unit vector along the axis, from B to A.
    pub(super) normal: Vector<3>,
    /// Points of A and B that are the distance apart.
    pub(super) points: [Vector<3>; 2],
}

/// None where an axis separates the solids.
///
/// The depth is a continuous function of the poses: as an axis across two edges stops to lead out it
/// becomes the normal of a face.
pub(super) fn overlap(a: Posed<'_>, b: Posed<'_>) -> Option<Overlap> {
    let between = a.pose.point(a.hull.ball.0) - b.pose.point(b.hull.ball.0);
    if between.norm() > a.hull.ball.1 + b.hull.ball.1 {
        return None;
    }
    let along_a = below_faces(a, b)?;
    let along_b = below_faces(b, a)?;
    let flipped = Overlap {
        normal: -along_b.normal,
        points: [along_b.points[1], along_b.points[0]],
        ..along_b
    };
    let faces = match along_a.depth >= flipped.depth {
        true => along_a,
        false => flipped,
    };
    across_edges(a, b, faces)
}

/// The face of A that B lies behind least; none when B lies before one.
fn below_faces(a: Posed<'_>, b: Posed<'_>) -> Option<Overlap> {
    let offset = a.pose.rotation.undo(b.pose.origin - a.pose.origin);
    let mut best: Option<(f64, Vector<3>, Vector<3>)> = None;
    for face in &a.hull.faces {
        let outward = a.pose.rotation.apply(face.normal);
        let (height, lowest) = b.hull.lowest(b.pose.rotation.undo(outward));
        let depth = height + face.normal.dot(offset) - face.offset;
        if depth > 0.0 {
            return None;
        }
        if best.is_none_or(|(deepest, ..)| depth > deepest) {
            best = Some((depth, outward, lowest));
        }
    }
    let (depth, outward, lowest) = best?;
    let on_b = b.pose.point(lowest);
    Some(Overlap {
        depth,
        normal: -outward,
        points: [on_b - outward * depth, on_b],
    })
}

/// The least overlap so far, or one across two edges that is less; none when edges are apart.
fn across_edges(a: Posed<'_>, b: Posed<'_>, least: Overlap) -> Option<Overlap> {
    let mut least = least;
    for on_b in &b.hull.edges {
        let on_b = on_b.placed(b.pose);
        for on_a in &a.hull.edges {
            let along = a.pose.rotation.apply(on_a.along);
            let cross = along.cross(on_b.along);
            let sin = cross.norm();
            if sin <= PARALLEL {
                continue;
            }
            let wedge = on_a.wedge.map(|side| a.pose.rotation.apply(side));
            let wedges = [Some(wedge), Some(on_b.wedge)];
            let normal = cross * sin.recip();
            let Some(normal) = [normal, -normal]
                .into_iter()
                .find(|n| leads_out(wedges, *n, 0.0))
            else {
                continue;
            };
            let start = a.pose.point(on_a.start);
            let depth = normal.dot(start - on_b.start);
            if depth > 0.0 {
                return None;
            }
            if depth > least.depth {
                let on_a = Edge {
                    start,
                    along,
                    ..*on_a
                };
                least = Overlap {
                    depth,
                    normal,
                    points: nearest(&on_a, &on_b),
                };
            }
        }
    }
    Some(least)
}

/// The points of two lines, which are not parallel, that are next to each other.
fn nearest(a: &Edge, b: &Edge) -> [Vector<3>; 2] {
    let apart = a.start - b.start;
    let (cos, cross) = (a.along.dot(b.along), a.along.cross(b.along));
    let (on_a, on_b) = (apart.dot(a.along), apart.dot(b.along));
    let way_a = (cos * on_b - on_a) / cross.dot(cross);
    [
        a.start + a.along * way_a,
        b.start + b.along * (on_b + cos * way_a),
    ]
}

impl Edge {
    fn placed(&self, pose: &Pose<Space>) -> Self {
        Self {
            start: pose.point(self.start),
            along: pose.rotation.apply(self.along),
            wedge: self.wedge.map(|side| pose.rotation.apply(side)),
            length: self.length,
        }
    }
}
