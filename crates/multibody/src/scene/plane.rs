//! Outlines of the plane.

use super::{Bodies, Outline, Scene, round};
use crate::contact::{self, Shape};
use crate::model::Model;
use crate::plane::{Angle, Plane};
use crate::vector::Vector;

impl Scene {
    /// The bodies of a plane model.
    pub fn of_plane(model: &Model<Plane>) -> Self {
        Self::Plane(Bodies::of(model, outline))
    }
}

fn outline(shape: &Shape) -> Outline<[f64; 2]> {
    let point = |x: f64, y: f64| shape.point(Vector([x, y])).0;
    let center = point(0.0, 0.0);
    match &shape.outline {
        contact::Outline::Point => round(center, center, 0.0),
        contact::Outline::Disk { radius } => round(center, center, *radius),
        contact::Outline::Capsule { length, radius } => {
            let half = 0.5 * length;
            round(point(-half, 0.0), point(half, 0.0), *radius)
        }
        contact::Outline::Box { size } => {
            let [x, y] = size.0.map(|side| 0.5 * side);
            let corners = vec![point(-x, -y), point(x, -y), point(x, y), point(-x, y)];
            Outline::Polygon { corners }
        }
        contact::Outline::Polygon { vertices } => Outline::Polygon {
            corners: vertices.iter().map(|r| shape.point(*r).0).collect(),
        },
        contact::Outline::HalfSpace { normal } => Outline::HalfSpace {
            point: center,
            normal: Angle::new(shape.angle)
                .apply(*normal * normal.norm().recip())
                .0,
        },
    }
}
