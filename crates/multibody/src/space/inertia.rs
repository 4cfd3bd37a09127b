//! Inertia of bodies and subtrees in space.

use super::{Space, Symmetric};
use crate::algebra::{InertiaMap, Pose, RigidMap, Twist, Wrench, YieldingMap};
use crate::vector::{Linear, Vector};

/// Inertia of a rigid body at a reference point from which its mass centre is at d.
///
/// ```text
/// n = second ω + first × v        first = m d
/// f = m v − first × ω             second = I + m (d² − d dᵀ)
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpaceInertia {
    mass: f64,
    first: Vector<3>,
    second: Symmetric,
}

/// Symmetric 6 × 6 map from (ω, v) to (n, f): the inertia of what gives way.
///
/// ```text
/// n = angular ω + coupling v
/// f = couplingᵀ ω + linear v
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpaceYielding {
    angular: Symmetric,
    /// By rows.
    coupling: [Vector<3>; 3],
    linear: Symmetric,
}

/// What `second` gains by a shift r: `m (d² − d dᵀ)` after minus before.
#[inline(always)]
fn moved(mass: f64, first: Vector<3>, r: Vector<3>) -> Symmetric {
    let w = first * 2.0 + r * mass;
    let product = Symmetric::product(w, -r);
    product.plus(&Symmetric::isotropic(w.dot(r)))
}

impl InertiaMap<Space> for SpaceInertia {
    #[inline(always)]
    fn times(&self, twist: Twist<Space>) -> Wrench<Space> {
        Wrench {
            moment: self.second.times(twist.angular) + self.first.cross(twist.linear),
            force: twist.linear * self.mass - self.first.cross(twist.angular),
        }
    }

    #[inline(always)]
    fn seen_from(&self, r: Vector<3>) -> Self {
        Self {
            mass: self.mass,
            first: self.first + r * self.mass,
            second: self.second.plus(&moved(self.mass, self.first, r)),
        }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            second: self.second.plus(&other.second),
        }
    }
}

impl RigidMap<Space> for SpaceInertia {
    #[inline(always)]
    fn terms(&self, twist: Twist<Space>) -> f64 {
        let Twist { angular, linear } = twist;
        let trace = self.second.xx + self.second.yy + self.second.zz;
        trace * angular.dot(angular) + self.mass * linear.dot(linear)
    }

    #[inline(always)]
    fn rigid(mass: f64, central: Symmetric, at: Pose<Space>) -> Self {
        let d = at.origin;
        Self {
            mass,
            first: d * mass,
            second: central
                .turned(at.rotation.rows())
                .plus(&moved(mass, Vector::default(), d)),
        }
    }
}

/// The matrix whose columns are `r × rows_i`: `[r]× Aᵀ`, by rows.
#[inline(always)]
fn crossed(r: Vector<3>, rows: &[Vector<3>; 3]) -> [Vector<3>; 3] {
    let [a, b, c] = rows.map(|row| r.cross(row).0);
    std::array::from_fn(|i| Vector([a[i], b[i], c[i]]))
}

impl InertiaMap<Space> for SpaceYielding {
    #[inline(always)]
    fn times(&self, twist: Twist<Space>) -> Wrench<Space> {
        let Twist { angular, linear } = twist;
        let [a, b, c] = self.coupling;
        let Vector([x, y, z]) = angular;
        Wrench {
            moment: self.angular.times(angular) + Vector(self.coupling.map(|row| row.dot(linear))),
            force: a * x + b * y + c * z + self.linear.times(linear),
        }
    }

