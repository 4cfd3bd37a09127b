//! Curves of a run over time, with what happened between the samples put in.
//!
//! Each is a list of `(time (s), value)`. At an event the value before and the value after stand at
//! the same instant, so that a jump is vertical. Curves of one run share their instants, so that
//! they can be added point by point. A name the run does not have gives an empty list.

use carom_sim::record::{EventRecord, RunRecord, Trajectory};

use super::super::frame::Point;

/// What an event says of a column: its values before and after.
type Jump = (Option<f64>, Option<f64>);

/// A coordinate of a joint (m or rad).
pub fn coordinate(record: &RunRecord, joint: &str, index: usize) -> Vec<(f64, f64)> {
    let column = record
        .trajectory
        .as_ref()
        .and_then(|t| t.coordinates.get(joint)?.get(index));
    continuous(record, column, |event| {
        value(event.coordinates.get(joint), index)
    })
}

/// A rate of a joint (m/s or rad/s), with its jumps at impacts.
pub fn rate(record: &RunRecord, joint: &str, index: usize) -> Vec<(f64, f64)> {
    let column = record
        .trajectory
        .as_ref()
        .and_then(|t| t.rates.get(joint)?.get(index));
    woven(record, column, |event| {
        let after = event.rates_after.as_ref();
        (
            value(event.rates_before.get(joint), index),
            value(after.and_then(|rates| rates.get(joint)), index),
        )
    })
}

/// Kinetic and potential energy together (J), with the steps the events booked.
pub fn energy(record: &RunRecord) -> Vec<(f64, f64)> {
    let column = record.trajectory.as_ref().map(|t| {
        let sums = t.kinetic.iter().zip(&t.potential);
        sums.map(|(kinetic, potential)| kinetic + potential)
            .collect::<Vec<f64>>()
    });
    woven(record, column.as_ref(), energies)
}

/// Potential energy (J); at an event it stands on the straight line between the samples beside it.
pub fn potential(record: &RunRecord) -> Vec<(f64, f64)> {
    let column = record.trajectory.as_ref().map(|t| &t.potential);
    continuous(record, column, |_| None)
}

/// Kinetic energy (J): at an event the energy less [`potential`].
pub fn kinetic(record: &RunRecord) -> Vec<(f64, f64)> {
    let Some(trajectory) = &record.trajectory else {
        return Vec::new();
    };
    woven(record, Some(&trajectory.kinetic), |event| {
        let height = between(trajectory, &trajectory.potential, event.time);
        let (before, after) = energies(event);
        let less = |total: Option<f64>| Some(total? - height?);
        (less(before), less(after))
    })
}

/// A component of the reaction force of a joint on its child (N): 0 along x, 1 along y.
///
/// A reaction jumps at an impact; what it is just before and after is not recorded, and the curve
/// holds the samples beside.
pub fn reaction(record: &RunRecord, joint: &str, axis: usize) -> Vec<(f64, f64)> {
    let column = record
        .trajectory
        .as_ref()
        .and_then(|t| t.reactions.get(joint)?.force.get(axis));
    woven(record, column, |_| (None, None))
}

/// The reaction moment of a joint on its child (N·m), as [`reaction`].
pub fn moment(record: &RunRecord, joint: &str) -> Vec<(f64, f64)> {
    let series = record
        .trajectory
        .as_ref()
        .and_then(|t| t.reactions.get(joint));
    woven(record, series.map(|s| &s.moment), |_| (None, None))
}

/// The gap of a contact; it is zero where the contact takes part in an event.
pub fn gap(record: &RunRecord, contact: &str) -> Vec<(f64, f64)> {
    let column = record.trajectory.as_ref().and_then(|t| t.gaps.get(contact));
    continuous(record, column, |event| {
        let takes_part = event.contacts.iter().any(|c| c.name == contact);
        takes_part.then_some(0.0)
    })
}

fn value(list: Option<&Vec<f64>>, index: usize) -> Option<f64> {
    list?.get(index).copied()
}

fn energies(event: &EventRecord) -> Jump {
    let before = event.energy_before;
    let after = before.and_then(|energy| Some(energy + event.energy_change?));
    (before, after)
}

/// A column at an instant, on the straight line between the samples beside it.
pub(in super::super) fn between(
    trajectory: &Trajectory,
    column: &[f64],
    instant: f64,
) -> Option<f64> {
    let time = &trajectory.time;
    let next = time.partition_point(|t| *t < instant);
    let at = |k: usize| Some((*time.get(k)?, *column.get(k)?));
    let Some((t1, y1)) = at(next) else {
        return at(next.checked_sub(1)?).map(|(_, y)| y);
    };
    let Some((t0, y0)) = next.checked_sub(1).and_then(at) else {
        return Some(y1);
    };
    Some(y0 + (y1 - y0) * (instant - t0) / (t1 - t0))
}

/// Samples and events in order of time, of a column that does not jump; an event that does not say
/// its value takes it from the straight line between the samples beside it.
fn continuous(
    record: &RunRecord,
    column: Option<&Vec<f64>>,
    at_event: impl Fn(&EventRecord) -> Option<f64>,
) -> Vec<Point> {
    woven(record, column, |event| {
        let sampled = || between(record.trajectory.as_ref()?, column?, event.time);
        let value = at_event(event).or_else(sampled);
        (value, value)
    })
}

/// Samples and events in order of time; an event that does not say its values takes those of the
/// samples beside it, if there are any after it. A sample at the very instant of an event is left
/// to the event.
fn woven(
    record: &RunRecord,
    column: Option<&Vec<f64>>,
    jump: impl Fn(&EventRecord) -> Jump,
) -> Vec<Point> {
    let (Some(trajectory), Some(column)) = (&record.trajectory, column) else {
        return Vec::new();
    };
    let mut samples = trajectory.time.iter().copied().zip(column.iter().copied());
    let mut next = samples.next();
    let mut out: Vec<Point> = Vec::with_capacity(column.len() + 2 * record.events.len());
    for event in &record.events {
        let instant = event.time;
        while let Some(sample) = next.filter(|sample| sample.0 < instant) {
            out.push(sample);
            next = samples.next();
        }
        while next.is_some_and(|sample| sample.0 == instant) {
            next = samples.next();
        }
        let (before, after) = jump(event);
        let before = before.or_else(|| next.and(out.last()).map(|p| p.1));
        let after = after.or_else(|| next.map(|p| p.1));
        out.extend(before.map(|y| (instant, y)));
        out.extend(after.map(|y| (instant, y)));
    }
    out.extend(next);
    out.extend(samples);
    out
}
