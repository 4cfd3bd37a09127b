//! Solids that can touch.

use super::hull::{Hull, HullFault};
use crate::model::Round;
use crate::space::Rotation;
use crate::vector::{Linear, Vector};

/// Form of a solid in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// A point.
    Point,
    /// A ball about the origin.
    Ball {
        /// Its radius (m).
        radius: f64,
    },
    /// All points within `radius` of a segment on the x axis, centred.
    Capsule {
        /// Distance between the centres of its caps (m).
        length: f64,
        /// Radius of its caps, half its width (m).
        radius: f64,
    },
    /// A cuboid about the origin.
    Box {
        /// Its extents along x, y and z (m).
        size: Vector<3>,
    },
    /// A convex polyhedron: the hull of its vertices.
    Polyhedron {
        /// Its vertices (m), in any order.
        vertices: Vec<Vector<3>>,
    },
    /// A flat disk without thickness about the origin, across the z axis.
    Disk {
        /// Its radius (m).
        radius: f64,
    },
    /// A solid cylinder about the origin, along the z axis.
    Cylinder {
        /// Its radius (m).
        radius: f64,
        /// Distance between its caps (m).
        length: f64,
    },
    /// A solid ellipsoid about the origin.
    Ellipsoid {
        /// Its semi-axes along x, y and z (m).
        semi_axes: Vector<3>,
    },
    /// All points that are no nearer to the origin than a radius: the inside of a sphere is free.
    Bowl {
        /// Radius of the hollow (m).
        radius: f64,
    },
    /// All points that are no nearer to the z axis than a radius: the inside of a cylinder without ends is
    /// free.
    Tube {
        /// Radius of the hollow (m).
        radius: f64,
    },
    /// All points with `normal·r <= 0`.
    HalfSpace {
        /// Direction out of the material, any length but zero.
        normal: Vector<3>,
    },
}

/// A solid placed on a body or on the world.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidShape {
    /// Its form.
    pub solid: Solid,
    /// Its origin in the body frame (m).
    pub at: Vector<3>,
    /// Its axes in the body frame.
    pub rotation: Rotation,
}

/// Why a solid is refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SolidFault {
    /// A number is infinite or undefined.
    NotFinite {
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// A size is zero or negative.
    NotPositive {
        /// Which size.
        quantity: &'static str,
        /// Its value (m).
        value: f64,
    },
    /// A polyhedron with fewer than four vertices.
    TooFewVertices {
        /// How many it has.
        found: usize,
    },
    /// All vertices lie in one plane.
    Flat,
    /// A vertex inside the hull of the others, or on its rim.
    NotACorner {
        /// Index of the vertex.
        vertex: usize,
    },
    /// Faces so close to each other's planes that round-off decides where they end.
    Unclear,
}

impl std::fmt::Display for SolidFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite { quantity, value } => {
                write!(f, "{quantity} is {value}, expected a finite number")
            }
            Self::NotPositive { quantity, value } => {
                write!(f, "{quantity} is {value}, expected a number > 0")
            }
            Self::TooFewVertices { found } => {
                write!(f, "{found} vertices, expected at least 4")
            }
            Self::Flat => write!(f, "all vertices in one plane, expected a solid"),
            Self::NotACorner { vertex } => write!(
                f,
                "vertex {vertex} is no corner of the convex hull, expected corners only"
            ),
            Self::Unclear => write!(
                f,
                "faces that almost coincide, expected angles between faces well above round-off"
            ),
        }
    }
}

impl std::error::Error for SolidFault {}

impl Solid {
    /// What it is called in a file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Ball { .. } => "ball",
            Self::Capsule { .. } => "capsule",
            Self::Box { .. } => "box",
            Self::Polyhedron { .. } => "polyhedron",
            Self::Disk { .. } => "disk",
            Self::Cylinder { .. } => "cylinder",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Bowl { .. } => "bowl",
            Self::Tube { .. } => "tube",
            Self::HalfSpace { .. } => "half_space",
        }
    }

    /// Edges it has at least: one of v corners has 3v/2.
    pub fn fewest_edges(&self) -> usize {
        match self {
            Self::Polyhedron { vertices } => 3 * vertices.len() / 2,
            Self::Box { .. } => 12,
            _ => 0,
        }
    }
}

impl SolidShape {
    /// A solid at the origin of the body frame.
    pub fn new(solid: Solid) -> Self {
        Self {
            solid,
            at: Vector::default(),
            rotation: Rotation::default(),
        }
    }

    /// The same solid elsewhere in the body frame.
    pub fn at(self, at: impl Into<Vector<3>>) -> Self {
        Self {
            at: at.into(),
            ..self
        }
    }

    /// The same solid with other axes.
    pub fn turned(self, rotation: Rotation) -> Self {
        Self { rotation, ..self }
    }

    /// A point of the shape's frame, in the body frame.
    pub(crate) fn point(&self, r: Vector<3>) -> Vector<3> {
        self.at + self.rotation.apply(r)
    }

