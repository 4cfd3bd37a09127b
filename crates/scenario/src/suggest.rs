//! An example by its name, or those a mistyped name may have been meant for.

use crate::document::distance_to_start;
use crate::examples::{Example, all, example};

/// Most names suggested for one that is not known.
const SUGGESTED: usize = 4;

/// The example of a name, or what to say where there is none.
///
/// ```
/// let said = carom_scenario::examples::find("penduum").unwrap_err();
/// assert!(said.contains("did you mean pendulum-rough"));
/// ```
pub fn find(name: &str) -> Result<&'static Example, String> {
    example(name).ok_or_else(|| {
        let least = 1 + name.len() / 4;
        let steps = |example: &Example| match example.name.contains(name) && !name.is_empty() {
            true => 0,
            false => distance_to_start(name, example.name),
        };
        let mut near: Vec<(usize, &str)> = all().map(|one| (steps(one), one.name)).collect();
        near.retain(|(steps, _)| *steps <= least && *steps < name.chars().count());
        near.sort_by_key(|(steps, _)| *steps);
        let names: Vec<&str> = near.iter().take(SUGGESTED).map(|(_, name)| *name).collect();
        let hint = match &names[..] {
            [] => String::new(),
            [one] => format!(", did you mean {one}?"),
            [first @ .., last] => format!(", did you mean {} or {last}?", first.join(", ")),
        };
        format!("there is no example \"{name}\"{hint} (`carom examples` lists all)")
    })
}
