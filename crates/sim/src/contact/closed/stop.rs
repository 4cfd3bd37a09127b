//! Rates that closed contacts allow, from rates they do not, and the work it takes.

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, MotionFault};

use carom_numeric::dot;

use super::Closed;
use crate::contact::way::inner;

impl Closed {
    /// Takes off the rates what they have along the rows of the closed contacts, by impulses along the
    /// columns of force: a pull of `−v_n/W` where a contact slides on, with its share of friction. The
    /// work (J) is that of the contacts; what prescribed motions do is not in it.
    pub(crate) fn stop(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
    ) -> Result<(Vec<f64>, f64), MotionFault> {
        let n = state.v.len();
        let mut spare = vec![0.0; n];
        self.accelerate(mechanism, state, &mut spare)?;
        self.bias.clear();
        self.bias.extend_from_slice(&self.closures.drift);
        for (i, held) in self.held.iter().enumerate() {
            let drift = self.rows.drift(i).velocity;
            let parts = [drift.n, drift.t[0], drift.t[1]];
            self.bias.extend_from_slice(&parts[..1 + held.sticking()]);
            let pivot = self.pivots.row(i).filter(|_| held.is_pivot_held());
            self.bias.extend(pivot.map(|(_, drift)| drift.velocity));
        }
        // Lᵀ v = L⁻¹ M v
        let rows = self.mass.chunks_exact(n.max(1));
        let mut whitened: Vec<f64> = rows.map(|row| dot(row, state.v)).collect();
        self.factor.solve_lower(&mut whitened);
        self.share(&whitened);
        let before = whitened.clone();
        for (column, p) in self.along.chunks_exact(n.max(1)).zip(&self.multipliers) {
            let pairs = whitened.iter_mut().zip(column);
            pairs.for_each(|(x, c)| *x += c * p);
        }
        let work = self.impulse_work(&before, &whitened);
        self.factor.solve_lower_transposed(&mut whitened);
        Ok((whitened, work))
    }

    /// Work of the impulses between whitened rates: each times the mean velocity along it.
    fn impulse_work(&self, before: &[f64], after: &[f64]) -> f64 {
        let n = before.len().max(1);
        let mut drifts = self.closures.drift.clone();
        for (i, held) in self.held.iter().enumerate() {
            let drift = self.rows.drift(i).velocity;
            let pivot = self.pivots.row(i).map(|(_, drift)| drift.velocity);
            let turned = held.mode.pivot_sense() * pivot.unwrap_or(0.0);
            drifts.push(drift.n - held.mu_d * (inner(self.ways[i], drift.t) + turned));
            drifts.extend_from_slice(&drift.t[..held.sticking()]);
            drifts.extend(pivot.filter(|_| held.is_pivot_held()));
        }
        let columns = self.along.chunks_exact(n).zip(&self.multipliers);
        let works = columns.zip(drifts).map(|((column, p), drift)| {
            let mean = 0.5 * (dot(column, before) + dot(column, after));
            p * (mean + drift)
        });
        works.sum()
    }
}
