//! One combination of modes: linear equations, then inequalities.

use carom_numeric::orthogonal::length;
use carom_numeric::{CompleteOrthogonal, dot};

use super::phase::{Behaviour, Found, Origin, Phase, Share, sense};
use super::shares::Shares;
use crate::impact::Mode;

/// An inequality may be missed by this fraction of its terms.
pub(super) const TOLERANCE: f64 = 1e-10;

/// Equations contradict each other when they are missed by a larger fraction.
const CONSISTENT: f64 = 1e-9;

/// Velocities that differ by less than this fraction are one.
pub(super) const SAME_VELOCITY: f64 = 1e-9;

/// A velocity below this fraction of its own terms is zero.
const OWN_NOISE: f64 = 1e-14;

/// Corners of a set of shares that are all followed.
const CORNER_LIMIT: usize = 16;

/// What one unknown of a combination pushes: a normal with the friction of its slip, or a tangent.
struct Column {
    /// Row and scaled impulse per unit, the largest one.
    parts: Vec<(usize, f64)>,
    /// Length of the impulse of a unit (N·s).
    size: f64,
    /// What it does to the mechanism, `X S`.
    effect: Vec<f64>,
}

/// `g·y + constant >= 0`, beside terms of size `scale`.
struct Condition {
    g: Vec<f64>,
    constant: f64,
    is_velocity: bool,
}

/// The equations and inequalities of one combination of modes.
pub(super) struct System<'a> {
    phase: &'a Phase<'a>,
    pattern: &'a [Behaviour],
    columns: Vec<Column>,
    /// Impulses of the floors with their friction, and their effect.
    p_floor: Vec<f64>,
    base: Vec<f64>,
    /// Rows of the equations, with the velocity asked.
    equations: Vec<(usize, f64)>,
    conditions: Vec<Condition>,
}

impl<'a> System<'a> {
    pub(super) fn of(phase: &'a Phase<'a>, pattern: &'a [Behaviour]) -> Self {
        let rows = &phase.scene.rows;
        let count = phase.u.len();
        let mut system = Self {
            phase,
            pattern,
            columns: Vec::new(),
            p_floor: vec![0.0; count],
            base: Vec::new(),
            equations: Vec::new(),
            conditions: Vec::new(),
        };
        for i in 0..pattern.len() {
            system.add_unknowns(i);
        }
        let mut base = Vec::new();
        rows.sum(&system.p_floor, &mut base);
        system.base = base;
        for i in 0..pattern.len() {
            system.add_conditions(i);
        }
        system
    }

    /// `dp_t/dp_n` of contact `i`.
    fn slope(&self, i: usize) -> f64 {
        let mode = self.pattern[i].mode;
        mode.map_or(0.0, |mode| -sense(mode) * self.phase.scene.mu_d[i])
    }

    fn is_stuck(&self, i: usize) -> bool {
        self.pattern[i].mode == Some(Mode::Stick)
    }

    fn add_unknowns(&mut self, i: usize) {
        let scene = self.phase.scene;
        let (slope, floor) = (self.slope(i), self.phase.floor[i]);
        self.p_floor[i] = floor;
        if let Some(t) = scene.tangent[i] {
            self.p_floor[t] = slope * floor;
        }
        if self.pattern[i].is_closed {
            let side = scene.tangent[i].filter(|_| slope != 0.0);
            let side = side.map(|t| (t, slope));
            self.add_column([(i, 1.0)].into_iter().chain(side).collect());
            self.equations.push((i, -self.phase.target[i]));
        }
        if let Some(t) = scene.tangent[i].filter(|_| self.is_stuck(i)) {
            self.add_column(vec![(t, 1.0)]);
            self.equations.push((t, 0.0));
        }
    }

