//! Curves of a run over time, with what happened between the samples put in.
//!
//! Each is a list of `(time (s), value)`. At an event the value before and the value after stand at
//! the same instant, so that a jump is vertical; they are those the run recorded around its events,
//! else those the event itself tells. Curves of one run share their instants, so that they can be
//! added point by point. A name the run does not have gives an empty list.

use std::borrow::Cow;

use carom_sim::record::{EventKind, EventRecord, RunRecord, Trajectory};

use super::super::frame::Point;

/// What is known of a column at an event: its values before and after.
type Jump = (Option<f64>, Option<f64>);

/// A column of a trajectory, or the sum of several.
type Column<'a> = Option<Cow<'a, [f64]>>;

/// A coordinate of a joint (m or rad); it jumps only where the user's own event moved it.
pub fn coordinate(record: &RunRecord, joint: &str, index: usize) -> Vec<(f64, f64)> {
    let pick = picking(|t| t.coordinates.get(joint)?.get(index));
    woven(record, &pick, |event| {
        let moved = event.coordinates_after.as_ref();
        let before = value(event.coordinates.get(joint), index);
        let before = before.or_else(|| on_line(record, &pick, event));
        let after = value(moved.and_then(|after| after.get(joint)), index);
        (before, after.or(before))
    })
}

/// A rate of a joint (m/s or rad/s), with its jumps at impacts.
pub fn rate(record: &RunRecord, joint: &str, index: usize) -> Vec<(f64, f64)> {
    let pick = picking(|t| t.rates.get(joint)?.get(index));
    woven(record, &pick, |event| {
        let after = event.rates_after.as_ref();
        (
            value(event.rates_before.get(joint), index),
            value(after.and_then(|rates| rates.get(joint)), index),
        )
    })
}

/// Kinetic and potential energy together (J), with its steps at the events.
pub fn energy(record: &RunRecord) -> Vec<(f64, f64)> {
    woven(record, &totals, booked)
}

fn totals(trajectory: &Trajectory) -> Column<'_> {
    let sums = trajectory.kinetic.iter().zip(&trajectory.potential);
    Some(
        sums.map(|(kinetic, potential)| kinetic + potential)
            .collect(),
    )
}

/// Potential energy (J).
pub fn potential(record: &RunRecord) -> Vec<(f64, f64)> {
    continuous(record, &picking(|t| Some(&t.potential)), |_| None)
}

/// Kinetic energy (J), with its steps at the events.
pub fn kinetic(record: &RunRecord) -> Vec<(f64, f64)> {
    let height = picking(|t| Some(&t.potential));
    woven(record, &picking(|t| Some(&t.kinetic)), |event| {
        let height = on_line(record, &height, event);
        let (before, after) = booked(event);
        let less = |total: Option<f64>| Some(total? - height?);
        (less(before), less(after))
    })
}

/// A component of the reaction force of a joint on its child (N): 0 along x, 1 along y, 2 along z.
///
/// A reaction jumps at an impact. Where what it is just before and after is not recorded, the curve
/// holds the samples beside.
pub fn reaction(record: &RunRecord, joint: &str, axis: usize) -> Vec<(f64, f64)> {
    let pick = picking(|t| t.reactions.get(joint)?.force.get(axis));
    woven(record, &pick, |_| (None, None))
}

/// A component of the reaction moment of a joint on its child (N·m), as [`reaction`]: the only one
/// in the plane, about x, y, z in space.
pub fn moment(record: &RunRecord, joint: &str, component: usize) -> Vec<(f64, f64)> {
    let pick = picking(|t| t.reactions.get(joint)?.moment.components().get(component));
    woven(record, &pick, |_| (None, None))
}

/// The gap of a contact (m, or rad at a stop of an angle).
///
/// Where the run tells nothing around its events, it is zero for a contact that takes part.
pub fn gap(record: &RunRecord, contact: &str) -> Vec<(f64, f64)> {
    continuous(record, &picking(|t| t.gaps.get(contact)), |event| {
        let takes_part = event.contacts.iter().any(|c| c.name == contact);
        takes_part.then_some(0.0)
    })
}

