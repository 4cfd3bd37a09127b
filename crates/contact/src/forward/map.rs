//! Regions over two parameters, with their boundaries located.

use carom_numeric::root::{bracketed, switch};
use serde::{Deserialize, Serialize};

use super::answers::answers;
use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::ForwardProblem;
use super::rod::Rod;
use super::space::SpatialForward;

/// Labels on a grid and the curves between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RegionMap {
    /// First parameter: one row each.
    pub x: Vec<f64>,
    /// Second parameter: one column each.
    pub y: Vec<f64>,
    /// Label per row and column.
    pub labels: Vec<Vec<String>>,
    /// Boundaries between labels.
    pub boundaries: Vec<Boundary>,
}

/// The boundary between two labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Boundary {
    /// The labels on its sides, in order of the alphabet.
    pub between: [String; 2],
    /// Straight pieces from point to point (x, y); every point lies on the boundary.
    pub segments: Vec<[[f64; 2]; 2]>,
}

/// Subdivisions of a cell in which boundaries branch: its size shrinks by 2 to this power.
const DEPTH: usize = 16;

/// Maps a plane of parameters by a label.
///
/// Boundaries are found on the edges of the cells, each located by bisection to where the label
/// changes, which it does within the tolerance of a face (1e-12 of the forces). `levels` are
/// functions of which one vanishes on each boundary, where they are known: the place is then the
/// root, to round-off. A cell in which more than two boundaries end, or one ends twice, is divided.
pub fn region_map<E>(
    x: &[f64],
    y: &[f64],
    mut label: impl FnMut(f64, f64) -> Result<String, E>,
    levels: impl FnMut(f64, f64) -> Vec<f64>,
) -> Result<RegionMap, E> {
    let mut labels = Vec::with_capacity(x.len());
    for a in x {
        let row = y
            .iter()
            .map(|b| label(*a, *b))
            .collect::<Result<Vec<_>, E>>()?;
        labels.push(row);
    }
    let mut tracer = Tracer {
        label,
        levels,
        boundaries: Vec::new(),
        failed: None,
    };
    for i in 1..x.len() {
        for j in 1..y.len() {
            let corners = [(i - 1, j - 1), (i, j - 1), (i, j), (i - 1, j)];
            let first = &labels[i - 1][j - 1];
            if corners.iter().any(|(a, b)| labels[*a][*b] != *first) {
                tracer.cell([x[i - 1], x[i]], [y[j - 1], y[j]], DEPTH);
            }
        }
    }
    match tracer.failed {
        Some(error) => Err(error),
        None => Ok(RegionMap {
            x: x.to_vec(),
            y: y.to_vec(),
            labels,
            boundaries: tracer.boundaries,
        }),
    }
}

/// A region that fills less than this part of an edge of the grid is a line: its label is that of
/// the boundary itself.
const THIN: f64 = 1e-7;

/// Half the parts of an edge in which the root of a level is looked for, one after another.
const NEAR: [f64; 3] = [1e-9, 1e-6, 1e-3];

struct Tracer<F, G, E> {
    label: F,
    levels: G,
    boundaries: Vec<Boundary>,
    failed: Option<E>,
}

/// Part of an edge below which a change of label is at its corner: nothing is asked so near to zero that
/// its squares vanish.
const FINEST: f64 = 1e-13;

/// A place on an edge where the label changes.
struct Crossing {
    between: [String; 2],
    at: [f64; 2],
}

