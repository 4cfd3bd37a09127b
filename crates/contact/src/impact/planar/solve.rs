//! One impact, with its path and its residuals.

use super::closed_form::{ClosedForm, End, Inputs, closed_form};
use super::grip::{grip, has_use};
use super::path::Track;
use super::problem::PlanarImpact;
use super::solution::{Findings, ImpactEnd, PlanarSolution};
use super::total_impulse;
use crate::contact_space::PlanarVector;
use crate::impact::Law;
use crate::impact::PointImpactError;
use crate::impact::point::check_law;
use crate::impact::restitution::{Energetic, Newton, Poisson, Restitution};
use crate::impact::{ContactType, Outcome};

/// Solves a planar impact by the law named.
///
/// With `W` positive definite, `v_n⁻ < 0` and `μ_s = μ_d` there is exactly one outcome. A jam (a
/// stuck contact of a singular `W`) is an outcome; an error means that double precision overflowed.
///
/// With a tangential restitution (Newton's law alone has one, the others are refused) the contact grips where
/// friction holds it; elsewhere it goes on as without.
pub fn solve(impact: &PlanarImpact, law: Law) -> Result<PlanarSolution, PointImpactError> {
    check_law(law, impact.tangential_restitution())?;
    if !has_use(impact) {
        return by(impact, law);
    }
    if let Some(gripped) = grip(impact)? {
        return Ok(gripped);
    }
    let mut solution = by(impact, law)?;
    solution.findings.cannot_grip = true;
    Ok(solution)
}

/// By a law without tangential restitution.
fn by(impact: &PlanarImpact, law: Law) -> Result<PlanarSolution, PointImpactError> {
    match law {
        Law::Newton => routh::<Newton>(impact),
        Law::Poisson => routh::<Poisson>(impact),
        Law::Energetic => routh::<Energetic>(impact),
        Law::Moreau => total_impulse::moreau(impact),
        Law::Whittaker => total_impulse::whittaker(impact),
    }
}

impl Inputs {
    #[inline(always)]
    pub(super) fn of(impact: &PlanarImpact) -> Self {
        let (w, v) = (impact.w(), impact.v_pre());
        Self {
            a: w.nn(),
            c: w.nt(),
            b: w.tt(),
            a_stuck: w.nn_stuck(),
            v_n: v.n,
            v_t: v.t,
            mu_s: impact.friction().mu_s(),
            mu_d: impact.friction().mu_d(),
            restitution: impact.restitution(),
        }
    }
}

fn routh<L: Restitution>(impact: &PlanarImpact) -> Result<PlanarSolution, PointImpactError> {
    let Some(x) = closed_form::<L>(&Inputs::of(impact)) else {
        return Ok(no_impact(impact, L::LAW));
    };
    let end = match &x.end {
        Some(end) => Some(impact_end(impact, end)?),
        None => None,
    };
    Ok(PlanarSolution {
        law: L::LAW,
        outcome: if end.is_some() {
            Outcome::Solved
        } else {
            Outcome::Jammed
        },
        contact_type: contact_type(&x, impact.v_pre().t == 0.0),
        started_at_rest: impact.v_pre().t == 0.0,
        findings: findings(impact, &x, end.as_ref()),
        compression: x.compression,
        end,
        track: Some(Track {
            v_pre: impact.v_pre(),
            first: x.first,
            halt: x.halt,
        }),
    })
}

/// The answer when the bodies separate or rest on one another.
pub(super) fn no_impact(impact: &PlanarImpact, law: Law) -> PlanarSolution {
    let end = ImpactEnd {
        impulse: PlanarVector::default(),
        v_post: impact.v_pre(),
        work: PlanarVector::default(),
        energy_change: 0.0,
        momentum_residual: 0.0,
        energy_residual: 0.0,
        energy_scale: 0.0,
    };
    PlanarSolution {
        law,
        outcome: Outcome::NoImpact,
        contact_type: ContactType::NoImpact,
        started_at_rest: impact.v_pre().t == 0.0,
        compression: None,
        end: Some(end),
        track: None,
        findings: Findings::default(),
    }
}

