//! Consistent pieces, and when two of them are one answer.

use super::continuum::Continuum;

/// A consistent piece before answers on shared faces are merged.
pub(super) struct Candidate {
    pub(super) z: Vec<f64>,
    pub(super) path: Vec<usize>,
    pub(super) branches: Vec<usize>,
    pub(super) is_tight: Vec<bool>,
    pub(super) determinant: Option<f64>,
    pub(super) forces_unique: bool,
}

impl Candidate {
    /// Two pieces share an answer on a face: wherever they differ, both are tight.
    pub(super) fn meets(&self, other: &Self, size: f64) -> bool {
        (0..self.path.len()).all(|e| {
            let is_one = self.path[e] == other.path[e] && self.branches[e] == other.branches[e];
            is_one || (self.is_tight[e] && other.is_tight[e])
        }) && self.is_near(other, size)
    }

    /// One acceleration, whatever the modes and however contact forces are shared.
    pub(super) fn is_one_motion(&self, other: &Self, n: usize, size: f64) -> bool {
        let is_sure = self.determinant.is_some() && other.determinant.is_some();
        let fraction = if is_sure { SAME_MOTION } else { SAME_SHARED };
        self.is_within(fraction, other, n, size)
    }

    fn is_within(&self, fraction: f64, other: &Self, n: usize, size: f64) -> bool {
        let room = fraction * self.scale(other, size);
        let mut pairs = self.z[..n].iter().zip(&other.z);
        pairs.all(|(a, b)| (a - b).abs() <= room)
    }

    /// Of two pieces with one motion as far as dependent rows let it be known, the one without such
    /// rows is the exact one.
    pub(super) fn is_exact_beside(&self, other: &Self, n: usize, size: f64) -> bool {
        self.determinant.is_some()
            && other.determinant.is_none()
            && !self.is_within(SAME_MOTION, other, n, size)
    }

    /// Size of the unknowns: theirs, or `size`, what the forces of the problem could make.
    fn scale(&self, other: &Self, size: f64) -> f64 {
        let all = self.z.iter().chain(&other.z);
        all.fold(size, |most, x| most.max(x.abs()))
    }

    /// One acceleration and the same contact forces.
    pub(super) fn is_near(&self, other: &Self, size: f64) -> bool {
        let scale = self.scale(other, size);
        let mut pairs = self.z.iter().zip(&other.z);
        pairs.all(|(a, b)| (a - b).abs() <= MERGE * scale)
    }
}

/// Accelerations that differ by less than this fraction of the unknowns are one.
const SAME_MOTION: f64 = 1e-12;

/// The same where a piece has dependent rows: its motion is known as well as they depend on each other.
const SAME_SHARED: f64 = 1e-9;

/// Answers of pieces that meet on a face are one when they differ by less than this.
const MERGE: f64 = 1e-7;

/// Whether two pieces found one family.
pub(super) fn is_same(a: &Continuum, b: &Continuum) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= MERGE * (1.0 + x.abs() + y.abs());
    let same = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| near(*x, *y));
    let bound = |x: Option<f64>, y: Option<f64>| match (x, y) {
        (Some(x), Some(y)) => near(x, y),
        (None, None) => true,
        _ => false,
    };
    a.dimension == b.dimension
        && same(&a.point, &b.point)
        && a.direction
            .iter()
            .zip(&b.direction)
            .all(|(x, y)| same(x, y))
        && a.bounds
            .iter()
            .zip(&b.bounds)
            .all(|(x, y)| bound(x[0], y[0]) && bound(x[1], y[1]))
}

/// Order of answers: by the first acceleration that differs.
pub(super) fn lexicographic(a: &[f64], b: &[f64]) -> std::cmp::Ordering {
    let unequal = a.iter().zip(b).map(|(x, y)| x.total_cmp(y));
    unequal.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}
