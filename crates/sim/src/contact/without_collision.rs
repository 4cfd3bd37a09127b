//! Impacts without collision: no acceleration is consistent with friction, and the rates jump.

use carom_contact::forward::Resolution;
use carom_contact::impact::Law;
use carom_contact::resolution::impact_without_collision;
use carom_multibody::mechanism::FrameImpulse;
use carom_multibody::space::contact::FrameComponents;
use carom_numeric::dot;

use super::Cause;
use super::standing::{Standing, Touch};
use crate::journal::end::NoAnswer;
use crate::journal::event::{Event, Happening, WithoutCollision};
use crate::machine::{Machine, Next};
use crate::world::World;
use crate::{End, SimError, Stuck};

impl Machine<'_> {
    /// The jump that follows where no acceleration is consistent; the run ends where none does.
    pub(crate) fn jump(&mut self, standing: &Standing, cause: Cause) -> Result<Next, SimError> {
        let contacts = standing.touches.iter().map(|touch| touch.contact).collect();
        let (law, restitution) = self.world.law_of_jump(standing);
        let jump = impact_without_collision(&standing.problem, restitution, law);
        let jump = jump.map_err(|error| self.world.stuck(Stuck::Resolution(error)))?;
        let Some(jump) = jump else {
            let reason = NoAnswer::NoAcceleration;
            return Ok(Next::End(End::NoAnswer { contacts, reason }));
        };
        let event = self.world.apply_jump(standing, &jump, law);
        self.book(event);
        Ok(Next::Choose(Cause {
            landed: contacts,
            ..cause
        }))
    }
}

impl World<'_> {
    /// The law of the rough contact that jumps, where it follows the path of the impulse; else Poisson's
    /// without restitution.
    fn law_of_jump(&self, standing: &Standing) -> (Law, f64) {
        let rough = standing.touches.iter().find(|t| t.friction.mu_s > 0.0);
        match rough.map(|touch| &self.rules[touch.contact]) {
            Some(rule) if rule.law.follows_the_path() => (rule.law, rule.restitution),
            _ => (Law::Poisson, 0.0),
        }
    }

    fn apply_jump(&mut self, standing: &Standing, jump: &Resolution, law: Law) -> Event {
        let now = self.now();
        let change = standing.jump(&jump.velocity_change);
        let v_post: Vec<f64> = now.v.iter().zip(&change).map(|(a, b)| a + b).collect();
        let speeds = jump.contact_velocity_after.iter().zip(&standing.touches);
        let slips = speeds.map(|(v, touch)| v[1].abs() + touch.slip[0].abs());
        self.last.time = now.t;
        self.last.speed = slips.fold(0.0, f64::max);
        self.put(&now.q, &v_post);
        let before = standing.problem.contacts.iter().map(|c| [0.0, c.slip]);
        let pairs = jump.normal_impulse.iter().zip(&jump.friction_impulse);
        let pushes = standing.touches.iter().zip(pairs.clone());
        let pushes: Vec<FrameImpulse> = pushes.map(push).collect();
        let mut joint_impulses = Vec::new();
        let mechanism = &mut *self.flow.mechanism;
        let motion_work =
            mechanism.frame_impulse_reactions(now.state(), &change, &pushes, &mut joint_impulses);
        let what = WithoutCollision {
            contacts: standing.touches.iter().map(|t| t.contact).collect(),
            law,
            impulses: pairs.map(|(n, t)| [*n, *t]).collect(),
            v_pre: before.collect(),
            v_post: jump.contact_velocity_after.clone(),
            works: works(standing, jump),
        };
        Event {
            v_post,
            energy_change: Some(what.works[0] + what.works[1] + motion_work),
            motion_work,
            joint_impulses,
            ..Event::at(now.state(), Happening::WithoutCollision(what))
        }
    }
}

fn push((touch, (n, t)): (&Touch, (&f64, &f64))) -> FrameImpulse {
    FrameImpulse {
        contact: touch.contact,
        impulse: FrameComponents {
            n: *n,
            t: [*t, 0.0],
        },
        spin: 0.0,
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
