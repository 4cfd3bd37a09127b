//! The mechanism in space, seen from where the page sees it first, without perspective.

mod floor;
mod turned;
mod view;

use carom_multibody::scene::face_plane;
use carom_sim::record::{Bodies, BodyScene, Outline, RunRecord};

use super::super::axis::NAMES;
use super::super::chart::{WIDTH, along_curve, draw_legend};
use super::super::frame::{Frame, Point};
use super::super::run::series::pose;
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::body::{self, Pose as Flat};
use super::labels::Labels;
use super::outline::{bars, traced};
use super::struck::{Arrows, Blow};
use super::when::{Role, When};
use super::{Figure, TRACE, legend, place, world};
use floor::Ball;
use turned::Axle;
use view::{Pose, View, dot};

type Vec3 = [f64; 3];

/// Space below the window, and of the axes in it.
const BELOW: f64 = 68.0;
const CORNER: f64 = 30.0;
/// Axes of a body without a shape, as parts of the size of what is drawn: x, y, z.
const TRIAD: Vec3 = [0.16, 0.12, 0.08];
/// Size of a drawing that is a point (m).
const POINT: f64 = 0.1;

/// Draws the motion; none without samples or poses.
pub(super) fn motion(
    record: &RunRecord,
    scene: &Bodies<Vec3>,
    shown: &[(Role, When)],
    description: &str,
) -> Option<String> {
    let view = View::first();
    let triad = TRIAD.map(|part| part * extent(record, scene));
    let figure = |(role, when): &(Role, When)| {
        let mut all = bodies_at(record, scene, &view, *when);
        if matches!(role, Role::Start | Role::End) {
            all.join(triads_at(record, scene, &view, *when, triad));
        }
        (*role, all)
    };
    let configurations: Vec<(Role, Figure)> = shown.iter().map(figure).collect();
    let ways = ways(record, scene);
    let along = ways.iter().flatten().map(|p| (*p, 0.0));
    let moving: Vec<Ball> = along.chain(covered(record, scene, shown)).collect();
    let floors = floor::floors(&scene.world, &moving);
    let still = figure_of(&scene.world, &Pose::STILL, &view, false, &moving);
    let traces: Vec<Vec<Point>> = ways
        .iter()
        .map(|way| way.iter().map(|p| view.at(*p)).collect())
        .collect();
    let figures = configurations.iter().map(|(_, figure)| figure);
    let drawn = figures.chain([&still]).flat_map(Figure::points);
    let corners = floors.iter().flat_map(|floor| floor.corners());
    let points = drawn.chain(traces.iter().flatten().copied());
    let points = points.chain(corners.map(|p| view.at(p)));
    let window = world::window(points.collect(), &Bodies::default())?;
    let legend = legend(shown);
    let frame = place(window, &legend);
    let mut svg = Svg::new(WIDTH, frame.place.bottom + BELOW);
    for floor in &floors {
        floor.draw(&mut svg, |p| frame.at(view.at(p)));
    }
    still.draw(&mut svg, &frame, Role::End);
    for trace in &traces {
        let on_paper: Vec<Point> = trace.iter().map(|p| frame.at(*p)).collect();
        svg.path(&along_curve(&on_paper, traces.len()), TRACE);
    }
    for (role, figure) in &configurations {
        figure.draw(&mut svg, &frame, *role);
    }
    axes(&mut svg, &frame, &view);
    rule(&mut svg, &frame);
    frame.border(&mut svg);
    draw_legend(&mut svg, &legend, frame.place);
    Some(svg.finish(description))
}

