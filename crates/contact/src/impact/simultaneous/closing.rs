//! The question and the verdict of a simultaneous impact in contact space.

use super::super::problem::check_offered;
use super::super::{ImpactInputError, Law, Method, Outcome};
use super::one::OneOf;
use crate::contact_space::{ContactSpace, Friction, PlanarDelassus, SpatialVector, is_in_range};
use crate::impact::PointImpactError;
use crate::impact::point::check_tangential;

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

/// Contacts with friction that close together, in the plane and in space: one entry per contact in each list.
#[derive(Debug, Clone, Copy)]
pub struct SpatialClosing<'a> {
    /// Normal row of each contact in the [`ContactSpace`].
    pub normals: &'a [usize],
    /// Tangent rows of each contact: none, the first in the plane, both in space.
    pub tangents: &'a [[Option<usize>; 2]],
    /// Velocity of each contact (m/s), drift of prescribed motions included; zero without a tangent.
    /// The velocities of the space are not read.
    pub v: &'a [SpatialVector],
    /// Friction of each contact.
    pub friction: &'a [Friction],
    /// Coefficient of restitution of each contact.
    pub restitution: &'a [f64],
    /// Coefficient of tangential restitution of each contact, where it has one.
    pub tangential_restitution: &'a [Option<f64>],
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

impl SpatialClosing<'_> {
    /// Coefficients from 0 to 1; velocities and W of a size whose products keep their digits.
    pub(super) fn check(&self, space: &ContactSpace) -> Result<(), ImpactInputError> {
        let k = self.normals.len();
        let lengths = [self.tangents.len(), self.v.len(), self.friction.len()];
        assert!(
            lengths.iter().all(|n| *n == k)
                && self.restitution.len() == k
                && self.tangential_restitution.len() == k,
            "one entry per contact"
        );
        for contact in 0..k {
            let (v, restitution) = (self.v[contact], self.restitution[contact]);
            if !(0.0..=1.0).contains(&restitution) {
                return Err(ImpactInputError::Restitution {
                    contact,
                    restitution,
                });
            }
            check_tangential(self.tangential_restitution[contact])
                .map_err(|source| ImpactInputError::Impact { contact, source })?;
            for (which, value) in [("v_n", v.n), ("v_t", v.t[0]), ("v_t2", v.t[1])] {
                if !is_in_range(value) {
                    let source = PointImpactError::BadVelocity { which, value };
                    return Err(ImpactInputError::Impact { contact, source });
                }
            }
            for row in self.rows(contact).into_iter().flatten() {
                PlanarDelassus::new(space.w(row, row), 0.0, 0.0)
                    .map_err(|source| ImpactInputError::Delassus { contact, source })?;
            }
        }
        Ok(())
    }

    /// Whether some contact has a tangential restitution.
    pub(super) fn has_tangential(&self) -> bool {
        self.tangential_restitution.iter().any(Option::is_some)
    }

    /// Normal and tangent rows of contact `i`.
    pub(super) fn rows(&self, i: usize) -> [Option<usize>; 3] {
        let [a, b] = self.tangents[i];
        [Some(self.normals[i]), a, b]
    }

    /// Contact `i` as one of them.
    pub(super) fn one<'s>(&self, space: &'s ContactSpace, i: usize) -> OneOf<'s> {
        OneOf {
            space,
            contact: i,
            normal: self.normals[i],
            tangents: self.tangents[i],
            friction: self.friction[i],
            restitution: self.restitution[i],
            tangential_restitution: self.tangential_restitution[i],
        }
    }
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
