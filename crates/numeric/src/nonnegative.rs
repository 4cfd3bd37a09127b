//! Least squares over non-negative numbers.

use crate::orthogonal::length;
use crate::{CompleteOrthogonal, dot};

/// Finds `p >= 0` of least `|X p + w|`, reusable for problems of any size.
///
/// At the end `p_i > 0` where `x_iᵀ(X p + w) = 0`, and `x_iᵀ(X p + w) >= 0` everywhere: the
/// complementarity problem `0 <= p ⟂ XᵀX p + Xᵀw >= 0`, which has a solution for every X and w. The
/// active set grows by the column that promises most and gives up those that would turn negative, so
/// that dependent columns do no harm.
///
/// Reference: `LawsonHanson1974`.
#[derive(Debug, Clone, Default)]
pub struct NonNegative {
    factor: CompleteOrthogonal,
    active: Vec<usize>,
    columns: Vec<f64>,
    wanted: Vec<f64>,
    trial: Vec<f64>,
    sum: Vec<f64>,
}

/// A column promises nothing below this fraction of the sizes it multiplies.
const PROMISE: f64 = 1e-13;

impl NonNegative {
    /// Solves for the columns `x`, k of length n, and `w` of length n; whether it came to an end.
    pub fn solve(&mut self, x: &[f64], w: &[f64], p: &mut [f64]) -> bool {
        let (n, k) = (w.len(), p.len());
        p.fill(0.0);
        self.active.clear();
        let mut refused = Vec::new();
        for _ in 0..20 + 10 * k {
            self.add_up(x, w, p);
            let Some(next) = self.most_promising(x, n, &refused) else {
                return true;
            };
            self.active.push(next);
            if self.shrink(x, w, p) {
                refused.clear();
            } else {
                refused.push(next);
            }
        }
        false
    }

    /// `X p + w`.
    fn add_up(&mut self, x: &[f64], w: &[f64], p: &[f64]) {
        self.sum.clear();
        self.sum.extend_from_slice(w);
        for (column, p) in x.chunks_exact(w.len().max(1)).zip(p) {
            self.sum
                .iter_mut()
                .zip(column)
                .for_each(|(s, x)| *s += x * p);
        }
    }

    /// The column along which the sum falls most.
    fn most_promising(&self, x: &[f64], n: usize, refused: &[usize]) -> Option<usize> {
        let size = length(&self.sum);
        let mut best = None;
        for (i, column) in x.chunks_exact(n.max(1)).enumerate() {
            if self.active.contains(&i) || refused.contains(&i) {
                continue;
            }
            let slope = dot(column, &self.sum);
            let is_less = best.is_none_or(|(_, least)| slope < least);
            if slope < -PROMISE * size * length(column) && is_less {
                best = Some((i, slope));
            }
        }
        best.map(|(i, _)| i)
    }

    /// Goes to the least squares of the active columns, giving up those that would turn negative;
    /// whether the column added last stays or p changed.
    fn shrink(&mut self, x: &[f64], w: &[f64], p: &mut [f64]) -> bool {
        let added = self.active.last().copied();
        let mut has_moved = false;
        while !self.active.is_empty() {
            self.least_squares(x, w);
            let last = self.active.iter().position(|i| Some(*i) == added);
            if last.is_some_and(|at| self.trial[at] <= 0.0) {
                self.active.retain(|i| Some(*i) != added);
                if !has_moved {
                    return false;
                }
                continue;
            }
            let falling = self
                .active
                .iter()
                .zip(&self.trial)
                .filter(|(_, s)| **s <= 0.0);
            let steps = falling.map(|(i, s)| p[*i] / (p[*i] - s));
            let step = steps.fold(1.0f64, f64::min);
            for (i, s) in self.active.iter().zip(&self.trial) {
                p[*i] += step * (s - p[*i]);
                if *s <= 0.0 && p[*i] <= f64::EPSILON * s.abs() {
                    p[*i] = 0.0;
                }
            }
            has_moved = true;
            if step == 1.0 {
                return true;
            }
            let before = self.active.len();
            self.active.retain(|i| p[*i] > 0.0);
            if self.active.len() == before {
                return true; // round-off
            }
        }
        has_moved
    }

    /// Least squares over the active columns, into `trial`.
    fn least_squares(&mut self, x: &[f64], w: &[f64]) {
        let (n, m) = (w.len(), self.active.len());
        self.columns.clear();
        for i in &self.active {
            self.columns.extend_from_slice(&x[i * n..(i + 1) * n]);
        }
        self.factor.decompose(&self.columns, n, m);
        self.wanted.clear();
        self.wanted.extend(w.iter().map(|w| -w));
        self.trial.clear();
        self.trial.resize(m, 0.0);
        self.factor.least_norm(&self.wanted, &mut self.trial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conditions of the end: slopes not negative, zero where p is positive.
    fn miss(x: &[f64], w: &[f64], p: &[f64]) -> f64 {
        let mut sum = w.to_vec();
        for (column, p) in x.chunks_exact(w.len()).zip(p) {
            sum.iter_mut().zip(column).for_each(|(s, x)| *s += x * p);
        }
        let slopes = x.chunks_exact(w.len()).map(|column| dot(column, &sum));
        let misses = slopes.zip(p).map(|(slope, p)| slope.min(*p).abs());
        misses.fold(0.0, f64::max)
    }

    #[test]
    fn random_columns_many_of_them_dependent_meet_the_conditions() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut solver = NonNegative::default();
        for _ in 0..300 {
            let (n, k) = (rng.usize(1..12), rng.usize(1..60));
            let mut x: Vec<f64> = (0..n * k).map(|_| rng.f64() - 0.5).collect();
            if k > 2 {
                x.copy_within(0..n, n * (k - 1)); // a column twice
            }
            let w: Vec<f64> = (0..n).map(|_| rng.f64() - 0.5).collect();
            let mut p = vec![0.0; k];
            assert!(solver.solve(&x, &w, &mut p));
            assert!(p.iter().all(|p| *p >= 0.0));
            assert!(miss(&x, &w, &p) < 1e-11, "{}", miss(&x, &w, &p));
        }
    }

    #[test]
    fn nothing_pushes_where_every_column_points_along_w() {
        let mut p = [1.0, 1.0];
        let mut solver = NonNegative::default();
        assert!(solver.solve(&[1.0, 0.0, 1.0, 1.0], &[2.0, 1.0], &mut p));
        assert_eq!(p, [0.0, 0.0]);
    }
}
