//! A chart on paper.

use super::super::axis::{Scale, range};
use super::super::frame::{Box, Frame, Point, Range};
use super::super::svg::{Anchor, Stroke, Svg, colour, fitted, text_width};
use super::legend::{self, Entry, Mark, draw_legend};
use super::{Chart, Kind, Panel, Series, pen, thin};

/// Width of a figure (units of the drawing): a journal column of 88 mm, its numbers at 7 points.
pub(in super::super) const WIDTH: f64 = 480.0;
/// Space right of and above the panels.
pub(in super::super) const MARGIN: f64 = 16.0;
/// Height of the only panel, of one of a few, and of one with stems or of many.
const TALL: f64 = 230.0;
const SHARED: f64 = 150.0;
const SHORT: f64 = 112.0;
/// Panels that are a few.
const FEW: usize = 4;
/// Least and greatest height of a panel whose axes are equal.
const EQUAL: (f64, f64) = (140.0, 560.0);
/// Space between panels, and below the last for numbers and name.
const BETWEEN: f64 = 20.0;
const BELOW: f64 = 52.0;
/// Height of a title.
const TITLE: f64 = 20.0;
/// Letters of a remark.
const NOTE: f64 = 12.0;
/// Space left of the window beside the numbers.
const NAME: f64 = 40.0;
/// Room above and below the curves, as a fraction of their height.
const ROOM: f64 = 0.06;
/// Height of the window per number along it.
const PER_NUMBER: f64 = 32.0;
/// Distance of stems that belong to one instant.
const ASIDE: f64 = 3.0;
/// A curve that climbs and falls by more than this is dense: it is drawn solid and thin.
const DENSE: f64 = 9_000.0;
const THIN: f64 = 0.9;
/// Height of a row of bars, its bars, and the widest name beside it.
const LANE: f64 = 22.0;
const BAR: f64 = 6.0;
const LANE_NAME: f64 = 108.0;
/// Instants are lines and stems have marks up to this many.
const MOST_LINES: usize = 60;

/// A panel with its place.
struct Placed<'a> {
    panel: &'a Panel,
    frame: Frame,
    y_scale: Scale,
    legend: Vec<Entry>,
}

pub(super) fn draw(chart: &Chart, description: &str) -> Option<String> {
    let panels = chart.panels.iter().filter(|p| p.points().next().is_some());
    let panels: Vec<&Panel> = panels.collect();
    let x = x_range(&panels, chart.is_equal)?;
    let placed = place(chart, &panels, x);
    let last = placed.last()?.frame.place;
    let mut svg = Svg::new(WIDTH, last.bottom + BELOW);
    if let Some(title) = &chart.title {
        heading(&mut svg, title, last);
    }
    if let Some(note) = &chart.note {
        remark(&mut svg, note, last.bottom + BELOW);
    }
    let curves = panels.iter().map(|p| p.series.len()).sum();
    for (k, panel) in placed.iter().enumerate() {
        let x_scale = Scale::across(panel.frame.x, last.right - last.left);
        panel.draw(&mut svg, &x_scale, curves, &chart.instants);
        let own = panel.panel.x.as_ref();
        if let Some(x) = own.or((k + 1 == placed.len()).then_some(&chart.x)) {
            panel.frame.x_numbers(&mut svg, &x_scale);
            panel.frame.x_name(&mut svg, x, &x_scale);
        }
    }
    Some(svg.finish(description))
}

/// Range of all panels: curves over time fill it, curves in a plane get room.
fn x_range(panels: &[&Panel], is_equal: bool) -> Option<Range> {
    let mut series = panels.iter().flat_map(|panel| &panel.series);
    let turns = is_equal || series.any(|s| s.kind != Kind::Bars && !thin::rises(&s.points));
    let values = panels.iter().flat_map(|p| p.points().map(|q| q.0));
    range(values, if turns { ROOM } else { 0.0 })
}

/// Range of a panel that has a horizontal axis of its own.
fn panel_range(panel: &Panel) -> Option<Range> {
    panel.x.as_ref()?;
    x_range(&[panel], false)
}

/// A title above everything, cut where it is too long.
fn heading(svg: &mut Svg, title: &str, place: Box) {
    let title = fitted(title, 14.0, place.right - place.left);
    let at = ((place.left + place.right) / 2.0, MARGIN + 4.0);
    svg.text(at, Anchor::Middle, 14.0, colour::BLACK, &title);
}

