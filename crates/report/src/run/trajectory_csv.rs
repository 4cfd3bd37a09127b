//! The sampled motion of a run as CSV.

use carom_sim::record::{ForceSeries, RunRecord, Trajectory};
use indexmap::IndexMap;

use super::csv::{Csv, axes, moment_names, rate_name, with_unit};
use crate::columns::{Column, is_angular, states};

/// The sampled motion, one row per instant; none where the run was not sampled.
///
/// Columns: time; every coordinate and its rate; energies; reactions of every joint on its child, at
/// the joint, in world axes; gaps; forces and modes of the contacts that are closed at some instant;
/// places and turns of the bodies.
pub fn trajectory_csv(record: &RunRecord) -> Option<String> {
    let trajectory = record.trajectory.as_ref()?;
    Some(sampled(record, trajectory))
}

/// The same columns just before and just after every event, in turn: the jumps of the figures.
pub fn around_events_csv(record: &RunRecord) -> Option<String> {
    let around = record.around_events.as_ref()?;
    Some(sampled(record, around))
}

fn sampled(record: &RunRecord, trajectory: &Trajectory) -> String {
    let table = table(record, trajectory);
    let names: Vec<String> = table.iter().map(|column| column.name.clone()).collect();
    let mut csv = Csv::with_header(&names);
    for k in 0..trajectory.time.len() {
        for column in &table {
            if let Some(word) = column.words.get(k) {
                csv.words(word);
                continue;
            }
            let parts = column.parts.iter().map(|part| part.get(k).copied());
            csv.number(parts.reduce(|a, b| Some(a? + b?)).flatten());
        }
        csv.end_row();
    }
    csv.finish()
}

/// A column of the file: its header and the list it shows, or the two it adds.
struct Listed<'a> {
    name: String,
    parts: Vec<&'a [f64]>,
    words: &'a [String],
}

impl<'a> Listed<'a> {
    fn new(name: impl Into<String>, list: &'a [f64]) -> Self {
        Self {
            name: name.into(),
            parts: vec![list],
            words: &[],
        }
    }
}

fn table<'a>(record: &RunRecord, trajectory: &'a Trajectory) -> Vec<Listed<'a>> {
    let mut table = vec![Listed::new("time_s", &trajectory.time)];
    for (coordinate, rate) in states(record) {
        table.extend(coordinate.map(|column| {
            let name = with_unit(&full_name(&column), column.unit);
            Listed::new(name, listed(&trajectory.coordinates, &column))
        }));
        table.extend(
            rate.map(|column| {
                Listed::new(rate_name(&column, ""), listed(&trajectory.rates, &column))
            }),
        );
    }
    table.push(Listed::new("kinetic_J", &trajectory.kinetic));
    table.push(Listed::new("potential_J", &trajectory.potential));
    table.push(Listed {
        name: "energy_J".to_owned(),
        parts: vec![&trajectory.kinetic, &trajectory.potential],
        words: &[],
    });
    for (joint, reaction) in &trajectory.reactions {
        for (axis, list) in axes(reaction.force.len()).zip(&reaction.force) {
            table.push(Listed::new(format!("{joint}_force_{axis}_N"), list));
        }
        let moments = reaction.moment.components();
        for (name, list) in moment_names(reaction.force.len()).zip(moments) {
            table.push(Listed::new(format!("{joint}_{name}_Nm"), list));
        }
    }
    for (contact, gap) in &trajectory.gaps {
        let name = with_unit(&format!("{contact}_gap"), record.gap_unit(contact));
        table.push(Listed::new(name, gap));
    }
    for (contact, force) in &trajectory.contact_forces {
        table.extend(force_columns(contact, force, is_angular(record, contact)));
        table.push(Listed {
            name: format!("{contact}_mode"),
            parts: Vec::new(),
            words: trajectory.modes.get(contact).map_or(&[][..], Vec::as_slice),
        });
    }
    for (body, columns) in &trajectory.poses {
        for (name, list) in pose_names(columns.len()).iter().zip(columns) {
            table.push(Listed::new(format!("body_{body}_{name}"), list));
        }
    }
    table
}

/// Forces of a contact; the stop of an angle has a torque and no tangent.
fn force_columns<'a>(contact: &str, force: &'a ForceSeries, is_angle: bool) -> Vec<Listed<'a>> {
    let named = |part: &str, list| Listed::new(format!("{contact}_{part}"), list);
    if is_angle {
        return vec![named("f_n_Nm", &force.normal)];
    }
    let mut columns = vec![named("f_n_N", &force.normal)];
    if force.second_tangent.is_empty() {
        columns.push(named("f_t_N", &force.tangent));
    } else {
        columns.push(named("f_t1_N", &force.tangent));
        columns.push(named("f_t2_N", &force.second_tangent));
    }
    if !force.spin.is_empty() {
        columns.push(named("spin_Nm", &force.spin));
    }
    columns
}

fn full_name(column: &Column<'_>) -> String {
    format!("{}_{}", column.joint, column.name)
}

fn listed<'a>(lists: &'a IndexMap<String, Vec<Vec<f64>>>, column: &Column<'_>) -> &'a [f64] {
    let list = lists.get(column.joint).and_then(|l| l.get(column.index));
    list.map_or(&[][..], Vec::as_slice)
}

/// Place and turn of a body frame: an angle in the plane, a unit quaternion in space.
fn pose_names(columns: usize) -> &'static [&'static str] {
    match columns {
        7 => &["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"],
        _ => &["x_m", "y_m", "angle_rad"],
    }
}
