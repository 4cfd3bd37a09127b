//! Signed distance of a point from the targets, with its gradient and curvature.

use std::sync::Arc;

use super::hull::Hull;
use super::turned::Turned;
use crate::contact::closeness::{ALONG, DEEP, DEEPER, END, Spot};
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
    /// A disk or a cylinder.
    Turned(Turned),
    /// The inside of a sphere.
    Bowl {
        center: Vector<3>,
        radius: f64,
    },
    /// The inside of a cylinder without ends.
    Tube {
        center: Vector<3>,
        along: Vector<3>,
        radius: f64,
    },
}

/// A smooth piece of a target: a face, an edge or a vertex of a polyhedron, in its order; the flank of a
/// segment as an edge, and its ends as vertices; the caps and the flank of a cylinder as faces, and its rims as
/// edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Face(usize),
    Edge(usize),
    Vertex(usize),
}

/// What a point that is the vertex of a polyhedron knows of its solid.
pub(super) trait SolidVertex {
    /// Whether all of its edges lead away from a plane with the given normal, to within a sine.
    fn leads_away(&self, normal: Vector<3>, sine: f64) -> bool;
    /// How deep its solid overlaps the target (m); zero where it does not.
    fn depth(&self) -> f64;
}

/// A point without a solid.
struct NoVertex;

impl SolidVertex for NoVertex {
    fn leads_away(&self, _: Vector<3>, _: f64) -> bool {
        false
    }

    fn depth(&self) -> f64 {
        0.0
    }
}

/// The place of a target next to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    /// Signed distance (m).
    pub(super) distance: f64,
    /// Gradient of the distance: unit vector from the target to the point.
    pub(super) normal: Vector<3>,
    /// Second derivative of the distance across the normal (1/m): zero above a face.
    pub(super) curvature: f64,
    /// Direction across the normal in which it is another, along an edge, an axis or a rim; else zero.
    pub(super) along: Vector<3>,
    /// Second derivative of the distance in that direction (1/m): zero where it is straight.
    pub(super) curvature_along: f64,
    /// Whether the place is no corner and no end.
    pub(super) is_on_side: bool,
    /// The piece it is on, where the target has several.
    pub(super) piece: Option<Piece>,
}

impl Nearest {
    /// Rate of the normal as the point moves with velocity u seen from the target.
    pub(super) fn normal_rate(&self, u: Vector<3>) -> Vector<3> {
        let along = self.along * self.along.dot(u);
        let across = u - self.normal * self.normal.dot(u) - along;
        across * self.curvature + along * self.curvature_along
    }

    /// The same of a hollow: what is beside a point or a line, at a radius all around it.
    fn inside_out(self, radius: f64) -> Self {
        Self {
            distance: radius - self.distance,
            normal: -self.normal,
            curvature: -self.curvature,
            is_on_side: true,
            ..self
        }
    }
}

pub(super) fn above_face(normal: Vector<3>, distance: f64) -> Nearest {
    Nearest {
        distance,
        normal,
        curvature: 0.0,
        along: Vector::default(),
        curvature_along: 0.0,
        is_on_side: true,
        piece: None,
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
        along: Vector::default(),
        curvature_along: 0.0,
        is_on_side: false,
        piece: None,
    }
}