    /// A column with a unit of scaled impulse: units of rows decide nothing.
    fn add_column(&mut self, mut parts: Vec<(usize, f64)>) {
        let rows = &self.phase.scene.rows;
        let most = parts.iter().fold(0.0f64, |most, (_, x)| most.max(x.abs()));
        parts.iter_mut().for_each(|(_, x)| *x /= most);
        let plain: Vec<f64> = parts.iter().map(|(r, x)| x / rows.size(*r)).collect();
        let mut effect = vec![0.0; rows.n()];
        for (r, x) in &parts {
            for (a, b) in effect.iter_mut().zip(rows.vector(*r)) {
                *a += x * b;
            }
        }
        self.columns.push(Column {
            parts,
            size: length(&plain),
            effect,
        });
    }

    /// `sign · (u_row + asked)` as a condition.
    fn velocity(&self, row: usize, sign: f64, asked: f64) -> Condition {
        let x = self.phase.scene.rows.vector(row);
        let g = self.columns.iter().map(|c| sign * dot(x, &c.effect));
        Condition {
            g: g.collect(),
            constant: sign * (self.phase.u[row] + dot(x, &self.base) + asked),
            is_velocity: true,
        }
    }

    /// The impulse of a row beyond its floor, times a factor.
    fn impulse(&self, row: usize, factor: f64) -> Vec<f64> {
        let part = |c: &Column| {
            let own = c.parts.iter().find(|(r, _)| *r == row);
            own.map_or(0.0, |(_, x)| factor * x)
        };
        self.columns.iter().map(part).collect()
    }

    fn add_conditions(&mut self, i: usize) {
        let scene = self.phase.scene;
        let first = match self.pattern[i].is_closed {
            true => Condition {
                g: self.impulse(i, 1.0),
                constant: 0.0,
                is_velocity: false,
            },
            false => self.velocity(i, 1.0, self.phase.target[i]),
        };
        self.conditions.push(first);
        let (Some(t), Some(mode)) = (scene.tangent[i], self.pattern[i].mode) else {
            return;
        };
        if mode != Mode::Stick {
            let slips = self.velocity(t, sense(mode), 0.0);
            self.conditions.push(slips);
            return;
        }
        let mu = scene.mu_s[i];
        for sign in [1.0, -1.0] {
            let normal = self.impulse(i, mu);
            let side = self.impulse(t, sign);
            self.conditions.push(Condition {
                g: normal.iter().zip(side).map(|(a, b)| a + b).collect(),
                constant: mu * self.phase.floor[i],
                is_velocity: false,
            });
        }
    }

    /// The consistent solutions: none, one, or the ends of a set of velocities.
    pub(super) fn solve(&self) -> Vec<Found> {
        let k = self.columns.len();
        let rows = &self.phase.scene.rows;
        let mut matrix = vec![0.0; k * k];
        let mut wanted = vec![0.0; k];
        for (i, (row, asked)) in self.equations.iter().enumerate() {
            let x = rows.vector(*row);
            wanted[i] = asked - self.phase.u[*row] - dot(x, &self.base);
            for (j, column) in self.columns.iter().enumerate() {
                matrix[j * k + i] = dot(x, &column.effect);
            }
        }
        let (mut factor, mut y) = (CompleteOrthogonal::new(), vec![0.0; k]);
        factor.decompose(&matrix, k, k);
        factor.least_norm(&wanted, &mut y);
        let miss = |y: &[f64]| -> Vec<f64> {
            let row = |i: usize| (0..k).map(|j| matrix[j * k + i] * y[j]).sum::<f64>();
            (0..k).map(|i| wanted[i] - row(i)).collect()
        };
        let mut correction = vec![0.0; k];
        factor.least_norm(&miss(&y), &mut correction);
        y.iter_mut().zip(&correction).for_each(|(a, b)| *a += b);
        let left = length(&miss(&y));
        if !left.is_finite() || left > CONSISTENT * self.speed(&y) {
            return Vec::new();
        }
        let mut null = Vec::new();
        factor.null_space(&mut null);
        match null.is_empty() {
            true => self.found(&y, Vec::new()).into_iter().collect(),
            false => self.solve_shared(y, &null),
        }
    }

