//! One impact in space, with its events and its residuals.

use super::ending::Ending;
use super::flow::Flow;
use super::march::{Finish, Halt, March};
use super::path::{Drawing, Events, Frame, Observer, SpatialPoint, Unseen};
use super::problem::SpatialImpact;
use super::solution::{
    SpatialCompression, SpatialEnd, SpatialFindings, SpatialSolution, SpatialWork,
};
use super::state::State;
use super::total_impulse;
use crate::contact_space::{SpatialVector, TIE};
use crate::impact::PointImpactError;
use crate::impact::point::check_law;
use crate::impact::{ContactType, Law, Outcome, Phase};

/// Solves an impact in space by the law named, without allocating.
///
/// Along Routh's path the slip turns as it is pressed:
///
/// ```text
/// dv = W (1, −μu) dp,   u = v_t/|v_t|,   until v_n, p or the normal work ends it
/// ```
///
/// Where `μ_s = μ_d` the path is unique and depends continuously on the problem: it is the gradient flow
/// of a convex function. Where slip halts the contact sticks if `μ_s >= μ_stick`; else it leaves along the
/// one outgoing direction. A jam is an outcome; an error means that double precision did not suffice.
///
/// With a tangential restitution (Newton's law alone has one, the others are refused) the contact grips where
/// friction holds it; elsewhere it goes on as without.
///
/// Limits: no friction moment about the normal.
pub fn solve(impact: &SpatialImpact, law: Law) -> Result<SpatialSolution, PointImpactError> {
    check_law(law, impact.tangential_restitution())?;
    if !total_impulse::has_use(impact) {
        return by(impact, law);
    }
    if let Some(gripped) = total_impulse::grip(impact)? {
        return Ok(gripped);
    }
    let mut solution = by(impact, law)?;
    solution.findings.cannot_grip = true;
    Ok(solution)
}

/// By a law without tangential restitution.
fn by(impact: &SpatialImpact, law: Law) -> Result<SpatialSolution, PointImpactError> {
    match law {
        Law::Moreau => total_impulse::moreau(impact),
        Law::Whittaker => total_impulse::whittaker(impact),
        _ => {
            let (flow, start) = Flow::of(impact);
            let frame = Frame::of(&flow, impact.w());
            routh(impact, law, &flow, start, frame, &mut Unseen)
        }
    }
}

/// The path of an impact, drawn: every event and enough points between for its curves. No point without
/// an impact, for a law that compares totals only or where the contact grips; a jammed path ends where it is
/// last known.
pub fn trace(impact: &SpatialImpact, law: Law) -> Result<Vec<SpatialPoint>, PointImpactError> {
    check_law(law, impact.tangential_restitution())?;
    let grips = total_impulse::has_use(impact) && total_impulse::grip(impact)?.is_some();
    if !law.follows_the_path() || grips {
        return Ok(Vec::new());
    }
    let (flow, start) = Flow::of(impact);
    let frame = Frame::of(&flow, impact.w());
    let mut drawing = Drawing::new(frame);
    routh(impact, law, &flow, start, frame, &mut drawing)?;
    Ok(drawing.points)
}

fn routh<O: Observer>(
    impact: &SpatialImpact,
    law: Law,
    flow: &Flow,
    start: State,
    frame: Frame,
    observer: &mut O,
) -> Result<SpatialSolution, PointImpactError> {
    let slope = first_slope(flow, &start);
    let strikes = start.v_n < 0.0 || (start.v_n == 0.0 && slope.is_some_and(|k| k < 0.0));
    if !strikes {
        return Ok(no_impact(impact, law));
    }
    let ending = Ending::new(law, impact.restitution(), start.v_n);
    let mut march = March::new(flow, frame, ending, observer);
    let finish = march.follow(start)?;
    let [_, unit_p, unit_w] = frame.units();
    let end = match finish {
        Finish::Ended(state) | Finish::Arrested(state) => Some(impact_end(impact, frame, &state)?),
        Finish::Jammed => None,
    };
    let is_compressed = march.ending.phase == Phase::Restitution || march.ending.p_c > 0.0;
    let is_stuck = march.halt.is_some_and(|halt| halt.is_stuck);
    Ok(SpatialSolution {
        outcome: match finish {
            Finish::Jammed => Outcome::Jammed,
            _ => Outcome::Solved,
        },
        contact_type: contact_type(march.halt),
        compression: is_compressed.then_some(SpatialCompression {
            p_n: unit_p * march.ending.p_c,
            work: unit_w * march.ending.w_c,
            count: march.ending.compressions,
        }),
        events: march.events,
        findings: SpatialFindings {
            without_collision: start.v_n == 0.0,
            jam_slope: slope.is_some_and(|k| k <= 0.0),
            slip_also_consistent: is_stuck && flow.only_static_holds(),
            energy_gain: end.as_ref().is_some_and(gains_energy),
            tangent_impulse_undetermined: is_stuck && flow.lambda[0] == 0.0,
            arrested: matches!(finish, Finish::Arrested(_)),
            ..SpatialFindings::default()
        },
        end,
        ..no_impact(impact, law)
    })
}

/// `k` of the slip the impact starts with, if it slips.
fn first_slope(flow: &Flow, start: &State) -> Option<f64> {
    let slip = start.slip();
    let slips = !flow.is_rest(slip);
    slips.then(|| flow.normal_slope([start.x[0] / slip, start.x[1] / slip]))
}

