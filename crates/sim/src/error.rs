//! Why a run could not start or go on.

use carom_contact::cone::ConeInputError;
use carom_contact::contact_space::{DelassusError, FrictionError, ReductionError};
use carom_contact::forward::ForwardInputError;
use carom_contact::impact::{ImpactInputError, Law, PointImpactError};
use carom_contact::resolution::ResolutionError;
use carom_multibody::mechanism::MotionFault;

use crate::flow::Interrupted;
use crate::legible::legible;

/// Why a run could not start or go on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SimError {
    /// A list has the wrong length.
    Length {
        /// Which list.
        which: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A number is out of its range.
    OutOfRange {
        /// Which number.
        which: String,
        /// Its value.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A contact has a tangential restitution, and its law has none.
    NotTangential {
        /// Name of the contact.
        contact: String,
        /// Its law.
        law: Law,
        /// Why, and what is expected.
        reason: &'static str,
    },
    /// Two contacts have one name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A contact overlaps at the start.
    Overlap {
        /// Name of the contact.
        contact: String,
        /// Its gap.
        gap: f64,
        /// Unit of the gap: `m`, or `rad` at a stop of an angle.
        unit: &'static str,
    },
    /// No contact touches at the start.
    Apart {
        /// Name of the nearest contact.
        contact: String,
        /// Its gap.
        gap: f64,
        /// Unit of the gap: `m`, or `rad` at a stop of an angle.
        unit: &'static str,
    },
    /// There is no contact to collide.
    NoContacts,
    /// The stated order of a sequence names what is no contact, or a contact twice.
    Order {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
        /// The contacts there are.
        known: String,
    },
    /// A joint that closes a loop does not hold at the start.
    Open {
        /// Name of the joint.
        joint: String,
        /// By how much, along the constraint that is broken most.
        residual: f64,
        /// What is allowed.
        allowed: f64,
        /// Unit of the residual: `m` or `rad`, or per second where the rates do not fit.
        unit: &'static str,
        /// Whether a start that closes the loops was looked for, and none found.
        was_solved_for: bool,
    },
    /// The mechanism lost its inertia on the way.
    Singular {
        /// When (s).
        time: f64,
        /// Where.
        source: MotionFault,
    },
    /// The motion cannot go on.
    Motion {
        /// When (s).
        time: f64,
        /// Why.
        source: Stuck,
    },
    /// An impact could not be posed or solved.
    Impact {
        /// When (s).
        time: f64,
        /// Names of the contacts.
        contact: String,
        /// What was wrong.
        source: ImpactFault,
    },
}

impl std::fmt::Display for SimError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Length {
                which,
                found,
                expected,
            } => write!(f, "{which} has {found} elements, expected {expected}"),
            Self::OutOfRange {
                which,
                value,
                allowed,
            } => write!(f, "{which} is {value}, expected {allowed}"),
            Self::NotTangential {
                contact,
                law,
                reason,
            } => write!(
                f,
                "contact {contact}: {law} has no tangential_restitution: {reason}"
            ),
            Self::DuplicateName { name } => {
                write!(f, "two contacts are named {name}, expected distinct names")
            }
            Self::Overlap { contact, gap, unit } => write!(
                f,
                "contact {contact} overlaps at the start: its gap is {} {unit}, expected >= 0",
                legible(*gap)
            ),
            Self::Apart { contact, gap, unit } => write!(
                f,
                "no contact touches at the start: the nearest, {contact}, has a gap of {} {unit}, \
                 expected 0",
                legible(*gap)
            ),
            Self::NoContacts => {
                write!(f, "there is no contact, expected at least one that touches")
            }
            Self::Order { name, why, known } => write!(
                f,
                "the order has {name}, {why}; expected each contact at most once, of {known}"
            ),
            Self::Open { .. } => self.say_open(f),
            Self::Singular { time, source } => write!(f, "at {time} s: {source}"),
            Self::Motion { time, source } => write!(f, "at {time} s: {source}"),
            Self::Impact {
                time,
                contact,
                source,
            } => write!(f, "impact of contact {contact} at {time} s: {source}"),
        }
    }
}

