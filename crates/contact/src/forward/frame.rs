//! The unknowns in which a problem has no units.

use carom_numeric::{Cholesky, dot, orthogonal};

use super::error::ForwardInputError;
use super::problem::ForwardProblem;

/// Scaled unknowns z: accelerations by `q̈ = q̈_0 + s L⁻ᵀ z` with `A = L Lᵀ`, forces by `λ = s z/ω`.
///
/// `ω = √(J A⁻¹ Jᵀ)` of each contact row and s, the size of what drives the problem, take out the units of
/// rows, masses and time; L those of the coordinates, and their choice: other coordinates turn z and
/// change no length.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// s.
    pub(super) scale: f64,
    /// `√A_ii` of each coordinate.
    pub(super) root: Vec<f64>,
    /// ω of each contact row, normal and tangent by turns; 1 for a row that nothing moves.
    pub(super) omega: Vec<f64>,
    /// `L⁻¹Jᵀ/ω` of each: of length one, or zero.
    pub(super) unit_rows: Vec<Vec<f64>>,
    /// Whether z = 0 is the motion without contact forces.
    pub(super) starts_free: bool,
    /// q̈_0: with contacts alone what they do not push, `A⁻¹(τ − b)`; else zero.
    pub(super) origin: Vec<f64>,
    /// `A⁻¹(τ − b)`.
    pub(super) free: Vec<f64>,
    /// `s L⁻ᵀ`, row by row.
    back: Vec<f64>,
    /// L, row by row.
    lower: Vec<Vec<f64>>,
    factor: Cholesky,
}

/// A component of a row in the unknowns that is below this fraction of its terms is round-off.
const NO_COMPONENT: f64 = 1e-13;

impl Frame {
    pub(super) fn new(problem: &ForwardProblem) -> Result<Self, ForwardInputError> {
        let n = problem.coordinates();
        let mut factor = Cholesky::new();
        factor
            .factor(&problem.inertia.concat(), n)
            .map_err(ForwardInputError::NotPositiveDefinite)?;
        let pairs = problem.force.iter().zip(&problem.bias);
        let mut drive: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
        factor.solve_lower(&mut drive);
        let mut free = drive.clone();
        factor.solve_lower_transposed(&mut free);
        let root: Vec<f64> = (0..n).map(|i| problem.inertia[i][i].sqrt()).collect();
        let lower = lower(problem, &factor);
        let rows = contact_rows(problem, &lower).into_iter();
        let (omega, unit_rows): (Vec<f64>, Vec<Vec<f64>>) = rows.unzip();
        let starts_free = problem.friction.is_empty();
        let pushed = if starts_free {
            0.0
        } else {
            orthogonal::length(&drive)
        };
        let scale = scale(problem, pushed, &root, &omega);
        Ok(Self {
            scale,
            root,
            omega,
            unit_rows,
            starts_free,
            origin: match starts_free {
                true => free.clone(),
                false => vec![0.0; n],
            },
            free,
            back: back(&factor, n, scale),
            lower,
            factor,
        })
    }

    /// Number of coordinates.
    pub(super) fn n(&self) -> usize {
        self.root.len()
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.root.len() + self.omega.len()
    }

    /// A row over accelerations as one over z.
    pub(super) fn over_unknowns(&self, row: &[f64]) -> Vec<f64> {
        let mut x = freed(&self.lower, row);
        x.iter_mut().for_each(|x| *x *= self.scale);
        x
    }

    /// `L_i`: the row of coordinate i of the inertia over z, divided by s.
    pub(super) fn inertia_row(&self, i: usize) -> Vec<f64> {
        self.lower[i].clone()
    }

    /// A row over z as one over accelerations: `z = Lᵀ(q̈ − q̈_0)/s`.
    pub(super) fn over_accelerations(&self, row: &[f64]) -> Vec<f64> {
        let along = |own: &Vec<f64>| dot(own, &row[..self.n()]) / self.scale;
        self.lower.iter().map(along).collect()
    }

    /// An acceleration of contact row r, normal and tangent by turns, as large as the problem makes them.
    pub(super) fn contact_acceleration(&self, r: usize) -> f64 {
        self.omega[r] * self.scale
    }

    /// `A⁻¹ x`.
    pub(super) fn response(&self, x: &[f64]) -> Vec<f64> {
        let mut y = x.to_vec();
        self.factor.solve_lower(&mut y);
        self.factor.solve_lower_transposed(&mut y);
        y
    }