/// The answer when the bodies separate or rest on one another.
pub(super) fn no_impact(impact: &SpatialImpact, law: Law) -> SpatialSolution {
    let (w, v) = (impact.w(), impact.v_pre());
    SpatialSolution {
        law,
        outcome: Outcome::NoImpact,
        contact_type: ContactType::NoImpact,
        started_at_rest: v.t == [0.0; 2],
        compression: None,
        end: Some(SpatialEnd {
            impulse: SpatialVector::default(),
            v_post: v,
            work: SpatialWork::default(),
            energy_change: 0.0,
            momentum_residual: 0.0,
            energy_residual: 0.0,
            cone_residual: 0.0,
            energy_scale: 0.0,
        }),
        events: Events::default(),
        mu_stick: w.stick_threshold(),
        mu_jam: w.jam_threshold(),
        findings: SpatialFindings::default(),
    }
}

fn contact_type(halt: Option<Halt>) -> ContactType {
    let Some(halt) = halt else {
        return ContactType::PermanentSliding;
    };
    match (halt.phase, halt.is_stuck) {
        (_, false) if halt.is_start => ContactType::PermanentSliding,
        (Phase::Compression, true) => ContactType::NonSlidingCompression,
        (Phase::Compression, false) => ContactType::ReverseCompression,
        (Phase::Restitution, true) => ContactType::NonSlidingRestitution,
        (Phase::Restitution, false) => ContactType::ReverseRestitution,
    }
}

fn impact_end(
    impact: &SpatialImpact,
    frame: Frame,
    state: &State,
) -> Result<SpatialEnd, PointImpactError> {
    let [unit_v, unit_p, unit_w] = frame.units();
    // ∫ v_i dp_i along t1 and t2: the diagonal of the turned matrix.
    let along = |e: [f64; 2]| {
        let [w_11, w_12, w_22] = state.w_t;
        unit_w * (e[0] * e[0] * w_11 + 2.0 * e[0] * e[1] * w_12 + e[1] * e[1] * w_22) + 0.0
    };
    let w = impact.w();
    let work = SpatialWork {
        n: unit_w * state.w_n + 0.0,
        t: [along(w.to_axes([1.0, 0.0])), along(w.to_axes([0.0, 1.0]))],
    };
    let impulse = SpatialVector {
        n: unit_p * state.p,
        t: frame.tangent(state.p_t, unit_p),
    };
    let v_post = SpatialVector {
        n: unit_v * state.v_n + 0.0,
        t: frame.tangent(state.x, unit_v),
    };
    let change = unit_w * (state.w_n + state.friction_work()) + 0.0;
    with_residuals(impact, impulse, v_post, work, change)
}

/// Puts an end together, checks it by its balances, and refuses one that overflowed.
pub(super) fn with_residuals(
    impact: &SpatialImpact,
    impulse: SpatialVector,
    v_post: SpatialVector,
    work: SpatialWork,
    energy_change: f64,
) -> Result<SpatialEnd, PointImpactError> {
    let (w, v) = (impact.w(), listed(impact.v_pre()));
    let (p, after) = (listed(impulse), listed(v_post));
    let (mut misses, mut most) = ([0.0; 3], [0.0; 3]);
    let (mut energy, mut scale) = (0.0, 0.0f64);
    for i in 0..3 {
        let terms = [0, 1, 2].map(|j| w.matrix()[i][j] * p[j]);
        let sum: f64 = terms.iter().sum();
        misses[i] = after[i] - v[i] - sum;
        most[i] = largest(&terms).max(v[i].abs()).max(after[i].abs());
        energy += p[i] * (v[i] + 0.5 * sum);
        scale = scale.max((p[i] * v[i]).abs());
        scale = scale.max((0.5 * p[i]).abs() * largest(&terms));
    }
    let sideways = relative(misses[1].hypot(misses[2]), most[1].max(most[2]));
    let momentum = relative(misses[0].abs(), most[0]) + sideways;
    let (slip, cone) = (p[1].hypot(p[2]), impact.friction().mu_s() * p[0]);
    let end = SpatialEnd {
        impulse,
        v_post,
        work,
        energy_change,
        momentum_residual: momentum,
        energy_residual: relative((energy_change - energy).abs(), scale),
        cone_residual: relative((slip - cone).max(0.0), slip.max(cone)),
        energy_scale: scale,
    };
    let sum = p.iter().chain(&after).map(|x| x.abs()).sum::<f64>() + energy_change.abs();
    if (sum + work.n.abs() + end.energy_residual + end.momentum_residual).is_finite() {
        Ok(end)
    } else {
        Err(PointImpactError::Overflow)
    }
}

fn listed(x: SpatialVector) -> [f64; 3] {
    [x.n, x.t[0], x.t[1]]
}

fn largest(terms: &[f64]) -> f64 {
    terms
        .iter()
        .fold(0.0, |most: f64, term| most.max(term.abs()))
}

/// A miss over the largest term; 0 when there is nothing to compare.
fn relative(miss: f64, largest: f64) -> f64 {
    if largest == 0.0 { 0.0 } else { miss / largest }
}

/// Whether the energy grows beyond the round-off of the terms it is the sum of.
pub(super) fn gains_energy(end: &SpatialEnd) -> bool {
    end.energy_change > 16.0 * TIE * end.energy_scale
}
