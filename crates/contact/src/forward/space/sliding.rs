//! Contacts in space that all slide: their ways are known, and the problem is one of the plane.

use super::posed::SpatialForward;
use super::result::{FrictionForce, SpatialAnswer, SpatialForwardResult};
use super::{TouchContact, TouchProblem, bounds, equally_stiff, notes};
use crate::forward::answers::Answer;
use crate::forward::error::ForwardInputError;
use crate::forward::problem::{ForwardProblem, MAX_ELEMENTS};
use crate::forward::result::{Condition, ForwardResult};
use crate::forward::solve::solve as solve_in_plane;

/// All answers, families and refuted modes with the verdict for every force at these slips; none where a contact is at
/// rest, or where there are too many elements.
pub(super) fn solve(
    posed: &SpatialForward,
) -> Result<Option<SpatialForwardResult>, ForwardInputError> {
    let Some(plane) = posed.sliding.as_deref() else {
        return Ok(None);
    };
    if plane.elements_with_patterns() > MAX_ELEMENTS {
        return Ok(None);
    }
    let found = solve_in_plane(plane)?;
    let (weighed, _) = posed.weighed();
    let contacts: Vec<TouchContact> = posed.contacts.iter().map(|c| c.touch()).collect();
    let bounds = bounds::of(posed, &weighed, &contacts)?;
    let answers = found.answers.iter().map(|one| posed.lifted(one));
    let answers: Vec<SpatialAnswer> = answers.collect();
    let shares = posed.equal_shares(plane, &contacts, &found);
    Ok(Some(SpatialForwardResult {
        count: found.count,
        is_complete: true,
        notes: notes::of_sliding(&answers, shares.as_ref()),
        answers,
        continua: found.continua,
        refuted: found.refuted,
        refuted_count: Some(found.refuted_count),
        unique_for_every_force: found.unique_for_every_force,
        friction_margin: found.friction_margin,
        degree: found.degree,
        condition: Condition {
            mu_p: bounds.mu_p,
            p: bounds.p,
            sure_friction: bounds.sure_friction,
            uniqueness_bound: bounds.uniqueness_bound,
            ..found.condition
        },
        witness: found.witness,
        resolution: None,
        resolutions: Vec::new(),
    }))
}

impl SpatialForward {
    /// An answer of the plane with its friction along the ways of the contacts.
    fn lifted(&self, answer: &Answer) -> SpatialAnswer {
        let joints = self.joints.len();
        let (own, along) = answer.friction_force.split_at(joints);
        let mut force = Vec::with_capacity(self.rows());
        let mut friction: Vec<FrictionForce> =
            own.iter().copied().map(FrictionForce::Joint).collect();
        let loads = &answer.normal_load[joints..];
        for ((contact, load), f_t) in self.contacts.iter().zip(loads).zip(along) {
            let way = contact.way().filter(|_| contact.is_rough());
            let along = way.map_or([0.0; 2], |way| way.map(|x| x * f_t + 0.0));
            force.extend([*load, along[0], along[1]]);
            friction.push(FrictionForce::Contact(along));
        }
        force.extend(own.iter().map(|f| -f));
        let moved = self.moved_cleanly(&force);
        let pairs = moved[..self.contact_rows()].chunks_exact(3);
        let pairs = pairs.zip(&answer.contact_acceleration);
        SpatialAnswer {
            acceleration: self.accelerations(&force, &answer.mode),
            normal_load: answer.normal_load.clone(),
            friction_force: friction,
            mode: answer.mode.clone(),
            contact_acceleration: pairs.map(|(a, [a_n, _])| [*a_n, a[1], a[2]]).collect(),
            attracting: None,
            forces_unique: answer.forces_unique,
            exact: true,
        }
    }

    /// Where there is a family, the accelerations of equally stiff contacts.
    fn equal_shares(
        &self,
        plane: &ForwardProblem,
        contacts: &[TouchContact],
        found: &ForwardResult,
    ) -> Option<Vec<f64>> {
        if found.continua.is_empty() || !plane.friction.is_empty() {
            return None;
        }
        let shared = equally_stiff(&TouchProblem {
            w: &self.w,
            drift: &self.drift,
            contacts,
            pivots: &[],
        })?;
        self.accelerations(&shared.force, &[])
    }
}
