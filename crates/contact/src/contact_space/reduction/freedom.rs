//! The motions that constraints leave, and the impulses that answer for them.

use carom_numeric::orthogonal::{length, project_out};
use carom_numeric::{CompleteOrthogonal, dot};

/// Elimination of constraint rows G in coordinates of equal inertia, `y = √M_jj q̇`.
///
/// ```text
/// T G = [1 | E]      pivots by greatest element: light coordinates follow heavy ones
/// y = Z s            Z: one free coordinate each, the pivots −E
/// λ = Tᵀ r           solves Gᵀλ = r on the pivots
/// ```
///
/// A light body held by a heavy one keeps its digits: nothing is subtracted from its large mobility. Rows
/// count with length one and coordinates with their inertia: the rank does not depend on units.
#[derive(Debug, Clone, Default)]
pub(super) struct Freedom {
    n: usize,
    m: usize,
    /// Rows `[G | T]`, eliminated; width n + m.
    rows: Vec<f64>,
    /// Row and coordinate of each pivot.
    pivots: Vec<(usize, usize)>,
    is_pivot: Vec<bool>,
    /// Lengths of the rows as given, in coordinates of equal inertia.
    sizes: Vec<f64>,
    /// `√M_jj`.
    pub(super) weights: Vec<f64>,
    /// Columns of length n, one per degree of freedom.
    z: Vec<f64>,
    /// Orthonormal basis of the constraint impulses that do nothing, columns of length m.
    idle: Vec<f64>,
    unique: Vec<bool>,
    least_pivot: f64,
    /// One row, one motion or one list of terms at work.
    work: Vec<f64>,
}

impl Freedom {
    /// Eliminates the constraint rows of a mechanism of `n` coordinates.
    pub(super) fn find(&mut self, mass: &[f64], constraints: &[f64], n: usize) {
        (self.n, self.m) = (n, constraints.len() / n);
        self.weights.clear();
        self.weights
            .extend((0..n).map(|j| mass[j * n + j].abs().sqrt()));
        self.fill(constraints);
        self.eliminate();
        self.find_motions();
        self.find_idle();
    }

    /// Rows of length one beside a unit matrix.
    fn fill(&mut self, constraints: &[f64]) {
        let (n, m) = (self.n, self.m);
        self.rows.clear();
        self.sizes.clear();
        for (i, row) in constraints.chunks_exact(n).enumerate() {
            let start = self.rows.len();
            let scaled = row.iter().zip(&self.weights).map(|(g, w)| g / w);
            self.rows.extend(scaled);
            self.rows.resize(start + n + m, 0.0);
            let size = match length(&self.rows[start..start + n]) {
                0.0 => 1.0,
                size => size,
            };
            self.rows[start..start + n]
                .iter_mut()
                .for_each(|g| *g /= size);
            self.rows[start + n + i] = 1.0;
            self.sizes.push(size);
        }
    }

    /// Gauss and Jordan with complete pivoting; rows without a pivot depend on the others.
    fn eliminate(&mut self) {
        let (n, width) = (self.n, self.n + self.m);
        self.pivots.clear();
        self.is_pivot.clear();
        self.is_pivot.resize(n, false);
        self.least_pivot = 1.0;
        while self.pivots.len() < self.m.min(n) {
            let mut best = (0, 0, 0.0);
            for i in (0..self.m).filter(|i| self.pivots.iter().all(|(row, _)| row != i)) {
                for j in (0..n).filter(|j| !self.is_pivot[*j]) {
                    let size = self.rows[i * width + j].abs();
                    if size > best.2 {
                        best = (i, j, size);
                    }
                }
            }
            let (row, column, size) = best;
            if size <= CompleteOrthogonal::RANK_TOLERANCE {
                break;
            }
            self.least_pivot = self.least_pivot.min(size);
            self.pivots.push((row, column));
            self.is_pivot[column] = true;
            let pivot = self.rows[row * width + column];
            let source = &mut self.work;
            source.clear();
            source.extend_from_slice(&self.rows[row * width..(row + 1) * width]);
            source.iter_mut().for_each(|x| *x /= pivot);
            for (i, target) in self.rows.chunks_exact_mut(width).enumerate() {
                let factor = target[column];
                if i != row && factor != 0.0 {
                    let pairs = target.iter_mut().zip(source.iter());
                    pairs.for_each(|(x, y)| *x = difference(*x, factor * y));
                    target[column] = 0.0;
                }
            }
            self.rows[row * width..(row + 1) * width].copy_from_slice(source);
        }
    }

    fn find_motions(&mut self) {
        let (n, width) = (self.n, self.n + self.m);
        self.z.clear();
        for free in (0..n).filter(|j| !self.is_pivot[*j]) {
            let start = self.z.len();
            self.z.resize(start + n, 0.0);
            self.z[start + free] = 1.0;
            for (row, column) in &self.pivots {
                self.z[start + column] = -self.rows[row * width + free];
            }
        }
    }

