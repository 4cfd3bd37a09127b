//! One impact, with its path and its residuals.

use super::closed_form::{ClosedForm, End, Halt, Inputs, closed_form};
use super::path::{Mode, Path, PathPoint, Phase};
use super::problem::{PlanarImpact, PlanarImpactError};
use super::solution::{Compression, ContactType, Findings, ImpactEnd, Outcome, PlanarSolution};
use super::total_impulse;
use crate::impact::Law;
use crate::impact::restitution::{Energetic, Newton, Poisson, Restitution};
use crate::space::PlanarVector;

/// Solves a planar impact by the law named.
///
/// With `W` positive definite, `v_n⁻ < 0` and `μ_s = μ_d` there is exactly one outcome. A jam (a
/// stuck contact of a singular `W`) is an outcome; an error means that double precision overflowed.
pub fn solve(impact: &PlanarImpact, law: Law) -> Result<PlanarSolution, PlanarImpactError> {
    let solution = match law {
        Law::Newton => routh::<Newton>(impact),
        Law::Poisson => routh::<Poisson>(impact),
        Law::Energetic => routh::<Energetic>(impact),
        Law::Moreau => total_impulse::moreau(impact),
        Law::Whittaker => total_impulse::whittaker(impact),
    };
    match &solution.end {
        Some(end) if !is_finite(end) => Err(PlanarImpactError::Overflow),
        _ => Ok(solution),
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

fn is_finite(end: &ImpactEnd) -> bool {
    // A sum is finite only if every term is: infinities do not cancel to a finite number.
    let sum = end.impulse.n + end.impulse.t + end.v_post.n + end.v_post.t;
    (sum + end.work.n + end.work.t + end.energy_residual + end.momentum_residual).is_finite()
}

fn routh<L: Restitution>(impact: &PlanarImpact) -> PlanarSolution {
    let Some(x) = closed_form::<L>(&Inputs::of(impact)) else {
        return no_impact(impact, L::LAW);
    };
    let end = x.end.map(|end| impact_end(impact, &end));
    PlanarSolution {
        law: L::LAW,
        outcome: if end.is_some() { Outcome::Solved } else { Outcome::Jammed },
        contact_type: contact_type(&x, impact.v_pre().t == 0.0),
        started_at_rest: impact.v_pre().t == 0.0,
        compression: x.compression.map(|(p_n, work)| Compression { p_n, work }),
        path: path(impact, &x),
        findings: findings(impact, &x, end.as_ref()),
        end,
    }
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
    };
    PlanarSolution {
        law,
        outcome: Outcome::NoImpact,
        contact_type: ContactType::NoImpact,
        started_at_rest: impact.v_pre().t == 0.0,
        compression: None,
        end: Some(end),
        path: Path::NONE,
        findings: Findings::default(),
    }
}

fn contact_type(x: &ClosedForm, started_at_rest: bool) -> ContactType {
    let Some(halt) = x.halt else {
        return ContactType::PermanentSliding;
    };
    match (halt.is_in_compression, halt.then.is_stuck) {
        (true, true) => ContactType::NonSlidingCompression,
        (true, false) if started_at_rest => ContactType::PermanentSliding,
        (true, false) => ContactType::ReverseCompression,
        (false, true) => ContactType::NonSlidingRestitution,
        (false, false) => ContactType::ReverseRestitution,
    }
}

fn impact_end(impact: &PlanarImpact, x: &End) -> ImpactEnd {
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

/// Puts an end together and checks it by the two balances.
pub(super) fn with_residuals(
    impact: &PlanarImpact,
    impulse: PlanarVector,
    v_post: PlanarVector,
    work: PlanarVector,
) -> ImpactEnd {
    let (w, v) = (impact.w(), impact.v_pre());
    let gained = w.times(impulse);
    let miss = |post: f64, pre: f64, nn: f64, nt: f64| {
        let largest = post.abs().max(pre.abs()).max(nn.abs()).max(nt.abs());
        relative(post - pre - (nn + nt), largest)
    };
    let momentum_n = miss(v_post.n, v.n, w.nn() * impulse.n, w.nt() * impulse.t);
    let momentum_t = miss(v_post.t, v.t, w.nt() * impulse.n, w.tt() * impulse.t);
    let (e_n, e_t) = (v.n * impulse.n, v.t * impulse.t);
    let (half_n, half_t) = (0.5 * gained.n * impulse.n, 0.5 * gained.t * impulse.t);
    let largest = [e_n, e_t, half_n, half_t, work.n, work.t]
        .iter()
        .fold(0.0f64, |a, b| a.max(b.abs()));
    let energy_change = work.n + work.t;
    ImpactEnd {
        impulse,
        v_post,
        work,
        energy_change,
        momentum_residual: momentum_n.max(momentum_t),
        energy_residual: relative(energy_change - (e_n + half_n + (e_t + half_t)), largest),
    }
}

/// `|miss|` over the largest term; 0 when there is nothing to compare.
#[inline]
fn relative(miss: f64, largest: f64) -> f64 {
    if largest == 0.0 { 0.0 } else { miss.abs() / largest }
}

/// The corners, in order of normal impulse: start, halt, greatest compression, end.
fn path(impact: &PlanarImpact, x: &ClosedForm) -> Path {
    let v = impact.v_pre();
    let slipping = Mode::slip(v.t);
    let mut mode = match x.halt {
        Some(halt) if v.t == 0.0 => mode_after(&halt),
        _ => slipping,
    };
    let mut path = Path::NONE;
    let mut corner = |p_n: f64, p_t: f64, v_n: f64, v_t: f64, phase: Phase, mode: Mode| {
        path.push(PathPoint { p_n, p_t: p_t + 0.0, v_n: v_n + 0.0, v_t: v_t + 0.0, phase, mode });
    };
    corner(0.0, 0.0, v.n, v.t, Phase::Compression, mode);
    let inner = x.halt.filter(|_| v.t != 0.0);
    let p_t_halt = |halt: &Halt| x.first.friction * halt.p_n;
    if let Some(halt) = inner.filter(|halt| halt.is_in_compression) {
        mode = mode_after(&halt);
        corner(halt.p_n, p_t_halt(&halt), halt.v_n, 0.0, Phase::Compression, mode);
    }
    // A halt exactly at greatest compression is one corner, and so is an end there.
    let is_tie = inner.is_some_and(|halt| !halt.is_in_compression && halt.v_n == 0.0);
    let ends_at = x.end.map(|end| end.p_n);
    if let Some((p_c, _)) = x.compression
        && !is_tie
        && ends_at != Some(p_c)
    {
        let (p_t, v_t) = at(x, v.t, p_c);
        corner(p_c, p_t, 0.0, v_t, Phase::Restitution, mode);
    }
    if let Some(halt) = inner.filter(|halt| !halt.is_in_compression) {
        mode = mode_after(&halt);
        corner(halt.p_n, p_t_halt(&halt), halt.v_n, 0.0, Phase::Restitution, mode);
    }
    if let Some(end) = x.end {
        let p_c = x.compression.map(|(p_c, _)| p_c);
        let phase = if ends_at == p_c { Phase::Compression } else { Phase::Restitution };
        corner(end.p_n, end.p_t, end.v_n, end.v_t, phase, mode);
    }
    path
}

fn mode_after(halt: &Halt) -> Mode {
    if halt.then.is_stuck {
        Mode::Stick
    } else {
        Mode::slip(halt.then.v_t)
    }
}

/// Tangent impulse and velocity at greatest compression.
fn at(x: &ClosedForm, v_t: f64, p_n: f64) -> (f64, f64) {
    match x.halt {
        Some(halt) if halt.is_in_compression => {
            let after = p_n - halt.p_n;
            let p_t = x.first.friction * halt.p_n + halt.then.friction * after;
            (p_t, halt.then.v_t * after)
        }
        _ => (x.first.friction * p_n, v_t + x.first.v_t * p_n),
    }
}

fn findings(impact: &PlanarImpact, x: &ClosedForm, end: Option<&ImpactEnd>) -> Findings {
    let (w, v, friction) = (impact.w(), impact.v_pre(), impact.friction());
    // Stuck by the static coefficient alone: μ_d < |c|/b <= μ_s.
    let only_static = friction.mu_d() * w.tt() < w.nt().abs() * (1.0 - crate::space::TIE);
    Findings {
        without_collision: v.n == 0.0,
        jam_slope: v.t != 0.0 && x.first.v_n <= 0.0,
        reverse_also_consistent: only_static && x.halt.is_some_and(|halt| halt.then.is_stuck),
        energy_gain: end.is_some_and(gains_energy),
        tangent_impulse_undetermined: w.tt() == 0.0 && v.t == 0.0,
        slip_contradicted: false,
    }
}

/// Whether the energy grows beyond the round-off of the works it is the sum of.
pub(super) fn gains_energy(end: &ImpactEnd) -> bool {
    let scale = end.work.n.abs().max(end.work.t.abs());
    end.energy_change > crate::space::TIE * scale
}
