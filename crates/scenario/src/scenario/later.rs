//! Keys and values that belong to later capabilities: recognised, and refused as not offered yet.

use crate::InputError;
use crate::document::{Document, Node, Source, Value};

/// A key, its path with `*` for any name, and what it would ask for.
const KEYS: &[(&[&str], &str)] = &[
    (&["joints", "*", "friction"], "friction in a joint"),
    (&["joints", "*", "lead"], "a screw joint"),
    (
        &["contacts", "*", "point"],
        "a contact given by its point and normal",
    ),
    (
        &["contacts", "*", "normal"],
        "a contact given by its point and normal",
    ),
    (
        &["contacts", "*", "raw"],
        "a contact given by its point and normal",
    ),
    (&["bodies", "*", "shapes", "*", "ball"], "a shape in space"),
    (
        &["bodies", "*", "shapes", "*", "polyhedron"],
        "a shape in space",
    ),
    (&["world", "shapes", "*", "ball"], "a shape in space"),
    (&["world", "shapes", "*", "polyhedron"], "a shape in space"),
];

/// A key, the values of it, and what to write instead.
const VALUES: &[(&[&str], &[&str], &str)] = &[
    (&["space"], &["space"], "\"plane\""),
    (
        &["joints", "*", "kind"],
        &["spherical", "cylindrical", "universal", "screw"],
        "revolute, prismatic, fixed or free",
    ),
    (
        &["run", "simultaneous"],
        &["linear", "sequential"],
        "\"complementarity\"",
    ),
    (
        &["run", "several_answers"],
        &["keep", "lift-off", "branch"],
        "\"stop\"",
    ),
];

/// Refuses what is known but not offered yet, at its place.
pub(crate) fn refuse(source: Source<'_>, document: &Document) -> Result<(), InputError> {
    for (pattern, what) in KEYS {
        each(&document.root, pattern, "", &mut |path, origin, _| {
            let message = format!("{what} is not offered yet, expected the key to be left out");
            Err(origin.error(source, path, message))
        })?;
    }
    for (pattern, values, instead) in VALUES {
        each(&document.root, pattern, "", &mut |path, _, node| {
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

type Judge<'a> = dyn FnMut(&str, &crate::document::Origin, &Node) -> Result<(), InputError> + 'a;

/// Visits every entry that a pattern leads to.
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
