//! The set of shares of one combination of modes: a polyhedron in the null space of its equations.

use carom_numeric::orthogonal::{length, project_out};
use carom_numeric::{
    CompleteOrthogonal, Distance, LeastDistance, Lemke, LemkeEnd, NonNegative, dot,
};

use super::super::choices::Choices;

/// A condition with a gradient below this fraction of its own is not touched.
const TOUCHED: f64 = 1e-9;

/// A condition is tight, and a direction lifts it, beyond this fraction.
const TIGHT: f64 = 1e-10;

/// A member may stand outside a face by this part of what counts as zero there.
const INSIDE: f64 = 0.01;

/// More faces than this are met by pivots, which cost less and prove less.
const CROWD: usize = 48;

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

    fn gradients(&self, which: impl Iterator<Item = usize>) -> Vec<f64> {
        let all = which.flat_map(|i| &self.faces[i].g);
        all.copied().collect()
    }

    fn holds(&self, c: &[f64]) -> bool {
        let is_met = |f: &Face| self.value(f, c) >= -f.slack;
        self.faces.iter().all(is_met)
    }

    /// The member nearest to zero, or none where the set is empty. `weigh` maps c to a vector whose length
    /// is to be least, column by column, and `start` is that vector at c = 0.
    pub(super) fn least_norm(&self, weigh: &[f64], start: &[f64]) -> Option<Vec<f64>> {
        let all = 0..self.faces.len();
        let values = self.faces.iter().map(|f| f.value + INSIDE * f.slack);
        let q: Vec<f64> = values.collect();
        let plain = nearest(&self.gradients(all), self.dimension, &q)?;
        let weighed = self.least_weighed(weigh, start);
        Some(weighed.filter(|c| self.holds(c)).unwrap_or(plain))
    }

    /// With `R` the triangle of the weights (`weigh = B R`, B orthonormal) the length is that of
    /// `u = R c + Bᵀ start`, and the faces are those of u.
    fn least_weighed(&self, weigh: &[f64], start: &[f64]) -> Option<Vec<f64>> {
        let (d, m) = (self.dimension, start.len());
        let (mut basis, mut r) = (weigh.to_vec(), vec![0.0; d * d]);
        for j in 0..d {
            let (known, rest) = basis.split_at_mut(j * m);
            let column = &mut rest[..m];
            let whole = column.to_vec();
            project_out(column, known);
            let size = length(column);
            if size == 0.0 {
                return None;
            }
            column.iter_mut().for_each(|x| *x /= size);
            for i in 0..=j {
                r[i * d + j] = dot(&basis[i * m..(i + 1) * m], &whole);
            }
        }
        let shift: Vec<f64> = basis.chunks_exact(m).map(|b| dot(b, start)).collect();
        let (mut gradients, mut q) = (Vec::new(), Vec::new());
        for face in &self.faces {
            // g R⁻¹ by forward substitution.
            let mut g = face.g.clone();
            for j in 0..d {
                let known: f64 = (0..j).map(|i| g[i] * r[i * d + j]).sum();
                g[j] = (g[j] - known) / r[j * d + j];
            }
            let size = length(&g);
            q.push((face.value + INSIDE * face.slack - dot(&g, &shift)) / size);
            gradients.extend(g.iter().map(|x| x / size));
        }
        let u = nearest(&gradients, d, &q)?;
        let mut c: Vec<f64> = u.iter().zip(&shift).map(|(u, s)| u - s).collect();
        for i in (0..d).rev() {
            let known: f64 = (i + 1..d).map(|j| r[i * d + j] * c[j]).sum();
            c[i] = (c[i] - known) / r[i * d + i];
        }
        c.iter().all(|x| x.is_finite()).then_some(c)
    }

    /// Orthonormal directions along which the set extends from a member `c`.
    ///
    /// A face that is tight is kept as an equation where its opposite is a sum of tight faces: no direction
    /// of the set lifts it.
    pub(super) fn open_directions(&self, c: &[f64]) -> Vec<f64> {
        let is_tight = |i: &usize| self.value(&self.faces[*i], c) <= self.faces[*i].slack;
        let tight: Vec<usize> = (0..self.faces.len()).filter(is_tight).collect();
        let kept = match tight.len() <= CROWD {
            true => self.never_lifted(&tight),
            false => self.not_lifted_at_once(tight),
        };
        // Columns of the matrix are the coordinates, its rows the faces kept.
        let columns = (0..self.dimension).flat_map(|c| {
            let faces = &self.faces;
            kept.iter().map(move |i| faces[*i].g[c])
        });
        let columns: Vec<f64> = columns.collect();
        let (mut factor, mut free) = (CompleteOrthogonal::new(), Vec::new());
        factor.decompose(&columns, kept.len(), self.dimension);
        factor.null_space(&mut free);
        free
    }

    /// Faces whose opposite is a sum of the others.
    fn never_lifted(&self, tight: &[usize]) -> Vec<usize> {
        let mut solver = NonNegative::default();
        let mut is_kept = |i: &usize| {
            let others = self.gradients(tight.iter().copied().filter(|j| j != i));
            let mut weights = vec![0.0; tight.len() - 1];
            solver.reaches(&others, &self.faces[*i].g, &mut weights)
        };
        tight.iter().copied().filter(|i| is_kept(i)).collect()
    }

    /// The same for a crowd: the projection of all gradients on the cone of directions tells which faces
    /// are lifted.
    fn not_lifted_at_once(&self, mut tight: Vec<usize>) -> Vec<usize> {
        while !tight.is_empty() {
            let gram = gram(&self.gradients(tight.iter().copied()), self.dimension);
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
        tight
    }

    /// A direction in which the set has no end, of length one: what the faces leave of the sum of their
    /// gradients.
    pub(super) fn recession(&self) -> Option<Vec<f64>> {
        let all = self.gradients(0..self.faces.len());
        let mut sum = vec![0.0; self.dimension];
        for g in all.chunks_exact(self.dimension.max(1)) {
            sum.iter_mut().zip(g).for_each(|(a, b)| *a += b);
        }
        let mut weights = vec![0.0; self.faces.len()];
        if weights.len() <= CROWD {
            NonNegative::default().solve(&all, &sum, &mut weights);
        } else {
            let mut lemke = Lemke::new();
            let gram = gram(&all, self.dimension);
            let drive: Vec<f64> = gram
                .chunks_exact(weights.len())
                .map(|row| row.iter().sum())
                .collect();
            if lemke.solve(&gram, &drive) != LemkeEnd::Solved {
                return None;
            }
            weights.copy_from_slice(lemke.z());
        }
        let mut terms = length(&sum);
        for (g, weight) in all.chunks_exact(self.dimension.max(1)).zip(&weights) {
            sum.iter_mut().zip(g).for_each(|(a, b)| *a += weight * b);
            terms += weight;
        }
        let size = length(&sum);
        sum.iter_mut().for_each(|x| *x /= size);
        (size > TIGHT * terms).then_some(sum)
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

/// The shortest vector that keeps every face, gradients of length d one after another; by pivots where
/// they are a crowd.
fn nearest(gradients: &[f64], d: usize, q: &[f64]) -> Option<Vec<f64>> {
    if q.len() <= CROWD {
        let mut solver = LeastDistance::default();
        let end = solver.solve(gradients, d, q);
        return (end == Distance::Found).then(|| solver.u().to_vec());
    }
    let mut lemke = Lemke::new();
    if lemke.solve(&gram(gradients, d), q) != LemkeEnd::Solved {
        return None;
    }
    let mut sum = vec![0.0; d];
    for (g, z) in gradients.chunks_exact(d).zip(lemke.z()) {
        sum.iter_mut().zip(g).for_each(|(a, b)| *a += z * b);
    }
    Some(sum)
}

/// Products of gradients of length d.
fn gram(gradients: &[f64], d: usize) -> Vec<f64> {
    let all = || gradients.chunks_exact(d.max(1));
    all().flat_map(|a| all().map(move |b| dot(a, b))).collect()
}
