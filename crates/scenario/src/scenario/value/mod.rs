//! Values of a scenario: numbers with their ranges, angles, vectors, rotations, named tables.

mod named;
mod number;
mod quantity;
mod tuple;
mod turning;
mod varying;

pub(crate) use named::Named;
pub(crate) use number::{Fraction, NotNegative, Number, Positive, Tolerance, Whole};
pub(crate) use quantity::{Angle, Quantities, Quantity, Unit};
pub(crate) use tuple::Tuple;
pub(crate) use turning::{RawInertia, RawRotation, Torque};
pub(crate) use varying::Varying;