/// Draws an instant with impulses as arrows.
pub(super) fn collision(
    record: &RunRecord,
    scene: &Bodies<Vec3>,
    blow: &Blow<'_>,
) -> Option<String> {
    let view = View::first();
    let (when, pushes) = (blow.when(record), blow.pushes);
    let triad = TRIAD.map(|part| part * extent(record, scene));
    let mut figure = bodies_at(record, scene, &view, when);
    figure.join(triads_at(record, scene, &view, when, triad));
    let near = pushes.iter().map(|push| (push.point, 0.0));
    let moving: Vec<Ball> = near
        .chain(covered(record, scene, &[(Role::End, when)]))
        .collect();
    let floors = floor::floors(&scene.world, &moving);
    let still = figure_of(&scene.world, &Pose::STILL, &view, false, &moving);
    let arrows = Arrows::over(figure.points(), pushes, |p| view.at(p));
    let corners = floors.iter().flat_map(|floor| floor.corners());
    let points = figure.points().chain(still.points()).chain(arrows.points());
    let points = points.chain(corners.map(|p| view.at(p)));
    let window = world::window(points.collect(), &Bodies::default())?;
    let legend = arrows.legend();
    let frame = place(window, &legend);
    let mut svg = Svg::new(WIDTH, frame.place.bottom + BELOW);
    for floor in &floors {
        floor.draw(&mut svg, |p| frame.at(view.at(p)));
    }
    still.draw(&mut svg, &frame, Role::Between);
    figure.draw(&mut svg, &frame, Role::End);
    let at = |body: &str, p: Vec3| Some(view.at(Pose::at(record, body, when)?.of(p)));
    let mut labels = Labels::of(scene, blow, at);
    labels.tie(&mut svg, &frame, &arrows);
    arrows.draw(&mut svg, &frame, &mut labels);
    labels.draw(&mut svg, &frame);
    axes(&mut svg, &frame, &view);
    rule(&mut svg, &frame);
    frame.border(&mut svg);
    draw_legend(&mut svg, &legend, frame.place);
    Some(svg.finish(blow.description))
}

/// All bodies at one instant, on paper.
fn bodies_at(record: &RunRecord, scene: &Bodies<Vec3>, view: &View, when: When) -> Figure {
    let mut all = Figure::default();
    for body in &scene.bodies {
        if let Some(pose) = Pose::at(record, &body.name, when) {
            all.join(figure_of(body, &pose, view, true, &[]));
        }
    }
    all
}

/// The axes of the bodies without a shape: their turning is seen.
fn triads_at(
    record: &RunRecord,
    scene: &Bodies<Vec3>,
    view: &View,
    when: When,
    lengths: Vec3,
) -> Figure {
    let mut all = Figure::default();
    for body in scene.bodies.iter().filter(|body| body.outlines.is_empty()) {
        let Some(pose) = Pose::at(record, &body.name, when) else {
            continue;
        };
        let centre = body.points.last().copied().unwrap_or_default();
        for (k, length) in lengths.into_iter().enumerate() {
            let mut end = centre;
            end[k] += length;
            all.bars.push([centre, end].map(|p| view.at(pose.of(p))));
        }
    }
    all
}

/// Size of the motion and of the bodies (m).
fn extent(record: &RunRecord, scene: &Bodies<Vec3>) -> f64 {
    let ways = ways(record, scene);
    let of_way = |k: usize| {
        let all = ways.iter().flatten().map(|p| p[k]);
        let all = all.chain(scene.world.points.iter().map(|p| p[k]));
        let low = all.clone().fold(f64::INFINITY, f64::min);
        (all.fold(f64::NEG_INFINITY, f64::max) - low).max(0.0)
    };
    let moved = [0, 1, 2].map(of_way);
    let bodies = scene.bodies.iter();
    let points = bodies.clone().flat_map(|body| &body.points);
    let points = points.map(|p| dot(*p, *p).sqrt());
    let outlines = bodies.flat_map(|body| &body.outlines).map(reach);
    let size = points
        .chain(outlines)
        .fold(dot(moved, moved).sqrt(), f64::max);
    if size > 0.0 && size.is_finite() {
        size
    } else {
        POINT
    }
}

