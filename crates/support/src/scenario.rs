//! Scenarios: read and run, or with a fault put into them.

use std::collections::BTreeSet;

use carom_scenario::examples::example;
use carom_scenario::{InputError, Override, Scenario, read_scenario};
use carom_sim::Run;
use carom_sim::record::RunRecord;

use fastrand::Rng;
use serde_json::Value;

use crate::sim::recorded;

/// The scenario of a text.
#[track_caller]
pub fn read(text: &str) -> Scenario {
    let read = read_scenario("case.toml", text, &[]);
    read.unwrap_or_else(|error| panic!("{}", error.render()))
}

/// An example with some of its values replaced, `key=value`.
#[track_caller]
pub fn changed(name: &str, set: &[&str]) -> Scenario {
    let example = example(name).unwrap();
    let set: Vec<Override> = set.iter().map(|s| Override::parse(s).unwrap()).collect();
    read_scenario(example.file, example.text, &set).unwrap()
}

/// A scenario of the plane or of space, run, and the run under its names.
#[track_caller]
pub fn ran(scenario: &Scenario) -> (Run, RunRecord) {
    recorded(&mut scenario.build().unwrap())
}

/// Reads and builds a scenario.
pub fn built(text: &str) -> Result<(), InputError> {
    read_scenario("t.toml", text, &[])?.build().map(|_| ())
}

/// The good file with one part replaced is refused at the place of `mark` in it, which follows the
/// replacement's start by `mark`'s offset.
pub fn refused(good: &str, (old, new): (&str, &str), mark: &str, path: &str, said: &str) {
    assert_eq!(good.matches(old).count(), 1, "{old:?} must occur once");
    let text = good.replace(old, new);
    let start = good.find(old).unwrap();
    let at = start + text[start..].find(mark).unwrap();
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |i| i + 1) + 1;
    let error = built(&text).unwrap_err();
    assert_eq!(
        (error.line, error.column),
        (Some(line), Some(column)),
        "{new:?}: {}",
        error.render()
    );
    assert_eq!(error.path.as_deref(), Some(path), "{}", error.render());
    assert!(error.message.contains(said), "{new:?}: {}", error.render());
}

/// A text with one to three of its words taken out, replaced by one of the bits or followed by one.
pub fn damaged(rng: &mut Rng, text: &str, bits: &[&str]) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', '=', ',']).collect();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..words.len());
        match rng.u8(..3) {
            0 => drop(words.remove(at)),
            1 => words[at] = bits[rng.usize(..bits.len())],
            _ => words.insert(at, bits[rng.usize(..bits.len())]),
        }
    }
    words.concat()
}

/// Every key of a schema, however deep.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(entries) => {
            if let Some(Value::Object(properties)) = entries.get("properties") {
                found.extend(properties.keys().cloned());
            }
            entries.values().for_each(|value| keys(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

/// A page names every key of a schema, which has more than `least`, in code.
#[track_caller]
pub fn assert_explained(page: &str, schema: &Value, least: usize) {
    let mut found = BTreeSet::new();
    keys(schema, &mut found);
    assert!(
        found.len() > least,
        "the search must find keys, got {found:?}"
    );
    for key in found {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let in_code = page.split('`').skip(1).step_by(2);
        let is_told = in_code
            .flat_map(|code| code.split(|c| !is_word(c)))
            .any(|word| word == key);
        assert!(is_told, "{key}");
    }
}
