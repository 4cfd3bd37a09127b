//! The order of a sequence: contacts by name.

use crate::InputError;
use crate::document::unknown;
use crate::scenario::raw::RawScenario;
use crate::scenario::spot::Placed;

/// Refuses an order that is empty, and names that are neither a contact, nor a numbered one of a
/// pair, nor a stop of a joint.
pub(super) fn refuse(raw: &RawScenario, file: &Placed) -> Result<(), InputError> {
    let Some(order) = &raw.run.order else {
        return Ok(());
    };
    if order.is_empty() {
        let message = "there is no name, expected contacts in the order in which they collide";
        return Err(file.error("run.order", message));
    }
    let mut known: Vec<String> = raw
        .contacts
        .0
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    for (joint, part) in &raw.joints.0 {
        let limits = part.limits.iter();
        let stops = limits.flat_map(|l| [l.lower.map(|_| "lower"), l.upper.map(|_| "upper")]);
        known.extend(stops.flatten().map(|stop| format!("{joint}.{stop}")));
    }
    for (i, name) in order.iter().enumerate() {
        let numbered = name
            .rsplit_once('.')
            .filter(|(_, n)| n.parse::<usize>().is_ok());
        let pair = numbered.map_or(&name[..], |(pair, _)| pair);
        if !known.iter().any(|known| known == name || known == pair) {
            let allowed: Vec<&str> = known.iter().map(String::as_str).collect();
            let message = unknown("contact", name, &allowed);
            return Err(file.error(&format!("run.order[{i}]"), message));
        }
    }
    Ok(())
}
