//! `carom schema`: the file formats for editors and validators.

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
}

impl Schema {
    pub(crate) fn run(&self, _: Show) -> Result<Exit, Failure> {
        let schema = match self.format {
            Format::Problem => carom::problem_schema(),
        };
        say(&format!("{schema:#}\n"))?;
        Ok(Exit::Done)
    }
}
