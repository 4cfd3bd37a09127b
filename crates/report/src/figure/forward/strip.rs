//! A strip beside a graph: how many answers each force has, for each velocity.

use carom_contact::forward::graph::CountDiagram;

use super::super::frame::{Frame, Range};
use super::super::svg::{Anchor, Stroke, Svg, colour, text_width};
use super::map::{define_fills, fill_of};
use super::pen::{COLUMNS, velocity_name};

/// Width of the strip and of a column; height of its head (units of the drawing).
pub(super) const WIDTH: f64 = 3.0 * COLUMN;
const COLUMN: f64 = 40.0;
pub(super) const HEAD: f64 = 34.0;
/// Size of the counts and of the heads.
const SIZE: f64 = 13.0;
const SMALL: f64 = 11.5;
/// Least height of a cell with a number.
const LEAST: f64 = 13.0;

/// Draws the strip right of a window, from `left`.
pub(super) fn draw(svg: &mut Svg, counts: &CountDiagram, frame: &Frame, left: f64) {
    let top = frame.place.top;
    let middle = left + 0.5 * WIDTH;
    svg.text(
        (middle, top - 22.0),
        Anchor::Middle,
        SIZE,
        colour::BLACK,
        "answers",
    );
    define_fills(svg);
    for (k, (velocity, of)) in COLUMNS.into_iter().enumerate() {
        let x = (left + COLUMN * k as f64, left + COLUMN * (k + 1) as f64);
        let at = (0.5 * (x.0 + x.1), top - 6.0);
        svg.text(
            at,
            Anchor::Middle,
            SMALL,
            colour::BLACK,
            velocity_name(velocity),
        );
        let between = counts.rows.iter().filter(|row| !row.at_break);
        let spans = spans(counts, between.map(of), frame.y);
        for (span, count) in spans {
            cell(svg, frame, x, span, count);
        }
    }
}

/// Intervals of the force inside the window with their counts; neighbours of one count are joined.
fn spans(
    counts: &CountDiagram,
    between: impl Iterator<Item = Option<usize>>,
    window: Range,
) -> Vec<(Range, Option<usize>)> {
    let mut spans: Vec<(Range, Option<usize>)> = Vec::new();
    for (k, count) in between.enumerate() {
        let before = k.checked_sub(1).and_then(|k| counts.breaks.get(k));
        let low = before.map_or(window.0, |b| b.clamp(window.0, window.1));
        let after = counts.breaks.get(k);
        let high = after.map_or(window.1, |b| b.clamp(window.0, window.1));
        match spans.last_mut() {
            Some((span, known)) if *known == count => span.1 = high,
            _ => spans.push(((low, high), count)),
        }
    }
    spans.retain(|(span, _)| span.0 < span.1);
    spans
}

fn cell(svg: &mut Svg, frame: &Frame, x: Range, span: Range, count: Option<usize>) {
    let (_, bottom) = frame.at((0.0, span.0));
    let (_, top) = frame.at((0.0, span.1));
    let corners = [(x.0, top), (x.1, top), (x.1, bottom), (x.0, bottom)];
    let label = count.map_or("continuum".to_owned(), |count| count.to_string());
    svg.shape(
        &corners,
        &fill_of(&label),
        Stroke::solid(colour::BLACK, 1.0),
    );
    if bottom - top < LEAST {
        return;
    }
    let shown = count.map_or("∞".to_owned(), |count| count.to_string());
    let (middle, size) = ((0.5 * (x.0 + x.1), 0.5 * (top + bottom)), SIZE);
    let half = (0.5 * text_width(&shown, size) + 3.0, 0.5 * size + 1.0);
    let corners = [
        (-half.0, -half.1),
        (half.0, -half.1),
        (half.0, half.1),
        (-half.0, half.1),
    ];
    let plate = corners.map(|(dx, dy)| (middle.0 + dx, middle.1 + dy));
    if bottom - top > 2.0 * half.1 + 2.0 {
        svg.shape(&plate, "#ffffff", Stroke::solid("none", 0.0));
    }
    let at = (middle.0, middle.1 + 0.36 * size);
    svg.text(at, Anchor::Middle, size, colour::BLACK, &shown);
}