    /// Size of the velocities that add up.
    fn speed(&self, y: &[f64]) -> f64 {
        let pushed = self.columns.iter().zip(y);
        let pushed = pushed.map(|(c, y)| length(&c.effect) * y.abs());
        self.phase.scene.speed + length(&self.base) + pushed.sum::<f64>()
    }

    /// Size of the impulses.
    fn push(&self, y: &[f64]) -> f64 {
        let largest = |c: &Column| c.parts.iter().fold(0.0f64, |a, (_, x)| a.max(x.abs()));
        let pushed = self.columns.iter().zip(y);
        let pushed = pushed.map(|(c, y)| largest(c) * y.abs());
        pushed
            .chain(self.p_floor.iter().map(|x| x.abs()))
            .fold(0.0, f64::max)
    }

    /// Value of a condition over the size of its terms; negative where it is broken.
    fn value(&self, condition: &Condition, y: &[f64], scales: (f64, f64)) -> f64 {
        let value = condition.constant + dot(&condition.g, y);
        let scale = if condition.is_velocity {
            scales.0
        } else {
            scales.1
        };
        if scale > 0.0 { value / scale } else { 0.0 }
    }

    /// The end that `y` leads to, if it breaks no condition.
    fn found(&self, y: &[f64], shares: Vec<Vec<f64>>) -> Option<Found> {
        let scales = (self.speed(y), self.push(y));
        let values = self.conditions.iter().map(|c| self.value(c, y, scales));
        let worst = values.fold(0.0f64, f64::min);
        if worst < -TOLERANCE || worst.is_nan() {
            return None;
        }
        let p = self.impulses(y);
        let rows = &self.phase.scene.rows;
        let mut jump = Vec::new();
        rows.sum(&p, &mut jump);
        let after = (0..p.len()).map(|r| self.phase.u[r] + dot(rows.vector(r), &jump));
        let mut u: Vec<f64> = after.collect();
        for (r, u) in u.iter_mut().enumerate() {
            let terms = self.phase.u[r].abs() + rows.terms(r, &jump);
            if u.abs() <= OWN_NOISE * terms {
                *u = 0.0;
            }
        }
        let is_apart = self.phase.is_apart(&u, &jump);
        for (row, asked) in &self.equations {
            u[*row] = *asked;
        }
        Some(Found {
            p,
            u,
            shares,
            ends: Vec::new(),
            behaviours: self.pattern.to_vec(),
            miss: -worst,
            is_apart,
        })
    }

    /// Impulses of all rows.
    fn impulses(&self, y: &[f64]) -> Vec<f64> {
        let mut p = self.spread(y);
        p.iter_mut().zip(&self.p_floor).for_each(|(a, b)| *a += b);
        for i in 0..self.pattern.len() {
            p[i] = p[i].max(self.phase.floor[i]); // round-off
        }
        p
    }

