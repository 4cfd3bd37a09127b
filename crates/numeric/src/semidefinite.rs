//! Vectors behind a symmetric positive semidefinite matrix of any rank.

/// Factors `W = X Xᵀ` with as many columns as W has rank.
///
/// Elimination with the largest remainder first, on W scaled to a unit diagonal: what is left below the
/// tolerance is round-off of the elements given, and the rank ends there.
#[derive(Debug, Clone, Default)]
pub struct Semidefinite {
    rank: usize,
    /// One row of `rank` numbers per row of W.
    x: Vec<f64>,
    rest: Vec<f64>,
    loss: f64,
}

/// The matrix is not positive semidefinite: what is left of an element has no vector behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotSemidefinite {
    /// Row of the element.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// What is left of it, relative to `√(W_ii W_jj)`, or the element itself where that is no size.
    pub value: f64,
}

impl std::fmt::Display for NotSemidefinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { row, column, value } = self;
        match row == column {
            true => write!(
                f,
                "{value:.3e} is left of the diagonal element {row} when its turn comes, expected zero or more"
            ),
            false => write!(
                f,
                "{value:.3e} is left of element [{row}][{column}] where nothing is left on the diagonal, \
                 expected zero"
            ),
        }
    }
}

impl std::error::Error for NotSemidefinite {}

impl Semidefinite {
    /// An empty factor.
    pub fn new() -> Self {
        Self::default()
    }

    /// Factors the m × m matrix `w`, symmetric, with elements known to the fraction `tolerance` of
    /// `√(W_ii W_jj)`.
    ///
    /// # Panics
    ///
    /// When `w.len() != m * m`.
    pub fn factor(&mut self, w: &[f64], m: usize, tolerance: f64) -> Result<(), NotSemidefinite> {
        assert_eq!(w.len(), m * m, "an m × m matrix has m² elements");
        let tolerance = tolerance * m as f64;
        (self.rank, self.loss) = (0, 1.0);
        let sizes = self.scale(w, m)?;
        let mut columns: Vec<f64> = Vec::new();
        let mut is_left = vec![true; m];
        while let Some(pivot) = self.pivot(m, tolerance, &is_left) {
            is_left[pivot] = false;
            let value = self.rest[pivot * m + pivot];
            self.loss = self.loss.max(value.sqrt().recip());
            let start = columns.len();
            let root = value.sqrt();
            columns.extend(
                self.rest[pivot * m..(pivot + 1) * m]
                    .iter()
                    .map(|x| x / root),
            );
            columns[start + pivot] = root;
            self.eliminate(&columns[start..], m, &is_left);
        }
        self.check_rest(m, tolerance, &is_left)?;
        self.rank = columns.len() / m.max(1);
        self.x.clear();
        for (i, size) in sizes.iter().enumerate() {
            let row = columns.iter().skip(i).step_by(m);
            self.x.extend(row.map(|x| size * x));
        }
        Ok(())
    }

    /// The matrix with a unit diagonal; the roots of its own.
    fn scale(&mut self, w: &[f64], m: usize) -> Result<Vec<f64>, NotSemidefinite> {
        self.rest.clear();
        if let Some(row) = (0..m).find(|i| w[i * m + i] < 0.0) {
            let value = w[row * m + row];
            let column = row;
            return Err(NotSemidefinite { row, column, value });
        }
        let sizes: Vec<f64> = (0..m).map(|i| w[i * m + i].sqrt()).collect();
        for row in 0..m {
            for column in 0..m {
                let (value, size) = (w[row * m + column], sizes[row] * sizes[column]);
                let has_vector = size > 0.0 || value == 0.0;
                if !has_vector {
                    return Err(NotSemidefinite { row, column, value });
                }
                self.rest.push(match (row == column, size > 0.0) {
                    (true, true) => 1.0,
                    (false, true) => value / sizes[row] / sizes[column],
                    (_, false) => 0.0,
                });
            }
        }
        Ok(sizes)
    }

