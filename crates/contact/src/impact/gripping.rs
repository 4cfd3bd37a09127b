//! Which contacts, laws and methods may have a tangential restitution.

use super::{Contact, ImpactInputError, Law, Method};

/// Refuses a coefficient out of range, and one without a tangent to act on.
pub(super) fn check_contact(contact: &Contact, index: usize) -> Result<(), ImpactInputError> {
    match contact.tangential_restitution {
        None => Ok(()),
        Some(beta) if !(0.0..=1.0).contains(&beta) => {
            let contact = index;
            Err(ImpactInputError::TangentialRestitution { contact, beta })
        }
        Some(_) if !contact.has_tangent() => {
            Err(ImpactInputError::NothingTangential { contact: index })
        }
        Some(_) => Ok(()),
    }
}

/// Refuses a law that has none, where some contact has one.
pub(super) fn check_law(law: Law, has_one: bool) -> Result<(), ImpactInputError> {
    match law.tangential_refusal().filter(|_| has_one) {
        None => Ok(()),
        Some(reason) => Err(ImpactInputError::NotTangential { law, reason }),
    }
}

/// Refuses a method by which several contacts have none, where some contact has one.
pub(super) fn check_method(method: Method, has_one: bool) -> Result<(), ImpactInputError> {
    match method.tangential_refusal().filter(|_| has_one) {
        None => Ok(()),
        Some(reason) => Err(ImpactInputError::MethodRefused { method, reason }),
    }
}