impl<E, F, G> Tracer<F, G, E>
where
    F: FnMut(f64, f64) -> Result<String, E>,
    G: FnMut(f64, f64) -> Vec<f64>,
{
    /// The root of a level near `t`, or `t` itself.
    fn polish(&mut self, t: f64, point: impl Fn(f64) -> [f64; 2]) -> f64 {
        let mut levels = |t: f64| {
            let [x, y] = point(t);
            (self.levels)(x, y)
        };
        for near in NEAR {
            let (low, high) = ((t - near).max(0.0), (t + near).min(1.0));
            let (before, after) = (levels(low), levels(high));
            // A level may end where the problem changes its kind: its list is then shorter.
            let mut pairs = before.iter().zip(&after);
            if let Some(k) = pairs.position(|(a, b)| a * b < 0.0) {
                let level = |t: f64| levels(t).get(k).copied().unwrap_or(f64::NAN);
                return bracketed(level, low, high).unwrap_or(t);
            }
        }
        t
    }

    fn at(&mut self, point: [f64; 2]) -> String {
        (self.label)(point[0], point[1]).unwrap_or_else(|error| {
            self.failed = Some(error);
            String::new()
        })
    }

    /// Boundaries through one cell.
    fn cell(&mut self, x: [f64; 2], y: [f64; 2], depth: usize) {
        let corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
        let mut crossings = Vec::new();
        for k in 0..4 {
            let thin = THIN * 2f64.powi((DEPTH - depth) as i32);
            let mut found = self.edge(corners[k], corners[(k + 1) % 4], thin);
            crossings.append(&mut found);
            if self.failed.is_some() {
                return;
            }
        }
        let ends = |c: &Crossing| crossings.iter().filter(|o| o.between == c.between).count();
        if crossings.iter().all(|c| ends(c) == 2) {
            self.join(crossings);
        } else if depth > 0 {
            let (mx, my) = (0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]));
            for x in [[x[0], mx], [mx, x[1]]] {
                for y in [[y[0], my], [my, y[1]]] {
                    self.cell(x, y, depth - 1);
                }
            }
        }
    }

    /// Every change of label from one corner to the next; regions thinner than `thin` are lines.
    fn edge(&mut self, from: [f64; 2], to: [f64; 2], thin: f64) -> Vec<Crossing> {
        let along = |a: f64, b: f64, t: f64| if t == 1.0 { b } else { a + t * (b - a) };
        let point = |t: f64| [along(from[0], to[0], t), along(from[1], to[1], t)];
        let end = self.at(to);
        let mut changes: Vec<(f64, String, String)> = Vec::new();
        let mut start = 0.0;
        // Each pass crosses one region; an edge with more changes than this is left to finer cells.
        for _ in 0..8 {
            let here = self.at(point(start));
            if here == end || self.failed.is_some() {
                break;
            }
            let is_here = |t: f64| t <= start + FINEST || self.at(point(t)) == here;
            let (_, right) = switch(is_here, start, 1.0);
            let there = self.at(point(right));
            match changes.pop() {
                Some((t, before, _)) if right - t < thin => {
                    changes.push((0.5 * (t + right), before, there)); // the middle of the line
                }
                Some(known) => changes.extend([known, (right, here, there)]),
                None => changes.push((right, here, there)),
            }
            start = right;
        }
        let real = changes.into_iter().filter(|(_, here, there)| here != there);
        let mut crossings = Vec::new();
        for (t, here, there) in real {
            let mut between = [here, there];
            between.sort();
            let t = if t <= 2.0 * FINEST { 0.0 } else { t }; // the corner itself has a label of its own
            let at = point(self.polish(t, point));
            crossings.push(Crossing { between, at });
        }
        crossings
    }

    fn join(&mut self, mut crossings: Vec<Crossing>) {
        while let Some(first) = crossings.pop() {
            let Some(k) = crossings.iter().position(|c| c.between == first.between) else {
                continue;
            };
            let segment = [first.at, crossings.swap_remove(k).at];
            let known = self
                .boundaries
                .iter_mut()
                .find(|b| b.between == first.between);
            match known {
                Some(boundary) => boundary.segments.push(segment),
                None => self.boundaries.push(Boundary {
                    between: first.between,
                    segments: vec![segment],
                }),
            }
        }
    }
}

/// Label of a problem: its count, or with one contact alone `slide` (`stick`, `onset+`, `onset-` from
/// rest), `lift-off`, `inconsistent`, `indeterminate`.
pub fn region_label(problem: &ForwardProblem) -> Result<String, ForwardInputError> {
    let found = answers(problem)?;
    let is_contact = problem.friction.is_empty() && problem.contacts.len() == 1;
    Ok(match (found.count(), is_contact) {
        (Some(1), true) => {
            let mode = found.answers[0].mode.first().copied();
            mode.unwrap_or(Mode::Slide).name().to_owned()
        }
        (Some(0), true) => "inconsistent".to_owned(),
        (_, true) => "indeterminate".to_owned(),
        (Some(count), false) => count.to_string(),
        (None, false) => "continuum".to_owned(),
    })
}

/// Label of a problem in space: as in the plane, `onset` from rest; `undecided` where the answers that were found are
/// not proved to be all.
pub fn region_label_in_space(posed: &SpatialForward) -> Result<String, ForwardInputError> {
    let found = posed.solve()?;
    let is_contact = posed.joints.is_empty() && posed.contacts.len() == 1;
    Ok(match (found.count, is_contact) {
        (None, _) => "undecided".to_owned(),
        (Some(1), true) => found.answers[0].mode[0].name().to_owned(),
        (Some(0), true) => "inconsistent".to_owned(),
        (Some(_), true) => "indeterminate".to_owned(),
        (Some(count), false) => count.to_string(),
    })
}

/// The map of a rod over angle (rows) and rate (columns). While the tip slips its boundaries are the
/// roots of `p` and of the normal drift.
pub fn rod_map(rod: &Rod, angles: &[f64], rates: &[f64]) -> Result<RegionMap, ForwardInputError> {
    let moved = |angle, rate| Rod {
        angle,
        rate,
        ..rod.clone()
    };
    let label = |angle, rate| region_label(&moved(angle, rate).problem()?);
    let levels = |angle, rate| {
        let rod = moved(angle, rate);
        if rod.slip == 0.0 {
            return Vec::new();
        }
        vec![rod.slope(rod.slip.signum()), rod.drift()[0]]
    };
    region_map(angles, rates, label, levels)
}
