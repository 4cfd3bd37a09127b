//! A window of a plane on paper: scales, ticks, clipped lines.

use carom_contact::impact::planar::Line;

use super::svg::{Anchor, Stroke, Svg, colour};
use crate::number::significant;

/// A point, in the quantities of the window or on paper.
pub(super) type Point = (f64, f64);

/// Place of the window on the paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// Window of the plane and its place on the paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    pub(super) place: Box,
}

/// Room left beside the points, as a fraction of their spread.
const ROOM: f64 = 0.14;
/// Least height of the window over its width, so that a flat path is not blown up.
const LEAST_HEIGHT: f64 = 0.3;
/// A line meets the window if it comes this close (fraction of its size).
const EDGE: f64 = 1e-9;

impl Frame {
    /// A window that shows the origin and every point, with some room.
    pub(super) fn around(points: &[Point], place: Box) -> Self {
        let far = points.iter().map(|p| p.0).fold(0.0, f64::max);
        let high = points.iter().map(|p| p.1).fold(0.0, f64::max);
        let low = points.iter().map(|p| p.1).fold(0.0, f64::min);
        let far = if far > 0.0 { (1.0 + ROOM) * far } else { 1.0 };
        let height = (high - low).max(LEAST_HEIGHT * far);
        let room = (height - (high - low)) / 2.0 + ROOM * height;
        Self {
            x: (0.0, far),
            y: (low - room, high + room),
            place,
        }
    }

    pub(super) fn at(&self, p: Point) -> Point {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.place;
        let x = (p.0 - self.x.0) / (self.x.1 - self.x.0);
        let y = (p.1 - self.y.0) / (self.y.1 - self.y.0);
        (left + x * (right - left), bottom - y * (bottom - top))
    }

    /// The part of a line inside the window, from left to right (or bottom to top).
    pub(super) fn clip(&self, line: &Line) -> Option<[Point; 2]> {
        let ((x0, x1), (y0, y1)) = (self.x, self.y);
        let mut hits: Vec<Point> = Vec::new();
        if line.t != 0.0 {
            let y = |x: f64| -(line.n * x + line.offset) / line.t;
            hits.extend([(x0, y(x0)), (x1, y(x1))]);
        }
        if line.n != 0.0 {
            let x = |y: f64| -(line.t * y + line.offset) / line.n;
            hits.extend([(x(y0), y0), (x(y1), y1)]);
        }
        let (dx, dy) = (EDGE * (x1 - x0), EDGE * (y1 - y0));
        hits.retain(|p| (x0 - dx..=x1 + dx).contains(&p.0) && (y0 - dy..=y1 + dy).contains(&p.1));
        hits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (first, last) = (*hits.first()?, *hits.last()?);
        (first != last).then_some([first, last])
    }

    /// Grid, axes and labels; very large or small numbers are shown in a power of ten.
    pub(super) fn axes(&self, svg: &mut Svg, x_name: &str, y_name: &str) {
        let Box {
            left,
            right,
            top,
            bottom,
        } = self.place;
        let grid = Stroke::solid(colour::LIGHT, 1.0);
        let axis = Stroke::solid(colour::BLACK, 1.2);
        let (x_unit, x_power) = unit(self.x);
        for tick in ticks(self.x, 7) {
            let (x, _) = self.at((tick, 0.0));
            svg.line((x, top), (x, bottom), grid);
            let label = significant(tick / x_unit, 6);
            svg.text(
                (x, bottom + 18.0),
                Anchor::Middle,
                13.0,
                colour::BLACK,
                &label,
            );
        }
        let (y_unit, y_power) = unit(self.y);
        for tick in ticks(self.y, 6) {
            let (_, y) = self.at((0.0, tick));
            svg.line((left, y), (right, y), grid);
            let label = significant(tick / y_unit, 6);
            svg.text(
                (left - 8.0, y + 4.5),
                Anchor::End,
                13.0,
                colour::BLACK,
                &label,
            );
        }
        let (_, zero) = self.at((0.0, 0.0));
        svg.line((left, zero), (right, zero), axis);
        svg.line((left, top), (left, bottom), axis);
        let below = ((left + right) / 2.0, bottom + 40.0);
        let name = format!("{x_name} ({x_power}N·s)");
        svg.text(below, Anchor::Middle, 14.0, colour::BLACK, &name);
        let name = format!("{y_name} ({y_power}N·s)");
        svg.vertical_text((20.0, (top + bottom) / 2.0), 14.0, &name);
    }
}

/// The power of ten an axis is labelled in, and how it is written before the unit.
fn unit(range: (f64, f64)) -> (f64, String) {
    let most = range.0.abs().max(range.1.abs());
    let power = most.log10().floor();
    if (-2.0..4.0).contains(&power) || !power.is_finite() {
        return (1.0, String::new());
    }
    let digits = format!("{power}");
    let raised = digits.chars().map(|c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        c => char::from_u32(c as u32 - '0' as u32 + '⁰' as u32).unwrap_or(c),
    });
    (
        10f64.powf(power),
        format!("10{} ", raised.collect::<String>()),
    )
}

/// Round numbers inside a range, about `count` of them.
fn ticks(range: (f64, f64), count: usize) -> Vec<f64> {
    let raw = (range.1 - range.0) / count as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .map(|k| k * power)
        .into_iter()
        .find(|step| *step >= raw)
        .unwrap_or(raw);
    let first = (range.0 / step).ceil() as i64;
    let last = (range.1 / step).floor() as i64;
    (first..=last.min(first.saturating_add(40)))
        .map(|k| k as f64 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            ticks((0.0, 1.0), 5),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        let small = ticks((-3e-7, 4e-7), 6);
        assert!(small.len() > 3 && small.iter().all(|t| (-3e-7..=4e-7).contains(t)));
    }

    #[test]
    fn an_axis_of_small_numbers_is_labelled_in_a_power_of_ten() {
        assert_eq!(unit((0.0, 0.9)), (1.0, String::new()));
        assert_eq!(unit((-3e-7, 1e-8)).1, "10⁻⁷ ");
        assert_eq!(unit((0.0, 4.5e120)).1, "10¹²⁰ ");
    }
}
