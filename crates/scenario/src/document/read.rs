//! From the tree to typed values: serde, with the place of every fault kept.

use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};

use super::{Document, Node, Origin, Source, Value};
use crate::InputError;

/// Reads a document into a type; a fault points at the innermost value it is about.
pub(crate) fn read<T: DeserializeOwned>(
    source: Source<'_>,
    document: &Document,
) -> Result<T, InputError> {
    T::deserialize(Reader(&document.root)).map_err(|fault| {
        let origin = fault.origin.unwrap_or(Origin::File(0..0));
        origin.error(source, &join(&fault.steps), fault.message)
    })
}

/// A fault on its way up: the steps are collected innermost first.
#[derive(Debug)]
struct Fault {
    message: String,
    origin: Option<Origin>,
    steps: Vec<String>,
}

fn join(steps: &[String]) -> String {
    let mut path = String::new();
    for step in steps.iter().rev() {
        if !step.starts_with('[') && !path.is_empty() {
            path.push('.');
        }
        path.push_str(step);
    }
    path
}

impl Fault {
    fn here(mut self, origin: &Origin) -> Self {
        self.origin.get_or_insert_with(|| origin.clone());
        self
    }

    fn under(mut self, step: String) -> Self {
        self.steps.push(step);
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self {
            message: message.to_string(),
            origin: None,
            steps: Vec::new(),
        }
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(format!("expected {}", plainly(&expected.to_string())))
    }

    fn unknown_field(field: &str, allowed: &'static [&'static str]) -> Self {
        Self::custom(unknown("key", field, allowed))
    }

    fn unknown_variant(variant: &str, allowed: &'static [&'static str]) -> Self {
        Self::custom(unknown("name", variant, allowed))
    }

    fn missing_field(field: &'static str) -> Self {
        let fault: Self = de::Error::custom(format!("the key \"{field}\" is missing"));
        fault.under(field.to_owned())
    }
}

/// The words of serde for what a file may hold, in the words of files.
fn plainly(expected: &str) -> String {
    match expected {
        "f64" => "a number".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a string" => "a text".to_owned(),
        other if other.starts_with("struct ") => "a table".to_owned(),
        other => other.to_owned(),
    }
}

/// Other words for names that are allowed somewhere.
const SYNONYMS: &[(&str, &str)] = &[
    ("hinge", "revolute"),
    ("pin", "revolute"),
    ("slider", "prismatic"),
    ("sliding", "prismatic"),
    ("ball", "spherical"),
    ("ball_joint", "spherical"),
    ("weld", "fixed"),
    ("floating", "free"),
    ("cardan", "universal"),
    ("pitch", "lead"),
    ("sphere", "ball"),
    ("circle", "disk"),
    ("pipe", "tube"),
    ("egg", "ellipsoid"),
    ("spheroid", "ellipsoid"),
    ("semiaxes", "semi_axes"),
    ("radii", "semi_axes"),
    ("coin", "disk"),
    ("plane", "half_space"),
    ("convex", "polyhedron"),
    ("mu", "friction"),
    ("e", "restitution"),
];

/// Names listed after an unknown one.
const LISTED: usize = 16;

/// What to say of a name that is not among those allowed, with the closest of them.
pub(crate) fn unknown(what: &str, found: &str, allowed: &[&str]) -> String {
    let close = allowed
        .iter()
        .map(|name| (distance(found, name), *name))
        .min()
        .filter(|(steps, name)| *steps <= 1 + name.len() / 3)
        .map(|(_, name)| (found, name));
    let other = SYNONYMS
        .iter()
        .find(|(word, name)| *word == found && allowed.contains(name));
    let meant = other.or(close.as_ref()).map(|(_, name)| *name);
    let hint = meant.map_or(String::new(), |name| format!(", did you mean \"{name}\"?"));
    let more = if allowed.len() > LISTED { ", …" } else { "" };
    let listed = &allowed[..allowed.len().min(LISTED)];
    format!(
        "unknown {what} \"{found}\"{hint} Allowed: {}{more}",
        listed.join(", ")
    )
    .replace("\" Allowed", "\". Allowed")
}

/// Edits that turn one word into another.
fn distance(a: &str, b: &str) -> usize {
    edits(a, b).last().copied().unwrap_or(0)
}

/// Edits that turn a word into the beginning of another, the best of them.
pub(crate) fn distance_to_start(a: &str, b: &str) -> usize {
    edits(a, b).into_iter().min().unwrap_or(0)
}

/// Edits that turn one word into each beginning of another.
fn edits(a: &str, b: &str) -> Vec<usize> {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate().take(64) {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row
}

/// A node being read.
struct Reader<'de>(&'de Node);

impl<'de> de::Deserializer<'de> for Reader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let found = |fault: Fault| {
            let is_wrong_kind = fault.origin.is_none() && fault.message.starts_with("expected ");
            let message = if is_wrong_kind {
                format!("found {}, {}", self.0.value.describe(), fault.message)
            } else {
                fault.message
            };
            Fault { message, ..fault }.here(&self.0.origin)
        };
        match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(value) => visitor.visit_f64(*value),
            Value::Text(value) => visitor.visit_borrowed_str(value),
            Value::List(items) => visitor.visit_seq(Items {
                items: items.iter(),
                index: 0,
            }),
            Value::Table(entries) => visitor.visit_map(Entries {
                entries: entries.iter(),
                value: None,
            }),
        }
        .map_err(found)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Text(text) => visitor
                .visit_enum(text.as_str().into_deserializer())
                .map_err(|fault: Fault| fault.here(&self.0.origin)),
            other => Err(Fault {
                message: format!(
                    "found {}, expected a {} as a text",
                    other.describe(),
                    name.to_lowercase()
                ),
                origin: Some(self.0.origin.clone()),
                steps: Vec::new(),
            }),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de> {
    items: std::slice::Iter<'de, Node>,
    index: usize,
}

impl<'de> de::SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(node) = self.items.next() else {
            return Ok(None);
        };
        let step = format!("[{}]", self.index);
        self.index += 1;
        let value = seed.deserialize(Reader(node));
        value
            .map(Some)
            .map_err(|fault| fault.here(&node.origin).under(step))
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, (String, Origin, Node)>,
    value: Option<(&'de str, &'de Node)>,
}

impl<'de> de::MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, origin, node)) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some((key, node));
        let read = seed.deserialize(key.as_str().into_deserializer());
        read.map(Some)
            .map_err(|fault: Fault| fault.here(origin).under(key.clone()))
    }

    fn next_value_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let Some((key, node)) = self.value.take() else {
            return Err(de::Error::custom("a value without a key"));
        };
        let value = seed.deserialize(Reader(node));
        value.map_err(|fault| fault.here(&node.origin).under(key.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keyboard_gets_a_suggestion_and_nonsense_does_not() {
        let allowed = ["mass", "velocity", "contacts"];
        let near = unknown("key", "velocty", &allowed);
        assert!(near.contains("did you mean \"velocity\"?"), "{near}");
        let far = unknown("key", "zzz", &allowed);
        assert_eq!(
            far,
            "unknown key \"zzz\". Allowed: mass, velocity, contacts"
        );
    }
}
