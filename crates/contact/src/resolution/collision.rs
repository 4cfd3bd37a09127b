//! Impact without collision: a sliding contact compresses although nothing approaches.

use carom_numeric::dot;

use super::{IMPULSES_KNOWN, ResolutionError, most_seen};
use crate::contact_space::{ContactSpace, Mechanism, PlanarDelassus, PlanarVector};
use crate::forward::{ForwardContact, ForwardProblem, ImpulsePath, Resolution, ResolutionKind};
use crate::impact::planar::{ImpactEnd, PlanarImpact, PlanarSolution, solve};
use crate::impact::{Law, Outcome};

/// The impact of a sliding contact with `v_n⁻ = 0`, of the first that has one ([`impacts_without_collision`]
/// lists all).
pub fn impact_without_collision(
    problem: &ForwardProblem,
    restitution: f64,
    law: Law,
) -> Result<Option<Resolution>, ResolutionError> {
    let all = impacts_without_collision(problem, restitution, law)?;
    Ok(all.into_iter().next())
}

/// The impacts of sliding contacts with `v_n⁻ = 0`, one for each contact that has one; none where pressing
/// makes a contact not approach (`W_nn − μσ W_nt >= 0`), where no finite impulse ends it, or where W is
/// beyond the range of impacts.
///
/// Slip always halts, and then always sticks. Newton's coefficient has no approach to act on and
/// gives `v_n⁺ = 0`. The other elements must take no impulse: at every corner of the path other
/// contacts do not approach, and loads with friction have none (`C Δq̇ = 0`).
pub fn impacts_without_collision(
    problem: &ForwardProblem,
    restitution: f64,
    law: Law,
) -> Result<Vec<Resolution>, ResolutionError> {
    problem.check()?;
    if !law.follows_the_path() {
        return Err(ResolutionError::LawRefused(law));
    }
    let mut found = Vec::new();
    for k in 0..problem.contacts.len() {
        found.extend(impact_at(problem, k, restitution, law)?);
    }
    Ok(found)
}

/// The impact without collision of contact `k`, if the other elements let it happen alone.
fn impact_at(
    problem: &ForwardProblem,
    k: usize,
    restitution: f64,
    law: Law,
) -> Result<Option<Resolution>, ResolutionError> {
    let Some(tangent) = &problem.contacts[k].tangent else {
        return Ok(None);
    };
    let mut space = ContactSpace::new();
    let Some(w) = inverse_inertia(problem, k, tangent, &mut space) else {
        return Ok(None);
    };
    let impact = planar_impact(&problem.contacts[k], w, restitution)?;
    let solution = solve(&impact, law).map_err(ResolutionError::Impact)?;
    let (Outcome::Solved, Some(end)) = (solution.outcome, solution.end) else {
        return Ok(None);
    };
    let jump_by = |impulse: [f64; 2]| {
        let mut change = vec![0.0; problem.coordinates()];
        space.apply(&impulse, &mut change);
        change
    };
    let corners = solution.path();
    let mut changes = corners.iter().map(|c| jump_by([c.p_n, c.p_t]));
    if !changes.all(|change| leaves_others_alone(problem, k, &change)) {
        return Ok(None);
    }
    let change = jump_by([end.impulse.n, end.impulse.t]);
    let mut jump = told(problem, k, &end, change);
    jump.law = Some(law);
    jump.impulse_path = Some(impulse_path(&solution));
    Ok(Some(jump))
}

