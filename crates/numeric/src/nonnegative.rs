//! Least squares over non-negative numbers.

use crate::orthogonal::{length, project_out};
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
    /// Sizes that add up to the sum.
    terms: f64,
}

/// A column promises nothing below this fraction of the sizes it multiplies.
const PROMISE: f64 = 1e-13;

/// A sum below this fraction of the terms it is made of is zero.
const NOTHING: f64 = 1e-14;

/// A vector belongs to a cone when what is left of it is below this fraction of the terms of the sum.
const IN_CONE: f64 = 1e-9;

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

    /// Whether `−w` is a sum of the columns with weights that are not negative. They stay in `p`.
    pub fn reaches(&mut self, x: &[f64], w: &[f64], p: &mut [f64]) -> bool {
        self.solve(x, w, p);
        length(&self.sum) <= IN_CONE * self.terms
    }

    /// `X p + w` of the last solve.
    pub fn sum(&self) -> &[f64] {
        &self.sum
    }

    /// `|w| + Σ p_i |x_i|` of the last solve: the terms its sum is made of.
    pub fn terms(&self) -> f64 {
        self.terms
    }

    /// `X p + w`.
    fn add_up(&mut self, x: &[f64], w: &[f64], p: &[f64]) {
        self.sum.clear();
        self.sum.extend_from_slice(w);
        self.terms = length(w);
        for (column, p) in x.chunks_exact(w.len().max(1)).zip(p) {
            if *p > 0.0 {
                let sums = self.sum.iter_mut().zip(column);
                sums.for_each(|(s, x)| *s += x * p);
                self.terms += p * length(column);
            }
        }
    }

    /// The column along which the sum falls most.
    fn most_promising(&self, x: &[f64], n: usize, refused: &[usize]) -> Option<usize> {
        let size = length(&self.sum);
        if size <= NOTHING * self.terms {
            return None;
        }
        let floor = PROMISE * size + f64::EPSILON * self.terms;
        let mut best = None;
        for (i, column) in x.chunks_exact(n.max(1)).enumerate() {
            if self.active.contains(&i) || refused.contains(&i) {
                continue;
            }
            let slope = dot(column, &self.sum);
            let is_less = best.is_none_or(|(_, least)| slope < least);
            if slope < -floor * length(column) && is_less {
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
            // How far p may go before it turns negative; those that stop it are given up.
            let stop = |p: f64, s: f64| if s <= 0.0 { p / (p - s) } else { 1.0 };
            let pairs = self.active.iter().zip(&self.trial);
            let stops = pairs.map(|(i, s)| stop(p[*i], *s));
            let step = stops.fold(1.0f64, f64::min);
            for (i, s) in self.active.iter().zip(&self.trial) {
                let is_stopped = *s <= 0.0 && stop(p[*i], *s) <= step;
                p[*i] = if is_stopped {
                    0.0
                } else {
                    p[*i] + step * (s - p[*i])
                };
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

/// Columns that are positive in some `y >= 0` with the same sum `A y` as a known one; `is_positive` tells
/// those that are positive in the known one. Columns of length n stand one after another.
///
/// A column at zero can be lifted exactly when its opposite is a sum of positive columns, either sign, and
/// of columns at zero with weights that are not negative.
///
/// # Panics
///
/// When there is not one sign per column.
pub fn liftable(columns: &[f64], n: usize, is_positive: &[bool]) -> Vec<bool> {
    let k = is_positive.len();
    assert_eq!(columns.len(), n * k, "one sign per column");
    let column = |i: usize| &columns[i * n..(i + 1) * n];
    let mut is_lifted = is_positive.to_vec();
    let positive: Vec<usize> = (0..k).filter(|i| is_positive[*i]).collect();
    let held: Vec<f64> = positive.iter().flat_map(|i| column(*i)).copied().collect();
    let mut factor = CompleteOrthogonal::new();
    factor.decompose(&held, n, positive.len());
    // What positive columns leave of those at zero.
    let (mut zero, mut left) = (Vec::new(), Vec::new());
    for i in (0..k).filter(|i| !is_positive[*i]) {
        let mut rest = column(i).to_vec();
        let whole = length(&rest);
        project_out(&mut rest, factor.range());
        let size = length(&rest);
        if size <= CompleteOrthogonal::RANK_TOLERANCE * whole {
            is_lifted[i] = true;
            continue;
        }
        zero.push(i);
        left.extend(rest.iter().map(|x| x / size));
    }
    let mut solver = NonNegative::default();
    for (a, &i) in zero.iter().enumerate() {
        if is_lifted[i] {
            continue;
        }
        let others = [&left[..a * n], &left[(a + 1) * n..]].concat();
        let mut weights = vec![0.0; zero.len() - 1];
        if !solver.reaches(&others, &left[a * n..(a + 1) * n], &mut weights) {
            continue;
        }
        is_lifted[i] = true;
        for (b, _) in weights.iter().enumerate().filter(|(_, w)| **w > IN_CONE) {
            is_lifted[zero[if b < a { b } else { b + 1 }]] = true;
        }
    }
    is_lifted
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

    #[test]
    fn a_column_is_lifted_exactly_when_another_can_take_its_opposite() {
        // Along +x (positive), −x, +y, −y, and up beside (1, 1).
        let columns = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let lifted = |n: usize| liftable(&columns[..2 * n], 2, &[true, false, false, false][..n]);
        assert_eq!(lifted(2), [true, true]);
        assert_eq!(lifted(3), [true, true, false]);
        assert_eq!(lifted(4), [true, true, false, false]);
        let opposed = [1.0, 0.0, 0.0, 1.0, 3.0, -1e-6];
        assert_eq!(liftable(&opposed, 2, &[true, false, false]), [true; 3]);
        assert_eq!(liftable(&[], 0, &[]), [false; 0]);
    }
}
