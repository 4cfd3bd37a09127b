//! Rank-revealing orthogonal decomposition: range, null space, least-norm solutions.

use crate::dot;

/// Complete orthogonal decomposition `X = Q Tᵀ Zᵀ` of an `n × m` matrix of any rank.
///
/// ```text
/// Q  n × r   orthonormal basis of the range of X
/// T  r × r   upper triangular, nonsingular
/// Z  m × r   orthonormal basis of the range of Xᵀ
/// X⁺ = Z T⁻ᵀ Qᵀ
/// ```
///
/// Columns are taken by greatest remaining length (after scaling each to length one, so that the
/// rank does not depend on the units of a column) and orthogonalised twice.
#[derive(Debug, Clone, Default)]
pub struct CompleteOrthogonal {
    n: usize,
    m: usize,
    rank: usize,
    q: Vec<f64>,
    t: Vec<f64>,
    z: Vec<f64>,
    residual: Vec<f64>,
    /// Columns taken, in the order they were, and the length that was left of the last.
    taken: Vec<usize>,
    used: Vec<bool>,
    least_left: f64,
    tolerance: f64,
    /// Lengths of the columns; one where a column is zero.
    scale: Vec<f64>,
    /// Columns not taken, and each as a sum of those taken (all of length one).
    dependent: Vec<usize>,
    parts: Vec<f64>,
    row: Vec<f64>,
    original: Vec<f64>,
}

/// Euclidean length, safe against overflow and underflow of the squares.
pub fn length(x: &[f64]) -> f64 {
    let most = x.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    if most == 0.0 || !most.is_finite() {
        return most;
    }
    let sum: f64 = x.iter().map(|a| (a / most) * (a / most)).sum();
    most * sum.sqrt()
}

/// Subtracts from `x` its components along the columns of `basis` (each of length `x.len()`).
pub fn project_out(x: &mut [f64], basis: &[f64]) {
    let n = x.len();
    if n == 0 {
        return;
    }
    for _ in 0..2 {
        for column in basis.chunks_exact(n) {
            let along = dot(column, x);
            for (a, b) in x.iter_mut().zip(column) {
                *a -= along * b;
            }
        }
    }
}

impl CompleteOrthogonal {
    /// A column whose remaining part is below this fraction of its length depends on the others.
    pub const RANK_TOLERANCE: f64 = 1e-11;

    /// A part of a dependent column below this fraction of the rank tolerance is round-off (before what
    /// nearly dependent columns amplify).
    const PART: f64 = 0.1;

    /// An empty decomposition; [`CompleteOrthogonal::decompose`] fills it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decomposes the matrix whose `m` columns of length `n` stand one after another in `x`.
    ///
    /// # Panics
    ///
    /// When `x.len() != n * m`.
    pub fn decompose(&mut self, x: &[f64], n: usize, m: usize) {
        self.decompose_to(Self::RANK_TOLERANCE, x, n, m);
    }

    /// The same with a rank tolerance of its own, for columns that are known less well.
    ///
    /// # Panics
    ///
    /// When `x.len() != n * m`.
    pub fn decompose_to(&mut self, tolerance: f64, x: &[f64], n: usize, m: usize) {
        assert_eq!(x.len(), n * m, "an n × m matrix has n m elements");
        (self.n, self.m) = (n, m);
        self.tolerance = tolerance;
        self.find_range(x, tolerance);
        self.find_parts(x);
        self.find_row_space(x);
    }

