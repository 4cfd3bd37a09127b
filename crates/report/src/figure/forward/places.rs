//! Room for names: the free place nearest to what they name.

use super::super::frame::{Box, Point};
use super::super::svg::text_width;

/// Distances of a name from its point, and the free room with which the nearer is kept.
const NEAR_AND_FAR: [f64; 2] = [9.0, 17.0];
const ENOUGH: f64 = 3.0;
/// Distance of the points a line is seen by.
const STEP: f64 = 5.0;

/// What names must keep away from.
#[derive(Debug, Default)]
pub(super) struct Taken {
    points: Vec<Point>,
}

impl Taken {
    pub(super) fn point(&mut self, at: Point) {
        self.points.push(at);
    }

    pub(super) fn line(&mut self, [from, to]: [Point; 2]) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let steps = (dx.hypot(dy) / STEP).ceil().max(1.0);
        for k in 0..=steps as usize {
            let s = k as f64 / steps;
            self.points.push((from.0 + s * dx, from.1 + s * dy));
        }
    }

    /// The middle of a name beside a point, where there is most room inside the box.
    pub(super) fn beside(&mut self, at: Point, text: &str, size: f64, inside: Box) -> Point {
        let half = (0.5 * text_width(text, size), 0.4 * size);
        let mut best = (f64::NEG_INFINITY, at);
        for (off, (ux, uy)) in NEAR_AND_FAR
            .into_iter()
            .flat_map(|off| AROUND.map(|u| (off, u)))
        {
            let middle = (
                at.0 + ux * (off + half.0 - 2.0),
                at.1 + uy * (off + half.1 - 1.0),
            );
            let room = self.room(middle, half, inside).min(ENOUGH);
            if room > best.0 + 1e-9 {
                best = (room, middle);
            }
        }
        self.cover(best.1, half);
        best.1
    }

    /// The freest of some places of a name above or below them.
    pub(super) fn freest(&mut self, at: &[Point], text: &str, size: f64, inside: Box) -> Point {
        let half = (0.5 * text_width(text, size), 0.4 * size);
        let mut best = (f64::NEG_INFINITY, (0.0, 0.0));
        for (x, y) in at {
            for side in [-1.0, 1.0] {
                let middle = (*x, y + side * (half.1 + 4.0));
                let room = self.room(middle, half, inside);
                if room > best.0 + 1e-9 {
                    best = (room, middle);
                }
            }
        }
        self.cover(best.1, half);
        best.1
    }

    /// Distance from a name to the nearest thing; less outside the box.
    fn room(&self, middle: Point, half: Point, inside: Box) -> f64 {
        let is_inside = middle.0 - half.0 >= inside.left
            && middle.0 + half.0 <= inside.right
            && middle.1 - half.1 >= inside.top
            && middle.1 + half.1 <= inside.bottom;
        let distance = |p: &Point| {
            let dx = ((p.0 - middle.0).abs() - half.0).max(0.0);
            let dy = ((p.1 - middle.1).abs() - half.1).max(0.0);
            dx.hypot(dy)
        };
        let nearest = self.points.iter().map(distance).fold(30.0, f64::min);
        if is_inside { nearest } else { nearest - 100.0 }
    }

    /// Marks the room of a name as taken.
    pub(super) fn cover(&mut self, middle: Point, half: Point) {
        for y in [-half.1, 0.0, half.1] {
            let (left, right) = (middle.0 - half.0, middle.0 + half.0);
            self.line([(left, middle.1 + y), (right, middle.1 + y)]);
        }
    }
}

/// Directions a name may stand in, the preferred first.
const AROUND: [Point; 8] = [
    (0.8, -0.8),
    (-0.8, -0.8),
    (0.8, 0.8),
    (-0.8, 0.8),
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
];
