//! Routh's diagram: the impulse plane with its lines and the path.

use carom_contact::impact::Law;
use carom_contact::impact::planar::{ImpulsePlane, Line, PathPoint};

use super::svg::{Anchor, Stroke, Svg, colour};
use crate::number::significant;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 172.0;

/// Draws the impulse plane of one impact.
pub fn impulse_plane_svg(plane: &ImpulsePlane, title: &str) -> String {
    let frame = Frame::around(plane);
    let mut svg = Svg::new(WIDTH, HEIGHT);
    svg.text(
        (LEFT, 26.0),
        Anchor::Start,
        16.0,
        colour::BLACK,
        title.trim(),
    );
    frame.axes(&mut svg);
    let mut legend = Vec::new();
    draw_lines(plane, &frame, &mut svg, &mut legend);
    draw_path(plane, &frame, &mut svg, &mut legend);
    draw_ends(plane, &frame, &mut svg, &mut legend);
    draw_legend(&mut svg, &legend, plane);
    svg.finish(title)
}

/// Window of the plane and its place on the paper.
struct Frame {
    p_n: (f64, f64),
    p_t: (f64, f64),
}

impl Frame {
    /// A window that shows the origin, the path, every end, and some room.
    fn around(plane: &ImpulsePlane) -> Self {
        let ends = plane.ends.iter().map(|end| (end.p_n, end.p_t));
        let corners = plane.path.iter().map(|point| (point.p_n, point.p_t));
        let points: Vec<(f64, f64)> = ends.chain(corners).chain([(0.0, 0.0)]).collect();
        let most = |pick: fn(&(f64, f64)) -> f64| points.iter().map(pick).fold(0.0, f64::max);
        let least = points.iter().map(|p| p.1).fold(0.0, f64::min);
        let (far, high) = (most(|p| p.0), most(|p| p.1));
        let far = if far > 0.0 { 1.12 * far } else { 1.0 };
        let height = (high - least).max(0.3 * far);
        let room = (height - (high - least)) / 2.0 + 0.14 * height;
        Self {
            p_n: (0.0, far),
            p_t: (least - room, high + room),
        }
    }

