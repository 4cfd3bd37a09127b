//! Singular pieces: whole families of answers.

use carom_numeric::linear_program::{Reach, maximise};
use carom_numeric::{CompleteOrthogonal, dot};
use serde::{Deserialize, Serialize};

use super::mode::Mode;
use super::system::{Condition, FACE, System};

/// A family of answers, `point + Σ t_k direction_k` with each `t_k` within its bounds.
///
/// One direction: the bounds are exact. Several: the box around the family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Continuum {
    /// Number of directions.
    pub dimension: usize,
    /// The solution of least norm; the family need not reach it.
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

/// Rows count as compatible when they are met within this fraction of their terms.
const COMPATIBLE: f64 = 1e-11;

/// A direction of which accelerations are a smaller part shares forces and moves nothing.
const MOVES: f64 = 1e-9;

/// What a singular piece holds.
pub(super) enum Family {
    /// Nothing: the rows contradict each other.
    Contradiction,
    /// Nothing: this condition fails at the point of least norm, or no point meets all.
    Empty(usize),
    /// One point, in unscaled unknowns; its forces may not be unique.
    Point(Vec<f64>),
    /// More than one acceleration.
    Many {
        point: Vec<f64>,
        directions: Vec<Vec<f64>>,
        bounds: Vec<[Option<f64>; 2]>,
    },
}

/// An equation or inequality over unscaled unknowns: `g·x + h`.
type Form = (Vec<f64>, f64);

