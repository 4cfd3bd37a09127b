//! `--set contacts.0.friction=0.5`: values changed from the command line.

use super::{Document, Node, Origin, Source, Value, toml};
use crate::InputError;

/// One override, as typed: a path, an equals sign, a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    typed: String,
    path: Vec<String>,
    value: Value,
}

impl Override {
    /// Reads `path=value`. Steps of the path are keys, list indices or names of list elements
    /// (`contacts.0.friction`, `contacts[0].friction`, `contacts.B.friction`); the value is a TOML
    /// value, or else a bare text.
    pub fn parse(typed: &str) -> Result<Self, InputError> {
        let refuse = |message: &str| Err(InputError::whole(&format!("--set {typed}"), message));
        let Some((path, value)) = typed.split_once('=') else {
            return refuse(
                "there is no equals sign, expected PATH=VALUE as in contacts.0.friction=0.5",
            );
        };
        let steps = steps(path);
        if steps.is_empty() {
            return refuse("the path is empty, expected PATH=VALUE as in contacts.0.friction=0.5");
        }
        let value = value.trim();
        let parsed = toml::parse_value(Source {
            name: "--set",
            text: value,
        });
        let value = match parsed {
            Some(node) => node.value,
            None if value.is_empty() || value.contains(['[', '{', '"', '\'']) => {
                return refuse(
                    "the value is not a TOML value, expected a number, a text, a list [1, 2] or a table {static = 0.5, kinetic = 0.4}",
                );
            }
            None => Value::Text(value.to_owned()),
        };
        Ok(Self {
            typed: typed.to_owned(),
            path: steps,
            value,
        })
    }
}

impl Override {
    /// A number at a path.
    pub fn number(path: &str, value: f64) -> Self {
        Self {
            typed: format!("{path}={value}"),
            path: steps(path),
            value: Value::Number(value),
        }
    }
}

/// Steps of a path: keys, list indices or names of list elements.
fn steps(path: &str) -> Vec<String> {
    let steps = path.split(['.', '[', ']']).map(str::trim);
    steps.filter(|s| !s.is_empty()).map(str::to_owned).collect()
}

impl Document {
    /// The document with overrides applied in order.
    pub(crate) fn with(mut self, overrides: &[Override]) -> Result<Self, InputError> {
        self.set(overrides)?;
        Ok(self)
    }

    /// Applies overrides in order.
    pub(crate) fn set(&mut self, overrides: &[Override]) -> Result<(), InputError> {
        for change in overrides {
            let origin = Origin::Override(change.typed.clone());
            let mut new = Node {
                value: change.value.clone(),
                origin: origin.clone(),
            };
            mark(&mut new, &origin);
            place(&mut self.root, &change.path, &change.typed, new)?;
        }
        Ok(())
    }
}

/// Gives every value inside an override its origin.
fn mark(node: &mut Node, origin: &Origin) {
    node.origin = origin.clone();
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| mark(item, origin)),
        Value::Table(entries) => entries.iter_mut().for_each(|(_, at, item)| {
            *at = origin.clone();
            mark(item, origin);
        }),
        _ => {}
    }
}

fn place(node: &mut Node, path: &[String], typed: &str, new: Node) -> Result<(), InputError> {
    let Some((step, rest)) = path.split_first() else {
        *node = new;
        return Ok(());
    };
    let (found, allowed) = (node.value.describe(), steps_at(&node.value));
    let next = match &mut node.value {
        Value::Table(entries) => Some(entry(entries, step, typed)),
        Value::List(items) => element(items, step),
        _ => None,
    };
    match next {
        Some(next) => place(next, rest, typed, new),
        None => Err(InputError::whole(
            &format!("--set {typed}"),
            format!("\"{step}\" leads nowhere: found {found} there, expected {allowed}"),
        )),
    }
}

