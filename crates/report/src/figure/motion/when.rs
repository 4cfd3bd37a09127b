//! When a mechanism is shown, and why.

use carom_sim::record::{EventKind, EventRecord, RunRecord, Trajectory};

use super::super::run::series::rows_around;
use super::super::svg::{Stroke, colour};

/// Poses shown between start and end, and most impacts shown.
const GHOSTS: usize = 18;
const IMPACTS: usize = 24;

/// Why a pose is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Between,
    Start,
    Impact,
    End,
}

impl Role {
    pub(super) fn stroke(self) -> Stroke {
        match self {
            Self::Between => Stroke::solid(colour::PALE, 0.9),
            Self::Start => Stroke {
                colour: colour::BLUE,
                width: 1.7,
                dash: "4 2.5",
            },
            Self::Impact => Stroke::solid(colour::ORANGE, 1.5),
            Self::End => Stroke::solid(colour::BLACK, 2.2),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Between => "between",
            Self::Start => "start",
            Self::Impact => "impact",
            Self::End => "end",
        }
    }
}

/// Where a pose is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum When {
    /// A sample.
    Sample(usize),
    /// A row around the events.
    Around(usize),
    /// An instant between samples (s).
    Instant(f64),
}

/// What is shown; what matters most comes last. None without samples.
pub(super) fn shown(record: &RunRecord, trajectory: &Trajectory) -> Option<Vec<(Role, When)>> {
    let time = &trajectory.time;
    let (first, last) = (*time.first()?, *time.last()?);
    let mut shown = Vec::new();
    if last > first {
        let even = (1..=GHOSTS).map(|k| first + (last - first) * k as f64 / (GHOSTS + 1) as f64);
        let samples = even.map(|instant| time.partition_point(|t| *t < instant));
        shown.extend(samples.map(|k| (Role::Between, When::Sample(k))));
    }
    let impacts = impacts(record).into_iter();
    shown.extend(impacts.map(|when| (Role::Impact, when)));
    shown.push((Role::Start, When::Sample(0)));
    let end = end(record, last).or((last > first).then(|| When::Sample(time.len() - 1)));
    shown.extend(end.map(|when| (Role::End, when)));
    Some(shown)
}

/// The hardest impacts, in their order.
fn impacts(record: &RunRecord) -> Vec<When> {
    let events = record.events.iter().enumerate();
    let mut impacts: Vec<_> = events
        .filter(|(_, event)| event.kind == EventKind::Impact)
        .map(|(place, event)| (strength(event), place))
        .collect();
    impacts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    impacts.truncate(IMPACTS);
    impacts.sort_by_key(|(_, place)| *place);
    let of = |(_, place): (f64, usize)| match rows_around(record, place) {
        Some([before, _]) => When::Around(before),
        None => When::Instant(record.events[place].time),
    };
    impacts.into_iter().map(of).collect()
}

/// Normal impulses times the speeds at which the contacts closed (J).
fn strength(event: &EventRecord) -> f64 {
    let each = event.contacts.iter().map(|contact| {
        let (impulse, speed) = (contact.impulse.normal, contact.velocity_before.normal);
        (impulse.unwrap_or(0.0) * speed.unwrap_or(0.0)).abs()
    });
    each.sum()
}

/// The end of a run that ends with an event after its last sample.
fn end(record: &RunRecord, last: f64) -> Option<When> {
    let place = record.events.len().checked_sub(1)?;
    let [_, after] = rows_around(record, place)?;
    (record.events[place].time > last).then_some(When::Around(after))
}
