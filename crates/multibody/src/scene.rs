//! What the bodies look like, each in its own frame.

use serde::{Deserialize, Serialize};

use crate::contact::{self, Shape};
use crate::model::{BodyId, Model};
use crate::plane::{Angle, Plane};
use crate::vector::Vector;

/// The bodies of a run, to be drawn at their poses.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scene {
    /// What stands still.
    pub world: BodyScene,
    /// The bodies, in order.
    pub bodies: Vec<BodyScene>,
}

/// One body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct BodyScene {
    /// Its name.
    pub name: String,
    /// Its outlines in its frame.
    pub outlines: Vec<Outline>,
    /// Where joints sit in its frame, that of the parent first, then the mass centre (m): drawn as a
    /// bar.
    pub points: Vec<[f64; 2]>,
}

/// An outline in the frame of its body (m).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outline {
    /// All points within a radius of a segment; a disk where its ends coincide, a point where the
    /// radius is zero too.
    Round {
        /// One end.
        from: [f64; 2],
        /// The other.
        to: [f64; 2],
        /// Radius.
        radius: f64,
    },
    /// A convex polygon.
    Polygon {
        /// Its corners, counter-clockwise.
        corners: Vec<[f64; 2]>,
    },
    /// Everything on one side of a line.
    HalfSpace {
        /// A point of the line.
        point: [f64; 2],
        /// Unit normal out of the material.
        normal: [f64; 2],
    },
}

impl Scene {
    /// The bodies of a plane model.
    pub fn of(model: &Model<Plane>) -> Self {
        let bodies = model.bodies().iter().map(|record| {
            let own = &model.joints()[record.joint.index()];
            let mut points = match own.is_implicit {
                true => Vec::new(),
                false => vec![own.joint.child_at.0],
            };
            points.extend(children_at(model, record.id));
            points.push(record.body.center.0);
            BodyScene {
                name: record.name.clone(),
                outlines: outlines(&record.body.shapes),
                points,
            }
        });
        Self {
            bodies: bodies.collect(),
            world: BodyScene {
                name: crate::WORLD.to_owned(),
                outlines: outlines(&model.world_shapes),
                points: children_at(model, BodyId::WORLD).collect(),
            },
        }
    }
}

/// Where the joints that start from a body sit in its frame.
fn children_at(model: &Model<Plane>, body: BodyId) -> impl Iterator<Item = [f64; 2]> {
    let leaving = move |record: &&crate::JointRecord<Plane>| record.parent == body;
    let given = model.joints().iter().filter(leaving);
    given
        .filter(|record| !record.is_implicit)
        .map(|record| record.joint.parent_at.0)
}

fn outlines(shapes: &[(String, Shape)]) -> Vec<Outline> {
    shapes.iter().map(|(_, shape)| outline(shape)).collect()
}

fn outline(shape: &Shape) -> Outline {
    let point = |x: f64, y: f64| shape.point(Vector([x, y])).0;
    let round = |from, to, radius| Outline::Round { from, to, radius };
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
