//! Keys and values of the plane in a scenario in space, and the other way round.

use super::raw::SpaceName;
use super::spot::Placed;
use crate::InputError;
use crate::document::Value;

/// A key of one space, its path with `*` for any name, and what to write in the other.
type Key = (&'static [&'static str], &'static str);

/// Keys that only scenarios in space have.
const OF_SPACE: &[Key] = &[
    (
        &["bodies", "*", "shapes", "*", "ball"],
        "a ball is a shape of space, expected a disk",
    ),
    (
        &["world", "shapes", "*", "ball"],
        "a ball is a shape of space, expected a disk",
    ),
    (
        &["bodies", "*", "shapes", "*", "polyhedron"],
        "a polyhedron is a shape of space, expected a polygon",
    ),
    (
        &["world", "shapes", "*", "polyhedron"],
        "a polyhedron is a shape of space, expected a polygon",
    ),
    (
        &["bodies", "*", "shapes", "*", "cylinder"],
        "a cylinder is a shape of space, expected a disk or a capsule",
    ),
    (
        &["world", "shapes", "*", "cylinder"],
        "a cylinder is a shape of space, expected a disk or a capsule",
    ),
    (
        &["bodies", "*", "shapes", "*", "ellipsoid"],
        "an ellipsoid is a shape of space, expected a disk or a capsule",
    ),
    (
        &["world", "shapes", "*", "ellipsoid"],
        "an ellipsoid is a shape of space, expected a disk or a capsule",
    ),
    (
        &["bodies", "*", "shapes", "*", "bowl"],
        "a bowl is a shape of space, expected half_spaces",
    ),
    (
        &["world", "shapes", "*", "bowl"],
        "a bowl is a shape of space, expected half_spaces",
    ),
    (
        &["bodies", "*", "shapes", "*", "tube"],
        "a tube is a shape of space, expected half_spaces",
    ),
    (
        &["world", "shapes", "*", "tube"],
        "a tube is a shape of space, expected half_spaces",
    ),
    (
        &["bodies", "*", "shapes", "*", "rotation"],
        "a shape of the plane is turned by an angle, expected the key \"angle\"",
    ),
    (
        &["world", "shapes", "*", "rotation"],
        "a shape of the plane is turned by an angle, expected the key \"angle\"",
    ),
    (
        &["contacts", "*", "spin_radius"],
        "in the plane nothing pivots about a normal, expected no key \"spin_radius\"",
    ),
];

/// Keys that only scenarios in the plane have.
const OF_PLANE: &[Key] = &[
    (
        &["bodies", "*", "shapes", "*", "polygon"],
        "a polygon is a shape of the plane, expected a polyhedron",
    ),
    (
        &["world", "shapes", "*", "polygon"],
        "a polygon is a shape of the plane, expected a polyhedron",
    ),
    (
        &["bodies", "*", "shapes", "*", "angle"],
        "a shape of space is turned about an axis, expected the key \"rotation\"",
    ),
    (
        &["world", "shapes", "*", "angle"],
        "a shape of space is turned about an axis, expected the key \"rotation\"",
    ),
];

/// Kinds of joint that need space.
const KINDS: [&str; 4] = ["spherical", "cylindrical", "universal", "screw"];

/// Refuses what belongs to the other space, at its place.
pub(super) fn refuse(file: &Placed, space: SpaceName) -> Result<(), InputError> {
    let (keys, here) = match space {
        SpaceName::Plane => (OF_SPACE, "space = \"plane\", the default"),
        SpaceName::Space => (OF_PLANE, "space = \"space\""),
    };
    for (pattern, what) in keys {
        file.document.each(pattern, &mut |path, _, _| {
            let message = format!("{what}; the scenario has {here}");
            Err(file.key_error(path, message))
        })?;
    }
    if matches!(space, SpaceName::Space) {
        return Ok(());
    }
    let kind = ["joints", "*", "kind"];
    file.document
        .each(&kind, &mut |path, _, node| match &node.value {
            Value::Text(text) if KINDS.contains(&text.as_str()) => {
                let what = format!("there is no {text} joint in the plane");
                let message = format!(
                    "{what}, expected revolute, prismatic, fixed or free; the scenario has {here}"
                );
                Err(file.error(path, message))
            }
            _ => Ok(()),
        })
}
