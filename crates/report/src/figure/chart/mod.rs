//! Curves over a common axis, or each panel over its own, in panels one below the other.

mod draw;
mod legend;
mod pen;
mod thin;

use super::axis::Axis;
use super::frame::Point;

pub(super) use draw::{MARGIN, WIDTH};
pub(super) use legend::{Entry, Mark, draw_legend, height as legend_height};
pub(super) use thin::along_curve;

use pen::pen;

/// Curves in panels that share their horizontal axis, unless a panel has its own.
///
/// Drawn at the width of a journal column. Points that are no numbers lift the pen. Names may hold
/// subscripts, see [`Axis`].
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    x: Axis,
    title: Option<String>,
    note: Option<String>,
    panels: Vec<Panel>,
    instants: Vec<f64>,
    is_equal: bool,
}

/// One panel: curves of one quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Its own horizontal axis.
    x: Option<Axis>,
    y: Axis,
    series: Vec<Series>,
    /// Names of rows one below the other, instead of numbers.
    lanes: Vec<String>,
}

/// One curve.
#[derive(Debug, Clone, PartialEq)]
struct Series {
    name: String,
    points: Vec<Point>,
    kind: Kind,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One line through the points.
    Line,
    /// A stem from zero to each point, with a mark on it.
    Stems,
    /// A thick bar from each point to the next, in pairs.
    Bars,
}

impl Panel {
    /// An empty panel.
    pub fn new(y: Axis) -> Self {
        Self {
            x: None,
            y,
            series: Vec::new(),
            lanes: Vec::new(),
        }
    }

    /// Gives the panel a horizontal axis of its own.
    #[must_use]
    pub fn over(mut self, x: Axis) -> Self {
        self.x = Some(x);
        self
    }

    /// A panel of rows with names, one below the other, for what lasts from one instant to another.
    pub fn rows(names: Vec<String>) -> Self {
        Self {
            lanes: names,
            ..Self::new(Axis::new("", ""))
        }
    }

    /// Adds bars `(row, from, to)` to a panel of [`Panel::rows`], raised by a part of a row.
    #[must_use]
    pub fn bars(self, name: &str, spans: &[(usize, f64, f64)], raised: f64) -> Self {
        let ends = spans.iter().flat_map(|(row, from, to)| {
            let y = raised - *row as f64;
            [(*from, y), (*to, y)]
        });
        self.with(name, ends.collect(), Kind::Bars)
    }

    /// Adds a line through points `(x, y)`; a series without a name is not in the legend.
    #[must_use]
    pub fn line(self, name: &str, points: Vec<(f64, f64)>) -> Self {
        self.with(name, points, Kind::Line)
    }

    /// Adds stems from zero to each point, for values that live at single instants.
    #[must_use]
    pub fn stems(self, name: &str, points: Vec<(f64, f64)>) -> Self {
        self.with(name, points, Kind::Stems)
    }

    fn with(mut self, name: &str, points: Vec<Point>, kind: Kind) -> Self {
        let name = name.to_owned();
        self.series.push(Series { name, points, kind });
        self
    }

    fn points(&self) -> impl Iterator<Item = Point> {
        let points = self.series.iter().flat_map(|s| s.points.iter().copied());
        points.filter(|p| super::axis::is_drawable(p.0) && super::axis::is_drawable(p.1))
    }

    /// The largest value, either sign.
    pub(super) fn largest(&self) -> f64 {
        self.points().map(|p| p.1.abs()).fold(0.0, f64::max)
    }

    fn has_stems(&self) -> bool {
        self.series.iter().any(|s| s.kind == Kind::Stems)
    }
}

impl Chart {
    /// An empty chart.
    pub fn new(x: Axis) -> Self {
        Self {
            x,
            title: None,
            note: None,
            panels: Vec::new(),
            instants: Vec::new(),
            is_equal: false,
        }
    }

    /// Sets a title above the panels.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// Sets a remark below the panels.
    #[must_use]
    pub fn noted(mut self, note: &str) -> Self {
        self.note = Some(note.to_owned());
        self
    }

    /// Adds a panel below those there are.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Marks values of the horizontal axis by thin vertical lines, or by ticks where they are many.
    #[must_use]
    pub fn instants(mut self, instants: impl IntoIterator<Item = f64>) -> Self {
        self.instants.extend(instants);
        self
    }

    /// Gives both axes the same scale; for a chart of one panel.
    #[must_use]
    pub fn equal(mut self) -> Self {
        self.is_equal = true;
        self
    }

    /// The drawing, or none where no panel holds a number.
    pub fn svg(&self, description: &str) -> Option<String> {
        draw::draw(self, description)
    }
}

/// A chart of one panel: its title, its axes, and its curves by name.
pub fn series_chart(
    title: Option<&str>,
    x: Axis,
    y: Axis,
    curves: Vec<(&str, Vec<(f64, f64)>)>,
) -> Option<String> {
    let mut panel = Panel::new(y);
    for (name, points) in curves {
        panel = panel.line(name, points);
    }
    let chart = Chart::new(x).panel(panel);
    match title {
        Some(title) => chart.titled(title).svg(title),
        None => chart.svg(""),
    }
}
