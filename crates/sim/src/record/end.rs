//! How a run ended, in the words of the files.

use carom_contact::forward::{Answer, Continuum, Mode};
use carom_multibody::mechanism::{Guards, Mechanism};
use serde::{Deserialize, Serialize};

use crate::{End, NoAnswer, NotOffered, Rule, Run};

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
    /// No answer: the laws chosen have none.
    NoAnswer,
    /// There is no method here that decides what follows.
    NotOffered,
    /// Several answers.
    SeveralAnswers,
    /// An impact has no finite impulse.
    Jammed,
    /// The user stopped it.
    Interrupted,
    /// The events allowed were used up.
    EventLimit,
    /// The motion could not be taken further.
    Failed,
}

impl EndKind {
    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::ContactPersists => "contact_persists",
            Self::Accumulates => "accumulates",
            Self::NoAnswer => "no_answer",
            Self::NotOffered => "not_offered",
            Self::SeveralAnswers => "several_answers",
            Self::Jammed => "jammed",
            Self::Interrupted => "interrupted",
            Self::EventLimit => "event_limit",
            Self::Failed => "failed",
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
    /// Of impacts that pile up, or grow out of rest: the last interval, its ratio, the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accumulation: Option<Accumulation>,
    /// Where several accelerations are consistent with friction: all of them, with one mode for each of
    /// the contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// Families of such accelerations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continua: Vec<Continuum>,
}

/// A geometric pile of impacts; one whose ratio is above 1 grows out of its limit, in the past.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accumulation {
    /// Last interval between impacts (s).
    pub interval: f64,
    /// Ratio of successive intervals.
    pub ratio: f64,
    /// Estimated instant they lead to (s).
    pub limit: f64,
    /// How far that may be off (s), as estimated.
    #[serde(alias = "doubt")]
    pub bound: f64,
}

impl EndRecord {
    pub(super) fn of(mechanism: &dyn Mechanism, rules: &[Rule], run: &Run) -> Self {
        let names = |contacts: &[usize]| -> Vec<String> {
            contacts.iter().map(|c| rules[*c].name.clone()).collect()
        };
        let (kind, contacts): (_, &[usize]) = match &run.end {
            End::Duration => (EndKind::Duration, &[]),
            End::ContactPersists { contacts } => (EndKind::ContactPersists, contacts),
            End::Accumulates { contacts, .. } => (EndKind::Accumulates, contacts),
            End::NoAnswer { contacts, .. } => (EndKind::NoAnswer, contacts),
            End::NotOffered { contacts, .. } => (EndKind::NotOffered, contacts),
            End::SeveralAnswers { contacts, .. } => (EndKind::SeveralAnswers, contacts),
            End::Jammed { contacts, .. } => (EndKind::Jammed, contacts),
            End::EventLimit => (EndKind::EventLimit, &[]),
            End::Failed { .. } => (EndKind::Failed, &[]),
            End::ResetsRepeat { .. } => (EndKind::Accumulates, &[]),
            End::Interrupted | End::Stopped { .. } => (EndKind::Interrupted, &[]),
        };
        let contacts = names(contacts);
        let (answers, continua) = match &run.end {
            End::SeveralAnswers {
                answers, continua, ..
            } => (answers.clone(), continua.clone()),
            _ => Default::default(),
        };
        Self {
            kind,
            reason: reason(mechanism, run, &contacts.join(", ")),
            end_contacts: contacts,
            accumulation: accumulation(&run.end),
            answers,
            continua,
        }
    }
}

fn accumulation(end: &End) -> Option<Accumulation> {
    if let End::NoAnswer {
        reason: NoAnswer::ReverseChatter(growth),
        ..
    } = end
    {
        return Some(Accumulation {
            interval: growth.interval,
            ratio: growth.ratio,
            limit: growth.origin,
            bound: growth.interval,
        });
    }
    let End::Accumulates {
        interval,
        ratio,
        limit,
        bound,
        ..
    } = *end
    else {
        return None;
    };
    Some(Accumulation {
        interval,
        ratio,
        limit,
        bound,
    })
}

