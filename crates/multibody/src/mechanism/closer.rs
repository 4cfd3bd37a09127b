//! Takes states back to where constraints hold.

use super::{Dynamics, MotionFault};
use crate::dynamics::State;
use crate::loops::{ConstraintRows, ConstraintSolver};

/// The constraint of a state that is broken most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Open {
    /// Its place among the constraints.
    pub constraint: usize,
    /// By how much (m or rad; of a rate, per second).
    pub value: f64,
    /// By how much it may be, in the same unit.
    pub allowed: f64,
    /// Whether its rate is what is broken.
    pub is_rate: bool,
}

impl Open {
    /// Whether it is broken by more than it may be; an undefined residual is.
    pub fn is_open(&self) -> bool {
        !(self.value.abs() <= self.allowed)
    }

    /// The one that is broken more, as measured by what is allowed.
    fn worse(self, other: Self) -> Self {
        let is_worse = other.value.abs() * self.allowed > self.value.abs() * other.allowed;
        if is_worse { other } else { self }
    }
}

/// What the change of a state is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Metric {
    /// The mass matrix.
    Mass,
    /// Every coordinate by its size, lengths by the extent of the mechanism.
    Plain,
}

/// Work arrays to close the constraints of a mechanism by Newton's method.
///
/// ```text
/// G δ = −g,   q ← q ⊕ δ        then        G Δv = −(G v + drift)
/// ```
///
/// with the least δ and Δv. Constraints that repeat others do no harm.
#[derive(Debug, Clone, Default)]
pub struct Closer {
    solver: ConstraintSolver,
    change: Vec<f64>,
    rate: Vec<f64>,
    best: Vec<f64>,
    /// What positions and rates are measured by, per unit of time.
    sizes: [Vec<f64>; 2],
}

/// Newton steps from the end of a step of an integrator; one does nearly always, more where constraints contradict
/// each other.
const SETTLING: usize = 32;
/// A Newton step that leaves more than this part of what was broken gains nothing.
const LEAST_GAIN: f64 = 0.5;
/// Newton steps from a start, and halvings of each.
const ASSEMBLING: usize = 100;
const HALVINGS: usize = 30;
/// A residual below this part of the terms it is made of, or of the largest position, is round-off.
const RESIDUAL_ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// Round-off of the residual of a constraint.
fn round_off(rows: &ConstraintRows, k: usize, far: f64) -> f64 {
    let term = rows.terms.get(k).copied().unwrap_or(0.0);
    RESIDUAL_ROUND_OFF * term.max(far * rows.size(k))
}

fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |most: f64, x| {
        if x.is_nan() {
            f64::NAN
        } else {
            most.max(x.abs())
        }
    })
}

impl Closer {
    /// Residuals within which constraints hold: a distance as a part of the extent of the mechanism, an
    /// angle (rad), the rate of either as a part of the largest rate, so measured.
    pub const TOLERANCE: f64 = 1e-10;

