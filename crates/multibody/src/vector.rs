//! Plain vectors with the few operations the algorithms use.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

/// A quantity that can be added and scaled: a number or a vector.
pub trait Linear:
    Copy
    + Default
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// Scalar product.
    fn dot(self, other: Self) -> f64;
    /// The first component that is infinite or not a number.
    fn not_finite(self) -> Option<f64>;
}

impl Linear for f64 {
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self * other
    }

    fn not_finite(self) -> Option<f64> {
        (!self.is_finite()).then_some(self)
    }
}

/// `N` components in right-handed Cartesian axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector<const N: usize>(pub [f64; N]);

impl<const N: usize> Vector<N> {
    /// Length.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

impl Vector<2> {
    /// The vector turned by +90°.
    #[inline(always)]
    pub fn turned(self) -> Self {
        Self([-self.0[1], self.0[0]])
    }
}

impl Vector<3> {
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let (Self([ax, ay, az]), Self([bx, by, bz])) = (self, other);
        Self([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    }
}

impl<const N: usize> Default for Vector<N> {
    fn default() -> Self {
        Self([0.0; N])
    }
}

impl<const N: usize> From<[f64; N]> for Vector<N> {
    fn from(components: [f64; N]) -> Self {
        Self(components)
    }
}

impl<const N: usize> Add for Vector<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<const N: usize> Sub for Vector<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<const N: usize> Neg for Vector<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<const N: usize> Mul<f64> for Vector<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}

impl<const N: usize> Linear for Vector<N> {
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        (0..N).map(|i| self.0[i] * other.0[i]).sum()
    }

    fn not_finite(self) -> Option<f64> {
        self.0.into_iter().find(|x| !x.is_finite())
    }
}
