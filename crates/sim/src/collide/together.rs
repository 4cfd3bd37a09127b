//! Several contacts that collide at one instant: the problem in generalised coordinates is posed and solved as
//! `carom impact` does, and stays with the event.

use carom_contact::impact::{
    ContactResult, ImpactInputError, ImpactProblem, ImpactResult, Law, Method, Prepared, Tangential,
};
use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, FrameImpulse};
use carom_multibody::space::contact::FrameComponents;

use super::Collider;
use super::law::Rules;
use super::order::sequence;
use super::problem::problem;
use crate::journal::event::{Collision, Event, Happening, Posed};
use crate::{ImpactFault, SimError};

impl Collider {
    /// Solves the collision of several contacts at a state. Where the outcome is not determined the
    /// event is the first of those known.
    pub(super) fn strike_together(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contacts: &[usize],
        rules: Rules<'_>,
    ) -> Result<Event, SimError> {
        self.look(mechanism, state, contacts);
        let problem = problem(mechanism, state, contacts, rules.of_contacts);
        let order = match rules.method {
            Method::Sequential => {
                let names: Vec<&str> = problem.contacts.iter().map(|c| &c.name[..]).collect();
                sequence(rules.order, &names)
            }
            _ => None,
        };
        let result = solve_in(&problem, rules.law, rules.method, order.as_deref());
        let fault = |e| rules.refuse(state.t, contacts, ImpactFault::Several(e));
        let result = result.map_err(fault)?;
        let pushes: Vec<FrameImpulse> = contacts.iter().zip(&result.contacts).map(push).collect();
        let n = state.v.len();
        let v_post = match &result.velocity {
            Some(velocity) => velocity[..n].to_vec(),
            None => state.v.to_vec(),
        };
        let jump: Vec<f64> = v_post.iter().zip(state.v).map(|(a, b)| a - b).collect();
        let mut joint_impulses = Vec::new();
        let motion_work =
            mechanism.frame_impulse_reactions(state, &jump, &pushes, &mut joint_impulses);
        let has_end = result.velocity.is_some();
        let posed = Box::new(Posed { problem, result });
        let collision = Collision {
            order,
            ..collision(contacts, &pushes, posed)
        };
        let change = collision.work + collision.friction_work + motion_work;
        Ok(Event {
            v_post,
            energy_change: has_end.then_some(change),
            motion_work,
            joint_impulses,
            ..Event::at(state, Happening::Collision(collision))
        })
    }
}

/// Solves by a law and a method, a sequence in its order where one is stated.
fn solve_in(
    posed: &ImpactProblem,
    law: Law,
    method: Method,
    order: Option<&[usize]>,
) -> Result<ImpactResult, ImpactInputError> {
    let prepared = Prepared::new(posed)?;
    match order {
        Some(order) => prepared.solve_in_order(law, order),
        None => prepared.solve(law, method),
    }
}

/// The impulse of a contact; zero where nothing pushes.
fn push((contact, result): (&usize, &ContactResult)) -> FrameImpulse {
    let t = match result.impulse.tangent {
        None => [0.0; 2],
        Some(Tangential::Plane(t)) => [t, 0.0],
        Some(Tangential::Space(t)) => t,
    };
    FrameImpulse {
        contact: *contact,
        impulse: FrameComponents {
            n: result.impulse.normal.unwrap_or(0.0),
            t,
        },
        spin: 0.0,
    }
}

fn collision(contacts: &[usize], pushes: &[FrameImpulse], posed: Box<Posed>) -> Collision {
    let result = &posed.result;
    let all = || result.contacts.iter();
    let along = |t: Option<Tangential>| t.map_or(0.0, |t| t.numbers().iter().sum::<f64>());
    Collision {
        contacts: contacts.to_vec(),
        law: result.law,
        method: result.method,
        order: None,
        outcome: result.outcome,
        is_taken: true,
        impulses: pushes.iter().map(|push| push.impulse.n).collect(),
        friction_impulses: pushes.iter().map(|push| push.impulse.t[0]).collect(),
        v_n_pre: all()
            .map(|c| c.velocity_before.normal.unwrap_or(0.0))
            .collect(),
        v_n_post: all()
            .map(|c| c.velocity_after.normal.unwrap_or(0.0))
            .collect(),
        slips: all()
            .map(|c| c.velocity_after.tangent.map_or(0.0, Tangential::value))
            .collect(),
        work: all().map(|c| c.work.normal.unwrap_or(0.0)).sum(),
        friction_work: all().map(|c| along(c.work.tangent)).sum(),
        posed,
    }
}
