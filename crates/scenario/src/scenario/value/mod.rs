//! Values of a scenario: numbers with their ranges, angles, pairs, named tables.

mod named;
mod number;
mod pair;
mod quantity;
mod varying;

pub(crate) use named::Named;
pub(crate) use number::{Fraction, NotNegative, Number, Positive, Tolerance, Whole};
pub(crate) use pair::Pair;
pub(crate) use quantity::{Angle, Quantities, Quantity, Unit};
pub(crate) use varying::Varying;
