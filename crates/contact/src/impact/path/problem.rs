//! The question: several contacts, checked when it is built.

use crate::contact_space::{Friction, is_in_range};
use crate::impact::{Law, Method};

/// One contact of a path: a normal row and none, one or two tangent rows after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathContact {
    /// Tangent rows: none, one in the plane, two in space.
    pub tangents: usize,
    /// Coefficients of friction; without a tangent they mean nothing.
    pub friction: Friction,
    /// Coefficient of restitution, from 0 to 1.
    pub restitution: f64,
    /// How it ends: energetic or Poisson.
    pub law: Law,
    /// Stiffness beside that of the others, positive.
    pub stiffness: f64,
}

/// An impact at several points: `W`, `v`, and the contacts in the order of their rows.
#[derive(Debug, Clone, PartialEq)]
pub struct PathImpact {
    pub(super) w: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// Sizes of the terms that the velocities are sums of.
    pub(super) terms: Vec<f64>,
    pub(super) contacts: Vec<PathContact>,
    /// Normal row of each contact.
    pub(super) starts: Vec<usize>,
}

/// Why a path was refused, or could not be followed in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PathImpactError {
    /// A list has the wrong length.
    Length {
        /// `w` or `v`.
        which: &'static str,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A number of `w` or `v` is infinite, not a number, or of a size whose products lose their digits.
    BadNumber {
        /// `w` or `v`.
        which: &'static str,
        /// Its place in the list.
        index: usize,
        /// The value given.
        value: f64,
    },
    /// A stiffness is not a positive number.
    BadStiffness {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        stiffness: f64,
    },
    /// A coefficient of restitution is outside `[0, 1]` or not a number.
    BadRestitution {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        restitution: f64,
    },
    /// The law is not one of a path.
    LawRefused {
        /// Index of the contact.
        contact: usize,
        /// The law.
        law: Law,
    },
    /// Every number given is finite but a product of them is not.
    Overflow,
}

impl std::fmt::Display for PathImpactError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Length {
                which,
                found,
                expected,
            } => write!(f, "{which} has {found} numbers, expected {expected}"),
            Self::BadNumber {
                which,
                index,
                value,
            } => write!(
                f,
                "{which}[{index}] is {value:e}, expected zero or a size from 1e-100 to 1e100 (rescale the units)"
            ),
            Self::BadStiffness { contact, stiffness } => write!(
                f,
                "contact {contact}: stiffness is {stiffness}, expected a number from 1e-12 to 1e12 (beside the \
                 others)"
            ),
            Self::BadRestitution {
                contact,
                restitution,
            } => write!(
                f,
                "contact {contact}: coefficient of restitution is {restitution}, expected a number from 0 to 1"
            ),
            Self::LawRefused { contact, law } => {
                let reason = law
                    .refusal(Method::Path)
                    .unwrap_or("expected energetic or poisson");
                write!(
                    f,
                    "contact {contact}: {law} is not offered along a path: {reason}"
                )
            }
            Self::Overflow => write!(
                f,
                "numbers too large or too small: an impulse or an energy overflows; expected values whose \
                 products stay below 1e308 (rescale the units)"
            ),
        }
    }
}

impl std::error::Error for PathImpactError {}

impl PathContact {
    /// Range of a stiffness beside that of the others.
    pub const STIFFNESS: std::ops::RangeInclusive<f64> = 1e-12..=1e12;

    pub(super) fn is_rough(&self) -> bool {
        self.tangents > 0 && self.friction.mu_s() > 0.0
    }

    /// The coefficient of restitution; what returns less than round-off returns nothing.
    pub(super) fn returns(&self) -> f64 {
        match self.restitution > f64::EPSILON {
            true => self.restitution,
            false => 0.0,
        }
    }

    fn check(&self, contact: usize) -> Result<(), PathImpactError> {
        let (stiffness, restitution, law) = (self.stiffness, self.restitution, self.law);
        if !Self::STIFFNESS.contains(&stiffness) {
            return Err(PathImpactError::BadStiffness { contact, stiffness });
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(PathImpactError::BadRestitution {
                contact,
                restitution,
            });
        }
        match law.is_offered(Method::Path) {
            true => Ok(()),
            false => Err(PathImpactError::LawRefused { contact, law }),
        }
    }
}

impl PathImpact {
    /// The Delassus matrix row by row, the velocities before, and the contacts; rows are stacked contact by
    /// contact, a normal and its tangents each.
    pub fn new(
        w: Vec<f64>,
        v: Vec<f64>,
        contacts: Vec<PathContact>,
    ) -> Result<Self, PathImpactError> {
        let mut rows = 0;
        let mut starts = Vec::with_capacity(contacts.len());
        for (i, contact) in contacts.iter().enumerate() {
            contact.check(i)?;
            starts.push(rows);
            rows += 1 + contact.tangents;
        }
        for (which, list, expected) in [("v", &v, rows), ("w", &w, rows * rows)] {
            let found = list.len();
            if found != expected {
                return Err(PathImpactError::Length {
                    which,
                    found,
                    expected,
                });
            }
            if let Some(index) = list.iter().position(|x| !is_in_range(*x)) {
                let value = list[index];
                return Err(PathImpactError::BadNumber {
                    which,
                    index,
                    value,
                });
            }
        }
        Ok(Self {
            terms: v.iter().map(|x| x.abs()).collect(),
            w,
            v,
            contacts,
            starts,
        })
    }

    /// The same, with the sizes of the terms that the velocities are sums of: what is below their round-off is
    /// zero.
    pub fn with_terms(mut self, terms: &[f64]) -> Self {
        for (own, given) in self.terms.iter_mut().zip(terms) {
            *own = own.max(given.abs());
        }
        self
    }

    /// The contacts.
    pub fn contacts(&self) -> &[PathContact] {
        &self.contacts
    }

    /// The Delassus matrix, row by row (1/kg).
    pub fn delassus(&self) -> &[f64] {
        &self.w
    }

    /// Velocities before (m/s).
    pub fn v_pre(&self) -> &[f64] {
        &self.v
    }

    pub(super) fn rows(&self) -> usize {
        self.v.len()
    }

    /// Rows of a contact.
    pub(super) fn span(&self, contact: usize) -> std::ops::Range<usize> {
        let start = self.starts[contact];
        start..start + 1 + self.contacts[contact].tangents
    }
}
