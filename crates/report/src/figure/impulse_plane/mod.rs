//! Routh's diagram: the impulse plane with its lines and the path.

mod labels;
mod legend;

use carom_contact::impact::Law;
use carom_contact::impact::planar::{ImpulsePlane, Line, PathPoint};
use carom_contact::impact::{Mode, Outcome};

use super::axis::Axis;
use super::frame::{Box, Frame, Point};
use super::svg::{Anchor, Stroke, Svg, colour, literal};
use labels::Labels;
use legend::{Entry, draw_legend};
pub(super) use legend::{law_title, mark, unended};

const WIDTH: f64 = 720.0;
/// Height without the legend, and height of a line of it.
const HEIGHT: f64 = 452.0;
const ROW: f64 = 20.0;
const PLACE: Box = Box {
    left: 78.0,
    right: WIDTH - 24.0,
    top: 58.0,
    bottom: HEIGHT - 64.0,
};
/// Longest title that fits (characters).
const TITLE: usize = 72;

/// Draws the impulse plane of one impact.
pub fn impulse_plane_svg(plane: &ImpulsePlane, title: &str) -> String {
    let ends = plane.ends.iter().map(|end| (end.p_n, end.p_t));
    let corners = plane.path.iter().map(|point| (point.p_n, point.p_t));
    let points: Vec<Point> = ends.chain(corners).collect();
    let frame = Frame::around(&points, PLACE);
    let mut labels = Labels::avoiding(points.iter().map(|p| frame.at(*p)), PLACE);
    let mut drawing = Drawing {
        frame,
        svg: Svg::new(WIDTH, HEIGHT),
        legend: Vec::new(),
    };
    drawing.frame.axes(
        &mut drawing.svg,
        &Axis::new("normal impulse p_n", "N·s"),
        &Axis::new("tangent impulse p_t", "N·s"),
    );
    drawing.lines(plane, &mut labels);
    drawing.friction(plane, &mut labels);
    drawing.path(plane);
    drawing.ends(plane);
    labels.draw(&mut drawing.svg);
    let Drawing {
        mut svg, legend, ..
    } = drawing;
    heading(&mut svg, plane, title);
    let rows = draw_legend(&mut svg, &legend, HEIGHT);
    svg.grow_to(HEIGHT + ROW * rows as f64 + 8.0);
    svg.finish(title)
}

fn heading(svg: &mut Svg, plane: &ImpulsePlane, title: &str) {
    let title = title.trim();
    let shown = match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title.to_owned(),
    };
    let at = |y: f64| (PLACE.left, y);
    let shown = literal(&shown);
    svg.text(at(24.0), Anchor::Start, 16.0, colour::BLACK, &shown);
    let words = [legend::angles(plane), legend::unended(&plane.unended)];
    let words: Vec<String> = words.into_iter().flatten().collect();
    svg.text(
        at(44.0),
        Anchor::Start,
        11.5,
        colour::GREY,
        &words.join("; "),
    );
}

/// A figure under way.
struct Drawing {
    frame: Frame,
    svg: Svg,
    legend: Vec<Entry>,
}

impl Drawing {
    fn line(&mut self, ends: [Point; 2], stroke: Stroke) {
        let [from, to] = ends.map(|p| self.frame.at(p));
        self.svg.line(from, to, stroke);
    }

    /// The lines of sticking and of maximum compression.
    fn lines(&mut self, plane: &ImpulsePlane, labels: &mut Labels) {
        let lines = [
            (
                plane.compression,
                colour::ORANGE,
                "line of maximum compression, v_n = 0",
                "v_n = 0",
            ),
            (
                plane.sticking,
                colour::BLUE,
                "line of sticking, v_t = 0",
                "v_t = 0",
            ),
        ];
        let mut earlier: Option<[Point; 2]> = None;
        for (line, colour, name, label) in lines {
            let Some(ends) = line.and_then(|line| self.frame.clip(&line)) else {
                continue;
            };
            // Where the two coincide (one degree of freedom) both must be seen.
            let is_covered = earlier.is_some_and(|e| close(self.frame, e, ends));
            let dash = if is_covered { "9 9" } else { "" };
            let stroke = Stroke {
                colour,
                width: 1.8,
                dash,
            };
            self.line(ends, stroke);
            labels.place(ends.map(|p| self.frame.at(p)), label, colour);
            self.legend.push(Entry::Line(stroke, name.to_owned()));
            earlier = Some(ends);
        }
    }

