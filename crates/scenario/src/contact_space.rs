//! Impact problems stated in contact space: the file format, key by key.

use carom_contact::impact::{Contact, ContactSpaceProblem, StatedContact};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::InputError;
use crate::document::{self, Document, Source, Value};
use crate::names::{AnyLawOrAll, AnyMethod, Name};
use crate::problem::{RawFriction, friction_is_missing};

/// The keys by which a problem is stated in contact space.
const OWN: [&str; 2] = ["delassus", "contact_velocity"];

/// The keys of a problem in coordinates that have no place beside them.
const OTHER: [&str; 3] = ["mass", "velocity", "constraints"];

/// One collision stated in contact space: the Delassus matrix and the velocities at the contacts.
///
/// SI units. Rows, columns and velocities are stacked contact by contact: (n, t1, t2) in space, (n, t) in
/// the plane, n alone without friction; the number of velocities per contact tells which.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Carom impact problem in contact space")]
pub(crate) struct RawContactSpace {
    /// A title to show above the results.
    pub(crate) title: Option<String>,
    /// Delassus matrix W = J M⁻¹ Jᵀ, as many rows and columns as velocities; symmetric, positive
    /// semidefinite, of any rank.
    #[schemars(length(min = 1))]
    delassus: Vec<Vec<f64>>,
    /// Velocities at the contacts before the impact; v_n > 0 separates. Need not be in the range of W.
    #[schemars(length(min = 1))]
    contact_velocity: Vec<f64>,
    /// The contacts that close; several have friction in the plane only.
    #[schemars(length(min = 1))]
    contacts: Vec<RawStatedContact>,
    /// Law of restitution. Default: all, side by side.
    pub(crate) law: Option<Name<AnyLawOrAll>>,
    /// How several contacts are solved together; one contact has the same answer by each.
    /// Default: complementarity.
    pub(crate) method: Option<Name<AnyMethod>>,
    /// For the method sequential: names of all contacts in the order in which they collide. Default:
    /// every order of up to six contacts, else as they are listed.
    pub(crate) order: Option<Vec<String>>,
}

/// A contact of a problem in contact space: its coefficients.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RawStatedContact {
    /// Name. Default: its position, from 0.
    name: Option<String>,
    /// Coefficient of friction, or a static and a kinetic one. Required with a tangent.
    friction: Option<RawFriction>,
    /// Coefficient of restitution, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    restitution: f64,
    /// Coefficient of tangential restitution, from 0 to 1, of the law newton: where friction holds it the slip
    /// comes back by it. Default: none.
    #[schemars(range(min = 0.0, max = 1.0))]
    tangential_restitution: Option<f64>,
    /// Stiffness beside that of the other contacts, for the method `path`. Default 1.
    stiffness: Option<f64>,
}

/// Whether a document states its problem in contact space; one that states it in both ways is refused.
pub(crate) fn is_stated(source: Source<'_>, document: &Document) -> Result<bool, InputError> {
    let Value::Table(entries) = &document.root.value else {
        return Ok(false);
    };
    let first = |keys: &[&str]| entries.iter().find(|(key, ..)| keys.contains(&&**key));
    let (Some((own, ..)), other) = (first(&OWN), first(&OTHER)) else {
        return Ok(false);
    };
    match other {
        None => Ok(true),
        Some((key, origin, _)) => {
            let message = format!(
                "the key \"{key}\" is of a problem in coordinates and \"{own}\" of one in contact space, \
                 expected mass and velocity, or delassus and contact_velocity"
            );
            Err(origin.error(source, key, message))
        }
    }
}

impl RawContactSpace {
    /// Reads a document stated in contact space.
    pub(crate) fn read(source: Source<'_>, document: &Document) -> Result<Self, InputError> {
        let raw: Self = document::read(source, document)?;
        let has_tangents = raw.contact_velocity.len() > raw.contacts.len();
        let bare = raw.contacts.iter().position(|c| c.friction.is_none());
        match bare.filter(|_| has_tangents) {
            Some(i) => Err(friction_is_missing(source, document, i)),
            None => Ok(raw),
        }
    }

    /// The problem it states, contacts without a name named by position.
    pub(crate) fn into_problem(self) -> ContactSpaceProblem {
        let contacts = self.contacts.into_iter().enumerate();
        let contact = |(i, raw): (usize, RawStatedContact)| StatedContact {
            name: raw.name.unwrap_or_else(|| i.to_string()),
            friction: raw.friction.unwrap_or_default().0,
            restitution: raw.restitution,
            tangential_restitution: raw.tangential_restitution,
            stiffness: raw.stiffness.unwrap_or(Contact::EQUAL_STIFFNESS),
        };
        ContactSpaceProblem {
            delassus: self.delassus,
            contact_velocity: self.contact_velocity,
            contacts: contacts.map(contact).collect(),
        }
    }
}
