//! Tangents of a contact, and how they turn with its normal.

use crate::vector::{Linear, Vector};

/// A projection of world x shorter than this counts as vanished.
const VANISHED: f64 = 1e-8;

/// The world axis whose projection is the first tangent.
fn guide(normal: Vector<3>) -> Vector<3> {
    let x = Vector([1.0, 0.0, 0.0]);
    let projected = x - normal * normal.0[0];
    match projected.norm() > VANISHED {
        true => x,
        false => Vector([0.0, 1.0, 0.0]),
    }
}

/// First and second tangent of a unit normal; (t1, t2, n) is right-handed.
pub(super) fn tangents(normal: Vector<3>) -> [Vector<3>; 2] {
    let guide = guide(normal);
    let projected = guide - normal * normal.dot(guide);
    let t1 = projected * projected.norm().recip();
    [t1, normal.cross(t1)]
}

/// Rates of both tangents when the normal changes at a rate.
pub(super) fn tangent_rates(normal: Vector<3>, rate: Vector<3>) -> [Vector<3>; 2] {
    let [t1, _] = tangents(normal);
    let guide = guide(normal);
    let length = (guide - normal * normal.dot(guide)).norm();
    let projected = -(rate * normal.dot(guide) + normal * rate.dot(guide));
    let t1_rate = (projected - t1 * t1.dot(projected)) * length.recip();
    [t1_rate, rate.cross(t1) + normal.cross(t1_rate)]
}
