//! Force against acceleration for one coordinate.

use carom_contact::forward::ForwardInputError;
use carom_contact::forward::graph::{CountDiagram, ScalarGraph};
use carom_contact::forward::scalar::ScalarFriction;

use super::super::axis::{Axis, Scale, range};
use super::super::chart::{Entry, MARGIN, WIDTH};
use super::super::frame::{Frame, Point, Range};
use super::super::svg::{Anchor, Stroke, Svg, colour, text_width};
use super::pen::{
    BELOW, arrow, clipped, draw_answer, header, velocity_mark, velocity_name, velocity_pen,
};
use super::places::Taken;
use super::strip;
use crate::number::significant;

/// Height of the window (units of the drawing) and the room left of it beside its numbers.
const HEIGHT: f64 = 290.0;
const NAME: f64 = 40.0;
/// Space between the window and the strip.
const GAP: f64 = 12.0;
/// Size of the names of points and forces.
const SIZE: f64 = 13.0;
/// Room beside what must be seen, as a fraction of its spread.
const ROOM: f64 = 0.4;

/// Words of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphLabels<'a> {
    /// Above the graph; empty: none.
    pub title: &'a str,
    /// The horizontal axis.
    pub acceleration: Axis,
    /// The vertical axis.
    pub force: Axis,
    /// Names of points (acceleration, force); without any, the forces asked about are written.
    pub points: &'a [(&'a str, [f64; 2])],
}

/// A window of accelerations that shows the vertex, rest and every answer at a force.
pub fn graph_window(scalar: &ScalarFriction, tau: f64) -> Result<[f64; 2], ForwardInputError> {
    let near = scalar.graph(tau, -1.0, 1.0)?;
    let answers = near.answers.iter().map(|answer| answer.acceleration);
    let seen = answers
        .chain(near.vertex.map(|vertex| vertex.acceleration))
        .chain([0.0]);
    let (low, high) = range(seen, ROOM).unwrap_or((-1.0, 1.0));
    Ok([low, high])
}

/// Draws both Vs, the static band, the line without load, the answers at each force asked about with
/// the jumps when a slowing velocity reaches zero, and a strip with the number of answers.
///
/// The Vs are those of the first graph; the others add answers at their forces. `None` without any.
pub fn graph_svg(
    graphs: &[&ScalarGraph],
    counts: &CountDiagram,
    labels: &GraphLabels<'_>,
) -> Option<String> {
    let first = graphs.first()?;
    let y = y_range(graphs);
    let y_scale = Scale::upward(y, 7);
    let legend = entries(first, graphs);
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let left = NAME + y_scale.widest();
    let right = WIDTH - MARGIN - strip::WIDTH - GAP;
    let mut place = header(&mut svg, labels.title, &legend, left, right);
    place.top += strip::HEAD;
    place.bottom = place.top + HEIGHT;
    svg.grow_to(place.bottom + BELOW);
    let ends = first.branches.iter().flat_map(|b| b.ends);
    let x = range(ends.map(|end| end.acceleration), 0.0)?;
    let mut drawing = Drawing {
        frame: Frame { x, y, place },
        svg,
        taken: Taken::default(),
    };
    drawing.axes(labels, &y_scale);
    drawing.curves(first);
    strip::draw(&mut drawing.svg, counts, &drawing.frame, right + GAP);
    drawing.levels(graphs);
    drawing.names(graphs, labels.points);
    Some(drawing.svg.finish(labels.title))
}

/// The forces that must be seen, with room.
fn y_range(graphs: &[&ScalarGraph]) -> Range {
    let forces = graphs.iter().flat_map(|graph| {
        let vertex = graph.vertex.map(|vertex| vertex.force);
        let band = graph.static_band.iter().copied();
        band.chain(vertex).chain([graph.force])
    });
    range(forces, ROOM).unwrap_or((-1.0, 1.0))
}

fn entries(first: &ScalarGraph, graphs: &[&ScalarGraph]) -> Vec<Entry> {
    let entry = |name: &str, stroke, mark| Entry {
        name: name.to_owned(),
        stroke,
        mark,
    };
    let velocities = [(1, "moving +, "), (-1, "moving −, "), (0, "at rest, ")];
    let named = velocities.map(|(velocity, words)| {
        let name = format!("{words}{}", velocity_name(velocity));
        entry(&name, velocity_pen(velocity), Some(velocity_mark(velocity)))
    });
    let mut entries = named.to_vec();
    if first.vertex.is_some() {
        entries.push(entry("N = 0", NO_LOAD, None));
    }
    if graphs.iter().any(|graph| !graph.transitions.is_empty()) {
        entries.push(entry("jump when q\u{307} reaches 0", JUMP, None));
    }
    entries
}

