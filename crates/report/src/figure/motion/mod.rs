//! The mechanism in several places at once, like a photograph with a flash.

mod body;
mod clip;
mod labels;
mod outline;
mod space;
mod struck;
mod when;
mod world;

use carom_contact::impact::planar::Line;
use carom_sim::record::{Bodies, Outline, RunRecord, Scene};

use super::axis::{self, Axis, Scale};
use super::chart::{self, Entry, MARGIN, WIDTH, draw_legend, legend_height};
use super::frame::{Box, Frame, Point};
use super::svg::{Stroke, Svg, colour};
use body::Pose;
pub(crate) use outline::{bars, traced};
pub use struck::{Blow, Push, collision_svg};
use when::{Role, When, shown};

/// Left edge of the window, and space below it.
const LEFT: f64 = 72.0;
const BELOW: f64 = 52.0;
/// Least and greatest height of the window.
const HEIGHT: (f64, f64) = (160.0, 520.0);
/// Half the height of the mark of a body that is a point.
const MARK: f64 = 6.0;
/// Room around the motion, as a fraction of its size.
const ROOM: f64 = 0.08;

const TRACE: Stroke = Stroke {
    colour: colour::GREEN,
    width: 0.9,
    dash: "2 2",
};

/// Lines on a hollow.
const NET: Stroke = Stroke {
    colour: colour::LIGHT,
    width: 0.9,
    dash: "",
};

/// Draws the motion; none without scene, samples or poses.
pub(super) fn motion(record: &RunRecord, description: &str) -> Option<String> {
    let shown = shown(record, record.trajectory.as_ref()?)?;
    let scene = match record.scene.as_ref()? {
        Scene::Plane(scene) => scene,
        Scene::Space(scene) => return space::motion(record, scene, &shown, description),
    };
    let traces = traces(scene, record);
    let configurations: Vec<(Role, Figure)> = shown
        .iter()
        .map(|(role, when)| (*role, Figure::at(scene, record, *when)))
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

fn legend(shown: &[(Role, When)]) -> Vec<Entry> {
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

fn traces(scene: &Bodies, record: &RunRecord) -> Vec<Vec<Point>> {
    let of_body = scene.bodies.iter().flat_map(|body| {
        let points = traced(body).into_iter();
        points.map(|point| body::trace(record, &body.name, point))
    });
    of_body.filter(|trace| !trace.is_empty()).collect()
}

/// All bodies at one instant, in the world.
#[derive(Default)]
struct Figure {
    outlines: Vec<Vec<Point>>,
    bars: Vec<[Point; 2]>,
    /// Edges of half-planes that move, as a point and the normal.
    edges: Vec<[Point; 2]>,
    /// Bodies without any extent.
    marks: Vec<Point>,
    /// Lines on what one sees through: hollows of space.
    nets: Vec<Vec<Point>>,
}

impl Figure {
    fn at(scene: &Bodies, record: &RunRecord, when: When) -> Self {
        let mut figure = Self::default();
        for body in &scene.bodies {
            let Some(pose) = Pose::at(record, &body.name, when) else {
                continue;
            };
            let bars = bars(body);
            if bars.is_empty() && body.outlines.is_empty() {
                let at = body.points.last().copied().unwrap_or([0.0; 2]);
                figure.marks.push(pose.of(at));
            }
            figure
                .bars
                .extend(bars.iter().map(|ends| ends.map(|p| pose.of(p))));
            for outline in &body.outlines {
                match outline {
                    Outline::HalfSpace { point, normal } => {
                        figure.edges.push([pose.of(*point), pose.turned(*normal)])
                    }
                    Outline::Round { from, to, radius } if from == to && *radius == 0.0 => {
                        figure.marks.push(pose.of(*from));
                    }
                    solid => figure.outlines.push(body::corners(solid, &pose)),
                }
            }
        }
        figure
    }

    /// Adds what another has.
    fn join(&mut self, other: Self) {
        self.outlines.extend(other.outlines);
        self.bars.extend(other.bars);
        self.edges.extend(other.edges);
        self.marks.extend(other.marks);
        self.nets.extend(other.nets);
    }

    fn points(&self) -> impl Iterator<Item = Point> {
        let bars = self.bars.iter().flatten();
        let edges = self.edges.iter().map(|[point, _]| point);
        let points = self.outlines.iter().flatten().chain(bars).chain(edges);
        let nets = self.nets.iter().flatten();
        let points = points.chain(&self.marks).chain(nets).copied();
        points.filter(|p| axis::is_drawable(p.0) && axis::is_drawable(p.1))
    }

    fn draw(&self, svg: &mut Svg, frame: &Frame, role: Role) {
        let stroke = role.stroke();
        for net in &self.nets {
            let on_paper: Vec<Point> = net.iter().map(|p| frame.at(*p)).collect();
            svg.path(&on_paper, NET);
        }
        for [from, to] in &self.bars {
            svg.line(frame.at(*from), frame.at(*to), stroke);
        }
        for [point, normal] in &self.edges {
            let line = Line {
                n: normal.0,
                t: normal.1,
                offset: -(normal.0 * point.0 + normal.1 * point.1),
            };
            if let Some([from, to]) = frame.clip(&line) {
                svg.line(frame.at(from), frame.at(to), stroke);
            }
        }
        let fill = if role == Role::End {
            colour::LIGHT
        } else {
            "none"
        };
        for corners in self.outlines.iter().filter(|corners| !corners.is_empty()) {
            let on_paper: Vec<Point> = corners.iter().map(|p| frame.at(*p)).collect();
            svg.shape(&on_paper, fill, stroke);
        }
        for mark in &self.marks {
            svg.shape(&diamond(frame.at(*mark)), fill, stroke);
        }
    }
}

/// A mark on paper for a body that is a point.
fn diamond((x, y): Point) -> [Point; 4] {
    [(x, y - MARK), (x + MARK, y), (x, y + MARK), (x - MARK, y)]
}
