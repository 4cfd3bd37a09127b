//! `carom schema`: the file formats for editors and validators.

use carom::examples::Kind;
use clap::{Args, ValueEnum};

use crate::exit::{Exit, Failure};
use crate::output::{Show, say};

/// Print the JSON Schema of a file format
#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Which format
    #[arg(value_enum, default_value = "problem")]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// An impact problem, as read by `carom impact`
    Problem,
    /// A forward problem, as read by `carom forward`
    Forward,
    /// A scenario: a mechanism, its contacts and how long it moves
    Scenario,
}

impl Schema {
    pub(crate) fn run(&self, _: Show) -> Result<Exit, Failure> {
        let kind = match self.format {
            Format::Problem => Kind::Problem,
            Format::Forward => Kind::Forward,
            Format::Scenario => Kind::Scenario,
        };
        let schema = kind.schema();
        say(&format!("{schema:#}\n"))?;
        Ok(Exit::Done)
    }
}
