//! The figures of a run.

pub mod series;

use carom_sim::record::RunRecord;

use super::axis::Axis;
use super::chart::{Chart, Panel};
use super::motion::motion;
use super::svg::literal;
use crate::columns::{Column, columns};

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
    /// Energies over time.
    Energy,
    /// Reaction forces over time, and reaction impulses.
    Reactions,
    /// Gaps over time.
    Gaps,
}

impl RunFigure {
    /// Every figure, in the order of a report.
    pub const ALL: [Self; 6] = [
        Self::Motion,
        Self::Coordinates,
        Self::Rates,
        Self::Energy,
        Self::Reactions,
        Self::Gaps,
    ];

    /// Name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Coordinates => "coordinates",
            Self::Rates => "rates",
            Self::Energy => "energy",
            Self::Reactions => "reactions",
            Self::Gaps => "gaps",
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
            Self::Energy => "Kinetic and potential energy and their sum.",
            Self::Reactions => {
                "Reactions of the joints on their children, in world axes, and their impulses at the impacts."
            }
            Self::Gaps => "Gaps of the contacts.",
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
            Self::Energy => energy(record),
            Self::Reactions => reactions(record),
            Self::Gaps => gaps(record),
        };
        chart.svg(&description)
    }
}

fn over_time(record: &RunRecord) -> Chart {
    let instants = record.events.iter().map(|event| event.time);
    Chart::new(Axis::new("time", "s")).instants(instants)
}

fn coordinates(record: &RunRecord) -> Chart {
    let axis = |unit: &str| Axis::new(quantity(unit), unit);
    by_unit(record, axis, series::coordinate)
}

fn rates(record: &RunRecord) -> Chart {
    by_unit(record, rate_axis, series::rate)
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

/// One panel per unit, one curve per coordinate.
fn by_unit(
    record: &RunRecord,
    axis: impl Fn(&str) -> Axis,
    curve: impl Fn(&RunRecord, &str, usize) -> Vec<(f64, f64)>,
) -> Chart {
    let columns = columns(record);
    let mut units: Vec<&str> = Vec::new();
    for column in &columns {
        if !units.contains(&column.unit) {
            units.push(column.unit);
        }
    }
    let panels = units.into_iter().map(|unit| {
        let inside = columns.iter().filter(|column| column.unit == unit);
        inside.fold(Panel::new(axis(unit)), |panel, column| {
            let points = curve(record, column.joint, column.index);
            panel.line(&curve_name(column), points)
        })
    });
    panels.fold(over_time(record), Chart::panel)
}

fn curve_name(column: &Column<'_>) -> String {
    match column.has_siblings {
        true => format!("{} {}", literal(column.joint), literal(column.name)),
        false => literal(column.joint),
    }
}

fn energy(record: &RunRecord) -> Chart {
    let panel = Panel::new(Axis::new("energy", "J"))
        .line("total", series::energy(record))
        .line("kinetic", series::kinetic(record))
        .line("potential", series::potential(record));
    over_time(record).panel(panel)
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Per joint a panel of forces, one of moments where there are any, one of impulses.
fn reactions(record: &RunRecord) -> Chart {
    let Some(trajectory) = &record.trajectory else {
        return over_time(record);
    };
    let mut chart = over_time(record);
    for (joint, reaction) in &trajectory.reactions {
        let named = |what: &str| format!("{what} at {}", literal(joint));
        let mut forces = Panel::new(Axis::new(&named("force"), "N"));
        for (axis, name) in (0..reaction.force.len()).zip(AXES) {
            forces = forces.line(name, series::reaction(record, joint, axis));
        }
        chart = chart.panel(forces);
        if reaction.moment.iter().any(|moment| *moment != 0.0) {
            let moments = Panel::new(Axis::new(&named("moment"), "N·m"));
            chart = chart.panel(moments.line("", series::moment(record, joint)));
        }
        chart = chart.panel(impulses(record, joint));
    }
    chart
}

/// Impulses at the events; the legend says where some are one choice of several.
fn impulses(record: &RunRecord, joint: &str) -> Panel {
    let mut all = record
        .events
        .iter()
        .filter_map(|event| event.joint_impulses.get(joint));
    let doubt = match all.any(|impulse| !impulse.unique) {
        true => ", not unique",
        false => "",
    };
    let name = format!("impulse at {}", literal(joint));
    let at_events = |axis: usize| {
        let values = record.events.iter().filter_map(|event| {
            let force = &event.joint_impulses.get(joint)?.force;
            Some((event.time, *force.get(axis)?))
        });
        values.collect::<Vec<_>>()
    };
    let curves = AXES.iter().enumerate();
    let curves = curves.map(|(axis, name)| (format!("{name}{doubt}"), at_events(axis)));
    let empty = Panel::new(Axis::new(&name, "N·s"));
    curves
        .filter(|(_, points)| !points.is_empty())
        .fold(empty, |panel, (name, points)| panel.stems(&name, points))
}

fn gaps(record: &RunRecord) -> Chart {
    let names = record.trajectory.iter().flat_map(|t| t.gaps.keys());
    let panel = names.fold(Panel::new(Axis::new("gap", "m")), |panel, name| {
        panel.line(&literal(name), series::gap(record, name))
    });
    over_time(record).panel(panel)
}

/// Rate against coordinate of one joint, jumps vertical; none where the run has no such coordinate.
pub fn phase(record: &RunRecord, joint: &str, index: usize) -> Option<String> {
    let columns = columns(record);
    let is_it = |column: &&Column<'_>| column.joint == joint && column.index == index;
    let column = columns.iter().find(is_it)?;
    let across = series::coordinate(record, joint, index);
    let upward = series::rate(record, joint, index);
    let points = across.iter().zip(&upward).map(|(q, v)| (q.1, v.1));
    let x = format!("{} of {}", quantity(column.unit), curve_name(column));
    let panel = Panel::new(rate_axis(column.unit)).line("", points.collect());
    let chart = Chart::new(Axis::new(&x, column.unit)).panel(panel);
    chart.svg(&format!("{joint}: phase"))
}
