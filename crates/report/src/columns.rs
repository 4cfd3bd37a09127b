//! The coordinates of a run, by joint and name.

use carom_contact::impact::{ContactResult, ContactType, Tangential};
use carom_sim::record::{EventKind, EventRecord, RunRecord};

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

impl Column<'_> {
    /// Whether it is a part of a unit quaternion.
    pub(crate) fn is_quaternion(&self) -> bool {
        QUATERNION.contains(&self.name)
    }
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

/// Names of a unit quaternion among coordinates, and of the angular velocity that turns it.
const QUATERNION: [&str; 4] = ["qw", "qx", "qy", "qz"];
const OMEGA: [&str; 3] = ["omega_x", "omega_y", "omega_z"];

/// Every rate, in the order of the scenario, with the unit of its coordinate: those of the
/// coordinates, and an angular velocity in place of a quaternion.
pub(crate) fn rate_columns(record: &RunRecord) -> Vec<Column<'_>> {
    let of_joint = record.joints.iter().flat_map(|joint| {
        let mut named: Vec<(&str, &str)> = Vec::new();
        for (k, name) in joint.coordinates.iter().enumerate() {
            match name.as_str() {
                "qw" => named.extend(OMEGA.map(|name| (name, "rad"))),
                name if QUATERNION.contains(&name) => {}
                name => named.push((name, joint.units.get(k).map_or("", String::as_str))),
            }
        }
        let has_siblings = named.len() > 1;
        let rates = named.into_iter().enumerate();
        rates.map(move |(index, (name, unit))| Column {
            joint: &joint.name,
            index,
            name,
            unit,
            has_siblings,
        })
    });
    of_joint.collect()
}

/// Coordinates with the rates of the same name; a quaternion stands before its angular velocity.
pub(crate) fn states(record: &RunRecord) -> Vec<(Option<Column<'_>>, Option<Column<'_>>)> {
    let mut rates = rate_columns(record);
    let mut states = Vec::new();
    for column in columns(record) {
        let own = |rate: &Column<'_>| rate.joint == column.joint && rate.name == column.name;
        let rate = rates.iter().position(own).map(|k| rates.remove(k));
        states.push((Some(column), rate));
        if column.name == QUATERNION[3] {
            let turns =
                |rate: &Column<'_>| rate.joint == column.joint && OMEGA.contains(&rate.name);
            let (turning, others) = rates.into_iter().partition(turns);
            rates = others;
            states.extend(Vec::into_iter(turning).map(|rate| (None, Some(rate))));
        }
    }
    states
}

/// Names of the tangents of a run: t in the plane, t1 and t2 in space.
pub(crate) fn tangent_names(record: &RunRecord) -> &'static [&'static str] {
    let contacts = record.events.iter().flat_map(|event| &event.contacts);
    let is_space = |tangent: Tangential| tangent.plane().is_none();
    match contacts
        .filter_map(|c| c.velocity_before.tangent)
        .any(is_space)
    {
        true => &["t1", "t2"],
        false => &["t"],
    }
}

/// Whether a contact is the stop of an angle: its impulse is one of torque, its velocity a rate of turn.
pub(crate) fn is_angular(record: &RunRecord, contact: &str) -> bool {
    record.gap_unit(contact) == "rad"
}

/// Whether a contact is the stop of a joint: it has no tangent and is nowhere.
pub(crate) fn is_stop(event: &EventRecord, contact: &ContactResult) -> bool {
    contact.velocity_before.tangent.is_none() && !event.places.contains_key(&contact.name)
}

/// Whether a contact of an impact has no friction. Its type in files then says what the slip does.
pub(crate) fn is_smooth(event: &EventRecord, contact: &ContactResult) -> bool {
    let posed = event
        .problem
        .iter()
        .flat_map(|posed| &posed.problem.contacts);
    let mut own = posed.filter(|posed| posed.name == contact.name);
    own.any(|posed| posed.friction.is_none())
}

/// What a contact does in an event, in a word: the type of its impact, or the kind of the event.
pub(crate) fn deed(event: &EventRecord, contact: Option<&ContactResult>) -> &'static str {
    match contact.filter(|_| event.kind == EventKind::Impact) {
        None => event.kind.name(),
        Some(contact) if is_stop(event, contact) => "stop",
        // The type is that of the first of several outcomes, and none is taken.
        Some(contact) if contact.impulse.normal.is_none() && !event.outcomes.is_empty() => {
            "several_outcomes"
        }
        Some(contact) => match contact.contact_type {
            ContactType::NoImpact => ContactType::NoImpact.name(),
            _ if is_smooth(event, contact) => ContactType::Frictionless.name(),
            kind => kind.name(),
        },
    }
}
