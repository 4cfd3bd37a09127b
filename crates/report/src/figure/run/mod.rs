//! The figures of a run.

mod contacts;
mod reactions;
pub mod series;
mod sparse;

use carom_sim::record::RunRecord;

use super::axis::{Axis, range};
use super::chart::{Chart, Panel};
use super::motion::motion;
use super::svg::literal;
use crate::columns::{Column, columns, rate_columns};
use reactions::reactions;
pub(crate) use sparse::sparse_note;

/// Most coordinates that have a panel of the phase figure each.
const MOST_PHASES: usize = 4;
/// Energies apart by more than this many times their own heights have a panel each.
const FAR: f64 = 2.0;

/// A figure of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunFigure {
    /// The mechanism at its start, at impacts, at its end, and in between.
    Motion,
    /// Coordinates over time.
    Coordinates,
    /// Rates over time.
    Rates,
    /// Rates against coordinates.
    Phase,
    /// Energies over time.
    Energy,
    /// Reaction forces over time, and reaction impulses.
    Reactions,
    /// Gaps over time.
    Gaps,
    /// What closed contacts do, and their forces.
    Contacts,
}

impl RunFigure {
    /// Every figure, in the order of a report.
    pub const ALL: [Self; 8] = [
        Self::Motion,
        Self::Coordinates,
        Self::Rates,
        Self::Phase,
        Self::Energy,
        Self::Reactions,
        Self::Gaps,
        Self::Contacts,
    ];

    /// Name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Coordinates => "coordinates",
            Self::Rates => "rates",
            Self::Phase => "phase",
            Self::Energy => "energy",
            Self::Reactions => "reactions",
            Self::Gaps => "gaps",
            Self::Contacts => "contacts",
        }
    }

    /// What stands below it.
    pub fn caption(self) -> &'static str {
        match self {
            Self::Motion => {
                "The mechanism at the start, at the impacts, at the end and at even intervals in between."
            }
            Self::Coordinates => "Coordinates of the joints; dotted lines mark the events.",
            Self::Rates => "Rates of the joints, with their jumps at the events.",
            Self::Phase => "Rates against coordinates; jumps are vertical.",
            Self::Energy => "Kinetic and potential energy and their sum.",
            Self::Reactions => {
                "Reactions of the joints on their children, in world axes, and their impulses at the impacts."
            }
            Self::Gaps => "Gaps of the contacts.",
            Self::Contacts => "What contacts do while they are closed, and their forces.",
        }
    }

    /// The drawing, or none where the run holds nothing to draw.
    pub fn svg(self, record: &RunRecord) -> Option<String> {
        let description = match &record.title {
            Some(title) => format!("{title}: {}", self.name()),
            None => self.name().to_owned(),
        };
        let chart = match self {
            Self::Motion => return motion(record, &description),
            Self::Coordinates => coordinates(record),
            Self::Rates => rates(record),
            Self::Phase => phases(record),
            Self::Energy => energy(record),
            Self::Reactions => reactions(record),
            Self::Gaps => gaps(record),
            Self::Contacts => contacts::contacts(record),
        };
        match sparse_note(record) {
            Some(note) => chart.noted(&note).svg(&description),
            None => chart.svg(&description),
        }
    }
}

fn over_time(record: &RunRecord) -> Chart {
    let instants = record.events.iter().map(|event| event.time);
    Chart::new(Axis::new("time", "s")).instants(instants)
}

fn coordinates(record: &RunRecord) -> Chart {
    let axis = |unit: &str| Axis::new(quantity(unit), unit);
    by_unit(record, &columns(record), axis, series::coordinate)
}

fn rates(record: &RunRecord) -> Chart {
    by_unit(record, &rate_columns(record), rate_axis, series::rate)
}

fn quantity(unit: &str) -> &'static str {
    match unit {
        "rad" => "angle",
        "m" => "position",
        _ => "coordinate",
    }
}

fn rate_axis(unit: &str) -> Axis {
    match unit {
        "rad" => Axis::new("angular velocity", "rad/s"),
        "m" => Axis::new("velocity", "m/s"),
        "" => Axis::new("rate", "1/s"),
        unit => Axis::new("rate", &format!("{unit}/s")),
    }
}

