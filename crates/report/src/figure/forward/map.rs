//! Regions over two parameters.

use carom_contact::forward::map::RegionMap;

use super::super::axis::{Axis, Scale};
use super::super::chart::{MARGIN, WIDTH};
use super::super::frame::{Frame, Point};
use super::super::svg::{Anchor, Stroke, Svg, colour, text_width};
use super::pen::{BELOW, header};
use super::regions::{Area, areas};

/// Height of the window (units of the drawing) and the room left of it beside its numbers.
const HEIGHT: f64 = 320.0;
const NAME: f64 = 40.0;
/// Size of a region's name, and of one in a small region.
const SIZES: [f64; 2] = [13.5, 11.0];
/// Side of a sample in the row of samples below a map.
const SAMPLE: f64 = 14.0;

/// An axis of a map: its name and the factor from the data's unit to the one shown.
#[derive(Debug, Clone, PartialEq)]
pub struct MapAxis {
    /// Name and unit.
    pub axis: Axis,
    /// Shown number per number of the data.
    pub factor: f64,
}

impl MapAxis {
    /// An axis in the data's own unit.
    pub fn new(name: &str, unit: &str) -> Self {
        Self {
            axis: Axis::new(name, unit),
            factor: 1.0,
        }
    }

    /// An axis of angles: radians in the data, degrees on paper.
    pub fn degrees(name: &str) -> Self {
        Self {
            axis: Axis::new(name, "°"),
            factor: 180.0 / std::f64::consts::PI,
        }
    }
}

/// Draws the regions, their located boundaries and their names; `None` for less than a cell.
pub fn map_svg(map: &RegionMap, x: &MapAxis, y: &MapAxis, title: &str) -> Option<String> {
    let window = |list: &[f64], factor: f64| {
        let (low, high) = (list.first()? * factor, list.last()? * factor);
        (low < high).then_some((low, high))
    };
    let (xs, ys) = (window(&map.x, x.factor)?, window(&map.y, y.factor)?);
    let y_scale = Scale::upward(ys, 7);
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let left = NAME + y_scale.widest();
    let mut place = header(&mut svg, title, &[], left, WIDTH - MARGIN);
    place.bottom = place.top + HEIGHT;
    svg.grow_to(place.bottom + BELOW);
    let frame = Frame {
        x: xs,
        y: ys,
        place,
    };
    let x_scale = Scale::across(xs, place.right - place.left);
    let on_paper = |p: [f64; 2]| frame.at((p[0] * x.factor, p[1] * y.factor));
    define_fills(&mut svg);
    let areas = areas(map, &on_paper, place);
    for area in &areas {
        for outline in &area.outlines {
            let edge = Stroke::solid("none", 0.0);
            svg.shape(outline, &fill_of(&area.label), edge);
        }
    }
    svg.path(
        &boundaries(map, &on_paper),
        Stroke::solid(colour::BLACK, 1.6),
    );
    frame.border(&mut svg);
    frame.x_numbers(&mut svg, &x_scale);
    frame.y_numbers(&mut svg, &y_scale);
    frame.x_name(&mut svg, &x.axis, &x_scale);
    frame.y_name(&mut svg, &y.axis, &y_scale);
    ticks(&mut svg, &frame, &x_scale, &y_scale);
    let unnamed = name_areas(&mut svg, &areas);
    samples(&mut svg, &unnamed, place.left, place.bottom + BELOW);
    Some(svg.finish(title))
}

/// Short marks at the numbers: a grid would hide the hatching.
fn ticks(svg: &mut Svg, frame: &Frame, x_scale: &Scale, y_scale: &Scale) {
    let pen = Stroke::solid(colour::BLACK, 1.0);
    let place = frame.place;
    for tick in &x_scale.ticks {
        let (x, _) = frame.at((*tick, frame.y.0));
        svg.line((x, place.bottom), (x, place.bottom + 4.0), pen);
    }
    for tick in &y_scale.ticks {
        let (_, y) = frame.at((frame.x.0, *tick));
        svg.line((place.left - 4.0, y), (place.left, y), pen);
    }
}

/// Every located piece of a boundary, the pen lifted between them.
fn boundaries(map: &RegionMap, on_paper: &impl Fn([f64; 2]) -> Point) -> Vec<Point> {
    let mut points = Vec::new();
    for boundary in &map.boundaries {
        for segment in &boundary.segments {
            let [from, to] = segment.map(on_paper);
            // Pieces go on where the one before ends.
            if points.last() != Some(&from) {
                points.extend([(f64::NAN, f64::NAN), from]);
            }
            points.push(to);
        }
    }
    points
}

