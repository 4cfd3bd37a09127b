//! Contacts that stay closed: modes as bars, forces and torques as curves.

use carom_sim::record::RunRecord;

use super::super::axis::Axis;
use super::super::chart::{Chart, Panel};
use super::super::svg::literal;
use super::{over_time, series};
use crate::columns::is_angular;

/// Contacts that have a row; of more the first are shown.
const MOST_ROWS: usize = 12;
/// A force below this part of the largest is round-off and has no curve.
const ROUND_OFF: f64 = 1e-9;

/// What a closed contact may do, in the order of the legend, and how far above the middle of its row
/// the bar lies.
const MODES: [(&str, f64); 7] = [
    ("stick", 0.0),
    ("slide", 0.22),
    ("slide+", 0.22),
    ("slide-", -0.22),
    ("closed", 0.0),
    ("pivot+", -0.22),
    ("pivot-", -0.36),
];

/// Rows of modes, then normal and tangent forces, and the torques of contacts that resist pivoting; nothing where
/// no contact stays closed.
pub(super) fn contacts(record: &RunRecord) -> Chart {
    let Some(trajectory) = &record.trajectory else {
        return over_time(record);
    };
    let names: Vec<&String> = trajectory.modes.keys().take(MOST_ROWS).collect();
    if names.is_empty() {
        return over_time(record);
    }
    let spans = names.iter().map(|name| series::mode_spans(record, name));
    let spans: Vec<Vec<series::ModeSpan<'_>>> = spans.collect();
    let rows = Panel::rows(names.iter().map(|name| literal(name)).collect());
    let rows = MODES.iter().fold(rows, |panel, (mode, raised)| {
        let of = |(row, spans): (usize, &Vec<series::ModeSpan<'_>>)| {
            let words =
                |span: &&series::ModeSpan<'_>| span.mode.split(' ').any(|word| word == *mode);
            let mine = spans.iter().filter(words);
            mine.map(|span| (row, span.from, span.to))
                .collect::<Vec<_>>()
        };
        let bars: Vec<(usize, f64, f64)> = spans.iter().enumerate().flat_map(of).collect();
        match bars.is_empty() {
            true => panel,
            false => panel.bars(&mode.replace('-', "−"), &bars, *raised),
        }
    });
    let newtons = |axis| Axis::new(axis, "N");
    let (turns, pressed): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| is_angular(record, name));
    let normal = newtons("normal force");
    let normal = forces(record, &pressed, normal, series::normal_force);
    let tangent = newtons("friction");
    let tangent = forces(record, &pressed, tangent, series::friction_force);
    let mut chart = over_time(record).panel(rows).panel(normal).panel(tangent);
    if !turns.is_empty() {
        let axis = Axis::new("torque of a stop", "N·m");
        chart = chart.panel(forces(record, &turns, axis, series::normal_force));
    }
    let resists = |name: &&String| {
        let force = trajectory.contact_forces.get(*name);
        force.is_some_and(|force| !force.spin.is_empty())
    };
    let pivots: Vec<&String> = names.iter().copied().filter(resists).collect();
    if pivots.is_empty() {
        return chart;
    }
    let axis = Axis::new("spin torque", "N·m");
    chart.panel(forces(record, &pivots, axis, series::spin_torque))
}

/// Curves of one component of the forces, those that are zero throughout left out.
fn forces(
    record: &RunRecord,
    names: &[&String],
    axis: Axis,
    of: impl Fn(&RunRecord, &str) -> Vec<(f64, f64)>,
) -> Panel {
    let curves = names.iter().map(|name| (*name, of(record, name)));
    let curves: Vec<(&String, Vec<(f64, f64)>)> = curves.collect();
    let largest = |curve: &[(f64, f64)]| curve.iter().fold(0.0, |most: f64, p| most.max(p.1.abs()));
    let most = curves
        .iter()
        .map(|(_, curve)| largest(curve))
        .fold(0.0, f64::max);
    let shown = curves
        .into_iter()
        .filter(|(_, curve)| largest(curve) > ROUND_OFF * most);
    shown.fold(Panel::new(axis), |panel, (name, curve)| {
        panel.line(&literal(name), curve)
    })
}
