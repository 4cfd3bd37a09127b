//! The stated order in which contacts that close together collide one after another.

use crate::SimError;

/// Whether a name of an order means a contact: its own name, or that of the pair it is a feature of.
///
/// `hit` means `hit`, `hit.0` and `hit.1`; `hit.1` means itself.
fn means(name: &str, contact: &str) -> bool {
    let rest = contact.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Places of the contacts of a collision in a stated order; none where no order is stated.
///
/// Contacts that the order does not name follow those it names, as they are listed.
///
/// ```
/// let order = ["b".to_owned(), "a".to_owned()];
/// assert_eq!(carom_sim::sequence(&order, &["a.0", "a.1", "b", "c"]), Some(vec![2, 0, 1, 3]));
/// assert_eq!(carom_sim::sequence(&[], &["a", "b"]), None);
/// ```
pub fn sequence(order: &[String], contacts: &[&str]) -> Option<Vec<usize>> {
    let rank = |place: &usize| {
        let named = order.iter().position(|name| means(name, contacts[*place]));
        named.unwrap_or(order.len())
    };
    let mut places: Vec<usize> = (0..contacts.len()).collect();
    places.sort_by_key(rank); // stable: equals stay as they are listed
    (!order.is_empty()).then_some(places)
}

/// Refuses an order that names what is no contact, or a contact twice.
pub(crate) fn check(order: &[String], contacts: &[&str]) -> Result<(), SimError> {
    let refuse = |name: &String, why: &'static str| SimError::Order {
        name: name.clone(),
        why,
        known: contacts.join(", "),
    };
    for (i, name) in order.iter().enumerate() {
        if !contacts.iter().any(|contact| means(name, contact)) {
            return Err(refuse(name, "which is no contact"));
        }
        let is_again = |other: &String| means(other, name) || means(name, other);
        if order[..i].iter().any(is_again) {
            return Err(refuse(name, "which is named before"));
        }
    }
    Ok(())
}
