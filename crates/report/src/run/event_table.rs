//! The events of a run as a table for the terminal.

use std::collections::BTreeMap;

use carom_contact::impact::ContactResult;
use carom_sim::record::{EventKind, EventRecord, RunRecord};

use super::remarks::{remarks, rubbed, wrapped};
use crate::along::Along;
use crate::columns::deed;
use crate::number::{brief, significant};
use crate::scales::Scales;

/// Width of a terminal (characters): digits give way to it.
pub(super) const WIDTH: usize = 100;
/// Widest line: names give way to it.
const WIDEST: usize = 120;
/// Ways to write numbers, tried until the table fits; times have four digits more.
const WAYS: [Writing; 4] = [
    Writing::full(5),
    Writing::full(4),
    Writing::full(3),
    Writing::brief(3),
];
const TIME_DIGITS: usize = 4;
/// Least width of the column of contacts once nothing else can give way.
const LEAST_NAME: usize = 6;
/// Places of the columns of words, which are set to the left.
const CONTACT: usize = 2;
const TYPE: usize = 3;
const THEN: usize = 4;
const COLUMNS: usize = 9;

type Row = [String; COLUMNS];

/// How numbers are written.
#[derive(Clone, Copy)]
struct Writing {
    /// Significant digits.
    digits: usize,
    /// Whether numbers below a hundredth have an exponent.
    is_brief: bool,
}

impl Writing {
    const fn full(digits: usize) -> Self {
        let is_brief = false;
        Self { digits, is_brief }
    }

    const fn brief(digits: usize) -> Self {
        let is_brief = true;
        Self { digits, is_brief }
    }

    fn write(self, x: f64) -> String {
        match self.is_brief {
            true => brief(x, self.digits),
            false => significant(x, self.digits),
        }
    }
}

/// The events: one line per event and contact, and below them what was remarked. Lines are at most 100
/// characters wide, or 120 where names are long. Beyond `limit` events the first and the last are shown,
/// and how many stand between.
pub fn event_table(record: &RunRecord, limit: usize) -> String {
    if record.events.is_empty() {
        return format!("no events\n{}{}", resting(record), remarks(record));
    }
    let count = record.events.len();
    let hidden = count.saturating_sub(limit.max(2));
    let first = (count - hidden).div_ceil(2);
    let shown = record.events[..first]
        .iter()
        .chain(&record.events[first + hidden..]);
    let shown: Vec<&EventRecord> = shown.collect();
    let (rows, starts) = fitting(record, &shown);
    let widths = widths(&rows);
    let mut out = String::new();
    let break_at = (hidden > 0).then(|| starts.get(first).copied()).flatten();
    for (k, row) in rows.iter().enumerate() {
        if Some(k) == break_at {
            out.push_str(&format!("… {hidden} more (--rows N shows N events)\n"));
        }
        out.push_str(&line(row, &widths));
        out.push('\n');
    }
    out.push_str(&remarks(record));
    out
}

/// A line on the contacts that are closed throughout a run without events.
fn resting(record: &RunRecord) -> String {
    let modes = record.modes_at_start.iter();
    let told = modes.map(|(name, mode)| format!("{} {mode}", printable(name)));
    let told: Vec<String> = told.collect();
    match told.is_empty() {
        true => String::new(),
        false => wrapped(&format!("closed from the start: {}", told.join(", "))),
    }
}

/// Whether the velocities do not tell what contacts do next: some stay closed, or leave without a speed.
pub(super) fn has_modes(record: &RunRecord) -> bool {
    let is_open = |event: &EventRecord, contact: &ContactResult| {
        let mode = event.modes_after.get(&contact.name);
        let v_n = contact.velocity_after.normal.map(f64::abs);
        let leaves = !event.kind.is_blow() || v_n.is_none_or(|v_n| v_n > 0.0);
        mode.is_none_or(|mode| mode == "open") && leaves
    };
    let stays = |event: &EventRecord| !event.contacts.iter().all(|c| is_open(event, c));
    !record.modes_at_start.is_empty() || record.events.iter().any(stays)
}

fn heading(record: &RunRecord, events: &[&EventRecord]) -> [Row; 2] {
    let has_lengths = rubbed(events.iter().copied()).any(|along| along == Along::Length);
    let names = [
        "#",
        "time",
        "contact",
        "type",
        if has_modes(record) { "then" } else { "" },
        "p_n",
        if has_lengths { "|p_t|" } else { "p_t" },
        "v_n (m/s)",
        "energy",
    ];
    let units = [
        "",
        "(s)",
        "",
        "",
        "",
        "(N s)",
        "(N s)",
        "before -> after",
        "change (J)",
    ];
    [names, units].map(|row| row.map(str::to_owned))
}

/// Heading and rows with as many digits as fit, and where each event starts.
fn fitting(record: &RunRecord, events: &[&EventRecord]) -> (Vec<Row>, Vec<usize>) {
    let mut made = (Vec::new(), Vec::new());
    for way in WAYS {
        made = rows(record, events, way);
        if total(&widths(&made.0)) <= WIDTH {
            return made;
        }
    }
    // Names give way, numbers never: a number cut short is a wrong number.
    let excess = total(&widths(&made.0)).saturating_sub(WIDEST);
    let room = widths(&made.0)[CONTACT].saturating_sub(excess);
    for row in &mut made.0 {
        row[CONTACT] = cut(&row[CONTACT], room.max(LEAST_NAME));
    }
    made
}

