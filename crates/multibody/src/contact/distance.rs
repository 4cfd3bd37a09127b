//! Signed distance of a point from the targets, with its gradient and curvature.

use std::sync::Arc;

use super::closeness::{ALONG, DEEP, DEEPER, END, Spot};
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

/// A smooth piece of a target: a side of a polygon or a corner of it, where that side starts; a flank of a
/// segment, left or right, or a cap, at its start or its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Side(usize),
    Corner(usize),
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
    /// The piece it is on, where the target has several.
    pub(crate) piece: Option<Piece>,
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
    fn holds(&self, spot: Spot<2>) -> bool {
        let way = self.along.dot(spot.at - self.start);
        let end = END * spot.on(self.length);
        (end..=self.length - end).contains(&way)
    }

    fn distance(&self, point: Vector<2>) -> f64 {
        self.outward().dot(point - self.start)
    }

    /// How far the foot of a point is from both ends, and the gradient of that.
    fn room(&self, point: Vector<2>) -> (f64, Vector<2>) {
        let way = self.along.dot(point - self.start);
        let rest = self.length - way;
        let (start, end) = (Way(way, self.along), Way(rest, -self.along));
        between(start, end, self.length)
    }
}

/// Unit vectors from a corner along the two sides of its own polygon, in the target's axes.
pub(crate) type Corner = [Vector<2>; 2];

impl Target {
    /// A polygon with its vertices counter-clockwise.
    pub(crate) fn polygon(vertices: &[Vector<2>]) -> Self {
        let next = vertices.iter().cycle().skip(1);
        let sides = vertices.iter().zip(next);
        Self::Polygon {
            sides: sides.map(|(a, b)| Side::between(*a, *b)).collect(),
        }
    }

    /// The place next to a point, which may be the corner of a polygon; `depth` is how deep that overlaps
    /// the target, of which it is given the sides.
    pub(crate) fn nearest(
        &self,
        spot: Spot<2>,
        corner: impl FnOnce() -> Option<Corner>,
        depth: impl FnOnce(&[Side]) -> f64,
    ) -> Nearest {
        let point = spot.at;
        match self {
            Self::Line { point: on, normal } => beside_line(*normal, normal.dot(point - *on)),
            Self::Round { center, radius } => about_point(*center, *radius, point),
            Self::Segment { side, radius } => about_segment(side, *radius, point),
            Self::Polygon { sides } => {
                let met = meet(sides, spot, corner, depth);
                met.unwrap_or_else(|| about_polygon(sides, spot))
            }
        }
    }

    /// The place of one piece next to a point, which may be beyond the end of the piece.
    pub(crate) fn on(&self, piece: Piece, point: Vector<2>) -> Nearest {
        match (self, piece) {
            (Self::Polygon { sides }, Piece::Side(i)) => along_side(sides, i, point),
            (Self::Polygon { sides }, Piece::Corner(i)) => about_corner(sides, i, point),
            (Self::Segment { side, radius }, Piece::Side(i)) => {
                along_flank(side, *radius, i, point)
            }
            (Self::Segment { side, radius }, Piece::Corner(i)) => {
                about_cap(side, *radius, i, point)
            }
            _ => {
                let spot = Spot::new(point, [point; 3]);
                self.nearest(spot, || None, |_| 0.0)
            }
        }
    }

    /// Extent of a target with pieces (m).
    pub(crate) fn size(&self) -> f64 {
        match self {
            Self::Polygon { sides } => sides.iter().fold(0.0, |size, s| s.length.max(size)),
            Self::Segment { side, .. } => side.length,
            Self::Line { .. } | Self::Round { .. } => 0.0,
        }
    }

    /// Whether its corners are round.
    pub(crate) fn is_round(&self) -> bool {
        matches!(self, Self::Segment { .. } | Self::Round { .. })
    }

    /// How far the place next to a point is from the ends of a piece, and the gradient of that:
    /// positive between the ends, and zero at both.
    pub(crate) fn room(&self, piece: Piece, point: Vector<2>) -> (f64, Vector<2>) {
        match (self, piece) {
            (Self::Polygon { sides }, Piece::Side(i)) => sides[i].room(point),
            (Self::Segment { side, .. }, Piece::Side(_)) => side.room(point),
            (Self::Polygon { sides }, Piece::Corner(i)) => {
                let before = sides[(i + sides.len() - 1) % sides.len()].along;
                let (away, after) = (point - sides[i].start, -sides[i].along);
                let (before, after) = (Way(before.dot(away), before), Way(after.dot(away), after));
                between(before, after, away.norm())
            }
            (Self::Segment { side, .. }, Piece::Corner(0)) => {
                (-side.along.dot(point - side.start), -side.along)
            }
            (Self::Segment { side, .. }, Piece::Corner(_)) => {
                (side.along.dot(point - side.end()), side.along)
            }
            (Self::Line { .. } | Self::Round { .. }, _) => (f64::INFINITY, Vector::default()),
        }
    }
}

/// How far a point is from an end (m), and the gradient of that.
struct Way(f64, Vector<2>);

/// Product of two ways by their sum in all, which vanishes where either does, and its gradient.
fn between(Way(x, to_x): Way, Way(y, to_y): Way, size: f64) -> (f64, Vector<2>) {
    if size == 0.0 {
        return (0.0, Vector::default());
    }
    (x * y / size, (to_x * y + to_y * x) * size.recip())
}

