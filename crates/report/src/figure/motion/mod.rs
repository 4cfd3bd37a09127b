//! The mechanism in several places at once, like a photograph with a flash.

mod body;
mod clip;
mod world;

use carom_sim::record::{EventKind, RunRecord, Scene, Trajectory};

use super::axis::{self, Axis, Scale};
use super::chart::{self, Entry, MARGIN, WIDTH, draw_legend, legend_height};
use super::frame::{Box, Frame, Point};
use super::svg::{Stroke, Svg, colour};
use body::Pose;

/// Poses shown between start and end, and most impacts shown.
const GHOSTS: usize = 18;
const IMPACTS: usize = 24;
/// Left edge of the window, and space below it.
const LEFT: f64 = 72.0;
const BELOW: f64 = 52.0;
/// Least and greatest height of the window.
const HEIGHT: (f64, f64) = (160.0, 520.0);
/// Room around the motion, as a fraction of its size.
const ROOM: f64 = 0.08;

/// Why a pose is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Between,
    Start,
    Impact,
    End,
}

impl Role {
    fn stroke(self) -> Stroke {
        match self {
            Self::Between => Stroke::solid(colour::PALE, 0.9),
            Self::Start => Stroke {
                colour: colour::BLUE,
                width: 1.7,
                dash: "4 2.5",
            },
            Self::Impact => Stroke::solid(colour::ORANGE, 1.5),
            Self::End => Stroke::solid(colour::BLACK, 2.2),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Between => "between",
            Self::Start => "start",
            Self::Impact => "impact",
            Self::End => "end",
        }
    }
}

const TRACE: Stroke = Stroke {
    colour: colour::GREEN,
    width: 0.9,
    dash: "2 2",
};

/// Draws the motion; none without scene, samples or poses.
pub(super) fn motion(record: &RunRecord, description: &str) -> Option<String> {
    let scene = record.scene.as_ref()?;
    let trajectory = record.trajectory.as_ref()?;
    let shown = instants(record, trajectory)?;
    let traces = traces(scene, trajectory);
    let configurations: Vec<(Role, Figure)> = shown
        .iter()
        .map(|(role, instant)| (*role, Figure::at(scene, trajectory, *instant)))
        .collect();
    let drawn = configurations
        .iter()
        .flat_map(|(_, figure)| figure.points());
    let points = drawn.chain(traces.iter().flatten().copied());
    let window = world::window(points.collect(), scene)?;
    let legend = legend(&shown);
    let frame = place(window, &legend);
    let mut svg = Svg::new(WIDTH, frame.place.bottom + BELOW);
    let (x_scale, y_scale) = scales(&frame);
    frame.grid(&mut svg, &x_scale, &y_scale);
    world::draw(&mut svg, &frame, scene);
    for trace in &traces {
        let on_paper: Vec<Point> = trace.iter().map(|p| frame.at(*p)).collect();
        svg.path(&chart::along_curve(&on_paper, traces.len()), TRACE);
    }
    for (role, figure) in &configurations {
        figure.draw(&mut svg, &frame, *role);
    }
    world::pins(&mut svg, &frame, scene);
    frame.border(&mut svg);
    frame.x_numbers(&mut svg, &x_scale);
    frame.y_numbers(&mut svg, &y_scale);
    frame.x_name(&mut svg, &Axis::new("x", "m"), &x_scale);
    frame.y_name(&mut svg, &Axis::new("y", "m"), &y_scale);
    draw_legend(&mut svg, &legend, frame.place);
    Some(svg.finish(description))
}

fn place(window: [(f64, f64); 2], legend: &[Entry]) -> Frame {
    let mut place = Box {
        left: LEFT,
        right: WIDTH - MARGIN,
        top: MARGIN,
        bottom: MARGIN,
    };
    place.top += legend_height(legend, place);
    Frame::equal(window[0], window[1], place, HEIGHT)
}

