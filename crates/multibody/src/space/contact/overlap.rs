//! Whether two convex solids overlap, and by how much at least along every axis.
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

/// Whether no axis separates two solids by more than a distance, which is negative where they overlap.
pub(super) fn no_axis_separates(a: Posed<'_>, b: Posed<'_>, by_more_than: f64) -> bool {
    faces_stay_below(a, b, by_more_than)
        && faces_stay_below(b, a, by_more_than)
        && edges_stay_below(a, b, by_more_than)
}

/// No face of A has all of B further out than a distance.
fn faces_stay_below(a: Posed<'_>, b: Posed<'_>, limit: f64) -> bool {
    let offset = a.pose.rotation.undo(b.pose.origin - a.pose.origin);
    a.hull.faces.iter().all(|face| {
        let normal = b.pose.rotation.undo(a.pose.rotation.apply(face.normal));
        let heights = b.hull.vertices.iter().map(|v| normal.dot(*v));
        let lowest = heights.fold(f64::INFINITY, f64::min);
        lowest + face.normal.dot(offset) - face.offset <= limit
    })
}

/// No pair of edges has the solids further apart than a distance.
fn edges_stay_below(a: Posed<'_>, b: Posed<'_>, limit: f64) -> bool {
    let turned = |edge: &Edge| Edge {
        start: b.pose.point(edge.start),
        along: b.pose.rotation.apply(edge.along),
        wedge: edge.wedge.map(|side| b.pose.rotation.apply(side)),
        ..*edge
    };
    b.hull.edges.iter().map(turned).all(|on_b| {
        a.hull.edges.iter().all(|on_a| {
            let cross = a.pose.rotation.apply(on_a.along).cross(on_b.along);
            let sin = cross.norm();
            if sin <= PARALLEL {
                return true;
            }
            let wedge = on_a.wedge.map(|side| a.pose.rotation.apply(side));
            let wedges = [Some(wedge), Some(on_b.wedge)];
            let away = a.pose.point(on_a.start) - on_b.start;
            let stays = |n: Vector<3>| !leads_out(wedges, n, 0.0) || n.dot(away) <= limit;
            let normal = cross * sin.recip();
            stays(normal) && stays(-normal)
        })
    })
}
