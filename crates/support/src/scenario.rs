//! Scenarios: read and run, or with a fault put into them.

use carom_scenario::examples::example;
use carom_scenario::{Built, InputError, Override, Scenario, read_scenario};
use carom_sim::Run;
use carom_sim::record::RunRecord;

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
    match scenario.build().unwrap() {
        Built::Plane(mut setup) => recorded(&mut setup),
        Built::Space(mut setup) => recorded(&mut setup),
    }
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
