//! Areas of a region map, bounded by its located boundaries.
//!
//! The map is read along vertical lines half a unit of the drawing apart: the label at the lower edge
//! is known, and every boundary crossed says which label follows.

use carom_contact::forward::map::RegionMap;

use super::super::frame::{Box, Point};

/// Distance of the lines (units of the drawing).
const STEP: f64 = 0.5;
/// Corners nearer than this to the straight line between their neighbours are left out.
const STRAIGHT: f64 = 0.03;
/// Free width counts less than free height: names are wide.
const ASIDE: f64 = 0.5;
/// Weight of the larger of both: among equals the middle is chosen.
const SLIGHT: f64 = 0.02;
/// Distance of the places tried for a name.
const GRID: f64 = 4.0;

/// One connected area of a label.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Area {
    pub(super) label: String,
    /// Closed outlines that together fill it.
    pub(super) outlines: Vec<Vec<Point>>,
    /// Its stretches along the vertical lines: index of the line, low and high end on paper.
    stretches: Vec<Stretch>,
    origin: Point,
}

/// A stretch of one label along a vertical line; `top < bottom` on paper.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    line: usize,
    top: f64,
    bottom: f64,
}

/// A vertical line read from its lower end: labels with their stretches.
type Line = Vec<(String, Stretch)>;

/// A boundary met along a line, and the labels on its sides.
struct Crossing<'a> {
    at: f64,
    between: &'a [String; 2],
}

/// A piece of a boundary on paper.
struct Piece<'a> {
    ends: [Point; 2],
    between: &'a [String; 2],
}

pub(super) fn areas(
    map: &RegionMap,
    on_paper: &impl Fn([f64; 2]) -> Point,
    place: Box,
) -> Vec<Area> {
    let pieces: Vec<Piece<'_>> = map
        .boundaries
        .iter()
        .flat_map(|boundary| {
            let piece = |segment: &[[f64; 2]; 2]| Piece {
                ends: segment.map(on_paper),
                between: &boundary.between,
            };
            boundary.segments.iter().map(piece)
        })
        .collect();
    let lines = ((place.right - place.left) / STEP).floor() as usize;
    let mut areas: Vec<Area> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for k in 0..lines {
        let x = place.left + STEP * (k as f64 + 0.5);
        let line = read_line(map, &pieces, k, x, place);
        open = join(&mut areas, &open, line, place);
    }
    areas.iter_mut().for_each(Area::close);
    areas
}

/// The label at the lower end of a line: the one of the grid left of it, then what is crossed.
fn lower_label<'a>(map: &'a RegionMap, pieces: &'a [Piece<'_>], x: f64, place: Box) -> &'a str {
    let low = map.labels.first().and_then(|column| column.first());
    let ends = pieces.iter().flat_map(|piece| {
        let on_edge = |p: &Point| (p.1 - place.bottom).abs() < 1e-6 && p.0 < x;
        let between = piece.between;
        piece
            .ends
            .into_iter()
            .filter(on_edge)
            .map(move |p| Crossing { at: p.0, between })
    });
    let mut crossings: Vec<Crossing<'_>> = ends.collect();
    crossings.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut label = low.map_or("", String::as_str);
    for crossing in &crossings {
        label = across(label, crossing.between);
    }
    label
}

/// The label on the other side; the same where the boundary is not one of this label.
fn across<'a>(label: &'a str, between: &'a [String; 2]) -> &'a str {
    match between {
        [one, other] if one == label => other,
        [one, other] if other == label => one,
        _ => label,
    }
}

