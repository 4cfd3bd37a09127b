//! The question without a mechanism: W and the accelerations at the contacts.

use carom_numeric::Semidefinite;
use serde::Serialize;

use super::posed::SpatialForward;
use super::slipping::SlippingContact;
use crate::cone::{ConeInputError, ConeProblem};
use crate::contact_space::{GivenFriction, TIE};
use crate::forward::error::ForwardInputError;
use crate::forward::problem::{check_friction, check_length, check_list, check_matrix};

/// Elements of a matrix that is stated are known to this fraction of `√(W_ii W_jj)`.
const STATED_ROUND_OFF: f64 = 8.0 * TIE;

/// Contacts in space stated in contact space: rows and columns are stacked contact by contact, (n, t1, t2).
///
/// W is symmetric, positive semidefinite, of any rank; the accelerations need not be in its range. It is written
/// as a problem file has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatedForward {
    /// `W = J A⁻¹ Jᵀ`, row by row (1/kg).
    pub delassus: Vec<Vec<f64>>,
    /// Accelerations without contact forces (m/s²).
    pub drift: Vec<f64>,
    /// The contacts.
    pub contacts: Vec<StatedTouch>,
}

/// One contact of a problem stated in contact space.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StatedTouch {
    /// Slip along t1 and t2, of which its way counts; (0, 0) is rest (m/s).
    pub slip: [f64; 2],
    /// μ of the contact.
    pub friction: GivenFriction,
}

impl StatedForward {
    /// Checks shapes, numbers, coefficients and the matrix.
    pub fn check(&self) -> Result<(), ForwardInputError> {
        if self.contacts.is_empty() {
            return Err(ForwardInputError::NoContacts);
        }
        let rows = 3 * self.contacts.len();
        check_list("drift", &self.drift, rows)?;
        check_length("delassus", self.delassus.len(), rows)?;
        check_matrix("delassus", &self.delassus, rows)?;
        for (k, contact) in self.contacts.iter().enumerate() {
            check_list(&format!("contacts[{k}].slip"), &contact.slip, 2)?;
            check_friction(contact.friction, || format!("contacts[{k}].friction"))?;
        }
        let w = self.delassus.concat();
        self.check_symmetry()?;
        let factored = Semidefinite::new().factor(&w, rows, STATED_ROUND_OFF);
        factored.map_err(ForwardInputError::NotSemidefinite)
    }

    fn check_symmetry(&self) -> Result<(), ForwardInputError> {
        let w = &self.delassus;
        for (row, own) in w.iter().enumerate() {
            for (column, here) in own.iter().enumerate().skip(row + 1) {
                let size = w[row][row].abs().sqrt() * w[column][column].abs().sqrt();
                let difference = (here - w[column][row]).abs();
                if difference > ConeProblem::SYMMETRY_TOLERANCE * size {
                    let difference = difference / size;
                    return Err(ForwardInputError::Delassus(ConeInputError::NotSymmetric {
                        row,
                        column,
                        difference,
                    }));
                }
            }
        }
        Ok(())
    }

    /// The problem at its contacts.
    pub fn pose(&self) -> Result<SpatialForward, ForwardInputError> {
        self.check()?;
        let contact = |(k, stated): (usize, &StatedTouch)| {
            let friction = stated.friction.checked();
            let refused = |source| ForwardInputError::Friction {
                path: format!("contacts[{k}].friction"),
                source,
            };
            Ok(SlippingContact {
                friction: friction.map_err(refused)?,
                slip: stated.slip,
            })
        };
        let contacts: Result<_, _> = self.contacts.iter().enumerate().map(contact).collect();
        Ok(SpatialForward {
            w: self.delassus.concat(),
            drift: self.drift.clone(),
            contacts: contacts?,
            ..SpatialForward::default()
        })
    }
}
