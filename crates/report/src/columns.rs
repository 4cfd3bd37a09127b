//! The coordinates of a run, by joint and name.

use carom_sim::record::{RunRecord, Trajectory};

/// One coordinate of one joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'a> {
    pub(crate) joint: &'a str,
    /// Its place among the coordinates of the joint.
    pub(crate) index: usize,
    /// Its own name, such as `angle`.
    pub(crate) name: &'a str,
    /// Its unit, or empty.
    pub(crate) unit: &'a str,
    /// Whether the joint has others.
    pub(crate) has_siblings: bool,
}

/// Every coordinate, in the order of the scenario.
pub(crate) fn columns(record: &RunRecord) -> Vec<Column<'_>> {
    let of_joint = record.joints.iter().flat_map(|joint| {
        let names = joint.coordinates.iter().enumerate();
        names.map(|(index, name)| Column {
            joint: &joint.name,
            index,
            name,
            unit: joint.units.get(index).map_or("", String::as_str),
            has_siblings: joint.coordinates.len() > 1,
        })
    });
    of_joint.collect()
}

/// The unit of a gap: metres unless the run says otherwise.
pub(crate) fn gap_unit<'a>(trajectory: &'a Trajectory, contact: &str) -> &'a str {
    let unit = trajectory.gap_units.get(contact);
    unit.map_or("m", String::as_str)
}
