//! What a solved simultaneous impact says: impulses, velocities, works, determinacy.

use carom_numeric::dot;
use carom_numeric::orthogonal::{length, project_out};
use carom_numeric::singular::singular_values;

use super::super::result::Determinacy;
use super::super::{ImpactInputError, Law, Outcome};
use super::{Closing, Simultaneous, SimultaneousEnd};
use crate::contact_space::ContactSpace;
use crate::impact::PointImpactError;

impl Simultaneous {
    /// Brings the impulses back to their units, with velocities, works and the balance of energy.
    pub(super) fn finish(
        &mut self,
        closing: &Closing<'_>,
        law: Law,
        outcome: Outcome,
    ) -> Result<SimultaneousEnd, ImpactInputError> {
        let k = closing.rows.len();
        let is_one = matches!(outcome, Outcome::Solved | Outcome::NoImpact);
        self.is_known = is_one && !self.is_unsettled;
        let has_phases = law == Law::Poisson;
        self.after(closing);
        self.works.clear();
        let mut energy_scale = 0.0f64;
        for i in 0..k {
            let (before, after) = (closing.v_n[i], self.v_post[i]);
            let (p, p_comp) = (self.impulses[i], self.impulses_comp[i]);
            // Kelvin: the work of an impulse is its product with the mean velocity, phase by phase.
            let halves = match has_phases {
                true => {
                    let v_comp = self.v_comp[i];
                    let rest = p - p_comp;
                    [
                        p_comp * before,
                        p_comp * v_comp,
                        rest * v_comp,
                        rest * after,
                    ]
                }
                false => [p * before, p * after, 0.0, 0.0],
            };
            energy_scale = halves.iter().fold(energy_scale, |a, b| a.max(b.abs()));
            self.works.push(0.5 * halves.iter().sum::<f64>());
        }
        let energy_change: f64 = self.works.iter().sum();
        let numbers = self.v_post.iter().chain(&self.impulses);
        let sum: f64 = numbers.map(|x| x.abs()).sum();
        if !(sum + energy_scale + energy_change.abs()).is_finite() {
            let source = PointImpactError::Overflow;
            return Err(ImpactInputError::Impact { contact: 0, source });
        }
        if self.miss > Self::COMPLEMENTARITY_TOLERANCE {
            return Err(self.unfinished(law));
        }
        Ok(SimultaneousEnd {
            law,
            outcome,
            rank: self.rows.rank(),
            is_shared: self.unique.iter().any(|is_unique| !is_unique),
            is_least_norm: self.is_least_norm,
            energy_change: energy_change + 0.0,
            energy_scale,
            energy_gain: energy_change > Self::ENERGY_TOLERANCE * energy_scale,
            complementarity: self.miss,
        })
    }

    /// Impulses and velocities at greatest compression and at the end, in the units given.
    fn after(&mut self, closing: &Closing<'_>) {
        let compression = (&self.p_comp, &self.motion_comp);
        let stages = [
            (compression, &mut self.impulses_comp, &mut self.v_comp),
            (
                (&self.p, &self.motion),
                &mut self.impulses,
                &mut self.v_post,
            ),
        ];
        for ((p, motion), impulses, velocities) in stages {
            impulses.clear();
            velocities.clear();
            for (i, v_n) in closing.v_n.iter().enumerate() {
                let size = self.rows.size(i);
                impulses.push(p[i] / size);
                velocities.push(v_n + size * dot(self.rows.vector(i), motion));
            }
        }
    }

    /// Normal impulse of each contact on A (N·s); of the last solve that has an end.
    pub fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// What the impulses do to the mechanism, in the space of its whitened rows.
    pub(in super::super) fn motion(&self) -> &[f64] {
        &self.motion
    }

    /// Normal velocity of each contact after (m/s).
    pub fn v_post(&self) -> &[f64] {
        &self.v_post
    }

    /// Impulses and normal velocities at greatest compression; meaningful for Poisson's law.
    pub fn compression(&self) -> (&[f64], &[f64]) {
        (&self.impulses_comp, &self.v_comp)
    }

    /// Work of each contact (J); they add up to the energy change.
    pub fn works(&self) -> &[f64] {
        &self.works
    }

    /// Whether each impulse is unique.
    pub fn impulses_unique(&self) -> &[bool] {
        &self.unique
    }

