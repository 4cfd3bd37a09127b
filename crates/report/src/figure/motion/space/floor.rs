//! Half-spaces as grids below the motion.

use carom_sim::record::{BodyScene, Outline};

use super::super::super::frame::Point;
use super::super::super::svg::{Stroke, Svg, colour};
use super::Vec3;
use super::view::{cross, dot};

/// Cells of a grid across the motion, about.
const CELLS: f64 = 8.0;
/// Least size of a grid (m), for a motion that is a point.
const LEAST: f64 = 1e-9;

/// A patch of a plane with lines at round distances.
pub(super) struct Floor {
    base: Vec3,
    e1: Vec3,
    e2: Vec3,
    /// First and last line along both directions, and their distance (m).
    first: [f64; 2],
    last: [f64; 2],
    step: f64,
}

/// A point and how far what is drawn there reaches around it (m).
pub(super) type Ball = (Vec3, f64);

/// A patch per half-space of the world, below what moves.
pub(super) fn floors(world: &BodyScene<Vec3>, moving: &[Ball]) -> Vec<Floor> {
    let planes = world.outlines.iter().filter_map(|outline| match outline {
        Outline::HalfSpace { point, normal } => Some((*point, *normal)),
        _ => None,
    });
    planes
        .filter_map(|(base, normal)| Floor::below(base, normal, moving))
        .collect()
}

impl Floor {
    fn below(base: Vec3, normal: Vec3, moving: &[Ball]) -> Option<Self> {
        let (e1, e2) = along(normal);
        let mut ends = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        for (p, reach) in moving {
            let out: Vec3 = std::array::from_fn(|k| p[k] - base[k]);
            for (end, axis) in ends.iter_mut().zip([e1, e2]) {
                let x = dot(out, axis);
                *end = (end.0.min(x - reach), end.1.max(x + reach));
            }
        }
        let size = ends.iter().map(|(low, high)| high - low);
        let size = size.fold(LEAST, f64::max);
        if !size.is_finite() {
            return None;
        }
        let step = round_below(1.6 * size / CELLS);
        let room = 0.25 * size;
        Some(Self {
            base,
            e1,
            e2,
            first: ends.map(|(low, _)| ((low - room) / step).floor() * step),
            last: ends.map(|(_, high)| ((high + room) / step).ceil() * step),
            step,
        })
    }

    fn at(&self, x: f64, y: f64) -> Vec3 {
        std::array::from_fn(|k| self.base[k] + x * self.e1[k] + y * self.e2[k])
    }

    pub(super) fn corners(&self) -> [Vec3; 4] {
        let ([a, b], [c, d]) = (self.first, self.last);
        [self.at(a, b), self.at(c, b), self.at(c, d), self.at(a, d)]
    }

    pub(super) fn draw(&self, svg: &mut Svg, on_paper: impl Fn(Vec3) -> Point) {
        let line = Stroke::solid(colour::LIGHT, 1.0);
        svg.shape(&self.corners().map(&on_paper), "#f4f4f4", line);
        let ([a, b], [c, d]) = (self.first, self.last);
        let count = |low: f64, high: f64| ((high - low) / self.step).round() as usize;
        for k in 0..=count(a, c) {
            let x = a + self.step * k as f64;
            svg.line(on_paper(self.at(x, b)), on_paper(self.at(x, d)), line);
        }
        for k in 0..=count(b, d) {
            let y = b + self.step * k as f64;
            svg.line(on_paper(self.at(a, y)), on_paper(self.at(c, y)), line);
        }
    }
}

/// Two unit vectors along a plane, the first along x where the plane is level.
pub(super) fn along(normal: Vec3) -> (Vec3, Vec3) {
    let across = match normal[2].abs() < 0.9 {
        true => cross([0.0, 0.0, 1.0], normal),
        false => cross([0.0, 1.0, 0.0], normal),
    };
    let length = dot(across, across).sqrt();
    let e1 = across.map(|x| x / length);
    (e1, cross(normal, e1))
}

/// The largest of 1, 2, 5 times a power of ten that is not above a length.
pub(super) fn round_below(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    let fits = [5.0, 2.0].into_iter().find(|m| m * power <= length);
    fits.unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_lengths_are_one_two_or_five() {
        assert_eq!([0.34, 7.0, 1.0].map(round_below), [0.2, 5.0, 1.0]);
    }

    #[test]
    fn a_floor_reaches_below_everything_that_moves() {
        let way = [([0.0, 0.0, 1.0], 0.5), ([3.0, -1.0, 2.0], 0.0)];
        let floor = Floor::below([0.0; 3], [0.0, 0.0, 1.0], &way);
        let corners = floor.map(|floor| floor.corners()).unwrap_or_default();
        let reach = |k: usize| {
            let all = corners.map(|p| p[k]);
            (
                all.into_iter().fold(f64::MAX, f64::min),
                all.into_iter().fold(f64::MIN, f64::max),
            )
        };
        assert!(reach(0).0 < -0.5 && reach(0).1 > 3.0 && reach(1).0 < -1.0 && reach(1).1 > 0.0);
        assert_eq!(reach(2), (0.0, 0.0));
    }
}
