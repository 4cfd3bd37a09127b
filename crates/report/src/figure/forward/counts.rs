//! The number of answers against the force.

use carom_contact::forward::counts::LineCounts;
use carom_contact::forward::graph::{CountDiagram, CountRow};

use super::super::axis::{Axis, NUMBERS, Scale, range};
use super::super::chart::{MARGIN, WIDTH};
use super::super::frame::{Box, Frame};
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::pen::{BELOW, COLUMNS, header, velocity_name, velocity_pen};

/// Height per answer, and space between panels (units of the drawing).
const PER_ANSWER: f64 = 22.0;
const BETWEEN: f64 = 16.0;
/// Left edge of the panels: room for the velocity and the numbers.
const LEFT: f64 = 78.0;
/// Room beside the breaks, as a fraction of their spread.
const ROOM: f64 = 0.35;
/// Counts beyond this are cut.
const MOST: usize = 12;

/// One panel: its name, its pen, and the counts in order of the force.
struct Steps {
    name: String,
    pen: Stroke,
    rows: Vec<Step>,
}

/// The count at one force; `None` is a continuum.
struct Step {
    at: f64,
    at_break: bool,
    count: Option<usize>,
}

/// Draws how many answers each force has: moving +, at rest, moving −.
pub fn counts_svg(counts: &CountDiagram, force: &Axis, title: &str) -> Option<String> {
    let panels = COLUMNS.map(|(velocity, of)| {
        let step = |row: &CountRow| Step {
            at: row.force,
            at_break: row.at_break,
            count: of(row),
        };
        Steps {
            name: velocity_name(velocity).to_owned(),
            pen: Stroke::solid(velocity_pen(velocity).colour, 2.2),
            rows: counts.rows.iter().map(step).collect(),
        }
    });
    draw(&panels, &counts.breaks, force, title)
}

/// Draws how many answers there are along a line of forces.
pub fn line_counts_svg(counts: &LineCounts, along: &Axis, title: &str) -> Option<String> {
    let step = |row: &carom_contact::forward::counts::LineCount| Step {
        at: row.at,
        at_break: row.at_break,
        count: row.count,
    };
    let panel = Steps {
        name: "answers".to_owned(),
        pen: Stroke::solid(colour::BLUE, 2.2),
        rows: counts.rows.iter().map(step).collect(),
    };
    draw(&[panel], &counts.breaks, along, title)
}

fn draw(panels: &[Steps], breaks: &[f64], axis: &Axis, title: &str) -> Option<String> {
    let all = panels.iter().flat_map(|panel| &panel.rows);
    let most = all
        .filter_map(|row| row.count)
        .max()
        .unwrap_or(0)
        .clamp(1, MOST);
    let has_ray = panels
        .iter()
        .flat_map(|p| &p.rows)
        .any(|r| r.count.is_none());
    let levels = most + usize::from(has_ray);
    let known = (!breaks.is_empty()).then(|| range(breaks.iter().copied(), ROOM));
    let x = known.unwrap_or(Some((-1.0, 1.0)))?;
    let mut svg = Svg::new(WIDTH, 0.0);
    let mut place = header(&mut svg, title, &[], LEFT, WIDTH - MARGIN);
    let x_scale = Scale::across(x, place.right - place.left);
    for panel in panels {
        place.bottom = place.top + PER_ANSWER * (levels as f64 + 0.6);
        let y = (-0.3, levels as f64 + 0.3);
        let frame = Frame { x, y, place };
        numbers(&mut svg, &frame, &x_scale, most, has_ray);
        steps(&mut svg, &frame, panel, breaks, levels);
        let middle = 0.5 * (place.top + place.bottom);
        svg.vertical_text((28.0, middle), 14.0, &panel.name);
        place.top = place.bottom + BETWEEN;
    }
    let last = Box {
        top: place.top - BETWEEN,
        ..place
    };
    let frame = Frame {
        x,
        y: (0.0, 1.0),
        place: last,
    };
    svg.grow_to(last.bottom + BELOW);
    frame.x_numbers(&mut svg, &x_scale);
    frame.x_name(&mut svg, axis, &x_scale);
    Some(svg.finish(title))
}

/// Grid, border and the counts left of a panel.
fn numbers(svg: &mut Svg, frame: &Frame, x_scale: &Scale, most: usize, has_ray: bool) {
    let Box { left, right, .. } = frame.place;
    let grid = Stroke::solid(colour::LIGHT, 1.0);
    for tick in &x_scale.ticks {
        let (x, _) = frame.at((*tick, 0.0));
        svg.line((x, frame.place.top), (x, frame.place.bottom), grid);
    }
    for k in 0..=most + usize::from(has_ray) {
        let (_, y) = frame.at((frame.x.0, k as f64));
        svg.line((left, y), (right, y), grid);
        let label = if k > most {
            "∞".to_owned()
        } else {
            k.to_string()
        };
        let at = (left - 8.0, y + 4.5);
        svg.text(at, Anchor::End, NUMBERS, colour::BLACK, &label);
    }
    frame.border(svg);
}

/// A level per interval between breaks; at a break the count there, as a dot, and rings where the
/// levels beside it end without it.
fn steps(svg: &mut Svg, frame: &Frame, panel: &Steps, breaks: &[f64], top: usize) {
    let level = |count: Option<usize>| count.map_or(top, |count| count.min(top)) as f64;
    let between: Vec<f64> = panel
        .rows
        .iter()
        .filter(|row| !row.at_break)
        .map(|row| level(row.count))
        .collect();
    let edge = |k: usize| match k {
        0 => frame.x.0,
        k => breaks.get(k - 1).copied().unwrap_or(frame.x.1),
    };
    for (k, y) in between.iter().enumerate() {
        let ends = [(edge(k), *y), (edge(k + 1), *y)].map(|p| frame.at(p));
        svg.line(ends[0], ends[1], panel.pen);
    }
    for (k, row) in panel.rows.iter().filter(|row| row.at_break).enumerate() {
        let here = level(row.count);
        let beside = [between.get(k), between.get(k + 1)];
        let mut rings: Vec<f64> = beside.into_iter().flatten().copied().collect();
        if rings.iter().all(|y| *y == here) {
            continue;
        }
        rings.retain(|y| *y != here);
        rings.dedup();
        for y in rings {
            svg.circle(frame.at((row.at, y)), 3.2, "#ffffff", panel.pen.colour);
        }
        svg.circle(
            frame.at((row.at, here)),
            3.2,
            panel.pen.colour,
            panel.pen.colour,
        );
    }
}