    /// Equations that leave directions open: the member of least norm that breaks no condition, and
    /// the corners of the set; where the velocities are open too, those of the corners.
    fn solve_shared(&self, y: Vec<f64>, null: &[f64]) -> Vec<Found> {
        let k = y.len();
        let shares = self.shares(&y, null);
        let sizes = |y: &[f64]| -> Vec<f64> {
            let pairs = self.columns.iter().zip(y);
            pairs.map(|(column, y)| column.size * y).collect()
        };
        let weigh: Vec<f64> = null.chunks_exact(k).flat_map(&sizes).collect();
        let Some(least) = shares.least_norm(&weigh, &sizes(&y)) else {
            return Vec::new();
        };
        let place = |c: &[f64]| -> Vec<f64> {
            let moved = combined(null, c, k);
            y.iter().zip(&moved).map(|(a, b)| a + b).collect()
        };
        let open = shares.open_directions(&least);
        let open: Vec<Vec<f64>> = open
            .chunks_exact((null.len() / k).max(1))
            .map(|c| combined(null, c, k))
            .collect();
        let corners: Vec<Vec<f64>> = match open.is_empty() {
            true => Vec::new(),
            false => shares.corners().iter().map(|c| place(c)).collect(),
        };
        let mut corners = self.outermost(&corners);
        corners.retain(|y| self.found(y, Vec::new()).is_some());
        let least = place(&least);
        if open.iter().any(|direction| self.moves(direction)) {
            let all = std::iter::once(&least).chain(&corners);
            return all.filter_map(|y| self.found(y, Vec::new())).collect();
        }
        let inside = shares.recession().filter(|_| !open.is_empty()).map(|c| {
            let far = combined(null, &c, k);
            let size = length(&least);
            least.iter().zip(&far).map(|(a, b)| a + size * b).collect()
        });
        let ends = corners.iter().map(|y| (y, Origin::End));
        let ends = ends.chain(inside.iter().map(|y| (y, Origin::Inside)));
        let ends = ends.map(|(y, origin)| Share {
            p: self.impulses(y),
            origin,
        });
        let found = self.found(&least, open.iter().map(|d| self.spread(d)).collect());
        let ends: Vec<Share> = ends.collect();
        let with_ends = found.map(|found| Found { ends, ..found });
        with_ends.into_iter().collect()
    }

    /// The conditions in the coordinates of the null space.
    fn shares(&self, y: &[f64], null: &[f64]) -> Shares {
        let k = y.len();
        let scales = (self.speed(y), self.push(y).max(self.phase.scene.speed));
        let mut shares = Shares::new(null.len() / k);
        for condition in &self.conditions {
            let g = null.chunks_exact(k).map(|z| dot(&condition.g, z)).collect();
            let scale = if condition.is_velocity {
                scales.0
            } else {
                scales.1
            };
            let value = condition.constant + dot(&condition.g, y);
            shares.add(g, value, length(&condition.g), TOLERANCE * scale);
        }
        shares
    }

    /// The corners; of many those at which some unknown is least or greatest, the largest of them.
    fn outermost(&self, corners: &[Vec<f64>]) -> Vec<Vec<f64>> {
        if corners.len() <= CORNER_LIMIT {
            return corners.to_vec();
        }
        let sizes: Vec<f64> = corners.iter().map(|y| length(y)).collect();
        let unit = CONSISTENT * sizes.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let rounded = |x: f64| (x / unit).round();
        let mut which: Vec<usize> = Vec::new();
        for j in 0..self.columns.len() {
            for sign in [1.0, -1.0] {
                let best = (0..corners.len()).max_by(|&a, &b| {
                    let (x, y) = (sign * corners[a][j], sign * corners[b][j]);
                    let by_size = rounded(sizes[a]).total_cmp(&rounded(sizes[b]));
                    rounded(x).total_cmp(&rounded(y)).then(by_size)
                });
                which.extend(best.filter(|i| !which.contains(i)));
            }
        }
        which.iter().map(|i| corners[*i].clone()).collect()
    }

    fn moves(&self, direction: &[f64]) -> bool {
        let mut effect = vec![0.0; self.base.len()];
        for (column, y) in self.columns.iter().zip(direction) {
            for (a, b) in effect.iter_mut().zip(&column.effect) {
                *a += y * b;
            }
        }
        let sizes = self.columns.iter().map(|c| length(&c.effect));
        length(&effect) > CONSISTENT * sizes.fold(0.0, f64::max)
    }

    fn spread(&self, direction: &[f64]) -> Vec<f64> {
        let mut p = vec![0.0; self.p_floor.len()];
        for (column, y) in self.columns.iter().zip(direction) {
            for (r, x) in &column.parts {
                p[*r] += x * y;
            }
        }
        p
    }
}

/// `N c`.
fn combined(null: &[f64], c: &[f64], k: usize) -> Vec<f64> {
    let mut sum = vec![0.0; k];
    for (z, c) in null.chunks_exact(k).zip(c) {
        sum.iter_mut().zip(z).for_each(|(a, b)| *a += c * b);
    }
    sum
}
