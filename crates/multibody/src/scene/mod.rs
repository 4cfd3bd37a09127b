//! What the bodies look like, each in its own frame.

mod height;
mod plane;
mod space;

pub use height::face_plane;

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;
use crate::model::{BodyId, JointRecord, Model};
use crate::vector::Vector;

/// The bodies of a run, to be drawn at their poses. Files without the key `space` are of the plane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "space", rename_all = "snake_case", from = "Written")]
pub enum Scene {
    /// In the plane.
    Plane(Bodies<[f64; 2]>),
    /// In space.
    Space(Bodies<[f64; 3]>),
}

/// A scene as files have it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Named(Named),
    Unnamed(Bodies<[f64; 2]>),
}

#[derive(Deserialize)]
#[serde(tag = "space", rename_all = "snake_case")]
enum Named {
    Plane(Bodies<[f64; 2]>),
    Space(Bodies<[f64; 3]>),
}

impl From<Written> for Scene {
    fn from(written: Written) -> Self {
        match written {
            Written::Named(Named::Plane(bodies)) | Written::Unnamed(bodies) => Self::Plane(bodies),
            Written::Named(Named::Space(bodies)) => Self::Space(bodies),
        }
    }
}

/// The world and the bodies, with points `P`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Bodies<P = [f64; 2]> {
    /// What stands still.
    pub world: BodyScene<P>,
    /// The bodies, in order.
    pub bodies: Vec<BodyScene<P>>,
}

/// One body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct BodyScene<P = [f64; 2]> {
    /// Its name.
    pub name: String,
    /// Its outlines in its frame.
    pub outlines: Vec<Outline<P>>,
    /// Where joints sit in its frame, that of the parent first, then the mass centre (m): drawn as a
    /// bar.
    pub points: Vec<P>,
}

/// An outline in the frame of its body (m).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outline<P = [f64; 2]> {
    /// All points within a radius of a segment; a disk or ball where its ends coincide, a point where
    /// the radius is zero too.
    Round {
        /// One end.
        from: P,
        /// The other.
        to: P,
        /// Radius.
        radius: f64,
    },
    /// A convex polygon; in the plane only.
    Polygon {
        /// Its corners, counter-clockwise.
        corners: Vec<P>,
    },
    /// A convex polyhedron; in space only.
    Polyhedron {
        /// Its corners.
        corners: Vec<P>,
        /// Of each face the indices of its corners, counter-clockwise seen from outside.
        faces: Vec<Vec<usize>>,
    },
    /// A cylinder, or a disk where it has no length; in space only.
    Cylinder {
        /// Its middle.
        center: P,
        /// Unit vector along its axis.
        axis: P,
        /// Radius.
        radius: f64,
        /// Distance between its caps.
        length: f64,
    },
    /// An ellipsoid; in space only.
    Ellipsoid {
        /// Its middle.
        center: P,
        /// Its semi-axes as vectors, at right angles to each other.
        semi_axes: [P; 3],
    },
    /// Everything outside of a sphere; in space only.
    Bowl {
        /// Its middle.
        center: P,
        /// Radius of the hollow.
        radius: f64,
    },
    /// Everything outside of a cylinder without ends; in space only.
    Tube {
        /// A point of its axis.
        center: P,
        /// Unit vector along its axis.
        axis: P,
        /// Radius of the hollow.
        radius: f64,
    },
    /// Everything on one side of a line, or of a plane in space.
    HalfSpace {
        /// A point of it.
        point: P,
        /// Unit normal out of the material.
        normal: P,
    },
}

impl Scene {
    /// The bodies of the plane; none of a scene in space.
    pub fn plane(&self) -> Option<&Bodies<[f64; 2]>> {
        match self {
            Self::Plane(bodies) => Some(bodies),
            Self::Space(_) => None,
        }
    }

    /// The same, to be changed.
    pub fn plane_mut(&mut self) -> Option<&mut Bodies<[f64; 2]>> {
        match self {
            Self::Plane(bodies) => Some(bodies),
            Self::Space(_) => None,
        }
    }

    /// The bodies of space; none of a scene in the plane.
    pub fn space(&self) -> Option<&Bodies<[f64; 3]>> {
        match self {
            Self::Plane(_) => None,
            Self::Space(bodies) => Some(bodies),
        }
    }

    /// Names of the bodies, in order.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Plane(all) => all.names().collect(),
            Self::Space(all) => all.names().collect(),
        }
    }
}

impl<P> Bodies<P> {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|body| body.name.as_str())
    }
}

impl<const D: usize> Bodies<[f64; D]> {
    /// The bodies of a model, whose shapes have these outlines.
    fn of<A: Algebra<Vector = Vector<D>>>(
        model: &Model<A>,
        outline: impl Fn(&A::Shape) -> Outline<[f64; D]>,
    ) -> Self {
        let outlines = |shapes: &[(String, A::Shape)]| -> Vec<Outline<[f64; D]>> {
            shapes.iter().map(|(_, shape)| outline(shape)).collect()
        };
        let bodies = model.bodies().iter().map(|record| {
            let own = &model.joints()[record.joint.index()];
            let mut points = match own.is_implicit {
                true => Vec::new(),
                false => vec![own.joint.child_at.0],
            };
            points.extend(children_at(model, record.id));
            let led_to = model.closures().iter().filter(|c| c.child == record.id);
            points.extend(led_to.map(|closure| closure.joint.child_at.0));
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
fn children_at<A: Algebra<Vector = Vector<D>>, const D: usize>(
    model: &Model<A>,
    body: BodyId,
) -> impl Iterator<Item = [f64; D]> {
    let leaving = move |record: &&JointRecord<A>| record.parent == body;
    let given = model.joints().iter().filter(leaving);
    let given = given
        .filter(|record| !record.is_implicit)
        .map(|record| record.joint.parent_at.0);
    let closing = model.closures().iter();
    let closing = closing.filter(move |closure| closure.parent == body);
    given.chain(closing.map(|closure| closure.joint.parent_at.0))
}

fn round<P>(from: P, to: P, radius: f64) -> Outline<P> {
    Outline::Round { from, to, radius }
}
