//! What is round: rims of cylinders, nets of bowls and tubes, ellipsoids as they are seen.

use super::super::super::frame::Point;
use super::floor::{Ball, along};
use super::{Vec3, dot};

/// Corners of a circle.
const CORNERS: usize = 48;
/// Circles around a bowl below and above its equator, and meridians.
const LATITUDES: [f64; 5] = [-0.75, -0.4, 0.0, 0.4, 0.75];
const MERIDIANS: usize = 3;
/// Circles around a tube, and lines along it.
const RINGS: usize = 5;
const LINES: usize = 12;

/// A circle about an axis, closed.
fn ring(center: Vec3, axis: Vec3, radius: f64) -> impl Iterator<Item = Vec3> {
    let (e1, e2) = along(axis);
    (0..=CORNERS).map(move |k| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
        std::array::from_fn(|i| center[i] + radius * (cos * e1[i] + sin * e2[i]))
    })
}

/// A point of an axis.
fn on(center: Vec3, axis: Vec3, way: f64) -> Vec3 {
    std::array::from_fn(|i| center[i] + way * axis[i])
}

/// What is turned about an axis: a point of it, its direction, and a radius.
#[derive(Clone, Copy)]
pub(super) struct Axle {
    pub(super) center: Vec3,
    pub(super) axis: Vec3,
    pub(super) radius: f64,
}

impl Axle {
    /// The circle at a way along the axis.
    fn ring(&self, way: f64) -> impl Iterator<Item = Vec3> + use<> {
        ring(on(self.center, self.axis, way), self.axis, self.radius)
    }

    /// Lower and upper rim of a cylinder of some length.
    pub(super) fn rims(&self, length: f64) -> [Vec<Vec3>; 2] {
        [-0.5, 0.5].map(|part| self.ring(part * length).collect())
    }
}

/// Circles around a sphere and across it.
pub(super) fn net_of_bowl(center: Vec3, radius: f64) -> Vec<Vec<Vec3>> {
    let up = [0.0, 0.0, 1.0];
    let around = LATITUDES.iter().map(|part| {
        let narrow = (1.0 - part * part).sqrt() * radius;
        ring(on(center, up, part * radius), up, narrow).collect()
    });
    let across = (0..MERIDIANS).map(|k| {
        let (sin, cos) = (std::f64::consts::PI * k as f64 / MERIDIANS as f64).sin_cos();
        ring(center, [cos, sin, 0.0], radius).collect()
    });
    around.chain(across).collect()
}

/// Circles around the part of a tube where something moves, and lines along it.
pub(super) fn net_of_tube(tube: Axle, around: &[Ball]) -> Vec<Vec<Vec3>> {
    let (low, high) = span(&tube, around);
    let rings = (0..RINGS).map(|k| {
        let part = k as f64 / (RINGS - 1) as f64;
        tube.ring(low + part * (high - low)).collect()
    });
    let ends = [low, high].map(|way| tube.ring(way).collect::<Vec<_>>());
    let lines = (0..CORNERS).step_by(CORNERS / LINES);
    let lines = lines.map(|k| ends.iter().filter_map(|rim| rim.get(k).copied()).collect());
    rings.chain(lines).collect()
}

/// The part of a tube where something moves: ways along its axis (m).
fn span(tube: &Axle, around: &[Ball]) -> (f64, f64) {
    let ways = around.iter().map(|(p, reach)| {
        let out: Vec3 = std::array::from_fn(|i| p[i] - tube.center[i]);
        let way = dot(out, tube.axis);
        (way - reach, way + reach)
    });
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = ways.fold(none, |span, way| (span.0.min(way.0), span.1.max(way.1)));
    match low.is_finite() && high.is_finite() {
        true => (low - 0.5 * tube.radius, high + 0.5 * tube.radius),
        false => (-tube.radius, tube.radius),
    }
}