/// What a step may be at a value.
fn steps_at(value: &Value) -> String {
    let Value::List(items) = value else {
        return "a table or a list to step into".to_owned();
    };
    let names: Vec<String> = items
        .iter()
        .filter_map(|node| match &node.value {
            Value::Table(entries) => entries.iter().find(|(key, ..)| key == "name"),
            _ => None,
        })
        .map(|(_, _, name)| name.value.describe().replace("the text ", ""))
        .collect();
    let range = match items.len() {
        0 => "nothing: the list is empty".to_owned(),
        n => format!("an index from 0 to {}", n - 1),
    };
    match names.is_empty() {
        true => range,
        false => format!("{range}, or a name: {}", names.join(", ")),
    }
}

/// The entry of a key, made if missing: an unknown key is then refused by the reader.
fn entry<'a>(entries: &'a mut Vec<(String, Origin, Node)>, key: &str, typed: &str) -> &'a mut Node {
    let index = entries.iter().position(|(known, ..)| known == key);
    let index = index.unwrap_or_else(|| {
        let origin = Origin::Override(typed.to_owned());
        let empty = Node {
            value: Value::Table(Vec::new()),
            origin: origin.clone(),
        };
        entries.push((key.to_owned(), origin, empty));
        entries.len() - 1
    });
    &mut entries[index].2
}

/// The element of a list, by index or by its `name`.
fn element<'a>(items: &'a mut [Node], step: &str) -> Option<&'a mut Node> {
    let is_named = |node: &Node| match &node.value {
        Value::Table(entries) => entries
            .iter()
            .any(|(key, _, name)| key == "name" && name.value == Value::Text(step.to_owned())),
        _ => false,
    };
    let index = match step.parse::<usize>() {
        Ok(index) => index,
        Err(_) => items.iter().position(is_named)?,
    };
    items.get_mut(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "law = \"all\"\n[[contacts]]\nname = \"B\"\nfriction = 0.1\n";

    fn set(typed: &[&str]) -> Result<Document, InputError> {
        let source = Source {
            name: "t.toml",
            text: FILE,
        };
        let mut document = Document::parse(source)?;
        let overrides = typed.iter().map(|t| Override::parse(t));
        document.set(&overrides.collect::<Result<Vec<_>, _>>()?)?;
        Ok(document)
    }

    fn at(document: &Document, path: &str) -> Value {
        document.closest(path).value.clone()
    }

    #[test]
    fn an_element_is_reached_by_index_by_bracket_and_by_name() {
        for path in [
            "contacts.0.friction",
            "contacts[0].friction",
            "contacts.B.friction",
        ] {
            let document = set(&[&format!("{path}=0.7")]).unwrap();
            assert_eq!(at(&document, "contacts[0].friction"), Value::Number(0.7));
        }
    }

    #[test]
    fn a_value_may_be_a_table_a_list_or_a_bare_word() {
        let document = set(&[
            "contacts.0.friction={static=0.3, kinetic=0.2}",
            "velocity=[1, 2]",
            "law=poisson",
        ])
        .unwrap();
        let inner = at(&document, "contacts[0].friction.kinetic");
        assert_eq!(inner, Value::Number(0.2));
        assert_eq!(at(&document, "velocity[1]"), Value::Number(2.0));
        assert_eq!(at(&document, "law"), Value::Text("poisson".to_owned()));
    }

    #[test]
    fn an_override_that_leads_nowhere_says_so() {
        for (typed, said) in [
            ("contacts.7.friction=1", "\"7\" leads nowhere"),
            (
                "contacts.b.friction=1",
                "an index from 0 to 0, or a name: \"B\"",
            ),
            ("law.x=1", "found the text \"all\" there"),
            ("friction", "no equals sign"),
            ("=3", "the path is empty"),
            ("velocity=[1", "not a TOML value"),
        ] {
            let error = set(&[typed]).unwrap_err();
            assert!(error.message.contains(said), "{typed}: {error}");
            assert_eq!(error.file, format!("--set {typed}"));
        }
    }
}
