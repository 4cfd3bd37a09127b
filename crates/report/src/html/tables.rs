//! The tables of a page: events, ledger, effort.

use carom_contact::impact::ContactResult;
use carom_sim::record::{EventRecord, RunRecord};

use super::escape::text;
use super::parts::{scroll_box, scroll_hint};
use crate::along::{Along, is_rubbed};
use crate::columns::{deed, is_angular};
use crate::number::{significant, zeroed};
use crate::scales::Scales;

/// Significant digits of times and energies, and of everything else.
const LONG: usize = 10;
const SHORT: usize = 7;
/// Events in the table; of more, the first and the last ones are shown.
pub(super) const MOST_ROWS: usize = 5000;

fn show(x: Option<f64>, digits: usize) -> String {
    x.map_or("–".to_owned(), |x| {
        significant(x, digits).replace('-', "−")
    })
}

/// The events a page shows: all, or the first and the last of very many.
pub(super) fn shown(record: &RunRecord) -> impl Iterator<Item = &EventRecord> {
    let count = record.events.len();
    let half = MOST_ROWS / 2;
    let is_shown = move |k: usize| count <= MOST_ROWS || k < half || k + half >= count;
    let events = record.events.iter().enumerate();
    events
        .filter(move |(k, _)| is_shown(*k))
        .map(|(_, event)| event)
}

const COLUMNS: [&str; 10] = [
    "#",
    "time (s)",
    "contact",
    "what",
    "p<sub>n</sub> (N·s)",
    "p<sub>t</sub> (N·s)",
    "v<sub>n</sub> before (m/s)",
    "v<sub>n</sub> after (m/s)",
    "ΔE (J)",
    "after",
];

/// One row per event and contact; the first row of an event can be pressed.
pub(super) fn events(record: &RunRecord) -> String {
    let start = closed_at_start(record);
    if record.events.is_empty() {
        return format!("<p>No event.</p>{start}");
    }
    let count = shown(record).map(|event| event.contacts.len().max(1)).sum();
    let mut out = scroll_box("Events", count);
    out.push_str("<table id=\"events\"><thead><tr>");
    for name in COLUMNS {
        let class = match name {
            "contact" | "what" | "after" => " class=\"word\"",
            _ => "",
        };
        out.push_str(&format!("<th scope=\"col\"{class}>{name}</th>"));
    }
    out.push_str("</tr></thead><tbody>\n");
    for event in shown(record) {
        rows(event, &mut out);
    }
    out.push_str("</tbody></table></div>");
    out.push_str(&scroll_hint(count));
    out.push_str(&start);
    let angular = angular(record);
    if !angular.is_empty() {
        out.push_str(&format!(
            "<p class=\"hint\">About an axis, p<sub>n</sub> in N·m·s and v<sub>n</sub> in rad/s: {}.</p>",
            text(&angular.join(", "))
        ));
    }
    if is_directed(record) {
        out.push_str(
            "<p class=\"hint\">In space p<sub>t</sub> is along the direction of each impact; the \
             event tells which.</p>",
        );
    }
    let left = record.events.len().saturating_sub(MOST_ROWS);
    if left > 0 {
        out.push_str(&format!(
            "<p>{left} events in the middle are left out: all are in events.csv.</p>"
        ));
    }
    out
}

/// What the contacts do that are closed from the start.
fn closed_at_start(record: &RunRecord) -> String {
    let modes = record.modes_at_start.iter();
    let told: Vec<String> = modes
        .map(|(contact, mode)| format!("<b>{}</b> {}", text(contact), text(mode)))
        .collect();
    match told.is_empty() {
        true => String::new(),
        false => format!("<p>Closed from the start: {}.</p>", told.join(", ")),
    }
}

/// The stops of angles that take part in an event: the units of the heading are not theirs.
fn angular(record: &RunRecord) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for contact in shown(record).flat_map(|event| &event.contacts) {
        if is_angular(record, &contact.name) && !names.contains(&contact.name.as_str()) {
            names.push(&contact.name);
        }
    }
    names
}

/// Whether a tangent impulse is told along a direction in space.
fn is_directed(record: &RunRecord) -> bool {
    let mut contacts = shown(record).flat_map(|event| &event.contacts);
    contacts.any(|contact| is_rubbed(contact) && Along::of(contact).direction().is_some())
}

