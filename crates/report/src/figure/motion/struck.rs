//! The mechanism at an instant of collision, with the impulses of its contacts as arrows.

use carom_sim::record::{Bodies, RunRecord, Scene};

use super::super::axis::Axis;
use super::super::chart::{Entry, WIDTH, draw_legend};
use super::super::frame::{Frame, Point};
use super::super::run::series::rows_around;
use super::super::svg::{Stroke, Svg, colour};
use super::body::Pose;
use super::labels::Labels;
use super::when::{Role, When};
use super::{BELOW, Figure, place, scales, space, world};
use crate::significant;

/// Length of the longest arrow, as a fraction of the size of what is drawn.
const LONGEST: f64 = 0.3;
/// Length and half the width of the head of an arrow, on paper.
const HEAD: (f64, f64) = (9.0, 3.6);
/// Distance between arrows on one line, on paper.
const APART: f64 = 7.0;
/// Most arrows that have a name.
const NAMED: usize = 12;

const ARROW: Stroke = Stroke {
    colour: colour::ORANGE,
    width: 2.0,
    dash: "",
};

/// The impulse of a contact on its first body, in world axes; z is 0 in the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Push {
    /// Name of the contact.
    pub name: String,
    /// Contact point (m).
    pub point: [f64; 3],
    /// Impulse (N·s).
    pub impulse: [f64; 3],
    /// Bodies that a line ties the point to, of a contact that no outline shows.
    pub ties: Vec<String>,
}

/// What a picture of a collision shows beside the bodies.
#[derive(Debug, Clone, Copy)]
pub struct Blow<'a> {
    /// Impulses of the contacts.
    pub pushes: &'a [Push],
    /// By which law and method, or that there are none.
    pub told: &'a str,
    /// Joints by name, each with the body it leads to.
    pub hinges: &'a [(String, String)],
    /// The event that is drawn, from 0; none: the first sample.
    pub event: Option<usize>,
    /// What the picture is of.
    pub description: &'a str,
}

impl Blow<'_> {
    /// Where the poses are read.
    pub(super) fn when(&self, record: &RunRecord) -> When {
        let rows = self.event.and_then(|place| rows_around(record, place));
        rows.map_or(When::Sample(0), |[before, _]| When::Around(before))
    }
}

/// Draws an instant of a record with impulses as arrows at their contact points; none without scene
/// or sample.
pub fn collision_svg(record: &RunRecord, blow: &Blow<'_>) -> Option<String> {
    match record.scene.as_ref()? {
        Scene::Plane(scene) => plane(record, scene, blow),
        Scene::Space(scene) => space::collision(record, scene, blow),
    }
}

fn plane(record: &RunRecord, scene: &Bodies, blow: &Blow<'_>) -> Option<String> {
    let when = blow.when(record);
    let figure = Figure::at(scene, record, when);
    let arrows = Arrows::over(figure.points(), blow.pushes, |p| (p[0], p[1]));
    let points = figure.points().chain(arrows.points());
    let window = world::window(points.collect(), scene)?;
    let legend = arrows.legend();
    let frame = place(window, &legend);
    let mut svg = Svg::new(WIDTH, frame.place.bottom + BELOW);
    let (x_scale, y_scale) = scales(&frame);
    frame.grid(&mut svg, &x_scale, &y_scale);
    world::draw(&mut svg, &frame, scene);
    figure.draw(&mut svg, &frame, Role::End);
    world::pins(&mut svg, &frame, scene);
    let place = |body: &str, p: [f64; 2]| Some(Pose::at(record, body, when)?.of(p));
    let mut labels = Labels::of(scene, blow, place);
    labels.tie(&mut svg, &frame, &arrows);
    arrows.draw(&mut svg, &frame, &mut labels);
    labels.draw(&mut svg, &frame);
    frame.border(&mut svg);
    frame.x_numbers(&mut svg, &x_scale);
    frame.y_numbers(&mut svg, &y_scale);
    frame.x_name(&mut svg, &Axis::new("x", "m"), &x_scale);
    frame.y_name(&mut svg, &Axis::new("y", "m"), &y_scale);
    draw_legend(&mut svg, &legend, frame.place);
    Some(svg.finish(blow.description))
}

/// Impulses on paper, before it is scaled.
pub(super) struct Arrows {
    all: Vec<Arrow>,
    longest: f64,
}

/// One impulse.
pub(super) struct Arrow {
    pub(super) tail: Point,
    tip: Point,
    name: String,
    pub(super) ties: Vec<String>,
}

