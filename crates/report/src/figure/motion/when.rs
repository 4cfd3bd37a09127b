//! When a mechanism is shown, and why.

use carom_sim::record::{EventKind, RunRecord, Trajectory};

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
    let impacts = record.events.iter().enumerate();
    let impacts: Vec<When> = impacts
        .filter(|(_, event)| event.kind == EventKind::Impact)
        .map(|(place, event)| match rows_around(record, place) {
            Some([before, _]) => When::Around(before),
            None => When::Instant(event.time),
        })
        .collect();
    let every = impacts.len().div_ceil(IMPACTS).max(1);
    let impacts = impacts.into_iter().step_by(every);
    shown.extend(impacts.map(|when| (Role::Impact, when)));
    shown.push((Role::Start, When::Sample(0)));
    let end = end(record, last).or((last > first).then(|| When::Sample(time.len() - 1)));
    shown.extend(end.map(|when| (Role::End, when)));
    Some(shown)
}

/// The end of a run that ends with an event after its last sample.
fn end(record: &RunRecord, last: f64) -> Option<When> {
    let place = record.events.len().checked_sub(1)?;
    let [_, after] = rows_around(record, place)?;
    (record.events[place].time > last).then_some(When::Around(after))
}
