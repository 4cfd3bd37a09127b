//! The question without a mechanism: W and v at the contacts.

use carom_numeric::NotSemidefinite;
use serde::{Deserialize, Serialize};

use super::{Contact, ImpactInputError, ImpactProblem};
use crate::contact_space::{ContactSpace, GivenFriction};

/// A collision stated in contact space: the Delassus matrix, the velocities before, the coefficients.
///
/// Rows and columns are stacked contact by contact: (n, t1, t2) in space, (n, t) in the plane, n alone
/// without tangents. Which of them follows from the number of velocities per contact. W is symmetric,
/// positive semidefinite, of any rank; the velocities need not be in its range.
///
/// It is written as a problem file reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactSpaceProblem {
    /// `W = J M⁻¹ Jᵀ`, row by row (1/kg).
    pub delassus: Vec<Vec<f64>>,
    /// Velocities at the contacts before the impact (m/s).
    pub contact_velocity: Vec<f64>,
    /// The contacts that close.
    pub contacts: Vec<StatedContact>,
}

/// One contact of a problem stated in contact space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatedContact {
    /// Its name.
    pub name: String,
    /// Static and kinetic coefficient of friction, as given.
    pub friction: GivenFriction,
    /// Coefficient of restitution, as given.
    pub restitution: f64,
    /// Coefficient of tangential restitution, as given; only Newton's law has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_restitution: Option<f64>,
    /// Stiffness beside that of the other contacts, for the method `path`.
    #[serde(
        default = "super::problem::equally_stiff",
        skip_serializing_if = "super::problem::is_equally_stiff"
    )]
    pub stiffness: f64,
}

/// Why a statement in contact space was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContactStatementError {
    /// The velocities are not one, two or three per contact.
    Velocities {
        /// How many there are.
        found: usize,
        /// How many contacts.
        contacts: usize,
    },
    /// W has not one row per velocity.
    Rows {
        /// How many rows it has.
        found: usize,
        /// How many velocities there are.
        expected: usize,
    },
    /// A row of W has not one element per velocity.
    Row {
        /// Which row.
        row: usize,
        /// How many elements it has.
        found: usize,
        /// How many velocities there are.
        expected: usize,
    },
    /// A number is infinite or undefined.
    NotFinite {
        /// Path of the number.
        path: String,
        /// Its value.
        value: f64,
    },
    /// `W_ij` and `W_ji` differ.
    Asymmetric {
        /// Row i.
        row: usize,
        /// Column j.
        column: usize,
        /// `W_ij`
        here: f64,
        /// `W_ji`
        there: f64,
    },
    /// W is not positive semidefinite.
    NotSemidefinite(NotSemidefinite),
}

impl ContactStatementError {
    /// Path of the offending element, as in `delassus[0][2]`.
    pub fn path(&self) -> String {
        match self {
            Self::Velocities { .. } => "contact_velocity".to_owned(),
            Self::Rows { .. } => "delassus".to_owned(),
            Self::Row { row, .. } => format!("delassus[{row}]"),
            Self::NotFinite { path, .. } => path.clone(),
            Self::Asymmetric { row, column, .. } => format!("delassus[{row}][{column}]"),
            Self::NotSemidefinite(NotSemidefinite { row, column, .. }) => {
                format!("delassus[{row}][{column}]")
            }
        }
    }
}

impl std::fmt::Display for ContactStatementError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Velocities { found, contacts } => write!(
                f,
                "contact_velocity has {} for {}, expected three per contact (n, t1, t2) in space, two (n, t) in \
                 the plane, or one without friction",
                counted(*found, "number"),
                counted(*contacts, "contact")
            ),
            Self::Rows { found, expected } => write!(
                f,
                "delassus has {}, expected {expected} (one per contact velocity)",
                counted(*found, "row")
            ),
            Self::Row {
                row,
                found,
                expected,
            } => write!(
                f,
                "delassus[{row}] has {}, expected {expected} (one per contact velocity)",
                counted(*found, "element")
            ),
            Self::NotFinite { path, value } => {
                write!(f, "{path} is {value}, expected a finite number")
            }
            Self::Asymmetric {
                row,
                column,
                here,
                there,
            } => write!(
                f,
                "the Delassus matrix is not symmetric: element [{row}][{column}] is {here} but \
                 [{column}][{row}] is {there}"
            ),
            Self::NotSemidefinite(error) => write!(
                f,
                "the Delassus matrix is not positive semidefinite: {error}"
            ),
        }
    }
}

impl std::error::Error for ContactStatementError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotSemidefinite(error) => Some(error),
            _ => None,
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// W with both halves of an element at their mean, its rows in the order of a [`ContactSpace`] (every normal,
/// then the tangents contact by contact), and the velocities in that order.
struct Ordered {
    w: Vec<f64>,
    v: Vec<f64>,
    /// Where each row was stated.
    stated: Vec<usize>,
}