impl Arrows {
    /// Arrows in proportion to what is drawn; `at` takes the world to paper.
    pub(super) fn over(
        drawn: impl Iterator<Item = Point>,
        pushes: &[Push],
        at: impl Fn([f64; 3]) -> Point,
    ) -> Self {
        let length = |p: [f64; 3]| p[0].hypot(p[1]).hypot(p[2]);
        let longest = pushes.iter().map(|push| length(push.impulse));
        let longest = longest.fold(0.0, f64::max);
        let points = pushes.iter().map(|push| at(push.point));
        let size = extent(drawn.chain(points));
        let scale = if longest > 0.0 {
            LONGEST * size / longest
        } else {
            0.0
        };
        let arrow = |push: &Push| {
            let tip = std::array::from_fn(|k| push.point[k] + scale * push.impulse[k]);
            Arrow {
                tail: at(push.point),
                tip: at(tip),
                name: push.name.clone(),
                ties: push.ties.clone(),
            }
        };
        Self {
            all: pushes.iter().map(arrow).collect(),
            longest,
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        self.all.iter().flat_map(|arrow| [arrow.tail, arrow.tip])
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &Arrow> {
        self.all.iter()
    }

    /// How large the impulses are.
    pub(super) fn legend(&self) -> Vec<Entry> {
        let longest = significant(self.longest, 4);
        let name = match self.longest > 0.0 {
            true => format!("impulse, at most {longest} N·s"),
            false => "no impulses".to_owned(),
        };
        let entry = |name: String, stroke: Stroke| Entry {
            name,
            stroke,
            mark: None,
        };
        vec![
            entry("bodies".to_owned(), Role::End.stroke()),
            entry(name, ARROW),
        ]
    }

    pub(super) fn draw(&self, svg: &mut Svg, frame: &Frame, labels: &mut Labels) {
        let names_fit = self.all.len() <= NAMED;
        let mut drawn: Vec<[Point; 2]> = Vec::new();
        for arrow in &self.all {
            let ends = [frame.at(arrow.tail), frame.at(arrow.tip)];
            let [from, to] = beside(ends, &drawn);
            drawn.push([from, to]);
            draw_arrow(svg, from, to);
            if names_fit {
                labels.put(arrow.name.clone(), ends[0], frame, colour::BLACK);
            }
        }
    }
}

fn draw_arrow(svg: &mut Svg, from: Point, to: Point) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x.hypot(y);
    if length > 0.0 {
        let (x, y) = (x / length, y / length);
        let (long, wide) = (HEAD.0.min(length), HEAD.1);
        let base = (to.0 - long * x, to.1 - long * y);
        svg.line(from, base, ARROW);
        let left = (base.0 - wide * y, base.1 + wide * x);
        let right = (base.0 + wide * y, base.1 - wide * x);
        svg.polygon(&[to, left, right], ARROW.colour, ARROW.colour);
    }
    svg.circle(from, 2.6, ARROW.colour, ARROW.colour);
}

/// An arrow on paper, moved sideways until it lies on none that is drawn.
fn beside(ends: [Point; 2], drawn: &[[Point; 2]]) -> [Point; 2] {
    let [from, to] = ends;
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x.hypot(y);
    if length == 0.0 {
        return ends;
    }
    let side = (-y / length * APART, x / length * APART);
    let moved = |k: usize| ends.map(|p| (p.0 + k as f64 * side.0, p.1 + k as f64 * side.1));
    let is_free = |k: &usize| !drawn.iter().any(|other| lies_on(moved(*k), *other));
    moved((0..=drawn.len()).find(is_free).unwrap_or(0))
}

/// Whether two arrows share a line and a part of it.
fn lies_on([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let length = x.hypot(y);
    let off = |p: Point| ((p.0 - a.0) * y - (p.1 - a.1) * x) / length;
    let along = |p: Point| ((p.0 - a.0) * x + (p.1 - a.1) * y) / length;
    let (low, high) = (along(c).min(along(d)), along(c).max(along(d)));
    let is_beside = [c, d].iter().all(|p| off(*p).abs() < 0.5 * APART);
    is_beside && low < length - 1.0 && high > 1.0
}

/// Size of what is drawn (m); one where it is a point.
fn extent(points: impl Iterator<Item = Point>) -> f64 {
    let start = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    let [x, y] = points.fold(start, |[x, y], p| {
        [(x.0.min(p.0), x.1.max(p.0)), (y.0.min(p.1), y.1.max(p.1))]
    });
    let size = (x.1 - x.0).hypot(y.1 - y.0);
    if size.is_finite() && size > 0.0 {
        size
    } else {
        1.0
    }
}
