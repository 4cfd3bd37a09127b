//! The mechanism at an instant of collision, with the impulses of its contacts as arrows.

use carom_sim::record::{Bodies, RunRecord, Scene};

use super::super::axis::{Axis, NAMES};
use super::super::chart::{Entry, WIDTH, draw_legend};
use super::super::frame::{Frame, Point};
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::when::{Role, When};
use super::{BELOW, Figure, place, scales, space, world};
use crate::significant;

/// Length of the longest arrow, as a fraction of the size of what is drawn.
const LONGEST: f64 = 0.3;
/// Length and half the width of the head of an arrow, on paper.
const HEAD: (f64, f64) = (9.0, 3.6);
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
}

/// Draws the first sample of a record with impulses as arrows at their contact points; none without
/// scene or sample.
pub fn collision_svg(record: &RunRecord, pushes: &[Push], description: &str) -> Option<String> {
    match record.scene.as_ref()? {
        Scene::Plane(scene) => plane(record, scene, pushes, description),
        Scene::Space(scene) => space::collision(record, scene, pushes, description),
    }
}

fn plane(record: &RunRecord, scene: &Bodies, pushes: &[Push], description: &str) -> Option<String> {
    let figure = Figure::at(scene, record, When::Sample(0));
    let arrows = Arrows::over(figure.points(), pushes, |p| (p[0], p[1]));
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
    arrows.draw(&mut svg, &frame);
    frame.border(&mut svg);
    frame.x_numbers(&mut svg, &x_scale);
    frame.y_numbers(&mut svg, &y_scale);
    frame.x_name(&mut svg, &Axis::new("x", "m"), &x_scale);
    frame.y_name(&mut svg, &Axis::new("y", "m"), &y_scale);
    draw_legend(&mut svg, &legend, frame.place);
    Some(svg.finish(description))
}

/// Impulses on paper, before it is scaled.
pub(super) struct Arrows {
    /// Tail, tip, name.
    all: Vec<(Point, Point, String)>,
    longest: f64,
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
            (at(push.point), at(tip), push.name.clone())
        };
        Self {
            all: pushes.iter().map(arrow).collect(),
            longest,
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        self.all.iter().flat_map(|(tail, tip, _)| [*tail, *tip])
    }

    pub(super) fn legend(&self) -> Vec<Entry> {
        let longest = significant(self.longest, 4);
        let name = format!("impulse, at most {longest} N·s");
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

    pub(super) fn draw(&self, svg: &mut Svg, frame: &Frame) {
        let names_fit = self.all.len() <= NAMED;
        for (tail, tip, name) in &self.all {
            let (from, to) = (frame.at(*tail), frame.at(*tip));
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
            if names_fit {
                let at = (from.0 + 6.0, from.1 + 14.0);
                svg.text(at, Anchor::Start, NAMES, colour::BLACK, name);
            }
        }
    }
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
