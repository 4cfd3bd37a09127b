//! What the equations of motion ask of a mechanism.

use super::{Closure, Derivative, JointForce, MassSolver, MotionFault};
use crate::dynamics::{Energy, Powers, State};
use crate::loops::ConstraintRows;

/// A quaternion (w, x, y, z) among the positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orientation {
    /// Place of its first number among the positions.
    pub position: usize,
    /// Place of the angular velocity ω that turns it among the rates: `q̇ = ½ ω q`.
    pub rate: usize,
}

/// How a mechanism moves: `M v̇ + h = Jᵀ f`, constraints of its own, energies.
///
/// Only [`rates`](Dynamics::rates), [`mass`](Dynamics::mass) and [`bias`](Dynamics::bias) must be given. Matrices are row
/// by row; slices have the lengths announced. Every question is asked at a state of its own, and its answer must depend on
/// that state only; work arrays belong to the mechanism, hence `&mut self`.
pub trait Dynamics {
    /// Count of degrees of freedom: the length of `v`.
    fn rates(&self) -> usize;

    /// Mass matrix, n × n, symmetric positive definite.
    fn mass(&mut self, state: State<'_>, out: &mut [f64]);

    /// Bias h: everything but `M v̇` and contact forces, on the left.
    fn bias(&mut self, state: State<'_>, out: &mut [f64]);

    /// Length of `q`.
    fn positions(&self) -> usize {
        self.rates()
    }

    /// Rate of change of the positions; `v` itself by default.
    fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(state.v);
    }

    /// Size of what moves and touches (m): shapes, links, radii of gyration; zero where the system does
    /// not know.
    fn extent(&self) -> f64 {
        0.0
    }

    /// What each position and each rate is measured by, given a length (m) and a time (s): for a length
    /// and its rate L and L/T, for an angle or a quaternion 1 and 1/T.
    fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        q.fill(length);
        v.fill(length / time);
    }

    /// Takes positions back to those that mean a placement, as quaternions to unit length; nothing by
    /// default. To be called after a step, or when a state is handed on.
    fn normalise(&mut self, q: &mut [f64]) {
        let _ = q;
    }

    /// Quaternions among the positions that no gap, no force and nothing of the system's own sees, as of a ball about
    /// its centre; none by default, which is always right. One that is named here is integrated as a small turn away
    /// from a steady precession, so that a fast spin costs no steps.
    fn orientations(&self) -> Vec<Orientation> {
        Vec::new()
    }

    /// Accelerations without contact forces; by default `M⁻¹(−h)`, under the constraints where there
    /// are any.
    fn accelerations(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<(), MotionFault> {
        let n = self.rates();
        self.bias(state, out);
        if self.constraints() == 0 {
            self.mass(state, solver.matrix(n));
            return solver.solve(out);
        }
        let closed = &mut solver.closed;
        self.mass(state, closed.matrix(n));
        self.constraint_rows(state, closed.rows_mut());
        closed.factor().map_err(MotionFault::Mass)?;
        closed.accelerate(out);
        Ok(())
    }

    /// Count of bilateral constraints, as of joints that close loops; none by default.
    fn constraints(&self) -> usize {
        0
    }

    /// The constraints by name, in the order of their rows.
    fn closures(&self) -> Vec<Closure> {
        Vec::new()
    }

    /// Residuals, rows, drift and bias of all constraints: `g`, and `g̈ = G v̇ + bias`.
    ///
    /// A system that has constraints gives M and h as without them; accelerations, impacts and what
    /// keeps the constraints in a run follow from the rows.
    fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
        out.reset(0, state.v.len());
    }

    /// Rates of change of positions and rates, in one go.
    fn derivative(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: Derivative<'_>,
    ) -> Result<(), MotionFault> {
        self.position_rate(state, out.q);
        self.accelerations(state, solver, out.v)
    }

    /// Accelerations and the powers beside them, in one go.
    fn motion(
        &mut self,
        state: State<'_>,
        solver: &mut MassSolver,
        out: &mut [f64],
    ) -> Result<Powers, MotionFault> {
        self.accelerations(state, solver, out)?;
        Ok(self.powers(state, out))
    }

    /// Energies; without them there is no ledger.
    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        let _ = state;
        None
    }

    /// Whether [`Dynamics::powers`] is ever other than zero.
    fn does_work(&self) -> bool {
        false
    }

    /// Powers that change the energy between events.
    fn powers(&mut self, state: State<'_>, acceleration: &[f64]) -> Powers {
        let _ = (state, acceleration);
        Powers::default()
    }

    /// Forces through the joints in motion, in the order of [`Drawing::groups`](super::Drawing::groups); none by default.
    fn reactions(&mut self, state: State<'_>, acceleration: &[f64], out: &mut Vec<JointForce>) {
        let _ = (state, acceleration);
        out.clear();
    }
}