    /// The constraint, or rate of one, that is broken most, positions first where neither counts more.
    pub fn worst<M: Dynamics + ?Sized>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
    ) -> Option<Open> {
        self.measure(mechanism);
        mechanism.constraint_rows(state, self.solver.rows_mut());
        let (rows, far, fastest) = (self.solver.rows(), self.far(state.q), self.fastest(state.v));
        let position = |k: usize| Open {
            constraint: k,
            value: rows.value[k],
            allowed: Self::TOLERANCE * rows.size(k) + round_off(rows, k, far),
            is_rate: false,
        };
        let rate = |k: usize| Open {
            constraint: k,
            value: rows.rate(k, state.v),
            allowed: Self::TOLERANCE * rows.size(k) * fastest,
            is_rate: true,
        };
        let all = 0..rows.count();
        let position = all.clone().map(position).reduce(Open::worse)?;
        let rate = all.map(rate).reduce(Open::worse)?;
        // A rate means little where the loop is open.
        match position.is_open() {
            true => Some(position),
            false => Some(position.worse(rate)),
        }
    }

    /// Asks a mechanism what its coordinates are measured by.
    fn measure<M: Dynamics + ?Sized>(&mut self, mechanism: &M) {
        let extent = mechanism.extent();
        let length = if extent > 0.0 { extent } else { 1.0 };
        let [q, v] = &mut self.sizes;
        q.resize(mechanism.positions(), 1.0);
        v.resize(mechanism.rates(), 1.0);
        mechanism.sizes(length, 1.0, q, v);
    }

    /// Largest position over its size, or 1.
    fn far(&self, q: &[f64]) -> f64 {
        let positions = q.iter().zip(&self.sizes[0]);
        largest(positions.map(|(x, size)| x / size)).max(1.0)
    }

    /// Largest rate over its size, prescribed ones included (1/s).
    fn fastest(&self, v: &[f64]) -> f64 {
        let rows = self.solver.rows();
        let free = v.iter().zip(&self.sizes[1]).map(|(x, size)| x / size);
        let drift = rows.drift.iter().enumerate();
        let moved = drift.map(|(k, drift)| drift / rows.size(k));
        largest(free.chain(moved))
    }

    /// Takes a state that is off by the error of a step back to the constraints, least in the norm of
    /// the mass matrix. A state that cannot be improved is left as it is.
    pub fn settle<M: Dynamics + ?Sized>(
        &mut self,
        mechanism: &mut M,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) {
        self.measure(mechanism);
        let far = self.far(q);
        let mut last = f64::INFINITY;
        for _ in 0..SETTLING {
            if self
                .look(mechanism, State::new(t, q, v), Metric::Mass)
                .is_err()
            {
                return;
            }
            let broken = largest(self.residuals());
            if self.is_round_off(far) {
                break;
            }
            // Constraints that contradict each other are left as broken as they are: a state taken nearer to them
            // again and again would wander. Written so that an undefined residual counts as worse.
            if last.is_finite() && !(broken < LEAST_GAIN * last) {
                q.copy_from_slice(&self.best);
                if self
                    .look(mechanism, State::new(t, q, v), Metric::Mass)
                    .is_err()
                {
                    return;
                }
                break;
            }
            last = broken;
            self.best.clear();
            self.best.extend_from_slice(q);
            self.step(mechanism, t, q, 1.0);
        }
        self.settle_rates(v);
    }

    /// The constraints at the state last looked at, factored.
    pub fn solver(&self) -> &ConstraintSolver {
        &self.solver
    }

    /// Looks at a state where the constraints hold, for [`Closer::solver`]; false where its mass matrix
    /// is singular.
    pub fn see<M: Dynamics + ?Sized>(&mut self, mechanism: &mut M, state: State<'_>) -> bool {
        self.look(mechanism, state, Metric::Mass).is_ok()
    }

    /// Solves for a state in which the constraints hold, from one nearby, with the least change of
    /// positions and then of rates; the constraint that stays broken where none is found.
    pub fn assemble<M: Dynamics + ?Sized>(
        &mut self,
        mechanism: &mut M,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), Open> {
        self.measure(mechanism);
        let far = self.far(q);
        for _ in 0..ASSEMBLING {
            if self
                .look(mechanism, State::new(t, q, v), Metric::Plain)
                .is_err()
            {
                break;
            }
            let broken = self.merit();
            if self.is_round_off(far) || !self.descend(mechanism, t, q, v, broken) {
                break;
            }
        }
        if self
            .look(mechanism, State::new(t, q, v), Metric::Plain)
            .is_ok()
        {
            self.settle_rates(v);
        }
        match self.worst(mechanism, State::new(t, q, v)) {
            Some(open) if open.is_open() => Err(open),
            _ => Ok(()),
        }
    }

    /// A Newton step, halved until it brings the constraints closer; whether one did.
    fn descend<M: Dynamics + ?Sized>(
        &mut self,
        mechanism: &mut M,
        t: f64,
        q: &mut [f64],
        v: &[f64],
        broken: f64,
    ) -> bool {
        self.best.clear();
        self.best.extend_from_slice(q);
        self.correct_positions();
        let mut part = 1.0;
        for _ in 0..HALVINGS {
            self.shift(mechanism, t, q, part);
            mechanism.constraint_rows(State::new(t, q, v), self.solver.rows_mut());
            if self.merit() < broken {
                return true;
            }
            q.copy_from_slice(&self.best);
            part *= 0.5;
        }
        false
    }

    /// Residuals over their sizes.
    fn residuals(&self) -> impl Iterator<Item = f64> + '_ {
        let rows = self.solver.rows();
        (0..rows.count()).map(|k| rows.value[k] / rows.size(k))
    }

    /// Whether every residual is round-off; an undefined one is not.
    fn is_round_off(&self, far: f64) -> bool {
        let rows = self.solver.rows();
        (0..rows.count()).all(|k| rows.value[k].abs() <= round_off(rows, k, far))
    }

    /// Length of the residuals together.
    fn merit(&self) -> f64 {
        self.residuals().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// Rows and mass at a state, factored.
    fn look<M: Dynamics + ?Sized>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
        metric: Metric,
    ) -> Result<(), MotionFault> {
        let n = state.v.len();
        let matrix = self.solver.matrix(n);
        match metric {
            Metric::Mass => mechanism.mass(state, matrix),
            Metric::Plain => {
                matrix.fill(0.0);
                let diagonal = matrix.iter_mut().step_by(n + 1).zip(&self.sizes[1]);
                diagonal.for_each(|(x, size)| *x = 1.0 / (size * size));
            }
        }
        mechanism.constraint_rows(state, self.solver.rows_mut());
        self.solver.factor().map_err(MotionFault::Mass)
    }

    fn step<M: Dynamics + ?Sized>(&mut self, mechanism: &mut M, t: f64, q: &mut [f64], part: f64) {
        self.correct_positions();
        self.shift(mechanism, t, q, part);
    }

    fn correct_positions(&mut self) {
        self.change.resize(self.solver.rates(), 0.0);
        self.solver
            .correct(|rows, k| rows.value[k], &mut self.change);
    }

    /// `q ⊕ part δ`: along the rate of change of the positions, then back to a placement.
    fn shift<M: Dynamics + ?Sized>(&mut self, mechanism: &mut M, t: f64, q: &mut [f64], part: f64) {
        self.rate.resize(q.len(), 0.0);
        let v = &self.change;
        mechanism.position_rate(State::new(t, q, v), &mut self.rate);
        for (x, rate) in q.iter_mut().zip(&self.rate) {
            *x += part * rate;
        }
        mechanism.normalise(q);
    }

    /// Least change of the rates that stops the constraints, of the last look.
    fn settle_rates(&mut self, v: &mut [f64]) {
        self.change.resize(v.len(), 0.0);
        self.solver
            .correct(|rows, k| rows.rate(k, v), &mut self.change);
        for (x, change) in v.iter_mut().zip(&self.change) {
            *x += change;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One coordinate held by `∛q = 0`, which Newton's step takes from q to −2q.
    struct CubeRoot;

    impl Dynamics for CubeRoot {
        fn rates(&self) -> usize {
            1
        }

        fn positions(&self) -> usize {
            1
        }

        fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
            out[0] = 1.0;
        }

        fn bias(&mut self, _: State<'_>, out: &mut [f64]) {
            out[0] = 0.0;
        }

        fn position_rate(&mut self, state: State<'_>, out: &mut [f64]) {
            out[0] = state.v[0];
        }

        fn constraints(&self) -> usize {
            1
        }

        fn constraint_rows(&mut self, state: State<'_>, out: &mut ConstraintRows) {
            let root = state.q[0].cbrt();
            out.reset(1, 1);
            out.rows[0] = 1.0 / (3.0 * root * root);
            out.value[0] = root;
        }
    }

    /// The last step of the settling was once kept though it had moved the state away.
    #[test]
    fn a_state_that_no_step_brings_closer_stays_where_it_is() {
        let (mut q, mut v) = ([1e-3], [0.5]);
        Closer::default().settle(&mut CubeRoot, 0.0, &mut q, &mut v);
        assert_eq!(q, [1e-3]);
        assert!(v[0].abs() < 1e-15, "the constraint holds the rate: {v:?}");
    }
}
