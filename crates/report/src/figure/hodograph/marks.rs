//! Marks of starts, events and ends.

use carom_contact::impact::Law;
use carom_contact::impact::spatial::EventKind;

use super::super::frame::Point;
use super::super::impulse_plane::mark;
use super::super::svg::{Stroke, Svg, colour};

/// Ink of marks, and the paper inside them.
const INK: Stroke = Stroke {
    colour: colour::BLACK,
    width: 2.0,
    dash: "",
};
const PAPER: &str = "#ffffff";

/// An arrow head at a point.
pub(super) fn arrow(svg: &mut Svg, at: Point, towards: Point, colour: &'static str) {
    let size = towards.0.hypot(towards.1);
    if size == 0.0 {
        return;
    }
    let (ux, uy) = (towards.0 / size, towards.1 / size);
    let corner =
        |along: f64, side: f64| (at.0 + along * ux - side * uy, at.1 + along * uy + side * ux);
    let corners = [corner(7.0, 0.0), corner(-6.0, 5.0), corner(-6.0, -5.0)];
    svg.polygon(&corners, colour, colour);
}

/// Where the impact starts: an open circle.
pub(super) fn start(svg: &mut Svg, at: Point) {
    svg.circle(at, 5.0, PAPER, colour::BLACK);
}

/// The contact sticks: a square around rest.
pub(super) fn stick(svg: &mut Svg, at: Point) {
    let corners = [(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)];
    let corners = corners.map(|(x, y)| (at.0 + x, at.1 + y));
    svg.shape(&corners, colour::LIGHT, Stroke::solid(colour::BLACK, 1.5));
}

/// An event of the path; ends have the marks of their laws.
pub(super) fn event(svg: &mut Svg, at: Point, kind: EventKind) {
    match kind {
        EventKind::GreatestCompression => diamond(svg, at, colour::BLACK),
        EventKind::SecondCompression => diamond(svg, at, PAPER),
        EventKind::Halt => {
            for (x, y) in [(5.0, 5.0), (5.0, -5.0)] {
                svg.line((at.0 - x, at.1 - y), (at.0 + x, at.1 + y), INK);
            }
        }
        EventKind::Restart | EventKind::End => {}
    }
}

fn diamond(svg: &mut Svg, at: Point, fill: &str) {
    let corners = [(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)];
    let corners = corners.map(|(x, y)| (at.0 + x, at.1 + y));
    svg.polygon(&corners, fill, colour::BLACK);
}

/// The ends of the laws, the larger marks below, so that all are seen where they coincide.
pub(super) fn ends(svg: &mut Svg, ends: &[(Law, Point)]) {
    let drawn = [
        Law::Whittaker,
        Law::Moreau,
        Law::Newton,
        Law::Poisson,
        Law::Energetic,
    ];
    for law in drawn {
        for (_, at) in ends.iter().filter(|(known, _)| *known == law) {
            mark(svg, *at, law);
        }
    }
}
