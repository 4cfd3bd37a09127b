//! What stands still: hatched, and cut at the window.

use carom_sim::record::{Bodies, Outline};

use super::super::axis::{is_drawable, range};
use super::super::frame::{Frame, Point, Range};
use super::super::svg::{HATCH, Stroke, Svg, colour};
use super::ROOM;
use super::body::{Pose, corners};
use super::clip::{cut, inside, window as window_corners};

/// A shape of the world is shown whole if the window grows by no more than this factor.
const GROWTH: f64 = 1.6;

/// Least breadth of the window of a straight motion, as a fraction of its length.
const BREADTH: f64 = 0.3;
/// A window is empty when both sides are below this fraction of its coordinates.
const FLAT: f64 = 1e-6;

/// The window around the points, grown to what stands close by.
pub(super) fn window(points: Vec<Point>, scene: &Bodies) -> Option<[Range; 2]> {
    let around = |points: &[Point]| {
        let x = range(points.iter().map(|p| p.0), 0.0)?;
        let y = range(points.iter().map(|p| p.1), 0.0)?;
        Some([x, y])
    };
    let mut shown = tight(&points)?;
    let size = |[x, y]: [Range; 2]| (x.1 - x.0).hypot(y.1 - y.0);
    let most = GROWTH * size(around(&points)?);
    let start = shown;
    let outlines = scene.world.outlines.iter();
    let pins = scene.world.points.iter().map(|p| vec![(p[0], p[1])]);
    for near in outlines.map(|o| landmarks(o, start)).chain(pins) {
        let grown = near.iter().fold(shown, |window, p| joined(window, *p));
        if size(grown) <= most {
            shown = grown;
        }
    }
    let ends = [(shown[0].0, shown[1].0), (shown[0].1, shown[1].1)];
    let [x, y] = around(&ends)?;
    // A straight motion gets a window of some breadth; then the same room on all sides.
    let [x, y] = match longer(shown) {
        0.0 => [x, y],
        long => shown.map(|side| widened(side, BREADTH * long)),
    };
    let room = ROOM * (x.1 - x.0).max(y.1 - y.0);
    Some([(x.0 - room, x.1 + room), (y.0 - room, y.1 + room)])
}

/// The longer side of a window (m); zero where both are below what can be drawn.
fn longer([x, y]: [Range; 2]) -> f64 {
    let long = (x.1 - x.0).max(y.1 - y.0);
    let size = [x.0, x.1, y.0, y.1].map(f64::abs);
    let size = size.into_iter().fold(0.0, f64::max);
    if long > FLAT * size { long } else { 0.0 }
}

/// The range with at least that width, about its middle.
fn widened((low, high): Range, least: f64) -> Range {
    let more = (least - (high - low)).max(0.0) / 2.0;
    (low - more, high + more)
}

fn tight(points: &[Point]) -> Option<[Range; 2]> {
    let mut points = points
        .iter()
        .filter(|p| is_drawable(p.0) && is_drawable(p.1));
    let first = *points.next()?;
    let start = [(first.0, first.0), (first.1, first.1)];
    Some(points.fold(start, |window, p| joined(window, *p)))
}

fn joined([x, y]: [Range; 2], p: Point) -> [Range; 2] {
    [(x.0.min(p.0), x.1.max(p.0)), (y.0.min(p.1), y.1.max(p.1))]
}

/// Points that should be in the window for a shape to be seen.
fn landmarks(outline: &Outline, [x, y]: [Range; 2]) -> Vec<Point> {
    let Outline::HalfSpace { point, normal } = outline else {
        return corners(outline, &Pose::WORLD);
    };
    let middle = ((x.0 + x.1) / 2.0, (y.0 + y.1) / 2.0);
    let height = (middle.0 - point[0]) * normal[0] + (middle.1 - point[1]) * normal[1];
    vec![(middle.0 - height * normal[0], middle.1 - height * normal[1])]
}

pub(super) fn draw(svg: &mut Svg, frame: &Frame, scene: &Bodies) {
    svg.define_hatch();
    for outline in &scene.world.outlines {
        let area = match outline {
            Outline::HalfSpace { point, normal } => cut(
                &window_corners(frame),
                (point[0], point[1]),
                (-normal[0], -normal[1]),
            ),
            solid => inside(&corners(solid, &Pose::WORLD), frame),
        };
        let on_paper: Vec<Point> = area.iter().map(|p| frame.at(*p)).collect();
        if on_paper.len() > 2 {
            svg.shape(&on_paper, HATCH, Stroke::solid(colour::BLACK, 1.3));
        }
    }
}

/// Joints on the world.
pub(super) fn pins(svg: &mut Svg, frame: &Frame, scene: &Bodies) {
    for point in &scene.world.points {
        let (x, y) = (point[0], point[1]);
        let is_inside = |range: Range, at: f64| (range.0..=range.1).contains(&at);
        if is_inside(frame.x, x) && is_inside(frame.y, y) {
            svg.circle(frame.at((x, y)), 3.6, "#ffffff", colour::BLACK);
        }
    }
}
