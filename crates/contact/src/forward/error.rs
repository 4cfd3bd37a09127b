//! Why a forward problem was refused.

use carom_numeric::{NotPositiveDefinite, NotSemidefinite};

use super::problem::MAX_ELEMENTS;
use crate::cone::ConeInputError;
use crate::contact_space::{ContactSpace, FrictionError};

/// Why a forward problem was refused. [`ForwardInputError::path`] says where.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ForwardInputError {
    /// There is no coordinate.
    NoCoordinates,
    /// Contacts in space are asked a question that needs one tangent each.
    InSpace,
    /// A problem in contact space has no contact.
    NoContacts,
    /// A list has the wrong length.
    Length {
        /// Path of the list.
        path: String,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A number is infinite or undefined, or of a size whose products lose their digits.
    OutOfRange {
        /// Path of the number.
        path: String,
        /// Its value.
        value: f64,
    },
    /// A number that must be positive is not.
    NotPositive {
        /// Path of the number.
        path: String,
        /// Its value.
        value: f64,
    },
    /// A number lies outside its interval.
    Outside {
        /// Path of the number.
        path: String,
        /// Its value.
        value: f64,
        /// The interval, in words.
        allowed: &'static str,
    },
    /// `A_ij` and `A_ji` differ.
    Asymmetric {
        /// Row i.
        row: usize,
        /// Column j.
        column: usize,
        /// `A_ij`
        here: f64,
        /// `A_ji`
        there: f64,
    },
    /// The inertia matrix is not positive definite.
    NotPositiveDefinite(NotPositiveDefinite),
    /// Coefficients of friction out of range.
    Friction {
        /// Path of the coefficients.
        path: String,
        /// What is wrong with them.
        source: FrictionError,
    },
    /// More friction elements than sign patterns can be enumerated for.
    TooManyElements {
        /// How many there are.
        found: usize,
    },
    /// A diagram or map was asked for that this problem has not.
    NotDrawn {
        /// What was asked for.
        what: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// The Delassus matrix, or a number beside it, is not one of contacts in space.
    Delassus(ConeInputError),
    /// A problem stated in contact space has a matrix that is not positive semidefinite.
    NotSemidefinite(NotSemidefinite),
    /// Every number given is finite but a product of them is not.
    Overflow,
}

impl ForwardInputError {
    /// Path of the offending element, as in `contacts[0].friction`.
    pub fn path(&self) -> String {
        match self {
            Self::NoCoordinates => "force".to_owned(),
            Self::NoContacts | Self::InSpace => "contacts".to_owned(),
            Self::Length { path, .. }
            | Self::OutOfRange { path, .. }
            | Self::NotPositive { path, .. }
            | Self::Outside { path, .. }
            | Self::Friction { path, .. } => path.clone(),
            Self::Asymmetric { row, column, .. } => format!("inertia[{row}][{column}]"),
            Self::NotPositiveDefinite(pivot) => format!("inertia[{}]", pivot.pivot),
            Self::TooManyElements { .. } => "friction".to_owned(),
            Self::Delassus(ConeInputError::NotSymmetric { row, column, .. })
            | Self::Delassus(ConeInputError::NotPositive { row, column, .. })
            | Self::NotSemidefinite(NotSemidefinite { row, column, .. }) => {
                format!("delassus[{row}][{column}]")
            }
            Self::Delassus(_) | Self::NotDrawn { .. } | Self::Overflow => String::new(),
        }
    }
}

impl std::fmt::Display for ForwardInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoCoordinates => {
                write!(f, "the problem has no coordinate, expected at least one")
            }
            Self::InSpace => write!(
                f,
                "contacts in space have two tangents, expected a problem whose contacts have one"
            ),
            Self::NoContacts => write!(f, "the problem has no contact, expected at least one"),
            Self::Length {
                path,
                found,
                expected,
            } => {
                let noun = if *found == 1 { "element" } else { "elements" };
                write!(f, "{path} has {found} {noun}, expected {expected}")
            }
            Self::OutOfRange { path, value } => write!(
                f,
                "{path} is {value:e}, expected zero or a size from 1e-100 to 1e100"
            ),
            Self::NotPositive { path, value } => {
                write!(f, "{path} is {value}, expected a positive number")
            }
            Self::Outside {
                path,
                value,
                allowed,
            } => {
                write!(f, "{path} is {value}, expected {allowed}")
            }
            Self::Asymmetric {
                row,
                column,
                here,
                there,
            } => write!(f, "{}", asymmetric([*row, *column], [*here, *there])),
            Self::NotPositiveDefinite(error) => {
                write!(f, "inertia is not positive definite: {error}")
            }
            Self::Friction { path, source } => write!(f, "{path}: {source}"),
            Self::TooManyElements { found } => write!(
                f,
                "{found} friction elements have more than one sign pattern each, expected at most \
                 {MAX_ELEMENTS}: patterns are enumerated, and their number grows as 2 to the power \
                 of the elements (3 at rest)"
            ),
            Self::NotDrawn { what, needs } => write!(f, "{what} needs {needs}"),
            Self::Delassus(error) => write!(f, "{error}"),
            Self::NotSemidefinite(error) => write!(
                f,
                "the Delassus matrix is not positive semidefinite: {error}"
            ),
            Self::Overflow => write!(
                f,
                "numbers too large or too small: an acceleration or a force overflows; expected \
                 values whose products stay below 1e308 (rescale the units)"
            ),
        }
    }
}

fn asymmetric([row, column]: [usize; 2], [here, there]: [f64; 2]) -> String {
    format!(
        "inertia is not symmetric: element [{row}][{column}] is {here} but [{column}][{row}] is {there}, expected a \
         difference below {:e} of the diagonal",
        ContactSpace::SYMMETRY_TOLERANCE
    )
}

impl std::error::Error for ForwardInputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotPositiveDefinite(error) => Some(error),
            Self::Friction { source, .. } => Some(source),
            Self::Delassus(error) => Some(error),
            Self::NotSemidefinite(error) => Some(error),
            _ => None,
        }
    }
}