/// Normal force of a contact (N), zero while it is open.
pub fn normal_force(record: &RunRecord, contact: &str) -> Vec<(f64, f64)> {
    let pick = picking(|t| Some(&t.contact_forces.get(contact)?.normal));
    woven(record, &pick, |_| (None, None))
}

/// Friction of a contact along its tangent (N), in space how large it is; zero while it is open.
pub fn friction_force(record: &RunRecord, contact: &str) -> Vec<(f64, f64)> {
    let first = picking(|t| Some(&t.contact_forces.get(contact)?.tangent));
    let second = picking(|t| Some(&t.contact_forces.get(contact)?.second_tangent));
    let first = woven(record, &first, |_| (None, None));
    let is_spatial = |t: &Trajectory| {
        let force = t.contact_forces.get(contact);
        force.is_some_and(|force| !force.second_tangent.is_empty())
    };
    if !record.trajectory.as_ref().is_some_and(is_spatial) {
        return first;
    }
    let second = woven(record, &second, |_| (None, None));
    let pairs = first.into_iter().zip(second);
    pairs.map(|((t, a), (_, b))| (t, a.hypot(b))).collect()
}

/// Torque of a contact against pivoting about its normal (N·m), zero while it is open.
pub fn spin_torque(record: &RunRecord, contact: &str) -> Vec<(f64, f64)> {
    let pick = picking(|t| Some(&t.contact_forces.get(contact)?.spin));
    woven(record, &pick, |_| (None, None))
}

/// A time during which a contact keeps its mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeSpan<'a> {
    /// The mode.
    pub mode: &'a str,
    /// From when (s).
    pub from: f64,
    /// Until when (s).
    pub to: f64,
}

/// What a contact does over time, `open` included.
pub fn mode_spans<'a>(record: &'a RunRecord, contact: &str) -> Vec<ModeSpan<'a>> {
    let mut names: Vec<&str> = Vec::new();
    let both = record.trajectory.iter().chain(&record.around_events);
    for mode in both.filter_map(|t| t.modes.get(contact)).flatten() {
        if !names.contains(&mode.as_str()) {
            names.push(mode);
        }
    }
    let number = |mode: &String| names.iter().position(|name| name == mode);
    let numbered = making(|t| {
        let column = t.modes.get(contact)?.iter();
        let column = column.map(|mode| number(mode).map_or(f64::NAN, |k| k as f64));
        Some(column.collect())
    });
    let mut spans: Vec<ModeSpan<'a>> = Vec::new();
    let points = woven(record, &numbered, |_| (None, None));
    for pair in points.windows(2).filter(|pair| pair[0].0 < pair[1].0) {
        let Some(mode) = names.get(pair[0].1 as usize) else {
            continue;
        };
        let (from, to) = (pair[0].0, pair[1].0);
        match spans.last_mut() {
            Some(last) if last.mode == *mode && last.to == from => last.to = to,
            _ => spans.push(ModeSpan { mode, from, to }),
        }
    }
    spans
}

/// A column of the pose of a body: x (m), y (m), angle (rad); in space x, y, z and quaternion.
pub(crate) fn pose(record: &RunRecord, body: &str, index: usize) -> Vec<Point> {
    let pick = picking(|t| t.poses.get(body)?.get(index));
    continuous(record, &pick, |_| None)
}

/// A choice of one column, of any trajectory.
fn picking<F>(pick: F) -> impl Fn(&Trajectory) -> Column<'_>
where
    F: Fn(&Trajectory) -> Option<&Vec<f64>>,
{
    move |trajectory| pick(trajectory).map(|column| Cow::Borrowed(column.as_slice()))
}