/// Where bodies are drawn, and how far they reach.
fn covered(
    record: &RunRecord,
    scene: &Bodies<Vec3>,
    shown: &[(Role, When)],
) -> impl Iterator<Item = Ball> {
    let of_body = move |body: &BodyScene<Vec3>| -> Vec<Ball> {
        let reach = body.outlines.iter().map(reach).fold(0.0, f64::max);
        let poses = shown.iter().map(|(_, when)| *when);
        let poses = poses.filter_map(|when| Pose::at(record, &body.name, when));
        poses.map(|pose| (pose.of([0.0; 3]), reach)).collect()
    };
    scene.bodies.iter().flat_map(of_body)
}

/// Distance from the origin of its body to the furthest point of an outline (m).
fn reach(outline: &Outline<Vec3>) -> f64 {
    let far = |p: &Vec3| dot(*p, *p).sqrt();
    match outline {
        Outline::Round { from, to, radius } => far(from).max(far(to)) + radius,
        Outline::Polyhedron { corners, .. } => corners.iter().map(far).fold(0.0, f64::max),
        Outline::Cylinder {
            center,
            radius,
            length,
            ..
        } => far(center) + radius.hypot(0.5 * length),
        Outline::Ellipsoid { center, semi_axes } => {
            far(center) + semi_axes.iter().map(far).fold(0.0, f64::max)
        }
        // What moves is inside of a hollow.
        Outline::Bowl { center, radius } | Outline::Tube { center, radius, .. } => {
            far(center) + radius
        }
        Outline::Polygon { .. } | Outline::HalfSpace { .. } => 0.0,
    }
}

/// A body at a pose: the faces it shows, round outlines, bars, nets of hollows around what moves.
fn figure_of(
    body: &BodyScene<Vec3>,
    pose: &Pose,
    view: &View,
    moves: bool,
    around: &[Ball],
) -> Figure {
    let mut figure = Figure::default();
    let at = |p: Vec3| view.at(pose.of(p));
    let bars = if moves { bars(body) } else { Vec::new() };
    if moves && bars.is_empty() && body.outlines.is_empty() {
        figure
            .marks
            .push(at(body.points.last().copied().unwrap_or_default()));
    }
    figure.bars.extend(bars.iter().map(|ends| ends.map(at)));
    let seen = Seen { pose, view, around };
    for outline in &body.outlines {
        seen.add(outline, &mut figure);
    }
    figure
}

/// A body where it is, seen from somewhere, and what moves around it.
struct Seen<'a> {
    pose: &'a Pose,
    view: &'a View,
    around: &'a [Ball],
}

impl Seen<'_> {
    fn at(&self, p: Vec3) -> Point {
        self.view.at(self.pose.of(p))
    }

    fn on_paper(&self, line: Vec<Vec3>) -> Vec<Point> {
        line.into_iter().map(|p| self.at(p)).collect()
    }

    /// Adds what is seen of an outline.
    fn add(&self, outline: &Outline<Vec3>, figure: &mut Figure) {
        match outline {
            Outline::Round { from, to, radius } if from == to && *radius == 0.0 => {
                figure.marks.push(self.at(*from));
            }
            // Seen from afar a capsule is a capsule of the same radius.
            Outline::Round { from, to, radius } => {
                let [from, to] = [*from, *to].map(|p| self.at(p)).map(|(x, y)| [x, y]);
                let flat = Outline::Round {
                    from,
                    to,
                    radius: *radius,
                };
                figure.outlines.push(body::corners(&flat, &Flat::WORLD));
            }
            Outline::Polyhedron { corners, faces } => {
                let seen = faces.iter().filter(|face| self.faces(corners, face));
                figure.outlines.extend(seen.map(|face| {
                    let corners = face.iter().filter_map(|k| corners.get(*k));
                    corners.map(|p| self.at(*p)).collect()
                }));
            }
            Outline::Cylinder {
                center,
                axis,
                radius,
                length,
            } => self.add_cylinder(axle(center, axis, *radius), *length, figure),
            Outline::Ellipsoid { center, semi_axes } => {
                let along = semi_axes.map(|a| self.view.at(self.pose.turned(a)));
                figure.outlines.push(turned::seen(self.at(*center), along));
            }
            Outline::Bowl { center, radius } => {
                let net = turned::net_of_bowl(*center, *radius).into_iter();
                figure.nets.extend(net.map(|line| self.on_paper(line)));
            }
            Outline::Tube {
                center,
                axis,
                radius,
            } => {
                let tube = axle(center, axis, *radius);
                let net = turned::net_of_tube(tube, self.around).into_iter();
                figure.nets.extend(net.map(|line| self.on_paper(line)));
            }
            Outline::Polygon { .. } | Outline::HalfSpace { .. } => {}
        }
    }

    /// Whether a face of a polyhedron is seen.
    fn faces(&self, corners: &[Vec3], face: &[usize]) -> bool {
        let plane = face_plane(corners, face);
        plane.is_some_and(|(_, normal)| self.view.faces(self.pose.turned(normal)))
    }

    /// The flank of a cylinder and the cap before it; of a disk its rim.
    fn add_cylinder(&self, axle: Axle, length: f64, figure: &mut Figure) {
        let [low, high] = axle.rims(length).map(|rim| self.on_paper(rim));
        let is_high = length == 0.0 || self.view.faces(self.pose.turned(axle.axis));
        let cap = if is_high { high.clone() } else { low.clone() };
        if length > 0.0 {
            figure.outlines.push(turned::hull([low, high].concat()));
        }
        figure.outlines.push(cap);
    }
}

