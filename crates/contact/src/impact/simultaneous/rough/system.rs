//! One combination of modes: linear equations, then inequalities.

use carom_numeric::orthogonal::length;
use carom_numeric::{CompleteOrthogonal, Lemke, LemkeEnd, dot};

use super::phase::{Behaviour, Found, Phase, sense};
use crate::impact::Mode;

/// An inequality may be missed by this fraction of its terms.
pub(super) const TOLERANCE: f64 = 1e-10;

/// Equations contradict each other when they are missed by a larger fraction.
const CONSISTENT: f64 = 1e-9;

/// What one unknown of a combination pushes: a normal with the friction of its slip, or a tangent.
struct Column {
    /// Row and scaled impulse per unit.
    parts: Vec<(usize, f64)>,
    /// What it does to the mechanism, `X S`.
    effect: Vec<f64>,
}

/// `g·y + constant >= 0`, beside terms of size `scale`.
struct Condition {
    g: Vec<f64>,
    constant: f64,
    is_velocity: bool,
}

/// The equations and inequalities of one combination of modes; unknowns `y` have equal weight in N·s.
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

    /// A column with a unit of impulse in N·s.
    fn add_column(&mut self, mut parts: Vec<(usize, f64)>) {
        let rows = &self.phase.scene.rows;
        let squares = parts.iter().map(|(r, x)| (x / rows.size(*r)).powi(2));
        let unit = squares.sum::<f64>().sqrt();
        parts.iter_mut().for_each(|(_, x)| *x /= unit);
        let mut effect = vec![0.0; rows.n()];
        for (r, x) in &parts {
            for (a, b) in effect.iter_mut().zip(rows.vector(*r)) {
                *a += x * b;
            }
        }
        self.columns.push(Column { parts, effect });
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
        let mut p = self.p_floor.clone();
        for (column, y) in self.columns.iter().zip(y) {
            for (r, x) in &column.parts {
                p[*r] += x * y;
            }
        }
        for i in 0..self.pattern.len() {
            p[i] = p[i].max(self.phase.floor[i]); // round-off
        }
        let rows = &self.phase.scene.rows;
        let mut jump = Vec::new();
        rows.sum(&p, &mut jump);
        let after = (0..p.len()).map(|r| self.phase.u[r] + dot(rows.vector(r), &jump));
        let mut u: Vec<f64> = after.collect();
        for (row, asked) in &self.equations {
            u[*row] = *asked;
        }
        Some(Found {
            p,
            u,
            shares,
            behaviours: self.pattern.to_vec(),
            miss: -worst,
        })
    }

    /// Equations that leave directions open: the member of least norm that breaks no condition, and
    /// where the velocities are open too, the ends of their set.
    fn solve_shared(&self, y: Vec<f64>, null: &[f64]) -> Vec<Found> {
        let k = y.len();
        let Some(least) = self.least_norm(&y, null) else {
            return Vec::new();
        };
        let open = self.open_directions(&least, null);
        let mut shares = Vec::new();
        let mut ends = Vec::new();
        for direction in open.chunks_exact(k) {
            match self.moves(direction) {
                true => ends.extend([1.0, -1.0].map(|sign| self.end(&least, direction, sign))),
                false => shares.push(self.spread(direction)),
            }
        }
        let own = self.found(&least, shares.clone());
        let ends = ends.iter().filter_map(|y| self.found(y, shares.clone()));
        own.into_iter().chain(ends).collect()
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

    /// As far as the conditions allow from `y` along a direction (in a set without end, ten times
    /// the impulses).
    fn end(&self, y: &[f64], direction: &[f64], sign: f64) -> Vec<f64> {
        let far = 10.0 * length(y).max(self.push(y));
        let far = self.conditions.iter().fold(far, |far, c| {
            let fall = -sign * dot(&c.g, direction);
            let value = (c.constant + dot(&c.g, y)).max(0.0);
            if fall > CONSISTENT * length(&c.g) {
                far.min(value / fall)
            } else {
                far
            }
        });
        let moved = y.iter().zip(direction);
        moved.map(|(y, d)| y + sign * far * d).collect()
    }

    /// Gradients of the conditions along the null space: per condition, one number per null vector.
    fn gradients(&self, null: &[f64]) -> Vec<Vec<f64>> {
        let k = self.columns.len();
        let along = |c: &Condition| null.chunks_exact(k).map(|z| dot(&c.g, z)).collect();
        self.conditions.iter().map(along).collect()
    }

    /// `min |c|` with `G (y + N c) + g0 >= 0`: its dual is a complementarity problem.
    fn least_norm(&self, y: &[f64], null: &[f64]) -> Option<Vec<f64>> {
        let scales = (self.speed(y), self.push(y).max(self.phase.scene.speed));
        let gradients = self.gradients(null);
        let touched: Vec<usize> = (0..gradients.len())
            .filter(|&i| length(&gradients[i]) > CONSISTENT * length(&self.conditions[i].g))
            .collect();
        let value = |i: &usize| {
            let condition = &self.conditions[*i];
            let scale = if condition.is_velocity {
                scales.0
            } else {
                scales.1
            };
            condition.constant + dot(&condition.g, y) + 0.01 * TOLERANCE * scale
        };
        let q: Vec<f64> = touched.iter().map(value).collect();
        let pairs = touched
            .iter()
            .flat_map(|i| touched.iter().map(move |j| (*i, *j)));
        let gram = pairs.map(|(i, j)| dot(&gradients[i], &gradients[j]));
        let gram: Vec<f64> = gram.collect();
        let mut lemke = Lemke::new();
        if lemke.solve(&gram, &q) != LemkeEnd::Solved {
            return None;
        }
        let mut found = y.to_vec();
        for (i, lambda) in touched.iter().zip(lemke.z()) {
            for (z, g) in null.chunks_exact(y.len()).zip(&gradients[*i]) {
                found
                    .iter_mut()
                    .zip(z)
                    .for_each(|(a, b)| *a += lambda * g * b);
            }
        }
        Some(found)
    }

    /// Directions of the null space along which the set of solutions extends from `y`, orthonormal.
    ///
    /// A condition that holds with equality is kept as one unless some direction of the set lifts it:
    /// the projection of all their gradients on the cone of directions tells which are lifted.
    fn open_directions(&self, y: &[f64], null: &[f64]) -> Vec<f64> {
        let gradients = self.gradients(null);
        let scales = (self.speed(y), self.push(y));
        let is_tight = |i: &usize| self.value(&self.conditions[*i], y, scales) <= TOLERANCE;
        let is_touched =
            |i: &usize| length(&gradients[*i]) > CONSISTENT * length(&self.conditions[*i].g);
        let tight = (0..gradients.len()).filter(is_tight).filter(is_touched);
        let mut tight: Vec<usize> = tight.collect();
        while !tight.is_empty() {
            let unit = |i: usize| length(&gradients[i]);
            let pairs = tight
                .iter()
                .flat_map(|i| tight.iter().map(move |j| (*i, *j)));
            let gram = pairs.map(|(i, j)| dot(&gradients[i], &gradients[j]) / unit(i) / unit(j));
            let gram: Vec<f64> = gram.collect();
            let sums = gram.chunks_exact(tight.len()).map(|row| row.iter().sum());
            let sums: Vec<f64> = sums.collect();
            let mut lemke = Lemke::new();
            if lemke.solve(&gram, &sums) != LemkeEnd::Solved {
                break;
            }
            let lifted = lemke.w();
            let kept = tight.iter().zip(lifted).filter(|(_, w)| **w <= TOLERANCE);
            let kept: Vec<usize> = kept.map(|(i, _)| *i).collect();
            if kept.len() == tight.len() {
                break;
            }
            tight = kept;
        }
        let dimension = null.len() / y.len();
        // Columns of the matrix are the null vectors, its rows the conditions kept.
        let held = (0..dimension).flat_map(|c| {
            let gradients = &gradients;
            tight.iter().map(move |i| gradients[*i][c])
        });
        let held: Vec<f64> = held.collect();
        let (mut factor, mut free) = (CompleteOrthogonal::new(), Vec::new());
        factor.decompose(&held, tight.len(), dimension);
        factor.null_space(&mut free);
        let mut open = vec![0.0; free.len() / dimension.max(1) * y.len()];
        for (out, c) in open
            .chunks_exact_mut(y.len())
            .zip(free.chunks_exact(dimension))
        {
            for (z, c) in null.chunks_exact(y.len()).zip(c) {
                out.iter_mut().zip(z).for_each(|(a, b)| *a += c * b);
            }
        }
        open
    }
}
