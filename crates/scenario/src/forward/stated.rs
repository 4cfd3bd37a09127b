//! Forward problems stated in contact space: the file format, key by key.

use carom_contact::forward::space::{StatedForward, StatedTouch};
use carom_contact::impact::Law;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ForwardForm, JumpLaw};
use crate::InputError;
use crate::document::Value;
use crate::names::{Name, PathLaw};
use crate::problem::RawFriction;
use crate::scenario::spot::Placed;
use crate::scenario::value::Fraction;

/// The keys by which a problem is stated in contact space.
const OWN: [&str; 2] = ["delassus", "drift"];

/// The keys of a problem in coordinates that have no place beside them.
const OTHER: [&str; 10] = [
    "inertia",
    "bias",
    "load_matrix",
    "load_offset",
    "friction",
    "velocity",
    "force",
    "screw",
    "rod",
    "constraints",
];

/// Contacts in space that touch, stated in contact space: the Delassus matrix and the accelerations.
///
/// SI units. Rows, columns and accelerations are stacked contact by contact: (n, t1, t2).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Carom forward problem in contact space")]
pub(crate) struct RawStatedForward {
    /// A title to show above the answers.
    pub(super) title: Option<String>,
    /// Delassus matrix W = J A⁻¹ Jᵀ, three rows and columns for each contact; symmetric, positive
    /// semidefinite, of any rank.
    #[schemars(length(min = 3))]
    delassus: Vec<Vec<f64>>,
    /// Accelerations of the contacts without contact forces (m/s²), three for each contact. Need not be in the
    /// range of W.
    #[schemars(length(min = 3))]
    drift: Vec<f64>,
    /// The contacts that are closed.
    #[schemars(length(min = 1))]
    contacts: Vec<RawStatedTouch>,
    /// Coefficient of restitution of the impact that may follow at a contact, from 0 to 1. Default: 0.
    restitution: Option<Fraction>,
    /// Law of restitution of that impact. Default: poisson.
    law: Option<Name<PathLaw>>,
}

/// A contact of a forward problem in contact space.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "StatedForwardContact")]
struct RawStatedTouch {
    /// Slip along [t1, t2] (m/s), of which its way counts; [0, 0] is rest. Default: rest.
    slip: Option<[f64; 2]>,
    /// Coefficient of friction, or a static and a kinetic one. Default: 0.
    friction: Option<RawFriction>,
}

/// Whether a file states its problem in contact space; one that states it in both ways is refused.
pub(super) fn is_stated(file: &Placed) -> Result<bool, InputError> {
    let Value::Table(entries) = &file.document.root.value else {
        return Ok(false);
    };
    let first = |keys: &[&str]| entries.iter().find(|(key, ..)| keys.contains(&&**key));
    match (first(&OWN), first(&OTHER)) {
        (None, _) => Ok(false),
        (Some(_), None) => Ok(true),
        (Some((own, ..)), Some((key, ..))) => {
            let message = format!(
                "the key \"{key}\" is of a problem in coordinates and \"{own}\" of one in contact space, \
                 expected inertia and force, or delassus and drift"
            );
            Err(file.key_error(key, message))
        }
    }
}

impl RawStatedForward {
    /// The form it is.
    pub(super) fn form(self) -> ForwardForm {
        let touch = |raw: RawStatedTouch| StatedTouch {
            slip: raw.slip.unwrap_or_default(),
            friction: raw.friction.unwrap_or_default().0,
        };
        ForwardForm::ContactSpace {
            problem: Box::new(StatedForward {
                delassus: self.delassus,
                drift: self.drift,
                contacts: self.contacts.into_iter().map(touch).collect(),
            }),
            after: JumpLaw {
                restitution: self.restitution.map_or(0.0, |x| x.0),
                law: self.law.and_then(Name::law).unwrap_or(Law::Poisson),
            },
        }
    }
}
