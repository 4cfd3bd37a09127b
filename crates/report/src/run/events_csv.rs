//! The events of a run as CSV.

use carom_contact::impact::{ContactResult, Pair, Tangential};
use carom_sim::record::{EventRecord, PerJoint, RunRecord};

use super::csv::{Csv, axes, moment_names, per_second, with_unit};
use crate::columns::{Column, columns};

/// The events, one row per event and contact; a value that does not exist is an empty cell.
///
/// Columns: the event (index, time, kind, guard of the user's own), the contact (name, type, impulses, velocities, works, what
/// it does after), the event again (energies, reaction impulses of every joint on its child at the
/// joint in world axes, coordinates, rates before and after), repeated for each of its contacts.
pub fn events_csv(record: &RunRecord) -> String {
    let joints = joints_with_impulses(record);
    let columns = columns(record);
    let mut csv = Csv::with_header(&header(&joints, &columns));
    for event in &record.events {
        let none = event.contacts.is_empty().then_some(None);
        let contacts = event.contacts.iter().map(Some).chain(none);
        for contact in contacts {
            csv.words(&event.index.to_string());
            csv.number(Some(event.time));
            csv.words(event.kind.name());
            csv.words(event.guard.as_deref().unwrap_or(""));
            contact_cells(&mut csv, event, contact);
            csv.number(event.energy_before);
            csv.number(event.energy_change);
            impulse_cells(&mut csv, event, &joints);
            state_cells(&mut csv, event, &columns);
            csv.end_row();
        }
    }
    csv.finish()
}

const CONTACT: [&str; 15] = [
    "index",
    "time_s",
    "kind",
    "guard",
    "contact",
    "type",
    "p_n_Ns",
    "p_t_Ns",
    "v_n_before_m_per_s",
    "v_t_before_m_per_s",
    "v_n_after_m_per_s",
    "v_t_after_m_per_s",
    "work_n_J",
    "work_t_J",
    "mode_after",
];

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

fn header(joints: &[Reacting<'_>], columns: &[Column<'_>]) -> Vec<String> {
    let mut names: Vec<String> = CONTACT.map(str::to_owned).to_vec();
    names.extend(["energy_before_J", "energy_change_J"].map(str::to_owned));
    for Reacting { name, axes: count } in joints {
        names.extend(axes(*count).map(|axis| format!("joint_{name}_force_{axis}_Ns")));
        let moments = moment_names(*count).map(|moment| format!("joint_{name}_{moment}_Nms"));
        names.extend(moments);
        names.push(format!("joint_{name}_unique"));
    }
    for Column {
        joint, name, unit, ..
    } in columns
    {
        let per_s = per_second(unit);
        names.push(with_unit(&format!("{joint}_{name}"), unit));
        names.push(format!("{joint}_{name}_rate_before_{per_s}"));
        names.push(format!("{joint}_{name}_rate_after_{per_s}"));
    }
    names
}

fn contact_cells(csv: &mut Csv, event: &EventRecord, contact: Option<&ContactResult>) {
    let pair = |csv: &mut Csv, pick: fn(&ContactResult) -> Pair| {
        csv.number(contact.and_then(|c| pick(c).normal));
        csv.number(contact.and_then(|c| pick(c).tangent).map(Tangential::value));
    };
    csv.words(contact.map_or("", |c| &c.name));
    csv.words(contact.map_or("", |c| c.contact_type.name()));
    pair(csv, |c| c.impulse);
    pair(csv, |c| c.velocity_before);
    pair(csv, |c| c.velocity_after);
    pair(csv, |c| c.work);
    let mode = contact.and_then(|c| event.modes_after.get(&c.name));
    csv.words(mode.map_or("", String::as_str));
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

fn state_cells(csv: &mut Csv, event: &EventRecord, columns: &[Column<'_>]) {
    for Column { joint, index, .. } in columns {
        let value = |map: &PerJoint| map.get(*joint)?.get(*index).copied();
        csv.number(value(&event.coordinates));
        csv.number(value(&event.rates_before));
        csv.number(event.rates_after.as_ref().and_then(value));
    }
}
