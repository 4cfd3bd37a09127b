//! Cholesky factor of a symmetric positive definite matrix, with the offending pivot named.

/// Factor `L` of `M = L Lᵀ`, column-major, reusable for many matrices of any size.
#[derive(Debug, Clone, Default)]
pub struct Cholesky {
    n: usize,
    l: Vec<f64>,
    loss: f64,
}

/// The matrix is not positive definite: elimination met a pivot that is not positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotPositiveDefinite {
    /// Index of the pivot, from 0.
    pub pivot: usize,
    /// What was left of the diagonal element when its turn came.
    pub value: f64,
    /// The diagonal element itself.
    pub diagonal: f64,
}

impl std::fmt::Display for NotPositiveDefinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            pivot,
            value,
            diagonal,
        } = self;
        write!(
            f,
            "pivot {pivot} is {value:?} (diagonal element {diagonal:?}), expected a positive number \
             above round-off"
        )
    }
}

impl std::error::Error for NotPositiveDefinite {}

impl Cholesky {
    /// A pivot below `n × PIVOT_TOLERANCE` times its diagonal element counts as zero.
    pub const PIVOT_TOLERANCE: f64 = 2.0 * f64::EPSILON;

    /// An empty factor; [`Cholesky::factor`] fills it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factors the symmetric `n × n` matrix `m` (its lower triangle is read).
    ///
    /// The pivot test is relative to each diagonal element, so that it does not depend on units.
    ///
    /// # Panics
    ///
    /// When `m.len() != n * n`.
    pub fn factor(&mut self, m: &[f64], n: usize) -> Result<(), NotPositiveDefinite> {
        assert_eq!(m.len(), n * n, "an n × n matrix has n² elements");
        self.n = 0; // a failed factor answers for no matrix
        self.loss = 1.0;
        self.l.clear();
        self.l.extend_from_slice(m);
        let floor = Self::PIVOT_TOLERANCE * n as f64;
        for j in 0..n {
            let (done, rest) = self.l.split_at_mut(j * n);
            let column = &mut rest[..n];
            let diagonal = column[j];
            for k in 0..j {
                let earlier = &done[k * n..(k + 1) * n];
                let factor = earlier[j];
                for (x, y) in column[j..].iter_mut().zip(&earlier[j..]) {
                    *x -= factor * y;
                }
            }
            let value = column[j];
            // Written so that a NaN pivot fails too.
            if !(value > floor * diagonal.abs()) {
                return Err(NotPositiveDefinite {
                    pivot: j,
                    value,
                    diagonal,
                });
            }
            self.loss = self.loss.max((diagonal / value).sqrt());
            let root = value.sqrt();
            column[j] = root;
            for x in &mut column[j + 1..] {
                *x /= root;
            }
        }
        self.n = n;
        Ok(())
    }

    /// Replaces `x` by `L⁻¹ x`.
    ///
    /// # Panics
    ///
    /// When `x` is not of the order of the matrix.
    pub fn solve_lower(&self, x: &mut [f64]) {
        let n = self.n;
        assert_eq!(x.len(), n, "a vector of the order of the matrix");
        for j in 0..n {
            let column = &self.l[j * n..(j + 1) * n];
            let (head, tail) = x.split_at_mut(j + 1);
            head[j] /= column[j];
            let value = head[j];
            for (y, l) in tail.iter_mut().zip(&column[j + 1..]) {
                *y -= value * l;
            }
        }
    }

    /// Replaces `x` by `L⁻ᵀ x`.
    ///
    /// # Panics
    ///
    /// When `x` is not of the order of the matrix.
    pub fn solve_lower_transposed(&self, x: &mut [f64]) {
        let n = self.n;
        assert_eq!(x.len(), n, "a vector of the order of the matrix");
        for j in (0..n).rev() {
            let column = &self.l[j * n..(j + 1) * n];
            let sum: f64 = column[j + 1..]
                .iter()
                .zip(&x[j + 1..])
                .map(|(l, y)| l * y)
                .sum();
            x[j] = (x[j] - sum) / column[j];
        }
    }

    /// How much a pivot lost to elimination, at most: `max √M_jj / L_jj`, 1 for a diagonal matrix.
    ///
    /// It grows as rows become dependent and does not depend on the units of the coordinates.
    pub fn loss(&self) -> f64 {
        self.loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn random_spd(rng: &mut fastrand::Rng) -> DMatrix<f64> {
        let n = rng.usize(1..13);
        let a = DMatrix::from_fn(n, n, |_, _| rng.f64() - 0.5);
        &a * a.transpose() + DMatrix::identity(n, n) * 0.1
    }

    #[test]
    fn both_half_solves_together_invert_the_matrix() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..500 {
            let m = random_spd(&mut rng);
            let n = m.nrows();
            let b = DVector::from_fn(n, |_, _| rng.f64() - 0.5);
            let mut factor = Cholesky::new();
            factor.factor(m.as_slice(), n).unwrap();
            let mut x = b.as_slice().to_vec();
            factor.solve_lower(&mut x);
            factor.solve_lower_transposed(&mut x);
            let other = m.lu().solve(&b).unwrap();
            let scale = other.amax().max(1.0);
            for i in 0..n {
                assert!((x[i] - other[i]).abs() < 1e-12 * scale, "{x:?} {other}");
            }
        }
    }

    #[test]
    fn the_factor_times_its_transpose_is_the_matrix() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..500 {
            let m = random_spd(&mut rng);
            let n = m.nrows();
            let mut factor = Cholesky::new();
            factor.factor(m.as_slice(), n).unwrap();
            let l = DMatrix::from_fn(n, n, |i, j| if i >= j { factor.l[j * n + i] } else { 0.0 });
            assert!((&l * l.transpose() - &m).amax() < 1e-14 * m.amax() * n as f64);
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused_at_the_pivot_that_fails() {
        let error = Cholesky::new()
            .factor(&[1.0, 2.0, 2.0, 1.0], 2)
            .unwrap_err();
        assert_eq!((error.pivot, error.value), (1, -3.0));
        let said = error.to_string();
        assert_eq!(
            said,
            "pivot 1 is -3.0 (diagonal element 1.0), expected a positive number above round-off"
        );
    }

    #[test]
    fn a_singular_matrix_is_refused_whatever_its_units() {
        for scale in [1e-30, 1.0, 1e30] {
            let m: Vec<f64> = [0.01, 0.03, 0.03, 0.09].iter().map(|x| x * scale).collect();
            assert!(Cholesky::new().factor(&m, 2).is_err(), "scale {scale}");
        }
    }

    #[test]
    fn masses_of_very_different_size_are_not_mistaken_for_a_singular_matrix() {
        let m = [1e-18, 0.0, 0.0, 1e6];
        let mut factor = Cholesky::new();
        assert!(factor.factor(&m, 2).is_ok());
        assert_eq!(factor.loss(), 1.0);
    }

    #[test]
    fn nearly_dependent_rows_show_as_loss_whatever_their_units() {
        for unit in [1e-9, 1.0, 1e9] {
            let c = (1.0 - 1e-6) * unit;
            let mut factor = Cholesky::new();
            factor.factor(&[1.0, c, c, unit * unit], 2).unwrap();
            assert!((factor.loss() - 707.1).abs() < 0.1, "{}", factor.loss());
        }
    }

    #[test]
    fn a_matrix_with_a_nan_is_refused() {
        assert!(Cholesky::new().factor(&[f64::NAN], 1).is_err());
    }
}