/// One panel per unit, one curve per coordinate; units of which nothing ever differs from zero are
/// left out beside others.
fn by_unit(
    record: &RunRecord,
    columns: &[Column<'_>],
    axis: impl Fn(&str) -> Axis,
    curve: impl Fn(&RunRecord, &str, usize) -> Vec<(f64, f64)>,
) -> Chart {
    let mut units: Vec<&str> = Vec::new();
    for column in columns {
        if !units.contains(&column.unit) {
            units.push(column.unit);
        }
    }
    let of = |unit: &&str| {
        let unit = *unit;
        let inside = columns.iter().filter(|column| column.unit == unit);
        inside.fold(Panel::new(axis(unit)), |panel, column| {
            let points = curve(record, column.joint, column.index);
            panel.line(&curve_name(column), points)
        })
    };
    let mut panels: Vec<Panel> = units.iter().map(of).collect();
    if panels.iter().any(|panel| panel.largest() > 0.0) {
        panels.retain(|panel| panel.largest() > 0.0);
    }
    panels.into_iter().fold(over_time(record), Chart::panel)
}

fn curve_name(column: &Column<'_>) -> String {
    match column.has_siblings {
        true => format!("{} {}", literal(column.joint), literal(column.name)),
        false => literal(column.joint),
    }
}

/// One panel; the kinetic energy has its own where the others lie far from it.
fn energy(record: &RunRecord) -> Chart {
    let empty = || Panel::new(Axis::new("energy", "J"));
    let total = series::energy(record);
    let (kinetic, potential) = (series::kinetic(record), series::potential(record));
    if is_far(&kinetic, &total) && is_far(&kinetic, &potential) {
        let others = empty().line("total", total);
        return over_time(record)
            .panel(others.line("potential", potential))
            .panel(empty().line("kinetic", kinetic));
    }
    let panel = empty().line("total", total);
    over_time(record).panel(panel.line("kinetic", kinetic).line("potential", potential))
}

/// Whether two moving curves are apart by more than [`FAR`] times their heights.
fn is_far(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let ends = |curve: &[(f64, f64)]| range(curve.iter().map(|p| p.1), 0.0);
    let (Some(a), Some(b)) = (ends(a), ends(b)) else {
        return false;
    };
    let apart = (a.0 - b.1).max(b.0 - a.1);
    apart > FAR * (a.1 - a.0).max(b.1 - b.0)
}

/// One panel per unit, one curve per contact.
fn gaps(record: &RunRecord) -> Chart {
    let Some(trajectory) = &record.trajectory else {
        return over_time(record);
    };
    let unit = |contact: &str| record.gap_unit(contact);
    let mut units: Vec<&str> = Vec::new();
    for contact in trajectory.gaps.keys() {
        if !units.contains(&unit(contact)) {
            units.push(unit(contact));
        }
    }
    let panels = units.into_iter().map(|of| {
        let inside = trajectory.gaps.keys().filter(|name| unit(name) == of);
        inside.fold(Panel::new(Axis::new("gap", of)), |panel, name| {
            panel.line(&literal(name), series::gap(record, name))
        })
    });
    panels.fold(over_time(record), Chart::panel)
}

/// Rates against coordinates, a panel for each over its own axis; where they are many, a panel for each unit.
fn phases(record: &RunRecord) -> Chart {
    let mut moving = columns(record);
    moving.retain(|column| moves(&phase_points(record, column)));
    let mut units: Vec<&str> = Vec::new();
    for column in &moving {
        if !units.contains(&column.unit) {
            units.push(column.unit);
        }
    }
    let groups: Vec<Vec<Column<'_>>> = match moving.len() {
        0..=MOST_PHASES => moving.into_iter().map(|column| vec![column]).collect(),
        _ => {
            let of = |unit: &&str| moving.iter().filter(|c| c.unit == *unit).copied().collect();
            units.iter().map(of).collect()
        }
    };
    let panels = groups.iter().filter_map(|group| {
        let unit = group.first()?.unit;
        let empty = Panel::new(rate_axis(unit)).over(Axis::new(quantity(unit), unit));
        Some(group.iter().fold(empty, |panel, column| {
            panel.line(&curve_name(column), phase_points(record, column))
        }))
    });
    panels.fold(Chart::new(Axis::new("", "")), Chart::panel)
}

/// Coordinate and rate, at samples and around events.
fn phase_points(record: &RunRecord, column: &Column<'_>) -> Vec<(f64, f64)> {
    let rates = rate_columns(record);
    let own = |rate: &&Column<'_>| rate.joint == column.joint && rate.name == column.name;
    let Some(rate) = rates.iter().find(own) else {
        return Vec::new(); // a quaternion has an angular velocity, not rates of its own
    };
    let across = series::coordinate(record, column.joint, column.index);
    let upward = series::rate(record, rate.joint, rate.index);
    let pairs = across.iter().zip(&upward);
    pairs.map(|(q, v)| (q.1, v.1)).collect()
}

fn moves(points: &[(f64, f64)]) -> bool {
    points.windows(2).any(|pair| pair[0] != pair[1])
}

/// Rate against coordinate of one joint, jumps vertical; none where the run has no such coordinate.
pub fn phase(record: &RunRecord, joint: &str, index: usize) -> Option<String> {
    let columns = columns(record);
    let is_it = |column: &&Column<'_>| column.joint == joint && column.index == index;
    let column = columns.iter().find(is_it)?;
    let points = phase_points(record, column);
    let x = format!("{} of {}", quantity(column.unit), curve_name(column));
    let panel = Panel::new(rate_axis(column.unit)).line("", points);
    let chart = Chart::new(Axis::new(&x, column.unit)).panel(panel);
    chart.svg(&format!("{joint}: phase"))
}
