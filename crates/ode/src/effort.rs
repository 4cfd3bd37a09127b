//! What an integration cost.

/// Counters since the integrator was built; equal runs count equally.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps whose error passed (a step cut short by an event counts).
    pub steps_accepted: u64,
    /// Steps taken again, because of their error or because a guard was too rough inside them.
    pub steps_rejected: u64,
    /// Calls of [`Problem::rate`](crate::Problem::rate).
    pub evaluations: u64,
    /// Calls of [`Problem::guards`](crate::Problem::guards).
    pub guard_evaluations: u64,
    /// Full-order sub-steps that polished an event.
    pub polish_steps: u64,
    /// Events, each a set of guards.
    pub events: u64,
}
