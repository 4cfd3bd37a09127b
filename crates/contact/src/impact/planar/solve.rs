//! One impact, with its path and its residuals.

use super::closed_form::{ClosedForm, Inputs, Segment, closed_form};
use super::path::{Mode, Path, PathPoint, Phase};
use super::problem::{PlanarImpact, PlanarImpactError};
use super::solution::{Compression, ContactType, Findings, ImpactEnd, Outcome, PlanarSolution};
use super::total_impulse;
use crate::impact::Law;
use crate::impact::restitution::{Energetic, Newton, Poisson};
use crate::space::PlanarVector;

/// Solves a planar impact by the law named.
///
/// With `W` positive definite, `v_n⁻ < 0` and `μ_s = μ_d` there is exactly one outcome. A jam (a
/// stuck contact of a singular `W`) is an outcome; an error means that double precision overflowed.
pub fn solve(impact: &PlanarImpact, law: Law) -> Result<PlanarSolution, PlanarImpactError> {
    let x = Inputs::of(impact);
    let solution = match law {
        Law::Newton => routh(impact, &closed_form::<Newton>(&x), law),
        Law::Poisson => routh(impact, &closed_form::<Poisson>(&x), law),
        Law::Energetic => routh(impact, &closed_form::<Energetic>(&x), law),
        Law::Moreau => total_impulse::moreau(impact),
        Law::Whittaker => total_impulse::whittaker(impact),
    };
    match solution.end {
        Some(end) if !is_finite(&end) => Err(PlanarImpactError::Overflow),
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

fn routh(impact: &PlanarImpact, x: &ClosedForm, law: Law) -> PlanarSolution {
    let v_pre = impact.v_pre();
    let started_at_rest = v_pre.t == 0.0;
    if !x.strikes {
        return no_impact(impact, law);
    }
    let end = (!x.jams).then(|| impact_end(impact, x));
    let reached = !x.jams || x.p_c.is_finite();
    PlanarSolution {
        law,
        outcome: if x.jams { Outcome::Jammed } else { Outcome::Solved },
        contact_type: contact_type(x, started_at_rest),
        started_at_rest,
        compression: reached.then_some(Compression {
            p_n: x.p_c,
            work: x.w_c,
        }),
        end,
        path: path(impact, x),
        findings: findings(impact, x, end.as_ref()),
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

#[inline]
pub(super) fn contact_type(x: &ClosedForm, started_at_rest: bool) -> ContactType {
    match (x.halts_in_compression, x.halts_in_restitution, x.sticks) {
        (true, _, true) => ContactType::NonSlidingCompression,
        (true, _, false) if started_at_rest => ContactType::PermanentSliding,
        (true, _, false) => ContactType::ReverseCompression,
        (_, true, true) => ContactType::NonSlidingRestitution,
        (_, true, false) => ContactType::ReverseRestitution,
        _ => ContactType::PermanentSliding,
    }
}

fn impact_end(impact: &PlanarImpact, x: &ClosedForm) -> ImpactEnd {
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

fn path(impact: &PlanarImpact, x: &ClosedForm) -> Path {
    let v = impact.v_pre();
    let started_at_rest = v.t == 0.0;
    let after = if x.sticks {
        Mode::Stick
    } else {
        Mode::slip(x.second.v_t)
    };
    let before = if started_at_rest { after } else { Mode::slip(v.t) };
    let halts = x.halts_in_compression || x.halts_in_restitution;
    let is_halt_inside = halts && !started_at_rest;
    let at = |p_n: f64| -> (f64, f64, f64) {
        if halts && p_n >= x.p_h {
            let on = p_n - x.p_h;
            let Segment { friction, v_n, v_t } = x.second;
            let p_t = x.first.friction * x.p_h + friction * on;
            (p_t, x.v_h + v_n * on, v_t * on)
        } else {
            let Segment { friction, v_n, v_t } = x.first;
            (friction * p_n, v.n + v_n * p_n, v.t + v_t * p_n)
        }
    };
    let corner = |p_n: f64, phase, mode| {
        let (p_t, v_n, v_t) = at(p_n);
        PathPoint { p_n, p_t: p_t + 0.0, v_n, v_t: v_t + 0.0, phase, mode }
    };
    let mut path = Path::NONE;
    path.push(PathPoint { v_n: v.n, v_t: v.t, ..corner(0.0, Phase::Compression, before) });
    if is_halt_inside && x.halts_in_compression {
        path.push(corner(x.p_h, Phase::Compression, after));
    }
    let mode_at_compression = if x.halts_in_compression { after } else { before };
    let is_tie = x.halts_in_restitution && x.v_h == 0.0;
    if x.p_c.is_finite() && !is_tie {
        let ends_here = !x.jams && x.p_n == x.p_c;
        let phase = if ends_here { Phase::Compression } else { Phase::Restitution };
        if !ends_here {
            path.push(PathPoint { v_n: 0.0, ..corner(x.p_c, phase, mode_at_compression) });
        }
    }
    if is_halt_inside && x.halts_in_restitution {
        path.push(corner(x.p_h, Phase::Restitution, after));
    }
    if !x.jams {
        let phase = if x.p_n > x.p_c { Phase::Restitution } else { Phase::Compression };
        let mode = if halts { after } else { before };
        path.push(PathPoint {
            p_n: x.p_n + 0.0,
            p_t: x.p_t + 0.0,
            v_n: x.v_n + 0.0,
            v_t: x.v_t + 0.0,
            phase,
            mode,
        });
    }
    path
}

fn findings(impact: &PlanarImpact, x: &ClosedForm, end: Option<&ImpactEnd>) -> Findings {
    let (w, v, friction) = (impact.w(), impact.v_pre(), impact.friction());
    let halts = x.halts_in_compression || x.halts_in_restitution;
    Findings {
        without_collision: v.n == 0.0,
        jam_slope: v.t != 0.0 && x.first.v_n <= 0.0,
        reverse_also_consistent: halts
            && x.sticks
            && x.sticks_only_by_static(w.tt(), w.nt(), friction.mu_d()),
        energy_gain: end.is_some_and(|end| gains_energy(end)),
        tangent_impulse_undetermined: w.tt() == 0.0 && v.t == 0.0,
        slip_contradicted: false,
    }
}

/// Whether the energy grows beyond the round-off of the works it is the sum of.
pub(super) fn gains_energy(end: &ImpactEnd) -> bool {
    let scale = end.work.n.abs().max(end.work.t.abs());
    end.energy_change > crate::space::TIE * scale
}

impl ClosedForm {
    /// `μ_d < |c|/b`: kinetic friction alone would not hold the contact.
    #[inline]
    fn sticks_only_by_static(&self, b: f64, c: f64, mu_d: f64) -> bool {
        mu_d * b < c.abs() * (1.0 - crate::space::TIE)
    }
}
