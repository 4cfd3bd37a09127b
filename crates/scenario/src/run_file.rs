//! An impact of a finished run, read back from its file.

use crate::document::{Document, Node, Override, Source, Value};
use crate::problem::{self, ProblemFile};
use crate::{InputError, is_json_lines};

/// Whether a text is the record of a run: JSON with `end` and `events` at its root.
pub fn is_run(name: &str, text: &str) -> bool {
    let source = Source { name, text };
    let has = |document: &Document, wanted: &str| entry(&document.root, wanted).is_some();
    let looks = text.contains("\"events\"") && (text.contains('\n') || is_json_lines(text));
    looks
        && Document::parse(source)
            .is_ok_and(|document| has(&document, "end") && has(&document, "events"))
}

/// Reads the problem that event `number` (from 1) of a run solved, after applying overrides.
pub fn read_event(
    name: &str,
    text: &str,
    number: usize,
    overrides: &[Override],
) -> Result<ProblemFile, InputError> {
    let source = Source { name, text };
    let document = Document::parse(source)?;
    let refuse = |message: String| Err(InputError::whole(name, message));
    let Some(Value::List(events)) = entry(&document.root, "events").map(|node| &node.value) else {
        return refuse("there is no list \"events\", expected the run.json of a run".to_owned());
    };
    let Some(event) = number.checked_sub(1).and_then(|at| events.get(at)) else {
        return refuse(match events.len() {
            0 => "the run has no events".to_owned(),
            count => format!("event {number} does not exist, expected a number from 1 to {count}"),
        });
    };
    let Some(root) = entry(event, "problem").cloned() else {
        return refuse(format!("event {number} is no impact: it has no problem"));
    };
    let mut file = problem::read_document(source, Document { root }.with(overrides)?, 1)?;
    file.angles = angles(&document.root);
    let title = match entry(&document.root, "title").map(|node| &node.value) {
        Some(Value::Text(title)) => format!("{title}, event {number}"),
        _ => format!("event {number}"),
    };
    file.title = Some(match entry(event, "time").map(|node| &node.value) {
        Some(Value::Number(time)) => format!("{title} at {} s", shortened(*time)),
        _ => title,
    });
    Ok(file)
}

/// The contacts of a run whose gap is an angle.
fn angles(root: &Node) -> Vec<String> {
    let units = entry(root, "trajectory").and_then(|node| entry(node, "gap_units"));
    let Some(Value::Table(units)) = units.map(|node| &node.value) else {
        return Vec::new();
    };
    let is_angle = |node: &Node| matches!(&node.value, Value::Text(unit) if unit == "rad");
    let named = units.iter().filter(|(_, _, node)| is_angle(node));
    named.map(|(name, ..)| name.clone()).collect()
}

/// A number rounded to ten significant digits.
fn shortened(number: f64) -> f64 {
    format!("{number:.9e}").parse().unwrap_or(number)
}

fn entry<'a>(node: &'a Node, wanted: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Table(entries) => entries
            .iter()
            .find(|(key, ..)| key == wanted)
            .map(|(_, _, node)| node),
        _ => None,
    }
}
