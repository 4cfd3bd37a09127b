//! A sketch of bodies in space: lines, named points and arrows, seen from one side.

use super::axis::is_drawable;
use super::svg::{Anchor, Stroke, Svg, colour, text_width};

/// A place or direction in space.
pub type Place = [f64; 3];

/// Which thing of a sketch a line or arrow belongs to; each has its colour and dash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The first body.
    First,
    /// The second body.
    Second,
    /// A direction.
    Direction,
    /// An impulse.
    Impulse,
}

impl Role {
    fn stroke(self) -> Stroke {
        match self {
            Self::First => Stroke::solid(colour::BLUE, 3.5),
            Self::Second => Stroke {
                dash: "9 3",
                ..Stroke::solid(colour::ORANGE, 3.5)
            },
            Self::Direction => Stroke::solid(colour::GREY, 1.2),
            Self::Impulse => Stroke::solid(colour::GREEN, 2.4),
        }
    }
}

/// Lines, points and arrows in space, drawn at the width of a journal column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    lines: Vec<(Role, Vec<Place>)>,
    points: Vec<(String, Place)>,
    arrows: Vec<(Role, String, [Place; 2])>,
    notes: Vec<String>,
}

const WIDTH: f64 = 520.0;
const MARGIN: f64 = 46.0;
const LINE: f64 = 19.0;
const TEXT: f64 = 13.0;
/// Length of the head of an arrow, and half its width.
const HEAD: (f64, f64) = (10.0, 3.6);

impl Sketch {
    /// Adds a chain of straight pieces.
    #[must_use]
    pub fn line(mut self, role: Role, places: &[Place]) -> Self {
        self.lines.push((role, places.to_vec()));
        self
    }

    /// Adds a named point; `_x` sets a subscript.
    #[must_use]
    pub fn point(mut self, name: &str, at: Place) -> Self {
        self.points.push((name.to_owned(), at));
        self
    }

    /// Adds an arrow with a name at its head.
    #[must_use]
    pub fn arrow(mut self, role: Role, name: &str, [from, by]: [Place; 2]) -> Self {
        let to = std::array::from_fn(|k| from[k] + by[k]);
        self.arrows.push((role, name.to_owned(), [from, to]));
        self
    }

    /// Adds a line of words below the drawing.
    #[must_use]
    pub fn note(mut self, words: &str) -> Self {
        self.notes.push(words.to_owned());
        self
    }

    /// The drawing; none where a number cannot be drawn or everything is at one place.
    pub fn svg(&self, title: &str) -> Option<String> {
        let frame = Fit::new(self.places())?;
        let mut svg = Svg::new(WIDTH, frame.height + LINE * self.notes.len() as f64);
        for (role, places) in &self.lines {
            let points: Vec<(f64, f64)> = places.iter().map(|p| frame.at(*p)).collect();
            svg.polyline(&points, role.stroke(), " stroke-linecap=\"round\"");
        }
        for (role, name, [from, to]) in &self.arrows {
            arrow(&mut svg, *role, [frame.at(*from), frame.at(*to)], name);
        }
        for (name, at) in &self.points {
            let (x, y) = frame.at(*at);
            svg.circle((x, y), 4.0, "#ffffff", colour::BLACK);
            name_at(&mut svg, (x, y + 15.0), colour::BLACK, name);
        }
        for (k, words) in self.notes.iter().enumerate() {
            let y = frame.height + LINE * (k as f64 + 0.2);
            svg.text((MARGIN / 2.0, y), Anchor::Start, TEXT, colour::BLACK, words);
        }
        Some(svg.finish(title))
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        let lines = self.lines.iter().flat_map(|(_, places)| places);
        let points = self.points.iter().map(|(_, at)| at);
        let arrows = self.arrows.iter().flat_map(|(_, _, ends)| ends);
        lines.chain(points).chain(arrows).copied()
    }
}

fn arrow(svg: &mut Svg, role: Role, [from, to]: [(f64, f64); 2], name: &str) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length > 0.0 {
        let (ux, uy) = (dx / length, dy / length);
        let (back, half) = HEAD;
        let base = (to.0 - back * ux, to.1 - back * uy);
        let stroke = role.stroke();
        svg.line(from, base, stroke);
        let corner = |side: f64| (base.0 - side * half * uy, base.1 + side * half * ux);
        svg.polygon(
            &[to, corner(1.0), corner(-1.0)],
            stroke.colour,
            stroke.colour,
        );
    }
    let below = if role == Role::Impulse { 15.0 } else { -5.0 };
    name_at(svg, (to.0, to.1 + below), role.stroke().colour, name);
}

/// A name to the right of a place, or to the left where the paper ends.
fn name_at(svg: &mut Svg, (x, y): (f64, f64), colour: &str, name: &str) {
    const BESIDE: f64 = 7.0;
    let fits = x + BESIDE + text_width(name, TEXT) < WIDTH;
    let (x, anchor) = match fits {
        true => (x + BESIDE, Anchor::Start),
        false => (x - BESIDE, Anchor::End),
    };
    if !name.is_empty() {
        svg.text((x, y), anchor, TEXT, colour, name);
    }
}

/// Right and up on paper: y goes right, z up, x comes forward and down to the right.
fn seen([x, y, z]: Place) -> (f64, f64) {
    (y + 0.75 * x, z - 0.3 * x)
}

/// Places brought to the paper.
struct Fit {
    left: f64,
    top: f64,
    scale: f64,
    height: f64,
}

impl Fit {
    fn new(places: impl Iterator<Item = Place>) -> Option<Self> {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for place in places {
            let (x, y) = seen(place);
            if !(is_drawable(x) && is_drawable(y)) {
                return None;
            }
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        let [wide, tall] = [high[0] - low[0], high[1] - low[1]];
        let scale = (WIDTH - 2.0 * MARGIN) / wide.max(tall);
        scale.is_finite().then(|| Self {
            left: MARGIN + 0.5 * (WIDTH - 2.0 * MARGIN - scale * wide) - scale * low[0],
            top: MARGIN + scale * high[1],
            scale,
            height: (2.0 * MARGIN + scale * tall).ceil(),
        })
    }

    fn at(&self, place: Place) -> (f64, f64) {
        let (x, y) = seen(place);
        (self.left + self.scale * x, self.top - self.scale * y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_keeps_every_place_on_the_paper_and_refuses_what_has_no_size() {
        let sketch = Sketch::default()
            .line(Role::First, &[[0.0; 3], [0.0, 2.0, 0.0]])
            .arrow(Role::Impulse, "P_1", [[0.0; 3], [0.0, 0.0, -1.0]])
            .point("A_1", [1.0, 0.0, 0.0]);
        let drawn = sketch.svg("two bars").unwrap();
        assert!(drawn.contains("two bars") && drawn.contains("<polygon"));
        // The bar ends at the right edge: a name there stands to its left.
        let named = sketch.clone().point("a long name", [0.0, 2.0, 0.0]);
        assert!(named.svg("").unwrap().contains("text-anchor=\"end\""));
        let fit = Fit::new(sketch.places()).unwrap();
        for place in sketch.places() {
            let (x, y) = fit.at(place);
            assert!((MARGIN - 1e-9..=WIDTH - MARGIN + 1e-9).contains(&x), "{x}");
            assert!((MARGIN - 1e-9..=fit.height).contains(&y), "{y}");
        }
        assert_eq!(Sketch::default().point("A", [1.0; 3]).svg(""), None);
        assert_eq!(sketch.point("B", [f64::NAN; 3]).svg(""), None);
    }
}
