//! `carom examples`: list, show or copy the built-in examples.

use carom::examples::{COLLISIONS, Example, FORWARDS, Kind, PROBLEMS, SCENARIOS, SUSTAINED, all};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::exit::{Exit, Failure};
use crate::output::{Show, say, say_json, write_file};

/// List, show or copy the built-in examples
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  carom examples\n  carom examples show rod\n  \
    carom examples copy rod my-rod.toml"
)]
pub(crate) struct Examples {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print an example
    Show {
        /// Its name
        name: String,
    },
    /// Write an example to a file
    Copy {
        /// Its name
        name: String,
        /// File to write (default: NAME.toml here)
        file: Option<String>,
        /// Overwrite the file if it exists
        #[arg(long)]
        force: bool,
    },
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    kind: &'static str,
    about: &'static str,
    file: &'static str,
}

#[derive(Debug, Serialize)]
struct Text {
    name: &'static str,
    text: &'static str,
}

fn find(name: &str) -> Result<&'static Example, Failure> {
    carom::examples::find(name).map_err(Failure::Said)
}

/// The examples, kind by kind.
fn list() -> String {
    let mut text = String::new();
    for (examples, heading, hint) in [
        (
            PROBLEMS,
            "Problems: one collision",
            "run one:   carom impact --example rod",
        ),
        (
            FORWARDS,
            "Forward problems: accelerations with friction",
            "run one:   carom forward --example screw-unique",
        ),
        (
            SCENARIOS,
            "Scenarios: a mechanism that moves",
            "run one:   carom run --example pendulum-rough",
        ),
        (
            SUSTAINED,
            "Scenarios in contact: resting, sliding, sticking",
            "run one:   carom run --example stick-slip",
        ),
        (
            COLLISIONS,
            "Collisions of scenarios: the instant of their start",
            "run one:   carom impact --example four-legged-table",
        ),
    ] {
        text.push_str(&format!("{heading}\n"));
        for example in examples {
            text.push_str(&format!("  {:<22} {}\n", example.name, example.about));
        }
        text.push_str(&format!("{hint}\n\n"));
    }
    text.push_str("read one:  carom examples show rod\n");
    text
}

impl Examples {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        match &self.action {
            None if show.json => {
                let rows: Vec<Row> = all()
                    .map(|e| Row {
                        name: e.name,
                        kind: e.kind.name(),
                        about: e.about,
                        file: e.file,
                    })
                    .collect();
                say_json(&rows)?;
            }
            None => {
                say(&list())?;
            }
            Some(Action::Show { name }) if show.json => {
                let example = find(name)?;
                say_json(&Text {
                    name: example.name,
                    text: example.text,
                })?;
            }
            Some(Action::Show { name }) => say(find(name)?.text)?,
            Some(Action::Copy { name, file, force }) => {
                let example = find(name)?;
                let path = file.as_deref().unwrap_or(example.file);
                write_file(path, example.text.as_bytes(), *force)?;
                if !show.quiet && !show.json {
                    let is_forward = FORWARDS.iter().any(|e| e.name == example.name);
                    let is_collision = COLLISIONS.iter().any(|e| e.name == example.name);
                    let command = match example.kind {
                        _ if is_collision => "impact",
                        _ if is_forward => "forward",
                        Kind::Problem => "impact",
                        Kind::Forward => "forward",
                        Kind::Scenario => "run",
                    };
                    say(&format!("{path} written; try:  carom {command} {path}\n"))?;
                }
            }
        }
        Ok(Exit::Done)
    }
}
