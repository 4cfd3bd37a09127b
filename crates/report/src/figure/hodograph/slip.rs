//! The plane of slip: the hodograph, and the directions in which slip does not turn.

use carom_contact::impact::spatial::{
    EventKind, Hodograph, InvariantDirection, SpatialMode, SpatialPoint,
};

use super::super::axis::Axis;
use super::super::frame::{Frame, Point, Range};
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::{LEFT, SIDE, directed, marks, pen, pieces, square, window};

/// Room beside the slip, as a fraction of its spread.
const ROOM: f64 = 0.16;

/// Pen of a direction in which slip does not turn.
pub(super) fn direction_pen(is_attracting: bool) -> Stroke {
    match is_attracting {
        true => Stroke::solid(colour::GREEN, 1.7),
        false => Stroke {
            colour: colour::PURPLE,
            width: 1.7,
            dash: "7 4",
        },
    }
}

pub(super) fn draw(svg: &mut Svg, drawn: &Hodograph) {
    let frame = frame(drawn);
    window(
        svg,
        &frame,
        &Axis::new("slip along t_1", "m/s"),
        &Axis::new("slip along t_2", "m/s"),
    );
    cross(svg, &frame);
    for direction in &drawn.facts.invariant_directions {
        ray(svg, &frame, direction);
    }
    let at = |point: &SpatialPoint| frame.at((point.v_t[0], point.v_t[1]));
    let slips = |piece: &&[SpatialPoint]| piece[0].mode == SpatialMode::Slip;
    for piece in pieces(&drawn.path).into_iter().filter(slips) {
        let points: Vec<Point> = piece.iter().map(at).collect();
        directed(svg, &points, pen(piece[0].phase, piece[0].mode));
    }
    let sticks = drawn.path.iter().any(|p| p.mode == SpatialMode::Stick);
    if sticks {
        marks::stick(svg, frame.at((0.0, 0.0)));
    }
    events(svg, drawn, &frame);
}

/// Start, events and ends.
fn events(svg: &mut Svg, drawn: &Hodograph, frame: &Frame) {
    marks::start(svg, frame.at((drawn.v_pre[1], drawn.v_pre[2])));
    for event in &drawn.events {
        let v_t = match event.kind {
            EventKind::Halt => [0.0; 2],
            _ => event.at.v_t,
        };
        marks::event(svg, frame.at((v_t[0], v_t[1])), event.kind);
    }
    let at = |v_t: [f64; 2]| frame.at((v_t[0], v_t[1]));
    let ends: Vec<_> = drawn.ends.iter().map(|e| (e.law, at(e.v_t))).collect();
    marks::ends(svg, &ends);
}

/// A square window around the slip and rest.
fn frame(drawn: &Hodograph) -> Frame {
    let path = drawn.path.iter().map(|point| point.v_t);
    let ends = drawn.ends.iter().map(|end| end.v_t);
    let [v_n, v_1, v_2] = drawn.v_pre;
    let all: Vec<[f64; 2]> = path.chain(ends).chain([[0.0; 2], [v_1, v_2]]).collect();
    let spread = |k: usize| -> Range {
        let values = || all.iter().map(|v_t| v_t[k]);
        (values().fold(0.0, f64::min), values().fold(0.0, f64::max))
    };
    let (x, y) = (spread(0), spread(1));
    let most = (x.1 - x.0).max(y.1 - y.0);
    let size = [most, v_n.abs()].into_iter().find(|size| *size > 0.0);
    let size = size.unwrap_or(1.0);
    let room = |(low, high): Range| (low - ROOM * size, high + ROOM * size);
    Frame::equal(room(x), room(y), square(LEFT), (SIDE, SIDE))
}

/// The axes through rest.
fn cross(svg: &mut Svg, frame: &Frame) {
    let axis = Stroke::solid(colour::PALE, 1.2);
    let ((x0, x1), (y0, y1)) = (frame.x, frame.y);
    svg.line(frame.at((x0, 0.0)), frame.at((x1, 0.0)), axis);
    svg.line(frame.at((0.0, y0)), frame.at((0.0, y1)), axis);
}

/// A direction from rest to the border, with an arrow the way slip along it goes.
fn ray(svg: &mut Svg, frame: &Frame, direction: &InvariantDirection) {
    let [d_1, d_2] = direction.direction;
    let reach = |d: f64, (low, high): Range| match d {
        d if d > 0.0 => high / d,
        d if d < 0.0 => low / d,
        _ => f64::INFINITY,
    };
    let length = reach(d_1, frame.x).min(reach(d_2, frame.y));
    let along = |part: f64| frame.at((part * length * d_1, part * length * d_2));
    let (rest, end) = (along(0.0), along(1.0));
    let stroke = direction_pen(direction.is_attracting);
    svg.line(rest, end, stroke);
    let out = (end.0 - rest.0, end.1 - rest.1);
    let towards = match direction.rate > 0.0 {
        true => out,
        false => (-out.0, -out.1),
    };
    marks::arrow(svg, along(0.82), towards, stroke.colour);
    if direction.is_outgoing {
        let (x, y) = along(0.62);
        let size = out.0.hypot(out.1).max(1.0);
        let side = (-out.1 / size * 12.0, out.0 / size * 12.0);
        let at = (x + side.0, y + side.1 + 4.0);
        let anchor = if side.0 >= 0.0 {
            Anchor::Start
        } else {
            Anchor::End
        };
        svg.text(at, anchor, 12.0, stroke.colour, "outgoing");
    }
}
