//! How contacts share an impulse that is not unique: a representative, and what is determined.

use carom_numeric::nonnegative::liftable;
use carom_numeric::orthogonal::{length, project_out};
use carom_numeric::{CompleteOrthogonal, Lemke, LemkeEnd, dot};

use super::rows::Rows;

/// The impulses with the same effect as a given one, all non-negative:
///
/// ```text
/// { p >= 0 : X p = X p0,  p_i = 0 at open contacts }
/// ```
///
/// with X the whitened rows. The member of least norm is `p⊥ + N Nᵀ u`, N an orthonormal basis of
/// the null space of X over the closed contacts, `p⊥` the part of `p0` orthogonal to it and u the
/// solution of the complementarity problem `0 <= u ⟂ N Nᵀ u + p⊥ >= 0`.
#[derive(Debug, Clone, Default)]
pub(super) struct Sharing {
    lemke: Lemke,
    orthogonal: CompleteOrthogonal,
    closed: Vec<usize>,
    vectors: Vec<f64>,
    null: Vec<f64>,
    projector: Vec<f64>,
    drive: Vec<f64>,
    trial: Vec<f64>,
    pushing: Vec<usize>,
    effect: Vec<f64>,
    /// Directions along which the set extends, over all contacts, orthonormal (scaled impulses).
    directions: Vec<f64>,
    unique: Vec<bool>,
}

impl Sharing {
    /// An impulse below this fraction of the largest is zero, and so is a share of a direction.
    const ZERO_TOLERANCE: f64 = 1e-10;

    /// An element of a basis, or of an impulse, below this fraction is round-off.
    const ELEMENT_NOISE: f64 = 1e-14;

    /// The representative of least norm gives the velocity of the first up to this fraction.
    const SAME_TOLERANCE: f64 = 1e-11;

    /// Replaces the scaled impulse `p` by the one of least norm (N·s) and finds what is unique.
    /// `is_closed` tells the contacts that may push. Whether `p` is the one of least norm.
    pub(super) fn settle(
        &mut self,
        rows: &Rows,
        is_closed: impl Fn(usize) -> bool,
        p: &mut [f64],
    ) -> bool {
        let k = p.len();
        self.directions.clear();
        self.unique.clear();
        self.unique.resize(k, true);
        self.closed.clear();
        self.closed.extend((0..k).filter(|&i| is_closed(i)));
        if self.find_null(rows) {
            return true;
        }
        let is_least = self.take_least_norm(rows, p);
        self.drop_always_zero(rows, p);
        self.find_null(rows);
        self.spread(k);
        is_least
    }

    /// Whether each impulse is the same in the whole set.
    pub(super) fn unique(&self) -> &[bool] {
        &self.unique
    }

    /// Contacts that push in some member of the set; all closed ones where there is one member only.
    pub(super) fn closed(&self) -> &[usize] {
        &self.closed
    }

    /// Orthonormal directions of the set, one of length k after another.
    pub(super) fn directions(&self) -> &[f64] {
        &self.directions
    }

    /// Null space of the closed rows, scaled impulses; whether it is empty.
    fn find_null(&mut self, rows: &Rows) -> bool {
        self.vectors.clear();
        for &i in &self.closed {
            self.vectors.extend_from_slice(rows.vector(i));
        }
        let found = self.closed.len();
        self.orthogonal.decompose(&self.vectors, rows.n(), found);
        self.orthogonal.null_space(&mut self.null);
        clean(&mut self.null, 1.0);
        self.null.is_empty()
    }

    /// `N Nᵀ` over the closed contacts, from the basis in `null`.
    fn fill_projector(&mut self) {
        let f = self.closed.len();
        self.projector.clear();
        self.projector.resize(f * f, 0.0);
        for column in self.null.chunks_exact(f) {
            for (row, a) in self.projector.chunks_exact_mut(f).zip(column) {
                for (x, b) in row.iter_mut().zip(column) {
                    *x += a * b;
                }
            }
        }
    }