const NO_LOAD: Stroke = Stroke {
    colour: colour::GREY,
    width: 1.3,
    dash: "6 4",
};
const JUMP: Stroke = Stroke {
    colour: colour::GREEN,
    width: 1.8,
    dash: "",
};
const LEVEL: Stroke = Stroke {
    colour: colour::PALE,
    width: 1.0,
    dash: "3 3",
};

/// A graph under way.
struct Drawing {
    frame: Frame,
    svg: Svg,
    taken: Taken,
}

impl Drawing {
    fn axes(&mut self, labels: &GraphLabels<'_>, y_scale: &Scale) {
        let (frame, svg) = (self.frame, &mut self.svg);
        let place = frame.place;
        let x_scale = Scale::across(frame.x, place.right - place.left);
        frame.grid(svg, &x_scale, y_scale);
        frame.border(svg);
        frame.x_numbers(svg, &x_scale);
        frame.y_numbers(svg, y_scale);
        frame.x_name(svg, &labels.acceleration, &x_scale);
        frame.y_name(svg, &labels.force, y_scale);
        let ((x0, x1), (y0, y1)) = (frame.x, frame.y);
        for ends in [[(0.0, y0), (0.0, y1)], [(x0, 0.0), (x1, 0.0)]] {
            self.line(ends, Stroke::solid(colour::BLACK, 1.0));
        }
    }

    /// A straight piece, cut to the window and kept free of names.
    fn line(&mut self, ends: [Point; 2], stroke: Stroke) {
        if let Some(ends) = clipped(ends, self.frame.x, self.frame.y) {
            let ends = ends.map(|p| self.frame.at(p));
            self.svg.line(ends[0], ends[1], stroke);
            self.taken.line(ends);
        }
    }

    fn curves(&mut self, graph: &ScalarGraph) {
        let (low, high) = self.frame.y;
        if let Some(vertex) = graph.vertex {
            let x = vertex.acceleration;
            self.line([(x, low), (x, high)], NO_LOAD);
        }
        for branch in &graph.branches {
            let ends = branch.ends.map(|end| (end.acceleration, end.force));
            self.line(ends, velocity_pen(branch.velocity));
        }
        if let [from, to] = graph.static_band[..] {
            self.line([(0.0, from), (0.0, to)], velocity_pen(0));
        }
    }

    /// A thin line at each force, its jumps and its answers.
    fn levels(&mut self, graphs: &[&ScalarGraph]) {
        let (x0, x1) = self.frame.x;
        for graph in graphs {
            let tau = graph.force;
            self.line([(x0, tau), (x1, tau)], LEVEL);
            for jump in &graph.transitions {
                // An arrow that starts outside comes in over the edge.
                let from = jump.from.clamp(x0, x1);
                if (x0..=x1).contains(&jump.to) {
                    let ends = [(from, tau), (jump.to, tau)].map(|p| self.frame.at(p));
                    arrow(&mut self.svg, ends[0], ends[1], JUMP);
                }
            }
        }
        for graph in graphs {
            let inside = |x: f64| (x0..=x1).contains(&x);
            let mut answers: Vec<_> = graph.answers.iter().collect();
            answers.retain(|answer| inside(answer.acceleration));
            answers.sort_by_key(|answer| answer.velocity != 0); // rest below motion
            for answer in answers {
                let at = self.frame.at((answer.acceleration, graph.force));
                draw_answer(&mut self.svg, at, answer.velocity);
                self.taken.point(at);
            }
        }
    }

    fn names(&mut self, graphs: &[&ScalarGraph], points: &[(&str, [f64; 2])]) {
        let inside = self.frame.place;
        let ((x0, x1), (y0, y1)) = (self.frame.x, self.frame.y);
        let is_seen = |[x, y]: &[f64; 2]| (x0..=x1).contains(x) && (y0..=y1).contains(y);
        for (name, [x, y]) in points.iter().filter(|(_, at)| is_seen(at)) {
            let at = self.frame.at((*x, *y));
            let middle = self.taken.beside(at, name, SIZE, inside);
            self.name(middle, name);
        }
        if points.is_empty() {
            for graph in graphs {
                let name = format!("τ = {}", significant(graph.force, 4)).replace('-', "−");
                let half = 0.5 * text_width(&name, SIZE) + 4.0;
                let (_, y) = self.frame.at((0.0, graph.force));
                let ends = [inside.left + half, inside.right - half];
                let at = self
                    .taken
                    .freest(&ends.map(|x| (x, y)), &name, SIZE, inside);
                self.name(at, &name);
            }
        }
    }

    fn name(&mut self, middle: Point, name: &str) {
        let at = (middle.0, middle.1 + 0.35 * SIZE);
        self.svg.text(at, Anchor::Middle, SIZE, colour::BLACK, name);
    }
}