fn read_line(map: &RegionMap, pieces: &[Piece<'_>], line: usize, x: f64, place: Box) -> Line {
    let meets = |piece: &&Piece<'_>| {
        let [a, b] = piece.ends;
        (a.0 <= x && x < b.0) || (b.0 <= x && x < a.0)
    };
    let crossing = |piece: &'_ Piece<'_>| {
        let [a, b] = piece.ends;
        a.1 + (x - a.0) / (b.0 - a.0) * (b.1 - a.1)
    };
    let met = pieces.iter().filter(meets);
    let mut crossings: Vec<Crossing<'_>> = met
        .map(|piece| Crossing {
            at: crossing(piece),
            between: piece.between,
        })
        .collect();
    crossings.sort_by(|a, b| b.at.total_cmp(&a.at));
    let mut label = lower_label(map, pieces, x, place);
    let mut bottom = place.bottom;
    let mut read: Line = Vec::new();
    for crossing in &crossings {
        let next = across(label, crossing.between);
        if next == label {
            continue;
        }
        let top = crossing.at;
        read.push((label.to_owned(), Stretch { line, top, bottom }));
        (label, bottom) = (next, top);
    }
    let top = place.top;
    read.push((label.to_owned(), Stretch { line, top, bottom }));
    read
}

/// Adds a line to the areas it continues; where its labels differ from the line before, new areas
/// begin, or grow on where one of the same label lies beside.
fn join(areas: &mut Vec<Area>, open: &[usize], line: Line, place: Box) -> Vec<usize> {
    let is_same = open.len() == line.len()
        && open
            .iter()
            .zip(&line)
            .all(|(k, (label, _))| areas[*k].label == *label);
    let mut next = Vec::with_capacity(line.len());
    for (position, (label, stretch)) in line.into_iter().enumerate() {
        let beside = |area: &Area| {
            area.label == label
                && area.stretches.last().is_some_and(|last| {
                    last.line + 1 == stretch.line
                        && last.top < stretch.bottom
                        && stretch.top < last.bottom
                })
        };
        let known = if is_same {
            Some(open[position])
        } else {
            open.iter().copied().find(|k| beside(&areas[*k]))
        };
        let index = known.unwrap_or_else(|| {
            areas.push(Area {
                label,
                outlines: Vec::new(),
                stretches: Vec::new(),
                origin: (place.left, place.top),
            });
            areas.len() - 1
        });
        areas[index].stretches.push(stretch);
        next.push(index);
    }
    next
}

impl Area {
    fn x(&self, line: usize) -> f64 {
        self.origin.0 + STEP * (line as f64 + 0.5)
    }

    /// Outlines from the stretches: one for each run of lines with one stretch each.
    fn close(&mut self) {
        let mut runs: Vec<Vec<Stretch>> = Vec::new();
        for stretch in &self.stretches {
            let goes_on = |run: &&mut Vec<Stretch>| {
                run.last().is_some_and(|last| {
                    last.line + 1 == stretch.line
                        && last.top < stretch.bottom
                        && stretch.top < last.bottom
                })
            };
            match runs.iter_mut().find(goes_on) {
                Some(run) => run.push(*stretch),
                None => runs.push(vec![*stretch]),
            }
        }
        self.outlines = runs.iter().map(|run| self.outline(run)).collect();
    }

