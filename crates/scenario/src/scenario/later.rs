//! Values that belong to later capabilities: recognised, and refused as not offered yet.

use crate::InputError;
use crate::document::{Document, Source, Value};

/// A key, the values of it, and what to write instead.
const VALUES: &[(&[&str], &[&str], &str)] = &[(
    &["run", "several_answers"],
    &["branch"],
    "\"stop\", \"keep\" or \"lift-off\"",
)];

/// Refuses what is known but not offered yet, at its place.
pub(crate) fn refuse(source: Source<'_>, document: &Document) -> Result<(), InputError> {
    for (pattern, values, instead) in VALUES {
        document.each(pattern, &mut |path, _, node| {
            let Value::Text(text) = &node.value else {
                return Ok(());
            };
            if !values.contains(&text.as_str()) {
                return Ok(());
            }
            let message = format!("\"{text}\" is not offered yet, expected {instead}");
            Err(node.origin.error(source, path, message))
        })?;
    }
    Ok(())
}