/// Beside a straight line through `foot`, the point of it next to `point`.
pub(super) fn about_line(
    foot: Vector<3>,
    along: Vector<3>,
    radius: f64,
    point: Vector<3>,
) -> Nearest {
    let away = point - foot;
    let away = away - along * along.dot(away); // next to the line rounding would tilt the normal along it
    let length = away.norm();
    if length == 0.0 {
        // On the line every direction across it is as good.
        return above_face(across(along), -radius);
    }
    Nearest {
        distance: length - radius,
        normal: away * length.recip(),
        curvature: length.recip(),
        along,
        curvature_along: 0.0,
        is_on_side: true,
        piece: None,
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

impl Target {
    /// The place next to a point, which may be the vertex of a polyhedron.
    pub(super) fn nearest(&self, spot: Spot<3>, vertex: &impl SolidVertex) -> Nearest {
        let point = spot.at;
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
                let piece = match way {
                    way if way < 0.0 => Piece::Vertex(0),
                    way if way > *length => Piece::Vertex(1),
                    _ => Piece::Edge(0),
                };
                about_segment(*start, *along * *length, *radius, piece, point)
            }
            Self::Hull(hull) => meet(hull, spot, vertex).unwrap_or_else(|| about_hull(hull, point)),
            Self::Turned(turned) => turned.nearest(point),
            Self::Bowl { center, radius } => about_point(*center, 0.0, point).inside_out(*radius),
            Self::Tube {
                center,
                along,
                radius,
            } => {
                let foot = *center + *along * along.dot(point - *center);
                about_line(foot, *along, 0.0, point).inside_out(*radius)
            }
        }
    }

    /// The place of one piece next to a point, which may be beyond the end of the piece.
    pub(super) fn on(&self, piece: Piece, point: Vector<3>) -> Nearest {
        match self {
            Self::Segment {
                start,
                along,
                length,
                radius,
            } => about_segment(*start, *along * *length, *radius, piece, point),
            Self::Hull(hull) => about_piece(hull, piece, point),
            Self::Turned(turned) => turned.on(piece, point),
            Self::HalfSpace { .. } | Self::Round { .. } | Self::Bowl { .. } | Self::Tube { .. } => {
                self.nearest(Spot::new(point, [point; 3]), &NoVertex)
            }
        }
    }

    /// Extent of a target with pieces (m).
    pub(super) fn size(&self) -> f64 {
        match self {
            Self::Segment { length, .. } => *length,
            Self::Hull(hull) => hull.size(),
            Self::Turned(turned) => turned.size(),
            Self::HalfSpace { .. } | Self::Round { .. } | Self::Bowl { .. } | Self::Tube { .. } => {
                0.0
            }
        }
    }

    /// Whether its edges and corners are round.
    pub(super) fn is_round(&self) -> bool {
        matches!(self, Self::Segment { .. } | Self::Round { .. })
    }

    /// How far the place next to a point is from the ends of a piece, and the gradient of that.
    pub(super) fn room(&self, piece: Piece, point: Vector<3>) -> (f64, Vector<3>) {
        let mut least = (f64::INFINITY, Vector::default());
        let mut ends_at = |from: Vector<3>, inward: Vector<3>| {
            let way = inward.dot(point - from);
            if way < least.0 {
                least = (way, inward);
            }
        };
        match (self, piece) {
            (
                Self::Segment {
                    start,
                    along,
                    length,
                    ..
                },
                _,
            ) => {
                let end = *start + *along * *length;
                match piece {
                    Piece::Vertex(0) => ends_at(*start, -*along),
                    Piece::Vertex(_) => ends_at(end, *along),
                    Piece::Face(_) | Piece::Edge(_) => {
                        ends_at(*start, *along);
                        ends_at(end, -*along);
                    }
                }
            }
            (Self::Hull(hull), Piece::Face(i)) => {
                let sides = hull.faces[i].sides();
                sides.for_each(|(from, outward)| ends_at(from, -outward));
            }
            (Self::Hull(hull), Piece::Edge(i)) => {
                let edge = &hull.edges[i];
                ends_at(edge.start, edge.along);
                ends_at(edge.start + edge.along * edge.length, -edge.along);
                // Beyond a wedge the point is above the face.
                edge.wedge
                    .iter()
                    .for_each(|into| ends_at(edge.start, -*into));
            }
            (Self::Hull(hull), Piece::Vertex(i)) => {
                let edges = hull.leaving(i);
                let from = hull.vertices[i];
                edges.into_iter().for_each(|into| ends_at(from, -into));
            }
            (Self::Turned(turned), piece) => return turned.room(piece, point),
            (
                Self::HalfSpace { .. } | Self::Round { .. } | Self::Bowl { .. } | Self::Tube { .. },
                _,
            ) => {}
        }
        least
    }
}