    /// Greedy orthogonalisation of the scaled columns: fills `q` and `rank`.
    fn find_range(&mut self, x: &[f64], tolerance: f64) {
        let (n, m) = (self.n, self.m);
        self.q.clear();
        self.used.clear();
        self.used.resize(m, false);
        self.taken.clear();
        self.least_left = 1.0;
        self.scale.clear();
        self.residual.clear();
        self.residual.extend_from_slice(x);
        for column in self.residual.chunks_exact_mut(n.max(1)) {
            let scale = match length(column) {
                0.0 => 1.0,
                scale => scale,
            };
            column.iter_mut().for_each(|a| *a /= scale);
            self.scale.push(scale);
        }
        self.scale.resize(m, 1.0);
        self.rank = 0;
        while self.rank < n.min(m) {
            let candidates = (0..m).filter(|&j| !self.used[j]);
            let best = candidates
                .map(|j| (j, length(&self.residual[j * n..(j + 1) * n])))
                .fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
            if best.1 <= tolerance {
                break;
            }
            self.used[best.0] = true;
            self.taken.push(best.0);
            self.least_left = best.1;
            let start = best.0 * n;
            let mut pivot = std::mem::take(&mut self.residual);
            project_out(&mut pivot[start..start + n], &self.q);
            let left = length(&pivot[start..start + n]);
            self.q
                .extend(pivot[start..start + n].iter().map(|a| a / left));
            let newest = &self.q[self.rank * n..];
            for j in (0..m).filter(|&j| !self.used[j]) {
                project_out(&mut pivot[j * n..(j + 1) * n], newest);
            }
            self.residual = pivot;
            self.rank += 1;
        }
    }

    /// Every column not taken as a sum of those taken, `R β = Qᵀ x` with R of the columns taken.
    fn find_parts(&mut self, x: &[f64]) {
        let (n, rank) = (self.n, self.rank);
        self.dependent.clear();
        self.dependent
            .extend((0..self.m).filter(|j| !self.used[*j]));
        self.parts.clear();
        for &j in &self.dependent {
            let start = self.parts.len();
            self.parts.resize(start + rank, 0.0);
            let parts = &mut self.parts[start..];
            for a in (0..rank).rev() {
                let q = &self.q[a * n..(a + 1) * n];
                let along = |c: usize| dot(q, &x[c * n..(c + 1) * n]) / self.scale[c];
                let later = (a + 1..rank).map(|b| along(self.taken[b]) * parts[b]);
                let known: f64 = later.sum();
                parts[a] = (along(j) - known) / along(self.taken[a]);
            }
        }
    }

    /// Orthogonalises the rows of `R = Qᵀ X`: fills `z` and `t`.
    fn find_row_space(&mut self, x: &[f64]) {
        let (n, m, rank) = (self.n, self.m, self.rank);
        self.z.clear();
        self.t.clear();
        self.t.resize(rank * rank, 0.0);
        for k in 0..rank {
            let q = &self.q[k * n..(k + 1) * n];
            self.row.clear();
            self.row
                .extend(x.chunks_exact(n).map(|column| dot(q, column)));
            self.original.clone_from(&self.row);
            project_out(&mut self.row, &self.z);
            let left = length(&self.row);
            for (i, z) in self.z.chunks_exact(m).enumerate() {
                self.t[i * rank + k] = dot(z, &self.original);
            }
            self.t[k * rank + k] = left;
            self.z.extend(self.row.iter().map(|a| a / left));
        }
    }

