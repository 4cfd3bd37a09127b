//! A problem stated in contact space: nothing to bring back to coordinates.

use std::borrow::Cow;

use super::super::{ContactSpaceProblem, PointImpactError};
use super::sides::one;
use super::{Balance, ImpactInputError, Moved, Prepared, Residuals, ratio};

impl Prepared<'_> {
    /// Checks a problem stated in contact space and factors its Delassus matrix.
    pub fn stated(problem: &ContactSpaceProblem) -> Result<Prepared<'static>, ImpactInputError> {
        let space = problem.space()?;
        let contacts = problem.contacts_alone()?;
        let impact = match &contacts.contacts[..] {
            [contact] => Some(one(&space, contact)?),
            _ => None,
        };
        Ok(Prepared {
            problem: Cow::Owned(contacts),
            space,
            mass: Vec::new(),
            rows: Vec::new(),
            joints: Vec::new(),
            impact,
        })
    }

    /// Whether there are no coordinates: the problem was stated in contact space.
    pub(super) fn is_stated(&self) -> bool {
        self.problem.velocity.is_empty()
    }

    /// Velocity after; without coordinates an empty one, whatever became of the impact.
    pub(super) fn velocity_after(&self, moved: Option<Moved>) -> Option<Vec<f64>> {
        match self.is_stated() {
            true => Some(Vec::new()),
            false => moved.map(|moved| moved.velocity),
        }
    }

    /// How well `v⁺ = v⁻ + W p` and `ΔT = pᵀ(v⁻ + v⁺)/2` close at the contacts.
    pub(super) fn stated_move(
        &self,
        p: &[f64],
        end: &Balance<'_>,
    ) -> Result<Moved, ImpactInputError> {
        let (mut momentum, mut energy, mut scale) = (0.0f64, 0.0, end.energy_scale);
        for (row, p_row) in p.iter().enumerate() {
            let before = self.space.v(row);
            let gains = p.iter().enumerate().map(|(j, p)| self.space.w(row, j) * p);
            let (sum, terms) = gains.fold((0.0, before.abs()), |(sum, terms), gain| {
                (sum + gain, terms + gain.abs())
            });
            let after = end.v_post.iter().find(|(i, _)| *i == row);
            let miss = after.map_or(0.0, |(_, v)| v - before - sum);
            momentum = momentum.max(ratio(miss.abs(), terms));
            energy += p_row * (before + 0.5 * sum);
            scale = scale
                .max((p_row * before).abs())
                .max((0.5 * p_row * sum).abs());
        }
        let momentum = momentum + end.momentum_residual;
        let energy = ratio((end.energy_change - energy).abs(), scale) + end.energy_residual;
        if !(momentum + energy + end.energy_change).is_finite() {
            let source = PointImpactError::Overflow;
            return Err(ImpactInputError::Impact { contact: 0, source });
        }
        Ok(Moved {
            velocity: Vec::new(),
            lambda: Vec::new(),
            energy_change: end.energy_change,
            residuals: Residuals {
                momentum: Some(momentum),
                energy: Some(energy),
                cone: Some(end.cone),
            },
        })
    }
}
