//! When the push and the friction of contacts that slide come to move them no longer.

use super::Closed;

impl Closed {
    /// `det BᵀF`, rows and columns scaled to length one; none where nothing slides or forces are not unique.
    ///
    /// Of one contact that slides it is the cosine between what it forbids and what its forces do. Where it
    /// vanishes, forces that carry a load grow without bound: a dynamic jam.
    pub(super) fn determinant(&self) -> Option<f64> {
        let m = self.multipliers.len();
        if !self.slides() || self.found.rank() < m {
            return None;
        }
        let n = self.terms.len().max(1);
        let size = |x: &[f64]| carom_numeric::dot(x, x).sqrt();
        let pairs = self.across.chunks_exact(n).zip(self.along.chunks_exact(n));
        let sizes: f64 = pairs
            .map(|(row, column)| size(row) * size(column))
            .product();
        Some(eliminate(self.matrix.clone(), m) / sizes).filter(|x| x.is_finite())
    }

    /// The same as a part of what it was when the modes were set.
    pub(crate) fn leverage(&self) -> Option<f64> {
        let first = self.first_determinant?;
        // A matrix that has just become singular has none left.
        self.slides()
            .then(|| self.determinant().unwrap_or(0.0) / first)
    }
}

/// The determinant of a square matrix, by elimination with row exchanges.
fn eliminate(mut a: Vec<f64>, m: usize) -> f64 {
    let mut product = 1.0;
    for k in 0..m {
        let largest = (k..m).max_by(|i, j| a[i * m + k].abs().total_cmp(&a[j * m + k].abs()));
        let pivot = largest.unwrap_or(k);
        if a[pivot * m + k] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            (0..m).for_each(|c| a.swap(pivot * m + c, k * m + c));
            product = -product;
        }
        product *= a[k * m + k];
        for i in k + 1..m {
            let factor = a[i * m + k] / a[k * m + k];
            (k..m).for_each(|c| a[i * m + c] -= factor * a[k * m + c]);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::eliminate;

    #[test]
    fn a_determinant_changes_its_sign_with_the_order_of_rows() {
        let a = vec![2.0, 1.0, 0.0, 0.0, 3.0, 1.0, 1.0, 0.0, 4.0];
        let b = vec![0.0, 3.0, 1.0, 2.0, 1.0, 0.0, 1.0, 0.0, 4.0];
        assert!((eliminate(a, 3) - 25.0).abs() < 1e-13);
        assert!((eliminate(b, 3) + 25.0).abs() < 1e-13);
    }
}
