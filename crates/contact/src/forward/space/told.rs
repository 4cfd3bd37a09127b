//! Every answer of a problem in space, and what is proved about the list.

use super::posed::{SpatialForward, cleaned};
use super::result::{FrictionForce, SpatialAnswer, SpatialForwardResult};
use super::rough::{
    Combined, CombinedAnswers, JOINT_COMBINATIONS, Rough, combinations, smooth_mode,
};
use super::slipping::SlippingContact;
use super::{TouchContact, TouchMode, TouchProblem, answers, bounds, largest, notes, sliding};
use crate::cone::Verdict;
use crate::forward::candidate::lexicographic;
use crate::forward::error::ForwardInputError;
use crate::forward::mode::Mode;

/// Forces that make accelerations so many times those without forces, of which what is left is a difference, are
/// round-off of rows that depend on each other.
const LOST: f64 = 1e9;

impl SpatialForward {
    /// Every acceleration that was found, and what is proved about others.
    ///
    /// What follows where nothing is consistent needs a law of impact:
    /// [`crate::resolution::solve_and_resolve_in_space`] fills `resolution`.
    pub fn solve(&self) -> Result<SpatialForwardResult, ForwardInputError> {
        if let Some(result) = sliding::solve(self)? {
            return Ok(result);
        }
        let (weighed, units) = self.weighed();
        let contacts: Vec<TouchContact> =
            self.contacts.iter().map(SlippingContact::touch).collect();
        let bounds = bounds::of(self, &weighed, &contacts)?;
        let is_smooth = self.joints.iter().all(|joint| joint.friction.mu_s() == 0.0);
        let (mut found, verdict) = match is_smooth {
            true => weighed.smooth_answers(&contacts)?,
            false => weighed.rough_answers(&contacts)?,
        };
        let known = found.answers.len();
        let most = LOST * largest(&weighed.drift);
        found
            .answers
            .retain(|one| weighed.terms(&one.touch.force) <= most);
        found.is_complete &= found.answers.len() == known;
        let told: Vec<SpatialAnswer> = found
            .answers
            .iter()
            .map(|one| self.told(one, &units))
            .collect();
        if !told.iter().all(SpatialAnswer::is_finite) {
            return Err(ForwardInputError::Overflow);
        }
        let is_one = verdict == Verdict::Unique && told.len() == 1;
        let is_complete = found.is_complete || is_one;
        let keys: Vec<Vec<f64>> = told.iter().map(SpatialAnswer::key).collect();
        let order = lexicographic(&keys.iter().collect::<Vec<_>>());
        let answers: Vec<SpatialAnswer> = order.into_iter().map(|k| told[k].clone()).collect();
        let proof = notes::Proof {
            is_complete,
            is_by_bound: is_one && !found.is_complete,
            bound: bounds.uniqueness_bound,
        };
        Ok(SpatialForwardResult {
            count: is_complete.then_some(answers.len()),
            is_complete,
            notes: notes::of(self, &answers, proof),
            answers,
            continua: Vec::new(),
            refuted: Vec::new(),
            refuted_count: None,
            unique_for_every_force: None,
            friction_margin: None,
            degree: None,
            condition: bounds,
            witness: None,
            resolution: None,
            resolutions: Vec::new(),
        })
    }

    /// Answers of contacts alone; joints without friction follow.
    fn smooth_answers(
        &self,
        contacts: &[TouchContact],
    ) -> Result<(CombinedAnswers, Verdict), ForwardInputError> {
        let (k, rows) = (self.contact_rows(), self.rows());
        let own = (0..k).flat_map(|i| &self.w[i * rows..i * rows + k]);
        let w: Vec<f64> = own.copied().collect();
        let problem = TouchProblem {
            w: &w,
            drift: &self.drift[..k],
            contacts,
            pivots: &[],
        };
        let found = answers(&problem).map_err(ForwardInputError::Delassus)?;
        let combined = found.answers.into_iter().map(|mut touch| {
            touch.force.resize(rows, 0.0);
            let moved = self.moved(&touch.force);
            touch.acceleration.extend(&moved[k..]);
            let joints = self.joints.iter().zip(&moved[k..]);
            let joints = joints.map(|(joint, a)| smooth_mode(joint.velocity, *a));
            Combined {
                joints: joints.collect(),
                touch,
            }
        });
        let combined = CombinedAnswers {
            answers: combined.collect(),
            is_complete: found.is_complete,
        };
        Ok((combined, found.acceleration))
    }