    /// Rank found.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The columns that were taken, none of which depends on the others, in their order in `X`.
    pub fn independent(&self) -> impl Iterator<Item = usize> + '_ {
        let taken = self.used.iter().enumerate();
        taken.filter_map(|(j, is_taken)| is_taken.then_some(j))
    }

    /// Orthonormal basis of the range, one column of length `n` after another.
    pub fn range(&self) -> &[f64] {
        &self.q
    }

    /// Least-norm `y` that minimises `|X y − b|`, into `y` (length `m`).
    pub fn least_norm(&self, b: &[f64], y: &mut [f64]) {
        let (n, m, rank) = (self.n, self.m, self.rank);
        y.fill(0.0);
        // Tᵀ u = Qᵀ b by forward substitution; u_k = z_k · y once its term is spread over Z.
        for k in 0..rank {
            let earlier = self.z.chunks_exact(m).take(k).enumerate();
            let known: f64 = earlier.map(|(i, z)| self.t[i * rank + k] * dot(z, y)).sum();
            let u = (dot(&self.q[k * n..(k + 1) * n], b) - known) / self.t[k * rank + k];
            for (a, z) in y.iter_mut().zip(&self.z[k * m..(k + 1) * m]) {
                *a += u * z;
            }
        }
    }

    /// Least-norm `d` that minimises `|Xᵀ d − b|`, into `d` (length `n`).
    pub fn least_norm_transposed(&self, b: &[f64], d: &mut [f64]) {
        let (n, m, rank) = (self.n, self.m, self.rank);
        d.fill(0.0);
        // T u = Zᵀ b from the last row up; u_j = q_j · d once its term is spread over Q.
        for k in (0..rank).rev() {
            let later = self.q.chunks_exact(n).enumerate().skip(k + 1);
            let known: f64 = later.map(|(j, q)| self.t[k * rank + j] * dot(q, d)).sum();
            let u = (dot(&self.z[k * m..(k + 1) * m], b) - known) / self.t[k * rank + k];
            for (a, q) in d.iter_mut().zip(&self.q[k * n..(k + 1) * n]) {
                *a += u * q;
            }
        }
    }

    /// Norm `|C⁻¹ D C|₂` of a diagonal matrix D seen through a root of the Gram matrix, `XᵀX = C Cᵀ`;
    /// none where X has dependent columns.
    ///
    /// # Panics
    ///
    /// When `diagonal` has not one number per column.
    pub fn similar_norm(&self, diagonal: &[f64]) -> Option<f64> {
        let m = self.m;
        assert_eq!(diagonal.len(), m, "one number per column");
        if self.rank < m || m == 0 {
            return None;
        }
        // C = Z T: column j is spread, weighed, and brought back by T⁻¹ Zᵀ.
        let mut similar = vec![0.0; m * m];
        let mut column = vec![0.0; m];
        for (j, out) in similar.chunks_exact_mut(m).enumerate() {
            column.fill(0.0);
            for (i, z) in self.z.chunks_exact(m).enumerate().take(j + 1) {
                let t = self.t[i * m + j];
                column.iter_mut().zip(z).for_each(|(a, b)| *a += t * b);
            }
            column.iter_mut().zip(diagonal).for_each(|(a, d)| *a *= d);
            for k in (0..m).rev() {
                let known = dot(&self.t[k * m + k + 1..(k + 1) * m], &out[k + 1..]);
                out[k] = (dot(&self.z[k * m..(k + 1) * m], &column) - known) / self.t[k * m + k];
            }
        }
        let values = crate::singular::singular_values(&mut similar, m);
        let norm = values.into_iter().fold(0.0, f64::max);
        Some(norm).filter(|x| x.is_finite())
    }

    /// Orthonormal basis of the null space of `X`, columns of length `m` one after another.
    ///
    /// What the range of `Xᵀ` leaves of the unit vectors, the longest remainder first.
    pub fn null_space(&self, out: &mut Vec<f64>) {
        let m = self.m;
        out.clear();
        for _ in self.rank..m {
            let inside = |j: usize| -> f64 {
                let columns = self.z.chunks_exact(m).chain(out.chunks_exact(m));
                columns.map(|column| column[j] * column[j]).sum()
            };
            let least = |a: (usize, f64), b: (usize, f64)| if b.1 < a.1 { b } else { a };
            let sizes = (0..m).map(|j| (j, inside(j)));
            let (j, _) = sizes.fold((0, f64::INFINITY), least);
            let start = out.len();
            out.resize(start + m, 0.0);
            let (known, column) = out.split_at_mut(start);
            column[j] = 1.0;
            for _ in 0..2 {
                project_out(column, &self.z);
                project_out(column, known);
            }
            let size = length(column);
            column.iter_mut().for_each(|x| *x /= size);
        }
    }

    /// Whether component `j` of the solution of `X y = b` is the same in all solutions.
    pub fn is_unique(&self, j: usize) -> bool {
        let is_own = |c: usize| f64::from(u8::from(c == j));
        self.is_fixed_form(is_own)
    }

    /// Whether the sum `Σ f_j y_j` is the same in all solutions of `X y = b`.
    ///
    /// # Panics
    ///
    /// When `f` has not one number per column.
    pub fn is_fixed(&self, f: &[f64]) -> bool {
        assert_eq!(f.len(), self.m, "one number per column");
        self.is_fixed_form(|c| f[c] / self.scale[c])
    }

    /// A dependent column and its parts are a null vector; the form vanishes along each of them, up to
    /// the round-off of its terms. Columns count with length one: units decide nothing.
    fn is_fixed_form(&self, form: impl Fn(usize) -> f64) -> bool {
        let round_off = Self::PART * self.tolerance / self.least_left;
        self.dependent.iter().enumerate().all(|(k, &j)| {
            let parts = &self.parts[k * self.rank..(k + 1) * self.rank];
            let (mut sum, mut terms) = (-form(j), form(j).abs());
            for (part, &c) in parts.iter().zip(&self.taken) {
                sum += form(c) * part;
                terms += form(c).abs() * part.abs().max(1.0);
            }
            sum.abs() <= round_off * terms
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A random matrix of rank at most three, with `(XᵀX)⁺` and its rank by the second route.
    ///
    /// The second route is the symmetric eigenproblem: the singular value decomposition of nalgebra
    /// 0.35 does not always recompose a rank-deficient matrix (off by 2e-3 on one of these).
    fn low_rank(rng: &mut fastrand::Rng) -> (DMatrix<f64>, DMatrix<f64>, usize) {
        loop {
            let (n, m, rank) = (rng.usize(1..8), rng.usize(1..8), rng.usize(1..4));
            let a = DMatrix::from_fn(n, rank, |_, _| rng.f64() - 0.5);
            let b = DMatrix::from_fn(rank, m, |_, _| rng.f64() - 0.5);
            let x = a * b;
            let mut eigen = (x.transpose() * &x).symmetric_eigen();
            let top = eigen.eigenvalues.max();
            let is_clear = |s: &f64| *s > 1e-4 * top || *s < 1e-14 * top;
            if eigen.eigenvalues.iter().all(is_clear) {
                let inverse = |s: f64| if s > 1e-4 * top { 1.0 / s } else { 0.0 };
                eigen.eigenvalues.apply(|s| *s = inverse(*s));
                let rank = eigen.eigenvalues.iter().filter(|s| **s > 0.0).count();
                return (x, eigen.recompose(), rank);
            }
        }
    }

    #[test]
    fn rank_and_least_norm_solution_agree_with_the_eigenvalues() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut deficient = 0;
        for _ in 0..500 {
            let (x, gram_inverse, rank) = low_rank(&mut rng);
            let (n, m) = x.shape();
            let mut found = CompleteOrthogonal::new();
            found.decompose(x.as_slice(), n, m);
            assert_eq!(found.rank(), rank);
            deficient += usize::from(found.rank() < n.min(m));
            let b = DVector::from_fn(n, |_, _| rng.f64() - 0.5);
            let mut y = vec![0.0; m];
            found.least_norm(b.as_slice(), &mut y);
            let other = gram_inverse * x.transpose() * b;
            let scale = other.amax().max(1.0);
            for j in 0..m {
                assert!((y[j] - other[j]).abs() < 1e-9 * scale, "{y:?} {other}");
            }
        }
        assert!(
            deficient > 100,
            "the sweep must reach low ranks: {deficient}"
        );
    }

    #[test]
    fn a_component_is_unique_exactly_when_the_null_space_does_not_touch_it() {
        let mut rng = fastrand::Rng::with_seed(4);
        let mut seen = [0, 0];
        for _ in 0..500 {
            let (x, ..) = low_rank(&mut rng);
            let (n, m) = x.shape();
            let mut found = CompleteOrthogonal::new();
            found.decompose(x.as_slice(), n, m);
            let eigen = (x.transpose() * &x).symmetric_eigen();
            let top = eigen.eigenvalues.max();
            for j in 0..m {
                let touched: f64 = (0..m)
                    .filter(|&k| eigen.eigenvalues[k] < 1e-12 * top)
                    .map(|k| eigen.eigenvectors[(j, k)].powi(2))
                    .sum();
                if !(1e-9..1e-3).contains(&touched) {
                    assert_eq!(found.is_unique(j), touched < 1e-9, "{x} component {j}");
                    seen[usize::from(touched < 1e-9)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&k| k > 100), "{seen:?}");
    }

    #[test]
    fn the_null_space_is_orthonormal_and_maps_to_zero() {
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut basis, mut dimensions) = (Vec::new(), 0);
        for _ in 0..500 {
            let (x, _, rank) = low_rank(&mut rng);
            let (n, m) = x.shape();
            let mut found = CompleteOrthogonal::new();
            found.decompose(x.as_slice(), n, m);
            found.null_space(&mut basis);
            let z = DMatrix::from_column_slice(m, m - rank, &basis);
            let one = DMatrix::identity(m - rank, m - rank);
            assert!((z.transpose() * &z - one).norm() < 1e-13);
            assert!((x * z).norm() < 1e-12);
            dimensions += m - rank;
        }
        assert!(dimensions > 500, "{dimensions}");
    }

    #[test]
    fn the_transposed_system_is_solved_by_the_same_factors() {
        let mut rng = fastrand::Rng::with_seed(6);
        for _ in 0..300 {
            let (x, gram_inverse, _) = low_rank(&mut rng);
            let (n, m) = x.shape();
            let mut found = CompleteOrthogonal::new();
            found.decompose(x.as_slice(), n, m);
            let b = DVector::from_fn(m, |_, _| rng.f64() - 0.5);
            let mut d = vec![0.0; n];
            found.least_norm_transposed(b.as_slice(), &mut d);
            let other = &x * gram_inverse * b;
            let scale = other.amax().max(1.0);
            for i in 0..n {
                assert!((d[i] - other[i]).abs() < 1e-9 * scale, "{d:?} {other}");
            }
        }
    }

    #[test]
    fn the_norm_of_a_weighed_root_is_that_by_the_symmetric_root() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let m = rng.usize(1..6);
            let x = DMatrix::from_fn(m + 2, m, |_, _| rng.f64() - 0.5);
            let k = DVector::from_fn(m, |_, _| rng.f64());
            let eigen = (x.transpose() * &x).symmetric_eigen();
            let root = |power: f64| {
                let mut e = eigen.clone();
                e.eigenvalues.apply(|s| *s = s.powf(power));
                e.recompose()
            };
            let similar = root(-0.5) * DMatrix::from_diagonal(&k) * root(0.5);
            let square = (similar.transpose() * similar).symmetric_eigen();
            let wanted = square.eigenvalues.max().sqrt();
            let mut found = CompleteOrthogonal::new();
            found.decompose(x.as_slice(), m + 2, m);
            let norm = found.similar_norm(k.as_slice()).unwrap();
            assert!((norm / wanted - 1.0).abs() < 1e-8, "{norm} {wanted}");
        }
        let mut twice = CompleteOrthogonal::new();
        twice.decompose(&[1.0, 0.0, 1.0, 0.0], 2, 2);
        assert_eq!(twice.similar_norm(&[0.5, 0.5]), None);
    }

    #[test]
    fn a_repeated_column_shares_its_load_and_is_not_unique() {
        let x = [1.0, 0.0, 1.0, 0.0, 0.0, 2.0];
        let mut found = CompleteOrthogonal::new();
        found.decompose(&x, 2, 3);
        assert_eq!(found.rank(), 2);
        let mut y = [0.0; 3];
        found.least_norm(&[3.0, 4.0], &mut y);
        for (a, b) in y.iter().zip([1.5, 1.5, 2.0]) {
            assert!((a - b).abs() < 1e-15, "{y:?}");
        }
        assert_eq!([0, 1, 2].map(|j| found.is_unique(j)), [false, false, true]);
        assert_eq!(found.independent().collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_zero_matrix_has_rank_zero_and_answers_zero() {
        let mut found = CompleteOrthogonal::new();
        found.decompose(&[0.0; 4], 2, 2);
        let mut y = [1.0; 2];
        found.least_norm(&[1.0, 1.0], &mut y);
        assert_eq!((found.rank(), y), (0, [0.0; 2]));
    }

    #[test]
    fn length_survives_squares_that_overflow_or_vanish() {
        assert!((length(&[3e200, 4e200]) / 5e200 - 1.0).abs() < 1e-15);
        assert!((length(&[3e-200, 4e-200]) / 5e-200 - 1.0).abs() < 1e-15);
    }
}