/// Writes the names inside the areas that have room; the labels that are written nowhere.
fn name_areas(svg: &mut Svg, areas: &[Area]) -> Vec<String> {
    let mut named: Vec<&str> = Vec::new();
    for area in areas {
        let lines = words(&area.label);
        for size in SIZES {
            let widths = lines.iter().map(|line| text_width(line, size));
            let half = (
                0.5 * widths.fold(0.0, f64::max) + 3.0,
                0.6 * size * lines.len() as f64 + 2.0,
            );
            let Some(middle) = area.room_for(half) else {
                continue;
            };
            let first = middle.1 + 0.36 * size - 0.6 * size * (lines.len() as f64 - 1.0);
            for (k, line) in lines.iter().enumerate() {
                let at = (middle.0, first + 1.2 * size * k as f64);
                svg.text(at, Anchor::Middle, size, colour::BLACK, line);
            }
            named.push(&area.label);
            break;
        }
    }
    let mut unnamed: Vec<String> = areas.iter().map(|area| area.label.clone()).collect();
    unnamed.sort();
    unnamed.dedup();
    unnamed.retain(|label| !named.contains(&label.as_str()));
    unnamed
}

/// Samples of the fills whose regions are too small for a name.
fn samples(svg: &mut Svg, labels: &[String], left: f64, top: f64) {
    let mut x = left;
    for label in labels {
        let corners = [(0.0, 0.0), (SAMPLE, 0.0), (SAMPLE, SAMPLE), (0.0, SAMPLE)];
        let square = corners.map(|(dx, dy)| (x + dx, top + dy));
        svg.shape(&square, &fill_of(label), Stroke::solid(colour::BLACK, 1.0));
        let name = words(label).join(" ");
        let at = (x + SAMPLE + 6.0, top + 11.5);
        svg.text(at, Anchor::Start, 12.5, colour::BLACK, &name);
        x += SAMPLE + text_width(&name, 12.5) + 22.0;
    }
    if !labels.is_empty() {
        svg.grow_to(top + SAMPLE + 10.0);
    }
}

/// The words for a label, in lines.
fn words(label: &str) -> Vec<String> {
    let lines: &[&str] = match label {
        "slide" => &["slides"],
        "lift-off" => &["lifts off"],
        "inconsistent" => &["inconsistent", "(no answer)"],
        "indeterminate" => &["indeterminate", "(several answers)"],
        "stick" => &["sticks"],
        "onset+" => &["starts +"],
        "onset-" => &["starts −"],
        "0" => &["no answer"],
        "1" => &["1 answer"],
        "continuum" => &["a continuum"],
        count if count.chars().all(|c| c.is_ascii_digit()) => {
            return vec![format!("{count} answers")];
        }
        other => &[other],
    };
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// A fill: its name, tint, side of its square and what is drawn in it.
type Fill = (&'static str, &'static str, f64, &'static str);

const RISING: &str =
    "<path d=\"M-2,2L2,-2M0,8L8,0M6,10L10,6\" stroke=\"#7a2e00\" stroke-width=\"1.1\"/>";
const FALLING: &str =
    "<path d=\"M-2,6L2,10M0,0L8,8M6,-2L10,2\" stroke=\"#5b2a52\" stroke-width=\"0.9\"/>";
const DOTS: &str = "<circle cx=\"4\" cy=\"4\" r=\"1\" fill=\"#00523c\"/>";
const CROSSED: &str = "<path d=\"M0,0L8,8M0,8L8,0\" stroke=\"#404040\" stroke-width=\"0.8\"/>";
const LEVEL: &str = "<path d=\"M0,4H8\" stroke=\"#7a5500\" stroke-width=\"0.9\"/>";

/// Tints that differ in lightness too, and a hatching each.
const FILLS: &[Fill] = &[
    ("fill-one", "#f4f8fb", 8.0, ""),
    ("fill-none", "#f2b48a", 8.0, RISING),
    ("fill-several", "#d9bcd6", 8.0, FALLING),
    ("fill-open", "#cfeadf", 8.0, DOTS),
    ("fill-three", "#c3b1c0", 8.0, CROSSED),
    ("fill-rest", "#f7e6bf", 8.0, LEVEL),
    ("fill-more", "#9d8f9b", 8.0, CROSSED),
];

pub(super) fn define_fills(svg: &mut Svg) {
    for (name, tint, side, drawing) in FILLS {
        svg.define_fill(name, tint, *side, drawing);
    }
}

/// The fill of a label.
pub(super) fn fill_of(label: &str) -> String {
    let name = match label {
        "slide" | "1" => "fill-one",
        "inconsistent" | "0" => "fill-none",
        "indeterminate" | "2" => "fill-several",
        "lift-off" => "fill-open",
        "stick" => "fill-rest",
        "3" => "fill-three",
        "onset+" | "onset-" => "fill-open",
        _ => "fill-more",
    };
    format!("url(#{name})")
}
