//! What the lines and marks mean.

use carom_contact::impact::spatial::{EventKind, Hodograph, SpatialMode};
use carom_contact::impact::{Law, Phase};

use super::super::frame::Point;
use super::super::impulse_plane::{law_title, mark};
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::impulses::{CONE, STATIC_CONE};
use super::slip::direction_pen;
use super::{LEFT, WIDTH, marks, pen, pieces};

const ROW: f64 = 21.0;
const COLUMNS: usize = 3;

/// A line of the legend.
enum Entry {
    Line(Stroke, &'static str),
    Start,
    Event(EventKind, &'static str),
    Stick,
    End(Law),
}

/// Draws the legend in columns below `top`; returns where it ends.
pub(super) fn draw(svg: &mut Svg, drawn: &Hodograph, top: f64) -> f64 {
    let entries = entries(drawn);
    let rows = entries.len().div_ceil(COLUMNS).max(1);
    let column = (WIDTH - LEFT) / COLUMNS as f64;
    for (i, entry) in entries.iter().enumerate() {
        let x = LEFT - 40.0 + column * (i / rows) as f64;
        let y = top + 8.0 + ROW * (i % rows) as f64;
        let name = entry.draw(svg, (x, y - 4.0));
        svg.text((x + 42.0, y), Anchor::Start, 12.5, colour::BLACK, name);
    }
    top + ROW * rows as f64
}

impl Entry {
    /// Draws the sample from a point to the right of it; the words beside it.
    fn draw(&self, svg: &mut Svg, from: Point) -> &'static str {
        let middle = (from.0 + 16.0, from.1);
        match self {
            Self::Line(stroke, name) => {
                svg.line(from, (from.0 + 32.0, from.1), *stroke);
                name
            }
            Self::Start => {
                marks::start(svg, middle);
                "start"
            }
            Self::Event(kind, name) => {
                marks::event(svg, middle, *kind);
                name
            }
            Self::Stick => {
                marks::stick(svg, middle);
                "sticks (right: dashed)"
            }
            Self::End(law) => {
                mark(svg, middle, *law);
                law_title(*law)
            }
        }
    }
}

/// What there is to explain: no line that is not drawn.
fn entries(drawn: &Hodograph) -> Vec<Entry> {
    let mut entries = Vec::new();
    let has_phase = |phase| pieces(&drawn.path).iter().any(|p| p[0].phase == phase);
    for (phase, name) in [
        (Phase::Compression, "compression, v_n < 0"),
        (Phase::Restitution, "restitution"),
    ] {
        if has_phase(phase) {
            entries.push(Entry::Line(pen(phase, SpatialMode::Slip), name));
        }
    }
    let directions = &drawn.facts.invariant_directions;
    for (is_attracting, name) in [
        (true, "direction that attracts slip"),
        (false, "direction that repels slip"),
    ] {
        if directions.iter().any(|d| d.is_attracting == is_attracting) {
            entries.push(Entry::Line(direction_pen(is_attracting), name));
        }
    }
    let mu = drawn.friction;
    if mu.mu_d > 0.0 {
        entries.push(Entry::Line(CONE, "friction cone, |p_t| = μ p_n"));
    }
    if mu.mu_s > mu.mu_d {
        entries.push(Entry::Line(STATIC_CONE, "static friction cone"));
    }
    entries.push(Entry::Start);
    let is_there = |kind| drawn.events.iter().any(|event| event.kind == kind);
    for (kind, name) in [
        (
            EventKind::GreatestCompression,
            "greatest compression, v_n = 0",
        ),
        (EventKind::SecondCompression, "the bodies approach again"),
        (EventKind::Halt, "halt of the slip, v_t = 0"),
    ] {
        if is_there(kind) {
            entries.push(Entry::Event(kind, name));
        }
    }
    if drawn.path.iter().any(|p| p.mode == SpatialMode::Stick) {
        entries.push(Entry::Stick);
    }
    entries.extend(drawn.ends.iter().map(|end| Entry::End(end.law)));
    entries
}
