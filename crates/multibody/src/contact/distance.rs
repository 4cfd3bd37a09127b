//! Signed distance of a point from the targets, with its gradient and curvature.

use std::sync::Arc;

use crate::vector::{Linear, Vector};

/// What a probe can touch, in the frame of its body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    /// Half-space below a line.
    Line {
        point: Vector<2>,
        normal: Vector<2>,
    },
    Round {
        center: Vector<2>,
        radius: f64,
    },
    Segment {
        side: Side,
        radius: f64,
    },
    Polygon {
        sides: Arc<[Side]>,
    },
}

/// A directed side; of a polygon it has the material on its left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Side {
    start: Vector<2>,
    /// Unit vector.
    along: Vector<2>,
    length: f64,
}

/// The place of a target next to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearest {
    /// Signed distance (m).
    pub(crate) distance: f64,
    /// Gradient of the distance: unit vector from the target to the point.
    pub(crate) normal: Vector<2>,
    /// Second derivative of the distance across the normal (1/m): zero beside a straight side.
    pub(crate) curvature: f64,
    /// Whether the place is inside a side, neither a corner nor an end.
    pub(crate) is_on_side: bool,
}

impl Side {
    pub(crate) fn between(start: Vector<2>, end: Vector<2>) -> Self {
        let length = (end - start).norm();
        Self {
            start,
            along: (end - start) * length.recip(),
            length,
        }
    }

    /// To the right of the side: out of a polygon.
    fn outward(&self) -> Vector<2> {
        -self.along.turned()
    }

    fn end(&self) -> Vector<2> {
        self.start + self.along * self.length
    }

    fn covers(&self, point: Vector<2>) -> bool {
        let way = self.along.dot(point - self.start);
        (0.0..=self.length).contains(&way)
    }
}

impl Target {
    /// A polygon with its vertices counter-clockwise.
    pub(crate) fn polygon(vertices: &[Vector<2>]) -> Self {
        let next = vertices.iter().cycle().skip(1);
        let sides = vertices.iter().zip(next);
        Self::Polygon {
            sides: sides.map(|(a, b)| Side::between(*a, *b)).collect(),
        }
    }

    pub(crate) fn nearest(&self, point: Vector<2>) -> Nearest {
        match self {
            Self::Line { point: on, normal } => beside_line(*normal, normal.dot(point - *on), true),
            Self::Round { center, radius } => about_point(*center, *radius, point),
            Self::Segment { side, radius } => about_segment(side, *radius, point),
            Self::Polygon { sides } => about_polygon(sides, point),
        }
    }
}

fn beside_line(normal: Vector<2>, distance: f64, is_on_side: bool) -> Nearest {
    Nearest {
        distance,
        normal,
        curvature: 0.0,
        is_on_side,
    }
}

fn about_point(center: Vector<2>, radius: f64, point: Vector<2>) -> Nearest {
    let away = point - center;
    let length = away.norm();
    if length == 0.0 {
        // Concentric: every direction is as good, up is taken.
        return beside_line(Vector([0.0, 1.0]), -radius, false);
    }
    Nearest {
        distance: length - radius,
        normal: away * length.recip(),
        curvature: length.recip(),
        is_on_side: false,
    }
}

fn about_segment(side: &Side, radius: f64, point: Vector<2>) -> Nearest {
    if !side.covers(point) {
        let is_before = side.along.dot(point - side.start) < 0.0;
        let end = if is_before { side.start } else { side.end() };
        return about_point(end, radius, point);
    }
    let left = side.along.turned();
    let across = left.dot(point - side.start);
    // On the segment itself both sides are as good, the left one is taken.
    let normal = if across < 0.0 { -left } else { left };
    beside_line(normal, across.abs() - radius, true)
}

/// Inside: the nearest side's line. Outside: the side that faces the point, else the nearest corner.
fn about_polygon(sides: &[Side], point: Vector<2>) -> Nearest {
    let mut inner = beside_line(Vector::default(), f64::NEG_INFINITY, true);
    let mut corner = (f64::INFINITY, Vector::default());
    for side in sides {
        let normal = side.outward();
        let distance = normal.dot(point - side.start);
        if distance > 0.0 && side.covers(point) {
            return beside_line(normal, distance, true);
        }
        if distance > inner.distance {
            inner = beside_line(normal, distance, side.covers(point));
        }
        let away = point - side.start;
        if away.dot(away) < corner.0 {
            corner = (away.dot(away), side.start);
        }
    }
    if inner.distance > 0.0 {
        about_point(corner.1, 0.0, point)
    } else {
        inner
    }
}
