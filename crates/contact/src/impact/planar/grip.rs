//! Tangential restitution: a contact that grips gives its slip back.
//!
//! By Newton's law and with β the impulse asked is that of both ratios,
//!
//! ```text
//! v_n⁺ = −e v_n⁻,   v_t⁺ = −β v_t⁻:   W p = −((1 + e) v_n⁻, (1 + β) v_t⁻)
//! ```
//!
//! It is taken where static friction holds it, `|p_t| <= μ_s p_n`. Elsewhere the contact goes along Routh's path
//! as if there were no β: at the edge of the cone the slip after jumps. The works are those along the straight
//! line from 0 to p,
//!
//! ```text
//! ΔT = −½ (1 − e) |v_n⁻| p_n + ½ (1 − β) v_t⁻ p_t
//! ```
//!
//! never positive without coupling (`W_nt = 0`); with it energy may be created, as by Newton's ratio alone.
//!
//! Limits: nothing of the way from 0 to p is known; an impact that starts without slip or without approach has
//! no use for β; a singular W cannot meet both ratios. Reference: `Garwin1969`.

use super::problem::PlanarImpact;
use super::solution::{Findings, PlanarSolution};
use super::solve::{gains_energy, no_impact, with_residuals};
use super::total_impulse::{both_ratios, is_held};
use crate::contact_space::PlanarVector;
use crate::impact::{ContactType, Law, Outcome, PointImpactError};

/// The impulse that tangential restitution asks for; none where there is nothing to ask, or where no impulse
/// meets both ratios.
pub(in crate::impact) fn asked(impact: &PlanarImpact) -> Option<PlanarVector> {
    let beta = impact.tangential_restitution()?;
    both_ratios(impact, beta).filter(|_| has_use(impact))
}

/// Whether there is a slip to give back, and an impact to do it.
pub(super) fn has_use(impact: &PlanarImpact) -> bool {
    let v = impact.v_pre();
    impact.tangential_restitution().is_some() && v.n < 0.0 && v.t != 0.0
}

/// The impact where it grips.
pub(super) fn grip(impact: &PlanarImpact) -> Result<Option<PlanarSolution>, PointImpactError> {
    let beta = impact.tangential_restitution().unwrap_or(0.0);
    let Some(impulse) = asked(impact).filter(|p| is_held(*p, impact.friction().mu_s())) else {
        return Ok(None);
    };
    let v = impact.v_pre();
    let v_post = PlanarVector {
        n: -impact.restitution() * v.n + 0.0,
        t: -beta * v.t + 0.0,
    };
    // Along the straight line from 0 to p the mean velocity does the work.
    let work = PlanarVector {
        n: 0.5 * (v.n + v_post.n) * impulse.n + 0.0,
        t: 0.5 * (v.t + v_post.t) * impulse.t + 0.0,
    };
    let end = with_residuals(impact, impulse, v_post, work)?;
    Ok(Some(PlanarSolution {
        outcome: Outcome::Solved,
        contact_type: contact_type(v_post.t == 0.0),
        end: Some(end),
        findings: Findings {
            energy_gain: gains_energy(&end),
            grips: true,
            ..Findings::default()
        },
        ..no_impact(impact, Law::Newton)
    }))
}

/// Type by what the slip does from before to after; without a path there are no phases to tell apart.
pub(in crate::impact) fn contact_type(ends_at_rest: bool) -> ContactType {
    match ends_at_rest {
        true => ContactType::NonSlidingCompression,
        false => ContactType::ReverseCompression,
    }
}
