//! Impact without collision: a sliding contact compresses although nothing approaches.

use super::ResolutionError;
use crate::forward::{ForwardProblem, ImpulsePath, Resolution, ResolutionKind};
use crate::impact::planar::{PlanarImpact, PlanarSolution, solve};
use crate::impact::{Law, Outcome};
use crate::space::{ContactSpace, Friction, Mechanism, PlanarVector};

/// The impact of the one contact of a problem with `v_n⁻ = 0`; `None` where pressing does not make
/// it approach (`W_nn − μσ W_nt >= 0`), or where no finite impulse ends it.
///
/// Slip always halts, and then always sticks. Newton's coefficient has no approach to act on and
/// gives `v_n⁺ = 0`.
pub fn impact_without_collision(
    problem: &ForwardProblem,
    restitution: f64,
    law: Law,
) -> Result<Option<Resolution>, ResolutionError> {
    problem.check()?;
    if !law.follows_the_path() {
        return Err(ResolutionError::LawRefused(law));
    }
    let Some(contact) = problem.contacts.first() else {
        return Ok(None);
    };
    let Some(tangent) = &contact.tangent else {
        return Ok(None);
    };
    let mut space = ContactSpace::new();
    let impact = planar_impact(problem, tangent, restitution, &mut space)?;
    let solution = solve(&impact, law).map_err(ResolutionError::Impact)?;
    let (Outcome::Solved, Some(end)) = (solution.outcome, solution.end) else {
        return Ok(None);
    };
    let mut change = vec![0.0; problem.coordinates()];
    space.apply(&[end.impulse.n, end.impulse.t], &mut change);
    let is_known = !problem.velocity.is_empty();
    let pairs = problem.velocity.iter().zip(&change);
    let after: Vec<f64> = pairs.map(|(v, jump)| v + jump).collect();
    Ok(Some(Resolution {
        kind: ResolutionKind::ImpactWithoutCollision,
        law: Some(law.name().to_owned()),
        normal_impulse: vec![end.impulse.n],
        friction_impulse: vec![end.impulse.t],
        velocity_change: change,
        contact_velocity_after: vec![[end.v_post.n, end.v_post.t]],
        energy_before: is_known.then(|| kinetic(problem, &problem.velocity)),
        energy_after: is_known.then(|| kinetic(problem, &after)),
        velocity_after: is_known.then_some(after),
        energy_loss: -end.energy_change,
        impulse_path: Some(impulse_path(&solution)),
        next_modes: None,
    }))
}

/// The first contact in its own plane, sliding and not approaching.
fn planar_impact(
    problem: &ForwardProblem,
    tangent: &[f64],
    restitution: f64,
    space: &mut ContactSpace,
) -> Result<PlanarImpact, ResolutionError> {
    let contact = &problem.contacts[0];
    let rows = [&contact.normal[..], tangent].concat();
    let mechanism = Mechanism {
        mass: &problem.inertia.concat(),
        velocity: &vec![0.0; problem.coordinates()],
        rows: &rows,
        constraints: &[],
    };
    space
        .reduce(&mechanism)
        .map_err(ResolutionError::Mechanism)?;
    let (w, _) = space.planar(0, 1).map_err(ResolutionError::Delassus)?;
    let friction = Friction::new(contact.friction.mu_s, contact.friction.mu_d)
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
    0.5 * rows
        .map(|(row, x)| x * carom_numeric::dot(row, v))
        .sum::<f64>()
}