    /// After `Infeasible` or `Jammed`: impulses `y >= 0` that move nothing and still gain on the
    /// contacts, `W y = 0` with `yᵀ(v⁻ + K v⁻) < 0` (jam: `yᵀv⁻ < 0`), largest one: the proof. Else
    /// zeros.
    pub fn opposed(&self) -> Vec<f64> {
        let plain = self.ray.iter().enumerate();
        let plain: Vec<f64> = plain.map(|(i, y)| y / self.rows.size(i)).collect();
        let largest = plain.iter().fold(0.0f64, |most, y| most.max(y.abs()));
        let share = |y: f64| if largest > 0.0 { y / largest } else { 0.0 };
        plain.into_iter().map(share).collect()
    }

    /// Rank, null space, uniqueness and condition of the last solve, of the contacts it was given.
    pub fn determinacy(&self, closing: &Closing<'_>, end: &SimultaneousEnd) -> Determinacy {
        let asked = closing.v_n.iter().zip(closing.restitution);
        let asked = asked.map(|(v, e)| if *v < 0.0 { v + e * v } else { *v });
        self.determined(&asked.collect::<Vec<f64>>(), end)
    }

    /// The same after [`Simultaneous::solve_linear`]: K at every contact.
    pub fn linear_determinacy(&self, closing: &Closing<'_>, end: &SimultaneousEnd) -> Determinacy {
        let asked = closing.v_n.iter().zip(closing.restitution);
        let asked = asked.map(|(v, e)| v + e * v);
        self.determined(&asked.collect::<Vec<f64>>(), end)
    }

    /// Rank, null space and condition of contacts, without solving them.
    pub(in super::super) fn look(
        &mut self,
        space: &ContactSpace,
        closing: &Closing<'_>,
        law: Law,
    ) -> Result<Determinacy, ImpactInputError> {
        closing.check(space)?;
        self.start(space, closing);
        let end = SimultaneousEnd::without(law, Outcome::Solved, self.rows.rank());
        Ok(self.determinacy(closing, &end))
    }

    /// Whether it is not settled that the velocities of the last solve are those of every share.
    pub(in super::super) fn is_unsettled(&self) -> bool {
        self.is_unsettled
    }

    /// Whether the last solve has one velocity after.
    pub(in super::super) fn velocity_is_known(&self) -> bool {
        self.is_known
    }

    fn determined(&self, asked: &[f64], end: &SimultaneousEnd) -> Determinacy {
        let null_space = self.null_space();
        let parts = null_space.iter().map(|z| dot(z, asked));
        Determinacy {
            rank: end.rank,
            velocity_unique: matches!(end.outcome, Outcome::Solved | Outcome::NoImpact)
                && !self.is_unsettled,
            impulses_unique: self.unique.clone(),
            compatibility_residual: parts.map(|x| x * x).sum::<f64>().sqrt(),
            condition: self.condition(),
            null_space,
        }
    }

    /// Orthonormal basis of the impulses (N·s) that move nothing.
    fn null_space(&self) -> Vec<Vec<f64>> {
        let k = self.v.len();
        let mut flat: Vec<f64> = Vec::new();
        for scaled in self.rows.null().chunks_exact(k.max(1)) {
            let plain = scaled.iter().enumerate();
            let mut column: Vec<f64> = plain.map(|(i, x)| x / self.rows.size(i)).collect();
            for _ in 0..2 {
                let size = length(&column);
                column.iter_mut().for_each(|x| *x /= size);
                project_out(&mut column, &flat);
            }
            let size = length(&column);
            flat.extend(column.iter().map(|x| x / size + 0.0));
        }
        flat.chunks_exact(k.max(1)).map(<[f64]>::to_vec).collect()
    }

    /// Condition number of W: the squared ratio of the singular values of `L⁻¹ Jᵀ`.
    fn condition(&self) -> Option<f64> {
        let k = self.v.len();
        if self.rows.rank() < k || k == 0 {
            return None;
        }
        let rows = (0..k).flat_map(|i| {
            let size = self.rows.size(i);
            self.rows.vector(i).iter().map(move |x| x * size)
        });
        let values = singular_values(&mut rows.collect::<Vec<_>>(), self.rows.n());
        let (small, large) = values
            .iter()
            .fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
        let ratio = large / small;
        Some(ratio * ratio).filter(|x| x.is_finite())
    }
}