    fn x(&self, p_n: f64) -> f64 {
        let share = (p_n - self.p_n.0) / (self.p_n.1 - self.p_n.0);
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, p_t: f64) -> f64 {
        let share = (p_t - self.p_t.0) / (self.p_t.1 - self.p_t.0);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn at(&self, p: (f64, f64)) -> (f64, f64) {
        (self.x(p.0), self.y(p.1))
    }

    /// The part of a line inside the window, from left to right (or bottom to top).
    fn clip(&self, line: &Line) -> Option<[(f64, f64); 2]> {
        let (x0, x1) = self.p_n;
        let (y0, y1) = self.p_t;
        let mut hits: Vec<(f64, f64)> = Vec::new();
        if line.t != 0.0 {
            let y = |x: f64| -(line.n * x + line.offset) / line.t;
            hits.extend([(x0, y(x0)), (x1, y(x1))]);
        }
        if line.n != 0.0 {
            let x = |y: f64| -(line.t * y + line.offset) / line.n;
            hits.extend([(x(y0), y0), (x(y1), y1)]);
        }
        let slack = 1e-9 * ((x1 - x0) + (y1 - y0));
        let is_inside = |p: &(f64, f64)| {
            (x0 - slack..=x1 + slack).contains(&p.0) && (y0 - slack..=y1 + slack).contains(&p.1)
        };
        hits.retain(is_inside);
        hits.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (first, last) = (*hits.first()?, *hits.last()?);
        (first != last).then_some([first, last])
    }

    fn axes(&self, svg: &mut Svg) {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let grid = Stroke {
            colour: colour::LIGHT,
            width: 1.0,
            dash: "",
        };
        let axis = Stroke {
            colour: colour::BLACK,
            width: 1.2,
            dash: "",
        };
        for tick in ticks(self.p_n, 7) {
            let x = self.x(tick);
            svg.line((x, TOP), (x, bottom), grid);
            let label = significant(tick, 6);
            svg.text(
                (x, bottom + 18.0),
                Anchor::Middle,
                13.0,
                colour::BLACK,
                &label,
            );
        }
        for tick in ticks(self.p_t, 6) {
            let y = self.y(tick);
            svg.line((LEFT, y), (right, y), grid);
            let label = significant(tick, 6);
            svg.text(
                (LEFT - 8.0, y + 4.5),
                Anchor::End,
                13.0,
                colour::BLACK,
                &label,
            );
        }
        svg.line((LEFT, self.y(0.0)), (right, self.y(0.0)), axis);
        svg.line((LEFT, TOP), (LEFT, bottom), axis);
        let middle = (LEFT + right) / 2.0;
        let below = (middle, bottom + 40.0);
        svg.text(
            below,
            Anchor::Middle,
            14.0,
            colour::BLACK,
            "normal impulse p_n (N·s)",
        );
        let beside = (20.0, (TOP + bottom) / 2.0);
        svg.vertical_text(beside, 14.0, "tangent impulse p_t (N·s)");
    }
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
    (first..=last.min(first + 40))
        .map(|k| k as f64 * step)
        .collect()
}

/// A line of the legend: how it is drawn, and its name.
enum Entry {
    Line(Stroke, String),
    Mark(Law, String),
}

fn draw_lines(plane: &ImpulsePlane, frame: &Frame, svg: &mut Svg, legend: &mut Vec<Entry>) {
    let sticking = Stroke {
        colour: colour::BLUE,
        width: 1.8,
        dash: "",
    };
    let compression = Stroke {
        colour: colour::ORANGE,
        width: 1.8,
        dash: "",
    };
    let friction = Stroke {
        colour: colour::GREY,
        width: 1.6,
        dash: "7 4",
    };
    let reverse = Stroke {
        colour: colour::GREY,
        width: 1.6,
        dash: "2 4",
    };
    let lines = [
        (
            plane.sticking,
            sticking,
            "line of sticking, v_t = 0",
            "v_t = 0",
        ),
        (
            plane.compression,
            compression,
            "line of maximum compression, v_n = 0",
            "v_n = 0",
        ),
    ];
    for (line, stroke, name, label) in lines {
        let Some(ends) = line.and_then(|line| frame.clip(&line)) else {
            continue;
        };
        svg.line(frame.at(ends[0]), frame.at(ends[1]), stroke);
        label_line(svg, frame, ends, label, stroke.colour);
        legend.push(Entry::Line(stroke, name.to_owned()));
    }
    let from = |slope: f64, start: (f64, f64)| Line {
        n: slope,
        t: -1.0,
        offset: start.1 - slope * start.0,
    };
    if let Some(slope) = plane.friction_slope.filter(|slope| *slope != 0.0) {
        if let Some(ends) = frame.clip(&from(slope, (0.0, 0.0))) {
            svg.line(frame.at(ends[0]), frame.at(ends[1]), friction);
            label_line(svg, frame, ends, "friction", friction.colour);
            legend.push(Entry::Line(
                friction,
                "line of friction, slope −μσ".to_owned(),
            ));
        }
        let halt = plane.path.iter().skip(1).find(|point| point.v_t == 0.0);
        let reverses = halt.filter(|halt| halt.mode != carom_contact::impact::planar::Mode::Stick);
        if let (Some(halt), Some(slope)) = (reverses, plane.reverse_slope)
            && let Some(mut ends) = frame.clip(&from(slope, (halt.p_n, halt.p_t)))
        {
            ends[0] = (halt.p_n, halt.p_t);
            svg.line(frame.at(ends[0]), frame.at(ends[1]), reverse);
            let name = "line of reversed friction, from the halt";
            legend.push(Entry::Line(reverse, name.to_owned()));
        }
    }
}

/// Names a line near its far end, inside the window.
fn label_line(svg: &mut Svg, frame: &Frame, ends: [(f64, f64); 2], label: &str, colour: &str) {
    let (near, far) = (frame.at(ends[0]), frame.at(ends[1]));
    let at = (
        near.0 + 0.9 * (far.0 - near.0),
        near.1 + 0.9 * (far.1 - near.1),
    );
    let is_steep = (far.1 - near.1).abs() > 2.0 * (far.0 - near.0).abs();
    let (dx, dy) = if is_steep { (8.0, 4.0) } else { (0.0, -9.0) };
    let is_right = at.0 > WIDTH - RIGHT - 60.0;
    let anchor = match (is_steep, is_right) {
        (true, false) => Anchor::Start,
        (true, true) => Anchor::End,
        (false, _) => Anchor::Middle,
    };
    let dx = if is_steep && is_right { -dx } else { dx };
    let y = (at.1 + dy).clamp(TOP + 14.0, HEIGHT - BOTTOM - 6.0);
    svg.text((at.0 + dx, y), anchor, 13.0, colour, label);
}

fn draw_path(plane: &ImpulsePlane, frame: &Frame, svg: &mut Svg, legend: &mut Vec<Entry>) {
    if plane.path.is_empty() {
        return;
    }
    let stroke = Stroke {
        colour: colour::BLACK,
        width: 3.2,
        dash: "",
    };
    let place = |point: &PathPoint| frame.at((point.p_n, point.p_t));
    let points: Vec<(f64, f64)> = plane.path.iter().map(place).collect();
    svg.polyline(&points, stroke, "");
    for ends in points.windows(2) {
        arrow(svg, ends[0], ends[1]);
    }
    for point in &points {
        svg.circle(*point, 3.4, "#ffffff", colour::BLACK);
    }
    legend.push(Entry::Line(stroke, "path of the impact".to_owned()));
}

/// An arrow head in the middle of a segment long enough for it.
fn arrow(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 26.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let tip = (from.0 + 0.5 * dx + 6.0 * ux, from.1 + 0.5 * dy + 6.0 * uy);
    let back = (tip.0 - 12.0 * ux, tip.1 - 12.0 * uy);
    let left = (back.0 - 5.0 * uy, back.1 + 5.0 * ux);
    let right = (back.0 + 5.0 * uy, back.1 - 5.0 * ux);
    svg.polygon(&[tip, left, right], colour::BLACK, colour::BLACK);
}

fn law_colour(law: Law) -> &'static str {
    match law {
        Law::Newton => colour::PURPLE,
        Law::Poisson => colour::GREEN,
        Law::Energetic => colour::GOLD,
        Law::Moreau => colour::SKY,
        Law::Whittaker => colour::GREY,
    }
}

