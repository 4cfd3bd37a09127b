//! Tangents of a contact, and how they turn with its normal.

use crate::vector::{Linear, Vector};

/// A projection of world x shorter than this counts as vanished.
const VANISHED: f64 = 1e-8;

/// The world axis whose projection on the tangent plane is the first tangent.
struct Guide {
    axis: usize,
    /// Length of that projection.
    length: f64,
}

impl Guide {
    fn of(normal: Vector<3>) -> Self {
        let [n_x, n_y, n_z] = normal.0;
        // The same as that of x − n_x n, without its cancellation where the normal is next to x.
        let length = n_y.hypot(n_z);
        match length > VANISHED {
            true => Self { axis: 0, length },
            false => Self {
                axis: 1,
                length: n_x.hypot(n_z),
            },
        }
    }
}

/// First and second tangent of a unit normal; (t1, t2, n) is right-handed.
///
/// With g the guiding axis, `t2 = n × g / |n × g|` and `t1 = t2 × n`.
pub(super) fn tangents(normal: Vector<3>) -> [Vector<3>; 2] {
    let guide = Guide::of(normal);
    let mut axis = Vector::default();
    axis.0[guide.axis] = 1.0;
    let t2 = normal.cross(axis) * guide.length.recip();
    [t2.cross(normal), t2]
}

/// Rates of both tangents when the normal changes at a rate.
///
/// They stay across the normal, and turn about it so that t2 stays across the guiding axis:
///
/// ```text
/// ṫ1 = −(t1·ṅ) n + s t2,   ṫ2 = −(t2·ṅ) n − s t1,   s = −(t2·ṅ) (n·g) / |n × g|
/// ```
pub(super) fn tangent_rates(normal: Vector<3>, rate: Vector<3>) -> [Vector<3>; 2] {
    let guide = Guide::of(normal);
    let [t1, t2] = tangents(normal);
    let spin = -t2.dot(rate) * normal.0[guide.axis] / guide.length;
    [
        t2 * spin - normal * t1.dot(rate),
        -(t1 * spin) - normal * t2.dot(rate),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the rule is worded: the projection of x, of y where that vanishes.
    fn worded(normal: Vector<3>) -> [Vector<3>; 2] {
        let x = Vector([1.0, 0.0, 0.0]);
        let y = Vector([0.0, 1.0, 0.0]);
        let projected = |g: Vector<3>| g - normal * normal.dot(g);
        let p = match projected(x).norm() > VANISHED {
            true => projected(x),
            false => projected(y),
        };
        let t1 = p * p.norm().recip();
        [t1, normal.cross(t1)]
    }

    fn unit(r: Vector<3>) -> Vector<3> {
        r * r.norm().recip()
    }

    #[test]
    fn the_first_tangent_is_the_projection_of_x_or_of_y_where_that_vanishes() {
        let normals = [
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
            [0.0, 1.0, 0.0],
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.3, -0.5, 0.8],
            [-0.9, 0.01, 0.2],
        ];
        for n in normals.map(|n| unit(Vector(n))) {
            for (found, wanted) in tangents(n).into_iter().zip(worded(n)) {
                assert!((found - wanted).norm() < 1e-15, "{n:?}");
            }
        }
        let floor = tangents(Vector([0.0, 0.0, 1.0]));
        assert_eq!(floor, [Vector([1.0, 0.0, 0.0]), Vector([0.0, 1.0, 0.0])]);
    }

    /// Next to x the tangents stay unit vectors across the normal to round-off.
    #[test]
    fn next_to_x_the_tangents_lose_no_digits() {
        for k in 0..60 {
            let off = 10f64.powf(-0.2 * f64::from(k));
            let n = unit(Vector([1.0, 0.6 * off, -0.8 * off]));
            let [t1, t2] = tangents(n);
            assert!((t1.norm() - 1.0).abs() < 1e-15 && (t2.norm() - 1.0).abs() < 1e-15);
            assert!(t1.dot(n).abs() < 1e-15 && t2.dot(n).abs() < 1e-15);
            assert!((t1.cross(t2) - n).norm() < 1e-15, "off {off}");
        }
    }

    #[test]
    fn tangents_turn_at_the_rates_of_their_differences() {
        let way = Vector([0.3, -0.7, 0.4]);
        for n in [[0.2, 0.5, 0.8], [0.999, 0.03, -0.02], [-0.6, 0.1, 0.7]] {
            let n = unit(Vector(n));
            let rate = way - n * n.dot(way);
            let at = |dt: f64| tangents(unit(n + rate * dt));
            let h = 1e-6;
            let (before, after) = (at(-h), at(h));
            for (k, found) in tangent_rates(n, rate).into_iter().enumerate() {
                let wanted = (after[k] - before[k]) * (0.5 / h);
                assert!(
                    (found - wanted).norm() < 1e-6 * (1.0 + wanted.norm()),
                    "{n:?}"
                );
            }
        }
    }
}
