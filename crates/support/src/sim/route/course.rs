//! Numbers and vectors with their first two rates: what a second route differentiates geometry by.

use std::ops::{Add, Mul, Neg, Sub};

/// `x(t) = at + rate t + bend t²/2`, up to there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Course {
    pub at: f64,
    pub rate: f64,
    pub bend: f64,
}

impl Course {
    pub fn fixed(at: f64) -> Self {
        Self {
            at,
            ..Self::default()
        }
    }

    fn of(self, value: f64, slope: f64, curvature: f64) -> Self {
        Self {
            at: value,
            rate: slope * self.rate,
            bend: slope * self.bend + curvature * self.rate * self.rate,
        }
    }

    pub fn recip(self) -> Self {
        let x = self.at.recip();
        self.of(x, -x * x, 2.0 * x * x * x)
    }

    pub fn sqrt(self) -> Self {
        let x = self.at.sqrt();
        self.of(x, 0.5 / x, -0.25 / (x * self.at))
    }

    pub fn cos(self) -> Self {
        let (sin, cos) = self.at.sin_cos();
        self.of(cos, -sin, -cos)
    }

    pub fn sin(self) -> Self {
        let (sin, cos) = self.at.sin_cos();
        self.of(sin, cos, -sin)
    }

    /// Angle of (x, y), y being this number.
    pub fn atan2(self, x: Self) -> Self {
        let slope = |y: Self, x: Self| (x * y.slid() - y * x.slid()) * (x * x + y * y).recip();
        let rate = slope(self, x);
        Self {
            at: self.at.atan2(x.at),
            rate: rate.at,
            bend: rate.rate,
        }
    }

    /// Its rate as a number; what lies beyond the bend is left out.
    fn slid(self) -> Self {
        Self {
            at: self.rate,
            rate: self.bend,
            bend: 0.0,
        }
    }
}

impl Add for Course {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            at: self.at + other.at,
            rate: self.rate + other.rate,
            bend: self.bend + other.bend,
        }
    }
}

impl Neg for Course {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Sub for Course {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Course {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            at: self.at * other.at,
            rate: self.at * other.rate + self.rate * other.at,
            bend: self.at * other.bend + 2.0 * self.rate * other.rate + self.bend * other.at,
        }
    }
}

impl Mul<f64> for Course {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            at: factor * self.at,
            rate: factor * self.rate,
            bend: factor * self.bend,
        }
    }
}

/// A vector that moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Arrow(pub [Course; 3]);

impl Arrow {
    pub fn fixed(at: [f64; 3]) -> Self {
        Self(at.map(Course::fixed))
    }

    pub fn at(self) -> [f64; 3] {
        self.0.map(|x| x.at)
    }

    pub fn rate(self) -> [f64; 3] {
        self.0.map(|x| x.rate)
    }

    pub fn dot(self, other: Self) -> Course {
        let [x, y, z] = [0, 1, 2].map(|i| self.0[i] * other.0[i]);
        x + y + z
    }

    pub fn cross(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i]))
    }

    pub fn norm(self) -> Course {
        self.dot(self).sqrt()
    }

    pub fn unit(self) -> Self {
        self * self.norm().recip()
    }
}

impl Add for Arrow {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] + other.0[i]))
    }
}

impl Neg for Arrow {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Sub for Arrow {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul<Course> for Arrow {
    type Output = Self;
    fn mul(self, factor: Course) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}
