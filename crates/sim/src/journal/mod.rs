//! The history of a run: events, energies, samples; no physics.

pub(crate) mod end;
pub(crate) mod event;
pub(crate) mod ledger;
pub(crate) mod reset;
pub(crate) mod sample;
mod transition;
pub(crate) mod watch;

use event::{Event, Happening, Transition};
use ledger::Ledger;
use reset::Resets;
use sample::Sampler;

use crate::contact::mode::ContactMode;
use crate::contact::way::FixedWays;
use crate::pile::accumulate::Pending;
use crate::pile::piling::Piling;

/// What is written about a run under way.
pub(crate) struct Journal {
    pub(crate) events: Vec<Event>,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) sampler: Sampler,
    /// The contacts closed in the smooth motion last taken up.
    pub(crate) closed: Vec<(usize, ContactMode)>,
    /// The fixed ways of those that slide in space.
    pub(crate) ways: FixedWays,
    /// The impacts of each contact …
    pub(crate) pilings: Vec<Piling>,
    /// … and of all in turn.
    pub(crate) turns: Piling,
    /// A jump to the limit of a pile that is under way.
    pub(crate) pending: Option<Pending>,
    /// The resets of each guard of the system's own.
    pub(crate) resets: Vec<Resets>,
}

impl Journal {
    /// Enters an event and what it did to the energy; the time since the one before (s).
    pub(crate) fn book(&mut self, event: Event) -> f64 {
        if let Some(ledger) = &mut self.ledger {
            ledger.book(&event);
        }
        let before = self.events.last().map_or(0.0, |last| last.time);
        let flight = event.time - before;
        self.enter(event);
        flight
    }

    /// Enters an event that does nothing to the energy.
    pub(crate) fn enter(&mut self, mut event: Event) {
        event.modes_before.clone_from(&self.closed);
        event.ways_before.clone_from(&self.ways);
        self.events.push(event);
    }

    /// The last event, where it is of this instant.
    pub(crate) fn last_at(&mut self, time: f64) -> Option<&mut Event> {
        self.events.last_mut().filter(|last| last.time == time)
    }

    /// The contacts that came off in an instant.
    pub(crate) fn released_at(&self, time: f64) -> Vec<usize> {
        let latest = self.events.iter().rev();
        let latest = latest.take_while(|event| event.time == time);
        let released = latest.flat_map(|event| match &event.what {
            Happening::Transition {
                kind: Transition::Release,
                contacts,
            } => &contacts[..],
            _ => &[],
        });
        released.copied().collect()
    }

    /// The instant up to which the motion may go on: its end, or the limit of a pile on the way.
    pub(crate) fn until(&self, now: f64, duration: f64) -> f64 {
        let limit = self.pending.as_ref().map(|pending| pending.what.limit);
        limit.map_or(duration, |limit| limit.clamp(now, duration))
    }
}
