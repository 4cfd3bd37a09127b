//! When the push and the friction of contacts that slide come to move them no longer.

use carom_numeric::Lu;

use super::Closed;

impl Closed {
    /// `det BᵀF`, rows and columns scaled to length one; none where nothing slides or forces are not unique.
    ///
    /// Of one contact that slides it is the cosine between what it forbids and what its forces do. Where it
    /// vanishes, forces that carry a load grow without bound: a dynamic jam.
    pub(super) fn determinant(&self) -> Option<f64> {
        let m = self.multipliers.len();
        if !self.rubs() || self.found.rank() < m {
            return None;
        }
        let n = self.terms.len().max(1);
        let size = |x: &[f64]| carom_numeric::dot(x, x).sqrt();
        let pairs = self.across.chunks_exact(n).zip(self.along.chunks_exact(n));
        let sizes: f64 = pairs
            .map(|(row, column)| size(row) * size(column))
            .product();
        Some(Lu::new().determinant(&self.matrix, m) / sizes).filter(|x| x.is_finite())
    }

    /// The same as a part of what it was when the modes were set.
    pub(crate) fn leverage(&self) -> Option<f64> {
        let first = self.first_determinant?;
        // A matrix that has just become singular has none left.
        self.rubs()
            .then(|| self.determinant().unwrap_or(0.0) / first)
    }
}