/// How deep a polygon, its corners counter-clockwise, overlaps one with such sides along the normal on which
/// it does least; zero where one separates them.
pub(crate) fn overlap(sides: &[Side], corners: &[Vector<2>]) -> f64 {
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let before = |side: &Side| least(&mut corners.iter().map(|corner| side.distance(*corner)));
    let behind = |(a, b): (&Vector<2>, &Vector<2>)| {
        let own = Side::between(*a, *b);
        least(&mut sides.iter().map(|side| own.distance(side.start)))
    };
    let next = corners.iter().cycle().skip(1);
    let apart = sides.iter().map(before);
    let apart = apart.chain(corners.iter().zip(next).map(behind));
    -apart.fold(f64::NEG_INFINITY, f64::max).min(0.0)
}

fn beside_line(normal: Vector<2>, distance: f64) -> Nearest {
    Nearest {
        distance,
        normal,
        curvature: 0.0,
        is_on_side: true,
        piece: None,
    }
}

fn about_point(center: Vector<2>, radius: f64, point: Vector<2>) -> Nearest {
    let away = point - center;
    let length = away.norm();
    if length == 0.0 {
        // Concentric: every direction is as good, up is taken.
        return Nearest {
            is_on_side: false,
            ..beside_line(Vector([0.0, 1.0]), -radius)
        };
    }
    Nearest {
        distance: length - radius,
        normal: away * length.recip(),
        curvature: length.recip(),
        is_on_side: false,
        piece: None,
    }
}

fn about_segment(side: &Side, radius: f64, point: Vector<2>) -> Nearest {
    if !side.covers(point) {
        let is_before = side.along.dot(point - side.start) < 0.0;
        return about_cap(side, radius, usize::from(!is_before), point);
    }
    let across = side.along.turned().dot(point - side.start);
    // On the segment itself both sides are as good, the left one is taken.
    along_flank(side, radius, usize::from(across < 0.0), point)
}

/// About the cap at the start (0) or the end (1) of a segment.
fn about_cap(side: &Side, radius: f64, cap: usize, point: Vector<2>) -> Nearest {
    let center = if cap == 0 { side.start } else { side.end() };
    Nearest {
        piece: Some(Piece::Corner(cap)),
        ..about_point(center, radius, point)
    }
}

/// Beside the left (0) or the right (1) flank of a segment.
fn along_flank(side: &Side, radius: f64, flank: usize, point: Vector<2>) -> Nearest {
    let left = side.along.turned();
    let normal = if flank == 0 { left } else { -left };
    Nearest {
        piece: Some(Piece::Side(flank)),
        ..beside_line(normal, normal.dot(point - side.start) - radius)
    }
}

/// Beside a side of a polygon, which may end before.
fn along_side(sides: &[Side], i: usize, point: Vector<2>) -> Nearest {
    Nearest {
        piece: Some(Piece::Side(i)),
        ..beside_line(sides[i].outward(), sides[i].distance(point))
    }
}

/// About the corner of a polygon where a side starts.
fn about_corner(sides: &[Side], i: usize, point: Vector<2>) -> Nearest {
    Nearest {
        piece: Some(Piece::Corner(i)),
        ..about_point(sides[i].start, 0.0, point)
    }
}

/// A corner on the outline or inside: the one side it came through.
///
/// Of a corner that slides along the line of a side, as when equal boxes meet face to face, the nearest
/// side is one that it never touches, and the distance from it stays zero. Only sides that its whole
/// polygon was in front of can be met: both sides of the corner lead away from them, and the polygons overlap
/// as deep as it is behind it. Of a corner that slips over another the only side that it leads away from may be
/// a far one. Where none, or several as when corners meet head on, are met, this does not decide.
fn meet(
    sides: &[Side],
    spot: Spot<2>,
    corner: impl FnOnce() -> Option<Corner>,
    depth: impl FnOnce(&[Side]) -> f64,
) -> Option<Nearest> {
    let point = spot.at;
    let on = spot.on(sides.iter().fold(0.0, |size: f64, s| size.max(s.length)));
    let outermost = sides
        .iter()
        .fold(f64::NEG_INFINITY, |far, side| far.max(side.distance(point)));
    if outermost > on {
        return None;
    }
    let corner = corner()?;
    let leads_away = |side: &Side| {
        let normal = side.outward();
        corner.iter().all(|along| normal.dot(*along) >= -ALONG)
    };
    let faced = (0..sides.len()).filter(|i| leads_away(&sides[*i]));
    let (mut met, mut next) = (None, f64::NEG_INFINITY);
    for i in faced {
        let distance = sides[i].distance(point);
        match met {
            Some((nearest, _)) if distance <= nearest => next = next.max(distance),
            _ => {
                next = met.map_or(next, |(nearest, _)| nearest);
                met = Some((distance, i));
            }
        }
    }
    let (distance, i) = met.filter(|(distance, _)| distance - next > on)?;
    if distance < -DEEP * on && -distance > DEEPER * depth(sides) {
        return None;
    }
    Some(Nearest {
        is_on_side: sides[i].holds(spot),
        ..along_side(sides, i, point)
    })
}

/// Inside: the nearest side's line. Outside: the side that faces the point, else the nearest corner.
fn about_polygon(sides: &[Side], spot: Spot<2>) -> Nearest {
    let point = spot.at;
    let mut inner = (f64::NEG_INFINITY, 0);
    let mut corner = (f64::INFINITY, 0);
    for (i, side) in sides.iter().enumerate() {
        let distance = side.distance(point);
        if distance > 0.0 && side.covers(point) {
            return along_side(sides, i, point);
        }
        if distance > inner.0 {
            inner = (distance, i);
        }
        let away = point - side.start;
        if away.dot(away) < corner.0 {
            corner = (away.dot(away), i);
        }
    }
    if inner.0 > 0.0 {
        return about_corner(sides, corner.1, point);
    }
    Nearest {
        is_on_side: sides[inner.1].holds(spot),
        ..along_side(sides, inner.1, point)
    }
}