fn law_title(law: Law) -> &'static str {
    match law {
        Law::Newton => "end by Newton, v_n = −e v_n⁻",
        Law::Poisson => "end by Poisson, p_n = (1+e) p_c",
        Law::Energetic => "end by the energetic law, W_n = (1−e²) W_c",
        Law::Moreau => "Moreau (total impulses)",
        Law::Whittaker => "Whittaker (one mode assumed)",
    }
}

fn draw_ends(plane: &ImpulsePlane, frame: &Frame, svg: &mut Svg, legend: &mut Vec<Entry>) {
    for end in plane.ends.iter().filter(|end| end.p_n > 0.0) {
        let stroke = Stroke {
            colour: law_colour(end.law),
            width: 1.3,
            dash: "4 3",
        };
        if end.law.follows_the_path()
            && let Some(ends) = frame.clip(&end.line)
        {
            svg.line(frame.at(ends[0]), frame.at(ends[1]), stroke);
        }
        legend.push(Entry::Mark(end.law, law_title(end.law).to_owned()));
    }
    // The laws of the path last: they cover the comparisons where they coincide.
    for end in plane.ends.iter().rev().filter(|end| end.p_n > 0.0) {
        mark(svg, frame.at((end.p_n, end.p_t)), end.law);
    }
}

/// Filled circle for a law of the path, open diamond for a comparison.
fn mark(svg: &mut Svg, at: (f64, f64), law: Law) {
    let colour = law_colour(law);
    if law.follows_the_path() {
        svg.circle(at, 5.5, colour, "#ffffff");
        return;
    }
    let r = if law == Law::Moreau { 8.0 } else { 11.0 };
    let corners = [(0.0, -r), (r, 0.0), (0.0, r), (-r, 0.0)];
    let points = corners.map(|(dx, dy)| (at.0 + dx, at.1 + dy));
    svg.polygon(&points, "none", colour);
}

fn draw_legend(svg: &mut Svg, legend: &[Entry], plane: &ImpulsePlane) {
    let top = HEIGHT - BOTTOM + 64.0;
    let rows = legend.len().div_ceil(2);
    for (i, entry) in legend.iter().enumerate() {
        let x = LEFT - 40.0 + if i < rows { 0.0 } else { 345.0 };
        let y = top + 20.0 * (i % rows) as f64;
        let name = match entry {
            Entry::Line(stroke, name) => {
                svg.line((x, y - 4.0), (x + 30.0, y - 4.0), *stroke);
                name
            }
            Entry::Mark(law, name) => {
                mark(svg, (x + 15.0, y - 4.0), *law);
                name
            }
        };
        svg.text((x + 40.0, y), Anchor::Start, 12.5, colour::BLACK, name);
    }
    let degrees = |angle: f64| significant(angle.to_degrees(), 4);
    let angles = format!(
        "friction angle φ_s = {}° static, φ_d = {}° kinetic; sticking line {}°",
        degrees(plane.static_angle),
        degrees(plane.friction_angle),
        degrees(plane.sticking_angle)
    );
    let at = (WIDTH - RIGHT, 26.0 + 14.0);
    svg.text(at, Anchor::End, 11.5, colour::GREY, &angles);
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
}
