//! A pair of shapes as smooth contacts.

use std::sync::Arc;

use super::distance::{Corner, Side, Target};
use super::shape::{Outline, Shape, ShapeFault};
use crate::model::{BodyId, Model, PairError};
use crate::plane::{Angle, Plane};
use crate::vector::Vector;

/// One smooth contact between two bodies: a round probe on one, a target on the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub(super) probe: Probe,
    /// Corners of the polygon that the probe is one of, in the frame of its body; else nothing that counts.
    pub(super) polygon: Arc<[Vector<2>]>,
    pub(super) target_body: BodyId,
    pub(super) target: Target,
    /// The probe is on the second body of the pair.
    pub(super) is_flipped: bool,
    /// Touchings at corners and ends of the target belong to another feature.
    pub(super) owns_sides_only: bool,
}

/// A point of a body with a radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Probe {
    pub(super) body: BodyId,
    pub(super) at: Vector<2>,
    pub(super) radius: f64,
    /// Of a corner, the unit vectors along its two sides.
    pub(super) corner: Option<Corner>,
}

impl Feature {
    /// First and second body of the pair: A and B.
    pub fn bodies(&self) -> (BodyId, BodyId) {
        match self.is_flipped {
            false => (self.probe.body, self.target_body),
            true => (self.target_body, self.probe.body),
        }
    }
}

impl Model<Plane> {
    /// The smooth contacts between two shapes, each given by its body (or `world`) and its name.
    ///
    /// Normals point from the second shape to the first. The table of [`crate::contact`] says how
    /// many contacts a pair has and in which order.
    pub fn features(
        &self,
        first: (&str, &str),
        second: (&str, &str),
    ) -> Result<Vec<Feature>, PairError<ShapeFault>> {
        let [a, b] = self.pair(first, second)?;
        let refused = |form| PairError::not_offered(first, second, form);
        expand(a, b).map_err(refused)
    }
}

type Carried<'a> = crate::model::Carried<'a, Plane>;

fn expand(first: Carried<'_>, second: Carried<'_>) -> Result<Vec<Feature>, &'static str> {
    use Outline::{HalfSpace, Point};
    let ahead = pair_up(first, second, false);
    let back = pair_up(second, first, true);
    match (&first.1.outline, &second.1.outline) {
        (Point, Point) => Err("point"),
        (HalfSpace { .. }, HalfSpace { .. }) => Err("half_space"),
        (a, HalfSpace { .. }) if !is_half_space(a) => Ok(ahead),
        (HalfSpace { .. }, _) => Ok(back),
        (a, _) if is_round(a) => Ok(ahead),
        (_, b) if is_round(b) => Ok(back),
        _ => {
            let owning_sides = back.into_iter().map(|feature| Feature {
                owns_sides_only: true,
                ..feature
            });
            Ok(ahead.into_iter().chain(owning_sides).collect())
        }
    }
}

fn is_half_space(outline: &Outline) -> bool {
    matches!(outline, Outline::HalfSpace { .. })
}

fn is_round(outline: &Outline) -> bool {
    matches!(outline, Outline::Point | Outline::Disk { .. })
}

/// Every probe of one shape against the other.
fn pair_up(probing: Carried<'_>, probed: Carried<'_>, is_flipped: bool) -> Vec<Feature> {
    let target = target(probed.1);
    let (points, radius) = probes(probing.1);
    let placed: Arc<[Vector<2>]> = points.iter().map(|r| probing.1.point(*r)).collect();
    let feature = |i: usize| Feature {
        probe: Probe {
            body: probing.0,
            at: placed[i],
            radius,
            corner: corner(&placed, i),
        },
        polygon: placed.clone(),
        target_body: probed.0,
        target: target.clone(),
        is_flipped,
        owns_sides_only: false,
    };
    (0..placed.len()).map(feature).collect()
}

/// Unit vectors from a corner of a polygon to its neighbours; none of anything with fewer corners.
fn corner(corners: &[Vector<2>], i: usize) -> Option<Corner> {
    let n = corners.len();
    let to = |k: usize| {
        let way = corners[k % n] - corners[i];
        way * way.norm().recip()
    };
    (n > 2).then(|| [to(i + 1), to(i + n - 1)])
}

/// Corners, cap centres or centre of an outline, with their radius; none of a half-space.
fn probes(shape: &Shape) -> (Vec<Vector<2>>, f64) {
    match &shape.outline {
        Outline::Point => (vec![Vector::default()], 0.0),
        Outline::Disk { radius } => (vec![Vector::default()], *radius),
        Outline::Capsule { length, radius } => (caps(*length).to_vec(), *radius),
        Outline::Box { size } => (corners(*size).to_vec(), 0.0),
        Outline::Polygon { vertices } => (vertices.clone(), 0.0),
        Outline::HalfSpace { .. } => (Vec::new(), 0.0),
    }
}

fn caps(length: f64) -> [Vector<2>; 2] {
    [Vector([-0.5 * length, 0.0]), Vector([0.5 * length, 0.0])]
}

fn corners(size: Vector<2>) -> [Vector<2>; 4] {
    let Vector([x, y]) = size * 0.5;
    [
        Vector([-x, -y]),
        Vector([x, -y]),
        Vector([x, y]),
        Vector([-x, y]),
    ]
}

/// The shape in the frame of its body.
fn target(shape: &Shape) -> Target {
    let placed = |points: &[Vector<2>]| -> Vec<Vector<2>> {
        points.iter().map(|r| shape.point(*r)).collect()
    };
    match &shape.outline {
        Outline::Point => Target::Round {
            center: shape.at,
            radius: 0.0,
        },
        Outline::Disk { radius } => Target::Round {
            center: shape.at,
            radius: *radius,
        },
        Outline::Capsule { length, radius } => {
            let [start, end] = caps(*length).map(|r| shape.point(r));
            Target::Segment {
                side: Side::between(start, end),
                radius: *radius,
            }
        }
        Outline::Box { size } => Target::polygon(&placed(&corners(*size))),
        Outline::Polygon { vertices } => Target::polygon(&placed(vertices)),
        Outline::HalfSpace { normal } => Target::Line {
            point: shape.at,
            normal: Angle::new(shape.angle).apply(*normal * normal.norm().recip()),
        },
    }
}
