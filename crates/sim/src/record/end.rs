//! How a run ended, in the words of the files.

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndKind {
    /// The time asked for was reached.
    Duration,
    /// A contact closed and stays closed.
    ContactPersists,
    /// Impacts pile up.
    Accumulates,
    /// No answer: the laws chosen have none, or it is not offered.
    NoAnswer,
    /// Several answers.
    SeveralAnswers,
    /// An impact has no finite impulse.
    Jammed,
    /// The user stopped it.
    Interrupted,
    /// The events allowed were used up.
    EventLimit,
}

impl EndKind {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::ContactPersists => "contact_persists",
            Self::Accumulates => "accumulates",
            Self::NoAnswer => "no_answer",
            Self::SeveralAnswers => "several_answers",
            Self::Jammed => "jammed",
            Self::Interrupted => "interrupted",
            Self::EventLimit => "event_limit",
        }
    }
}

/// How a run ended, with the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndRecord {
    /// How.
    #[serde(rename = "end")]
    pub kind: EndKind,
    /// The same in a sentence, with the evidence.
    pub reason: String,
    /// The contacts it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub end_contacts: Vec<String>,
    /// Of impacts that pile up: the last interval, its ratio, the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accumulation: Option<Accumulation>,
}

/// A geometric pile of impacts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accumulation {
    /// Last interval between impacts (s).
    pub interval: f64,
    /// Ratio of successive intervals.
    pub ratio: f64,
    /// Estimated instant they lead to (s).
    pub limit: f64,
}
