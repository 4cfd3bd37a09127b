//! The plane: one angle, two displacements.

mod inertia;
mod joint;
pub(crate) mod linkage;
pub(crate) mod sine;

pub use inertia::PlaneInertia;
pub use joint::PlaneJoint;

use crate::algebra::Algebra;
use crate::contact::{Shape, ShapeFault};
use crate::model::Round;
use crate::vector::Vector;

/// The algebra of plane mechanisms; angles counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plane;

/// An angle with its cosine and sine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angle {
    angle: f64,
    cos: f64,
    sin: f64,
}

impl Angle {
    /// From radians, any number of turns.
    #[inline(always)]
    pub fn new(angle: f64) -> Self {
        let (sin, cos) = sine::sin_cos(angle);
        Self { angle, cos, sin }
    }

    /// In radians, with its turns.
    #[inline(always)]
    pub fn radians(self) -> f64 {
        self.angle
    }

    /// The vector `r` of the turned frame, in the outer axes.
    #[inline(always)]
    pub fn apply(self, r: Vector<2>) -> Vector<2> {
        let Vector([x, y]) = r;
        Vector([self.cos * x - self.sin * y, self.sin * x + self.cos * y])
    }

    /// The vector `r` of the outer axes, in the turned frame.
    #[inline(always)]
    pub fn undo(self, r: Vector<2>) -> Vector<2> {
        let Vector([x, y]) = r;
        Vector([self.cos * x + self.sin * y, self.cos * y - self.sin * x])
    }
}

impl Default for Angle {
    fn default() -> Self {
        Self {
            angle: 0.0,
            cos: 1.0,
            sin: 0.0,
        }
    }
}

impl From<f64> for Angle {
    fn from(angle: f64) -> Self {
        Self::new(angle)
    }
}

impl Algebra for Plane {
    type Vector = Vector<2>;
    type Angular = f64;
    type Rotation = Angle;
    type CentralInertia = f64;
    type Inertia = PlaneInertia;
    type Yielding = PlaneInertia;
    type Joint = PlaneJoint;
    type Shape = Shape;
    type ShapeFault = ShapeFault;
    const RATES_ARE_PLAIN: bool = true;

    #[inline(always)]
    fn turn(omega: f64, r: Vector<2>) -> Vector<2> {
        r.turned() * omega
    }

    #[inline(always)]
    fn moment(r: Vector<2>, f: Vector<2>) -> f64 {
        r.0[0] * f.0[1] - r.0[1] * f.0[0]
    }

    #[inline(always)]
    fn precess(_: f64, _: f64) -> f64 {
        0.0
    }

    #[inline(always)]
    fn rotate(rotation: Angle, r: Vector<2>) -> Vector<2> {
        rotation.apply(r)
    }

    #[inline(always)]
    fn undo(rotation: Angle, r: Vector<2>) -> Vector<2> {
        rotation.undo(r)
    }

    #[inline(always)]
    fn rotate_angular(_: Angle, omega: f64) -> f64 {
        omega
    }

    /// Sums the angles; turning by nothing costs nothing.
    #[inline(always)]
    fn compose(outer: Angle, inner: Angle) -> Angle {
        if inner.angle == 0.0 {
            outer
        } else {
            Angle::new(outer.angle + inner.angle)
        }
    }

    fn rotation_fault(rotation: Angle) -> Option<f64> {
        (!rotation.angle.is_finite()).then_some(rotation.angle)
    }

    fn least_inertia(inertia: f64) -> f64 {
        inertia
    }

    fn greatest_inertia(inertia: f64) -> f64 {
        inertia
    }

    fn rounds(shape: &Shape) -> Vec<Round<Vector<2>>> {
        shape.rounds()
    }

    fn shape_fault(shape: &Shape) -> Option<ShapeFault> {
        shape.fault()
    }
}