    /// Rows without a pivot are sums of rows that vanish: what they weigh is not determined.
    fn find_idle(&mut self) {
        let (n, m, width) = (self.n, self.m, self.n + self.m);
        let round_off = CompleteOrthogonal::RANK_TOLERANCE / self.least_pivot;
        self.idle.clear();
        self.unique.clear();
        self.unique.resize(m, true);
        for i in (0..m).filter(|i| self.pivots.iter().all(|(row, _)| row != i)) {
            let weights = &self.rows[i * width + n..(i + 1) * width];
            for (is_unique, x) in self.unique.iter_mut().zip(weights) {
                *is_unique &= x.abs() <= round_off;
            }
            let plain = weights.iter().zip(&self.sizes).map(|(x, size)| x / size);
            let mut column: Vec<f64> = plain.collect();
            for _ in 0..2 {
                let size = length(&column);
                column.iter_mut().for_each(|x| *x /= size);
                project_out(&mut column, &self.idle);
            }
            let size = length(&column);
            self.idle.extend(column.iter().map(|x| x / size));
        }
    }

    /// Degrees of freedom left.
    pub(super) fn degrees(&self) -> usize {
        self.n - self.pivots.len()
    }

    /// Whether constraint impulse `j` is determined.
    pub(super) fn is_unique(&self, j: usize) -> bool {
        self.unique.get(j).is_none_or(|is_unique| *is_unique)
    }

    /// `ZᵀM Z` in coordinates of equal inertia, row by row.
    pub(super) fn inertia(&mut self, mass: &[f64], out: &mut Vec<f64>) {
        let (n, weights) = (self.n, &self.weights);
        let scaled = |i: usize, j: usize| mass[i * n + j] / (weights[i] * weights[j]);
        out.clear();
        for a in self.z.chunks_exact(n) {
            let moved = &mut self.work;
            moved.clear();
            moved.extend((0..n).map(|i| (0..n).map(|j| scaled(i, j) * a[j]).sum::<f64>()));
            out.extend(self.z.chunks_exact(n).map(|b| dot(b, moved)));
        }
        let d = self.degrees();
        for i in 0..d {
            for j in 0..i {
                out[i * d + j] = out[j * d + i];
            }
        }
    }

    /// `Zᵀ Jᵀ` of one row, and whether the constraints absorb it whole: all it leaves is round-off of its
    /// terms.
    pub(super) fn reduce(&self, row: &[f64], out: &mut [f64]) -> bool {
        let mut is_absorbed = true;
        for (x, z) in out.iter_mut().zip(self.z.chunks_exact(self.n)) {
            let parts = row.iter().zip(&self.weights).zip(z);
            let (mut sum, mut terms) = (0.0, 0.0f64);
            for part in parts.map(|((j, w), z)| j / w * z) {
                sum += part;
                terms += part.abs();
            }
            let is_zero = sum.abs() <= CompleteOrthogonal::RANK_TOLERANCE * terms;
            *x = if is_zero { 0.0 } else { sum };
            is_absorbed &= is_zero;
        }
        is_absorbed
    }

    /// `Z s`, in the coordinates given.
    pub(super) fn motion(&self, s: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (z, s) in self.z.chunks_exact(self.n).zip(s) {
            out.iter_mut().zip(z).for_each(|(x, z)| *x += s * z);
        }
        out.iter_mut().zip(&self.weights).for_each(|(x, w)| *x /= w);
    }

    /// Constraint impulses λ of least norm with `Gᵀλ = M Δq̇ − Jᵀ`: read off the coordinates that follow.
    pub(super) fn answer(&mut self, mass: &[f64], row: &[f64], motion: &[f64], out: &mut [f64]) {
        let (n, width) = (self.n, self.n + self.m);
        let speed = motion
            .iter()
            .zip(&self.weights)
            .map(|(x, w)| (x * w).powi(2));
        let speed = speed.sum::<f64>().sqrt();
        let terms = &mut self.work;
        terms.clear();
        terms.resize(self.m, 0.0);
        out.fill(0.0);
        for (pivot, column) in &self.pivots {
            let weight = self.weights[*column];
            let gained = dot(&mass[column * n..(column + 1) * n], motion);
            let lacking = (gained - row[*column]) / weight;
            let size = speed + (row[*column] / weight).abs();
            for i in 0..self.m {
                let t = self.rows[pivot * width + n + i];
                out[i] += t * lacking;
                terms[i] += t.abs() * size;
            }
        }
        for ((x, terms), size) in out.iter_mut().zip(terms.iter()).zip(&self.sizes) {
            let is_round_off = x.abs() <= super::TIE * n as f64 * terms;
            *x = if is_round_off { 0.0 } else { *x / size };
        }
        project_out(out, &self.idle);
    }
}

/// `x − y`, zero where it is round-off of both.
fn difference(x: f64, y: f64) -> f64 {
    let left = x - y;
    let is_round_off = left.abs() <= super::TIE * (x.abs() + y.abs());
    if is_round_off { 0.0 } else { left }
}