    fn outline(&self, run: &[Stretch]) -> Vec<Point> {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            return Vec::new();
        };
        // Half a step beyond the last line on either side, and a little over it against seams.
        let half = 0.55 * STEP;
        let mut high = vec![(self.x(first.line) - half, first.top)];
        high.extend(run.iter().map(|s| (self.x(s.line), s.top)));
        high.push((self.x(last.line) + half, last.top));
        let mut low = vec![(self.x(first.line) - half, first.bottom)];
        low.extend(run.iter().map(|s| (self.x(s.line), s.bottom)));
        low.push((self.x(last.line) + half, last.bottom));
        let mut outline = thinned(&high);
        outline.extend(thinned(&low).into_iter().rev());
        outline
    }

    /// The middle of a free rectangle of these half sides, where there is most room around it.
    pub(super) fn room_for(&self, half: Point) -> Option<Point> {
        let reach = (half.0 / STEP).ceil() as usize;
        let mut best: Option<(f64, Point)> = None;
        let every = (GRID / STEP) as usize;
        for stretch in self.stretches.iter().filter(|s| s.line % every == 0) {
            let steps = ((stretch.bottom - stretch.top) / GRID).floor() as usize;
            for k in 0..=steps {
                let y = stretch.top + GRID * k as f64;
                let Some(room) = self.room(stretch.line, y, reach) else {
                    continue;
                };
                let beside = ASIDE * STEP * self.free(stretch.line, y) as f64;
                let score = room.min(beside) + SLIGHT * room.max(beside);
                if room >= half.1 && best.is_none_or(|(most, _)| score > most + 1e-9) {
                    best = Some((score, (self.x(stretch.line), y)));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    /// The stretch of a line that holds a height.
    fn holding(&self, line: usize, y: f64) -> Option<&Stretch> {
        let from = self.stretches.partition_point(|s| s.line < line);
        let own = self.stretches[from..].iter().take_while(|s| s.line == line);
        own.into_iter().find(|s| s.top <= y && y <= s.bottom)
    }

    /// Free height above and below a place over a width; `None` where the width is not free.
    fn room(&self, line: usize, y: f64, reach: usize) -> Option<f64> {
        let mut room = f64::INFINITY;
        for line in line.checked_sub(reach)?..=line + reach {
            let s = self.holding(line, y)?;
            room = room.min((y - s.top).min(s.bottom - y));
        }
        Some(room)
    }

    /// Lines free on both sides of a place at its height.
    fn free(&self, line: usize, y: f64) -> usize {
        let held = |line: Option<usize>| line.is_some_and(|k| self.holding(k, y).is_some());
        let is_free = |k: &usize| held(line.checked_sub(*k)) && held(Some(line + k));
        (1..).take_while(is_free).count()
    }
}

/// A chain without the corners that lie on straight lines.
fn thinned(chain: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    let mut start = 0;
    let mut end = 1;
    kept.extend(chain.first());
    while end + 1 < chain.len() {
        let (a, b) = (chain[start], chain[end + 1]);
        let is_straight = chain[start + 1..=end].iter().all(|p| {
            let y = a.1 + (p.0 - a.0) / (b.0 - a.0) * (b.1 - a.1);
            (p.1 - y).abs() <= STRAIGHT
        });
        if !is_straight {
            kept.push(chain[end]);
            start = end;
        }
        end += 1;
    }
    kept.extend(chain.last());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_contact::forward::map::region_map;

    const PLACE: Box = Box {
        left: 0.0,
        right: 100.0,
        top: 0.0,
        bottom: 100.0,
    };

    fn surface(outlines: &[Vec<Point>]) -> f64 {
        let shoelace = |outline: &Vec<Point>| {
            let next = outline.iter().cycle().skip(1);
            let sum: f64 = outline
                .iter()
                .zip(next)
                .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
                .sum();
            0.5 * sum.abs()
        };
        outlines.iter().map(shoelace).sum()
    }

    #[test]
    fn a_disk_on_a_coarse_grid_keeps_its_surface() {
        let grid: Vec<f64> = (0..=10).map(|k| 0.1 * f64::from(k)).collect();
        let label = |x: f64, y: f64| {
            let inside = (x - 0.5).hypot(y - 0.5) < 0.3;
            Ok::<String, ()>(if inside { "in" } else { "out" }.to_owned())
        };
        let map = region_map(&grid, &grid, label, |_, _| Vec::new()).unwrap();
        let on_paper = |p: [f64; 2]| (100.0 * p[0], 100.0 * (1.0 - p[1]));
        let areas = areas(&map, &on_paper, PLACE);
        let inside: Vec<&Area> = areas.iter().filter(|a| a.label == "in").collect();
        assert_eq!(inside.len(), 1);
        let exact = std::f64::consts::PI * 900.0;
        let found = surface(&inside[0].outlines);
        // Chords of a coarse grid lie inside the circle.
        assert!((found / exact - 1.0).abs() < 0.05, "{found} {exact}");
        let middle = inside[0].room_for((10.0, 5.0)).unwrap();
        assert!(
            (middle.0 - 50.0).hypot(middle.1 - 50.0) < 12.0,
            "{middle:?}"
        );
        let all: f64 = areas.iter().map(|a| surface(&a.outlines)).sum();
        assert!((all - 1e4).abs() < 100.0, "{all}");
    }
}
