//! Names of lines, put where the figure is empty.

use super::super::frame::{Box, Point};
use super::super::svg::{Anchor, Svg};

/// Size of a name (units of the drawing) and the room around it that should be free.
const SIZE: f64 = 13.0;
const CLEAR: f64 = 46.0;
/// Distance of a name from its line.
const BESIDE: f64 = 13.0;

/// Names placed so far, and what the next must avoid.
pub(super) struct Labels {
    taken: Vec<Point>,
    placed: Vec<(Point, String, &'static str)>,
    inside: Box,
}

impl Labels {
    /// Names that keep away from these points and stay inside the box.
    pub(super) fn avoiding(points: impl Iterator<Item = Point>, inside: Box) -> Self {
        let points: Vec<Point> = points.collect();
        let mut taken = points.clone();
        // The path between the corners is drawn too.
        for ends in points.windows(2) {
            for k in 1..6 {
                let s = f64::from(k) / 6.0;
                let along = |a: f64, b: f64| a + s * (b - a);
                taken.push((along(ends[0].0, ends[1].0), along(ends[0].1, ends[1].1)));
            }
        }
        Self {
            taken,
            placed: Vec::new(),
            inside,
        }
    }

    /// Chooses the place beside a line that is farthest from everything.
    pub(super) fn place(&mut self, ends: [Point; 2], text: &str, colour: &'static str) {
        let (dx, dy) = (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1);
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let width = 0.32 * SIZE * text.len() as f64;
        let (nx, ny) = (-dy / length, dx / length);
        // A name is wide: beside a steep line it must stand farther off.
        let off = BESIDE + width * nx.abs();
        let mut best: Option<(f64, Point)> = None;
        for k in 1..=19 {
            let s = f64::from(k) / 20.0;
            for side in [-off, off] {
                let at = (
                    ends[0].0 + s * dx + side * nx,
                    ends[0].1 + s * dy + side * ny,
                );
                if let Some(score) = self.score(at, width)
                    && best.is_none_or(|(most, _)| score > most)
                {
                    best = Some((score, at));
                }
            }
        }
        if let Some((_, at)) = best {
            self.taken.push(at);
            self.placed.push((at, text.to_owned(), colour));
        }
    }

    /// Distance to the nearest thing, up to what counts as clear; none outside the box.
    fn score(&self, at: Point, width: f64) -> Option<f64> {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.inside;
        let is_inside = (left + width..=right - width).contains(&at.0)
            && (top + SIZE..=bottom - SIZE).contains(&at.1);
        let near = self.taken.iter().map(|p| {
            let (dx, dy) = (p.0 - at.0, p.1 - at.1);
            (dx * dx + dy * dy).sqrt()
        });
        is_inside.then(|| near.fold(CLEAR, f64::min))
    }

    pub(super) fn draw(&self, svg: &mut Svg) {
        for ((x, y), text, colour) in &self.placed {
            svg.text((*x, y + 0.35 * SIZE), Anchor::Middle, SIZE, colour, text);
        }
    }
}
