//! Singular pieces: whole families of answers.

use carom_numeric::linear_program::{Reach, maximise};
use carom_numeric::{dot, orthogonal};
use serde::{Deserialize, Serialize};

use super::affine::{Affine, Form, Point, affine};
use super::mode::Mode;
use super::system::{Condition, FACE, System, clean};

/// A family of answers, `point + Σ t_k direction_k` with each `t_k` within its bounds.
///
/// One direction: the bounds are exact. Several: the box around the family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Continuum {
    /// Number of directions.
    pub dimension: usize,
    /// The acceleration of least norm on the lines or planes of the family, which need not reach it.
    pub point: Vec<f64>,
    /// Orthonormal directions, first non-zero component positive.
    pub direction: Vec<Vec<f64>>,
    /// Least and greatest `t` per direction; `None` is unbounded.
    pub bounds: Vec<[Option<f64>; 2]>,
    /// Mode of each element.
    pub mode: Vec<Mode>,
    /// Sign pattern: `+`, `-` the sign of `f N`, `0` stuck, `l` lift-off.
    pub signs: String,
}

/// An inequality that exceeds zero by less, in units of the unknowns, holds as an equation only.
const FLAT: f64 = 1e-10;

/// A direction of which this fraction or less is not along those before it is none of its own.
const NEW_DIRECTION: f64 = 1e-9;

/// An answer lies on a family within this fraction of the unknowns.
const ON_FAMILY: f64 = 1e-9;

/// What a singular piece holds.
pub(super) enum Family {
    /// Nothing: the rows contradict each other.
    Contradiction,
    /// Nothing: this condition fails, or no point meets all.
    Empty(usize),
    /// One acceleration; its forces may not be unique.
    Point { point: Point, unique: bool },
    /// More than one acceleration.
    Many(Span),
}

/// Unknowns `point + Σ t_j direction_j` that meet `demands`, each `g·t + h >= 0`.
pub(super) struct Span {
    point: Vec<f64>,
    /// Accelerations along the directions, in scaled unknowns.
    motions: Vec<Vec<f64>>,
    demands: Vec<Form>,
    /// Orthonormal motions.
    axes: Vec<Vec<f64>>,
    /// Scaled accelerations at the ends of every axis.
    ends: Vec<Vec<f64>>,
}

/// The family of a singular piece: its equations and the conditions of its branches.
pub(super) fn family(system: &System, rows: &[Form], conditions: &[&Condition]) -> Family {
    let mut equations = rows.to_vec();
    for _ in 0..=system.size {
        let Some(found) = affine(&equations, system.size) else {
            return Family::Contradiction;
        };
        let demands = conditions.iter().map(|c| along(c, &c.g, &found));
        let demands: Vec<Form> = demands.collect();
        match inside(&demands, found.directions.len()) {
            Inside::Empty(index) => return Family::Empty(index),
            Inside::Flat(index) => {
                let Condition { g, h, .. } = conditions[index];
                equations.push(unit_form(&(g.clone(), *h)));
            }
            Inside::Solid(t) => return describe(system, found, demands, &t),
        }
    }
    Family::Empty(0)
}

/// Every combination of branches of a piece, the first element's turning fastest.
pub(super) fn branchings(system: &System, path: &[usize]) -> Vec<Vec<usize>> {
    let count = |e: usize| system.elements[e].choices[path[e]].branches.len();
    let mut all = Vec::new();
    let mut branches = vec![0; path.len()];
    loop {
        all.push(branches.clone());
        let Some(next) = (0..path.len()).find(|&e| branches[e] + 1 < count(e)) else {
            return all;
        };
        branches[..next].fill(0);
        branches[next] += 1;
    }
}

/// The least and greatest t of a singular piece along a line of forces, where they are finite: rows
/// `[g | rhs, side]` stand for `g·z = rhs + t side`.
pub(super) fn ends_along(system: &System, rows: &[&[f64]], conditions: &[&Condition]) -> Vec<f64> {
    let size = system.size;
    let sides = rows.iter().map(|row| row[size + 1].abs());
    let unit = match sides.fold(0.0, f64::max) {
        most if most > 0.0 => 1.0 / most,
        _ => 1.0,
    };
    let with_t = |g: &[f64], slope: f64| [g, &[slope * unit]].concat();
    let equation = |row: &&[f64]| (with_t(&row[..size], -row[size + 1]), -row[size]);
    let equations: Vec<Form> = rows.iter().map(equation).collect();
    let Some(found) = affine(&equations, size + 1) else {
        return Vec::new();
    };
    let demands = conditions
        .iter()
        .map(|c| along(c, &with_t(&c.g, c.slope), &found));
    let demands: Vec<Form> = demands.collect();
    if demands.iter().any(|d| is_constant(d) && d.1 < 0.0) {
        return Vec::new();
    }
    let live = live(&demands);
    let reach = |sense: f64| {
        let c: Vec<f64> = found.directions.iter().map(|z| sense * z[size]).collect();
        match maximise(&c, &live) {
            Reach::At(value, _) => Some(unit * (found.point.z[size] + sense * value)),
            _ => None,
        }
    };
    [reach(-1.0), reach(1.0)].into_iter().flatten().collect()
}

