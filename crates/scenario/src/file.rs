//! Files of any kind: the keys at their root tell which.

use crate::document::{Document, Override, Source, Value};
use crate::forward::{self, ForwardFile};
use crate::problem::{self, ProblemFile, at_line};
use crate::scenario::{self, Scenario};
use crate::{InputError, forward_schema, problem_schema, scenario_schema};

/// The kinds of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An impact problem: one collision.
    Problem,
    /// A forward problem: accelerations with friction.
    Forward,
    /// A scenario: a mechanism that moves.
    Scenario,
}

impl Kind {
    /// Name in lists and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Forward => "forward",
            Self::Scenario => "scenario",
        }
    }

    /// JSON Schema of the kind.
    pub fn schema(self) -> serde_json::Value {
        match self {
            Self::Problem => problem_schema(),
            Self::Forward => forward_schema(),
            Self::Scenario => scenario_schema(),
        }
    }

    /// A scenario or a forward problem has one of its own keys at the root; all else is judged as an
    /// impact problem.
    pub(crate) fn of(document: &Document) -> Self {
        const SCENARIO: [&str; 7] = [
            "bodies", "joints", "world", "loads", "run", "gravity", "space",
        ];
        const FORWARD: [&str; 8] = [
            "inertia",
            "bias",
            "load_matrix",
            "load_offset",
            "force",
            "drift",
            "screw",
            "rod",
        ];
        let has = |own: &[&str]| match &document.root.value {
            Value::Table(entries) => entries.iter().any(|(key, ..)| own.contains(&&**key)),
            _ => false,
        };
        match (has(&SCENARIO), has(&FORWARD)) {
            (true, _) => Self::Scenario,
            (_, true) if !has(&["mass"]) => Self::Forward,
            _ => Self::Problem,
        }
    }
}

/// Whether a text is a scenario by the keys at its root; one that cannot be parsed is none.
pub fn is_scenario(name: &str, text: &str) -> bool {
    let document = Document::parse(Source { name, text });
    document.is_ok_and(|document| Kind::of(&document) == Kind::Scenario)
}

/// A file of any kind, as read.
#[derive(Debug, Clone)]
pub enum File {
    /// An impact problem.
    Problem(Box<ProblemFile>),
    /// A forward problem.
    Forward(Box<ForwardFile>),
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
            Kind::Forward => forward::read_document(source, document, line)
                .map(|file| Self::Forward(Box::new(file))),
            Kind::Scenario => scenario::read_document(source, document, line)
                .map(|file| Self::Scenario(Box::new(file))),
        }
    }
}
