//! Names of the curves, above the panel they belong to.

use super::super::frame::{Box, Point};
use super::super::svg::{Anchor, Stroke, Svg, colour, fitted, text_width};

const SIZE: f64 = 12.5;
const ROW: f64 = 18.0;
/// Length of the sample of a line, and the space after it and after a name.
const SAMPLE: f64 = 25.0;
const SPACE: f64 = 6.0;
const APART: f64 = 10.0;
/// Widest name, and most names before the rest is counted.
const WIDEST: f64 = 190.0;
const MOST: usize = 24;

/// How a curve shows in the legend.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Entry {
    pub(in super::super) name: String,
    pub(in super::super) stroke: Stroke,
    pub(in super::super) mark: Option<Mark>,
}

/// Mark of a point, told apart by its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Mark {
    Disk,
    Square,
    Triangle,
    Ring,
}

impl Mark {
    pub(super) fn of(index: usize) -> Self {
        [Self::Disk, Self::Square, Self::Triangle, Self::Ring][index % 4]
    }

    pub(in super::super) fn draw(self, svg: &mut Svg, (x, y): Point, colour: &'static str) {
        let stroke = Stroke::solid(colour, 1.2);
        match self {
            Self::Disk => svg.circle((x, y), 2.6, colour, colour),
            Self::Ring => svg.circle((x, y), 3.2, "#ffffff", colour),
            Self::Square => {
                let corners = [(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)];
                svg.shape(&corners.map(|(a, b)| (x + a, y + b)), "#ffffff", stroke);
            }
            Self::Triangle => {
                let corners = [(-3.6, 2.6), (3.6, 2.6), (0.0, -4.0)];
                svg.shape(&corners.map(|(a, b)| (x + a, y + b)), colour, stroke);
            }
        }
    }
}

/// Names that fit their cells; beyond the most, the rest is counted.
fn names(entries: &[Entry]) -> Vec<String> {
    let fit = |entry: &Entry| fitted(&entry.name, SIZE, WIDEST);
    let mut names: Vec<String> = entries.iter().take(MOST).map(fit).collect();
    if entries.len() > MOST {
        names.push(format!("… {} more", entries.len() - MOST));
    }
    names
}

/// Cells as left edge and row, filled from left to right.
fn cells(names: &[String], place: Box) -> Vec<(f64, usize)> {
    let (mut x, mut row) = (place.left, 0);
    let mut cells = Vec::with_capacity(names.len());
    for name in names {
        let width = SAMPLE + SPACE + text_width(name, SIZE) + APART;
        if x > place.left && x + width - APART > place.right {
            (x, row) = (place.left, row + 1);
        }
        cells.push((x, row));
        x += width;
    }
    cells
}

/// Height of a legend over a panel of that place.
pub(in super::super) fn height(entries: &[Entry], place: Box) -> f64 {
    let last = cells(&names(entries), place).last().copied();
    last.map_or(0.0, |(_, row)| ROW * (row + 1) as f64)
}

/// Draws the legend so that it ends above the panel; it needs [`height`].
pub(in super::super) fn draw_legend(svg: &mut Svg, entries: &[Entry], place: Box) {
    let names = names(entries);
    let top = place.top - height(entries, place);
    for (k, (name, (x, row))) in names.iter().zip(cells(&names, place)).enumerate() {
        let middle = top + ROW * (row as f64 + 0.5) - 3.0;
        let Some(entry) = entries.get(k).filter(|_| k < MOST) else {
            svg.text((x, middle + 4.5), Anchor::Start, SIZE, colour::BLACK, name);
            continue;
        };
        svg.line((x, middle), (x + SAMPLE, middle), entry.stroke);
        if let Some(mark) = entry.mark {
            mark.draw(svg, (x + SAMPLE / 2.0, middle), entry.stroke.colour);
        }
        let at = (x + SAMPLE + SPACE, middle + 4.5);
        svg.text(at, Anchor::Start, SIZE, colour::BLACK, name);
    }
}
