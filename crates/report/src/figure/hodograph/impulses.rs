//! The path through impulse space: size of the friction impulse against the normal impulse.

use carom_contact::impact::spatial::{EventKind, Hodograph, SpatialPoint};

use super::super::axis::Axis;
use super::super::frame::{Frame, Point};
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::{RIGHT, directed, marks, pen, pieces, square, window};

/// Room beside the path, as a fraction of its spread.
const ROOM: f64 = 0.1;

/// Points on a straight piece of the path, whose size of friction impulse is curved.
const BETWEEN: usize = 48;

/// Room that the name of a line takes.
const LABEL: f64 = 60.0;

pub(super) const CONE: Stroke = Stroke {
    colour: colour::GREY,
    width: 1.6,
    dash: "7 4",
};

pub(super) const STATIC_CONE: Stroke = Stroke {
    colour: colour::GREY,
    width: 1.6,
    dash: "2 4",
};

pub(super) fn draw(svg: &mut Svg, drawn: &Hodograph) {
    let frame = frame(drawn);
    window(
        svg,
        &frame,
        &Axis::new("normal impulse p_n", "N·s"),
        &Axis::new("size of the friction impulse |p_t|", "N·s"),
    );
    let (mu_s, mu_d) = (drawn.friction.mu_s, drawn.friction.mu_d);
    cone(svg, &frame, mu_d, CONE);
    if mu_s > mu_d {
        cone(svg, &frame, mu_s, STATIC_CONE);
    }
    for event in &drawn.events {
        if event.kind == EventKind::GreatestCompression {
            compression(svg, &frame, event.at.p_n);
        }
    }
    for piece in pieces(&drawn.path) {
        let points = curve(piece);
        let points: Vec<Point> = points.into_iter().map(|p| frame.at(p)).collect();
        directed(svg, &points, pen(piece[0].phase, piece[0].mode));
    }
    marks::start(svg, frame.at((0.0, 0.0)));
    for event in &drawn.events {
        marks::event(svg, frame.at(place(&event.at)), event.kind);
    }
    let ends = drawn.ends.iter();
    let ends = ends.map(|e| (e.law, frame.at((e.p_n, e.p_t[0].hypot(e.p_t[1])))));
    marks::ends(svg, &ends.collect::<Vec<_>>());
}

fn place(point: &SpatialPoint) -> Point {
    (point.p_n, point.p_t[0].hypot(point.p_t[1]))
}

/// The window from no impulse to the largest.
fn frame(drawn: &Hodograph) -> Frame {
    let path = drawn.path.iter().map(place);
    let ends = drawn.ends.iter().map(|e| (e.p_n, e.p_t[0].hypot(e.p_t[1])));
    let most = path.chain(ends).fold((0.0f64, 0.0f64), |most, p| {
        (most.0.max(p.0), most.1.max(p.1))
    });
    let or = |x: f64, other: f64| if x > 0.0 { x } else { other };
    let far = or(most.0, 1.0);
    let high = or(most.1, or(drawn.friction.mu_d, 1.0) * far);
    Frame {
        x: (0.0, (1.0 + ROOM) * far),
        y: (0.0, (1.0 + ROOM) * high),
        place: square(RIGHT),
    }
}

/// A side of the friction cone, as far as the window shows it.
fn cone(svg: &mut Svg, frame: &Frame, mu: f64, stroke: Stroke) {
    if mu == 0.0 {
        return;
    }
    let far = frame.x.1.min(frame.y.1 / mu);
    svg.line(frame.at((0.0, 0.0)), frame.at((far, mu * far)), stroke);
}

/// The normal impulse of a greatest compression.
fn compression(svg: &mut Svg, frame: &Frame, p_n: f64) {
    let thin = Stroke {
        colour: colour::PALE,
        width: 1.3,
        dash: "3 3",
    };
    let (low, high) = (frame.at((p_n, frame.y.0)), frame.at((p_n, frame.y.1)));
    svg.line(low, high, thin);
    let is_near_border = frame.place.right - low.0 < LABEL;
    let (side, anchor) = match is_near_border {
        true => (-6.0, Anchor::End),
        false => (6.0, Anchor::Start),
    };
    let at = (low.0 + side, low.1 - 8.0);
    svg.text(at, anchor, 12.0, colour::GREY, "v_n = 0");
}

/// The piece with points between its own.
fn curve(piece: &[SpatialPoint]) -> Vec<Point> {
    let mut points = vec![place(&piece[0])];
    for ends in piece.windows(2) {
        let (a, b) = (&ends[0], &ends[1]);
        points.extend((1..=BETWEEN).map(|k| {
            let part = k as f64 / BETWEEN as f64;
            let along = |from: f64, to: f64| from + part * (to - from);
            let p_t = [0, 1].map(|i| along(a.p_t[i], b.p_t[i]));
            (along(a.p_n, b.p_n), p_t[0].hypot(p_t[1]))
        }));
    }
    points
}