/// The ellipse that is seen of an ellipsoid, from its centre and its semi-axes on paper: `M = Σ a aᵀ` is `u uᵀ + v vᵀ`
/// of any two conjugate half-diameters u and v, of which one may lie along x or y.
pub(super) fn seen(center: Point, semi_axes: [Point; 3]) -> Vec<Point> {
    let sum = |term: fn(&Point) -> f64| semi_axes.iter().map(term).sum::<f64>();
    let (xx, xy, yy) = (sum(|a| a.0 * a.0), sum(|a| a.0 * a.1), sum(|a| a.1 * a.1));
    let root = xx.max(yy).sqrt();
    let rest = ((xx * yy - xy * xy).max(0.0)).sqrt() / root;
    let (u, v) = match xx >= yy {
        true => ((root, xy / root), (0.0, rest)),
        false => ((xy / root, root), (rest, 0.0)),
    };
    let at = |k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
        (
            center.0 + u.0 * cos + v.0 * sin,
            center.1 + u.1 * cos + v.1 * sin,
        )
    };
    (0..CORNERS).map(at).collect()
}

/// The corners of the least convex polygon around points, counter-clockwise.
pub(super) fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let chain = |points: &mut dyn Iterator<Item = Point>| {
        let mut out: Vec<Point> = Vec::new();
        for p in points {
            while let [.., a, b] = out[..] {
                let turn = (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
                if turn > 0.0 {
                    break;
                }
                out.pop();
            }
            out.push(p);
        }
        out.pop();
        out
    };
    let mut all = chain(&mut points.iter().copied());
    all.extend(chain(&mut points.iter().rev().copied()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_with_points_inside_is_the_square() {
        let mut points = vec![(0.5, 0.5), (0.2, 0.7), (0.5, 0.0)];
        points.extend([(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]);
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        assert_eq!(hull(points), square);
    }

    #[test]
    fn an_ellipsoid_is_seen_as_the_ellipse_whose_extents_are_its_own() {
        let ellipse = seen((1.0, 2.0), [(0.0, 3.0), (0.0, 0.0), (-0.5, 0.0)]);
        assert_eq!(ellipse.len(), CORNERS);
        for (x, y) in ellipse {
            let on = ((x - 1.0) / 0.5).powi(2) + ((y - 2.0) / 3.0).powi(2);
            assert!((on - 1.0).abs() < 1e-14, "{on}");
        }
        // Along a direction d an ellipsoid reaches as far as |(a·d)|.
        let semi_axes = [(0.4, 0.1), (-0.2, 0.3), (0.1, 0.2)];
        let ellipse = seen((0.0, 0.0), semi_axes);
        for k in 0..10 {
            let (sin, cos) = (0.3 * f64::from(k)).sin_cos();
            let along = |p: &Point| p.0 * cos + p.1 * sin;
            let reach = ellipse.iter().map(along).fold(0.0, f64::max);
            let [a, b, c] = semi_axes.each_ref().map(along);
            let wanted = a.hypot(b).hypot(c);
            assert!(reach <= wanted * (1.0 + 1e-15) && reach > 0.997 * wanted);
        }
    }

    #[test]
    fn the_rims_of_a_cylinder_are_its_radius_from_the_axis_and_its_length_apart() {
        let axis = [0.6, 0.0, 0.8];
        let axle = Axle {
            center: [1.0, 2.0, 3.0],
            axis,
            radius: 0.5,
        };
        let [low, high] = axle.rims(4.0);
        for (a, b) in low.into_iter().zip(high) {
            let apart: Vec3 = std::array::from_fn(|i| b[i] - a[i] - 4.0 * axis[i]);
            assert!(dot(apart, apart) < 1e-28);
            let out: Vec3 = std::array::from_fn(|i| 0.5 * (a[i] + b[i]) - [1.0, 2.0, 3.0][i]);
            assert!((dot(out, out).sqrt() - 0.5).abs() < 1e-15 && dot(out, axis).abs() < 1e-15);
        }
    }
}
