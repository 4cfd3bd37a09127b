//! Impacts without collision: no acceleration is consistent with friction, and the rates jump.

use carom_contact::forward::Resolution;
use carom_contact::impact::Law;
use carom_contact::resolution::impact_without_collision;
use carom_multibody::State;
use carom_multibody::mechanism::{FrameImpulse, Mechanism};
use carom_multibody::space::contact::FrameComponents;
use carom_numeric::dot;

use crate::end::NoAnswer;
use crate::event::{Event, Happening, WithoutCollision};
use crate::run::Course;
use crate::standing::{Standing, Touch};
use crate::{End, SimError};

impl<M: Mechanism> Course<'_, M> {
    /// The jump that follows where no acceleration is consistent; what ends the run where none does.
    pub(crate) fn jump_without_collision(
        &mut self,
        standing: &Standing,
    ) -> Result<Option<End>, SimError> {
        let rough = standing.touches.iter().find(|t| t.friction.mu_s > 0.0);
        let rule = rough.map(|touch| &self.rules[touch.contact]);
        let (law, restitution) = match rule {
            Some(rule) if rule.law.follows_the_path() => (rule.law, rule.restitution),
            _ => (Law::Poisson, 0.0),
        };
        let jump = impact_without_collision(&standing.problem, restitution, law);
        let jump = jump.map_err(|error| SimError::Integration {
            time: self.motion.time(),
            message: error.to_string(),
        })?;
        let Some(jump) = jump else {
            let contacts = standing.touches.iter().map(|t| t.contact).collect();
            let reason = NoAnswer::NoAcceleration;
            return Ok(Some(End::NoAnswer { contacts, reason }));
        };
        self.apply_jump(standing, &jump, law);
        Ok(None)
    }

    fn apply_jump(&mut self, standing: &Standing, jump: &Resolution, law: Law) {
        let (time, q, v_pre) = self.now();
        let change = standing.jump(&jump.velocity_change);
        let v_post: Vec<f64> = v_pre.iter().zip(&change).map(|(a, b)| a + b).collect();
        let speeds = jump.contact_velocity_after.iter().zip(&standing.touches);
        let slips = speeds.map(|(v, touch)| v[1].abs() + touch.slip.abs());
        self.last.time = time;
        self.last.speed = slips.fold(0.0, f64::max);
        self.flow.put(self.motion.state_mut(), &q, &v_post);
        let before = standing.problem.contacts.iter().map(|c| [0.0, c.slip]);
        let pairs = jump.normal_impulse.iter().zip(&jump.friction_impulse);
        let pushes: Vec<FrameImpulse> = standing
            .touches
            .iter()
            .zip(pairs.clone())
            .map(push)
            .collect();
        let state = State {
            t: time,
            q: &q,
            v: &v_pre,
        };
        let mut joint_impulses = Vec::new();
        let mechanism = &mut *self.flow.mechanism;
        let motion_work =
            mechanism.frame_impulse_reactions(state, &change, &pushes, &mut joint_impulses);
        let what = WithoutCollision {
            contacts: standing.touches.iter().map(|t| t.contact).collect(),
            law,
            impulses: pairs.map(|(n, t)| [*n, *t]).collect(),
            v_pre: before.collect(),
            v_post: jump.contact_velocity_after.clone(),
            works: works(standing, jump),
        };
        self.book(Event {
            time,
            q_post: q.clone(),
            q,
            v_pre,
            v_post,
            energy_change: Some(what.works[0] + what.works[1] + motion_work),
            what: Happening::WithoutCollision(what),
            motion_work,
            joint_impulses,
            modes_before: Vec::new(),
            modes_after: Vec::new(),
        });
    }
}

fn push((touch, (n, t)): (&Touch, (&f64, &f64))) -> FrameImpulse {
    FrameImpulse {
        contact: touch.contact,
        impulse: FrameComponents {
            n: *n,
            t: [*t, 0.0],
        },
    }
}

/// Works of the normal and of the friction impulse: velocities are linear along each piece of the
/// path, so that the normal work is that of the mean velocity; friction has the rest.
fn works(standing: &Standing, jump: &Resolution) -> [f64; 2] {
    let struck = jump.normal_impulse.iter().position(|p| *p > 0.0);
    let contact = struck.and_then(|k| standing.problem.contacts.get(k));
    let (Some(contact), Some(k)) = (contact, struck) else {
        return [0.0, -jump.energy_loss];
    };
    let v_n = dot(&contact.normal, &jump.velocity_change);
    let path = jump.impulse_path.as_ref();
    let compressed = path.and_then(|path| path.compression_work);
    let normal = match compressed {
        // Restitution gives back what its law allows; without it the end is at rest.
        Some(work) if v_n.abs() == 0.0 => work,
        Some(work) => {
            work + 0.5
                * v_n
                * (jump.normal_impulse[k] - path.and_then(|p| p.compression).unwrap_or(0.0))
        }
        None => 0.0,
    };
    [normal, -jump.energy_loss - normal]
}
