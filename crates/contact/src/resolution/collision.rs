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
    let n = problem.coordinates();
    let nothing = vec![0.0; n];
    let is_known = problem.velocity.len() == n;
    let before = if is_known {
        &problem.velocity
    } else {
        &nothing
    };
    let mass = problem.inertia.concat();
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &mass,
            velocity: before,
            rows: &[&contact.normal[..], &tangent[..]].concat(),
            constraints: &[],
        })
        .map_err(ResolutionError::Mechanism)?;
    let (w, _) = space.planar(0, 1).map_err(ResolutionError::Delassus)?;
    let friction = Friction::new(contact.friction.mu_s, contact.friction.mu_d)
        .map_err(ResolutionError::Friction)?;
    let v_pre = PlanarVector {
        n: 0.0,
        t: contact.slip,
    };
    let impact =
        PlanarImpact::new(w, v_pre, friction, restitution).map_err(ResolutionError::Impact)?;
    let solution = solve(&impact, law).map_err(ResolutionError::Impact)?;
    let mut change = vec![0.0; n];
    let (Outcome::Solved, Some(end)) = (solution.outcome, solution.end) else {
        return Ok(None);
    };
    space.apply(&[end.impulse.n, end.impulse.t], &mut change);
    let after: Vec<f64> = before.iter().zip(&change).map(|(a, b)| a + b).collect();
    Ok(Some(Resolution {
        kind: ResolutionKind::ImpactWithoutCollision,
        law: Some(law.name().to_owned()),
        normal_impulse: vec![end.impulse.n],
        friction_impulse: vec![end.impulse.t],
        velocity_change: change,
        contact_velocity_after: vec![[end.v_post.n, end.v_post.t]],
        energy_before: is_known.then(|| kinetic(problem, before)),
        energy_after: is_known.then(|| kinetic(problem, &after)),
        velocity_after: is_known.then_some(after),
        energy_loss: -end.energy_change,
        impulse_path: Some(impulse_path(&solution)),
        next_modes: None,
    }))
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
