//! Newton's ratio at every contact, whether it pushes or pulls.

use carom_numeric::dot;
use carom_numeric::orthogonal::length;

use super::{Closing, Simultaneous, SimultaneousEnd};
use crate::contact_space::ContactSpace;
use crate::impact::{ImpactInputError, Law, Outcome};

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
        self.motion.clone_from(&self.jump);
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

    /// `Xᵀ d = −q`, then `X P = d` in scaled units; of all P with that effect the one of least norm (N·s).
    fn take_least_norm(&mut self, closing: &Closing<'_>) {
        let k = closing.rows.len();
        self.returned.clear();
        self.returned.extend(self.q.iter().map(|q| -q));
        self.jump.clear();
        self.jump.resize(self.rows.n(), 0.0);
        self.rows.motion_with(&self.returned, &mut self.jump);
        self.rows.impulses_for(&self.jump, &mut self.p);
        let plain = |x: &[f64]| -> Vec<f64> {
            let numbers = x.iter().enumerate();
            numbers.map(|(i, x)| x / self.rows.size(i)).collect()
        };
        let null = self.rows.null();
        let columns: Vec<f64> = null.chunks_exact(k).flat_map(plain).collect();
        let mut parts = vec![0.0; null.len() / k];
        self.plain.decompose(&columns, k, parts.len());
        self.plain.least_norm(&plain(&self.p), &mut parts);
        for (z, part) in null.chunks_exact(k).zip(&parts) {
            self.p.iter_mut().zip(z).for_each(|(p, z)| *p -= part * z);
        }
        let largest = self.p.iter().fold(0.0f64, |most, p| most.max(p.abs()));
        let round_off = |p: &&mut f64| p.abs() <= Self::VELOCITY_NOISE * largest;
        self.p.iter_mut().filter(round_off).for_each(|p| *p = 0.0);
        for (i, is_unique) in self.unique.iter_mut().enumerate() {
            *is_unique = self.rows.is_unique(i);
        }
        self.shares.extend_from_slice(self.rows.null());
    }

    /// Contacts at which the last solve pulls, beyond round-off.
    pub(in super::super) fn pulling(&self) -> Vec<usize> {
        let largest = self.p.iter().fold(0.0f64, |most, p| most.max(p.abs()));
        let floor = -Self::CLOSED_TOLERANCE * largest;
        (0..self.p.len()).filter(|i| self.p[*i] < floor).collect()
    }

    /// Contacts that still approach after the last solve, beyond round-off.
    pub(in super::super) fn left_approaching(&self) -> Vec<usize> {
        let floor = -Self::CLOSED_TOLERANCE * self.speed;
        let after = self.v_post.iter().enumerate();
        let left = after.filter(|(i, v)| **v / self.rows.size(*i) < floor);
        left.map(|(i, _)| i).collect()
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