    fn take_least_norm(&mut self, rows: &Rows, p: &mut [f64]) -> bool {
        let f = self.closed.len();
        // Impulses in N·s: the basis is scaled row by row and made orthonormal again.
        for start in (0..self.null.len()).step_by(f) {
            let (known, rest) = self.null.split_at_mut(start);
            let column = &mut rest[..f];
            for (x, &i) in column.iter_mut().zip(&self.closed) {
                *x /= rows.size(i);
            }
            let size = length(column);
            column.iter_mut().for_each(|x| *x /= size);
            project_out(column, known);
            let left = length(column);
            column.iter_mut().for_each(|x| *x /= left);
        }
        self.fill_projector();
        self.drive.clear();
        let plain = self.closed.iter().map(|&i| p[i] / rows.size(i));
        self.drive.extend(plain);
        let largest = self.drive.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        project_out(&mut self.drive, &self.null);
        clean(&mut self.drive, largest);
        if self.lemke.solve(&self.projector, &self.drive) != LemkeEnd::Solved {
            return false;
        }
        self.trial.clear();
        self.trial.extend_from_slice(p);
        for (a, (row, drive)) in self.projector.chunks_exact(f).zip(&self.drive).enumerate() {
            let i = self.closed[a];
            let plain = drive + dot(row, self.lemke.z());
            let is_held = self.lemke.z()[a] > 0.0;
            self.trial[i] = if is_held || plain < 0.0 {
                0.0
            } else {
                plain * rows.size(i)
            };
        }
        self.polish(rows, p);
        self.correct(rows, p);
        let is_same = rows.differ(&self.trial, p) <= Self::SAME_TOLERANCE;
        if is_same {
            p.copy_from_slice(&self.trial);
        }
        is_same
    }

    /// Computes the least norm again from `X p0`, over the contacts of the trial that push: the
    /// digits that large multipliers took are back.
    fn polish(&mut self, rows: &Rows, p: &[f64]) {
        self.vectors.clear();
        self.pushing.clear();
        self.pushing
            .extend((0..p.len()).filter(|&i| self.trial[i] > 0.0));
        for &i in &self.pushing {
            let size = rows.size(i);
            self.vectors.extend(rows.vector(i).iter().map(|x| x * size));
        }
        let found = self.pushing.len();
        self.orthogonal.decompose(&self.vectors, rows.n(), found);
        rows.sum(p, &mut self.effect);
        self.drive.clear();
        self.drive.resize(found, 0.0);
        self.orthogonal.least_norm(&self.effect, &mut self.drive);
        if self.drive.iter().all(|x| *x >= 0.0) {
            for (&i, x) in self.pushing.iter().zip(&self.drive) {
                self.trial[i] = x * rows.size(i);
            }
        }
    }

    /// Gives back what the trial misses of `X p0`, by the contacts that push.
    fn correct(&mut self, rows: &Rows, p: &[f64]) {
        self.vectors.clear();
        for &i in &self.pushing {
            self.vectors.extend_from_slice(rows.vector(i));
        }
        let found = self.pushing.len();
        self.orthogonal.decompose(&self.vectors, rows.n(), found);
        let lacking: Vec<f64> = p.iter().zip(&self.trial).map(|(a, b)| a - b).collect();
        rows.sum(&lacking, &mut self.effect);
        self.drive.clear();
        self.drive.resize(found, 0.0);
        self.orthogonal.least_norm(&self.effect, &mut self.drive);
        for (&i, x) in self.pushing.iter().zip(&self.drive) {
            self.trial[i] = (self.trial[i] + x).max(0.0);
        }
    }

    /// Drops from `closed` the contacts whose impulse is zero in the whole set.
    fn drop_always_zero(&mut self, rows: &Rows, p: &[f64]) {
        let largest = p.iter().fold(0.0f64, |most, x| most.max(*x));
        let is_positive = |i: &usize| p[*i] > Self::ZERO_TOLERANCE * largest;
        let signs: Vec<bool> = self.closed.iter().map(is_positive).collect();
        self.vectors.clear();
        for &i in &self.closed {
            self.vectors.extend_from_slice(rows.vector(i));
        }
        let mut is_lifted = liftable(&self.vectors, rows.n(), &signs).into_iter();
        self.closed.retain(|_| is_lifted.next() == Some(true));
    }

    /// The directions found, over all contacts; an impulse they touch is not unique.
    fn spread(&mut self, k: usize) {
        let f = self.closed.len();
        if f == 0 {
            return;
        }
        for column in self.null.chunks_exact(f) {
            let start = self.directions.len();
            self.directions.resize(start + k, 0.0);
            for (&i, x) in self.closed.iter().zip(column) {
                self.directions[start + i] = *x;
            }
        }
        for (a, &i) in self.closed.iter().enumerate() {
            self.unique[i] = self.orthogonal.is_unique(a);
        }
    }
}

/// Takes out what is round-off beside `size`: a contact whose impulse is zero in every share must not
/// seem to take part by 1e-17.
fn clean(numbers: &mut [f64], size: f64) {
    let is_round_off = |x: &&mut f64| x.abs() <= Sharing::ELEMENT_NOISE * size;
    numbers
        .iter_mut()
        .filter(is_round_off)
        .for_each(|x| *x = 0.0);
}
