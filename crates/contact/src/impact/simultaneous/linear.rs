//! Newton's ratio at every contact, whether it pushes or pulls.

use carom_numeric::dot;
use carom_numeric::orthogonal::length;

use super::{Closing, Simultaneous, SimultaneousEnd};
use crate::impact::{ImpactInputError, Law, Outcome};
use crate::space::ContactSpace;

impl Simultaneous {
    /// Solves `W P = −(1 + K) v⁻`, the linear law: K at every contact, impulses of either sign.
    ///
    /// With a singular W it has a solution exactly when `zᵀ K v⁻ = 0` for every z that moves nothing;
    /// velocities are then unique and the impulses given have least norm. Otherwise it is
    /// `Infeasible`, and [`Simultaneous::opposed`] is the z of the contradiction. Without an
    /// approaching contact there is no impact.
    ///
    /// # Panics
    ///
    /// When there is no such row, or the lists differ in length.
    pub fn solve_linear(
        &mut self,
        space: &ContactSpace,
        closing: &Closing<'_>,
    ) -> Result<SimultaneousEnd, ImpactInputError> {
        closing.check(space)?;
        self.start(space, closing);
        if closing.v_n.iter().all(|v| *v >= 0.0) {
            return self.finish(closing, Law::Newton, Outcome::NoImpact);
        }
        self.q.clear();
        let asked = self.v.iter().zip(closing.restitution);
        self.q.extend(asked.map(|(v, e)| v + e * v));
        if self.contradicts() {
            self.unique.fill(false);
            let (law, rank) = (Law::Newton, self.rows.rank());
            return Ok(SimultaneousEnd::without(law, Outcome::Infeasible, rank));
        }
        self.take_least_norm(closing);
        self.finish(closing, Law::Newton, Outcome::Solved)
    }

    /// Whether the velocities asked contradict the null space; the contradiction stays in `ray`.
    fn contradicts(&mut self) -> bool {
        let k = self.q.len();
        self.ray.fill(0.0);
        for z in self.rows.null().chunks_exact(k) {
            let along = dot(z, &self.q);
            self.ray
                .iter_mut()
                .zip(z)
                .for_each(|(a, b)| *a += along * b);
        }
        let is_open = length(&self.ray) > ContactSpace::DRIFT_TOLERANCE * length(&self.q);
        if !is_open {
            self.ray.fill(0.0);
        }
        is_open
    }

    /// `Xᵀ d = −q`, then `X P = d`, each by least norm, in the units given.
    fn take_least_norm(&mut self, closing: &Closing<'_>) {
        let (n, k) = (self.rows.n(), closing.rows.len());
        let rows = &self.rows;
        let plain = (0..k).flat_map(|i| rows.vector(i).iter().map(move |x| x * rows.size(i)));
        self.directions.clear();
        self.directions.extend(plain);
        self.plain.decompose(&self.directions, n, k);
        self.returned.clear();
        let asked = self.q.iter().enumerate();
        self.returned
            .extend(asked.map(|(i, q)| -q * self.rows.size(i)));
        self.jump.clear();
        self.jump.resize(n, 0.0);
        self.plain
            .least_norm_transposed(&self.returned, &mut self.jump);
        self.plain.least_norm(&self.jump, &mut self.p);
        for (i, p) in self.p.iter_mut().enumerate() {
            *p *= self.rows.size(i);
            self.unique[i] = self.plain.is_unique(i);
        }
        self.directions.clear();
        self.shares.extend_from_slice(self.rows.null());
    }

    /// `‖W^(−½) K W^(½)‖₂`: the linear law is dissipative for every approach exactly when it is at
    /// most one (always so for equal coefficients). None for a singular W.
    pub fn kinetic_norm(&self, restitution: &[f64]) -> Option<f64> {
        self.rows.kinetic_norm(restitution)
    }

    /// Directions along which the impulses of the last solve may change (N·s), over the contacts;
    /// none where every impulse is unique.
    pub fn shares(&self) -> Vec<Vec<f64>> {
        let k = self.v.len().max(1);
        let plain = |scaled: &[f64]| {
            let numbers = scaled.iter().enumerate();
            numbers.map(|(i, x)| x / self.rows.size(i)).collect()
        };
        self.shares.chunks_exact(k).map(plain).collect()
    }
}
