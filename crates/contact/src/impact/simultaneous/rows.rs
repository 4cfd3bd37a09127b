//! The normal rows of several contacts, each scaled to length one.

use carom_numeric::orthogonal::{length, project_out};
use carom_numeric::{CompleteOrthogonal, dot};

use crate::contact_space::{ContactSpace, TIE};

/// Whitened normal rows `x = L⁻¹ Jᵀ` as unit vectors with their lengths.
///
/// In impulses `|x| p` and velocities `v/|x|` the matrix W has a unit diagonal, whatever the units
/// of a row. A row that nothing moves (`x = 0`) keeps the length one.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    n: usize,
    size: Vec<f64>,
    vectors: Vec<f64>,
    w: Vec<f64>,
    whole: CompleteOrthogonal,
    null: Vec<f64>,
}

impl Rows {
    /// Takes the rows `which` of a space.
    pub(super) fn take(&mut self, space: &ContactSpace, which: &[usize]) {
        let k = which.len();
        self.n = space.coordinates();
        self.size.clear();
        self.vectors.clear();
        for &row in which {
            let x = space.vector(row);
            let size = match length(x) {
                0.0 => 1.0,
                size => size,
            };
            self.size.push(size);
            self.vectors.extend(x.iter().map(|a| a / size));
        }
        self.w.clear();
        self.w.resize(k * k, 0.0);
        for i in 0..k {
            for j in 0..=i {
                let element = dot(self.vector(i), self.vector(j));
                (self.w[i * k + j], self.w[j * k + i]) = (element, element);
            }
        }
        self.whole.decompose(&self.vectors, self.n, k);
        self.whole.null_space(&mut self.null);
    }

    /// Number of coordinates.
    pub(super) fn n(&self) -> usize {
        self.n
    }

    /// Unit vector of row `i`, or zero.
    pub(super) fn vector(&self, i: usize) -> &[f64] {
        &self.vectors[i * self.n..(i + 1) * self.n]
    }

    /// The unit vectors, one after another.
    pub(super) fn vectors(&self) -> &[f64] {
        &self.vectors
    }

    /// The least motion with which the rows have velocities nearest to `v`; how far they miss them.
    pub(super) fn motion_with(&self, v: &[f64], motion: &mut [f64]) -> f64 {
        self.whole.least_norm_transposed(v, motion);
        let misses = v.iter().enumerate();
        let misses = misses.map(|(i, v)| (dot(self.vector(i), motion) - v).powi(2));
        misses.sum::<f64>().sqrt()
    }

    /// The least scaled impulses with the effect `motion`.
    pub(super) fn impulses_for(&self, motion: &[f64], p: &mut [f64]) {
        self.whole.least_norm(motion, p);
    }

    /// Whether impulse `i` is the same in all that have one effect, whatever their signs.
    pub(super) fn is_unique(&self, i: usize) -> bool {
        self.whole.is_unique(i)
    }

    /// Length of row `i` (kg^-1/2); one where it is zero.
    pub(super) fn size(&self, i: usize) -> f64 {
        self.size[i]
    }

    /// Scaled Delassus matrix, k × k.
    pub(super) fn w(&self) -> &[f64] {
        &self.w
    }

    /// Rank of W.
    pub(super) fn rank(&self) -> usize {
        self.whole.rank()
    }

    /// Orthonormal basis of the scaled impulses that move nothing.
    pub(super) fn null(&self) -> &[f64] {
        &self.null
    }

    /// Velocities of dependent rows are dependent alike, up to round-off and drift: what `v` has in
    /// the null space of W is removed where it is small. A constraint that really moves, or a
    /// prescribed motion, keeps it.
    pub(super) fn remove_drift(&self, v: &mut [f64]) {
        let parts = self.null.chunks_exact(v.len().max(1)).map(|z| dot(z, v));
        let drift = parts.map(|x| x * x).sum::<f64>().sqrt();
        if drift <= ContactSpace::DRIFT_TOLERANCE * length(v) {
            project_out(v, &self.null);
        }
    }

    /// `|C⁻¹ K C|` with `W = C Cᵀ`; none for a singular W. The scales of the rows cancel.
    pub(super) fn kinetic_norm(&self, restitution: &[f64]) -> Option<f64> {
        self.whole.similar_norm(restitution)
    }

    /// `X p`: what a scaled impulse does to the mechanism, into `out`.
    pub(super) fn sum(&self, p: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.n, 0.0);
        for (vector, p_i) in self.vectors.chunks_exact(self.n).zip(p) {
            for (a, b) in out.iter_mut().zip(vector) {
                *a += p_i * b;
            }
        }
    }

    /// Velocities of all rows after what impulses did to the mechanism.
    pub(super) fn velocities(&self, v: &[f64], jump: &[f64]) -> Vec<f64> {
        let pairs = v.iter().enumerate();
        pairs.map(|(i, v)| v + dot(self.vector(i), jump)).collect()
    }

    /// Sizes of the terms that make up the velocity of row `i` after what impulses did.
    pub(super) fn terms(&self, i: usize, jump: &[f64]) -> f64 {
        let pairs = self.vector(i).iter().zip(jump);
        pairs.map(|(x, j)| (x * j).abs()).sum()
    }

    /// `|X (a − b)|` beside `|X b|`, less the round-off of the sums.
    pub(super) fn differ(&self, a: &[f64], b: &[f64]) -> f64 {
        let square = |p: &dyn Fn(usize) -> f64| -> f64 {
            let component = |c: usize| -> f64 {
                let terms = self.vectors.chunks_exact(self.n).enumerate();
                terms.map(|(i, x)| x[c] * p(i)).sum()
            };
            (0..self.n).map(|c| component(c).powi(2)).sum()
        };
        let (miss, scale) = (square(&|i| a[i] - b[i]).sqrt(), square(&|i| b[i]).sqrt());
        let terms: f64 = a.iter().chain(b).map(|x| x.abs()).sum();
        let round_off = TIE * self.n as f64 * terms;
        match miss <= round_off {
            true => 0.0,
            false => miss / scale,
        }
    }
}