    /// The largest remainder on the diagonal beyond round-off.
    fn pivot(&self, m: usize, tolerance: f64, is_left: &[bool]) -> Option<usize> {
        let left = (0..m).filter(|&i| is_left[i]);
        let largest = left.max_by(|&i, &j| self.rest[i * m + i].total_cmp(&self.rest[j * m + j]));
        largest.filter(|&i| self.rest[i * m + i] > tolerance)
    }

    /// Takes a column off what is left, and off itself in the rows that are done.
    fn eliminate(&mut self, column: &[f64], m: usize, is_left: &[bool]) {
        for i in 0..m {
            for j in 0..m {
                let x = &mut self.rest[i * m + j];
                *x = match is_left[i] && is_left[j] {
                    true => *x - column[i] * column[j],
                    false => 0.0,
                };
            }
        }
    }

    fn check_rest(
        &self,
        m: usize,
        tolerance: f64,
        is_left: &[bool],
    ) -> Result<(), NotSemidefinite> {
        for row in (0..m).filter(|&i| is_left[i]) {
            for column in (row..m).filter(|&j| is_left[j]) {
                let value = self.rest[row * m + column];
                if !(value.abs() <= tolerance) {
                    return Err(NotSemidefinite { row, column, value });
                }
            }
        }
        Ok(())
    }

    /// Rank of the matrix.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The vector behind row `i`, as many numbers as the rank.
    pub fn vector(&self, i: usize) -> &[f64] {
        &self.x[i * self.rank..(i + 1) * self.rank]
    }

    /// How much a pivot lost to elimination, at most: the error of the vectors relative to that of W.
    pub fn loss(&self) -> f64 {
        self.loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dot;

    const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

    fn random(rng: &mut fastrand::Rng, m: usize, rank: usize) -> (Vec<f64>, Vec<f64>) {
        let scales: Vec<f64> = (0..m).map(|_| 10f64.powf(6.0 * rng.f64() - 3.0)).collect();
        let number =
            |i: usize, rng: &mut fastrand::Rng| scales[i / rank.max(1)] * (rng.f64() - 0.5);
        let x: Vec<f64> = (0..m * rank).map(|i| number(i, rng)).collect();
        let row = |i: usize| &x[i * rank..(i + 1) * rank];
        let w = (0..m * m).map(|k| dot(row(k / m), row(k % m))).collect();
        (w, scales)
    }

    #[test]
    fn the_vectors_give_back_the_matrix_and_have_its_rank() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut factor = Semidefinite::new();
        for _ in 0..2000 {
            let m = 1 + rng.usize(..6);
            let rank = rng.usize(..=m);
            let (w, _) = random(&mut rng, m, rank);
            factor.factor(&w, m, ROUND_OFF).unwrap();
            assert_eq!(factor.rank(), rank, "{w:?}");
            for i in 0..m {
                for j in 0..m {
                    let size = (w[i * m + i] * w[j * m + j]).sqrt();
                    let miss = dot(factor.vector(i), factor.vector(j)) - w[i * m + j];
                    assert!(miss.abs() <= m as f64 * ROUND_OFF * size, "{w:?}: {miss}");
                }
            }
        }
    }

    #[test]
    fn a_matrix_with_a_negative_direction_is_refused_at_an_element() {
        let mut factor = Semidefinite::new();
        for (w, m, place) in [
            (&[1.0, 2.0, 2.0, 1.0][..], 2, (0, 0)),
            (&[0.0, 1.0, 1.0, 2.0], 2, (0, 1)),
            (&[1.0, 0.5, 0.5, -1e-9], 2, (1, 1)),
            (&[-1.0], 1, (0, 0)),
        ] {
            let error = factor.factor(w, m, ROUND_OFF).unwrap_err();
            assert_eq!((error.row, error.column), place, "{error}");
        }
    }
}
