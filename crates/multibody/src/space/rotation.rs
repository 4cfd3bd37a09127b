//! Orientation in space.

use crate::plane::sine::sin_cos;
use crate::vector::{Linear, Vector};

/// A rotation: a unit quaternion and its matrix.
///
/// The quaternion is (w, x, y, z); a turn by θ about the unit axis u is `(cos θ/2, u sin θ/2)`. It
/// takes vectors of the turned frame to the axes in which the frame is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    quaternion: [f64; 4],
    rows: [Vector<3>; 3],
}

const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Product of quaternions: first `a`, then `b` in the axes that `a` made.
#[inline(always)]
pub(super) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([aw, ax, ay, az], [bw, bx, by, bz]) = (a, b);
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// The quaternion at unit length; its direction is kept.
#[inline(always)]
pub(super) fn unit(quaternion: [f64; 4]) -> [f64; 4] {
    let square: f64 = quaternion.iter().map(|x| x * x).sum();
    let inverse = square.sqrt().recip();
    quaternion.map(|x| x * inverse)
}

impl Rotation {
    /// From a quaternion of any length but zero.
    #[inline(always)]
    pub fn new(quaternion: [f64; 4]) -> Self {
        Self::of_unit(unit(quaternion))
    }

    /// By an angle (rad) about an axis of any length but zero.
    pub fn about(axis: impl Into<Vector<3>>, angle: f64) -> Self {
        let axis = axis.into();
        Self::about_unit(axis * axis.norm().recip(), angle)
    }

    #[inline(always)]
    pub(super) fn about_unit(axis: Vector<3>, angle: f64) -> Self {
        Self::of_unit(turn(axis, angle))
    }

    #[inline(always)]
    pub(super) fn of_unit(quaternion: [f64; 4]) -> Self {
        let [w, x, y, z] = quaternion;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Self {
            quaternion,
            rows: [
                Vector([1.0 - (yy + zz), xy - wz, xz + wy]),
                Vector([xy + wz, 1.0 - (xx + zz), yz - wx]),
                Vector([xz - wy, yz + wx, 1.0 - (xx + yy)]),
            ],
        }
    }

    /// The unit quaternion (w, x, y, z).
    pub fn quaternion(&self) -> [f64; 4] {
        self.quaternion
    }

    /// The rows of its matrix.
    #[inline(always)]
    pub fn rows(&self) -> &[Vector<3>; 3] {
        &self.rows
    }

    /// The vector `r` of the turned frame, in the outer axes.
    #[inline(always)]
    pub fn apply(&self, r: Vector<3>) -> Vector<3> {
        Vector(self.rows.map(|row| row.dot(r)))
    }

    /// The vector `r` of the outer axes, in the turned frame.
    #[inline(always)]
    pub fn undo(&self, r: Vector<3>) -> Vector<3> {
        let ([x, y, z], Vector(r)) = (&self.rows, r);
        *x * r[0] + *y * r[1] + *z * r[2]
    }

    /// First this rotation, then `inner` in the axes it made; turning by nothing costs nothing.
    #[inline(always)]
    pub fn then(&self, inner: &Self) -> Self {
        if inner.quaternion == IDENTITY {
            return *self;
        }
        Self::of_unit(product(self.quaternion, inner.quaternion))
    }

    /// First this rotation, then a turn about a unit axis of the frame it made.
    #[inline(always)]
    pub(super) fn then_about(&self, axis: Vector<3>, angle: f64) -> Self {
        Self::of_unit(product(self.quaternion, turn(axis, angle)))
    }

    /// The opposite rotation.
    pub fn inverse(&self) -> Self {
        let [w, x, y, z] = self.quaternion;
        Self::of_unit([w, -x, -y, -z])
    }
}

/// Quaternion of a turn about a unit axis.
#[inline(always)]
fn turn(axis: Vector<3>, angle: f64) -> [f64; 4] {
    let (sin, cos) = sin_cos(0.5 * angle);
    let Vector([x, y, z]) = axis * sin;
    [cos, x, y, z]
}

impl Default for Rotation {
    fn default() -> Self {
        Self::of_unit(IDENTITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_turns_as_rodrigues_says() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..1000 {
            let mut number = || 2.0 * rng.f64() - 1.0;
            let mut vector = || Vector([number(), number(), number()]);
            let (axis, r) = (vector(), vector());
            let (angle, u) = (7.0 * number(), axis * axis.norm().recip());
            let turned = Rotation::about(axis, angle);
            let (sin, cos) = angle.sin_cos();
            let other = r * cos + u.cross(r) * sin + u * (u.dot(r) * (1.0 - cos));
            assert!((turned.apply(r) - other).norm() < 4e-15);
            assert!((turned.undo(turned.apply(r)) - r).norm() < 4e-15);
            assert!((turned.inverse().apply(r) - turned.undo(r)).norm() < 4e-15);
            let twice = turned.then(&turned).apply(r);
            assert!((twice - turned.apply(turned.apply(r))).norm() < 4e-15);
        }
    }
}
