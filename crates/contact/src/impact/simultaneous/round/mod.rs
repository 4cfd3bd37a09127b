//! Several contacts with friction in space that close together: Coulomb's round cone, no pyramid.
//!
//! ```text
//! in each phase   K ∋ p ⟂ u + μ|u_t| n + g n ∈ K*,    K = {|p_t| <= μ p_n}
//! Newton, Moreau  one phase: g = e v_n⁻ at approaching contacts
//! Poisson         compression with g = 0, then an expansion that returns at least e P_c
//! ```
//!
//! Coulomb's law is asked of the impulses of a phase. An answer is found by [`crate::cone`], which also says what is
//! proved about others: velocities need not be unique, and where nothing is proved nothing is claimed. A
//! contact that acts alone follows Routh's path ([`crate::impact::spatial`]). Contacts of a plane, and without
//! friction, take part.

mod alone;
mod posed;

use super::ending::{Choice, Ending, OutcomeSet, Way};
use super::{Closing, Simultaneous, SpatialClosing, closing};
use crate::cone::{self, ConeImpactEnd, ConeSolver, Verdict};
use crate::contact_space::ContactSpace;
use crate::impact::gripping::check_method;
use crate::impact::{ImpactInputError, Law, Method, Outcome};

use self::alone::Alone;
use self::posed::Posed;

/// Finds endings of contacts with friction in space, by Newton's, Moreau's or Poisson's law.
///
/// Newton and Moreau ask Coulomb's law of the total impulses; Moreau knows the kinetic coefficient only.
/// `energetic` and `whittaker` are refused, with the reason.
///
/// # Panics
///
/// When there is no such row, or the lists differ in length.
pub fn solve(
    space: &ContactSpace,
    closing: &SpatialClosing<'_>,
    law: Law,
) -> Result<OutcomeSet, ImpactInputError> {
    closing::is_poisson(law)?;
    check_method(Method::Complementarity, closing.has_tangential())?;
    closing.check(space)?;
    let told = |set: OutcomeSet| OutcomeSet {
        in_space: true,
        ..set
    };
    if closing.v.iter().all(|v| v.n >= 0.0) {
        let nothing = Ending::nothing(closing.v.iter().copied());
        return Ok(told(OutcomeSet::of(vec![nothing], true)));
    }
    let alone = Alone::find(space, closing, law)?;
    let posed = Posed::of(space, closing);
    let impact = posed.impact();
    let mut solver = ConeSolver::new();
    let end = match law {
        Law::Poisson => cone::poisson(&mut solver, &impact),
        Law::Moreau => cone::moreau(&mut solver, &impact),
        _ => cone::newton(&mut solver, &impact),
    };
    let end = end.map_err(|source| ImpactInputError::Cone { source })?;
    if !end.is_solved && alone.is_none() {
        return Ok(told(without(space, closing, &end)?));
    }
    let is_proved = end.is_solved && end.velocity == Verdict::Unique;
    let is_complete = is_proved && (alone.is_some() || end.impulses == Verdict::Unique);
    let ends = std::iter::once(&end).chain(&end.others);
    let mut endings: Vec<Ending> = ends
        .filter(|end| end.is_solved)
        .map(|one| posed.ending(one, end.impulses))
        .collect();
    if let Some(alone) = alone {
        endings.retain(|ending| !alone.stands_for(ending));
        endings.insert(0, alone.ending());
    }
    Ok(told(OutcomeSet::of(endings, is_complete)))
}

/// Why there is no answer: the normals alone cannot be stopped, or none was found.
fn without(
    space: &ContactSpace,
    closing: &SpatialClosing<'_>,
    end: &ConeImpactEnd,
) -> Result<OutcomeSet, ImpactInputError> {
    let v_n: Vec<f64> = closing.v.iter().map(|v| v.n).collect();
    let smooth = Closing {
        rows: closing.normals,
        v_n: &v_n,
        restitution: &vec![0.0; v_n.len()],
    };
    let smooth = Simultaneous::new().solve(space, &smooth, Law::Newton)?;
    if smooth.outcome == Outcome::Jammed {
        return Ok(OutcomeSet::without(Outcome::Jammed, true));
    }
    let misses = end.phases.iter().map(|phase| phase.residual.natural);
    let ending = Ending {
        complementarity: misses.fold(0.0, f64::max),
        choice: Choice::EqualCompliance,
        ..Ending::without(Outcome::Infeasible, Way::Nothing)
    };
    Ok(OutcomeSet::of(vec![ending], false))
}
