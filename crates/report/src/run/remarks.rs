//! What stands below the table of events: notes, accumulations, what was not unique, units.

use carom_contact::impact::{Note, NoteCode};
use carom_sim::record::{AssemblyRecord, EventRecord, RunRecord};

use super::event_table::{WIDTH, cut, has_modes, printable};
use crate::along::{Along, is_rubbed};
use crate::columns::is_angular;
use crate::number::{significant, zeroed};
use crate::prose::shortened;
use crate::run::piled;

/// Significant digits.
const DIGITS: usize = 5;
/// Most events a remark lists.
const LISTED: usize = 12;
/// Directions closer than this are one.
const SAME: f64 = 1e-6;

/// The notes of all events: each kind once, with the events it is about and its first sentence.
pub(super) fn remarks(record: &RunRecord) -> String {
    let mut kinds: Vec<(&Note, Vec<usize>)> = Vec::new();
    for event in &record.events {
        // The modes of an outcome stand in the table.
        let notes = event.notes.iter();
        for note in notes.filter(|note| note.code != NoteCode::Modes) {
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
    let first = assembled(record).into_iter().chain(legend(record));
    let said: String = first
        .chain(said)
        .chain(piles(record))
        .chain(shares(record))
        .chain(directions(record))
        .chain(angles(record))
        .collect();
    match said.is_empty() {
        true => said,
        false => format!("\n{said}"),
    }
}

/// A line on the start that was solved for.
fn assembled(record: &RunRecord) -> Option<String> {
    let assembly = record.assembly.as_ref()?;
    Some(wrapped(&format!("start: {}", assembly_words(assembly))))
}

/// How a start was changed until its loops closed.
pub(crate) fn assembly_words(assembly: &AssemblyRecord) -> String {
    let AssemblyRecord {
        joint,
        residual,
        unit,
        moved,
    } = assembly;
    let was = format!(
        "joint {} was off by {} {unit}",
        printable(joint),
        significant(*residual, DIGITS)
    );
    let Some(moved) = moved else {
        return format!("{was}; no coordinate was changed");
    };
    format!(
        "{was}; the loops were closed, and {} of {} changed most, by {}",
        printable(&moved.coordinate),
        printable(&moved.joint),
        format!("{} {}", significant(moved.change, DIGITS), moved.unit).trim_end()
    )
}

/// What the words of the column of modes mean, those that stand there.
fn legend(record: &RunRecord) -> Option<String> {
    if !has_modes(record) {
        return None;
    }
    let is_met = |word: &str| {
        let has = |mode: &String| mode.split(' ').any(|one| one == word);
        let mut after = record.events.iter().map(|event| &event.modes_after);
        let at_start = record.modes_at_start.values().any(has);
        at_start || after.any(|modes| modes.values().any(has))
    };
    let words = [
        ("closed", "stays closed, no friction"),
        ("stick", "stays closed, no slip"),
        ("slide", "stays closed, slips"),
        ("slide+", "stays closed, slips along +t"),
        ("slide-", "stays closed, slips along -t"),
        ("pivot+", "turns about its normal, from t1 to t2"),
        ("pivot-", "turns about its normal, from t2 to t1"),
    ];
    let met = words.into_iter().filter(|(mode, _)| is_met(mode));
    let met: Vec<String> = met
        .map(|(mode, words)| format!("; {mode}: {words}"))
        .collect();
    let said = format!("then: what the contact does next{}", met.concat());
    Some(wrapped(&said))
}

/// A line on the contacts whose forces mechanics does not share out.
fn shares(record: &RunRecord) -> Option<String> {
    let names: Vec<String> = record.shared_forces.iter().map(|n| printable(n)).collect();
    let what = match record.chosen_forces.is_empty() {
        true => "the motion is unique, the share is not",
        false => {
            "where they slide different ways the share decides the motion, and is that of equally stiff contacts"
        }
    };
    let said = format!(
        "while closed, {} share their forces in more than one way: {what}",
        names.join(", ")
    );
    (!names.is_empty()).then(|| wrapped(&said))
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
    let [d_1, d_2] = first.map(|x| significant(zeroed(x, 1.0), DIGITS));
    let said = match directions.iter().all(is_first) {
        true => format!("p_t is along (t1, t2) = ({d_1}, {d_2})"),
        false => format!(
            "p_t is along the direction of each impact, the first along (t1, t2) = ({d_1}, {d_2})"
        ),
    };
    Some(wrapped(&said))
}

/// Along what the contacts are told that friction pushes.
pub(super) fn rubbed<'a>(
    events: impl Iterator<Item = &'a EventRecord>,
) -> impl Iterator<Item = Along> {
    let contacts = events.flat_map(|event| &event.contacts);
    contacts.filter(|c| is_rubbed(c)).map(Along::of)
}

/// A line on the contacts whose gap is an angle: the units of the heading are not theirs.
fn angles(record: &RunRecord) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    let contacts = record.events.iter().flat_map(|event| &event.contacts);
    for contact in contacts.filter(|contact| is_angular(record, &contact.name)) {
        let name = printable(&contact.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
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
pub(super) fn wrapped(text: &str) -> String {
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
