//! What the guards that fired together mean.

use carom_multibody::State;
use carom_multibody::mechanism::Mechanism;
use carom_ode::{Fired, Integrator, Kind};

use crate::approach::LastImpact;
use crate::flow::Flow;

/// What the guards that fired mean.
pub(crate) enum Batch {
    /// A graze, a feature that does not own its touch, a guard that is switched off.
    Nothing,
    /// Contacts close; others touch at that instant.
    Closing {
        /// Contacts that approach.
        closing: Vec<usize>,
        /// Contacts that touch without approaching.
        touching: Vec<usize>,
    },
    /// Contacts are closed and do not open.
    Persists(Vec<usize>),
    /// A guard of the system's own.
    Own(usize),
}

/// A gap this small is closed (m).
const CLOSED: f64 = 1e-13;

/// Sorts out an event. Contacts come before the system's own guards: a guard that fires with them
/// is re-armed by the state after the impact.
pub(crate) fn batch<M: Mechanism>(
    flow: &mut Flow<'_, M>,
    motion: &mut Integrator<Vec<f64>>,
    last: &LastImpact,
) -> Batch {
    let fired: Vec<Fired> = motion.fired().to_vec();
    let (t, y) = (motion.time(), motion.state().clone());
    let (q, v, _) = flow.split(&y);
    let state = State { t, q, v };
    let gaps = flow.gaps(state).to_vec();
    let (mut closing, mut staying, mut own) = (Vec::new(), Vec::new(), None);
    for event in &fired {
        let Some(gap) = gaps.get(event.guard) else {
            let guard = event.guard - gaps.len();
            if !flow.mechanism.is_switched_on(state, guard) {
                motion.pass(event.guard);
            } else if event.kind != Kind::Grazing {
                own = own.or(Some(guard));
            }
            continue;
        };
        if !flow.mechanism.owns_touch(state, event.guard) {
            motion.pass(event.guard);
            continue;
        }
        match event.kind {
            Kind::Grazing => {}
            Kind::Violated if !last.approaches(flow.mechanism, state, event.guard, gap.v_n) => {
                staying.push(event.guard);
            }
            Kind::Crossing | Kind::Violated => closing.push(event.guard),
        }
    }
    if !closing.is_empty() {
        let mut touching = Vec::new();
        for (contact, gap) in gaps.iter().enumerate() {
            let is_closed = gap.gap.abs() <= CLOSED && !closing.contains(&contact);
            if is_closed && flow.mechanism.owns_touch(state, contact) {
                touching.push(contact);
            }
        }
        return Batch::Closing { closing, touching };
    }
    match (staying.is_empty(), own) {
        (false, _) => Batch::Persists(staying),
        (true, Some(guard)) => Batch::Own(guard),
        (true, None) => Batch::Nothing,
    }
}