/// A condition along the solutions of equations, `g'·t + h'`, over unknowns with the row `g`; what is
/// round-off is zero.
fn along(condition: &Condition, g: &[f64], found: &Affine) -> Form {
    let sum = |x: &[f64]| {
        let terms = g.iter().zip(x).map(|(a, b)| a * b);
        terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + f64::abs(x)))
    };
    let slope = |direction: &Vec<f64>| {
        let (value, terms) = sum(direction);
        clean(value, terms)
    };
    let (value, terms) = sum(&found.point.z);
    let slack = value + condition.h;
    let errors = g.iter().zip(&found.point.error);
    let hidden: f64 = errors.map(|(a, b)| a.abs() * b).sum();
    let is_some = slack.abs() > FACE * (terms + condition.terms) + hidden;
    (
        found.directions.iter().map(slope).collect(),
        if is_some { slack } else { 0.0 },
    )
}

fn is_constant(demand: &Form) -> bool {
    demand.0.iter().all(|x| *x == 0.0)
}

/// Demands that depend on where on the family one is, their directions of length one.
fn live(demands: &[Form]) -> Vec<Form> {
    let live = demands.iter().filter(|d| !is_constant(d));
    live.map(unit_form).collect()
}

enum Inside {
    Empty(usize),
    /// A demand that holds as an equality only.
    Flat(usize),
    /// A point strictly inside.
    Solid(Vec<f64>),
}

/// Whether demands `g·t + h >= 0` leave a set with an interior.
fn inside(demands: &[Form], dimension: usize) -> Inside {
    let fails = |d: &Form| is_constant(d) && d.1 < 0.0;
    if let Some(index) = demands.iter().position(fails) {
        return Inside::Empty(index);
    }
    let indices: Vec<usize> = (0..demands.len())
        .filter(|i| !is_constant(&demands[*i]))
        .collect();
    let rows = live(demands);
    let mut sum = vec![0.0; dimension];
    for (row, index) in rows.iter().zip(&indices) {
        match furthest(row, &rows) {
            Some((value, t)) if value > FLAT * (1.0 + row.1.abs()) => {
                let pairs = sum.iter_mut().zip(&t);
                pairs.for_each(|(a, b)| *a += b / rows.len() as f64);
            }
            Some(_) => return Inside::Flat(*index),
            None => return Inside::Empty(*index),
        }
    }
    Inside::Solid(sum)
}

/// The greatest value of a demand where all hold, and where; where it has no bound, a point far enough
/// to be inside and near enough to be finite. None where not all can hold.
fn furthest(demand: &Form, rows: &[Form]) -> Option<(f64, Vec<f64>)> {
    let (g, h) = demand;
    let value = |t: &[f64]| dot(g, t) + h;
    let any = match maximise(g, rows) {
        Reach::At(_, t) => return Some((value(&t), t)),
        Reach::Empty => return None,
        Reach::Unbounded => maximise(&vec![0.0; g.len()], rows),
    };
    let Reach::At(_, start) = any else {
        return None;
    };
    let cap = value(&start).max(0.0) + 1.0 + h.abs();
    let mut capped = rows.to_vec();
    capped.push((g.iter().map(|x| -x).collect(), cap - h));
    match maximise(g, &capped) {
        Reach::At(_, t) => Some((value(&t), t)),
        _ => None,
    }
}

/// The demand with a direction of length one.
fn unit_form((g, h): &Form) -> Form {
    let length = orthogonal::length(g);
    (g.iter().map(|x| x / length).collect(), h / length)
}