/// The family of a singular piece: its rows `[g | rhs, …]` and the conditions of its branches.
pub(super) fn family(system: &System, rows: &[&[f64]], conditions: &[&Condition]) -> Family {
    let unscale = |g: &[f64]| -> Vec<f64> {
        g.iter()
            .zip(&system.unit)
            .map(|(x, unit)| x * unit)
            .collect()
    };
    let equation = |row: &&[f64]| (unscale(&row[..system.size]), -row[system.size]);
    let mut equations: Vec<Form> = rows.iter().map(equation).collect();
    let demands: Vec<Form> = conditions.iter().map(|c| (unscale(&c.g), c.h)).collect();
    for _ in 0..=system.size {
        let Some((x, basis)) = affine(&equations, system.size) else {
            return Family::Contradiction;
        };
        let pairs = demands.iter().zip(conditions);
        let reduced = pairs.map(|(d, c)| along(d, c.floor, &x, &basis));
        let reduced: Vec<Form> = reduced.collect();
        match inside(&reduced, basis.len()) {
            Inside::Empty(index) => return Family::Empty(index),
            Inside::Flat(index) => equations.push(demands[index].clone()),
            Inside::Solid(t) => return describe(system, x, &basis, &reduced, &t),
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
    let with_t = |g: &[f64], slope: f64| -> Vec<f64> {
        let scaled = g.iter().zip(&system.unit).map(|(x, unit)| x * unit);
        scaled.chain([slope]).collect()
    };
    let equation = |row: &&[f64]| (with_t(&row[..size], -row[size + 1]), -row[size]);
    let equations: Vec<Form> = rows.iter().map(equation).collect();
    let Some((x, basis)) = affine(&equations, size + 1) else {
        return Vec::new();
    };
    let demands = conditions.iter().map(|c| {
        let demand = (with_t(&c.g, c.slope), c.h);
        along(&demand, c.floor, &x, &basis)
    });
    let reduced: Vec<Form> = demands.collect();
    let is_constant = |d: &Form| d.0.iter().all(|x| *x == 0.0);
    if reduced.iter().any(|d| is_constant(d) && d.1 < 0.0) {
        return Vec::new();
    }
    let live = reduced.iter().filter(|d| !is_constant(d)).map(unit_form);
    let live: Vec<Form> = live.collect();
    let reach = |sense: f64| {
        let c: Vec<f64> = basis.iter().map(|z| sense * z[size]).collect();
        match maximise(&c, &live) {
            Reach::At(value, _) => Some(x[size] + sense * value),
            _ => None,
        }
    };
    [reach(-1.0), reach(1.0)].into_iter().flatten().collect()
}

/// Least-norm solution and null space of the equations; `None` where they contradict each other.
fn affine(equations: &[Form], size: usize) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let m = equations.len();
    let lengths: Vec<f64> = equations
        .iter()
        .map(|(g, _)| carom_numeric::orthogonal::length(g).max(f64::MIN_POSITIVE))
        .collect();
    let mut columns = vec![0.0; m * size];
    for (i, (g, _)) in equations.iter().enumerate() {
        for j in 0..size {
            columns[j * m + i] = g[j] / lengths[i];
        }
    }
    let sides: Vec<f64> = equations
        .iter()
        .zip(&lengths)
        .map(|((_, h), l)| -h / l)
        .collect();
    let mut factor = CompleteOrthogonal::new();
    factor.decompose(&columns, m, size);
    let mut x = vec![0.0; size];
    factor.least_norm(&sides, &mut x);
    let is_met = |((g, h), length): (&Form, &f64)| {
        let terms: f64 = g.iter().zip(&x).map(|(a, b)| (a * b).abs()).sum::<f64>() + h.abs();
        let floor = length * carom_numeric::orthogonal::length(&x);
        (dot(g, &x) + h).abs() <= COMPATIBLE * terms.max(floor)
    };
    if !equations.iter().zip(&lengths).all(is_met) {
        return None;
    }
    let mut flat = Vec::new();
    factor.null_space(&mut flat);
    let basis = flat.chunks_exact(size).map(<[f64]>::to_vec).collect();
    Some((x, basis))
}

/// A demand along the family, `g'·t + h'`; what is round-off beside its terms, or beside `floor`, the
/// size that the forces of the problem give it, is zero.
fn along(demand: &Form, floor: f64, x: &[f64], basis: &[Vec<f64>]) -> Form {
    let (g, h) = demand;
    let own = g.iter().zip(x).map(|(a, b)| (a * b).abs()).sum::<f64>();
    let terms = own + h.abs() + floor;
    let slack = dot(g, x) + h;
    let length = carom_numeric::orthogonal::length(g);
    let clean = |value: f64, size: f64| {
        if value.abs() <= FACE * size {
            0.0
        } else {
            value
        }
    };
    let slopes = basis.iter().map(|z| clean(dot(g, z), length));
    (slopes.collect(), clean(slack, terms))
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
    let is_constant = |d: &Form| d.0.iter().all(|x| *x == 0.0);
    if let Some(index) = demands.iter().position(|d| is_constant(d) && d.1 < 0.0) {
        return Inside::Empty(index);
    }
    let live: Vec<usize> = (0..demands.len())
        .filter(|i| !is_constant(&demands[*i]))
        .collect();
    let rows: Vec<Form> = live.iter().map(|i| unit_form(&demands[*i])).collect();
    let mut sum = vec![0.0; dimension];
    for (index, (row, i)) in rows.iter().zip(&live).enumerate() {
        match furthest(row, &rows) {
            Some((value, t)) if value > FACE * (1.0 + row.1.abs()) => {
                sum.iter_mut()
                    .zip(&t)
                    .for_each(|(a, b)| *a += b / live.len() as f64);
            }
            Some(_) => return Inside::Flat(*i),
            None => return Inside::Empty(live[index]),
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
    let length = carom_numeric::orthogonal::length(g);
    (g.iter().map(|x| x / length).collect(), h / length)
}

/// Whether a direction changes accelerations by more than rows that count as dependent leave of its
/// forces: in scaled unknowns a force and the acceleration it gives alone have one size.
fn moves(system: &System, direction: &[f64]) -> bool {
    let pairs = direction.iter().zip(&system.unit);
    let scaled: Vec<f64> = pairs.map(|(x, unit)| x * unit).collect();
    let length = carom_numeric::orthogonal::length;
    length(&scaled[..system.n]) > MOVES * length(&scaled)
}

/// The family in accelerations; a family of forces alone is one point.
fn describe(
    system: &System,
    point: Vec<f64>,
    basis: &[Vec<f64>],
    demands: &[Form],
    inner: &[f64],
) -> Family {
    let n = system.n;
    if !basis.iter().any(|direction| moves(system, direction)) {
        let mut x = point;
        for (z, t) in basis.iter().zip(inner) {
            x.iter_mut().zip(z).for_each(|(a, b)| *a += t * b);
        }
        return Family::Point(x);
    }
    let dimension = basis.len();
    let live: Vec<Form> = demands
        .iter()
        .filter(|d| d.0.iter().any(|x| *x != 0.0))
        .map(unit_form)
        .collect();
    let mut directions = Vec::with_capacity(dimension);
    let mut bounds = Vec::with_capacity(dimension);
    for (k, z) in basis.iter().enumerate() {
        let first = z
            .iter()
            .find(|x| x.abs() > COMPATIBLE)
            .copied()
            .unwrap_or(1.0);
        let sign = first.signum();
        directions.push(z[..n].iter().map(|x| sign * x + 0.0).collect());
        let reach = |s: f64| {
            let mut c = vec![0.0; dimension];
            c[k] = s;
            match maximise(&c, &live) {
                Reach::At(value, _) => Some(s * sign * value + 0.0),
                _ => None,
            }
        };
        bounds.push([reach(-sign), reach(sign)]);
    }
    Family::Many {
        point: point[..n].to_vec(),
        directions,
        bounds,
    }
}

impl Continuum {
    /// Whether another family lies on this one: its ends do, or points one unit inside.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let mut direction_and_bounds = other.direction.iter().zip(&other.bounds);
        self.dimension > other.dimension
            && direction_and_bounds.all(|(direction, bounds)| {
                let (low, high) = match *bounds {
                    [Some(low), Some(high)] => (low, high),
                    [Some(low), None] => (low, low + 1.0),
                    [None, Some(high)] => (high - 1.0, high),
                    [None, None] => (-1.0, 1.0),
                };
                let at = |t: f64| -> Vec<f64> {
                    let pairs = other.point.iter().zip(direction);
                    pairs.map(|(x, d)| x + t * d).collect()
                };
                self.holds(&at(low)) && self.holds(&at(high))
            })
    }

    /// Whether an acceleration lies on the family (on its box, for several directions).
    pub(super) fn holds(&self, q: &[f64]) -> bool {
        let offset: Vec<f64> = q.iter().zip(&self.point).map(|(a, b)| a - b).collect();
        let scale = carom_numeric::orthogonal::length(q)
            + carom_numeric::orthogonal::length(&self.point)
            + f64::MIN_POSITIVE;
        let room = ON_FAMILY * scale;
        let mut rest = offset.clone();
        for (direction, [low, high]) in self.direction.iter().zip(&self.bounds) {
            let t = dot(&offset, direction);
            rest.iter_mut()
                .zip(direction)
                .for_each(|(a, b)| *a -= t * b);
            if low.is_some_and(|low| t < low - room) || high.is_some_and(|high| t > high + room) {
                return false;
            }
        }
        carom_numeric::orthogonal::length(&rest) <= room
    }
}

/// An answer lies on a family within this fraction of its size.
const ON_FAMILY: f64 = 1e-9;
