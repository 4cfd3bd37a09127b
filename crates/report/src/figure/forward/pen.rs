//! Pens and small shapes the diagrams share.

use carom_contact::forward::graph::CountRow;

use super::super::chart::{Entry, MARGIN, Mark, WIDTH, draw_legend, legend_height};
use super::super::frame::{Box, Point, Range};
use super::super::svg::{Anchor, Stroke, Svg, colour, fitted};

/// Height of a title (units of the drawing).
const TITLE: f64 = 20.0;
/// Space below a window for numbers and name.
pub(super) const BELOW: f64 = 52.0;
/// Length of an arrow head, half its width, and its distance from the mark it points to.
const HEAD: f64 = 8.0;
const HALF_HEAD: f64 = 4.0;
const OFF: f64 = 3.5;

/// A column of a count diagram: the sign of the velocity and where its count stands.
pub(super) type Column = (i8, fn(&CountRow) -> Option<usize>);

/// The columns in the order they are drawn.
pub(super) const COLUMNS: [Column; 3] = [
    (1, |row| row.moving_plus),
    (0, |row| row.at_rest),
    (-1, |row| row.moving_minus),
];

/// Pen of a velocity: told apart by colour and by dashes.
pub(super) fn velocity_pen(velocity: i8) -> Stroke {
    let (colour, width, dash) = match velocity {
        1 => (colour::BLUE, 2.0, "9 3 2 3"),
        -1 => (colour::ORANGE, 2.0, "2.5 3"),
        _ => (colour::BLACK, 4.5, ""),
    };
    Stroke {
        colour,
        width,
        dash,
    }
}

/// Mark of an answer at a velocity.
pub(super) fn velocity_mark(velocity: i8) -> Mark {
    match velocity {
        1 => Mark::Disk,
        -1 => Mark::Triangle,
        _ => Mark::Square,
    }
}

/// Draws an answer; one at rest is an open square that a start in motion is seen in.
pub(super) fn draw_answer(svg: &mut Svg, at: Point, velocity: i8) {
    let pen = velocity_pen(velocity);
    if velocity != 0 {
        velocity_mark(velocity).draw(svg, at, pen.colour);
        return;
    }
    let corners = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)];
    let square = corners.map(|(dx, dy)| (at.0 + dx, at.1 + dy));
    svg.shape(&square, "#ffffff", Stroke::solid(pen.colour, 1.4));
}

/// Name of a velocity.
pub(super) fn velocity_name(velocity: i8) -> &'static str {
    match velocity {
        1 => "q\u{307} > 0",
        -1 => "q\u{307} < 0",
        _ => "q\u{307} = 0",
    }
}

/// An arrow from mark to mark; too short a one is left out.
pub(super) fn arrow(svg: &mut Svg, from: Point, to: Point, stroke: Stroke) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < HEAD + OFF {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let tip = (to.0 - OFF * ux, to.1 - OFF * uy);
    let back = (tip.0 - HEAD * ux, tip.1 - HEAD * uy);
    svg.line(from, back, stroke);
    let left = (back.0 - HALF_HEAD * uy, back.1 + HALF_HEAD * ux);
    let right = (back.0 + HALF_HEAD * uy, back.1 - HALF_HEAD * ux);
    let edge = Stroke::solid(stroke.colour, 0.5);
    svg.shape(&[tip, left, right], stroke.colour, edge);
}

/// The part of a straight piece inside a window.
pub(super) fn clipped(ends: [Point; 2], x: Range, y: Range) -> Option<[Point; 2]> {
    let [a, b] = ends;
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (start, end, range) in [(a.0, b.0, x), (a.1, b.1, y)] {
        let step = end - start;
        if step == 0.0 {
            if start < range.0 || start > range.1 {
                return None;
            }
            continue;
        }
        let (s, t) = ((range.0 - start) / step, (range.1 - start) / step);
        low = low.max(s.min(t));
        high = high.min(s.max(t));
    }
    let at = |s: f64| (a.0 + s * (b.0 - a.0), a.1 + s * (b.1 - a.1));
    (low < high).then(|| [at(low), at(high)])
}

/// Title and legend at the top; the place of the window below them, without its bottom.
pub(super) fn header(svg: &mut Svg, title: &str, legend: &[Entry], left: f64, right: f64) -> Box {
    let whole = Box {
        left: MARGIN,
        right: WIDTH - MARGIN,
        top: MARGIN,
        bottom: MARGIN,
    };
    let mut top = MARGIN;
    if !title.is_empty() {
        let shown = fitted(title, 14.0, WIDTH - 2.0 * MARGIN);
        let at = (WIDTH / 2.0, MARGIN + 4.0);
        svg.text(at, Anchor::Middle, 14.0, colour::BLACK, &shown);
        top += TITLE;
    }
    top += legend_height(legend, whole);
    draw_legend(svg, legend, Box { top, ..whole });
    Box {
        left,
        right,
        top,
        bottom: top,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_cut_to_the_window() {
        let window = ((0.0, 4.0), (0.0, 2.0));
        let cut = clipped([(-2.0, -1.0), (8.0, 4.0)], window.0, window.1);
        assert_eq!(cut, Some([(0.0, 0.0), (4.0, 2.0)]));
        assert_eq!(clipped([(-1.0, 3.0), (5.0, 3.0)], window.0, window.1), None);
        let inside = [(1.0, 1.0), (2.0, 1.0)];
        assert_eq!(clipped(inside, window.0, window.1), Some(inside));
    }
}
