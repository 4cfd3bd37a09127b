//! The question: a mechanism at the instant of collision, in generalised coordinates.

use serde::{Deserialize, Serialize};

use super::path::{PathContact, PathImpactError};
use super::point::PointImpactError;
use super::spatial::SpatialFriction;
use super::{ContactStatementError, Law, Method};
use crate::cone::ConeInputError;
use crate::contact_space::{DelassusError, Friction, FrictionError, GivenFriction, ReductionError};

/// A collision of a mechanism: `M`, `q̇`, contact rows and constraint rows.
///
/// It is written as a problem file reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImpactProblem {
    /// Mass matrix, row by row (SI).
    pub mass: Vec<Vec<f64>>,
    /// Generalised velocity before the impact.
    pub velocity: Vec<f64>,
    /// The contacts that close.
    pub contacts: Vec<Contact>,
    /// Bilateral constraints, active throughout.
    pub constraints: Vec<Constraint>,
}

/// One contact of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// Jacobian row of the normal velocity; `v_n > 0` separates.
    pub normal: Vec<f64>,
    /// Jacobian row of the tangent velocity in the plane; without tangents it is frictionless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangent: Option<Vec<f64>>,
    /// Jacobian rows of the velocities along t1 and t2 in space; never beside `tangent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangents: Option<[Vec<f64>; 2]>,
    /// Static and kinetic coefficient of friction, as given.
    pub friction: GivenFriction,
    /// Coefficient of restitution, as given.
    pub restitution: f64,
    /// Coefficient of tangential restitution, as given; only Newton's law has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_restitution: Option<f64>,
    /// Stiffness beside that of the other contacts; only the method `path` asks for it.
    #[serde(default = "equally_stiff", skip_serializing_if = "is_equally_stiff")]
    pub stiffness: f64,
}

/// Stiffness of contacts that do not say: all alike.
pub(super) fn equally_stiff() -> f64 {
    Contact::EQUAL_STIFFNESS
}

pub(super) fn is_equally_stiff(stiffness: &f64) -> bool {
    *stiffness == Contact::EQUAL_STIFFNESS
}

/// Bilateral constraint rows that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constraint {
    /// Its name.
    pub name: String,
    /// Rows G: the impact leaves `G q̇` as it is.
    pub rows: Vec<Vec<f64>>,
}

