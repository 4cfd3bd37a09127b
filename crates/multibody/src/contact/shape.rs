//! Outlines that can touch.

use crate::model::Round;
use crate::plane::Angle;
use crate::vector::{Linear, Vector};

/// Form of an outline in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline {
    /// A point.
    Point,
    /// A disk about the origin.
    Disk {
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
    /// A rectangle about the origin.
    Box {
        /// Its extents along x and y (m).
        size: Vector<2>,
    },
    /// A convex polygon; its corners counter-clockwise.
    Polygon {
        /// Its corners (m).
        vertices: Vec<Vector<2>>,
    },
    /// All points with `normal·r <= 0`.
    HalfSpace {
        /// Direction out of the material, any length but zero.
        normal: Vector<2>,
    },
}

/// An outline placed on a body or on the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its form.
    pub outline: Outline,
    /// Its origin in the body frame (m).
    pub at: Vector<2>,
    /// Its angle in the body frame (rad).
    pub angle: f64,
}

/// Why an outline is refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ShapeFault {
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
    /// A polygon with fewer than three corners.
    TooFewVertices {
        /// How many it has.
        found: usize,
    },
    /// A corner at which the outline does not turn to the left.
    NotConvex {
        /// Index of the corner.
        vertex: usize,
    },
    /// A polygon that goes round more than once.
    GoesRoundTwice,
}

impl std::fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite { quantity, value } => {
                write!(f, "{quantity} is {value}, expected a finite number")
            }
            Self::NotPositive { quantity, value } => {
                write!(f, "{quantity} is {value}, expected a number > 0")
            }
            Self::TooFewVertices { found } => {
                write!(f, "{found} vertices, expected at least 3")
            }
            Self::NotConvex { vertex } => write!(
                f,
                "the outline does not turn left at vertex {vertex}, expected a convex polygon, \
                 counter-clockwise"
            ),
            Self::GoesRoundTwice => {
                write!(
                    f,
                    "the outline goes round more than once, expected a convex polygon"
                )
            }
        }
    }
}

impl std::error::Error for ShapeFault {}

impl Shape {
    /// An outline at the origin of the body frame.
    pub fn new(outline: Outline) -> Self {
        Self {
            outline,
            at: Vector::default(),
            angle: 0.0,
        }
    }

    /// The same outline elsewhere in the body frame.
    pub fn at(self, at: impl Into<Vector<2>>) -> Self {
        Self {
            at: at.into(),
            ..self
        }
    }

    /// A point of the shape's frame, in the body frame.
    pub(crate) fn point(&self, r: Vector<2>) -> Vector<2> {
        self.at + Angle::new(self.angle).apply(r)
    }

    /// What spans the shape, in the body frame; nothing where it has no bounds.
    pub(crate) fn rounds(&self) -> Vec<Round<Vector<2>>> {
        let round = |x: f64, radius: f64| Round {
            at: self.point(Vector([x, 0.0])),
            radius,
        };
        match &self.outline {
            Outline::Point => vec![round(0.0, 0.0)],
            Outline::Disk { radius } => vec![round(0.0, *radius)],
            Outline::Capsule { length, radius } => {
                [-0.5, 0.5].map(|end| round(end * length, *radius)).to_vec()
            }
            Outline::Box { size } => [-1.0, 1.0]
                .map(|sense| Vector([size.0[0], sense * size.0[1]]) * 0.5)
                .into_iter()
                .flat_map(|corner| [corner, -corner])
                .map(|corner| Round::point(self.point(corner)))
                .collect(),
            Outline::Polygon { vertices } => {
                let corners = vertices.iter();
                corners.map(|r| Round::point(self.point(*r))).collect()
            }
            Outline::HalfSpace { .. } => Vec::new(),
        }
    }

    /// What is wrong with the shape.
    pub fn fault(&self) -> Option<ShapeFault> {
        let placed = finite("at", self.at).or_else(|| finite("angle", self.angle));
        placed.or_else(|| match &self.outline {
            Outline::Point => None,
            Outline::Disk { radius } => positive("radius", *radius),
            Outline::Capsule { length, radius } => {
                positive("length", *length).or_else(|| positive("radius", *radius))
            }
            Outline::Box { size } => {
                positive("size", size.0[0]).or_else(|| positive("size", size.0[1]))
            }
            Outline::Polygon { vertices } => polygon_fault(vertices),
            Outline::HalfSpace { normal } => finite("normal", *normal)
                .or_else(|| positive("length of the normal", normal.norm())),
        })
    }
}

fn finite(quantity: &'static str, value: impl Linear) -> Option<ShapeFault> {
    let value = value.not_finite()?;
    Some(ShapeFault::NotFinite { quantity, value })
}

fn positive(quantity: &'static str, value: f64) -> Option<ShapeFault> {
    finite(quantity, value)
        .or_else(|| (value <= 0.0).then_some(ShapeFault::NotPositive { quantity, value }))
}

/// Every corner turns left, and all turns together make one round.
fn polygon_fault(vertices: &[Vector<2>]) -> Option<ShapeFault> {
    let found = vertices.len();
    if found < 3 {
        return Some(ShapeFault::TooFewVertices { found });
    }
    let mut turned = 0.0;
    for vertex in 0..found {
        let here = vertices[vertex];
        if let Some(fault) = finite("vertex", here) {
            return Some(fault);
        }
        let before = here - vertices[(vertex + found - 1) % found];
        let after = vertices[(vertex + 1) % found] - here;
        let sin = before.turned().dot(after);
        if !(sin > 0.0) {
            return Some(ShapeFault::NotConvex { vertex });
        }
        turned += sin.atan2(before.dot(after));
    }
    let rounds = (turned / std::f64::consts::TAU).round();
    (rounds > 1.0).then_some(ShapeFault::GoesRoundTwice)
}
