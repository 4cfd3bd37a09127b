//! Entries that a pattern leads to.

use super::{Document, Node, Origin, Value};
use crate::InputError;

/// What to say of an entry: its path, where its key stands, its value.
pub(crate) type Judge<'a> = dyn FnMut(&str, &Origin, &Node) -> Result<(), InputError> + 'a;

impl Document {
    /// Visits every entry that a pattern leads to: keys one inside the other, `*` for any.
    pub(crate) fn each(&self, pattern: &[&str], judge: &mut Judge<'_>) -> Result<(), InputError> {
        each(&self.root, pattern, "", judge)
    }
}

fn each(
    node: &Node,
    pattern: &[&str],
    path: &str,
    judge: &mut Judge<'_>,
) -> Result<(), InputError> {
    let (Some((step, rest)), Value::Table(entries)) = (pattern.split_first(), &node.value) else {
        return Ok(());
    };
    for (key, origin, inner) in entries {
        if *step != "*" && key != step {
            continue;
        }
        let dot = if path.is_empty() { "" } else { "." };
        let path = format!("{path}{dot}{key}");
        match rest.is_empty() {
            true => judge(&path, origin, inner)?,
            false => each(inner, rest, &path, judge)?,
        }
    }
    Ok(())
}