fn contact_type(x: &ClosedForm, started_at_rest: bool) -> ContactType {
    let Some(halt) = x.halt else {
        return ContactType::PermanentSliding;
    };
    match (halt.is_in_compression, halt.then.is_stuck()) {
        (true, true) => ContactType::NonSlidingCompression,
        (true, false) if started_at_rest => ContactType::PermanentSliding,
        (true, false) => ContactType::ReverseCompression,
        (false, true) => ContactType::NonSlidingRestitution,
        (false, false) => ContactType::ReverseRestitution,
    }
}

#[inline(always)]
fn impact_end(impact: &PlanarImpact, x: &End) -> Result<ImpactEnd, PointImpactError> {
    // Adding zero turns −0 into 0.
    let vector = |n: f64, t: f64| PlanarVector {
        n: n + 0.0,
        t: t + 0.0,
    };
    with_residuals(
        impact,
        vector(x.p_n, x.p_t),
        vector(x.v_n, x.v_t),
        vector(x.w_n, x.w_t),
    )
}

/// Puts an end together, checks it by the two balances, and refuses one that overflowed.
#[inline(always)]
pub(super) fn with_residuals(
    impact: &PlanarImpact,
    impulse: PlanarVector,
    v_post: PlanarVector,
    work: PlanarVector,
) -> Result<ImpactEnd, PointImpactError> {
    let (w, v) = (impact.w(), impact.v_pre());
    let (nn, nt_t) = (w.nn() * impulse.n, w.nt() * impulse.t);
    let (nt_n, tt) = (w.nt() * impulse.n, w.tt() * impulse.t);
    let miss_n = (v_post.n - v.n - (nn + nt_t)).abs();
    let miss_t = (v_post.t - v.t - (nt_n + tt)).abs();
    let largest_n = largest([v_post.n, v.n, nn, nt_t]);
    let largest_t = largest([v_post.t, v.t, nt_n, tt]);
    let (e_n, e_t) = (v.n * impulse.n, v.t * impulse.t);
    let (half_n, half_t) = (0.5 * nn * impulse.n, 0.5 * tt * impulse.t);
    let cross = nt_n * impulse.t;
    let energy_change = work.n + work.t;
    let miss = (energy_change - (e_n + half_n + cross + (e_t + half_t))).abs();
    let energy_scale = largest([e_n, e_t, half_n, cross, half_t]);
    let end = ImpactEnd {
        impulse,
        v_post,
        work,
        energy_change,
        momentum_residual: relative(miss_n, largest_n) + relative(miss_t, largest_t),
        energy_residual: relative(miss, energy_scale),
        energy_scale,
    };
    // A sum is finite only if every term is: infinities do not cancel to a finite number.
    let sum = impulse.n + impulse.t + v_post.n + v_post.t + energy_change;
    if (sum + end.energy_residual + end.momentum_residual).is_finite() {
        Ok(end)
    } else {
        Err(PointImpactError::Overflow)
    }
}

#[inline(always)]
fn largest<const N: usize>(terms: [f64; N]) -> f64 {
    let mut most = 0.0;
    for term in terms {
        let size = term.abs();
        most = if size > most { size } else { most };
    }
    most
}

/// A miss over the largest term; 0 when there is nothing to compare.
#[inline(always)]
fn relative(miss: f64, largest: f64) -> f64 {
    if largest == 0.0 { 0.0 } else { miss / largest }
}

#[inline(always)]
fn findings(impact: &PlanarImpact, x: &ClosedForm, end: Option<&ImpactEnd>) -> Findings {
    let (w, v, friction) = (impact.w(), impact.v_pre(), impact.friction());
    // Stuck by the static coefficient alone: μ_d < |c|/b <= μ_s.
    let only_static = friction.mu_d() * w.tt() < w.nt().abs() * (1.0 - crate::contact_space::TIE);
    Findings {
        without_collision: v.n == 0.0,
        jam_slope: v.t != 0.0 && x.first.v_n <= 0.0,
        reverse_also_consistent: only_static && x.halt.is_some_and(|halt| halt.then.is_stuck()),
        energy_gain: end.is_some_and(gains_energy),
        tangent_impulse_undetermined: w.tt() == 0.0,
        slip_contradicted: false,
        grips: false,
        cannot_grip: false,
    }
}

/// Whether the energy grows beyond the round-off of the terms it is the sum of.
pub(super) fn gains_energy(end: &ImpactEnd) -> bool {
    end.energy_change > crate::contact_space::TIE * end.energy_scale
}