/// A remark in lines below everything.
fn remark(svg: &mut Svg, note: &str, top: f64) {
    let mut lines: Vec<String> = vec![String::new()];
    for word in note.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        let longer = longer.unwrap_or_default().trim_start().to_owned();
        let fits = text_width(&longer, NOTE) <= WIDTH - 2.0 * MARGIN;
        match (fits, lines.last_mut()) {
            (true, Some(line)) => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    svg.grow_to(top + 1.4 * NOTE * lines.len() as f64 + NOTE / 2.0);
    for (k, line) in lines.iter().enumerate() {
        let at = (MARGIN, top + NOTE + 1.4 * NOTE * k as f64);
        svg.text(at, Anchor::Start, NOTE, colour::ORANGE, line);
    }
}

/// Stacks the panels; all have the same left edge.
fn place<'a>(chart: &Chart, panels: &[&'a Panel], x: Range) -> Vec<Placed<'a>> {
    let (left, right) = edges(panels, x);
    let title = if chart.title.is_some() { TITLE } else { 0.0 };
    let mut top = MARGIN + title;
    let mut placed: Vec<Placed<'a>> = Vec::with_capacity(panels.len());
    for panel in panels {
        let mut legend = entries(panel);
        if placed.last().is_some_and(|above| above.legend == legend) {
            legend.clear();
        }
        let mut at = Box {
            left,
            right,
            top,
            bottom: top,
        };
        at.top += legend::height(&legend, at);
        at.bottom = at.top + height(panel, panels.len());
        let x = panel_range(panel).unwrap_or(x);
        let frame = match (chart.is_equal, y_range(panel)) {
            (true, y) => Frame::equal(x, y, at, EQUAL),
            (false, y) => Frame { x, y, place: at },
        };
        top = frame.place.bottom + if panel.x.is_some() { BELOW } else { BETWEEN };
        placed.push(Placed {
            panel,
            frame,
            y_scale: y_scale(panel, frame.y, frame.place.bottom - frame.place.top),
            legend,
        });
    }
    placed
}

/// Left and right edge of the panels: the numbers beside and below must fit.
fn edges(panels: &[&Panel], x: Range) -> Range {
    let scales = panels
        .iter()
        .map(|panel| y_scale(panel, y_range(panel), height(panel, panels.len())));
    let left = NAME + scales.map(|scale| scale.widest()).fold(0.0, f64::max);
    // The last number below may be centred on the right edge.
    let ranges = panels.iter().map(|panel| panel_range(panel).unwrap_or(x));
    let widest = ranges.map(|x| Scale::across(x, WIDTH - left).widest());
    let last = widest.fold(0.0, f64::max) / 2.0 + 3.0;
    (left, WIDTH - MARGIN.max(last))
}

fn height(panel: &Panel, count: usize) -> f64 {
    if !panel.lanes.is_empty() {
        return LANE * panel.lanes.len() as f64;
    }
    match (panel.has_stems(), count) {
        (_, 1) => TALL,
        (false, 2..=FEW) => SHARED,
        _ => SHORT,
    }
}

fn y_scale(panel: &Panel, y: Range, height: f64) -> Scale {
    if !panel.lanes.is_empty() {
        return Scale::named(&panel.lanes, LANE_NAME);
    }
    Scale::upward(y, (height / PER_NUMBER).floor().max(2.0) as usize)
}

/// Range of a panel; stems start at zero.
fn y_range(panel: &Panel) -> Range {
    if !panel.lanes.is_empty() {
        return (0.5 - panel.lanes.len() as f64, 0.5);
    }
    let zero = panel.has_stems().then_some(0.0);
    let values = panel.points().map(|p| p.1).chain(zero);
    range(values, ROOM).unwrap_or((-1.0, 1.0))
}

/// What the legend of a panel holds: nothing for a curve that is alone and unnamed.
fn entries(panel: &Panel) -> Vec<Entry> {
    let named = panel.series.iter().enumerate();
    named
        .filter(|(_, series)| !series.name.is_empty())
        .map(|(k, series)| Entry {
            name: series.name.clone(),
            stroke: series_pen(series, k),
            mark: (series.kind == Kind::Stems).then(|| Mark::of(k)),
        })
        .collect()
}