/// The end of an impact of contact `k` as a jump of all velocities.
fn told(problem: &ForwardProblem, k: usize, end: &ImpactEnd, change: Vec<f64>) -> Resolution {
    let joints = problem.friction.len();
    let alone = |impulse: f64| {
        let mut list = vec![0.0; joints + problem.contacts.len()];
        list[joints + k] = impulse;
        list
    };
    let mut contact_velocity_after = contact_velocities(problem, &change);
    contact_velocity_after[k] = [end.v_post.n, end.v_post.t];
    let is_known = !problem.velocity.is_empty();
    let pairs = problem.velocity.iter().zip(&change);
    let after: Vec<f64> = pairs.map(|(v, jump)| v + jump).collect();
    Resolution {
        kind: ResolutionKind::ImpactWithoutCollision,
        law: None,
        normal_impulse: alone(end.impulse.n),
        friction_impulse: alone(end.impulse.t),
        velocity_change: change,
        contact_velocity_after,
        energy_before: is_known.then(|| kinetic(problem, &problem.velocity)),
        energy_after: is_known.then(|| kinetic(problem, &after)),
        velocity_after: is_known.then_some(after),
        energy_loss: -end.energy_change,
        impulse_path: None,
        next_modes: None,
    }
}

/// Whether a jump makes no other contact approach and loads no coordinate with friction.
fn leaves_others_alone(problem: &ForwardProblem, k: usize, change: &[f64]) -> bool {
    let mut loads = problem.load_matrix.iter().zip(&problem.friction);
    let mut others = (0..problem.contacts.len()).filter(|other| *other != k);
    loads.all(|(row, given)| {
        let room = IMPULSES_KNOWN * most_seen(problem, row, change);
        given.mu_s == 0.0 || dot(row, change).abs() <= room
    }) && others.all(|other| does_not_approach(problem, other, change))
}

/// Whether contact `k` stays or opens in a jump.
pub(super) fn does_not_approach(problem: &ForwardProblem, k: usize, change: &[f64]) -> bool {
    let row = &problem.contacts[k].normal;
    dot(row, change) >= -IMPULSES_KNOWN * most_seen(problem, row, change)
}

/// Velocity of each contact after a jump, normal and tangent (m/s).
pub(super) fn contact_velocities(problem: &ForwardProblem, change: &[f64]) -> Vec<[f64; 2]> {
    let velocity = |contact: &ForwardContact| {
        let tangent = contact.tangent.as_ref();
        let gained = tangent.map_or(0.0, |row| dot(row, change));
        [dot(&contact.normal, change), contact.slip + gained]
    };
    problem.contacts.iter().map(velocity).collect()
}

/// Inverse inertia at contact `k`; `None` where its size is beyond the range of impacts.
fn inverse_inertia(
    problem: &ForwardProblem,
    k: usize,
    tangent: &[f64],
    space: &mut ContactSpace,
) -> Option<PlanarDelassus> {
    let rows = [&problem.contacts[k].normal[..], tangent].concat();
    let mechanism = Mechanism {
        mass: &problem.inertia.concat(),
        velocity: &vec![0.0; problem.coordinates()],
        rows: &rows,
        constraints: &[],
    };
    space.reduce(&mechanism).ok()?;
    space.planar(0, 1).ok().map(|(w, _)| w)
}

/// A contact in its own plane, sliding and not approaching.
fn planar_impact(
    contact: &ForwardContact,
    w: PlanarDelassus,
    restitution: f64,
) -> Result<PlanarImpact, ResolutionError> {
    let friction = contact
        .friction
        .checked()
        .map_err(ResolutionError::Friction)?;
    let v_pre = PlanarVector {
        n: 0.0,
        t: contact.slip,
    };
    PlanarImpact::new(w, v_pre, friction, restitution).map_err(ResolutionError::Impact)
}

fn impulse_path(solution: &PlanarSolution) -> ImpulsePath {
    let path = solution.path();
    ImpulsePath {
        corners: path.iter().map(|corner| [corner.p_n, corner.p_t]).collect(),
        compression: solution.compression.map(|c| c.p_n),
        compression_work: solution.compression.map(|c| c.work),
    }
}

/// `½ q̇ᵀ A q̇` (J).
pub(super) fn kinetic(problem: &ForwardProblem, v: &[f64]) -> f64 {
    let rows = problem.inertia.iter().zip(v);
    0.5 * rows.map(|(row, x)| x * dot(row, v)).sum::<f64>()
}
