//! Contacts that stay closed: modes as bars, forces as curves.

use carom_sim::record::RunRecord;

use super::super::axis::Axis;
use super::super::chart::{Chart, Panel};
use super::super::svg::literal;
use super::{over_time, series};

/// Contacts that have a row; of more the first are shown.
const MOST_ROWS: usize = 12;
/// A force below this part of the largest is round-off and has no curve.
const ROUND_OFF: f64 = 1e-9;

/// What a closed contact may do, in the order of the legend, and how far above the middle of its row
/// the bar lies.
const MODES: [(&str, f64); 5] = [
    ("stick", 0.0),
    ("slide", 0.22),
    ("slide+", 0.22),
    ("slide-", -0.22),
    ("closed", 0.0),
];

/// Rows of modes, then normal and tangent forces; nothing where no contact stays closed.
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
            let mine = spans.iter().filter(|span| span.mode == *mode);
            mine.map(|span| (row, span.from, span.to))
                .collect::<Vec<_>>()
        };
        let bars: Vec<(usize, f64, f64)> = spans.iter().enumerate().flat_map(of).collect();
        match bars.is_empty() {
            true => panel,
            false => panel.bars(&mode.replace('-', "−"), &bars, *raised),
        }
    });
    let normal = forces(record, &names, "normal force", series::normal_force);
    let tangent = forces(record, &names, "friction", series::friction_force);
    over_time(record).panel(rows).panel(normal).panel(tangent)
}

/// Curves of one component of the forces, those that are zero throughout left out.
fn forces(
    record: &RunRecord,
    names: &[&String],
    axis: &str,
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
    shown.fold(Panel::new(Axis::new(axis, "N")), |panel, (name, curve)| {
        panel.line(&literal(name), curve)
    })
}