fn axle(center: &Vec3, axis: &Vec3, radius: f64) -> Axle {
    Axle {
        center: *center,
        axis: *axis,
        radius,
    }
}

/// The ways of points through the world, samples and events.
fn ways(record: &RunRecord, scene: &Bodies<Vec3>) -> Vec<Vec<Vec3>> {
    let of_body = scene.bodies.iter().flat_map(|body| {
        let columns: [Vec<Point>; 7] = std::array::from_fn(|k| pose(record, &body.name, k));
        let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
        let value = move |row: usize, k: usize| columns[k].get(row).map(|p| p.1);
        let poses = (0..rows).filter_map(move |row| Pose::new(|k| value(row, k)));
        let poses: Vec<Pose> = poses.collect();
        let points = traced(body).into_iter();
        points.map(move |point| poses.iter().map(|pose| pose.of(point)).collect())
    });
    of_body.filter(|way: &Vec<Vec3>| !way.is_empty()).collect()
}

/// The directions of x, y and z, below the window.
fn axes(svg: &mut Svg, frame: &Frame, view: &View) {
    let origin = (
        frame.place.right - CORNER - 8.0,
        frame.place.bottom + CORNER + 14.0,
    );
    for (k, name) in ["x", "y", "z"].into_iter().enumerate() {
        let mut direction = [0.0; 3];
        direction[k] = 1.0;
        let (right, up) = view.at(direction);
        let at = |length: f64| (origin.0 + length * right, origin.1 - length * up);
        svg.line(origin, at(0.7 * CORNER), Stroke::solid(colour::GREY, 1.3));
        let (x, y) = at(CORNER);
        svg.text((x, y + 4.0), Anchor::Middle, NAMES, colour::GREY, name);
    }
}

/// A length in metres to compare with.
fn rule(svg: &mut Svg, frame: &Frame) {
    let scale = (frame.place.right - frame.place.left) / (frame.x.1 - frame.x.0);
    let length = floor::round_below(90.0 / scale);
    let (x, y) = (frame.place.left, frame.place.bottom + 40.0);
    let end = x + scale * length;
    let ends = [(x, y - 4.0), (x, y), (end, y), (end, y - 4.0)];
    svg.path(&ends, Stroke::solid(colour::GREY, 1.3));
    let label = format!("{} m", crate::significant(length, 3));
    svg.text(
        (x + 3.0, y - 7.0),
        Anchor::Start,
        NAMES,
        colour::GREY,
        &label,
    );
}
