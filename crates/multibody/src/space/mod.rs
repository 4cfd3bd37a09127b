//! Space: three angles, three displacements. z is up.

pub mod contact;
mod inertia;
mod joint;
mod rotation;
mod symmetric;

pub use inertia::{SpaceInertia, SpaceYielding};
pub use joint::SpaceJoint;
pub use rotation::Rotation;
pub use symmetric::Symmetric;

use crate::algebra::Algebra;
use crate::vector::{Linear, Vector};
use contact::{SolidFault, SolidShape};

/// The algebra of mechanisms in space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space;

impl Algebra for Space {
    type Vector = Vector<3>;
    type Angular = Vector<3>;
    type Rotation = Rotation;
    type CentralInertia = Symmetric;
    type Inertia = SpaceInertia;
    type Yielding = SpaceYielding;
    type Joint = SpaceJoint;
    type Shape = SolidShape;
    type ShapeFault = SolidFault;

    #[inline(always)]
    fn turn(omega: Vector<3>, r: Vector<3>) -> Vector<3> {
        omega.cross(r)
    }

    #[inline(always)]
    fn moment(r: Vector<3>, f: Vector<3>) -> Vector<3> {
        r.cross(f)
    }

    #[inline(always)]
    fn precess(omega: Vector<3>, n: Vector<3>) -> Vector<3> {
        omega.cross(n)
    }

    #[inline(always)]
    fn rotate(rotation: Rotation, r: Vector<3>) -> Vector<3> {
        rotation.apply(r)
    }

    #[inline(always)]
    fn rotate_angular(rotation: Rotation, omega: Vector<3>) -> Vector<3> {
        rotation.apply(omega)
    }

    #[inline(always)]
    fn compose(outer: Rotation, inner: Rotation) -> Rotation {
        outer.then(&inner)
    }

    fn rotation_fault(rotation: Rotation) -> Option<f64> {
        let mut numbers = rotation.quaternion().into_iter();
        numbers.find(|x| !x.is_finite())
    }

    fn least_inertia(inertia: Symmetric) -> f64 {
        inertia.least()
    }

    fn shape_fault(shape: &SolidShape) -> Option<SolidFault> {
        shape.fault()
    }
}

/// A vector at unit length, or the number that leaves it without a direction.
fn unit(axis: Vector<3>) -> Result<Vector<3>, f64> {
    let length = axis.norm();
    if length > 0.0 && length.is_finite() {
        Ok(axis * length.recip())
    } else {
        Err(axis.not_finite().unwrap_or(length))
    }
}
