//! Linear complementarity by Lemke's method with lexicographic pivoting.

#[cfg(test)]
mod tests;

/// Solver of `w = M z + q, w >= 0, z >= 0, zᵀw = 0`, reusable for problems of any size.
///
/// An artificial variable `z0` makes the start feasible, `w = M z + q + z0`; complementary pivots
/// drive it out. Ties of the ratio test are broken lexicographically, so that no basis comes twice.
/// For M positive semidefinite (copositive-plus) the end is a solution or a ray, and a ray proves
/// that there is no solution.
///
/// Rows and columns are scaled alike, by powers of two, to a diagonal near one, and `q` to a
/// largest element near one: tolerances do not depend on units. Buffers are kept: problems of one
/// size allocate once.
///
/// Reference: `CottlePangStone2009`.
#[derive(Debug, Clone, Default)]
pub struct Lemke {
    n: usize,
    /// `B⁻¹ (I, −M, −1, q)`, n rows of 2n + 2, in scaled units.
    tableau: Vec<f64>,
    /// Variable of each row: `i` is `w_i`, `n + i` is `z_i`, `2n` is `z0`.
    basis: Vec<usize>,
    scale: Vec<f64>,
    unit: f64,
    pivot_row: Vec<f64>,
    residual: Vec<f64>,
    w: Vec<f64>,
    z: Vec<f64>,
    ray: Vec<f64>,
    pivots: usize,
}

/// How a complementarity problem ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LemkeEnd {
    /// [`Lemke::z`] and [`Lemke::w`] solve the problem.
    Solved,
    /// No pivot bounds the entering variable. For M positive semidefinite there is no solution, and
    /// `y = ` [`Lemke::ray`] proves it: `y >= 0`, `M y = 0`, `qᵀy < 0`.
    Ray,
    /// The pivots allowed ([`Lemke::pivot_limit`]) were used up.
    PivotLimit,
    /// An element of M or q, or a product of them, is infinite or not a number.
    NotFinite,
}

impl Lemke {
    /// An element of the entering column counts as positive above this fraction of the largest one,
    /// or of one (the scaled diagonal).
    pub const PIVOT_TOLERANCE: f64 = 1e-11;

    /// A ray with `z0` below this fraction of the largest element of `q` is round-off: solved.
    pub const FEASIBILITY_TOLERANCE: f64 = 1e-11;

    /// Ratios that differ by less than this fraction of themselves are tied.
    pub const TIE_TOLERANCE: f64 = 1e-14;

    /// An empty solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Pivots allowed for a problem of `n` rows; few problems need more than `3 n`.
    pub fn pivot_limit(n: usize) -> usize {
        100 + 20 * n
    }

    /// Solves the problem of the row-major `n × n` matrix `m` and the vector `q` of length `n`.
    ///
    /// # Panics
    ///
    /// When `m.len() != q.len()²`.
    pub fn solve(&mut self, m: &[f64], q: &[f64]) -> LemkeEnd {
        let n = q.len();
        assert_eq!(m.len(), n * n, "an n × n matrix has n² elements");
        self.start(m, q);
        if !m.iter().chain(q).all(|x| x.is_finite()) {
            return LemkeEnd::NotFinite;
        }
        if q.iter().all(|x| *x >= 0.0) {
            self.w.copy_from_slice(q);
            return LemkeEnd::Solved;
        }
        self.fill(m, q);
        let end = self.follow();
        if end == LemkeEnd::Ray {
            return self.finite(end);
        }
        self.refine(m, q);
        self.read();
        self.finite(end)
    }

    /// Sizes the buffers; no solution, no ray, no pivot.
    fn start(&mut self, m: &[f64], q: &[f64]) {
        let n = q.len();
        self.n = n;
        self.pivots = 0;
        for buffer in [&mut self.w, &mut self.z, &mut self.ray] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.scale.clear();
        self.scale.extend((0..n).map(|i| {
            let row = m[i * n..(i + 1) * n].iter();
            let size = match m[i * n + i] {
                diagonal if diagonal > 0.0 => diagonal,
                _ => row.fold(0.0, |most: f64, x| most.max(x.abs())),
            };
            power_of_two(1.0 / size.sqrt())
        }));
        let sizes = q.iter().zip(&self.scale).map(|(q, s)| (q * s).abs());
        self.unit = power_of_two(sizes.fold(0.0, f64::max));
    }