impl ContactSpaceProblem {
    /// Rows per contact: three in space, two in the plane, one without tangents.
    pub fn rows_per_contact(&self) -> Result<usize, ImpactInputError> {
        let (found, contacts) = (self.contact_velocity.len(), self.contacts.len());
        if contacts == 0 {
            return Err(ImpactInputError::NoContact);
        }
        let fits = (1..=3).find(|rows| rows * contacts == found);
        let refused = ContactStatementError::Velocities { found, contacts };
        fits.ok_or(ImpactInputError::Stated(refused))
    }

    /// The contacts as those of a mechanism without coordinates: names, coefficients, rows without elements.
    pub fn contacts_alone(&self) -> Result<ImpactProblem, ImpactInputError> {
        let rows = self.rows_per_contact()?;
        let contact = |stated: &StatedContact| Contact {
            name: stated.name.clone(),
            normal: Vec::new(),
            tangent: (rows == 2).then(Vec::new),
            tangents: (rows == 3).then(|| [Vec::new(), Vec::new()]),
            friction: stated.friction,
            restitution: stated.restitution,
            tangential_restitution: stated.tangential_restitution,
            stiffness: stated.stiffness,
        };
        Ok(ImpactProblem {
            mass: Vec::new(),
            velocity: Vec::new(),
            contacts: self.contacts.iter().map(contact).collect(),
            constraints: Vec::new(),
        })
    }

    /// Checks sizes, numbers, symmetry and coefficients; definiteness is judged when W is factored.
    pub fn check(&self) -> Result<(), ImpactInputError> {
        let problem = self.contacts_alone()?;
        for (i, contact) in problem.contacts.iter().enumerate() {
            contact.check(i, 0)?;
        }
        self.check_matrix().map_err(ImpactInputError::Stated)
    }

    fn check_matrix(&self) -> Result<(), ContactStatementError> {
        let expected = self.contact_velocity.len();
        check_numbers("contact_velocity", &self.contact_velocity)?;
        if self.delassus.len() != expected {
            let found = self.delassus.len();
            return Err(ContactStatementError::Rows { found, expected });
        }
        for (row, elements) in self.delassus.iter().enumerate() {
            let found = elements.len();
            if found != expected {
                return Err(ContactStatementError::Row {
                    row,
                    found,
                    expected,
                });
            }
            check_numbers(&format!("delassus[{row}]"), elements)?;
        }
        for row in 0..expected {
            for column in row + 1..expected {
                self.check_element(row, column)?;
            }
        }
        Ok(())
    }

    fn check_element(&self, row: usize, column: usize) -> Result<(), ContactStatementError> {
        let w = |i: usize, j: usize| self.delassus[i][j];
        let (here, there) = (w(row, column), w(column, row));
        let size = w(row, row).abs().sqrt() * w(column, column).abs().sqrt();
        let is_even = (here - there).abs() <= ContactSpace::SYMMETRY_TOLERANCE * size;
        if here == there || is_even {
            return Ok(());
        }
        Err(ContactStatementError::Asymmetric {
            row,
            column,
            here,
            there,
        })
    }

    /// The contact space this states, once it is checked.
    pub(super) fn space(&self) -> Result<ContactSpace, ImpactInputError> {
        self.check()?;
        let ordered = self.ordered(self.rows_per_contact()?);
        let mut space = ContactSpace::new();
        let stated = space.state(&ordered.w, &ordered.v);
        stated.map_err(|error| {
            let error = NotSemidefinite {
                row: ordered.stated[error.row],
                column: ordered.stated[error.column],
                ..error
            };
            ImpactInputError::Stated(ContactStatementError::NotSemidefinite(error))
        })?;
        Ok(space)
    }

    fn ordered(&self, rows: usize) -> Ordered {
        let count = self.contacts.len();
        let normals = (0..count).map(|i| i * rows);
        let tangents = (0..count).flat_map(|i| (1..rows).map(move |k| i * rows + k));
        let stated: Vec<usize> = normals.chain(tangents).collect();
        let mean = |i: usize, j: usize| 0.5 * self.delassus[i][j] + 0.5 * self.delassus[j][i];
        let pairs = stated.iter().flat_map(|i| stated.iter().map(|j| (*i, *j)));
        Ordered {
            w: pairs.map(|(i, j)| mean(i, j)).collect(),
            v: stated.iter().map(|i| self.contact_velocity[*i]).collect(),
            stated,
        }
    }
}

fn check_numbers(path: &str, numbers: &[f64]) -> Result<(), ContactStatementError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(i) => Err(ContactStatementError::NotFinite {
            path: format!("{path}[{i}]"),
            value: numbers[i],
        }),
    }
}