    /// A force from its unknown: `λ = s z/ω`.
    pub(super) fn force(&self, j: usize, z: f64) -> f64 {
        z * self.scale / self.omega[j - self.n()] + 0.0
    }

    /// Change of the accelerations along z, and the size of its terms.
    pub(super) fn turned(&self, z: &[f64]) -> Vec<(f64, f64)> {
        let n = self.n();
        let sum = |row: &[f64]| {
            let terms = row.iter().zip(z).map(|(a, b)| a * b);
            terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + f64::abs(x)))
        };
        self.back.chunks_exact(n).map(sum).collect()
    }

    /// Size of the accelerations that unknowns of these sizes can make.
    pub(super) fn spread(&self, sizes: &[f64]) -> Vec<f64> {
        let rows = self.back.chunks_exact(self.n());
        let reach = |row: &[f64]| row.iter().zip(sizes).map(|(a, b)| a.abs() * b).sum();
        rows.map(reach).collect()
    }

    /// Accelerations at z, each with the size of its terms.
    pub(super) fn accelerations(&self, z: &[f64]) -> Vec<(f64, f64)> {
        let pairs = self.turned(z).into_iter().zip(&self.origin);
        pairs
            .map(|((x, size), q)| (x + q, size + q.abs()))
            .collect()
    }

    /// `∏ L_ii`.
    pub(super) fn root_of_determinant(&self) -> f64 {
        (0..self.n()).map(|i| self.lower[i][i]).product()
    }
}

/// L, row by row: `L⁻¹ A e_i = Lᵀ e_i`.
fn lower(problem: &ForwardProblem, factor: &Cholesky) -> Vec<Vec<f64>> {
    let own = |(i, row): (usize, &Vec<f64>)| {
        let mut x = row.clone();
        factor.solve_lower(&mut x);
        x[i + 1..].fill(0.0);
        x
    };
    problem.inertia.iter().enumerate().map(own).collect()
}

/// `L⁻¹ x`, components that are round-off of their terms zero.
fn freed(lower: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    let (mut y, mut sizes) = (Vec::with_capacity(x.len()), Vec::with_capacity(x.len()));
    for (i, row) in lower.iter().enumerate() {
        let (mut sum, mut size) = (x[i], x[i].abs());
        for (j, l) in row[..i].iter().enumerate() {
            sum -= l * y[j];
            size += l.abs() * sizes[j];
        }
        let is_some = f64::abs(sum) > NO_COMPONENT * size;
        y.push(if is_some { sum / row[i] } else { 0.0 });
        sizes.push(size / row[i]);
    }
    y
}

/// ω of each contact row and the row itself in units of it.
fn contact_rows(problem: &ForwardProblem, lower: &[Vec<f64>]) -> Vec<(f64, Vec<f64>)> {
    let n = problem.coordinates();
    let measure = |row: Option<&Vec<f64>>| {
        let mut x = row.map_or_else(|| vec![0.0; n], |row| freed(lower, row));
        let omega = match orthogonal::length(&x) {
            size if size > 0.0 => size,
            _ => 1.0,
        };
        x.iter_mut().for_each(|x| *x /= omega);
        (omega, x)
    };
    let contacts = problem.contacts.iter();
    contacts
        .flat_map(|c| [measure(Some(&c.normal)), measure(c.tangent.as_ref())])
        .collect()
}

/// What drives the problem, as accelerations times the root of an inertia: `pushed`, the drift of its
/// contacts and the friction of constant loads. 1 where nothing does.
fn scale(problem: &ForwardProblem, pushed: f64, root: &[f64], omega: &[f64]) -> f64 {
    let loads = problem.load_offset.iter().zip(&problem.friction).zip(root);
    let held = loads.map(|((d, given), root)| given.mu_s * d.abs() / root);
    let drifts = problem.contacts.iter().flat_map(|c| c.drift).zip(omega);
    let moved = drifts.map(|(drift, omega)| drift.abs() / omega);
    match moved.chain(held).fold(pushed, f64::max) {
        size if size > 0.0 => size,
        _ => 1.0,
    }
}

fn back(factor: &Cholesky, n: usize, scale: f64) -> Vec<f64> {
    let mut back = vec![0.0; n * n];
    for j in 0..n {
        let mut column = vec![0.0; n];
        column[j] = scale;
        factor.solve_lower_transposed(&mut column);
        for (i, x) in column.into_iter().enumerate() {
            back[i * n + j] = x;
        }
    }
    back
}
