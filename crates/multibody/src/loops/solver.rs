//! Accelerations, multipliers and corrections under bilateral constraints of any rank.

use carom_numeric::{Cholesky, CompleteOrthogonal, NotPositiveDefinite, dot};

use super::ConstraintRows;

/// Constraints `G v̇ + bias = 0` on `M v̇ + h = Gᵀ λ`, of which some may follow from others.
///
/// With `M = L Lᵀ` and `X = L⁻¹ Gᵀ`
///
/// ```text
/// L⁻¹M v̇ = a + d,   a = −L⁻¹h,   Xᵀ d = −bias − Xᵀ a,   X λ = d
/// ```
///
/// Rows of lengths and of angles are made comparable by their sizes ([`ConstraintRows::sizes`]), so that no
/// answer depends on units. d is unique; where constraints repeat others λ is the least-norm one of many, and
/// [`ConstraintSolver::null_space`] says how it may change. Buffers are kept: solving problems of one
/// size allocates once.
#[derive(Debug, Clone, Default)]
pub struct ConstraintSolver {
    n: usize,
    mass: Vec<f64>,
    rows: ConstraintRows,
    factor: Cholesky,
    /// Constraints to be heeded alone, where `is_chosen`.
    chosen: Vec<usize>,
    is_chosen: bool,
    /// The constraints that are heeded.
    heeded: Vec<usize>,
    whitened: Vec<f64>,
    found: CompleteOrthogonal,
    given: Vec<f64>,
    answer: Vec<f64>,
    right: Vec<f64>,
    least: Vec<f64>,
    multipliers: Vec<f64>,
}

impl ConstraintSolver {
    /// A constraint row whose part beyond the others is below this fraction of it follows from them:
    /// loops that only just close, as within a step, repeat each other no better.
    pub const REPEATED: f64 = 1e-7;

    /// A component of a reaction that changes by less than this part of the largest along every
    /// change of the multipliers that is free is unique; moments count by the extent of the mechanism.
    pub const UNIQUE_TOLERANCE: f64 = 1e-6;

    /// Where the mass matrix of n rates goes.
    pub fn matrix(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.mass.resize(n * n, 0.0);
        &mut self.mass
    }

    /// Count of rates.
    pub fn rates(&self) -> usize {
        self.n
    }

    /// Where the constraints go.
    pub fn rows_mut(&mut self) -> &mut ConstraintRows {
        &mut self.rows
    }

    /// The constraints.
    pub fn rows(&self) -> &ConstraintRows {
        &self.rows
    }

    /// Factors M and G: to be called when both are there, before anything is asked.
    pub fn factor(&mut self) -> Result<(), NotPositiveDefinite> {
        self.factor.factor(&self.mass, self.n)?;
        self.heeded.clear();
        match self.is_chosen {
            true => self.heeded.extend_from_slice(&self.chosen),
            false => self.heeded.extend(0..self.rows.count()),
        }
        self.whitened.clear();
        for k in &self.heeded {
            let row = &self.rows.rows[k * self.n..(k + 1) * self.n];
            let size = self.rows.size(*k);
            self.whitened.extend(row.iter().map(|x| x / size));
        }
        for row in self.whitened.chunks_exact_mut(self.n.max(1)) {
            self.factor.solve_lower(row);
        }
        let tolerance = match self.is_chosen {
            true => CompleteOrthogonal::RANK_TOLERANCE,
            false => Self::REPEATED,
        };
        let m = self.heeded.len();
        self.found
            .decompose_to(tolerance, &self.whitened, self.n, m);
        Ok(())
    }

    /// From here on heeds the constraints alone that `other` found independent of each other; the
    /// multipliers of the rest are zero.
    ///
    /// Where loops are closed the rest follows from these. Between, as at the stages of a step, it
    /// would not quite, and take away freedoms that there are. Fewer than before are not taken: a
    /// configuration in which constraints depend on each other for an instant passes.
    pub fn heed(&mut self, other: &Self) {
        if self.is_chosen && other.rank() < self.chosen.len() {
            return;
        }
        self.is_chosen = true;
        self.chosen.clear();
        let independent = other.found.independent();
        self.chosen.extend(independent.map(|j| other.heeded[j]));
    }

    /// Without a mass matrix that can be factored no multiplier is determined: all are zero.
    pub(crate) fn give_up(&mut self) {
        let (n, m) = (self.n, self.rows.count());
        let mut one = vec![0.0; n * n];
        one.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        self.mass = one;
        self.rows.reset(m, n);
        let _ = self.factor(); // the unit matrix has a factor
    }

    /// Count of constraints that do not follow from the others.
    pub fn rank(&self) -> usize {
        self.found.rank()
    }