impl SimError {
    /// A joint that does not close its loop.
    fn say_open(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::Open {
            joint,
            residual,
            allowed,
            unit,
            was_solved_for,
        } = self
        else {
            return Ok(());
        };
        let residual = legible(*residual);
        match was_solved_for {
            false => write!(
                f,
                "joint {joint} closes a loop and does not hold at the start: it is off by {residual} \
                 {unit}, expected at most {allowed:.0e} (assemble solves for a start nearby)"
            ),
            true => write!(
                f,
                "joint {joint} closes a loop, and no start near the one given makes it hold: the best \
                 is off by {residual} {unit}, expected at most {allowed:.0e}"
            ),
        }
    }
}

impl std::error::Error for SimError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Singular { source, .. } => Some(source),
            Self::Motion { source, .. } => Some(source),
            Self::Impact { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Why a motion cannot go on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Stuck {
    /// The integrator refuses what it is given.
    Setup(carom_ode::SetupError),
    /// The integrator finds no step.
    Step(carom_ode::Error<Interrupted>),
    /// Contacts fire again and again without touching: their faces or edges meet almost flat.
    TouchUndecided {
        /// Names of the contacts.
        contacts: String,
    },
    /// Forces or slips of closed contacts stay at round-off, so that their modes cannot be told.
    ModeUndecided {
        /// Names of the contacts.
        contacts: String,
    },
    /// A contact overlaps: its touching was missed.
    Missed {
        /// Name of the contact.
        contact: String,
        /// Its gap.
        gap: f64,
        /// Unit of the gap: `m`, or `rad` at a stop of an angle.
        unit: &'static str,
    },
    /// The forward problem of closed contacts is refused.
    Forward(ForwardInputError),
    /// The impact without collision of closed contacts is refused.
    Resolution(ResolutionError),
    /// There are no accelerations at this state.
    Fault(MotionFault),
    /// Mass matrix and rows of closed contacts have no contact space.
    Reduction(ReductionError),
    /// The accelerations of closed contacts in space are refused.
    Cone(ConeInputError),
    /// The friction of a closed contact is refused.
    Friction(FrictionError),
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setup(error) => write!(f, "{error}"),
            Self::Step(error) => write!(f, "{error}"),
            Self::TouchUndecided { contacts } => write!(
                f,
                "whether {contacts} touch cannot be told: faces or edges meet almost flat"
            ),
            Self::ModeUndecided { contacts } => write!(
                f,
                "whether {contacts} go on as they do cannot be told: forces or slips stay at round-off"
            ),
            Self::Missed { contact, gap, unit } => write!(
                f,
                "the touching of {contact} was missed: its gap is {} {unit}",
                legible(*gap)
            ),
            Self::Forward(error) => write!(f, "{error}"),
            Self::Resolution(error) => write!(f, "{error}"),
            Self::Fault(error) => write!(f, "{error}"),
            Self::Reduction(error) => write!(f, "{error}"),
            Self::Cone(error) => write!(f, "{error}"),
            Self::Friction(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Stuck {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Setup(error) => Some(error),
            Self::Step(error) => Some(error),
            Self::Forward(error) => Some(error),
            Self::Resolution(error) => Some(error),
            Self::Fault(error) => Some(error),
            Self::Reduction(error) => Some(error),
            Self::Cone(error) => Some(error),
            Self::Friction(error) => Some(error),
            _ => None,
        }
    }
}

/// Why an impact could not be posed or solved.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ImpactFault {
    /// Mass matrix and rows have no contact space.
    Reduction(ReductionError),
    /// The contact space has no inverse inertia that an impulse could act on.
    Delassus(DelassusError),
    /// The impact of one contact is refused.
    Point(PointImpactError),
    /// The impact of several contacts is refused.
    Several(ImpactInputError),
}

impl std::fmt::Display for ImpactFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Reduction(error) => write!(f, "{error}"),
            Self::Delassus(error) => write!(f, "{error}"),
            Self::Point(error) => write!(f, "{error}"),
            Self::Several(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ImpactFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Reduction(error) => error,
            Self::Delassus(error) => error,
            Self::Point(error) => error,
            Self::Several(error) => error,
        })
    }
}
