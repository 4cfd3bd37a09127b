//! The law that contacts which close together share.

use carom_contact::impact::{Law, Method};
use carom_multibody::mechanism::Contacts;

use crate::journal::end::NotOffered;
use crate::{ImpactFault, Rule, SimError};

/// How contacts that close together are to be solved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    /// The rule of every contact of the mechanism.
    pub(super) of_contacts: &'a [Rule],
    /// The law they share.
    pub(super) law: Law,
    pub(super) method: Method,
    /// The order stated for a sequence.
    pub(super) order: &'a [String],
}

impl Rules<'_> {
    /// Why an impact of contacts could not be posed or solved.
    pub(super) fn refuse(&self, time: f64, contacts: &[usize], source: ImpactFault) -> SimError {
        let names = contacts.iter().map(|c| self.of_contacts[*c].name.as_str());
        SimError::Impact {
            time,
            contact: names.collect::<Vec<_>>().join(", "),
            source,
        }
    }
}

/// The law that holds for all of the contacts, or why there is none.
///
/// The stops of joints have no law of their own: without friction, one contact has the same answer
/// by every law, and they follow the others.
pub(crate) fn common_law(
    mechanism: &dyn Contacts,
    contacts: &[usize],
    rules: &[Rule],
    method: Method,
) -> Result<Law, NotOffered> {
    let mut law = None;
    for &contact in contacts.iter().filter(|c| mechanism.has_tangent(**c)) {
        let rule = &rules[contact];
        if rule.friction.mu_s() > 0.0 && method == Method::Linear {
            return Err(NotOffered::Friction(method));
        }
        if law.is_some_and(|law| law != rule.law) {
            return Err(NotOffered::MixedLaws);
        }
        law = Some(rule.law);
    }
    let law = law.unwrap_or(match method {
        Method::Path => Law::Energetic,
        _ => Law::Newton,
    });
    let mut betas = contacts.iter().map(|c| rules[*c].tangential_restitution);
    match law.is_offered(method) {
        false => Err(NotOffered::Law(law, method)),
        true if method.tangential_refusal().is_some() && betas.any(|beta| beta.is_some()) => {
            Err(NotOffered::Tangential(method))
        }
        true => Ok(law),
    }
}