    /// Replaces h by the accelerations; the multipliers are then at [`ConstraintSolver::multipliers`].
    ///
    /// # Panics
    ///
    /// When `bias` has not the length of the rates.
    pub fn accelerate(&mut self, bias: &mut [f64]) {
        assert_eq!(bias.len(), self.n, "h has one number per rate");
        bias.iter_mut().for_each(|x| *x = -*x);
        self.factor.solve_lower(bias);
        self.right.clear();
        let rows = self.whitened.chunks_exact(self.n.max(1));
        let missing = rows.zip(&self.heeded);
        let missing = missing.map(|(x, k)| -self.rows.bias[*k] / self.rows.size(*k) - dot(x, bias));
        self.right.extend(missing);
        self.answer.resize(self.n, 0.0);
        self.found
            .least_norm_transposed(&self.right, &mut self.answer);
        self.least.resize(self.heeded.len(), 0.0);
        self.found.least_norm(&self.answer, &mut self.least);
        self.spread();
        for (a, d) in bias.iter_mut().zip(&self.answer) {
            *a += d;
        }
        self.factor.solve_lower_transposed(bias);
    }

    /// Least λ with `Gᵀ λ = force`, as far as constraints can exert it.
    ///
    /// # Panics
    ///
    /// When `force` has not the length of the rates.
    pub fn share(&mut self, force: &[f64]) {
        assert_eq!(force.len(), self.n, "one force per rate");
        self.given.clear();
        self.given.extend_from_slice(force);
        self.factor.solve_lower(&mut self.given);
        self.least.resize(self.heeded.len(), 0.0);
        self.found.least_norm(&self.given, &mut self.least);
        self.spread();
    }

    /// The multipliers of the constraints heeded, among those of all.
    fn spread(&mut self) {
        self.multipliers.clear();
        self.multipliers.resize(self.rows.count(), 0.0);
        for (k, multiplier) in self.heeded.iter().zip(&self.least) {
            self.multipliers[*k] = *multiplier / self.rows.size(*k);
        }
    }

    /// The multipliers last found, one per constraint (N or N·m, or their impulses).
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// Least change of the rates, in the norm of M, that takes `−broken` off the constraints:
    /// `G δ = −broken`, as far as they agree.
    ///
    /// # Panics
    ///
    /// When `change` has not the length of the rates.
    pub fn correct(&mut self, broken: impl Fn(&ConstraintRows, usize) -> f64, change: &mut [f64]) {
        self.right.clear();
        let (heeded, rows) = (self.heeded.iter(), &self.rows);
        let missing = heeded.map(|k| -broken(rows, *k) / rows.size(*k));
        self.right.extend(missing);
        self.found.least_norm_transposed(&self.right, change);
        self.factor.solve_lower_transposed(change);
    }

    /// Directions in which the multipliers of the constraints heeded may change and nothing else does, one
    /// after another; orthonormal when each multiplier is multiplied by the size of its constraint.
    pub fn null_space(&self, out: &mut Vec<f64>) {
        self.found.null_space(out);
        for direction in out.chunks_exact_mut(self.heeded.len().max(1)) {
            for (x, k) in direction.iter_mut().zip(&self.heeded) {
                *x /= self.rows.size(*k);
            }
        }
    }

    /// Whether a multiplier is the same in all answers.
    pub fn is_unique(&self, constraint: usize) -> bool {
        self.found.is_unique(constraint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit mass in the plane, kept on the line x = y by one constraint or by two.
    fn on_a_line(copies: usize) -> ConstraintSolver {
        let mut solver = ConstraintSolver::default();
        solver.matrix(2).copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        let rows = solver.rows_mut();
        rows.reset(copies, 2);
        for row in rows.rows.chunks_exact_mut(2) {
            row.copy_from_slice(&[1.0, -1.0]);
        }
        solver.factor().unwrap();
        solver
    }

    #[test]
    fn a_repeated_constraint_shares_the_force_and_changes_no_acceleration() {
        for copies in [1, 2] {
            let mut solver = on_a_line(copies);
            let mut moved = [-3.0, -1.0];
            solver.accelerate(&mut moved);
            assert_eq!(solver.rank(), 1);
            for a in moved {
                assert!((a - 2.0).abs() < 1e-15, "{moved:?}");
            }
            for multiplier in solver.multipliers() {
                assert!((multiplier + 1.0 / copies as f64).abs() < 1e-15);
            }
            assert_eq!(solver.is_unique(0), copies == 1);
            let mut free = Vec::new();
            solver.null_space(&mut free);
            assert_eq!(free.len(), (copies - 1) * copies);
        }
    }

    #[test]
    fn a_correction_takes_off_what_is_broken_and_no_more() {
        let mut solver = on_a_line(2);
        let mut change = [0.0; 2];
        solver.correct(|_, _| 0.5, &mut change);
        assert!((change[0] + 0.25).abs() < 1e-15 && (change[1] - 0.25).abs() < 1e-15);
    }

    #[test]
    fn a_force_is_shared_as_far_as_constraints_can_exert_it() {
        let mut solver = on_a_line(1);
        solver.share(&[2.0, 0.0]);
        assert!((solver.multipliers()[0] - 1.0).abs() < 1e-15);
        solver.share(&[1.0, 1.0]);
        assert!(solver.multipliers()[0].abs() < 1e-15);
    }
}