    /// The friction line, and the reversed one from the halt; the static cone for a start at rest.
    fn friction(&mut self, plane: &ImpulsePlane, labels: &mut Labels) {
        let dashed = Stroke {
            colour: colour::GREY,
            width: 1.6,
            dash: "7 4",
        };
        let dotted = Stroke {
            colour: colour::GREY,
            width: 1.6,
            dash: "2 4",
        };
        let Some(slope) = plane.friction_slope else {
            let mu = plane.static_angle.tan();
            for slope in [mu, -mu]
                .into_iter()
                .filter(|s| *s != 0.0 && !plane.path.is_empty())
            {
                self.ray(slope, (0.0, 0.0), dashed);
            }
            if mu != 0.0 && !plane.path.is_empty() {
                let name = "static friction cone, slopes ±μ_s".to_owned();
                self.legend.push(Entry::Line(dashed, name));
            }
            return;
        };
        if slope == 0.0 {
            return;
        }
        if let Some(ends) = self.ray(slope, (0.0, 0.0), dashed) {
            labels.place(ends.map(|p| self.frame.at(p)), "friction", dashed.colour);
            let name = "line of friction, slope −μσ".to_owned();
            self.legend.push(Entry::Line(dashed, name));
        }
        let halt = plane.path.iter().skip(1).find(|point| point.v_t == 0.0);
        let reverses = halt.filter(|halt| halt.mode != Mode::Stick);
        if let (Some(halt), Some(slope)) = (reverses, plane.reverse_slope)
            && self.ray(slope, (halt.p_n, halt.p_t), dotted).is_some()
        {
            let name = "line of reversed friction, from the halt".to_owned();
            self.legend.push(Entry::Line(dotted, name));
        }
    }

    /// Draws the part of a line of that slope to the right of a point.
    fn ray(&mut self, slope: f64, from: Point, stroke: Stroke) -> Option<[Point; 2]> {
        let line = Line {
            n: slope,
            t: -1.0,
            offset: from.1 - slope * from.0,
        };
        let [_, end] = self.frame.clip(&line)?;
        self.line([from, end], stroke);
        Some([from, end])
    }

    fn path(&mut self, plane: &ImpulsePlane) {
        if plane.path.is_empty() {
            return;
        }
        let stroke = Stroke::solid(colour::BLACK, 3.2);
        let place = |point: &PathPoint| self.frame.at((point.p_n, point.p_t));
        let points: Vec<Point> = plane.path.iter().map(place).collect();
        self.svg.polyline(&points, stroke, "");
        for ends in points.windows(2) {
            arrow(&mut self.svg, ends[0], ends[1]);
        }
        for point in &points {
            self.svg.circle(*point, 3.4, "#ffffff", colour::BLACK);
        }
        let name = "path of the impact".to_owned();
        self.legend.push(Entry::Line(stroke, name));
    }

    /// End lines and marks; the marks of the laws of the path are of different size, so that all
    /// are seen where they coincide.
    fn ends(&mut self, plane: &ImpulsePlane) {
        for end in &plane.ends {
            let stroke = Stroke {
                colour: legend::law_colour(end.law),
                width: 1.3,
                dash: "4 3",
            };
            let line = end.line.filter(|_| end.law.follows_the_path());
            if let Some(ends) = line.and_then(|line| self.frame.clip(&line)) {
                self.line(ends, stroke);
            }
            self.legend.push(Entry::Mark(end.law, end.line.is_some()));
        }
        let drawn = [
            Law::Whittaker,
            Law::Moreau,
            Law::Newton,
            Law::Poisson,
            Law::Energetic,
        ];
        for law in drawn {
            for end in plane.ends.iter().filter(|end| end.law == law) {
                legend::mark(&mut self.svg, self.frame.at((end.p_n, end.p_t)), law);
            }
        }
        let is_idle = !plane.unended.is_empty()
            && plane
                .unended
                .iter()
                .all(|(_, outcome)| *outcome == Outcome::NoImpact);
        if is_idle && plane.ends.is_empty() {
            let middle = ((PLACE.left + PLACE.right) / 2.0, PLACE.top + 40.0);
            let words = "no impact: the bodies do not approach";
            self.svg
                .text(middle, Anchor::Middle, 15.0, colour::BLACK, words);
        }
    }
}

/// Whether two clipped lines are one on paper.
fn close(frame: Frame, a: [Point; 2], b: [Point; 2]) -> bool {
    let apart = |p: Point, q: Point| {
        let (p, q) = (frame.at(p), frame.at(q));
        (p.0 - q.0).abs() + (p.1 - q.1).abs()
    };
    apart(a[0], b[0]) + apart(a[1], b[1]) < 1.0
}

/// An arrow head in the middle of a segment long enough for it.
fn arrow(svg: &mut Svg, from: Point, to: Point) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt();
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
