//! Space: three angles, three displacements. z is up.
//!
//! A spherical joint and a free one have more position numbers than rates, for their orientation is
//! a quaternion: `q̇ = ½ ω q` moves it, its direction places, and
//! [`Model::normalise`](crate::Model::normalise) takes it back to unit length.
//!
//! ```
//! use carom_multibody::space::SpaceJoint::{Spherical, Universal};
//! use carom_multibody::space::contact::{Solid, SolidShape};
//! use carom_multibody::{Body, Joint, SpaceModelBuilder, State};
//!
//! let mut builder = SpaceModelBuilder::new();
//! let tip = SolidShape::new(Solid::Ball { radius: 0.05 }).at([0.0, 0.0, -0.6]);
//! let floor = SolidShape::new(Solid::HalfSpace { normal: [0.0, 0.0, 1.0].into() });
//! let upper = Body { center: [0.0, 0.0, -0.25].into(), ..Body::new(3.2, [0.07, 0.07, 0.01].into()) };
//! let lower = Body {
//!     center: [0.0, 0.0, -0.3].into(),
//!     shapes: vec![("tip".to_owned(), tip)],
//!     ..Body::new(3.8, [0.16, 0.16, 0.01].into())
//! };
//! builder.gravity([0.0, 0.0, -9.81]).body("upper", upper).body("lower", lower);
//! builder.world_shape("floor", floor.at([0.0, 0.0, -1.3]));
//! builder.joint("hip", Joint::new(Spherical, "world", "upper"));
//! let axes = Universal { first: [1.0, 0.0, 0.0].into(), second: [0.0, 1.0, 0.0].into() };
//! let knee = Joint { parent_at: [0.0, 0.0, -0.5].into(), ..Joint::new(axes, "upper", "lower") };
//! let model = builder.joint("knee", knee).clone().build()?;
//! assert_eq!((model.positions(), model.rates()), (6, 5));
//!
//! let (mut work, q, v) = (model.workspace(), model.reference(), [0.2, 0.0, 1.0, 0.0, -0.5]);
//! let mut placed = model.place(&mut work, State::new(0.0, &q, &v));
//! let mut acceleration = [0.0; 5];
//! placed.accelerations(&[0.0; 5], &mut acceleration)?;
//! let touch = placed.touch(&model.features(("lower", "tip"), ("world", "floor"))?[0]);
//! assert!((touch.gap - 0.15).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod contact;
mod inertia;
mod joint;
mod rotation;
mod symmetric;
mod turning;

pub use inertia::{SpaceInertia, SpaceYielding};
pub use joint::SpaceJoint;
pub use rotation::Rotation;
pub use symmetric::Symmetric;
pub use turning::Turning;

use crate::algebra::{Algebra, AxisFault};
use crate::model::Round;
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
    fn undo(rotation: Rotation, r: Vector<3>) -> Vector<3> {
        rotation.undo(r)
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

    fn greatest_inertia(inertia: Symmetric) -> f64 {
        inertia.greatest()
    }

    fn rounds(shape: &SolidShape) -> Vec<Round<Vector<3>>> {
        shape.rounds()
    }

    fn shape_fault(shape: &SolidShape) -> Option<SolidFault> {
        shape.fault()
    }
}

/// A vector at unit length.
fn unit(axis: Vector<3>) -> Result<Vector<3>, AxisFault> {
    let length = axis.norm();
    if length > 0.0 && length.is_finite() {
        Ok(axis * length.recip())
    } else {
        let value = axis.not_finite().unwrap_or(length);
        Err(AxisFault::NoDirection(value))
    }
}
