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

    /// Whether the foot of a point is inside the side, round-off away from its ends.
    fn holds(&self, point: Vector<2>) -> bool {
        let (way, end) = (self.along.dot(point - self.start), END * self.length);
        (end..=self.length - end).contains(&way)
    }

    fn distance(&self, point: Vector<2>) -> f64 {
        self.outward().dot(point - self.start)
    }
}

/// Unit vectors from a corner along the two sides of its own polygon, in the target's axes.
pub(crate) type Corner = [Vector<2>; 2];

/// A corner this part of the target's size off its outline is on it.
const ON: f64 = 1e-12;
/// Feet this part of a side from its end are at the end: nearer than [`ON`], so that of two corners
/// that meet at least one is on a side.
const END: f64 = 0.25 * ON;
/// A side that sinks into a target by less than this sine lies along it.
const ALONG: f64 = 1e-9;

impl Target {
    /// A polygon with its vertices counter-clockwise.
    pub(crate) fn polygon(vertices: &[Vector<2>]) -> Self {
        let next = vertices.iter().cycle().skip(1);
        let sides = vertices.iter().zip(next);
        Self::Polygon {
            sides: sides.map(|(a, b)| Side::between(*a, *b)).collect(),
        }
    }

    /// The place next to a point, which may be the corner of a polygon.
    pub(crate) fn nearest(
        &self,
        point: Vector<2>,
        corner: impl FnOnce() -> Option<Corner>,
    ) -> Nearest {
        match self {
            Self::Line { point: on, normal } => beside_line(*normal, normal.dot(point - *on), true),
            Self::Round { center, radius } => about_point(*center, *radius, point),
            Self::Segment { side, radius } => about_segment(side, *radius, point),
            Self::Polygon { sides } => {
                let met = meet(sides, point, corner);
                met.unwrap_or_else(|| about_polygon(sides, point))
            }
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

/// A corner on the outline or inside: the one side it came through.
///
/// Of a corner that slides along the line of a side, as when equal boxes meet face to face, the nearest
/// side is one that it never touches, and the distance from it stays zero. Only sides that its whole
/// polygon was in front of can be met: both sides of the corner lead away from them. Where none, or
/// several as when corners meet head on, are met, this does not decide.
fn meet(
    sides: &[Side],
    point: Vector<2>,
    corner: impl FnOnce() -> Option<Corner>,
) -> Option<Nearest> {
    let size = sides.iter().fold(0.0, |size: f64, s| size.max(s.length));
    let outermost = sides
        .iter()
        .fold(f64::NEG_INFINITY, |far, side| far.max(side.distance(point)));
    if outermost > ON * size {
        return None;
    }
    let corner = corner()?;
    let leads_away = |side: &&Side| {
        let normal = side.outward();
        corner.iter().all(|along| normal.dot(*along) >= -ALONG)
    };
    let faced = sides.iter().filter(leads_away);
    let (mut met, mut next) = (None, f64::NEG_INFINITY);
    for side in faced {
        let distance = side.distance(point);
        match met {
            Some((nearest, _)) if distance <= nearest => next = next.max(distance),
            _ => {
                next = met.map_or(next, |(nearest, _)| nearest);
                met = Some((distance, side));
            }
        }
    }
    let (distance, side) = met.filter(|(distance, _)| distance - next > ON * size)?;
    Some(beside_line(side.outward(), distance, side.holds(point)))
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
            inner = beside_line(normal, distance, side.holds(point));
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