    /// With X = \[r\]×: `C ← C + X B` and `A ← A + Q + Qᵀ`, `Q = X (C + ½ X B)ᵀ`.
    #[inline(always)]
    fn seen_from(&self, r: Vector<3>) -> Self {
        let lever = crossed(r, &self.linear.rows());
        let half: [Vector<3>; 3] = std::array::from_fn(|i| self.coupling[i] + lever[i] * 0.5);
        let [Vector(x), Vector(y), Vector(z)] = crossed(r, &half);
        let gained = Symmetric {
            xx: 2.0 * x[0],
            yy: 2.0 * y[1],
            zz: 2.0 * z[2],
            xy: x[1] + y[0],
            xz: x[2] + z[0],
            yz: y[2] + z[1],
        };
        Self {
            angular: self.angular.plus(&gained),
            coupling: std::array::from_fn(|i| self.coupling[i] + lever[i]),
            linear: self.linear,
        }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.plus(&other.angular),
            coupling: std::array::from_fn(|i| self.coupling[i] + other.coupling[i]),
            linear: self.linear.plus(&other.linear),
        }
    }
}

impl YieldingMap<Space> for SpaceYielding {
    #[inline(always)]
    fn of(inertia: &SpaceInertia) -> Self {
        let Vector([x, y, z]) = inertia.first;
        Self {
            angular: inertia.second,
            coupling: [
                Vector([0.0, -z, y]),
                Vector([z, 0.0, -x]),
                Vector([-y, x, 0.0]),
            ],
            linear: Symmetric::isotropic(inertia.mass),
        }
    }

    #[inline(always)]
    fn deflated(&self, u: Wrench<Space>, inverse: f64) -> Self {
        let (moment, force) = (u.moment * inverse, u.force * inverse);
        Self {
            angular: self.angular.less(u.moment, moment),
            coupling: std::array::from_fn(|i| self.coupling[i] - u.force * moment.0[i]),
            linear: self.linear.less(u.force, force),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rotation;

    /// A twist, a wrench, a shift and the inertia of a body.
    type Sample = (Twist<Space>, Wrench<Space>, Vector<3>, SpaceInertia);

    fn samples() -> impl Iterator<Item = Sample> {
        let mut rng = fastrand::Rng::with_seed(8);
        (0..200).map(move |_| {
            let mut vector = || Vector([0; 3].map(|_| 2.0 * rng.f64() - 1.0));
            let (angular, linear) = (vector(), vector());
            let (moment, force) = (vector(), vector());
            let at = Pose {
                rotation: Rotation::about(vector(), 2.0),
                origin: vector(),
            };
            let central = Symmetric::from([0.3, 0.4, 0.5]);
            let inertia = SpaceInertia::rigid(2.0, central, at);
            (
                Twist { angular, linear },
                Wrench { moment, force },
                vector(),
                inertia,
            )
        })
    }

    fn size(wrench: Wrench<Space>) -> f64 {
        wrench.moment.norm() + wrench.force.norm()
    }

    #[test]
    fn powers_and_carried_wrenches_do_not_depend_on_the_point() {
        for (v, f, r, inertia) in samples() {
            let s = Twist {
                angular: r,
                linear: f.force,
            };
            assert!((f.power(v.at(r)) - f.about(r).power(v)).abs() < 1e-14);
            let change = f.power(v.cross(s)) + v.cross_wrench(f).power(s);
            assert!(change.abs() < 1e-14);
            let there = inertia.seen_from(r).times(v);
            let here = inertia.times(v.at(r)).about(r);
            assert!(size(there.plus(here.times(-1.0))) < 1e-13);
        }
    }

    #[test]
    fn what_gives_way_is_seen_from_elsewhere_as_before() {
        for (v, f, r, inertia) in samples() {
            let s = Twist {
                angular: f.force,
                linear: f.moment,
            };
            let u = inertia.times(s);
            let yielding = SpaceYielding::of(&inertia).deflated(u, u.power(s).recip());
            assert!(size(yielding.times(s)) < 1e-13);
            let there = yielding.seen_from(r).times(v);
            let here = yielding.times(v.at(r)).about(r);
            assert!(size(there.plus(here.times(-1.0))) < 1e-13);
        }
    }
}
