//! What stops an integration.

/// Why [`Integrator::advance`](crate::Integrator::advance) came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The end time is reached, exactly.
    End,
    /// A set of guards fired; see [`Integrator::fired`](crate::Integrator::fired).
    Event,
}

/// How a guard fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `g = 0` and `ġ ≠ 0` towards the far side: a simple root.
    Crossing,
    /// `ġ = 0` and `|g| <= graze`: a double root, the guard touches zero and turns back.
    Grazing,
    /// `g <= 0` and moving deeper since the integration was (re)started, or turned back before it
    /// came out: there is no root to locate, the caller decides.
    Violated,
}

/// One guard of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fired {
    /// Index of the guard.
    pub guard: usize,
    /// How it fired.
    pub kind: Kind,
    /// Its value at the event, at round-off for the earliest guard of the set.
    pub value: f64,
    /// Its rate at the event; `NaN` when the problem does not know it.
    pub rate: f64,
}