/// Modes of several answers, in words.
fn listed<'a>(answers: impl Iterator<Item = &'a Vec<Mode>>) -> String {
    let named = answers.map(|modes| {
        let names: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
        names.join(", ")
    });
    named.collect::<Vec<_>>().join("; ")
}

/// That contacts jam, and why.
fn jam(contacts: &str, is_one: bool, is_prescribed: bool, t: f64) -> String {
    let jams = match is_one {
        true => format!("contact {contacts} jams"),
        false => format!("contacts {contacts} jam"),
    };
    let why = match (is_prescribed, is_one) {
        (true, true) => "the approach is prescribed, and no impulse can change it",
        (true, false) => {
            "what is prescribed drives the bodies together, and nothing free is left to give way"
        }
        (false, _) => "no finite impulse ends the impact, its friction holds the bodies together",
    };
    format!("{jams} at {t} s: {why}")
}

/// That an impact of several contacts has several ends, and the keys that go on.
fn not_unique(contacts: &str, t: f64) -> String {
    format!(
        "the velocities after the collision of {contacts} at {t} s are not unique \
         (run.simultaneous = \"path\" with the law poisson or energetic selects one; \
         run.several_answers = \"keep\" goes on with the one given)"
    )
}

/// Why no law has an answer.
fn unanswered(contacts: &str, t: f64, reason: &NoAnswer) -> String {
    match reason {
        NoAnswer::NoAcceleration | NoAnswer::DynamicJam(_) => {
            format!("contacts {contacts} cannot go on at {t} s: {reason}")
        }
        _ => format!("contacts {contacts} collide at {t} s without an answer: {reason}"),
    }
}

/// Which method is wanting.
fn not_offered(contacts: &str, t: f64, reason: &NotOffered) -> String {
    let what = match reason {
        NotOffered::NotFound | NotOffered::TooManyContacts(_) => {
            format!("how contacts {contacts} go on")
        }
        _ => format!("the collision of contacts {contacts}"),
    };
    format!("{what} at {t} s is beyond what is offered here: {reason}")
}

/// How the run ended, in a sentence.
fn reason(mechanism: &dyn Guards, run: &Run, contacts: &str) -> String {
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
            bound,
            ..
        } => format!(
            "impacts of contact {contacts} pile up: the last interval was {interval:.3e} s, each is \
             {ratio:.6} of the one before, and they lead to {limit} s (within {bound:.1e} s, as \
             estimated)"
        ),
        End::NoAnswer { reason, .. } => unanswered(contacts, t, reason),
        End::NotOffered { reason, .. } => not_offered(contacts, t, reason),
        End::SeveralAnswers {
            answers, continua, ..
        } if answers.len() + continua.len() > 0 => {
            let count = match continua.is_empty() {
                true => format!("{} accelerations", answers.len()),
                false => "infinitely many accelerations".to_owned(),
            };
            let known = answers.iter().map(|answer| &answer.mode);
            let listed = listed(known.chain(continua.iter().map(|family| &family.mode)));
            format!(
                "{count} are consistent with the friction of {contacts} at {t} s: {listed} \
                 (run.several_answers = \"keep\" or \"lift-off\" goes on with one)"
            )
        }
        End::SeveralAnswers { .. } => not_unique(contacts, t),
        End::Jammed {
            is_prescribed,
            contacts: jammed,
        } => jam(contacts, jammed.len() == 1, *is_prescribed, t),
        End::EventLimit => match run.events.len() {
            1 => "the one event allowed was used up".to_owned(),
            count => format!("the {count} events allowed were used up"),
        },
        End::ResetsRepeat { guard } => format!(
            "{} is reset again and again at {t} s and does not get away from zero",
            mechanism.guard_name(*guard)
        ),
        End::Interrupted => format!("stopped by the user at {t} s"),
        End::Failed { error } => error.to_string(),
        End::Stopped { guard } => {
            format!("stopped at {t} s by {}", mechanism.guard_name(*guard))
        }
    }
}
