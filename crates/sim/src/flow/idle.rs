//! A motion that stops again and again and does not go on.

use crate::scale::Scale;

/// Stops that lead to no event, as grazes do, allowed within [`IDLE_TIME`].
const IDLE_STOPS: usize = 10_000;
/// Part of the time of the motion in which many such stops are no motion.
const IDLE_TIME: f64 = 1e-9;

/// Stops in a row that led to nothing.
#[derive(Debug, Default)]
pub(crate) struct Idle {
    since: f64,
    events: usize,
    stops: usize,
}

impl Idle {
    /// Notes a stop, after so many events; whether there were too many without another in too short a time.
    pub(crate) fn is_stuck(&mut self, time: f64, events: usize, scale: &Scale) -> bool {
        if time - self.since > IDLE_TIME * scale.time || events > self.events {
            (self.since, self.events, self.stops) = (time, events, 0);
        }
        self.stops += 1;
        self.stops > IDLE_STOPS
    }
}