/// A column made from any trajectory.
fn making<F>(make: F) -> impl Fn(&Trajectory) -> Column<'_>
where
    F: Fn(&Trajectory) -> Option<Vec<f64>>,
{
    move |trajectory| make(trajectory).map(Cow::Owned)
}

fn value(list: Option<&Vec<f64>>, index: usize) -> Option<f64> {
    list?.get(index).copied()
}

/// Energy before and after, as the event booked it.
fn booked(event: &EventRecord) -> Jump {
    let before = event.energy_before;
    let after = before.and_then(|energy| Some(energy + event.energy_change?));
    (before, after)
}

/// A column at an event, on the straight line between the samples beside it.
fn on_line(
    record: &RunRecord,
    pick: &impl Fn(&Trajectory) -> Column<'_>,
    event: &EventRecord,
) -> Option<f64> {
    let trajectory = record.trajectory.as_ref()?;
    between(trajectory, &pick(trajectory)?, event.time)
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

/// The row of `around_events` just before an event, and the one just after; none where the run does
/// not tell of that instant.
pub(in super::super) fn rows_around(record: &RunRecord, place: usize) -> Option<[usize; 2]> {
    let around = record.around_events.as_ref()?;
    let event = record.events.get(place)?;
    let rows = [2 * place, 2 * place + 1];
    let is_there = |row: &usize| around.time.get(*row) == Some(&event.time);
    rows.iter().all(is_there).then_some(rows)
}

/// Samples and events in order of time, of a column that does not jump; where nothing else tells,
/// an event lies on the straight line between the samples beside it.
fn continuous(
    record: &RunRecord,
    pick: &impl Fn(&Trajectory) -> Column<'_>,
    at_event: impl Fn(&EventRecord) -> Option<f64>,
) -> Vec<Point> {
    woven(record, pick, |event| {
        let value = at_event(event).or_else(|| on_line(record, pick, event));
        (value, value)
    })
}

/// Samples and events in order of time. At an event stand the values recorded around it, else those
/// the event tells, else those of the samples beside it, if there are any after it. A sample at the
/// very instant of an event is left to the event.
fn woven(
    record: &RunRecord,
    pick: &impl Fn(&Trajectory) -> Column<'_>,
    told: impl Fn(&EventRecord) -> Jump,
) -> Vec<Point> {
    let Some(trajectory) = &record.trajectory else {
        return Vec::new();
    };
    let Some(column) = pick(trajectory) else {
        return Vec::new();
    };
    let around = around(record, pick);
    let mut samples = trajectory.time.iter().copied().zip(column.iter().copied());
    let mut next = samples.next();
    let mut out: Vec<Point> = Vec::with_capacity(column.len() + 2 * record.events.len());
    for (place, event) in record.events.iter().enumerate() {
        let instant = event.time;
        while let Some(sample) = next.filter(|sample| sample.0 < instant) {
            out.push(sample);
            next = samples.next();
        }
        while next.is_some_and(|sample| sample.0 == instant) {
            next = samples.next();
        }
        let recorded = around.as_ref().and_then(|around| {
            let [before, after] = rows_around(record, place)?;
            let has_end = event.kind != EventKind::Impact || event.rates_after.is_some();
            Some((Some(around[before]), has_end.then_some(around[after])))
        });
        let (before, after) = recorded.unwrap_or_else(|| told(event));
        let before = before.or_else(|| next.and(out.last()).map(|p| p.1));
        let after = after.or_else(|| next.map(|p| p.1));
        out.extend(before.map(|y| (instant, y)));
        out.extend(after.map(|y| (instant, y)));
    }
    out.extend(next);
    out.extend(samples);
    out
}

/// The column around the events, if it is whole.
fn around<'a>(record: &'a RunRecord, pick: &impl Fn(&Trajectory) -> Column<'_>) -> Column<'a> {
    let around = record.around_events.as_ref()?;
    pick(around).filter(|column| column.len() == around.time.len())
}
