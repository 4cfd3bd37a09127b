//! Laws that look at total impulses only, for comparison: no path, no phases.
//!
//! Both take Newton's ratio `v_n⁺ = −e v_n⁻` and ask Coulomb's law of the totals: stick (`v_t⁺ = 0`,
//! `|p_t| <= μ p_n`) or slide (`p_t = −μσ p_n` with `σ v_t⁺ >= 0`). With `W` positive definite and
//! one coefficient exactly one of these holds. Both may create energy.

use super::problem::PlanarImpact;
use super::solution::{Findings, PlanarSolution};
use super::solve::{gains_energy, no_impact, with_residuals};
use crate::contact_space::{PlanarVector, TIE};
use crate::impact::Law;
use crate::impact::PointImpactError;
use crate::impact::{ContactType, Outcome};

/// Newton's ratio with Coulomb's law on totals, by the one (kinetic) coefficient that
/// time-stepping engines have. Reference: `Moreau1988`.
pub(super) fn moreau(impact: &PlanarImpact) -> Result<PlanarSolution, PointImpactError> {
    one_mode(impact, Law::Moreau, impact.friction().mu_d())
}

/// One mode assumed throughout: sticking if the static cone allows its impulse, else sliding.
/// Reference: `Whittaker1904` as told in `ElkaranshawyBajaba`; `KaneLevinson1985` likewise.
pub(super) fn whittaker(impact: &PlanarImpact) -> Result<PlanarSolution, PointImpactError> {
    one_mode(impact, Law::Whittaker, impact.friction().mu_s())
}

fn one_mode(
    impact: &PlanarImpact,
    law: Law,
    mu_stick: f64,
) -> Result<PlanarSolution, PointImpactError> {
    let v = impact.v_pre();
    if v.n >= 0.0 {
        return Ok(no_impact(impact, law));
    }
    let sigma = if v.t < 0.0 { -1.0 } else { 1.0 };
    let stuck = stick(impact, mu_stick).map(|p| (p, ContactType::NonSlidingCompression));
    let onward = slide(impact, sigma).map(|p| (p, ContactType::PermanentSliding));
    let back = slide(impact, -sigma).map(|p| (p, reversed(v.t)));
    let all = [stuck, onward, back];
    let found = all.into_iter().flatten().next();
    let is_other = |(p, _): &(PlanarVector, ContactType)| {
        found.is_some_and(|(chosen, _)| leads_elsewhere(impact, chosen, *p))
    };
    let reverse_also_consistent = all.iter().flatten().any(is_other);
    let base = no_impact(impact, law);
    let Some((impulse, contact_type)) = found else {
        return Ok(PlanarSolution {
            outcome: Outcome::Infeasible,
            contact_type: ContactType::NonSlidingCompression,
            end: None,
            ..base
        });
    };
    let v_post = velocity_after(impact, impulse, contact_type, sigma);
    // Along the straight line from 0 to p the mean velocity does the work.
    let work = PlanarVector {
        n: 0.5 * (v.n + v_post.n) * impulse.n + 0.0,
        t: 0.5 * (v.t + v_post.t) * impulse.t + 0.0,
    };
    let end = with_residuals(impact, impulse, v_post, work)?;
    Ok(PlanarSolution {
        outcome: Outcome::Solved,
        contact_type,
        end: Some(end),
        findings: Findings {
            energy_gain: gains_energy(&end),
            tangent_impulse_undetermined: impact.w().tt() == 0.0,
            slip_contradicted: contact_type == ContactType::ReverseCompression,
            reverse_also_consistent,
            ..Findings::default()
        },
        ..base
    })
}

/// Whether two impulses of Newton's ratio end with different slip, beyond round-off.
fn leads_elsewhere(impact: &PlanarImpact, a: PlanarVector, b: PlanarVector) -> bool {
    let w = impact.w();
    let slip = |p: PlanarVector| w.times(p).t;
    let terms = |p: PlanarVector| (w.nt() * p.n).abs() + (w.tt() * p.t).abs();
    (slip(a) - slip(b)).abs() > 4.0 * TIE * (terms(a) + terms(b) + impact.v_pre().t.abs())
}

fn reversed(v_t_pre: f64) -> ContactType {
    if v_t_pre == 0.0 {
        ContactType::PermanentSliding
    } else {
        ContactType::ReverseCompression
    }
}

fn velocity_after(
    impact: &PlanarImpact,
    impulse: PlanarVector,
    contact_type: ContactType,
    sigma: f64,
) -> PlanarVector {
    let v_t = impact.v_pre().t + impact.w().times(impulse).t;
    let v_t = match contact_type {
        ContactType::NonSlidingCompression => 0.0,
        // Where slip ends in a tie with zero, round-off must not turn its sign.
        ContactType::PermanentSliding if impact.v_pre().t != 0.0 => sigma * (sigma * v_t).max(0.0),
        _ => v_t,
    };
    PlanarVector {
        n: -impact.restitution() * impact.v_pre().n + 0.0,
        t: v_t + 0.0,
    }
}

/// Impulse of `v_n⁺ = −e v_n⁻`, `v_t⁺ = 0`, if the cone of `mu` holds it.
fn stick(impact: &PlanarImpact, mu: f64) -> Option<PlanarVector> {
    both_ratios(impact, 0.0).filter(|p| is_held(*p, mu))
}

/// Impulse of `v_n⁺ = −e v_n⁻`, `v_t⁺ = −β v_t⁻`.
pub(super) fn both_ratios(impact: &PlanarImpact, beta: f64) -> Option<PlanarVector> {
    let (w, v) = (impact.w(), impact.v_pre());
    let rise = -(1.0 + impact.restitution()) * v.n;
    let turn = (1.0 + beta) * v.t;
    if w.nn_stuck() == 0.0 || (w.tt() == 0.0 && v.t != 0.0) {
        return None; // the two conditions are not independent
    }
    let p_n = if w.tt() == 0.0 {
        rise / w.nn()
    } else {
        (rise + w.nt() / w.tt() * turn) / w.nn_stuck()
    };
    let p_t = if w.tt() == 0.0 {
        0.0
    } else {
        -(turn + w.nt() * p_n) / w.tt()
    };
    Some(PlanarVector {
        n: p_n,
        t: p_t + 0.0,
    })
}

/// Whether a contact pushes, and the cone of `mu` holds its impulse.
pub(super) fn is_held(p: PlanarVector, mu: f64) -> bool {
    let slack = TIE * (mu * p.n.abs() + p.t.abs());
    p.n >= 0.0 && p.t.abs() <= mu * p.n + slack
}

/// Impulse of `v_n⁺ = −e v_n⁻`, `p_t = −μσ p_n`, if it ends with slip of sign `sigma`.
fn slide(impact: &PlanarImpact, sigma: f64) -> Option<PlanarVector> {
    let (w, v) = (impact.w(), impact.v_pre());
    let friction = -impact.friction().mu_d() * sigma;
    let slope = w.nn() + friction * w.nt();
    if slope <= TIE * (w.nn() + (friction * w.nt()).abs()) {
        return None; // pressing does not part the bodies
    }
    let p_n = -(1.0 + impact.restitution()) * v.n / slope;
    let (from_n, from_t) = (w.nt() * p_n, w.tt() * friction * p_n);
    let slack = TIE * (v.t.abs() + from_n.abs() + from_t.abs());
    let v_t_post = v.t + from_n + from_t;
    (sigma * v_t_post >= -slack).then_some(PlanarVector {
        n: p_n,
        t: friction * p_n + 0.0,
    })
}
