//! Forces and accelerations of free bodies under constraints, as one system.
//!
//! ```text
//! | M  −F | | a |   |  f |
//! | G   0 | | λ | = | −γ |        G a + γ = 0: what the constraints demand of the accelerations
//! ```
//!
//! F is Gᵀ but for contacts that slide, whose normal force brings its friction along. Where rows repeat each other
//! the forces of contacts are the least that do.

use nalgebra::{DMatrix, DVector};

/// A constraint on the accelerations: its row, the force that one unit of its multiplier is, and its drift.
#[derive(Debug, Clone)]
pub struct Constraint {
    pub row: Vec<f64>,
    pub force: Vec<f64>,
    pub drift: f64,
    /// Whether it belongs to a contact, and counts among the forces that are kept least.
    pub is_contact: bool,
}

/// Bodies, what acts on them and what constrains them.
#[derive(Debug, Clone)]
pub struct Balance {
    /// Mass matrix, six rows per body.
    pub mass: DMatrix<f64>,
    pub force: Vec<f64>,
    /// What each acceleration is measured by.
    pub sizes: Vec<f64>,
    pub constraints: Vec<Constraint>,
}

/// Accelerations and multipliers, and which of these are the same in all solutions.
#[derive(Debug, Clone)]
pub struct Balanced {
    pub acceleration: Vec<f64>,
    pub multipliers: Vec<f64>,
    pub is_unique: Vec<bool>,
}

/// Part of the largest singular value below which one is zero.
const RANK: f64 = 1e-10;
/// Times a least solution is refined: that of a decomposition may have lost half of its digits.
const REFINED: usize = 3;
/// Part of a direction in which solutions differ that is none.
const STAYS: f64 = 1e-7;

impl Balance {
    /// Rows and columns of the size of one: the matrix, its right side, and the sizes of the unknowns.
    fn system(&self) -> (DMatrix<f64>, DVector<f64>, Vec<f64>) {
        let (n, m) = (self.force.len(), self.constraints.len());
        let mut sizes = self.sizes.clone();
        for constraint in &self.constraints {
            let terms = constraint.row.iter().zip(&self.sizes);
            let square: f64 = terms.map(|(x, size)| (x * size).powi(2)).sum();
            sizes.push(square.sqrt().recip());
        }
        let mut matrix = DMatrix::zeros(n + m, n + m);
        let mut right = DVector::zeros(n + m);
        matrix.view_mut((0, 0), (n, n)).copy_from(&self.mass);
        right.rows_mut(0, n).copy_from_slice(&self.force);
        for (k, constraint) in self.constraints.iter().enumerate() {
            right[n + k] = -constraint.drift;
            for i in 0..n {
                matrix[(n + k, i)] = constraint.row[i];
                matrix[(i, n + k)] = -constraint.force[i];
            }
        }
        for i in 0..n + m {
            right[i] *= sizes[i];
            for j in 0..n + m {
                matrix[(i, j)] *= sizes[i] * sizes[j];
            }
        }
        (matrix, right, sizes)
    }

    /// The solution; by elimination where it is known to be unique.
    pub fn solve(&self, is_regular: bool) -> Balanced {
        let (matrix, right, sizes) = self.system();
        let n = self.force.len();
        let (answer, directions) = match is_regular {
            true => {
                let factors = matrix.clone().lu();
                let first = factors.solve(&right).unwrap();
                let more = factors.solve(&(&right - &matrix * &first)).unwrap();
                (first + more, DMatrix::zeros(right.len(), 0))
            }
            false => self.least(matrix, &right, &sizes),
        };
        let told = answer.iter().zip(&sizes).map(|(x, size)| x * size);
        let told: Vec<f64> = told.collect();
        let is_unique = |k: usize| directions.row(n + k).iter().all(|x| x.abs() < STAYS);
        Balanced {
            acceleration: told[..n].to_vec(),
            multipliers: told[n..].to_vec(),
            is_unique: (0..self.constraints.len()).map(is_unique).collect(),
        }
    }

    /// Whether there is one solution.
    pub fn is_regular(&self) -> bool {
        let values = self.system().0.singular_values();
        values.min() > RANK * values.max()
    }

    /// Of all solutions that with the least forces of contacts, and the directions in which they differ.
    fn least(
        &self,
        matrix: DMatrix<f64>,
        right: &DVector<f64>,
        sizes: &[f64],
    ) -> (DVector<f64>, DMatrix<f64>) {
        let n = self.force.len();
        let found = matrix.clone().svd(true, true);
        let cut = RANK * found.singular_values.max();
        let mut answer = found.solve(right, cut).unwrap();
        for _ in 0..REFINED {
            answer += found.solve(&(right - &matrix * &answer), cut).unwrap();
        }
        let free = found.singular_values.iter().enumerate();
        let free: Vec<usize> = free.filter(|(_, x)| **x <= cut).map(|(k, _)| k).collect();
        let turned = found.v_t.unwrap().transpose();
        let directions = turned.select_columns(&free);
        let contacts = self.constraints.iter().enumerate();
        let contacts = contacts.filter(|(_, constraint)| constraint.is_contact);
        let rows: Vec<usize> = contacts.map(|(k, _)| n + k).collect();
        if free.is_empty() || rows.is_empty() {
            return (answer, directions);
        }
        let of_forces = |i: usize, j: usize| sizes[rows[i]] * directions[(rows[i], j)];
        let change = DMatrix::from_fn(rows.len(), free.len(), of_forces);
        let now = DVector::from_fn(rows.len(), |i, _| -sizes[rows[i]] * answer[rows[i]]);
        let size = change.norm();
        let best = change.svd(true, true).solve(&now, STAYS * size).unwrap();
        answer += &directions * best;
        (answer, directions)
    }
}
