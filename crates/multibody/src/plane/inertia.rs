//! Inertia of bodies and subtrees in the plane: a symmetric 3 × 3 map.

use super::Plane;
use crate::algebra::{InertiaMap, Pose, RigidMap, Twist, Wrench, YieldingMap};
use crate::vector::{Linear, Vector};

/// Symmetric map from (α, a) to (n, f).
///
/// ```text
/// n = second α + first·a
/// f = first α + linear a
/// ```
///
/// A rigid body with its mass centre at d has `first = m ẑ×d`, `linear = m`, `second = I + m d²`;
/// a subtree whose joints give way has a `linear` that depends on direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlaneInertia {
    second: f64,
    first: Vector<2>,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl PlaneInertia {
    #[inline(always)]
    fn linear(&self, a: Vector<2>) -> Vector<2> {
        let Vector([x, y]) = a;
        Vector([self.xx * x + self.xy * y, self.xy * x + self.yy * y])
    }
}

impl InertiaMap<Plane> for PlaneInertia {
    #[inline(always)]
    fn times(&self, twist: Twist<Plane>) -> Wrench<Plane> {
        Wrench {
            moment: self.second * twist.angular + self.first.dot(twist.linear),
            force: self.first * twist.angular + self.linear(twist.linear),
        }
    }

    #[inline(always)]
    fn seen_from(&self, r: Vector<2>) -> Self {
        let w = r.turned();
        let moved = self.first + self.linear(w);
        Self {
            second: self.second + (self.first + moved).dot(w),
            first: moved,
            ..*self
        }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self {
            second: self.second + other.second,
            first: self.first + other.first,
            xx: self.xx + other.xx,
            xy: self.xy + other.xy,
            yy: self.yy + other.yy,
        }
    }
}

impl RigidMap<Plane> for PlaneInertia {
    #[inline(always)]
    fn terms(&self, twist: Twist<Plane>) -> f64 {
        let Twist { angular, linear } = twist;
        self.second * (angular * angular) + self.xx * linear.dot(linear)
    }

    #[inline(always)]
    fn rigid(mass: f64, central: f64, at: Pose<Plane>) -> Self {
        let d = at.origin;
        Self {
            second: central + mass * d.dot(d),
            first: d.turned() * mass,
            xx: mass,
            xy: 0.0,
            yy: mass,
        }
    }
}

/// In the plane the same six numbers hold what gives way.
impl YieldingMap<Plane> for PlaneInertia {
    #[inline(always)]
    fn of(inertia: &Self) -> Self {
        *inertia
    }

    #[inline(always)]
    fn deflated(&self, u: Wrench<Plane>, inverse: f64) -> Self {
        let Vector([x, y]) = u.force;
        let (x_part, y_part) = (x * inverse, y * inverse);
        Self {
            second: self.second - u.moment * u.moment * inverse,
            first: self.first - Vector([x_part, y_part]) * u.moment,
            xx: self.xx - x * x_part,
            xy: self.xy - x * y_part,
            yy: self.yy - y * y_part,
        }
    }
}