/// The family in accelerations; a family of forces alone is one point.
fn describe(system: &System, found: Affine, demands: Vec<Form>, inner: &[f64]) -> Family {
    let n = system.n;
    let moved = |t: &[f64]| {
        let mut z = found.point.z.clone();
        for (direction, t) in found.directions.iter().zip(t) {
            let pairs = z.iter_mut().zip(direction);
            pairs.for_each(|(a, b)| *a += t * b);
        }
        z
    };
    let motions: Vec<Vec<f64>> = found.directions.iter().map(|z| z[..n].to_vec()).collect();
    let axes = orthonormal(motions.iter().zip(&found.directions).map(|(m, z)| {
        let length = orthogonal::length(z);
        m.iter().map(|x| x / length).collect()
    }));
    if axes.is_empty() {
        let z = moved(inner);
        let error = found.point.error;
        return Family::Point {
            unique: found.directions.is_empty(),
            point: Point { z, error },
        };
    }
    let demands = live(&demands);
    let ends = axes.iter().flat_map(|axis| {
        let c: Vec<f64> = motions.iter().map(|m| dot(axis, m)).collect();
        let minus: Vec<f64> = c.iter().map(|x| -x).collect();
        [
            furthest(&(c, 0.0), &demands),
            furthest(&(minus, 0.0), &demands),
        ]
    });
    let ends = ends.flatten().map(|(_, t)| moved(&t)[..n].to_vec());
    Family::Many(Span {
        ends: ends.collect(),
        point: found.point.z[..n].to_vec(),
        motions,
        demands,
        axes,
    })
}

/// Orthonormal directions of the space that some span.
fn orthonormal(directions: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    let mut axes: Vec<f64> = Vec::new();
    let mut width = 1;
    for mut direction in directions {
        width = direction.len();
        orthogonal::project_out(&mut direction, &axes);
        let left = orthogonal::length(&direction);
        if left > NEW_DIRECTION {
            axes.extend(direction.iter().map(|x| x / left));
        }
    }
    axes.chunks_exact(width).map(<[f64]>::to_vec).collect()
}

impl Span {
    /// Number of directions of accelerations.
    pub(super) fn dimension(&self) -> usize {
        self.axes.len()
    }

    /// Whether every end of another family lies on this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.dimension() >= other.dimension() && other.ends.iter().all(|end| self.holds(end))
    }

    /// Whether scaled accelerations lie on the family.
    pub(super) fn holds(&self, z: &[f64]) -> bool {
        let n = self.point.len();
        let offset: Vec<f64> = z[..n].iter().zip(&self.point).map(|(a, b)| a - b).collect();
        let size = orthogonal::length(&z[..n]) + orthogonal::length(&self.point);
        let room = ON_FAMILY * (1.0 + size);
        let mut rest = offset.clone();
        let mut rows: Vec<Form> = Vec::new();
        for (g, h) in &self.demands {
            rows.push((g.clone(), h + room));
        }
        for axis in &self.axes {
            let wanted = dot(axis, &offset);
            let pairs = rest.iter_mut().zip(axis);
            pairs.for_each(|(a, b)| *a -= wanted * b);
            let slopes: Vec<f64> = self.motions.iter().map(|m| dot(axis, m)).collect();
            let minus = slopes.iter().map(|x| -x).collect();
            rows.extend([(slopes, room - wanted), (minus, room + wanted)]);
        }
        orthogonal::length(&rest) <= room
            && maximise(&vec![0.0; self.motions.len()], &rows) != Reach::Empty
    }

    /// The family as a file shows it.
    pub(super) fn told(&self, system: &System, mode: Vec<Mode>, signs: String) -> Continuum {
        let raw = |z: &Vec<f64>| -> Vec<f64> {
            let turned = system.frame.turned(z).into_iter();
            turned.map(|(x, terms)| clean(x, terms)).collect()
        };
        let along = orthonormal(self.axes.iter().map(|axis| {
            let x = raw(axis);
            let length = orthogonal::length(&x);
            x.into_iter().map(|x| x / length).collect()
        }));
        let motions: Vec<Vec<f64>> = self.motions.iter().map(raw).collect();
        let mut point = system.acceleration(&self.point);
        let (mut direction, mut bounds) = (Vec::new(), Vec::new());
        for axis in along {
            let first = axis.iter().find(|x| x.abs() > FACE);
            let sign = first.copied().unwrap_or(1.0).signum();
            let axis: Vec<f64> = axis.iter().map(|x| sign * x + 0.0).collect();
            let start = dot(&axis, &point);
            let pairs = point.iter_mut().zip(&axis);
            pairs.for_each(|(a, b)| *a -= start * b);
            let reach = |sense: f64| {
                let c: Vec<f64> = motions.iter().map(|m| sense * dot(&axis, m)).collect();
                match maximise(&c, &self.demands) {
                    Reach::At(value, _) => Some(start + sense * value + 0.0),
                    _ => None,
                }
            };
            bounds.push([reach(-1.0), reach(1.0)]);
            direction.push(axis);
        }
        Continuum {
            dimension: direction.len(),
            point,
            direction,
            bounds,
            mode,
            signs,
        }
    }
}
