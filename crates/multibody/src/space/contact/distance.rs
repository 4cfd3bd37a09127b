//! Signed distance of a point from the targets, with its gradient and curvature.

use std::sync::Arc;

use super::hull::Hull;
use crate::vector::{Linear, Vector};

/// What a probe can touch, in the frame of its body.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    HalfSpace {
        point: Vector<3>,
        normal: Vector<3>,
    },
    Round {
        center: Vector<3>,
        radius: f64,
    },
    Segment {
        start: Vector<3>,
        along: Vector<3>,
        length: f64,
        radius: f64,
    },
    Hull(Arc<Hull>),
}

/// The place of a target next to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    /// Signed distance (m).
    pub(super) distance: f64,
    /// Gradient of the distance: unit vector from the target to the point.
    pub(super) normal: Vector<3>,
    /// Second derivative of the distance across the normal (1/m): zero above a face.
    curvature: f64,
    /// Direction in which an edge or axis does not curve, else zero.
    straight: Vector<3>,
    /// Whether the place is no corner and no end.
    pub(super) is_on_side: bool,
}

impl Nearest {
    /// Rate of the normal as the point moves with velocity u seen from the target.
    pub(super) fn normal_rate(&self, u: Vector<3>) -> Vector<3> {
        let across = u - self.normal * self.normal.dot(u) - self.straight * self.straight.dot(u);
        across * self.curvature
    }
}

fn above_face(normal: Vector<3>, distance: f64) -> Nearest {
    Nearest {
        distance,
        normal,
        curvature: 0.0,
        straight: Vector::default(),
        is_on_side: true,
    }
}

fn about_point(center: Vector<3>, radius: f64, point: Vector<3>) -> Nearest {
    let away = point - center;
    let length = away.norm();
    if length == 0.0 {
        // Concentric: every direction is as good, up is taken.
        let up = above_face(Vector([0.0, 0.0, 1.0]), -radius);
        return Nearest {
            is_on_side: false,
            ..up
        };
    }
    Nearest {
        distance: length - radius,
        normal: away * length.recip(),
        curvature: length.recip(),
        straight: Vector::default(),
        is_on_side: false,
    }
}

/// Beside a straight line through `foot`, the point of it next to `point`.
fn about_line(foot: Vector<3>, along: Vector<3>, radius: f64, point: Vector<3>) -> Nearest {
    let away = point - foot;
    let length = away.norm();
    if length == 0.0 {
        // On the line every direction across it is as good.
        return above_face(across(along), -radius);
    }
    Nearest {
        distance: length - radius,
        normal: away * length.recip(),
        curvature: length.recip(),
        straight: along,
        is_on_side: true,
    }
}

/// A unit vector across a unit vector: that of the axis least along it.
pub(super) fn across(along: Vector<3>) -> Vector<3> {
    let least = |a: &usize, b: &usize| along.0[*a].abs().total_cmp(&along.0[*b].abs());
    let mut axis = Vector::default();
    axis.0[(0..3).min_by(least).unwrap_or(0)] = 1.0;
    let out = axis - along * along.dot(axis);
    out * out.norm().recip()
}

/// A vertex this part of the target's size off its surface is on it.
const ON: f64 = 1e-12;
/// An edge that sinks into a target by less than this sine lies along it.
const ALONG: f64 = 1e-9;

impl Target {
    /// The place next to a point, which may be the vertex of a polyhedron: `leaves` then says whether
    /// all of its edges lead away from a plane with the given normal, to within a sine.
    pub(super) fn nearest(
        &self,
        point: Vector<3>,
        leaves: impl Fn(Vector<3>, f64) -> bool,
    ) -> Nearest {
        match self {
            Self::HalfSpace { point: on, normal } => above_face(*normal, normal.dot(point - *on)),
            Self::Round { center, radius } => about_point(*center, *radius, point),
            Self::Segment {
                start,
                along,
                length,
                radius,
            } => {
                let way = along.dot(point - *start);
                let foot = *start + *along * way.clamp(0.0, *length);
                match (0.0..=*length).contains(&way) {
                    true => about_line(foot, *along, *radius, point),
                    false => about_point(foot, *radius, point),
                }
            }
            Self::Hull(hull) => {
                meet(hull, point, leaves).unwrap_or_else(|| about_hull(hull, point))
            }
        }
    }
}

/// A vertex on the surface or inside: the one face it came through.
///
/// Of a vertex that slides along the plane of a face, as when equal boxes meet face to face, the
/// nearest face is one that it never touches, and the distance from it stays zero. Only faces that its
/// whole solid was in front of can be met. Where none or several are, this does not decide.
fn meet(hull: &Hull, point: Vector<3>, leaves: impl Fn(Vector<3>, f64) -> bool) -> Option<Nearest> {
    let on = ON * hull.size();
    if hull.outermost(point).0 > on {
        return None;
    }
    let faced = hull.faces.iter().filter(|face| leaves(face.normal, ALONG));
    let (mut met, mut next) = (None, f64::NEG_INFINITY);
    for face in faced {
        let distance = face.distance(point);
        match met {
            Some((nearest, _)) if distance <= nearest => next = next.max(distance),
            _ => {
                next = met.map_or(next, |(nearest, _)| nearest);
                met = Some((distance, face));
            }
        }
    }
    let (distance, face) = met.filter(|(distance, _)| distance - next > on)?;
    Some(Nearest {
        is_on_side: face.holds(point, 0.25 * on),
        ..above_face(face.normal, distance)
    })
}

/// Inside: the nearest face's plane. Outside: the face that the point is over, else the nearest edge
/// or vertex.
fn about_hull(hull: &Hull, point: Vector<3>) -> Nearest {
    let (outermost, normal) = hull.outermost(point);
    if outermost <= 0.0 {
        return above_face(normal, outermost);
    }
    for face in &hull.faces {
        let distance = face.distance(point);
        if distance > 0.0 && face.covers(point) {
            return above_face(face.normal, distance);
        }
    }
    let mut best = (f64::INFINITY, Vector::default(), None);
    for edge in &hull.edges {
        let way = edge.along.dot(point - edge.start);
        let foot = edge.start + edge.along * way;
        let square = (point - foot).dot(point - foot);
        if (0.0..=edge.length).contains(&way) && square < best.0 {
            best = (square, foot, Some(edge.along));
        }
    }
    for vertex in &hull.vertices {
        let square = (point - *vertex).dot(point - *vertex);
        if square < best.0 {
            best = (square, *vertex, None);
        }
    }
    match best.2 {
        Some(along) => about_line(best.1, along, 0.0, point),
        None => about_point(best.1, 0.0, point),
    }
}
