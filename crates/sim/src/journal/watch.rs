//! Looking on while a run goes, and stopping it.

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Simulated time (s).
    pub time: f64,
    /// Simulated time asked for (s).
    pub duration: f64,
    /// Events so far.
    pub events: usize,
}

/// What the watcher wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// Go on.
    GoOn,
    /// End the run here, with what there is.
    Stop,
}

/// Asked after every step.
pub(crate) type Watcher<'a> = &'a mut dyn FnMut(Progress) -> Watch;