/// Why an impact problem was refused. [`ImpactInputError::path`] says where.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ImpactInputError {
    /// There is no coordinate.
    NoCoordinates,
    /// A row or list has the wrong length.
    Length {
        /// Path of the list.
        path: String,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A number is infinite or undefined.
    NotFinite {
        /// Path of the number.
        path: String,
        /// Its value.
        value: f64,
    },
    /// There is no contact.
    NoContact,
    /// Contacts with friction in space could not be posed together.
    Cone {
        /// Why.
        source: ConeInputError,
    },
    /// The law is not defined for several contacts.
    LawRefused {
        /// The law.
        law: Law,
        /// Why, and what is expected.
        reason: &'static str,
    },
    /// The method is not offered for these contacts.
    MethodRefused {
        /// The method.
        method: Method,
        /// Why, and what is expected.
        reason: &'static str,
    },
    /// The order of a sequence does not list every contact once.
    Order {
        /// The contacts listed.
        found: Vec<usize>,
        /// How many contacts there are.
        expected: usize,
    },
    /// The impulse plane of several contacts was asked for.
    SeveralInOnePlane {
        /// How many contacts there are.
        found: usize,
    },
    /// The complementarity problem could not be solved in double precision.
    Unfinished {
        /// The law.
        law: Law,
        /// Pivots made.
        pivots: usize,
    },
    /// The mechanism itself was refused.
    Mechanism(ReductionError),
    /// The statement in contact space was refused.
    Stated(ContactStatementError),
    /// Coefficients of friction out of range.
    Friction {
        /// Index of the contact.
        contact: usize,
        /// What is wrong with them.
        source: FrictionError,
    },
    /// Coefficient of restitution out of range.
    Restitution {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        restitution: f64,
    },
    /// The inverse inertia at the contact is out of range.
    Delassus {
        /// Index of the contact.
        contact: usize,
        /// What is wrong with it.
        source: DelassusError,
    },
    /// Coefficient of tangential restitution out of range.
    TangentialRestitution {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        beta: f64,
    },
    /// A contact has a tangential restitution and no tangent.
    NothingTangential {
        /// Index of the contact.
        contact: usize,
    },
    /// A contact has a tangential restitution, and the law has none.
    NotTangential {
        /// The law.
        law: Law,
        /// Why, and what is expected.
        reason: &'static str,
    },
    /// A contact has a tangent of the plane and the two of space.
    PlaneAndSpace {
        /// Index of the contact.
        contact: usize,
    },
    /// An impulse plane was asked for, and friction turns out of every plane.
    OutOfPlane {
        /// Index of the contact.
        contact: usize,
        /// The numbers that make it spatial.
        source: SpatialFriction,
    },
    /// The hodograph of a contact without friction in space was asked for.
    NoHodograph {
        /// Index of the contact.
        contact: usize,
    },
    /// A stiffness is out of range.
    Stiffness {
        /// Index of the contact.
        contact: usize,
        /// The value given.
        stiffness: f64,
    },
    /// A path of several contacts was refused, or could not be followed.
    Path {
        /// Why.
        source: PathImpactError,
    },
    /// The velocity at the contact is out of range, a product overflows, or the slip could not be followed.
    Impact {
        /// Index of the contact.
        contact: usize,
        /// What is wrong.
        source: PointImpactError,
    },
}

/// Refuses a law that several contacts do not have by a method.
pub(super) fn check_offered(law: Law, method: Method) -> Result<(), ImpactInputError> {
    match law.refusal(method) {
        None => Ok(()),
        Some(reason) => Err(ImpactInputError::LawRefused { law, reason }),
    }
}