/// Round numbers at the same distance along both axes.
fn scales(frame: &Frame) -> (Scale, Scale) {
    let Box {
        left,
        right,
        top,
        bottom,
    } = frame.place;
    let x_scale = Scale::across(frame.x, right - left);
    let per_width = (bottom - top) / (right - left);
    let count = (per_width * x_scale.ticks.len() as f64).ceil().max(2.0);
    (x_scale, Scale::upward(frame.y, count as usize))
}

/// When the mechanism is shown, and why; what matters most is drawn last.
fn instants(record: &RunRecord, trajectory: &Trajectory) -> Option<Vec<(Role, f64)>> {
    let (first, last) = (*trajectory.time.first()?, *trajectory.time.last()?);
    let ghosts = (1..=GHOSTS).map(|k| first + (last - first) * k as f64 / (GHOSTS + 1) as f64);
    let impacts = record.events.iter().filter(|e| e.kind == EventKind::Impact);
    let impacts: Vec<f64> = impacts.map(|e| e.time).collect();
    let every = impacts.len().div_ceil(IMPACTS).max(1);
    let mut shown: Vec<(Role, f64)> = Vec::new();
    if last > first {
        shown.extend(ghosts.map(|t| (Role::Between, t)));
    }
    let impacts = impacts.into_iter().step_by(every);
    shown.extend(impacts.map(|t| (Role::Impact, t)));
    shown.push((Role::Start, first));
    if last > first {
        shown.push((Role::End, last));
    }
    Some(shown)
}

fn legend(shown: &[(Role, f64)]) -> Vec<Entry> {
    let roles = [Role::Start, Role::Impact, Role::End, Role::Between];
    let present = roles
        .into_iter()
        .filter(|role| shown.iter().any(|s| s.0 == *role));
    let entry = |name: &str, stroke: Stroke| Entry {
        name: name.to_owned(),
        stroke,
        mark: None,
    };
    let mut entries: Vec<Entry> = present
        .map(|role| entry(role.name(), role.stroke()))
        .collect();
    entries.push(entry("path", TRACE));
    entries
}

fn traces(scene: &Scene, trajectory: &Trajectory) -> Vec<Vec<Point>> {
    let of_body = scene.bodies.iter().flat_map(|body| {
        let points = body::traced(body).into_iter();
        points.map(|point| body::trace(trajectory, &body.name, point))
    });
    of_body.filter(|trace| !trace.is_empty()).collect()
}

/// All bodies at one instant, in the world.
struct Figure {
    outlines: Vec<Vec<Point>>,
    bars: Vec<[Point; 2]>,
}

impl Figure {
    fn at(scene: &Scene, trajectory: &Trajectory, instant: f64) -> Self {
        let (mut outlines, mut bars) = (Vec::new(), Vec::new());
        for body in &scene.bodies {
            let Some(pose) = Pose::at(trajectory, &body.name, instant) else {
                continue;
            };
            let here = body.outlines.iter().map(|o| body::corners(o, &pose));
            outlines.extend(here.filter(|corners| !corners.is_empty()));
            let here = body::bars(body).into_iter();
            bars.extend(here.map(|ends| ends.map(|p| pose.of(p))));
        }
        Self { outlines, bars }
    }

    fn points(&self) -> impl Iterator<Item = Point> {
        let bars = self.bars.iter().flatten();
        let points = self.outlines.iter().flatten().chain(bars).copied();
        points.filter(|p| axis::is_drawable(p.0) && axis::is_drawable(p.1))
    }

    fn draw(&self, svg: &mut Svg, frame: &Frame, role: Role) {
        let stroke = role.stroke();
        for [from, to] in &self.bars {
            svg.line(frame.at(*from), frame.at(*to), stroke);
        }
        let fill = if role == Role::End {
            colour::LIGHT
        } else {
            "none"
        };
        for corners in &self.outlines {
            let on_paper: Vec<Point> = corners.iter().map(|p| frame.at(*p)).collect();
            svg.shape(&on_paper, fill, stroke);
        }
    }
}