fn rows(event: &EventRecord, out: &mut String) {
    let none = event.contacts.is_empty().then_some(None);
    for (k, contact) in event.contacts.iter().map(Some).chain(none).enumerate() {
        let index = event.index;
        out.push_str(&format!("<tr data-event=\"{index}\">"));
        let (number, time) = match k {
            0 => {
                let press = format!(
                    "<button type=\"button\" class=\"pick\" aria-label=\"Show event {index}\">{index}</button>"
                );
                (press, show(Some(event.time), LONG))
            }
            _ => Default::default(),
        };
        out.push_str(&format!("<td>{number}</td><td>{time}</td>"));
        contact_cells(event, contact, out);
        let change = match k {
            0 => show(event.energy_change, SHORT),
            _ => String::new(),
        };
        let after = contact.and_then(|c| event.modes_after.get(&c.name));
        let after = after.map_or(String::new(), |mode| text(mode));
        out.push_str(&format!(
            "<td>{change}</td><td class=\"word\">{after}</td></tr>\n"
        ));
    }
}

fn contact_cells(event: &EventRecord, contact: Option<&ContactResult>, out: &mut String) {
    let name = contact.map(|c| c.name.as_str());
    let name = name.or(event.guard.as_deref()).unwrap_or("");
    let what = deed(event, contact);
    let struck = contact.filter(|_| event.kind.is_blow());
    let numbers = struck.map_or([None; 4], |contact| cleaned(event, contact));
    let mut numbers = numbers.map(|x| show(x, SHORT));
    if contact.is_some_and(|c| is_rubbed(c) && Along::of(c) == Along::Length) {
        numbers[1] = format!("|{}|", numbers[1]);
    }
    out.push_str(&format!(
        "<td class=\"word\">{}</td><td class=\"word\">{}</td>",
        text(name),
        what.replace('_', " ")
    ));
    for number in numbers {
        out.push_str(&format!("<td>{number}</td>"));
    }
}

/// Normal and tangent impulse, normal velocity before and after; round-off is zero.
fn cleaned(event: &EventRecord, contact: &ContactResult) -> [Option<f64>; 4] {
    let (along, scales) = (Along::of(contact), Scales::of(&event.contacts));
    let velocities = [contact.velocity_before, contact.velocity_after];
    let [before, after] = velocities.map(|v| v.normal.map(|v| scales.velocity(v)));
    [
        contact.impulse.normal.map(|p| scales.impulse(p)),
        contact
            .impulse
            .tangent
            .map(|p| scales.impulse(along.value(p))),
        before,
        after,
    ]
}

/// Where every joule went.
pub(super) fn ledger(record: &RunRecord) -> String {
    let Some(ledger) = &record.ledger else {
        return "<p>No ledger: the system does not tell its energy.</p>".to_owned();
    };
    let entries = &ledger.entries;
    let works = [
        ("work of the normal impulses", entries.impacts_normal),
        ("work of the friction impulses", entries.impacts_friction),
        ("work of the dampers", entries.damping),
        ("work of the drives", entries.drives),
        ("work of the loads", entries.loads),
        ("work of the prescribed motions", entries.motions),
        ("work of friction in closed contacts", entries.friction),
        ("change in impacts left out", entries.accumulations),
        ("change in the user's events", entries.resets),
    ];
    let mut rows = vec![("energy at the start", show(Some(entries.start), LONG))];
    let told = |joules: f64| zeroed(joules, entries.largest);
    let done = works.into_iter().filter(|(_, work)| told(*work) != 0.0);
    rows.extend(done.map(|(name, work)| (name, show(Some(work), LONG))));
    rows.push(("energy at the end", show(Some(told(entries.end)), LONG)));
    rows.push(("residual", show(Some(ledger.residual), 3)));
    rows.push(("largest energy met", show(Some(entries.largest), LONG)));
    pairs("ledger", ["entry", "J"], &rows)
}

/// What the integration cost.
pub(super) fn effort(record: &RunRecord) -> String {
    let effort = &record.effort;
    let rows = [
        ("steps accepted", effort.steps_accepted),
        ("steps rejected", effort.steps_rejected),
        ("evaluations of the accelerations", effort.evaluations),
        ("evaluations of the guards", effort.guard_evaluations),
        ("sub-steps that polished an event", effort.polish_steps),
        ("events", effort.events),
    ]
    .map(|(name, count)| (name, count.to_string()));
    pairs("effort", ["what", "count"], &rows)
}

fn pairs(id: &str, head: [&str; 2], rows: &[(&str, String)]) -> String {
    let [a, b] = head;
    let mut out = format!(
        "<table id=\"{id}\" class=\"pairs\"><thead><tr><th scope=\"col\">{a}</th>\
         <th scope=\"col\">{b}</th></tr></thead><tbody>"
    );
    for (name, number) in rows {
        out.push_str(&format!(
            "<tr><th scope=\"row\">{name}</th><td>{number}</td></tr>"
        ));
    }
    out.push_str("</tbody></table>");
    out
}
