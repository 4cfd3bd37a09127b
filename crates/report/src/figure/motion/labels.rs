//! Names in the picture of a collision, none over another, and ties of contacts to their bodies.

use carom_sim::record::Bodies;

use super::super::axis::NAMES;
use super::super::frame::{Frame, Point};
use super::super::svg::{Anchor, Stroke, Svg, colour, text_width};
use super::struck::{Arrows, Blow};

/// Place of a name beside its point and height of a line, on paper.
const BESIDE: Point = (6.0, 14.0);
const LINE: f64 = 13.0;
/// Most bodies that have a name.
const NAMED: usize = 12;

const TIE: Stroke = Stroke {
    colour: colour::GREY,
    width: 0.8,
    dash: "2 2",
};

/// Names of bodies, joints and contacts.
#[derive(Default)]
pub(super) struct Labels {
    /// What is named and where, in the window.
    parts: Vec<(String, Point)>,
    /// Mass centres of the bodies by name.
    centres: Vec<(String, Point)>,
    /// Lower left corners and widths of the names put on paper.
    put: Vec<(String, Point, &'static str)>,
    /// Whose impulses are drawn.
    told: String,
}

impl Labels {
    /// The names of the bodies at their mass centres and of the joints that lead to them; `place` takes
    /// a point of a body to the window.
    pub(super) fn of<P: Copy>(
        scene: &Bodies<P>,
        blow: &Blow<'_>,
        place: impl Fn(&str, P) -> Option<Point>,
    ) -> Self {
        let mut labels = Self {
            told: blow.told.to_owned(),
            ..Self::default()
        };
        let fits = scene.bodies.len() <= NAMED;
        for body in &scene.bodies {
            let at = |p: Option<&P>| p.and_then(|p| place(&body.name, *p));
            let Some(centre) = at(body.points.last()) else {
                continue;
            };
            labels.centres.push((body.name.clone(), centre));
            if fits {
                labels.parts.push((body.name.clone(), centre));
                let hinge = blow.hinges.iter().find(|(_, child)| *child == body.name);
                if let (Some((name, _)), Some(at)) = (hinge, at(body.points.first())) {
                    labels.parts.push((name.clone(), at));
                }
            }
        }
        labels
    }

    /// Thin lines from contacts that no outline shows to the mass centres of their bodies.
    pub(super) fn tie(&self, svg: &mut Svg, frame: &Frame, arrows: &Arrows) {
        for arrow in arrows.each() {
            let own = self
                .centres
                .iter()
                .filter(|(body, _)| arrow.ties.contains(body));
            for (_, centre) in own {
                svg.line(frame.at(*centre), frame.at(arrow.tail), TIE);
            }
        }
    }

    /// Keeps a name for a point on paper, inside the frame and below those that are there.
    pub(super) fn put(&mut self, name: String, point: Point, frame: &Frame, ink: &'static str) {
        let width = |name: &str| text_width(name, NAMES);
        let left = (point.0 + BESIDE.0).min(frame.place.right - width(&name));
        let mut at = (left, point.1 + BESIDE.1);
        let is_over = |at: Point, (other, place, _): &(String, Point, &str)| {
            let starts = at.0.max(place.0);
            let ends = (at.0 + width(&name)).min(place.0 + width(other));
            starts < ends && (at.1 - place.1).abs() < LINE
        };
        while self.put.iter().any(|other| is_over(at, other)) {
            at.1 += LINE;
        }
        self.put.push((name, at, ink));
    }

    /// Writes whose impulses are drawn into the corner, and the names, those of bodies and joints last.
    pub(super) fn draw(mut self, svg: &mut Svg, frame: &Frame) {
        for (name, point) in std::mem::take(&mut self.parts) {
            self.put(name, frame.at(point), frame, colour::GREY);
        }
        let corner = (frame.place.left + BESIDE.0, frame.place.top + BESIDE.1);
        svg.text(corner, Anchor::Start, NAMES, colour::BLACK, &self.told);
        for (name, at, colour) in &self.put {
            svg.text(*at, Anchor::Start, NAMES, colour, name);
        }
    }
}
