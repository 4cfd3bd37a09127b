//! `carom check`: is a file a well-posed problem or scenario?

use carom::examples::File;
use carom::{Checked, InputError};
use clap::Args;
use serde::Serialize;

use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs};
use crate::output::{Show, complain, say, say_json};

/// Check problem and scenario files without printing results
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 0 when every file is good, 1 when some is not, 2 when one cannot be read."
)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    file: &'a str,
    line: Option<usize>,
    ok: bool,
    holds: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
    error: Option<&'a InputError>,
}

impl Check {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        let overrides = self.inputs.overrides()?;
        let mut exit = Exit::Done;
        for input in self.inputs.open()? {
            match input {
                Input::Document { name, text } => match text {
                    Ok(text) => {
                        let read = File::read(&name, &text, &overrides);
                        let found = read.and_then(|file| holds(&file));
                        exit = report(show, &name, None, found, exit)?;
                    }
                    Err(error) => {
                        report(show, &name, None, Err(error), exit)?;
                        exit = Exit::CouldNotRun;
                    }
                },
                Input::Lines { name, reader } => {
                    let mut is_empty = true;
                    for (line, text) in carom::lines(&name, reader) {
                        is_empty = false;
                        let read =
                            text.and_then(|text| File::read_in(&name, line, &text, &overrides));
                        let found = read.and_then(|file| holds(&file));
                        exit = report(show, &name, Some(line), found, exit)?;
                    }
                    if is_empty {
                        let nothing = Err(crate::input::no_problem(&name));
                        exit = report(show, &name, None, nothing, exit)?;
                    }
                }
            }
        }
        Ok(exit)
    }
}

fn report(
    show: Show,
    file: &str,
    line: Option<usize>,
    found: Result<Checked, InputError>,
    exit: Exit,
) -> Result<Exit, Failure> {
    if show.json {
        say_json(&Report {
            file,
            line,
            ok: found.is_ok(),
            holds: found.as_ref().ok().map(|found| found.holds.as_str()),
            warnings: found.as_ref().map_or(&[], |found| &found.warnings),
            error: found.as_ref().err(),
        })?;
    }
    match found {
        Ok(Checked { holds, warnings }) => {
            if !show.json && !show.quiet {
                let place = line.map_or(String::new(), |line| format!(":{line}"));
                say(&format!("{file}{place}: ok, {holds}\n"))?;
                for warning in warnings {
                    complain(&format!("{file}{place}: warning: {warning}"));
                }
            }
            Ok(exit)
        }
        Err(error) => {
            complain(&error.render());
            Ok(match exit {
                Exit::CouldNotRun => exit,
                Exit::Done | Exit::SomeFailed => Exit::SomeFailed,
            })
        }
    }
}

/// What a file holds, once it is checked as far as solving or building it would.
fn holds(file: &File) -> Result<Checked, InputError> {
    match file {
        File::Problem(problem) => carom::check(problem).map(Checked::from),
        File::Forward(problem) => carom::check_forward(problem).map(Checked::from),
        File::Scenario(scenario) => carom::check_scenario(scenario),
    }
}
