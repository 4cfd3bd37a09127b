//! Rates that closed contacts allow, from rates they do not.

use carom_multibody::State;
use carom_multibody::mechanism::{Mechanism, MotionFault};

use super::{Held, Sustained};

impl Sustained {
    /// Takes off the rates what they have along the rows of the closed contacts, by impulses along the
    /// columns of force: a pull of `−v_n/W` where a contact slides on, with its share of friction.
    pub(crate) fn stop<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        state: State<'_>,
    ) -> Result<Vec<f64>, MotionFault> {
        let n = state.v.len();
        let mut spare = vec![0.0; n];
        self.accelerate(mechanism, state, &mut spare)?;
        self.bias.clear();
        self.bias.extend_from_slice(&self.closures.drift);
        for (i, held) in self.held.iter().enumerate() {
            let drift = self.rows.drift(i).velocity;
            let parts = [drift.n, drift.t[0]];
            self.bias.extend_from_slice(&parts[..Held::rows(held)]);
        }
        // Lᵀ v = L⁻¹ M v
        let rows = self.mass.chunks_exact(n.max(1));
        let mut whitened: Vec<f64> = rows.map(|row| carom_numeric::dot(row, state.v)).collect();
        self.factor.solve_lower(&mut whitened);
        self.share(&whitened);
        for (column, p) in self.along.chunks_exact(n.max(1)).zip(&self.multipliers) {
            let pairs = whitened.iter_mut().zip(column);
            pairs.for_each(|(x, c)| *x += c * p);
        }
        self.factor.solve_lower_transposed(&mut whitened);
        Ok(whitened)
    }
}