fn series_pen(series: &Series, index: usize) -> Stroke {
    match series.kind {
        Kind::Line => pen(index),
        Kind::Stems => Stroke::solid(pen(index).colour, 1.2),
        Kind::Bars => Stroke::solid(pen(index).colour, BAR),
    }
}

/// Whether a curve runs up and down so often that dashes would blur.
fn is_dense(points: &[Point]) -> bool {
    let climbs = points.windows(2).map(|w| (w[1].1 - w[0].1).abs());
    climbs.filter(|climb| climb.is_finite()).sum::<f64>() > DENSE
}

impl Placed<'_> {
    fn draw(&self, svg: &mut Svg, x_scale: &Scale, curves: usize, instants: &[f64]) {
        self.frame.grid(svg, x_scale, &self.y_scale);
        self.frame.y_numbers(svg, &self.y_scale);
        self.frame.y_name(svg, &self.panel.y, &self.y_scale);
        self.instants(svg, instants);
        self.zero(svg);
        for (k, series) in self.panel.series.iter().enumerate() {
            self.series(svg, series, k, curves);
        }
        self.frame.border(svg);
        draw_legend(svg, &self.legend, self.frame.place);
    }

    /// A line at zero, where the window holds it.
    fn zero(&self, svg: &mut Svg) {
        let Frame { x, y, .. } = self.frame;
        if y.0 < 0.0 && 0.0 < y.1 && self.panel.lanes.is_empty() {
            let ends = [(x.0, 0.0), (x.1, 0.0)].map(|p| self.frame.at(p));
            svg.line(ends[0], ends[1], Stroke::solid(colour::GREY, 0.8));
        }
    }

    fn instants(&self, svg: &mut Svg, instants: &[f64]) {
        let Box { top, bottom, .. } = self.frame.place;
        let (low, high) = self.frame.x;
        let inside = instants.iter().filter(|t| (low..=high).contains(*t));
        let mut places: Vec<f64> = inside.map(|t| self.frame.at((*t, 0.0)).0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup_by(|a, b| *a - *b < 1.0);
        let is_crowded = places.len() > MOST_LINES;
        let (end, dash) = if is_crowded {
            (top + 6.0, "")
        } else {
            (bottom, "1.5 2")
        };
        let stroke = Stroke {
            colour: colour::GREY,
            width: 0.8,
            dash,
        };
        for x in places {
            svg.line((x, top), (x, end), stroke);
        }
    }

    fn series(&self, svg: &mut Svg, series: &Series, index: usize, curves: usize) {
        let Box { left, right, .. } = self.frame.place;
        let is_shown = |p: &Point| super::super::axis::is_drawable(p.0 + p.1);
        let gap = (f64::NAN, f64::NAN);
        let on_paper = |p: &Point| if is_shown(p) { self.frame.at(*p) } else { gap };
        let points: Vec<Point> = series.points.iter().map(on_paper).collect();
        let stroke = match is_dense(&points) && series.kind == Kind::Line {
            true => Stroke::solid(pen(index).colour, THIN),
            false => series_pen(series, index),
        };
        let columns = thin::columns(right - left, curves);
        match series.kind {
            Kind::Line if thin::rises(&points) => {
                svg.path(&thin::over_columns(&points, columns), stroke);
            }
            Kind::Line => svg.path(&thin::along_curve(&points, curves), stroke),
            Kind::Bars => points.chunks_exact(2).for_each(|ends| {
                svg.line(ends[0], ends[1], stroke);
            }),
            // A stem is thirty times the bytes of a point.
            Kind::Stems => self.stems(svg, &thin::over_columns(&points, 4.0 * columns), index),
        }
    }

    fn stems(&self, svg: &mut Svg, points: &[Point], index: usize) {
        let (_, zero) = self.frame.at((self.frame.x.0, 0.0));
        let colour = pen(index).colour;
        let count = self.panel.series.len() as f64;
        let is_crowded = points.len() > MOST_LINES;
        let aside = match is_crowded {
            true => 0.0,
            false => ASIDE * (index as f64 - (count - 1.0) / 2.0),
        };
        for (x, y) in points.iter().filter(|p| p.0.is_finite()) {
            let x = x + aside;
            svg.line((x, zero), (x, *y), Stroke::solid(colour, 1.2));
            if !is_crowded {
                Mark::of(index).draw(svg, (x, *y), colour);
            }
        }
    }
}
