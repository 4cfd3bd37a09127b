//! Two coordinates: constraints as Vs in the plane of accelerations.

use carom_contact::forward::Mode;
use carom_contact::forward::lines::{AccelerationPlane, Arm};

use super::super::axis::{Axis, Scale, range};
use super::super::chart::{Entry, MARGIN, Mark, WIDTH};
use super::super::frame::{Frame, Point, Range};
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::pen::{BELOW, clipped, header};
use super::places::Taken;

/// Height of the window (units of the drawing) and the room left of it beside its numbers.
const HEIGHT: f64 = 330.0;
const NAME: f64 = 40.0;
/// Room beside what must be seen, as a fraction of its spread.
const ROOM: f64 = 0.3;
/// Least width of a range over the other's.
const LEAST: f64 = 0.25;
/// Corners of the Vs are shown up to this many widths of the answers beside them.
const FAR: f64 = 6.0;
/// Size of the names of points.
const SIZE: f64 = 13.0;

/// Draws the constraints, where they meet, and the answer without friction.
///
/// `axes` are the accelerations of the first and the second coordinate.
pub fn lines_svg(plane: &AccelerationPlane, axes: [&Axis; 2], title: &str) -> Option<String> {
    let seen = seen(plane);
    let (x, y) = window(&seen, ROOM)?;
    let y_scale = Scale::upward(y, 7);
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let left = NAME + y_scale.widest();
    let mut place = header(&mut svg, title, &entries(plane), left, WIDTH - MARGIN);
    place.bottom = place.top + HEIGHT;
    svg.grow_to(place.bottom + BELOW);
    let frame = Frame { x, y, place };
    let x_scale = Scale::across(x, place.right - place.left);
    frame.grid(&mut svg, &x_scale, &y_scale);
    frame.border(&mut svg);
    frame.x_numbers(&mut svg, &x_scale);
    frame.y_numbers(&mut svg, &y_scale);
    frame.x_name(&mut svg, axes[0], &x_scale);
    frame.y_name(&mut svg, axes[1], &y_scale);
    let mut taken = Taken::default();
    for line in &plane.constraints {
        for arm in &line.arms {
            let Some(ends) = drawn(arm, x, y) else {
                continue;
            };
            let ends = ends.map(|p| frame.at(p));
            svg.line(ends[0], ends[1], pen(line.element, arm.mode));
            taken.line(ends);
        }
    }
    points(&mut svg, plane, &frame, &mut taken);
    Some(svg.finish(title))
}

/// Ranges around some points, with room; neither is blown up far beyond the other.
fn window(seen: &[Point], room: f64) -> Option<(Range, Range)> {
    let x = range(seen.iter().map(|p| p.0), room)?;
    let y = range(seen.iter().map(|p| p.1), room)?;
    let most = (x.1 - x.0).max(y.1 - y.0);
    let widened = |(low, high): Range| {
        let room = 0.5 * (LEAST * most - (high - low)).max(0.0);
        (low - room, high + room)
    };
    Some((widened(x), widened(y)))
}

/// Answers, the frictionless one, and the corners of the Vs that are not far from them.
fn seen(plane: &AccelerationPlane) -> Vec<Point> {
    let pair = |p: &[f64; 2]| (p[0], p[1]);
    let mut seen: Vec<Point> = plane.intersections.iter().map(pair).collect();
    seen.push(pair(&plane.frictionless));
    let arms = plane.constraints.iter().flat_map(|line| &line.arms);
    let ends = arms.flat_map(|arm| arm.bounds.iter().flatten().map(|t| along(arm, *t)));
    let corners: Vec<Point> = ends.collect();
    let is_alone = seen.iter().all(|p| *p == seen[0]);
    let (x, y) = window(&seen, FAR).unwrap_or(((-1.0, 1.0), (-1.0, 1.0)));
    let is_near = |p: &Point| (x.0..=x.1).contains(&p.0) && (y.0..=y.1).contains(&p.1);
    let kept = corners.into_iter().filter(|p| is_alone || is_near(p));
    seen.extend(kept.collect::<Vec<_>>());
    seen
}

fn along(arm: &Arm, t: f64) -> Point {
    let [x, y] = arm.point;
    (x + t * arm.direction[0], y + t * arm.direction[1])
}

/// The part of an arm inside the window.
fn drawn(arm: &Arm, x: Range, y: Range) -> Option<[Point; 2]> {
    // Far enough to leave the window from any point of it.
    let middle = (0.5 * (x.0 + x.1), 0.5 * (y.0 + y.1));
    let away = (arm.point[0] - middle.0).hypot(arm.point[1] - middle.1);
    let far = away + (x.1 - x.0) + (y.1 - y.0);
    let low = arm.bounds[0].map_or(-far, |t| t.max(-far));
    let high = arm.bounds[1].map_or(far, |t| t.min(far));
    clipped([along(arm, low), along(arm, high)], x, y)
}

/// Pen of a constraint; where its element is stuck it is thick.
fn pen(element: usize, mode: Mode) -> Stroke {
    let (colour, dash) = match element {
        0 => (colour::BLUE, ""),
        _ => (colour::ORANGE, "9 3 2 3"),
    };
    let width = if mode == Mode::Stick { 4.5 } else { 2.0 };
    Stroke {
        colour,
        width,
        dash,
    }
}

fn entries(plane: &AccelerationPlane) -> Vec<Entry> {
    let entry = |name: String, stroke, mark| Entry { name, stroke, mark };
    let lines = plane.constraints.iter().map(|line| {
        let name = format!("constraint of coordinate {}", line.element + 1);
        entry(name, pen(line.element, Mode::Slide), None)
    });
    let mut entries: Vec<Entry> = lines.collect();
    let arms = plane.constraints.iter().flat_map(|line| &line.arms);
    if arms.into_iter().any(|arm| arm.mode == Mode::Stick) {
        entries.push(entry(
            "thick: stuck".to_owned(),
            Stroke::solid(colour::BLACK, 4.5),
            None,
        ));
    }
    let none = Stroke::solid(colour::BLACK, 0.0);
    let count = plane.intersections.len();
    let noun = if count == 1 { "answer" } else { "answers" };
    entries.push(entry(format!("{count} {noun}"), none, Some(Mark::Disk)));
    entries.push(entry("without friction".to_owned(), none, Some(Mark::Ring)));
    entries
}

/// The frictionless answer as a ring, the answers as numbered disks.
fn points(svg: &mut Svg, plane: &AccelerationPlane, frame: &Frame, taken: &mut Taken) {
    let place = |p: &[f64; 2]| frame.at((p[0], p[1]));
    let free = place(&plane.frictionless);
    svg.circle(free, 4.5, "#ffffff", colour::BLACK);
    taken.point(free);
    let answers: Vec<Point> = plane.intersections.iter().map(place).collect();
    for at in &answers {
        svg.circle(*at, 4.0, colour::BLACK, colour::BLACK);
        taken.point(*at);
    }
    if answers.len() < 2 {
        return;
    }
    for (k, at) in answers.iter().enumerate() {
        let name = (k + 1).to_string();
        let middle = taken.beside(*at, &name, SIZE, frame.place);
        let base = (middle.0, middle.1 + 0.35 * SIZE);
        svg.text(base, Anchor::Middle, SIZE, colour::BLACK, &name);
    }
}
