//! The shortest vector that satisfies linear inequalities, or the proof that there is none.

use crate::orthogonal::length;
use crate::{CompleteOrthogonal, NonNegative, dot};

/// Finds the shortest `u` with `x_i·u + q_i >= 0` for every column `x_i`, reusable for any size.
///
/// With `u = X p` this is the complementarity problem `0 <= p ⟂ XᵀX p + q >= 0` for any q, whether the
/// columns depend on each other or not. One problem of non-negative least squares decides:
///
/// ```text
/// least |(X y, qᵀy + s)| over y >= 0,   s the size of q
/// zero   X y = 0 and qᵀy < 0: no u satisfies the inequalities
/// else   u = X p with p = s y/(qᵀy + s)
/// ```
///
/// Reference: `LawsonHanson1974`, least distance programming.
#[derive(Debug, Clone, Default)]
pub struct LeastDistance {
    solver: NonNegative,
    factor: CompleteOrthogonal,
    columns: Vec<f64>,
    target: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
}

/// What became of the inequalities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// [`LeastDistance::u`] is the shortest vector, [`LeastDistance::p`] its multipliers.
    Found,
    /// No vector satisfies them: `p >= 0` has `X p = 0` and `qᵀp < 0`.
    Empty,
}

impl LeastDistance {
    /// Inequalities that only a vector this many times their constants satisfies contradict each other:
    /// it would have no digit beside the round-off of dependent columns.
    pub const REACH: f64 = 1e10;

    /// A constant below this fraction of the largest is zero: it contradicts nothing.
    pub const CONSTANT_NOISE: f64 = 1e-14;

    /// Solves for k columns of length one (or zero) and n numbers each, and `q` of length k.
    ///
    /// # Panics
    ///
    /// When there is not one column per element of `q`.
    pub fn solve(&mut self, x: &[f64], n: usize, q: &[f64]) -> Distance {
        let k = q.len();
        assert_eq!(x.len(), n * k, "one column per inequality");
        let size = q.iter().fold(0.0f64, |most, q| most.max(q.abs()));
        self.p.clear();
        self.p.resize(k, 0.0);
        self.u.clear();
        self.u.resize(n, 0.0);
        if q.iter().all(|q| *q >= 0.0) {
            return Distance::Found;
        }
        self.columns.clear();
        for (i, q) in q.iter().enumerate() {
            self.columns.extend_from_slice(&x[i * n..(i + 1) * n]);
            let is_round_off = q.abs() <= Self::CONSTANT_NOISE * size;
            self.columns.push(if is_round_off { 0.0 } else { q / size });
        }
        self.target.clear();
        self.target.resize(n, 0.0);
        self.target.push(1.0);
        self.solver.solve(&self.columns, &self.target, &mut self.p);
        let left = self.solver.sum();
        if length(left) * Self::REACH <= self.solver.terms() || !(left[n] > 0.0) {
            return Distance::Empty;
        }
        let factor = size / left[n];
        let u = self.u.iter_mut().zip(&left[..n]);
        u.for_each(|(u, left)| *u = left * factor);
        self.p.iter_mut().for_each(|p| *p *= factor);
        self.polish(x, n, q);
        Distance::Found
    }

    /// Computes u again from the inequalities that hold it: digits lost beside large sums are back.
    fn polish(&mut self, x: &[f64], n: usize, q: &[f64]) {
        let held: Vec<usize> = (0..q.len()).filter(|i| self.p[*i] > 0.0).collect();
        self.columns.clear();
        for i in &held {
            self.columns.extend_from_slice(&x[i * n..(i + 1) * n]);
        }
        self.factor.decompose(&self.columns, n, held.len());
        self.target.clear();
        self.target.extend(held.iter().map(|i| -q[*i]));
        let mut u = vec![0.0; n];
        self.factor.least_norm_transposed(&self.target, &mut u);
        if self.miss(x, n, q, &u) > self.miss(x, n, q, &self.u) {
            return;
        }
        self.u = u;
        let mut p = vec![0.0; held.len()];
        self.factor.least_norm(&self.u, &mut p);
        if p.iter().all(|p| *p >= 0.0) {
            for (i, p) in held.iter().zip(&p) {
                self.p[*i] = *p;
            }
        }
    }

    /// The worst of the inequalities, and of those that hold u.
    fn miss(&self, x: &[f64], n: usize, q: &[f64], u: &[f64]) -> f64 {
        let misses = q.iter().enumerate().map(|(i, q)| {
            let slack = q + dot(&x[i * n..(i + 1) * n], u);
            match self.p[i] > 0.0 {
                true => slack.abs(),
                false => -slack,
            }
        });
        misses.fold(0.0, f64::max)
    }

    /// The shortest vector; zero where there is none.
    pub fn u(&self) -> &[f64] {
        &self.u
    }

    /// Multipliers `p >= 0` with `u = X p`; after [`Distance::Empty`] the proof.
    pub fn p(&self) -> &[f64] {
        &self.p
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of length one with entries k/4, many of them dependent, and constants k/4.
    fn draw(rng: &mut fastrand::Rng) -> (usize, Vec<f64>, Vec<f64>) {
        let (n, k) = (rng.usize(1..6), rng.usize(1..10));
        let mut x: Vec<f64> = (0..n * k).map(|_| f64::from(rng.i32(-3..4))).collect();
        for column in x.chunks_exact_mut(n) {
            let size = length(column).max(1.0);
            column.iter_mut().for_each(|a| *a /= size);
        }
        let q = (0..k).map(|_| f64::from(rng.i32(-8..9)) / 4.0).collect();
        (n, x, q)
    }

    #[test]
    fn every_answer_carries_its_proof() {
        let mut rng = fastrand::Rng::with_seed(12);
        let mut solver = LeastDistance::default();
        let mut seen = [0, 0];
        for _ in 0..3000 {
            let (n, x, q) = draw(&mut rng);
            let end = solver.solve(&x, n, &q);
            let p = solver.p();
            let mut sum = vec![0.0; n];
            for (column, p) in x.chunks_exact(n).zip(p) {
                sum.iter_mut().zip(column).for_each(|(s, x)| *s += x * p);
            }
            assert!(p.iter().all(|p| *p >= 0.0));
            match end {
                Distance::Empty => {
                    seen[0] += 1;
                    assert!(length(&sum) < 1e-12 * length(p), "{x:?} {q:?}");
                    assert!(dot(&q, p) < -1e-3 * length(p), "{x:?} {q:?}");
                }
                Distance::Found => {
                    seen[1] += 1;
                    let u = solver.u();
                    let pairs = sum.iter().zip(u);
                    let size = 1.0 + length(u);
                    pairs.for_each(|(s, u)| {
                        assert!(
                            (s - u).abs() < 1e-11 * size,
                            "{n} {x:?} {q:?} p {p:?} {s} {u}"
                        )
                    });
                    for (i, q) in q.iter().enumerate() {
                        let slack = q + dot(&x[i * n..(i + 1) * n], u);
                        assert!(slack > -1e-12 * size, "{x:?} {q}");
                        assert!(p[i].min(slack) < 1e-11 * size, "{x:?} {q}");
                    }
                }
            }
        }
        assert!(seen.iter().all(|n| *n > 300), "{seen:?}");
    }
}
