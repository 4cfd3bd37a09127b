//! The events of a run as a table for the terminal.

use carom_contact::impact::{ContactResult, Note};
use carom_sim::record::{EventKind, EventRecord, RunRecord};

use crate::along::{Along, is_rubbed};
use crate::columns::is_stop;
use crate::number::{significant, zeroed};
use crate::prose::shortened;
use crate::run::piled;
use crate::scales::Scales;

/// Widest line (characters).
const WIDTH: usize = 100;
/// Digits tried, until the table fits; times have four more.
const DIGITS: [usize; 3] = [5, 4, 3];
const TIME_DIGITS: usize = 4;
/// Least width of the column of contacts once nothing else can give way.
const LEAST_NAME: usize = 6;
/// Place of the column of contacts, and of the columns set to the left.
const CONTACT: usize = 2;
const LEFT: [usize; 2] = [2, 3];
const COLUMNS: usize = 8;
/// Most events a remark lists.
const LISTED: usize = 12;
/// Directions closer than this are one.
const SAME: f64 = 1e-6;

type Row = [String; COLUMNS];

/// The events, at most 100 characters wide: one line per event and contact, and below them what was
/// remarked. Beyond `limit` events the first and the last are shown, and how many stand between.
pub fn event_table(record: &RunRecord, limit: usize) -> String {
    if record.events.is_empty() {
        return "no events\n".to_owned();
    }
    let count = record.events.len();
    let hidden = count.saturating_sub(limit.max(2));
    let first = (count - hidden).div_ceil(2);
    let shown = record.events[..first]
        .iter()
        .chain(&record.events[first + hidden..]);
    let shown: Vec<&EventRecord> = shown.collect();
    let (rows, starts) = fitting(&shown);
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

/// The notes of all events: each kind once, with the events it is about and its first sentence.
fn remarks(record: &RunRecord) -> String {
    let mut kinds: Vec<(&Note, Vec<usize>)> = Vec::new();
    for event in &record.events {
        for note in &event.notes {
            match kinds.iter_mut().find(|(first, _)| first.code == note.code) {
                Some((_, events)) if events.last() == Some(&event.index) => {}
                Some((_, events)) => events.push(event.index),
                None => kinds.push((note, vec![event.index])),
            }
        }
    }
    let said = kinds.iter().map(|(note, events)| {
        let first = if events.len() > 1 {
            "; the first: "
        } else {
            ": "
        };
        let sentence = printable(&shortened(note.sentence.trim()));
        wrapped(&format!("note at {}{first}{sentence}", numbered(events)))
    });
    let said: String = said
        .chain(piles(record))
        .chain(directions(record))
        .chain(angles(record))
        .collect();
    match said.is_empty() {
        true => said,
        false => format!("\n{said}"),
    }
}

/// Accumulations told of.
const MOST_PILES: usize = 6;

/// A line on each accumulation of impacts, with its bound.
fn piles(record: &RunRecord) -> impl Iterator<Item = String> {
    let piles = record.events.iter();
    let piles = piles.filter_map(|event| Some((event, event.accumulation.as_ref()?)));
    let piles: Vec<_> = piles.collect();
    let more = piles.len().saturating_sub(MOST_PILES);
    let more = (more > 0).then(|| format!("and {more} more accumulations\n"));
    let said = piles.into_iter().take(MOST_PILES).map(|(event, pile)| {
        let names: Vec<String> = event.contacts.iter().map(|c| printable(&c.name)).collect();
        wrapped(&format!(
            "accumulation # {}: {}",
            event.index,
            piled(pile, &names)
        ))
    });
    said.chain(more).collect::<Vec<_>>().into_iter()
}

/// A line on the directions p_t is told along, in space.
fn directions(record: &RunRecord) -> Option<String> {
    let rubbed = rubbed(record.events.iter());
    let directions: Vec<[f64; 2]> = rubbed.filter_map(Along::direction).collect();
    let first = *directions.first()?;
    let is_first = |d: &[f64; 2]| (d[0] - first[0]).hypot(d[1] - first[1]) < SAME;
    let [d_1, d_2] = first.map(|x| significant(zeroed(x, 1.0), DIGITS[0]));
    let said = match directions.iter().all(is_first) {
        true => format!("p_t is along (t1, t2) = ({d_1}, {d_2})"),
        false => format!(
            "p_t is along the direction of each impact, the first along (t1, t2) = ({d_1}, {d_2})"
        ),
    };
    Some(wrapped(&said))
}

/// Along what the contacts are told that friction pushes.
fn rubbed<'a>(events: impl Iterator<Item = &'a EventRecord>) -> impl Iterator<Item = Along> {
    let contacts = events.flat_map(|event| &event.contacts);
    contacts.filter(|c| is_rubbed(c)).map(Along::of)
}

