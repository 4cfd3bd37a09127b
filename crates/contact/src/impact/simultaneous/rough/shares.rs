//! The set of shares of one combination of modes: a polyhedron in the null space of its equations.

use carom_numeric::orthogonal::length;
use carom_numeric::{CompleteOrthogonal, Lemke, LemkeEnd, dot};

use super::super::choices::Choices;

/// A condition with a gradient below this fraction of its own is not touched.
const TOUCHED: f64 = 1e-9;

/// A condition is tight, and a direction lifts it, beyond this fraction.
const TIGHT: f64 = 1e-10;

/// Corners are looked for among at most so many meetings of conditions.
const MEETING_LIMIT: usize = 2000;

/// `{ c : g·c + value >= 0 }`, c the coordinates in the null space.
pub(super) struct Shares {
    dimension: usize,
    faces: Vec<Face>,
}

/// One condition: gradient of length one, value at c = 0, size of what counts as zero.
struct Face {
    g: Vec<f64>,
    value: f64,
    slack: f64,
}

impl Shares {
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            faces: Vec::new(),
        }
    }

    /// Adds a condition, unless the null space does not touch it; `whole` is the size of its gradient
    /// outside the null space too.
    pub(super) fn add(&mut self, mut g: Vec<f64>, value: f64, whole: f64, slack: f64) {
        let size = length(&g);
        if size <= TOUCHED * whole {
            return;
        }
        g.iter_mut().for_each(|x| *x /= size);
        self.faces.push(Face {
            g,
            value: value / size,
            slack: slack / size,
        });
    }

    fn value(&self, face: &Face, c: &[f64]) -> f64 {
        face.value + dot(&face.g, c)
    }

    /// Products of the gradients of some faces.
    fn gram(&self, which: &[usize]) -> Vec<f64> {
        let g = |i: usize| &self.faces[i].g;
        let pairs = which
            .iter()
            .flat_map(|i| which.iter().map(move |j| (*i, *j)));
        pairs.map(|(i, j)| dot(g(i), g(j))).collect()
    }

    fn sum(&self, which: &[usize], weights: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.dimension];
        for (i, weight) in which.iter().zip(weights) {
            let parts = sum.iter_mut().zip(&self.faces[*i].g);
            parts.for_each(|(a, b)| *a += weight * b);
        }
        sum
    }

    /// The member of least norm: its multipliers solve a complementarity problem. None where the set
    /// is empty.
    pub(super) fn least_norm(&self) -> Option<Vec<f64>> {
        let all: Vec<usize> = (0..self.faces.len()).collect();
        let values = self.faces.iter().map(|f| f.value + 0.01 * f.slack);
        let values: Vec<f64> = values.collect();
        let mut lemke = Lemke::new();
        let end = lemke.solve(&self.gram(&all), &values);
        (end == LemkeEnd::Solved).then(|| self.sum(&all, lemke.z()))
    }

    /// Orthonormal directions along which the set extends from a member `c`.
    ///
    /// A face that is tight is kept as an equation unless some direction of the set lifts it: the
    /// projection of all their gradients on the cone of directions tells which are lifted.
    pub(super) fn open_directions(&self, c: &[f64]) -> Vec<f64> {
        let is_tight = |i: &usize| self.value(&self.faces[*i], c) <= self.faces[*i].slack;
        let mut tight: Vec<usize> = (0..self.faces.len()).filter(is_tight).collect();
        while !tight.is_empty() {
            let gram = self.gram(&tight);
            let sums = gram.chunks_exact(tight.len()).map(|row| row.iter().sum());
            let sums: Vec<f64> = sums.collect();
            let mut lemke = Lemke::new();
            if lemke.solve(&gram, &sums) != LemkeEnd::Solved {
                break;
            }
            let kept = tight.iter().zip(lemke.w()).filter(|(_, w)| **w <= TIGHT);
            let kept: Vec<usize> = kept.map(|(i, _)| *i).collect();
            if kept.len() == tight.len() {
                break;
            }
            tight = kept;
        }
        // Columns of the matrix are the coordinates, its rows the faces kept.
        let columns = (0..self.dimension).flat_map(|c| {
            let faces = &self.faces;
            tight.iter().map(move |i| faces[*i].g[c])
        });
        let columns: Vec<f64> = columns.collect();
        let (mut factor, mut free) = (CompleteOrthogonal::new(), Vec::new());
        factor.decompose(&columns, tight.len(), self.dimension);
        factor.null_space(&mut free);
        free
    }

    /// A direction in which the set has no end, of length one.
    pub(super) fn recession(&self) -> Option<Vec<f64>> {
        let all: Vec<usize> = (0..self.faces.len()).collect();
        let gram = self.gram(&all);
        let sums = gram
            .chunks_exact(all.len().max(1))
            .map(|row| row.iter().sum());
        let sums: Vec<f64> = sums.collect();
        let mut lemke = Lemke::new();
        if lemke.solve(&gram, &sums) != LemkeEnd::Solved {
            return None;
        }
        let weights: Vec<f64> = lemke.z().iter().map(|z| 1.0 + z).collect();
        let mut direction = self.sum(&all, &weights);
        let size = length(&direction);
        direction.iter_mut().for_each(|x| *x /= size);
        (size > TIGHT).then_some(direction)
    }

    /// The corners of the set: where as many faces meet as it has dimensions. None where there are too
    /// many to try.
    pub(super) fn corners(&self) -> Vec<Vec<f64>> {
        let (m, d) = (self.faces.len(), self.dimension);
        let mut corners: Vec<Vec<f64>> = Vec::new();
        if d == 0 || d > m || Choices::number(m, d) > MEETING_LIMIT {
            return corners;
        }
        for corner in Choices::new(m, d).filter_map(|which| self.corner(&which)) {
            let is_new = |known: &Vec<f64>| {
                let apart = known.iter().zip(&corner).map(|(a, b)| (a - b).abs());
                apart.fold(0.0, f64::max) > TOUCHED * (length(known) + length(&corner))
            };
            if corners.iter().all(is_new) {
                corners.push(corner);
            }
        }
        corners
    }

    /// Where the faces `which` meet, if that breaks no other.
    fn corner(&self, which: &[usize]) -> Option<Vec<f64>> {
        let d = self.dimension;
        let columns = (0..d).flat_map(|c| which.iter().map(move |i| (*i, c)));
        let columns: Vec<f64> = columns.map(|(i, c)| self.faces[i].g[c]).collect();
        let wanted: Vec<f64> = which.iter().map(|i| -self.faces[*i].value).collect();
        let (mut factor, mut c) = (CompleteOrthogonal::new(), vec![0.0; d]);
        factor.decompose(&columns, d, d);
        if factor.rank() < d {
            return None;
        }
        factor.least_norm(&wanted, &mut c);
        let far = length(&c);
        let holds = |f: &Face| {
            let round_off = TIGHT * (f.value.abs() + far);
            self.value(f, &c) >= -(f.slack + round_off)
        };
        self.faces.iter().all(holds).then_some(c)
    }
}
