//! The question and the verdict of a simultaneous impact in contact space.

use super::super::problem::check_offered;
use super::super::{ImpactInputError, Law, Method, Outcome};
use crate::contact_space::{ContactSpace, PlanarDelassus, is_in_range};
use crate::impact::PointImpactError;

/// Contacts that close together: one entry per contact in each list.
#[derive(Debug, Clone, Copy)]
pub struct Closing<'a> {
    /// Normal row of each contact in the [`ContactSpace`].
    pub rows: &'a [usize],
    /// Normal velocity of each contact (m/s), drift of prescribed motions included; the velocities
    /// of the space are not read.
    pub v_n: &'a [f64],
    /// Coefficient of restitution of each contact.
    pub restitution: &'a [f64],
}

/// What became of a simultaneous impact. Impulses and velocities are read off the solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimultaneousEnd {
    /// The law.
    pub law: Law,
    /// `Solved`; `NoImpact` when no contact approaches; `Undetermined` when Poisson's velocities
    /// depend on how the compression is shared (the least-norm share is given); `Infeasible` when
    /// Newton's law has no solution; `Jammed` when no finite impulse stops the approach. After the
    /// last two there are no impulses ([`SimultaneousEnd::has_end`]).
    pub outcome: Outcome,
    /// Rank of W over the normal rows.
    pub rank: usize,
    /// Some impulse is not unique; the one given has least norm if `is_least_norm`.
    pub is_shared: bool,
    /// Whether the impulses given have the least norm of all (in each phase, for Poisson).
    pub is_least_norm: bool,
    /// Change of kinetic energy, `Σ P (v⁻ + v⁺)/2` (J).
    pub energy_change: f64,
    /// Largest work of a contact, either sign (J).
    pub energy_scale: f64,
    /// `energy_change` is positive beyond round-off.
    pub energy_gain: bool,
    /// How far the impulses miss complementarity, relative.
    pub complementarity: f64,
}

impl SimultaneousEnd {
    /// Whether there are impulses and velocities after.
    pub fn has_end(&self) -> bool {
        !matches!(self.outcome, Outcome::Jammed | Outcome::Infeasible)
    }

    pub(super) fn without(law: Law, outcome: Outcome, rank: usize) -> Self {
        Self {
            law,
            outcome,
            rank,
            is_shared: false,
            is_least_norm: false,
            energy_change: 0.0,
            energy_scale: 0.0,
            energy_gain: false,
            complementarity: 0.0,
        }
    }
}

/// Whether a law offered by complementarity is Poisson's (else Newton's); the others are refused.
pub(super) fn is_poisson(law: Law) -> Result<bool, ImpactInputError> {
    check_offered(law, Method::Complementarity)?;
    Ok(law == Law::Poisson)
}

impl Closing<'_> {
    /// Coefficients from 0 to 1; velocities and `W_nn` of a size whose products keep their digits.
    pub(super) fn check(&self, space: &ContactSpace) -> Result<(), ImpactInputError> {
        let k = self.rows.len();
        assert_eq!(self.v_n.len(), k, "one normal velocity per contact");
        assert_eq!(self.restitution.len(), k, "one coefficient per contact");
        for (contact, &row) in self.rows.iter().enumerate() {
            let (value, restitution) = (self.v_n[contact], self.restitution[contact]);
            if !(0.0..=1.0).contains(&restitution) {
                return Err(ImpactInputError::Restitution {
                    contact,
                    restitution,
                });
            }
            if !is_in_range(value) {
                let which = "v_n";
                let source = PointImpactError::BadVelocity { which, value };
                return Err(ImpactInputError::Impact { contact, source });
            }
            PlanarDelassus::new(space.w(row, row), 0.0, 0.0)
                .map_err(|source| ImpactInputError::Delassus { contact, source })?;
        }
        Ok(())
    }
}
