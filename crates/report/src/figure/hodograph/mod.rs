//! An impact in space: the hodograph of its slip, and its path through impulse space.

mod impulses;
mod legend;
mod marks;
mod slip;

use carom_contact::impact::Phase;
use carom_contact::impact::spatial::{Hodograph, SpatialMode, SpatialPoint};

use super::axis::{Axis, Scale};
use super::frame::{Box, Frame, Point};
use super::impulse_plane::unended;
use super::svg::{Anchor, Stroke, Svg, colour, literal};
use crate::number::significant;

const WIDTH: f64 = 960.0;
/// Height without the legend.
const HEIGHT: f64 = 506.0;
const TOP: f64 = 66.0;
const SIDE: f64 = 386.0;
/// Left sides of the two windows.
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - SIDE - 22.0;
/// Longest title that fits (characters).
const TITLE: usize = 92;

/// Place of a square window.
fn square(left: f64) -> Box {
    Box {
        left,
        right: left + SIDE,
        top: TOP,
        bottom: TOP + SIDE,
    }
}

/// Draws the slip plane and the impulses of one impact in space.
pub fn hodograph_svg(drawn: &Hodograph, title: &str) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    slip::draw(&mut svg, drawn);
    impulses::draw(&mut svg, drawn);
    heading(&mut svg, drawn, title);
    let bottom = legend::draw(&mut svg, drawn, HEIGHT);
    svg.grow_to(bottom + 8.0);
    svg.finish(title)
}

fn heading(svg: &mut Svg, drawn: &Hodograph, title: &str) {
    let title = title.trim();
    let shown = match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title.to_owned(),
    };
    let at = |y: f64| (LEFT, y);
    let shown = literal(&shown);
    svg.text(at(24.0), Anchor::Start, 16.0, colour::BLACK, &shown);
    let words = [Some(coefficients(drawn)), unended(&drawn.unended)];
    let words: Vec<String> = words.into_iter().flatten().collect();
    let words = words.join("; ");
    svg.text(at(46.0), Anchor::Start, 11.5, colour::GREY, &words);
}

/// Friction beside its thresholds, in words.
fn coefficients(drawn: &Hodograph) -> String {
    let (mu, facts) = (drawn.friction, &drawn.facts);
    let shown = |x: f64| significant(x, 4);
    let friction = match mu.mu_s == mu.mu_d {
        true => format!("μ = {}", shown(mu.mu_d)),
        false => format!("μ = {} static, {} kinetic", shown(mu.mu_s), shown(mu.mu_d)),
    };
    let threshold = shown(facts.stick_threshold);
    let rest = match mu.mu_s >= facts.stick_threshold {
        true => format!("at least {threshold}: a slip that halts sticks"),
        false => format!("below {threshold}: a slip that halts leaves again"),
    };
    let jam = facts.jam_threshold.filter(|jam| mu.mu_d > *jam);
    let jam = jam.map_or(String::new(), |jam| {
        format!(
            "; above {}: some slip draws the bodies together",
            shown(jam)
        )
    });
    let every = match facts.every_direction {
        true => "; slip never turns",
        false => "",
    };
    format!("{friction}, {rest}{jam}{every}")
}

fn phase_colour(phase: Phase) -> &'static str {
    match phase {
        Phase::Compression => colour::BLUE,
        Phase::Restitution => colour::ORANGE,
    }
}

/// Pen of a piece of the path: by phase, dashed while the contact sticks.
fn pen(phase: Phase, mode: SpatialMode) -> Stroke {
    Stroke {
        colour: phase_colour(phase),
        width: 3.0,
        dash: match mode {
            SpatialMode::Slip => "",
            SpatialMode::Stick => "5 4",
        },
    }
}

/// The path in pieces of one phase and mode, each with the point the next one starts at.
fn pieces(path: &[SpatialPoint]) -> Vec<&[SpatialPoint]> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..path.len() {
        let (a, b) = (&path[start], &path[end]);
        let is_last = end + 1 == path.len();
        if is_last || a.phase != b.phase || a.mode != b.mode {
            pieces.push(&path[start..=end]);
            start = end;
        }
    }
    pieces
}

/// Grid, frame, numbers and names of a window.
fn window(svg: &mut Svg, frame: &Frame, x: &Axis, y: &Axis) {
    let scales = [frame.x, frame.y].map(|range| Scale::of(range, 6));
    frame.grid(svg, &scales[0], &scales[1]);
    frame.x_numbers(svg, &scales[0]);
    frame.y_numbers(svg, &scales[1]);
    frame.border(svg);
    frame.x_name(svg, x, &scales[0]);
    let Box {
        left, top, bottom, ..
    } = frame.place;
    let (name, size) = y.label(&scales[1], bottom - top);
    svg.vertical_text((left - 54.0, (top + bottom) / 2.0), size, &name);
}

/// A line with an arrow head halfway along it.
fn directed(svg: &mut Svg, points: &[Point], stroke: Stroke) {
    svg.path(points, stroke);
    let steps = points.windows(2).map(|ends| apart(ends[0], ends[1]));
    let whole: f64 = steps.clone().sum();
    if whole < 30.0 {
        return;
    }
    let mut left = 0.5 * whole;
    for (ends, step) in points.windows(2).zip(steps) {
        if left <= step {
            let part = left / step;
            let along = |a: f64, b: f64| a + part * (b - a);
            let at = (along(ends[0].0, ends[1].0), along(ends[0].1, ends[1].1));
            let towards = (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1);
            marks::arrow(svg, at, towards, stroke.colour);
            return;
        }
        left -= step;
    }
}

fn apart(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}