/// A line on the contacts whose gap is an angle: the units of the heading are not theirs.
fn angles(record: &RunRecord) -> Option<String> {
    let units = &record.trajectory.as_ref()?.gap_units;
    let takes_part = |name: &str| {
        let mut contacts = record.events.iter().flat_map(|event| &event.contacts);
        contacts.any(|contact| contact.name == name)
    };
    let angles = units
        .iter()
        .filter(|(name, unit)| *unit == "rad" && takes_part(name));
    let names: Vec<String> = angles.map(|(name, _)| printable(name)).collect();
    let names = names.join(", ");
    let said = format!("about an axis, p_n in N m s and v_n in rad/s: {names}");
    (!names.is_empty()).then(|| wrapped(&said))
}

/// Numbers of events, cut where they are many.
fn numbered(events: &[usize]) -> String {
    let shown: Vec<String> = events.iter().take(LISTED).map(usize::to_string).collect();
    let more = match events.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("# {}{more}", shown.join(", "))
}

/// The text in lines no wider than the table, broken at spaces; a longer word is cut.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + length <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(cut(word, WIDTH)),
            Some(_) => lines.push(format!("  {}", cut(word, WIDTH - 2))),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn heading(events: &[&EventRecord]) -> [Row; 2] {
    let has_lengths = rubbed(events.iter().copied()).any(|along| along == Along::Length);
    let names = [
        "#",
        "time",
        "contact",
        "type",
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
        "(N s)",
        "(N s)",
        "before -> after",
        "change (J)",
    ];
    [names, units].map(|row| row.map(str::to_owned))
}

/// Heading and rows with as many digits as fit, and where each event starts.
fn fitting(events: &[&EventRecord]) -> (Vec<Row>, Vec<usize>) {
    let mut made = (Vec::new(), Vec::new());
    for digits in DIGITS {
        made = rows(events, digits);
        if total(&widths(&made.0)) <= WIDTH {
            return made;
        }
    }
    // Names give way, numbers never: a number cut short is a wrong number.
    let excess = total(&widths(&made.0)) - WIDTH;
    let room = widths(&made.0)[CONTACT].saturating_sub(excess);
    for row in &mut made.0 {
        row[CONTACT] = cut(&row[CONTACT], room.max(LEAST_NAME));
    }
    made
}

fn rows(events: &[&EventRecord], digits: usize) -> (Vec<Row>, Vec<usize>) {
    let mut rows = heading(events).to_vec();
    let mut starts = Vec::with_capacity(events.len());
    for event in events {
        starts.push(rows.len());
        let time = significant(event.time, digits + TIME_DIGITS);
        let change = event.energy_change;
        let change = match change {
            Some(0.0) if !event.kind.is_blow() && event.kind != EventKind::User => String::new(),
            change => change.map_or("-".to_owned(), |x| significant(x, digits)),
        };
        let none = event.contacts.is_empty().then_some(None);
        let contacts = event.contacts.iter().map(Some).chain(none);
        for (k, contact) in contacts.enumerate() {
            let mut row = contact_row(event, contact, digits);
            if k == 0 {
                row[0] = event.index.to_string();
                row[1] = time.clone();
                row[COLUMNS - 1] = change.clone();
            }
            rows.push(row);
        }
    }
    (rows, starts)
}

/// The columns of one contact; those of the event stay empty.
fn contact_row(event: &EventRecord, contact: Option<&ContactResult>, digits: usize) -> Row {
    let show = |x: Option<f64>| x.map_or("-".to_owned(), |x| significant(x, digits));
    let mut row = Row::default();
    row[3] = match (event.kind, contact) {
        (EventKind::Impact, Some(contact)) if is_stop(event, contact) => "stop".to_owned(),
        (EventKind::Impact, Some(contact)) => contact.contact_type.name().to_owned(),
        (kind, Some(contact)) => match event.modes_after.get(&contact.name) {
            Some(mode) if !kind.is_blow() && mode != kind.name() => {
                format!("{} -> {mode}", kind.name())
            }
            _ => kind.name().to_owned(),
        },
        (kind, None) => kind.name().to_owned(),
    };
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
    row[4] = show(contact.impulse.normal.map(|p| scales.impulse(p)));
    row[5] = show(p_t.map(|p| scales.impulse(along.value(p))));
    let velocities = [contact.velocity_before, contact.velocity_after];
    let [before, after] = velocities.map(|v| show(v.normal.map(|v| scales.velocity(v))));
    row[6] = format!("{before} -> {after}");
    row
}

/// A name on one line.
fn printable(name: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(plain).collect()
}

fn widths(rows: &[Row]) -> [usize; COLUMNS] {
    std::array::from_fn(|k| {
        let cells = rows.iter().map(|row| row[k].chars().count());
        cells.max().unwrap_or(0)
    })
}

fn total(widths: &[usize; COLUMNS]) -> usize {
    widths.iter().sum::<usize>() + 2 * (COLUMNS - 1)
}

fn line(row: &Row, widths: &[usize; COLUMNS]) -> String {
    let cells = row.iter().zip(widths).enumerate();
    let cells = cells.map(|(k, (cell, width))| match LEFT.contains(&k) {
        true => format!("{cell:<width$}"),
        false => format!("{cell:>width$}"),
    });
    let joined = cells.collect::<Vec<_>>().join("  ");
    joined.trim_end().to_owned()
}

/// The text, cut with an ellipsis where it is longer than the room (characters).
fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{kept}…")
}