/// About the flank or an end of a segment, given by its start and the way to its end.
fn about_segment(
    start: Vector<3>,
    way: Vector<3>,
    radius: f64,
    piece: Piece,
    point: Vector<3>,
) -> Nearest {
    let near = match piece {
        Piece::Vertex(0) => about_point(start, radius, point),
        Piece::Vertex(_) => about_point(start + way, radius, point),
        Piece::Face(_) | Piece::Edge(_) => {
            let along = way * way.norm().recip();
            let foot = start + along * along.dot(point - start);
            about_line(foot, along, radius, point)
        }
    };
    Nearest {
        piece: Some(piece),
        ..near
    }
}

/// The place of a face, an edge or a vertex of a polyhedron next to a point.
fn about_piece(hull: &Hull, piece: Piece, point: Vector<3>) -> Nearest {
    let near = match piece {
        Piece::Face(i) => above_face(hull.faces[i].normal, hull.faces[i].distance(point)),
        Piece::Edge(i) => {
            let edge = &hull.edges[i];
            let foot = edge.start + edge.along * edge.along.dot(point - edge.start);
            about_line(foot, edge.along, 0.0, point)
        }
        Piece::Vertex(i) => about_point(hull.vertices[i], 0.0, point),
    };
    Nearest {
        piece: Some(piece),
        ..near
    }
}

/// A vertex on the surface or inside: the one face it came through.
///
/// Of a vertex that slides along the plane of a face, as when equal boxes meet face to face, the
/// nearest face is one that it never touches, and the distance from it stays zero. Only faces that its
/// whole solid was in front of can be met, and the solids overlap as deep as the vertex is behind it: of a
/// vertex that slips over an edge the only face it leads away from may be a far one. Where none or several
/// are met, this does not decide.
fn meet(hull: &Hull, spot: Spot<3>, vertex: &impl SolidVertex) -> Option<Nearest> {
    let (point, on) = (spot.at, spot.on(hull.size()));
    if hull.outermost(point).0 > on {
        return None;
    }
    let faced = hull.faces.iter().enumerate();
    let faced = faced.filter(|(_, face)| vertex.leads_away(face.normal, ALONG));
    let (mut met, mut next) = (None, f64::NEG_INFINITY);
    for (i, face) in faced {
        let distance = face.distance(point);
        match met {
            Some((nearest, _)) if distance <= nearest => next = next.max(distance),
            _ => {
                next = met.map_or(next, |(nearest, _)| nearest);
                met = Some((distance, i));
            }
        }
    }
    let (distance, i) = met.filter(|(distance, _)| distance - next > on)?;
    if distance < -DEEP * on && -distance > DEEPER * vertex.depth() {
        return None;
    }
    Some(Nearest {
        is_on_side: !hull.has_vertex_at(point, END * on),
        ..about_piece(hull, Piece::Face(i), point)
    })
}

/// Inside: the nearest face's plane. Outside: the face that the point is over, else the nearest edge
/// or vertex.
fn about_hull(hull: &Hull, point: Vector<3>) -> Nearest {
    let (outermost, nearest) = hull.outermost(point);
    if outermost <= 0.0 {
        return about_piece(hull, Piece::Face(nearest), point);
    }
    for (i, face) in hull.faces.iter().enumerate() {
        if face.distance(point) > 0.0 && face.covers(point) {
            return about_piece(hull, Piece::Face(i), point);
        }
    }
    let mut best = (f64::INFINITY, Piece::Vertex(0));
    for (i, edge) in hull.edges.iter().enumerate() {
        let way = edge.along.dot(point - edge.start);
        let foot = edge.start + edge.along * way;
        let square = (point - foot).dot(point - foot);
        if (0.0..=edge.length).contains(&way) && square < best.0 {
            best = (square, Piece::Edge(i));
        }
    }
    for (i, vertex) in hull.vertices.iter().enumerate() {
        let square = (point - *vertex).dot(point - *vertex);
        if square < best.0 {
            best = (square, Piece::Vertex(i));
        }
    }
    about_piece(hull, best.1, point)
}
