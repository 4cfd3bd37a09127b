//! Triangular factors of a square matrix, rows exchanged for the largest pivot.

/// Factors `P A = L U`, reusable for many matrices of any size.
#[derive(Debug, Clone, Default)]
pub struct Lu {
    n: usize,
    /// L below the diagonal (ones on it), U on and above it, by rows.
    factors: Vec<f64>,
    /// Row of A that stands in each place.
    order: Vec<usize>,
    least_pivot: f64,
    /// Whether an odd count of rows was exchanged.
    is_odd: bool,
}

impl Lu {
    /// A pivot below `n × SINGULAR` times the largest element its row came with counts as zero.
    pub const SINGULAR: f64 = f64::EPSILON;

    /// Empty factors; [`Lu::factor`] fills them.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factors the `n × n` matrix `a`, given by rows; whether it is regular. Nothing can be solved with
    /// the factors of a singular matrix, or of one that is not a number.
    ///
    /// # Panics
    ///
    /// When `a.len() != n * n`.
    pub fn factor(&mut self, a: &[f64], n: usize) -> bool {
        self.load(a, n);
        (0..n).all(|j| self.eliminate(a, j))
    }

    fn load(&mut self, a: &[f64], n: usize) {
        assert_eq!(a.len(), n * n, "an n × n matrix has n² elements");
        self.n = n;
        self.factors.clear();
        self.factors.extend_from_slice(a);
        self.order.clear();
        self.order.extend(0..n);
        self.least_pivot = f64::INFINITY;
        self.is_odd = false;
    }

    /// Brings the largest element of a column to the diagonal and frees the rows below of it.
    fn eliminate(&mut self, a: &[f64], j: usize) -> bool {
        let n = self.n;
        let size = |row: usize| self.factors[row * n + j].abs();
        let best = (j + 1..n).fold(j, |best, i| if size(i) > size(best) { i } else { best });
        if best != j {
            let (head, tail) = self.factors.split_at_mut(best * n);
            head[j * n..(j + 1) * n].swap_with_slice(&mut tail[..n]);
            self.order.swap(j, best);
            self.is_odd = !self.is_odd;
        }
        let (head, below) = self.factors.split_at_mut((j + 1) * n);
        let pivot_row = &head[j * n..];
        let pivot = pivot_row[j];
        let own = &a[self.order[j] * n..(self.order[j] + 1) * n];
        let scale = own.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        // Written so that a NaN counts as singular.
        if !(pivot.abs() > Self::SINGULAR * n as f64 * scale) {
            return false;
        }
        self.least_pivot = self.least_pivot.min(pivot.abs() / scale);
        for row in below.chunks_exact_mut(n) {
            if row[j] == 0.0 {
                continue;
            }
            let factor = row[j] / pivot;
            row[j] = factor;
            for (x, y) in row[j + 1..].iter_mut().zip(&pivot_row[j + 1..]) {
                *x -= factor * y;
            }
        }
        true
    }

    /// The least pivot beside the largest element its row came with: small where rows nearly depend on
    /// each other.
    pub fn least_pivot(&self) -> f64 {
        self.least_pivot
    }

    /// The determinant of the `n × n` matrix `a`, given by rows. A last pivot within round-off counts with its
    /// value, so that a determinant that goes through zero changes its sign there; of a lower rank it is zero.
    ///
    /// # Panics
    ///
    /// When `a.len() != n * n`.
    pub fn determinant(&mut self, a: &[f64], n: usize) -> f64 {
        self.load(a, n);
        if (0..n).any(|j| !self.eliminate(a, j) && j + 1 < n) {
            return 0.0;
        }
        let product: f64 = (0..n).map(|j| self.factors[j * n + j]).product();
        if self.is_odd { -product } else { product }
    }

    /// Solves `A x = b`, into `x`.
    ///
    /// # Panics
    ///
    /// When the vectors are not of the order of the matrix.
    pub fn solve(&self, b: &[f64], x: &mut [f64]) {
        let n = self.n;
        assert!(b.len() == n && x.len() == n, "vectors of the order of A");
        for i in 0..n {
            let row = &self.factors[i * n..i * n + i];
            let known: f64 = row.iter().zip(&*x).map(|(l, y)| l * y).sum();
            x[i] = b[self.order[i]] - known;
        }
        for i in (0..n).rev() {
            let row = &self.factors[i * n..(i + 1) * n];
            let later = row[i + 1..].iter().zip(&x[i + 1..]);
            let known: f64 = later.map(|(u, y)| u * y).sum();
            x[i] = (x[i] - known) / row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn the_factors_solve_the_system() {
        let mut rng = fastrand::Rng::with_seed(31);
        let mut lu = Lu::new();
        for _ in 0..500 {
            let n = rng.usize(1..20);
            let a = DMatrix::from_fn(n, n, |_, _| rng.f64() - 0.5);
            let b = DVector::from_fn(n, |_, _| rng.f64() - 0.5);
            assert!(lu.factor(a.transpose().as_slice(), n));
            let mut x = vec![0.0; n];
            lu.solve(b.as_slice(), &mut x);
            let found = DVector::from_vec(x);
            let miss = (&a * &found - &b).amax();
            assert!(miss < 1e-13 * (1.0 + found.amax()) * n as f64, "{miss:e}");
        }
    }

    #[test]
    fn a_singular_matrix_is_found_out_whatever_its_units() {
        for unit in [1e-30, 1.0, 1e30] {
            let a = [0.1, 0.3, 0.2, 0.6].map(|x| x * unit);
            assert!(!Lu::new().factor(&a, 2), "unit {unit}");
        }
        assert!(!Lu::new().factor(&[f64::NAN], 1));
    }

    #[test]
    fn a_determinant_changes_its_sign_with_the_order_of_rows() {
        let a = [2.0, 1.0, 0.0, 0.0, 3.0, 1.0, 1.0, 0.0, 4.0];
        let b = [0.0, 3.0, 1.0, 2.0, 1.0, 0.0, 1.0, 0.0, 4.0];
        let mut lu = Lu::new();
        assert!((lu.determinant(&a, 3) - 25.0).abs() < 1e-13);
        assert!((lu.determinant(&b, 3) + 25.0).abs() < 1e-13);
        assert_eq!(lu.determinant(&[], 0), 1.0);
    }

    #[test]
    fn a_determinant_goes_through_zero_and_vanishes_where_two_ranks_are_lost() {
        let mut lu = Lu::new();
        let spacing = f64::EPSILON;
        for off in [-spacing, 0.0, spacing] {
            let found = lu.determinant(&[1.0, 1.0, 1.0, 1.0 + off], 2);
            assert_eq!(found, off);
        }
        assert_eq!(lu.determinant(&[1.0; 9], 3), 0.0);
    }

    #[test]
    fn a_zero_on_the_diagonal_is_exchanged() {
        let mut lu = Lu::new();
        assert!(lu.factor(&[0.0, 2.0, 4.0, 0.0], 2));
        let mut x = [0.0; 2];
        lu.solve(&[2.0, 8.0], &mut x);
        assert_eq!(x, [2.0, 1.0]);
        assert_eq!(lu.least_pivot(), 1.0);
    }
}
