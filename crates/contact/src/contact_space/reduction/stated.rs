//! A contact space stated by its Delassus matrix, without a mechanism behind it.

use carom_numeric::{NotSemidefinite, Semidefinite};

use super::{ContactSpace, TIE, on_line_in_space, on_line_within};
use crate::contact_space::{
    DelassusError, PlanarDelassus, PlanarVector, SpatialDelassus, SpatialVector,
};

/// Elements of a matrix that is stated are known to this fraction of `√(W_ii W_jj)`: they were computed from
/// masses and rows elsewhere, and written down.
const STATED_ROUND_OFF: f64 = 8.0 * TIE;

/// Where W is singular, a velocity off its range by less than this part of its terms is on it.
const ON_RANGE: f64 = 1e-12;

impl ContactSpace {
    /// Takes the Delassus matrix `w` of the rows of `v`, row by row and symmetric, and their velocities.
    ///
    /// W may have any rank, and v need not be in its range: what is outside is a motion that no impulse
    /// changes. The coordinates are those of the vectors x in `W = xᵀx`, as many as W has rank. A contact
    /// alone reads W as it is given.
    ///
    /// # Panics
    ///
    /// When `w` has not a row of `v.len()` numbers for each velocity.
    pub fn state(&mut self, w: &[f64], v: &[f64]) -> Result<(), NotSemidefinite> {
        self.empty();
        let mut factor = Semidefinite::new();
        factor.factor(w, v.len(), STATED_ROUND_OFF)?;
        let n = factor.rank().max(1);
        for i in 0..v.len() {
            self.free.extend_from_slice(factor.vector(i));
            self.free.resize((i + 1) * n, 0.0);
        }
        self.response.extend_from_slice(&self.free);
        self.v.extend_from_slice(v);
        self.terms.extend(v.iter().map(|v| v.abs()));
        self.stated.extend_from_slice(w);
        self.speed = 0.0;
        (self.n, self.m, self.degrees) = (n, 0, factor.rank());
        Ok(())
    }

    /// Element of the matrix that was stated, if it was.
    pub(super) fn stated_element(&self, i: usize, j: usize) -> Option<f64> {
        self.stated.get(i * self.v.len() + j).copied()
    }

    /// The contact of a normal and the direction `d` of tangent rows in a matrix that was stated.
    pub(super) fn stated_planar(
        &self,
        normal: usize,
        along: &[(usize, f64)],
    ) -> Option<Result<(PlanarDelassus, PlanarVector), DelassusError>> {
        let nn = self.stated_element(normal, normal)?;
        let sum = |of: &dyn Fn(usize) -> f64| along.iter().map(|(i, d)| d * of(*i)).sum::<f64>();
        let nt = sum(&|i| self.w(normal, i));
        let tt = sum(&|i| sum(&|j| self.w(i, j)));
        let v = PlanarVector {
            n: self.v[normal],
            t: sum(&|i| self.v[i]),
        };
        let w = PlanarDelassus::rounded([nn, nt, tt.max(0.0)], STATED_ROUND_OFF);
        Some(w.map(|w| match w.rank() == 1 && tt > 0.0 {
            true if nn >= tt => (w, on_line_within(ON_RANGE, v, [nn, nt])),
            true => (w, on_line_within(ON_RANGE, v, [nt, tt])),
            false => (w, v),
        }))
    }

    /// The contact of a normal and two tangent rows in a matrix that was stated.
    pub(super) fn stated_spatial(
        &self,
        rows: [usize; 3],
    ) -> Option<Result<(SpatialDelassus, SpatialVector), DelassusError>> {
        if self.stated.is_empty() {
            return None;
        }
        let matrix = rows.map(|i| rows.map(|j| self.w(i, j)));
        let w = SpatialDelassus::rounded(matrix, STATED_ROUND_OFF);
        Some(w.map(|w| {
            let mut v = rows.map(|i| self.v[i]);
            if w.rank() == 1 {
                let largest = (0..3).max_by(|&i, &j| matrix[i][i].total_cmp(&matrix[j][j]));
                v = on_line_in_space(ON_RANGE, v, matrix[largest.unwrap_or(0)]);
            }
            let t = [v[1], v[2]];
            (w, SpatialVector { n: v[0], t })
        }))
    }
}
