//! How a run ended.

use carom_contact::forward::{Answer, Continuum};
use carom_contact::impact::{Law, Method};

use crate::SimError;
use crate::pile::piling::{Growth, Pile};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// The time asked for was reached.
    Duration,
    /// Contacts closed and stay closed.
    ContactPersists {
        /// The contacts.
        contacts: Vec<usize>,
    },
    /// Impacts of one contact, or of several in turn, pile up.
    Accumulates {
        /// The contacts.
        contacts: Vec<usize>,
        /// Last interval between impacts, or time of the last round of several (s).
        interval: f64,
        /// Ratio of successive intervals.
        ratio: f64,
        /// Estimated instant they lead to (s).
        limit: f64,
        /// How far that may be off (s), as estimated.
        bound: f64,
    },
    /// The laws chosen have no answer.
    NoAnswer {
        /// The contacts.
        contacts: Vec<usize>,
        /// Why.
        reason: NoAnswer,
    },
    /// There is no method here that decides what follows; mechanics itself may well have an answer.
    NotOffered {
        /// The contacts.
        contacts: Vec<usize>,
        /// What is missing.
        reason: NotOffered,
    },
    /// The velocities after an impact are not unique, or the accelerations in contact.
    SeveralAnswers {
        /// The contacts.
        contacts: Vec<usize>,
        /// The accelerations, where it is about these, in the rates of the mechanism.
        answers: Vec<Answer>,
        /// Families of accelerations, likewise, in the coordinates of the forward problem.
        continua: Vec<Continuum>,
    },
    /// An impact has no end: no finite impulse satisfies its law. It is the last event, unless all that
    /// moves is prescribed.
    Jammed {
        /// The contacts.
        contacts: Vec<usize>,
        /// Whether nothing free moves one of the bodies against the other: their approach is
        /// prescribed, and no impulse can change it. Otherwise friction holds them together.
        is_prescribed: bool,
    },
    /// The events allowed were used up.
    EventLimit,
    /// The watcher stopped it.
    Interrupted,
    /// A guard of the system's own is reset again and again and does not get away from zero.
    ResetsRepeat {
        /// The guard.
        guard: usize,
    },
    /// The system's own event stopped it.
    Stopped {
        /// The guard.
        guard: usize,
    },
    /// The motion could not be taken further; everything up to there is in the run.
    Failed {
        /// Why.
        error: Box<SimError>,
    },
}

impl End {
    pub(crate) fn failed(error: SimError) -> Self {
        let error = Box::new(error);
        Self::Failed { error }
    }

    pub(crate) fn no_answer(contact: usize, reason: NoAnswer) -> Self {
        let contacts = vec![contact];
        Self::NoAnswer { contacts, reason }
    }

    pub(crate) fn of(pile: Pile) -> Self {
        Self::Accumulates {
            contacts: pile.contacts,
            interval: pile.interval,
            ratio: pile.ratio,
            limit: pile.limit,
            bound: pile.bound,
        }
    }
}

/// Why contacts that close have no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The law has no solution here.
    Infeasible,
    /// No acceleration is consistent with friction, and no impact without collision resolves it.
    NoAcceleration,
    /// The normal force of a contact that slides grows without bound while its impulse stays finite: so many
    /// times what it was when the slide began. Friction leaves it less and less to push against.
    DynamicJam(f64),
    /// Impacts of one contact grow by a steady ratio out of a rest in the past: nothing in that rest says
    /// when and how they begin, and what follows hangs on round-off.
    ReverseChatter(Growth),
}

/// What is missing to decide how contacts go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotOffered {
    /// Some have friction, and this method has none.
    Friction(Method),
    /// Their laws differ.
    MixedLaws,
    /// The law has no form for several contacts by this method.
    Law(Law, Method),
    /// Some have a tangential restitution, and several contacts have none by this method.
    Tangential(Method),
    /// Along the path contacts change their modes again and again, beyond what is followed; that it never ends is not
    /// proved.
    PathUnended,
    /// No acceleration consistent with friction was found in space, and it is not proved that there is none.
    NotFound,
    /// So many contacts touch, more than are enumerated.
    TooManyContacts(usize),
}

/// A method that has the law for several contacts.
fn way_on(law: Law) -> Method {
    let all = [Method::Path, Method::Complementarity];
    let found = all.into_iter().find(|method| law.is_offered(*method));
    found.unwrap_or(Method::Path)
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoAcceleration => write!(
                f,
                "no acceleration is consistent with their friction, and no impact without collision \
                 resolves it"
            ),
            Self::DynamicJam(growth) => {
                write!(
                    f,
                    "the force of the slide grows without bound (a dynamic jam"
                )?;
                if *growth > 1.0 {
                    write!(f, ": it is {growth:.1e} times what it was")?;
                }
                write!(f, "), and rigid mechanics has no motion beyond")
            }
            Self::ReverseChatter(growth) => write!(
                f,
                "impacts grow out of rest (reverse chatter): the last interval was {:.3e} s, each is {:.6} \
                 of the one before, and they would have begun at {} s",
                growth.interval, growth.ratio, growth.origin
            ),
            Self::Infeasible => write!(f, "the law has no solution for this impact"),
        }
    }
}

impl std::fmt::Display for NotOffered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Friction(method) => write!(
                f,
                "they have friction, and the method {} has none (complementarity, sequential and path have)",
                method.name()
            ),
            Self::Tangential(method) => write!(
                f,
                "{} (run.simultaneous = \"sequential\" goes on)",
                method.tangential_refusal().unwrap_or_default()
            ),
            Self::MixedLaws => write!(f, "their laws differ, and one law must hold for all"),
            Self::Law(law, method) => write!(
                f,
                "the {} law has no form for several contacts by the method {} (linear has newton; \
                 complementarity newton, poisson and moreau; sequential newton, poisson and energetic; path \
                 poisson and energetic: run.simultaneous = \"{}\" goes on)",
                law.name(),
                method.name(),
                way_on(*law).name()
            ),
            Self::PathUnended => write!(
                f,
                "along the path they change their modes again and again, and it was not followed to an end (that it \
                 has none is not proved)"
            ),
            Self::NotFound => write!(
                f,
                "no acceleration consistent with their friction was found (that there is none is not proved)"
            ),
            Self::TooManyContacts(found) => write!(
                f,
                "{found} contacts touch, and their modes are too many combinations to enumerate"
            ),
        }
    }
}