    /// Answers of contacts and joints with friction.
    fn rough_answers(
        &self,
        contacts: &[TouchContact],
    ) -> Result<(CombinedAnswers, Verdict), ForwardInputError> {
        if combinations(&self.joints).is_none_or(|count| count > JOINT_COMBINATIONS) {
            let found = self
                .joints
                .iter()
                .filter(|j| j.friction.mu_s() > 0.0)
                .count();
            return Err(ForwardInputError::TooManyElements { found });
        }
        Ok((Rough::new(self, contacts).enumerate(), Verdict::Undecided))
    }

    /// An answer in the units of this problem.
    fn told(&self, one: &Combined, units: &[f64]) -> SpatialAnswer {
        let k = self.contact_rows();
        let forces = one.touch.force.iter().zip(units);
        let force: Vec<f64> = forces.map(|(f, unit)| f * unit).collect();
        let mut moved = self.moved_cleanly(&force);
        for (a, mode) in moved.chunks_exact_mut(3).zip(&one.touch.modes) {
            match mode {
                TouchMode::Lift => {}
                TouchMode::Stick => a.fill(0.0),
                TouchMode::Slide | TouchMode::Onset => a[0] = 0.0,
            }
        }
        let loads = self.joints.iter().map(|joint| joint.loaded(&force).0 + 0.0);
        let normals = force[..k].iter().step_by(3).map(|f| f + 0.0);
        let along = force[..k].chunks_exact(3);
        let along = along.map(|f| FrictionForce::Contact([f[1] + 0.0, f[2] + 0.0]));
        let resisting = force[k..].iter().map(|f| FrictionForce::Joint(-f + 0.0));
        let modes = one.touch.modes.iter().map(|mode| match mode {
            TouchMode::Stick => Mode::Stick,
            TouchMode::Slide => Mode::Slide,
            TouchMode::Onset => Mode::Onset,
            TouchMode::Lift => Mode::LiftOff,
        });
        SpatialAnswer {
            acceleration: self.accelerations(&force, &one.joints),
            normal_load: loads.chain(normals).collect(),
            friction_force: resisting.chain(along).collect(),
            mode: one.joints.iter().copied().chain(modes).collect(),
            contact_acceleration: moved[..k]
                .chunks_exact(3)
                .map(|a| [a[0], a[1], a[2]])
                .collect(),
            attracting: one.touch.is_attracting,
            forces_unique: one.touch.is_force_unique,
            exact: one.touch.is_exact,
        }
    }

    /// q̈ under forces; what is round-off of its terms is zero, and so are joints that stick.
    pub(super) fn accelerations(&self, force: &[f64], modes: &[Mode]) -> Option<Vec<f64>> {
        let motion = self.motion.as_ref()?;
        let mut terms: Vec<f64> = motion.free.iter().map(|a| a.abs()).collect();
        let mut all = motion.free.clone();
        let responses = motion.response.chunks_exact(all.len().max(1));
        for ((response, f), size) in responses.zip(force).zip(self.sizes(force)) {
            for ((a, term), r) in all.iter_mut().zip(&mut terms).zip(response) {
                *a += r * f;
                *term += (r * size).abs();
            }
        }
        for (a, terms) in all.iter_mut().zip(&terms) {
            *a = cleaned(*a, *terms);
        }
        for (joint, mode) in self.joints.iter().zip(modes) {
            if *mode == Mode::Stick {
                all[joint.coordinate] = 0.0;
            }
        }
        Some(all)
    }
}

impl SpatialAnswer {
    fn is_finite(&self) -> bool {
        let lists = [
            self.acceleration.as_deref().unwrap_or(&[]),
            &self.normal_load,
        ];
        let along = self.friction_force.iter().flat_map(FrictionForce::numbers);
        let moved = self.contact_acceleration.iter().flatten();
        let all = lists.into_iter().flatten().chain(along).chain(moved);
        all.into_iter().all(|x| x.is_finite())
    }

    /// What answers are sorted by.
    fn key(&self) -> Vec<f64> {
        match &self.acceleration {
            Some(acceleration) => acceleration.clone(),
            None => self.contact_acceleration.concat(),
        }
    }
}
