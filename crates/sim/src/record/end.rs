//! How a run ended, in the words of the files.

use carom_multibody::mechanism::Mechanism;
use serde::{Deserialize, Serialize};

use crate::{End, Rule, Run};

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
    /// How far that may be off (s), as estimated.
    pub doubt: f64,
}

impl EndRecord {
    pub(super) fn of<M: Mechanism>(mechanism: &M, rules: &[Rule], run: &Run) -> Self {
        let names = |contacts: &[usize]| -> Vec<String> {
            contacts.iter().map(|c| rules[*c].name.clone()).collect()
        };
        let (kind, contacts): (_, &[usize]) = match &run.end {
            End::Duration => (EndKind::Duration, &[]),
            End::ContactPersists { contacts } => (EndKind::ContactPersists, contacts),
            End::Accumulates { contacts, .. } => (EndKind::Accumulates, contacts),
            End::NoAnswer { contacts, .. } => (EndKind::NoAnswer, contacts),
            End::SeveralAnswers { contacts } => (EndKind::SeveralAnswers, contacts),
            End::Jammed { contacts, .. } => (EndKind::Jammed, contacts),
            End::EventLimit => (EndKind::EventLimit, &[]),
            End::ResetsRepeat { .. } => (EndKind::Accumulates, &[]),
            End::Interrupted | End::Stopped { .. } => (EndKind::Interrupted, &[]),
        };
        let contacts = names(contacts);
        Self {
            kind,
            reason: reason(mechanism, run, &contacts.join(", ")),
            end_contacts: contacts,
            accumulation: accumulation(&run.end),
        }
    }
}

fn accumulation(end: &End) -> Option<Accumulation> {
    let End::Accumulates {
        interval,
        ratio,
        limit,
        doubt,
        ..
    } = *end
    else {
        return None;
    };
    Some(Accumulation {
        interval,
        ratio,
        limit,
        doubt,
    })
}

/// How the run ended, in a sentence.
fn reason<M: Mechanism>(mechanism: &M, run: &Run, contacts: &str) -> String {
    let t = run.time;
    match &run.end {
        End::Duration => "the time asked for was reached".to_owned(),
        End::ContactPersists { .. } => {
            format!("contact {contacts} closed at {t} s and stays closed")
        }
        End::Accumulates {
            interval,
            ratio,
            limit,
            doubt,
            ..
        } => format!(
            "impacts of contact {contacts} pile up: the last interval was {interval:.3e} s, each is \
             {ratio:.6} of the one before, and they lead to {limit} s (within {doubt:.1e} s, as \
             estimated)"
        ),
        End::NoAnswer { reason, .. } => {
            format!("contacts {contacts} collide at {t} s without an answer: {reason}")
        }
        End::SeveralAnswers { .. } => {
            format!("the velocities after the collision of {contacts} at {t} s are not unique")
        }
        End::Jammed { is_prescribed, .. } => {
            let why = match is_prescribed {
                true => "the approach is prescribed, and no impulse can change it",
                false => {
                    "no finite impulse ends the impact, its friction holds the bodies together"
                }
            };
            format!("contact {contacts} jams at {t} s: {why}")
        }
        End::EventLimit => match run.events.len() {
            1 => "the one event allowed was used up".to_owned(),
            count => format!("the {count} events allowed were used up"),
        },
        End::ResetsRepeat { guard } => format!(
            "{} is reset again and again at {t} s and does not get away from zero",
            mechanism.guard_name(*guard)
        ),
        End::Interrupted => format!("stopped by the user at {t} s"),
        End::Stopped { guard } => {
            format!("stopped at {t} s by {}", mechanism.guard_name(*guard))
        }
    }
}
