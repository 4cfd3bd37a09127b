//! Impact without collision in space: a contact whose slip may turn compresses although nothing approaches.

use carom_numeric::dot;

use super::ResolutionError;
use crate::contact_space::ContactSpace;
use crate::forward::space::{
    FrictionForce, RoughJoint, SpatialForward, SpatialForwardResult, SpatialResolution,
};
use crate::forward::{ForwardInputError, ResolutionKind};
use crate::impact::spatial::{SpatialEnd, SpatialImpact, solve};
use crate::impact::{Law, Outcome};

/// Everything about a problem in space, with the jumps that may follow where it is proved that nothing is
/// consistent.
pub fn solve_and_resolve_in_space(
    posed: &SpatialForward,
    restitution: f64,
    law: Law,
) -> Result<SpatialForwardResult, ResolutionError> {
    let result = posed.solve()?;
    if result.count != Some(0) {
        return Ok(result);
    }
    let resolutions = spatial_impacts_without_collision(posed, restitution, law)?;
    Ok(SpatialForwardResult {
        resolution: resolutions.first().cloned(),
        resolutions,
        ..result
    })
}

/// The impacts of sliding contacts in space with `v_n⁻ = 0`, one for each contact that has one.
///
/// The slip follows the flow of one impact in space. The other elements must take no impulse, whatever is on the
/// way: no impulse of the friction cone makes another contact approach (`W_jn,n >= μ |W_jn,t|`) or loads a
/// joint with friction.
pub fn spatial_impacts_without_collision(
    posed: &SpatialForward,
    restitution: f64,
    law: Law,
) -> Result<Vec<SpatialResolution>, ResolutionError> {
    if !law.follows_the_path() {
        return Err(ResolutionError::LawRefused(law));
    }
    let mut found = Vec::new();
    for k in 0..posed.contacts.len() {
        if leaves_others_alone(posed, k) {
            found.extend(impact_at(posed, k, restitution, law)?);
        }
    }
    Ok(found)
}

/// Whether no impulse of the friction cone of contact `k` reaches another element.
fn leaves_others_alone(posed: &SpatialForward, k: usize) -> bool {
    let mu = posed.contacts[k].friction.mu_s();
    let rows = posed.rows();
    let opens = |j: usize| {
        let seen = &posed.w[3 * j * rows + 3 * k..][..3];
        j == k || seen[0] >= mu * seen[1].hypot(seen[2])
    };
    let is_unloaded = |joint: &RoughJoint| {
        joint.friction.mu_s() == 0.0 || joint.load[3 * k..3 * k + 3].iter().all(|l| *l == 0.0)
    };
    (0..posed.contacts.len()).all(opens) && posed.joints.iter().all(is_unloaded)
}

fn impact_at(
    posed: &SpatialForward,
    k: usize,
    restitution: f64,
    law: Law,
) -> Result<Option<SpatialResolution>, ResolutionError> {
    let contact = posed.contacts[k];
    if contact.rests() || !contact.is_rough() {
        return Ok(None);
    }
    let rows = posed.rows();
    let own = (0..3).flat_map(|a| &posed.w[(3 * k + a) * rows + 3 * k..][..3]);
    let own: Vec<f64> = own.copied().collect();
    let mut space = ContactSpace::new();
    let stated = space.state(&own, &[0.0, contact.slip[0], contact.slip[1]]);
    stated.map_err(ForwardInputError::NotSemidefinite)?;
    let Ok((w, v)) = space.spatial(0, [1, 2]) else {
        return Ok(None);
    };
    let impact = SpatialImpact::new(w, v, contact.friction, restitution);
    let solution = solve(&impact.map_err(ResolutionError::Impact)?, law);
    let solution = solution.map_err(ResolutionError::Impact)?;
    Ok(match (solution.outcome, solution.end) {
        (Outcome::Solved, Some(end)) => Some(told(posed, k, &end, law)),
        _ => None,
    })
}

/// The end of an impact of contact `k` as a jump of all velocities.
fn told(posed: &SpatialForward, k: usize, end: &SpatialEnd, law: Law) -> SpatialResolution {
    let (joints, rows) = (posed.joints.len(), posed.rows());
    let own = [end.impulse.n, end.impulse.t[0], end.impulse.t[1]];
    let elements = joints + posed.contacts.len();
    let mut normal_impulse = vec![0.0; elements];
    normal_impulse[joints + k] = own[0];
    let none = |i: usize| match i < joints {
        true => FrictionForce::Joint(0.0),
        false => FrictionForce::Contact([0.0; 2]),
    };
    let mut friction_impulse: Vec<FrictionForce> = (0..elements).map(none).collect();
    friction_impulse[joints + k] = FrictionForce::Contact(end.impulse.t);
    let after = posed.contacts.iter().enumerate().map(|(j, contact)| {
        let gained = |a: usize| dot(&posed.w[(3 * j + a) * rows + 3 * k..][..3], &own);
        let [s_1, s_2] = contact.slip;
        match j == k {
            true => [end.v_post.n, end.v_post.t[0], end.v_post.t[1]],
            false => [gained(0), s_1 + gained(1), s_2 + gained(2)],
        }
    });
    let change = posed.motion.as_ref().map(|motion| {
        let n = motion.free.len();
        let answer = |i: usize| {
            (0..3)
                .map(|a| motion.response[(3 * k + a) * n + i] * own[a])
                .sum()
        };
        (0..n).map(answer).collect::<Vec<f64>>()
    });
    let before = posed.motion.as_ref().map(|motion| &motion.velocity[..]);
    let before = before.filter(|velocity| !velocity.is_empty());
    let velocity_after = before.zip(change.as_ref()).map(|(before, change)| {
        before
            .iter()
            .zip(change)
            .map(|(v, jump)| v + jump)
            .collect()
    });
    SpatialResolution {
        kind: ResolutionKind::ImpactWithoutCollision,
        law,
        normal_impulse,
        friction_impulse,
        velocity_after,
        velocity_change: change,
        contact_velocity_after: after.collect(),
        energy_loss: -end.energy_change,
    }
}
