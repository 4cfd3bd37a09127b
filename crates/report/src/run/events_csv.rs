//! The events of a run as CSV.

use carom_contact::impact::{ContactResult, Pair};
use carom_sim::record::{EventRecord, PerJoint, RunRecord};

use super::csv::{Csv, axes, moment_names, rate_name, with_unit};
use crate::columns::{Column, is_angular, states, tangent_names};

/// The events, one row per event and contact; a value that does not exist is an empty cell.
///
/// The stops of angles, where a run strikes any, have columns of their own at the end: their impulses are N·m·s, their
/// velocities rad/s.
///
/// Columns: the event (index, time, kind, guard of the user's own), the contact (name, type, impulses, velocities, works, what
/// it does after), the event again (energies, reaction impulses of every joint on its child at the
/// joint in world axes, coordinates, rates before and after), repeated for each of its contacts.
pub fn events_csv(record: &RunRecord) -> String {
    let joints = joints_with_impulses(record);
    let states = states(record);
    let tangents = tangent_names(record);
    let has_angles = strikes_angles(record);
    let mut names = header(tangents, &joints, &states);
    if has_angles {
        names.extend(ANGULAR.map(str::to_owned));
    }
    let mut csv = Csv::with_header(&names);
    for event in &record.events {
        let none = event.contacts.is_empty().then_some(None);
        let contacts = event.contacts.iter().map(Some).chain(none);
        for contact in contacts {
            csv.words(&event.index.to_string());
            csv.number(Some(event.time));
            csv.words(event.kind.name());
            csv.words(event.guard.as_deref().unwrap_or(""));
            let is_angle = contact.is_some_and(|c| is_angular(record, &c.name));
            contact_cells(&mut csv, contact, is_angle, tangents.len());
            csv.words(mode_after(event, contact));
            csv.number(event.energy_before);
            csv.number(event.energy_change);
            impulse_cells(&mut csv, event, &joints);
            state_cells(&mut csv, event, &states);
            if has_angles {
                angular_cells(&mut csv, contact.filter(|_| is_angle));
            }
            csv.end_row();
        }
    }
    csv.finish()
}

const EVENT: [&str; 6] = ["index", "time_s", "kind", "guard", "contact", "type"];
/// Quantities of a contact with a normal and tangents: before and after the component.
const PAIRS: [(&str, &str); 4] = [
    ("p_", "_Ns"),
    ("v_", "_before_m_per_s"),
    ("v_", "_after_m_per_s"),
    ("work_", "_J"),
];

/// The same at the stops of angles, which have no tangent.
const ANGULAR: [&str; 3] = ["p_n_Nms", "v_n_before_rad_per_s", "v_n_after_rad_per_s"];

/// Whether the stop of an angle takes part in an event.
pub(super) fn strikes_angles(record: &RunRecord) -> bool {
    let mut contacts = record.events.iter().flat_map(|event| &event.contacts);
    contacts.any(|contact| is_angular(record, &contact.name))
}

/// A joint with reaction impulses, and how many components they have.
struct Reacting<'a> {
    name: &'a str,
    axes: usize,
}

/// Joints in order of appearance.
fn joints_with_impulses(record: &RunRecord) -> Vec<Reacting<'_>> {
    let mut joints: Vec<Reacting<'_>> = Vec::new();
    for (name, impulse) in record.events.iter().flat_map(|e| &e.joint_impulses) {
        match joints.iter_mut().find(|joint| joint.name == name) {
            Some(joint) => joint.axes = joint.axes.max(impulse.force.len()),
            None => joints.push(Reacting {
                name,
                axes: impulse.force.len(),
            }),
        }
    }
    joints
}

/// A coordinate and its rate; one of both may be missing.
type State<'a> = (Option<Column<'a>>, Option<Column<'a>>);

fn header(tangents: &[&str], joints: &[Reacting<'_>], states: &[State<'_>]) -> Vec<String> {
    let mut names: Vec<String> = EVENT.map(str::to_owned).to_vec();
    for (before, after) in PAIRS {
        let components = std::iter::once(&"n").chain(tangents);
        names.extend(components.map(|component| format!("{before}{component}{after}")));
    }
    names.extend(["mode_after", "energy_before_J", "energy_change_J"].map(str::to_owned));
    for Reacting { name, axes: count } in joints {
        names.extend(axes(*count).map(|axis| format!("joint_{name}_force_{axis}_Ns")));
        let moments = moment_names(*count).map(|moment| format!("joint_{name}_{moment}_Nms"));
        names.extend(moments);
        names.push(format!("joint_{name}_unique"));
    }
    let named = |column: &Column<'_>| format!("{}_{}", column.joint, column.name);
    for (coordinate, rate) in states {
        names.extend(coordinate.map(|c| with_unit(&named(&c), c.unit)));
        let sides = |c: &Column<'_>| ["_before", "_after"].map(|side| rate_name(c, side));
        names.extend(rate.iter().flat_map(sides));
    }
    names
}

fn contact_cells(csv: &mut Csv, contact: Option<&ContactResult>, is_angle: bool, tangents: usize) {
    let length = contact.filter(|_| !is_angle);
    let pair = |csv: &mut Csv, of: Option<&ContactResult>, pick: fn(&ContactResult) -> Pair| {
        csv.number(of.and_then(|c| pick(c).normal));
        let along = of.and_then(|c| pick(c).tangent);
        for k in 0..tangents {
            csv.number(along.and_then(|t| t.numbers().get(k).copied()));
        }
    };
    csv.words(contact.map_or("", |c| &c.name));
    csv.words(contact.map_or("", |c| c.contact_type.name()));
    pair(csv, length, |c| c.impulse);
    pair(csv, length, |c| c.velocity_before);
    pair(csv, length, |c| c.velocity_after);
    pair(csv, contact, |c| c.work);
}

fn mode_after<'a>(event: &'a EventRecord, contact: Option<&ContactResult>) -> &'a str {
    let mode = contact.and_then(|c| event.modes_after.get(&c.name));
    mode.map_or("", String::as_str)
}

/// Impulse and velocities at the stop of an angle.
fn angular_cells(csv: &mut Csv, contact: Option<&ContactResult>) {
    csv.number(contact.and_then(|c| c.impulse.normal));
    csv.number(contact.and_then(|c| c.velocity_before.normal));
    csv.number(contact.and_then(|c| c.velocity_after.normal));
}

fn impulse_cells(csv: &mut Csv, event: &EventRecord, joints: &[Reacting<'_>]) {
    for Reacting { name, axes: count } in joints {
        let impulse = event.joint_impulses.get(*name);
        for axis in 0..axes(*count).count() {
            csv.number(impulse.and_then(|i| i.force.get(axis).copied()));
        }
        for k in 0..moment_names(*count).count() {
            csv.number(impulse.and_then(|i| i.moment.components().get(k).copied()));
        }
        let unique = impulse.map(|i| if i.unique { "true" } else { "false" });
        csv.words(unique.unwrap_or(""));
    }
}

fn state_cells(csv: &mut Csv, event: &EventRecord, states: &[State<'_>]) {
    let value = |map: &PerJoint, column: &Column<'_>| {
        let list = map.get(column.joint)?;
        list.get(column.index).copied()
    };
    for (coordinate, rate) in states {
        if let Some(column) = coordinate {
            csv.number(value(&event.coordinates, column));
        }
        if let Some(column) = rate {
            csv.number(value(&event.rates_before, column));
            let after = event.rates_after.as_ref();
            csv.number(after.and_then(|map| value(map, column)));
        }
    }
}