    /// The first tableau: the basis is w.
    fn fill(&mut self, m: &[f64], q: &[f64]) {
        let n = self.n;
        let width = 2 * n + 2;
        self.tableau.clear();
        self.tableau.resize(n * width, 0.0);
        self.basis.clear();
        self.basis.extend(0..n);
        for (i, row) in self.tableau.chunks_exact_mut(width).enumerate() {
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] = -(self.scale[i] * m[i * n + j] * self.scale[j]);
            }
            row[2 * n] = -1.0;
            row[2 * n + 1] = q[i] * self.scale[i] / self.unit;
        }
    }

    /// Complementary pivots until `z0` leaves, a ray is met or the limit is reached.
    fn follow(&mut self) -> LemkeEnd {
        let artificial = 2 * self.n;
        let mut entering = artificial;
        let mut row = self.first_row();
        loop {
            let leaving = self.basis[row];
            self.pivot(row, entering);
            if leaving == artificial {
                return LemkeEnd::Solved;
            }
            if self.pivots == Self::pivot_limit(self.n) {
                return LemkeEnd::PivotLimit;
            }
            entering = (leaving + self.n) % artificial; // the complement of what left
            match self.blocking_row(entering) {
                Some(next) => row = next,
                None if self.artificial_value() <= Self::FEASIBILITY_TOLERANCE => {
                    return LemkeEnd::Solved;
                }
                None => {
                    self.read_ray(entering);
                    return LemkeEnd::Ray;
                }
            }
        }
    }

    /// Row of the lexicographically least `(q, I)`: the one that keeps all others positive.
    fn first_row(&self) -> usize {
        let q = |i: usize| self.tableau[i * (2 * self.n + 2) + 2 * self.n + 1];
        (1..self.n).fold(0, |least, i| if q(i) <= q(least) { i } else { least })
    }

    /// Lexicographic ratio test: the row that first blocks the entering variable. `z0` leaves
    /// whenever it is among the first.
    fn blocking_row(&self, entering: usize) -> Option<usize> {
        let n = self.n;
        let width = 2 * n + 2;
        let at = |i: usize, j: usize| self.tableau[i * width + j];
        let largest = (0..n).fold(1.0f64, |most, i| most.max(at(i, entering).abs()));
        let floor = Self::PIVOT_TOLERANCE * largest;
        let mut best: Option<usize> = None;
        for i in (0..n).filter(|&i| at(i, entering) > floor) {
            let Some(k) = best else {
                best = Some(i);
                continue;
            };
            let compare = |j: usize| {
                let (a, b) = (at(i, j) / at(i, entering), at(k, j) / at(k, entering));
                let is_tied = (a - b).abs() <= Self::TIE_TOLERANCE * (a.abs() + b.abs());
                if is_tied { 0.0 } else { a - b }
            };
            let mut difference = compare(2 * n + 1);
            if difference == 0.0 && self.basis[k] == 2 * n {
                continue;
            }
            if difference == 0.0 && self.basis[i] == 2 * n {
                difference = -1.0;
            }
            let mut j = 0;
            while difference == 0.0 && j < n {
                difference = compare(j);
                j += 1;
            }
            if difference < 0.0 {
                best = Some(i);
            }
        }
        best
    }

    fn pivot(&mut self, row: usize, entering: usize) {
        let width = 2 * self.n + 2;
        let source = &mut self.tableau[row * width..(row + 1) * width];
        let pivot = source[entering];
        source.iter_mut().for_each(|x| *x /= pivot);
        source[entering] = 1.0;
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(source);
        for (i, target) in self.tableau.chunks_exact_mut(width).enumerate() {
            let factor = target[entering];
            if i == row || factor == 0.0 {
                continue;
            }
            for (x, y) in target.iter_mut().zip(&self.pivot_row) {
                *x -= factor * y;
            }
            target[entering] = 0.0;
        }
        self.basis[row] = entering;
        self.pivots += 1;
    }

    fn artificial_value(&self) -> f64 {
        let row = self.basis.iter().position(|&b| b == 2 * self.n);
        row.map_or(0.0, |i| self.tableau[i * (2 * self.n + 2) + 2 * self.n + 1])
    }

    /// The z part of the direction in which the entering variable grows without bound.
    fn read_ray(&mut self, entering: usize) {
        let n = self.n;
        let column = self
            .tableau
            .chunks_exact(2 * n + 2)
            .map(|row| row[entering]);
        for (variable, x) in self.basis.iter().zip(column) {
            if (n..2 * n).contains(variable) {
                self.ray[variable - n] = not_negative(-x) * self.scale[variable - n];
            }
        }
        if entering >= n {
            self.ray[entering - n] = self.scale[entering - n];
        }
    }

    /// Corrects the basic values by what they miss of `B x = q`, `B⁻¹` being in the tableau.
    fn refine(&mut self, m: &[f64], q: &[f64]) {
        let (n, width) = (self.n, 2 * self.n + 2);
        for _ in 0..REFINEMENTS {
            self.residual.clear();
            for i in 0..n {
                let mut miss = q[i] * self.scale[i] / self.unit;
                for (row, &variable) in self.tableau.chunks_exact(width).zip(&self.basis) {
                    let element = match variable {
                        j if j < n => f64::from(u8::from(i == j)),
                        j if j < 2 * n => -(self.scale[i] * m[i * n + j - n] * self.scale[j - n]),
                        _ => -1.0,
                    };
                    miss -= element * row[width - 1];
                }
                self.residual.push(miss);
            }
            for row in self.tableau.chunks_exact_mut(width) {
                row[width - 1] += crate::dot(&row[..n], &self.residual);
            }
        }
    }

    /// Basic values, in the units given; round-off below zero is zero.
    fn read(&mut self) {
        let (n, width) = (self.n, 2 * self.n + 2);
        for (row, &variable) in self.tableau.chunks_exact(width).zip(&self.basis) {
            let value = not_negative(row[width - 1]) * self.unit;
            match variable {
                j if j < n => self.w[j] = value / self.scale[j],
                j if j < 2 * n => self.z[j - n] = value * self.scale[j - n],
                _ => {}
            }
        }
    }

    /// The end, unless a number of it overflowed; then nothing is left of it.
    fn finite(&mut self, end: LemkeEnd) -> LemkeEnd {
        let mut numbers = self.w.iter().chain(&self.z).chain(&self.ray);
        if numbers.all(|x| x.is_finite()) {
            return end;
        }
        for buffer in [&mut self.w, &mut self.z, &mut self.ray] {
            buffer.fill(0.0);
        }
        LemkeEnd::NotFinite
    }

    /// The solution z; zero before one is found.
    pub fn z(&self) -> &[f64] {
        &self.z
    }

    /// Its slack `w = M z + q`, exactly zero where z is basic.
    pub fn w(&self) -> &[f64] {
        &self.w
    }

    /// After [`LemkeEnd::Ray`]: the direction `y >= 0` that proves it; else zero.
    pub fn ray(&self) -> &[f64] {
        &self.ray
    }

    /// Pivots made.
    pub fn pivots(&self) -> usize {
        self.pivots
    }
}

/// Steps of iterative refinement: the first removes the round-off of the pivots, the second checks.
const REFINEMENTS: usize = 2;

/// The power of two nearest in size to `x > 0`; one where there is none.
fn power_of_two(x: f64) -> f64 {
    let power = x.log2().round().exp2();
    if power.is_normal() { power } else { 1.0 }
}

/// Round-off below zero is zero; a NaN stays one and is found by [`Lemke::finite`].
fn not_negative(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}
