//! Eight numbers side by side, for loops the processor can run on all of them at once.
//!
//! Every operation is a loop over an array, which the compiler turns into vector instructions of
//! whatever width the surrounding function is compiled for. Each lane rounds as a plain `f64` does:
//! the bits do not depend on the width.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Number of lanes.
pub const WIDTH: usize = 8;

/// Eight numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Lanes(pub [f64; WIDTH]);

/// Eight answers yes (all bits set) or no (zero).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Mask(pub [u64; WIDTH]);

/// A number, or several side by side: what formulas need that are written once for both.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The same constant everywhere.
    fn constant(x: f64) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `yes` where this is positive, zero elsewhere.
    fn if_positive(self, yes: Self) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn constant(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn if_positive(self, yes: Self) -> Self {
        if self > 0.0 { yes } else { 0.0 }
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self([x; WIDTH])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self) -> Self {
        self.above(Self::ZERO).select(yes, Self::ZERO)
    }
}

macro_rules! lanewise {
    ($name:ident, $method:ident, $operator:tt) => {
        impl $name for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut out = [0.0; WIDTH];
                for i in 0..WIDTH {
                    out[i] = self.0[i] $operator other.0[i];
                }
                Self(out)
            }
        }
    };
}

lanewise!(Add, add, +);
lanewise!(Sub, sub, -);
lanewise!(Mul, mul, *);
lanewise!(Div, div, /);

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Lanes {
    /// Zero everywhere.
    pub const ZERO: Self = Self([0.0; WIDTH]);

    /// Absolute values.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn compare(self, other: Self, holds: impl Fn(f64, f64) -> bool) -> Mask {
        let mut out = [0; WIDTH];
        for i in 0..WIDTH {
            out[i] = if holds(self.0[i], other.0[i]) { !0 } else { 0 };
        }
        Mask(out)
    }

    /// `self > other`
    #[inline(always)]
    pub fn above(self, other: Self) -> Mask {
        self.compare(other, |a, b| a > b)
    }

    /// `self <= other`
    #[inline(always)]
    pub fn at_most(self, other: Self) -> Mask {
        self.compare(other, |a, b| a <= b)
    }

    /// `self == other`
    #[inline(always)]
    pub fn equals(self, other: Self) -> Mask {
        self.compare(other, |a, b| a == b)
    }

    /// Neither infinite nor undefined.
    #[inline(always)]
    pub fn is_finite(self) -> Mask {
        self.abs().at_most(Self([f64::MAX; WIDTH]))
    }
}

macro_rules! maskwise {
    ($name:ident, $method:ident, $operator:tt) => {
        impl $name for Mask {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut out = [0; WIDTH];
                for i in 0..WIDTH {
                    out[i] = self.0[i] $operator other.0[i];
                }
                Self(out)
            }
        }
    };
}

maskwise!(BitAnd, bitand, &);
maskwise!(BitOr, bitor, |);

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|x| !x))
    }
}

impl Mask {
    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(self, yes: Lanes, no: Lanes) -> Lanes {
        let mut out = [0.0; WIDTH];
        for i in 0..WIDTH {
            let bits = (self.0[i] & yes.0[i].to_bits()) | (!self.0[i] & no.0[i].to_bits());
            out[i] = f64::from_bits(bits);
        }
        Lanes(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Lanes = Lanes([1.0, -2.0, 0.0, -0.0, f64::NAN, f64::INFINITY, 1e-300, 4.0]);
    const B: Lanes = Lanes([2.0, -2.0, -0.0, 3.0, 1.0, 1.0, 1e300, 0.5]);

    #[test]
    fn each_lane_computes_what_the_number_alone_computes() {
        for i in 0..WIDTH {
            let (a, b) = (A.0[i], B.0[i]);
            let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
            assert!(same((A + B).0[i], a + b));
            assert!(same((A - B).0[i], a - b));
            assert!(same((A * B).0[i], a * b));
            assert!(same((A / B).0[i], a / b));
            assert!(same((-A).0[i], -a));
            assert!(same(A.abs().0[i], a.abs()));
            assert!(same(Real::sqrt(A).0[i], a.sqrt()));
            assert!(same(A.if_positive(B).0[i], a.if_positive(b)));
        }
    }

    #[test]
    fn a_mask_holds_where_the_comparison_of_the_number_holds() {
        for i in 0..WIDTH {
            let (a, b) = (A.0[i], B.0[i]);
            let says = |mask: Mask| mask.0[i] == !0;
            assert_eq!(says(A.above(B)), a > b);
            assert_eq!(says(A.at_most(B)), a <= b);
            assert_eq!(says(A.equals(B)), a == b);
            assert_eq!(says(A.is_finite()), a.is_finite());
            assert_eq!(says(!A.above(B) | A.equals(B)), !(a > b) || a == b);
        }
    }
}
