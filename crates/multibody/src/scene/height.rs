//! Where points lie: outside an outline, or on it.

use super::{BodyScene, Outline, Scene};

/// A point nearer than this part of its coordinates lies on an outline.
const TOUCHING: f64 = 1e-6;

impl Scene {
    /// Whether a point lies on an outline of the world: what stands still takes an impulse unmoved.
    pub fn is_on_world(&self, point: &[f64]) -> bool {
        match self {
            Self::Plane(scene) => scene.world.touches(point),
            Self::Space(scene) => scene.world.touches(point),
        }
    }
}

impl<const D: usize> BodyScene<[f64; D]> {
    /// Whether a point of the frame of the body lies on one of its outlines.
    fn touches(&self, point: &[f64]) -> bool {
        let Ok(point) = <[f64; D]>::try_from(point) else {
            return false;
        };
        let near = TOUCHING * point.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let mut outlines = self.outlines.iter();
        outlines.any(|outline| outline.height(point).abs() <= near)
    }
}

impl<const D: usize> Outline<[f64; D]> {
    /// How far a point lies outside (m), at least; negative inside.
    pub fn height(&self, p: [f64; D]) -> f64 {
        match self {
            Self::Round { from, to, radius } => distance(p, *from, *to) - radius,
            Self::Polygon { corners } => {
                let sides = corners.iter().zip(corners.iter().cycle().skip(1));
                let above = sides.map(|(a, b)| {
                    let ([ax, ay, _], [bx, by, _]) = (in_space(*a), in_space(*b));
                    above([ax, ay, 0.0], [by - ay, ax - bx, 0.0], p)
                });
                above.fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Polyhedron { corners, faces } => {
                let above = faces.iter().filter_map(|face| {
                    let (at, normal) = face_plane(corners, face)?;
                    Some(above(at, normal, p))
                });
                above.fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Cylinder {
                center,
                axis,
                radius,
                length,
            } => {
                let (along, beside) = cylindrical(p, *center, *axis);
                (along.abs() - 0.5 * length).max(beside - radius)
            }
            Self::Ellipsoid { center, semi_axes } => above_ellipsoid(p, *center, semi_axes),
            Self::Bowl { center, radius } => radius - distance(p, *center, *center),
            Self::Tube {
                center,
                axis,
                radius,
            } => radius - cylindrical(p, *center, *axis).1,
            Self::HalfSpace { point, normal } => above(in_space(*point), in_space(*normal), p),
        }
    }
}

/// A corner of a face and its normal, of any length, out of the polyhedron.
pub fn face_plane<const D: usize>(
    corners: &[[f64; D]],
    face: &[usize],
) -> Option<([f64; 3], [f64; 3])> {
    let [a, b, c, ..] = face else {
        return None;
    };
    let at = |k: &usize| corners.get(*k).map(|p| in_space(*p));
    let (a, b, c) = (at(a)?, at(b)?, at(c)?);
    let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    let normal = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    Some((a, normal))
}

/// Height of a point above a plane (m).
fn above<const D: usize>(at: [f64; 3], normal: [f64; 3], p: [f64; D]) -> f64 {
    let p = in_space(p);
    let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
    let along: f64 = (0..3).map(|k| normal[k] * (p[k] - at[k])).sum();
    along / length
}

/// How far a point lies outside of an ellipsoid (m), at least: stretched to a ball of radius one, no direction is
/// shortened by more than the least of its semi-axes.
fn above_ellipsoid<const D: usize>(p: [f64; D], center: [f64; D], axes: &[[f64; D]; 3]) -> f64 {
    let dot = |a: &[f64; D], b: &[f64; D]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let out: [f64; D] = std::array::from_fn(|k| p[k] - center[k]);
    let squares = axes.each_ref().map(|axis| dot(axis, axis));
    let stretched = (0..3).map(|k| dot(&out, &axes[k]) / squares[k]);
    let least = squares.into_iter().fold(f64::INFINITY, f64::min).sqrt();
    (stretched.map(|u| u * u).sum::<f64>().sqrt() - 1.0) * least
}

/// How far a point is along an axis through a centre, and beside it (m).
fn cylindrical<const D: usize>(p: [f64; D], center: [f64; D], axis: [f64; D]) -> (f64, f64) {
    let along = (0..D).map(|k| axis[k] * (p[k] - center[k])).sum();
    let foot = std::array::from_fn(|k| center[k] + along * axis[k]);
    (along, distance(p, foot, foot))
}

/// A point of the plane has z = 0.
fn in_space<const D: usize>(p: [f64; D]) -> [f64; 3] {
    let mut out = [0.0; 3];
    out.iter_mut().zip(p).for_each(|(out, x)| *out = x);
    out
}

/// Distance of a point from a segment (m).
fn distance<const D: usize>(p: [f64; D], from: [f64; D], to: [f64; D]) -> f64 {
    let dot = |a: [f64; D], b: [f64; D]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    let minus = |a: [f64; D], b: [f64; D]| std::array::from_fn(|k| a[k] - b[k]);
    let (along, out): ([f64; D], [f64; D]) = (minus(to, from), minus(p, from));
    let length = dot(along, along);
    let share = match length > 0.0 {
        true => (dot(out, along) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    let rest: [f64; D] = std::array::from_fn(|k| out[k] - share * along[k]);
    dot(rest, rest).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_as_high_above_a_cube_as_above_its_nearest_face() {
        let corners: Vec<[f64; 3]> = (0..8)
            .map(|k| [k & 1, (k >> 1) & 1, k >> 2].map(|x| f64::from(2 * x - 1)))
            .collect();
        let faces = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let faces = faces.map(|face| face.to_vec()).to_vec();
        let cube = Outline::Polyhedron { corners, faces };
        assert_eq!(cube.height([0.0, 0.0, 3.0]), 2.0);
        assert_eq!(cube.height([0.5, -0.9, 0.0]), -0.09999999999999998);
    }

    #[test]
    fn a_point_on_an_ellipsoid_has_no_height_and_outside_no_more_than_its_distance() {
        let semi_axes = [[0.0, 2.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.5]];
        let center = [1.0, 0.0, 0.0];
        let egg = Outline::Ellipsoid { center, semi_axes };
        assert_eq!(egg.height([1.0, 2.0, 0.0]), 0.0);
        assert_eq!(egg.height([1.0, 0.0, 1.5]), 1.0);
        assert_eq!(egg.height(center), -0.5);
        assert!((0.0..=1.0).contains(&egg.height([3.0, 0.0, 0.0])));
    }

    #[test]
    fn heights_above_a_square_a_disk_and_a_floor_agree_with_the_eye() {
        let corners = vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        assert_eq!(Outline::Polygon { corners }.height([1.5, 0.2]), 0.5);
        let (from, to) = ([0.0, 0.0], [2.0, 0.0]);
        let capsule = Outline::Round {
            from,
            to,
            radius: 0.5,
        };
        assert_eq!(capsule.height([1.0, 2.0]), 1.5);
        let (point, normal) = ([0.0, 1.0], [0.0, 1.0]);
        assert_eq!(
            Outline::HalfSpace { point, normal }.height([5.0, 0.0]),
            -1.0
        );
    }
}