    /// Its corners in the shape's frame, where it has any.
    pub(super) fn corners(&self) -> Option<Vec<Vector<3>>> {
        match &self.solid {
            Solid::Box { size } => Some(box_corners(*size).to_vec()),
            Solid::Polyhedron { vertices } => Some(vertices.clone()),
            _ => None,
        }
    }

    /// Its corners in the shape's frame, and of each face the indices of its corners,
    /// counter-clockwise seen from outside; none of a round solid or of one that is refused.
    pub(crate) fn faces(&self) -> (Vec<Vector<3>>, Vec<Vec<usize>>) {
        let corners = self.corners().unwrap_or_default();
        let hull = Hull::of(&corners);
        let faces = hull.map_or(Vec::new(), |hull| hull.corners_of_faces().collect());
        (corners, faces)
    }

    /// What spans the shape, in the body frame; nothing where it has no bounds.
    pub(crate) fn rounds(&self) -> Vec<Round<Vector<3>>> {
        let round = |x: f64, radius: f64| Round {
            at: self.point(Vector([x, 0.0, 0.0])),
            radius,
        };
        match &self.solid {
            Solid::Point => vec![round(0.0, 0.0)],
            Solid::Ball { radius } => vec![round(0.0, *radius)],
            Solid::Capsule { length, radius } => {
                [-0.5, 0.5].map(|end| round(end * length, *radius)).to_vec()
            }
            Solid::Box { .. } | Solid::Polyhedron { .. } => {
                let corners = self.corners().unwrap_or_default().into_iter();
                corners.map(|r| Round::point(self.point(r))).collect()
            }
            // A rim is spanned by the ends of two of its diameters; an ellipsoid is as wide as the ball around it; of a
            // hollow its radius is a size.
            Solid::Disk { radius } => self.rim(0.0, *radius),
            Solid::Cylinder { radius, length } => [-0.5, 0.5]
                .iter()
                .flat_map(|end| self.rim(end * length, *radius))
                .collect(),
            Solid::Ellipsoid { semi_axes } => {
                vec![round(0.0, semi_axes.0.into_iter().fold(0.0, f64::max))]
            }
            Solid::Bowl { radius } | Solid::Tube { radius } => vec![round(0.0, *radius)],
            Solid::HalfSpace { .. } => Vec::new(),
        }
    }

    fn rim(&self, z: f64, radius: f64) -> Vec<Round<Vector<3>>> {
        let ends = [[radius, 0.0], [-radius, 0.0], [0.0, radius], [0.0, -radius]];
        ends.map(|[x, y]| Round::point(self.point(Vector([x, y, z]))))
            .to_vec()
    }

    /// What is wrong with the shape.
    pub fn fault(&self) -> Option<SolidFault> {
        let turned = Vector(self.rotation.quaternion());
        let placed = finite("at", self.at).or_else(|| finite("rotation", turned));
        placed.or_else(|| match &self.solid {
            Solid::Point => None,
            Solid::Ball { radius }
            | Solid::Disk { radius }
            | Solid::Bowl { radius }
            | Solid::Tube { radius } => positive("radius", *radius),
            Solid::Cylinder { radius, length } => {
                positive("radius", *radius).or_else(|| positive("length", *length))
            }
            Solid::Capsule { length, radius } => {
                positive("length", *length).or_else(|| positive("radius", *radius))
            }
            Solid::Box { size } => size.0.iter().find_map(|side| positive("size", *side)),
            Solid::Ellipsoid { semi_axes } => {
                semi_axes.0.iter().find_map(|a| positive("semi-axis", *a))
            }
            Solid::Polyhedron { vertices } => polyhedron_fault(vertices),
            Solid::HalfSpace { normal } => finite("normal", *normal)
                .or_else(|| positive("length of the normal", normal.norm())),
        })
    }
}

fn box_corners(size: Vector<3>) -> [Vector<3>; 8] {
    let Vector([x, y, z]) = size * 0.5;
    [
        Vector([-x, -y, -z]),
        Vector([x, -y, -z]),
        Vector([x, y, -z]),
        Vector([-x, y, -z]),
        Vector([-x, -y, z]),
        Vector([x, -y, z]),
        Vector([x, y, z]),
        Vector([-x, y, z]),
    ]
}

fn finite(quantity: &'static str, value: impl Linear) -> Option<SolidFault> {
    let value = value.not_finite()?;
    Some(SolidFault::NotFinite { quantity, value })
}

fn positive(quantity: &'static str, value: f64) -> Option<SolidFault> {
    finite(quantity, value)
        .or_else(|| (value <= 0.0).then_some(SolidFault::NotPositive { quantity, value }))
}

fn polyhedron_fault(vertices: &[Vector<3>]) -> Option<SolidFault> {
    let found = vertices.len();
    if found < 4 {
        return Some(SolidFault::TooFewVertices { found });
    }
    if let Some(fault) = vertices.iter().find_map(|r| finite("vertex", *r)) {
        return Some(fault);
    }
    Hull::of(vertices).err().map(|fault| match fault {
        HullFault::Flat => SolidFault::Flat,
        HullFault::NotACorner(vertex) => SolidFault::NotACorner { vertex },
        HullFault::Unclear => SolidFault::Unclear,
    })
}