fn rows(record: &RunRecord, events: &[&EventRecord], way: Writing) -> (Vec<Row>, Vec<usize>) {
    let mut rows = heading(record, events).to_vec();
    rows.extend(start_rows(record));
    let has_modes = has_modes(record);
    let others = bystanders(record);
    let mut starts = Vec::with_capacity(events.len());
    for event in events {
        starts.push(rows.len());
        rows.extend(event_rows(event, way, has_modes));
        let changed = others.get(&event.index).into_iter().flatten();
        rows.extend(changed.map(|(name, mode)| mode_row(name, "", mode)));
    }
    (rows, starts)
}

/// A row for each contact of an event; the first has the numbers of the event.
fn event_rows(event: &EventRecord, way: Writing, has_modes: bool) -> Vec<Row> {
    let none = event.contacts.is_empty().then_some(None);
    let contacts = event.contacts.iter().map(Some).chain(none);
    let rows = contacts.map(|contact| {
        let mut row = contact_row(event, contact, way);
        let mode = contact.and_then(|c| event.modes_after.get(&c.name));
        if let (Some(mode), true) = (mode, has_modes) {
            row[THEN] = printable(mode);
        }
        row
    });
    let mut rows: Vec<Row> = rows.collect();
    if let Some(first) = rows.first_mut() {
        first[0] = event.index.to_string();
        first[1] = significant(event.time, way.digits + TIME_DIGITS);
        first[COLUMNS - 1] = change(event, way);
    }
    rows
}

/// Change of energy in an event; that of an impact is zero where it is round-off.
fn change(event: &EventRecord, way: Writing) -> String {
    let scales = Scales::of(&event.contacts);
    let is_told = event.kind.is_blow() || event.kind == EventKind::User;
    match event.energy_change {
        None => "-".to_owned(),
        Some(0.0) if !is_told => String::new(),
        Some(x) if event.kind.is_blow() => way.write(scales.work(x)),
        Some(x) => way.write(x),
    }
}

/// By number of event: the contacts that do not collide in it and do something else from there on.
fn bystanders(record: &RunRecord) -> BTreeMap<usize, Vec<(&str, &str)>> {
    let mut modes = record.modes_at_start.clone();
    let mut found: BTreeMap<usize, Vec<(&str, &str)>> = BTreeMap::new();
    for event in &record.events {
        for (name, mode) in &event.modes_after {
            let before = modes.insert(name.clone(), mode.clone());
            let is_new = before.as_deref().unwrap_or("open") != mode;
            if is_new && event.contacts.iter().all(|contact| contact.name != *name) {
                found.entry(event.index).or_default().push((name, mode));
            }
        }
    }
    found
}

fn mode_row(contact: &str, what: &str, mode: &str) -> Row {
    let mut row = Row::default();
    row[CONTACT] = printable(contact);
    row[TYPE] = what.to_owned();
    row[THEN] = printable(mode);
    row
}

/// A row for each contact that is closed from the start.
fn start_rows(record: &RunRecord) -> impl Iterator<Item = Row> {
    let closed = record.modes_at_start.iter().enumerate();
    closed.map(|(k, (contact, mode))| {
        let mut row = mode_row(contact, "start", mode);
        row[1] = if k == 0 { "0" } else { "" }.to_owned();
        row
    })
}

/// The columns of one contact; those of the event stay empty.
fn contact_row(event: &EventRecord, contact: Option<&ContactResult>, way: Writing) -> Row {
    let show = |x: Option<f64>| x.map_or("-".to_owned(), |x| way.write(x));
    let mut row = Row::default();
    row[TYPE] = deed(event, contact).to_owned();
    let Some(contact) = contact else {
        row[CONTACT] = event.guard.as_deref().map_or(String::new(), printable);
        return row;
    };
    row[CONTACT] = printable(&contact.name);
    if !event.kind.is_blow() {
        return row;
    }
    let (along, scales) = (Along::of(contact), Scales::of(&event.contacts));
    let p_t = contact.impulse.tangent;
    row[5] = show(contact.impulse.normal.map(|p| scales.impulse(p)));
    row[6] = show(p_t.map(|p| scales.impulse(along.value(p))));
    let velocities = [contact.velocity_before, contact.velocity_after];
    let [before, after] = velocities.map(|v| show(v.normal.map(|v| scales.velocity(v))));
    row[7] = format!("{before} -> {after}");
    row
}

/// A name on one line.
pub(super) fn printable(name: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(plain).collect()
}

fn widths(rows: &[Row]) -> [usize; COLUMNS] {
    std::array::from_fn(|k| {
        let cells = rows.iter().map(|row| row[k].chars().count());
        cells.max().unwrap_or(0)
    })
}

/// Width of a line; a column without a word takes none.
fn total(widths: &[usize; COLUMNS]) -> usize {
    let used = widths.iter().filter(|width| **width > 0);
    used.map(|width| width + 2).sum::<usize>().saturating_sub(2)
}

fn line(row: &Row, widths: &[usize; COLUMNS]) -> String {
    let cells = row.iter().zip(widths).enumerate();
    let cells = cells.filter(|(_, (_, width))| **width > 0);
    let cells = cells.map(|(k, (cell, width))| match (CONTACT..=THEN).contains(&k) {
        true => format!("{cell:<width$}"),
        false => format!("{cell:>width$}"),
    });
    let joined = cells.collect::<Vec<_>>().join("  ");
    joined.trim_end().to_owned()
}

/// The text, cut with an ellipsis where it is longer than the room (characters).
pub(super) fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{kept}…")
}