impl ImpactInputError {
    /// The contact of which a part was refused, and why.
    fn nested(&self) -> Option<(usize, &(dyn std::error::Error + 'static))> {
        match self {
            Self::Friction { contact, source } => Some((*contact, source)),
            Self::Delassus { contact, source } => Some((*contact, source)),
            Self::OutOfPlane { contact, source } => Some((*contact, source)),
            Self::Impact { contact, source } => Some((*contact, source)),
            _ => None,
        }
    }

    /// Path of the offending element, as in `contacts[0].friction`.
    pub fn path(&self) -> String {
        match self {
            Self::NoCoordinates => "velocity".to_owned(),
            Self::Length { path, .. } | Self::NotFinite { path, .. } => path.clone(),
            Self::NoContact
            | Self::Cone { .. }
            | Self::SeveralInOnePlane { .. }
            | Self::Unfinished { .. }
            | Self::Path { .. } => "contacts".to_owned(),
            Self::Stiffness { contact, .. } => format!("contacts[{contact}].stiffness"),
            Self::LawRefused { .. } | Self::NotTangential { .. } => "law".to_owned(),
            Self::TangentialRestitution { contact, .. } | Self::NothingTangential { contact } => {
                format!("contacts[{contact}].tangential_restitution")
            }
            Self::MethodRefused { .. } => "method".to_owned(),
            Self::Order { .. } => "order".to_owned(),
            Self::Mechanism(ReductionError::Asymmetric { row, column, .. }) => {
                format!("mass[{row}][{column}]")
            }
            Self::Mechanism(ReductionError::NotPositiveDefinite(pivot)) => {
                format!("mass[{}]", pivot.pivot)
            }
            Self::Mechanism(_) => "mass".to_owned(),
            Self::Stated(error) => error.path(),
            Self::Friction { contact, .. } => format!("contacts[{contact}].friction"),
            Self::Restitution { contact, .. } => format!("contacts[{contact}].restitution"),
            Self::PlaneAndSpace { contact }
            | Self::OutOfPlane { contact, .. }
            | Self::NoHodograph { contact } => {
                format!("contacts[{contact}].tangents")
            }
            Self::Delassus { contact, .. } | Self::Impact { contact, .. } => {
                format!("contacts[{contact}]")
            }
        }
    }
}

impl std::fmt::Display for ImpactInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoCoordinates => {
                write!(f, "the problem has no coordinate, expected at least one")
            }
            Self::Length {
                path,
                found,
                expected,
            } => write!(
                f,
                "{path} has {found} {}, expected {expected} (one per coordinate)",
                if *found == 1 { "element" } else { "elements" }
            ),
            Self::NotFinite { path, value } => {
                write!(f, "{path} is {value}, expected a finite number")
            }
            Self::NoContact => write!(f, "there is no contact, expected at least one"),
            Self::Cone { source } => write!(f, "contacts together: {source}"),
            Self::LawRefused { law, reason } => {
                write!(f, "{law} is not offered for several contacts: {reason}")
            }
            Self::NotTangential { law, reason } => {
                write!(f, "{law} has no tangential_restitution: {reason}")
            }
            Self::MethodRefused { method, reason } => {
                write!(f, "{method} is not offered for these contacts: {reason}")
            }
            Self::Order { found, expected } => write!(
                f,
                "the order is {found:?}, expected each of the {expected} contacts once"
            ),
            Self::SeveralInOnePlane { found } => write!(
                f,
                "the impulse plane is drawn for one contact, there are {found}"
            ),
            Self::Unfinished { law, pivots } => write!(
                f,
                "the complementarity problem of {law} is not solved after {pivots} pivots: the \
                 contact rows are too nearly dependent for double precision, expected rows that are \
                 dependent or clearly not"
            ),
            Self::Mechanism(error) => write!(f, "{error}"),
            Self::Stated(error) => write!(f, "{error}"),
            Self::Path { source } => write!(f, "contacts together: {source}"),
            Self::Restitution { .. }
            | Self::TangentialRestitution { .. }
            | Self::NothingTangential { .. }
            | Self::Stiffness { .. }
            | Self::PlaneAndSpace { .. }
            | Self::NoHodograph { .. }
            | Self::Friction { .. }
            | Self::Delassus { .. }
            | Self::OutOfPlane { .. }
            | Self::Impact { .. } => self.say_of_contact(f),
        }
    }
}

impl ImpactInputError {
    /// What is wrong with one contact.
    fn say_of_contact(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Restitution {
                contact,
                restitution,
            } => write!(
                f,
                "contact {contact}: coefficient of restitution is {restitution}, expected a number \
                 from 0 to 1"
            ),
            Self::TangentialRestitution { contact, beta } => write!(
                f,
                "contact {contact}: coefficient of tangential restitution is {beta}, expected a number from 0 to 1"
            ),
            Self::NothingTangential { contact } => write!(
                f,
                "contact {contact}: tangential_restitution is given without a tangent, expected tangent (plane) \
                 or tangents (space)"
            ),
            Self::Stiffness { contact, stiffness } => write!(
                f,
                "contact {contact}: stiffness is {stiffness}, expected a number from {:e} to {:e}, beside the \
                 others",
                PathContact::STIFFNESS.start(),
                PathContact::STIFFNESS.end()
            ),
            Self::PlaneAndSpace { contact } => write!(
                f,
                "contact {contact}: both tangent and tangents are given, expected tangent (plane) or \
                 tangents (space)"
            ),
            Self::NoHodograph { contact } => write!(
                f,
                "contact {contact}: a hodograph is of a contact in space with friction, expected tangents and \
                 friction above 0"
            ),
            _ => self.nested().map_or(Ok(()), |(contact, source)| {
                write!(f, "contact {contact}: {source}")
            }),
        }
    }
}

