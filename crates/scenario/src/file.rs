//! Files of any kind: the keys at their root tell which.

use crate::document::{Document, Override, Source, Value};
use crate::problem::{self, ProblemFile, at_line};
use crate::scenario::{self, Scenario};
use crate::{InputError, problem_schema, scenario_schema};

/// The kinds of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An impact problem: one collision.
    Problem,
    /// A scenario: a mechanism that moves.
    Scenario,
}

impl Kind {
    /// Name in lists and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Scenario => "scenario",
        }
    }

    /// JSON Schema of the kind.
    pub fn schema(self) -> serde_json::Value {
        match self {
            Self::Problem => problem_schema(),
            Self::Scenario => scenario_schema(),
        }
    }

    /// A scenario has one of its own keys at the root; all else is judged as a problem.
    fn of(document: &Document) -> Self {
        const OWN: [&str; 7] = [
            "bodies", "joints", "world", "loads", "run", "gravity", "space",
        ];
        match &document.root.value {
            Value::Table(entries) if entries.iter().any(|(key, ..)| OWN.contains(&&**key)) => {
                Self::Scenario
            }
            _ => Self::Problem,
        }
    }
}

/// A file of either kind, as read.
#[derive(Debug, Clone)]
pub enum File {
    /// An impact problem.
    Problem(Box<ProblemFile>),
    /// A scenario.
    Scenario(Box<Scenario>),
}

impl File {
    /// Reads a file, TOML or JSON, after applying overrides.
    pub fn read(name: &str, text: &str, overrides: &[Override]) -> Result<Self, InputError> {
        let source = Source { name, text };
        Self::from_document(source, Document::parse(source)?.with(overrides)?, 1)
    }

    /// Reads a document in JSON that stands on line `line` (from 1) of a stream.
    pub fn read_in(
        name: &str,
        line: usize,
        text: &str,
        overrides: &[Override],
    ) -> Result<Self, InputError> {
        let source = Source { name, text };
        let read = Document::parse_json(source).and_then(|document| document.with(overrides));
        Self::from_document(source, read.map_err(|error| at_line(error, line))?, line)
    }

    fn from_document(
        source: Source<'_>,
        document: Document,
        line: usize,
    ) -> Result<Self, InputError> {
        match Kind::of(&document) {
            Kind::Problem => problem::read_document(source, document, line)
                .map(|file| Self::Problem(Box::new(file))),
            Kind::Scenario => scenario::read_document(source, document, line)
                .map(|file| Self::Scenario(Box::new(file))),
        }
    }
}
