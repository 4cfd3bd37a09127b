//! What a system watches beside its contacts.

use super::{Crossing, Dynamics, GuardValue, Reset};
use crate::dynamics::State;

/// Guards of a system's own and what they do to the state; by default none.
pub trait Guards: Dynamics {
    /// Count of the system's own guards.
    fn guards(&self) -> usize {
        0
    }

    /// Name of a guard.
    fn guard_name(&self, guard: usize) -> String {
        format!("guard {guard}")
    }

    /// Which change of sign of a guard is an event.
    fn guard_crossing(&self, guard: usize) -> Crossing {
        let _ = guard;
        Crossing::Falling
    }

    /// Value and rate of every guard of the system's own; a rate may be `NaN` where it is not known.
    fn guard_values(&mut self, state: State<'_>, acceleration: &[f64], out: &mut [GuardValue]) {
        let _ = (state, acceleration, out);
    }

    /// Whether a guard that just vanished counts; one that is switched off passes unnoticed.
    fn is_switched_on(&mut self, state: State<'_>, guard: usize) -> bool {
        let _ = (state, guard);
        true
    }

    /// What an event of a guard does to the state: the reset map.
    fn reset(&mut self, guard: usize, t: f64, q: &mut [f64], v: &mut [f64]) -> Reset {
        let _ = (guard, t, q, v);
        Reset::GoOn
    }
}