impl std::error::Error for ImpactInputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Mechanism(error) => Some(error),
            Self::Stated(error) => Some(error),
            Self::Cone { source } => Some(source),
            Self::Path { source } => Some(source),
            _ => self.nested().map(|(_, source)| source),
        }
    }
}

impl ImpactProblem {
    /// Checks shapes, numbers and coefficients; the mass matrix is judged when it is factored.
    pub fn check(&self) -> Result<(), ImpactInputError> {
        let n = self.velocity.len();
        if n == 0 {
            return Err(ImpactInputError::NoCoordinates);
        }
        if self.contacts.is_empty() {
            return Err(ImpactInputError::NoContact);
        }
        check_length(|| "mass".to_owned(), self.mass.len(), n)?;
        for (i, row) in self.mass.iter().enumerate() {
            check_row(|| format!("mass[{i}]"), row, n)?;
        }
        check_row(|| "velocity".to_owned(), &self.velocity, n)?;
        for (i, contact) in self.contacts.iter().enumerate() {
            contact.check(i, n)?;
        }
        for (i, constraint) in self.constraints.iter().enumerate() {
            for (k, row) in constraint.rows.iter().enumerate() {
                check_row(|| format!("constraints[{i}].rows[{k}]"), row, n)?;
            }
        }
        Ok(())
    }
}

impl Contact {
    /// Stiffness of contacts that do not say.
    pub const EQUAL_STIFFNESS: f64 = 1.0;

    pub(super) fn check(&self, index: usize, n: usize) -> Result<(), ImpactInputError> {
        check_row(|| format!("contacts[{index}].normal"), &self.normal, n)?;
        if let Some(tangent) = &self.tangent {
            check_row(|| format!("contacts[{index}].tangent"), tangent, n)?;
        }
        for (k, tangent) in self.tangents.iter().flatten().enumerate() {
            check_row(|| format!("contacts[{index}].tangents[{k}]"), tangent, n)?;
        }
        if self.tangent.is_some() && self.tangents.is_some() {
            return Err(ImpactInputError::PlaneAndSpace { contact: index });
        }
        self.coefficients()
            .map_err(|source| ImpactInputError::Friction {
                contact: index,
                source,
            })?;
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(ImpactInputError::Restitution {
                contact: index,
                restitution: self.restitution,
            });
        }
        super::gripping::check_contact(self, index)?;
        if !PathContact::STIFFNESS.contains(&self.stiffness) {
            return Err(ImpactInputError::Stiffness {
                contact: index,
                stiffness: self.stiffness,
            });
        }
        Ok(())
    }

    /// Whether it has a tangent, of the plane or of space.
    pub fn has_tangent(&self) -> bool {
        self.tangent.is_some() || self.tangents.is_some()
    }

    pub(super) fn has_friction(&self) -> bool {
        self.friction.mu_s.max(self.friction.mu_d) > 0.0
    }

    /// The tangent rows: none, one in the plane, two in space.
    pub fn tangent_rows(&self) -> impl Iterator<Item = &Vec<f64>> + Clone {
        self.tangent.iter().chain(self.tangents.iter().flatten())
    }

    /// The coefficients of friction, checked.
    pub fn coefficients(&self) -> Result<Friction, FrictionError> {
        self.friction.checked()
    }
}

fn check_length(
    path: impl Fn() -> String,
    found: usize,
    expected: usize,
) -> Result<(), ImpactInputError> {
    if found == expected {
        return Ok(());
    }
    Err(ImpactInputError::Length {
        path: path(),
        found,
        expected,
    })
}

fn check_row(path: impl Fn() -> String, row: &[f64], n: usize) -> Result<(), ImpactInputError> {
    check_length(&path, row.len(), n)?;
    match row.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(k) => Err(ImpactInputError::NotFinite {
            path: format!("{}[{k}]", path()),
            value: row[k],
        }),
    }
}
