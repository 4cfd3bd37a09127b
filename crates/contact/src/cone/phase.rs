//! One phase of an impact: a cone problem, the answers found, and which coefficient of friction acts.

use super::impact::{Coefficients, ConeImpact};
use super::problem::{ConeContact, ConeInputError, ConeProblem};
use super::residual::{ConeMode, ConeResidual};
use super::solver::ConeSolver;
use super::uniqueness::ConeUniqueness;

/// One phase of an impact.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactPhase {
    /// Whether it meets its laws.
    pub is_solved: bool,
    /// Impulses of the phase (N·s).
    pub impulse: Vec<f64>,
    /// Velocities at its end (m/s).
    pub v: Vec<f64>,
    /// What each contact does.
    pub modes: Vec<ConeMode>,
    /// What it misses of its laws.
    pub residual: ConeResidual,
    /// What was proved about its answers.
    pub uniqueness: ConeUniqueness,
}

impl ConeImpact<'_> {
    /// The answers found of one phase: one, or two.
    ///
    /// Where the coefficients differ every contact is held by its static one first; those that slip are solved
    /// again with their kinetic one, until all are consistent.
    pub(super) fn phases(
        &self,
        solver: &mut ConeSolver,
        q: &[f64],
        floors: &[f64],
        which: Coefficients,
    ) -> Result<Vec<ImpactPhase>, ConeInputError> {
        let pairs = self.friction.iter().zip(floors);
        let contact = |(friction, floor): (&crate::contact_space::Friction, &f64)| ConeContact {
            floor: *floor,
            ..ConeContact::new(match which {
                Coefficients::Kinetic => friction.mu_d(),
                Coefficients::Both => friction.mu_s(),
            })
        };
        let mut contacts: Vec<ConeContact> = pairs.map(contact).collect();
        let end = loop {
            let (w, contacts_now) = (self.w, &contacts[..]);
            let end = solver.solve(&ConeProblem {
                w,
                q,
                contacts: contacts_now,
            })?;
            let mut has_slipped = false;
            for (i, contact) in contacts.iter_mut().enumerate() {
                let mu_d = self.friction[i].mu_d();
                if contact.mu > mu_d && solver.slips(i) {
                    (contact.mu, has_slipped) = (mu_d, true);
                }
            }
            if !has_slipped || !end.is_solved {
                break end;
            }
        };
        let uniqueness = solver.uniqueness();
        let other = uniqueness.other.as_ref().map(|apart| {
            let own = solver.impulse().iter().zip(apart);
            own.map(|(a, b)| a + b).collect::<Vec<f64>>()
        });
        let first = solver.impulse().to_vec();
        let told = |impulse: Vec<f64>| solver.phase_at(impulse, &uniqueness, end.is_solved);
        Ok([Some(first), other]
            .into_iter()
            .flatten()
            .map(told)
            .collect())
    }
}
