//! A file as a tree whose values know where they were written.

mod each;
mod json;
mod overrides;
mod read;
mod toml;

pub use overrides::Override;
pub(crate) use read::{distance_to_start, read, unknown};

use std::ops::Range;

use crate::InputError;

/// A named text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Name to show in errors.
    pub(crate) name: &'a str,
    /// The text.
    pub(crate) text: &'a str,
}

/// Where a value was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// Bytes of the file.
    File(Range<usize>),
    /// An override, as typed.
    Override(String),
}

/// A value and its origin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The value.
    pub(crate) value: Value,
    /// Where it was written.
    pub(crate) origin: Origin,
}

/// A value of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// JSON's `null`.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with their origins and values, in file order.
    Table(Vec<(String, Origin, Node)>),
}

impl Value {
    /// What it is, for error messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => format!("{value}"),
            Self::Number(value) if is_long(*value) => format!("the number {value:e}"),
            Self::Number(value) => format!("the number {value}"),
            Self::Text(value) => format!("the text \"{}\"", shorten(value)),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

/// Whether a number has more zeros than a reader counts.
fn is_long(value: f64) -> bool {
    value != 0.0 && !(1e-9..1e16).contains(&value.abs())
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A parsed file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Document {
    /// The table at the root.
    pub(crate) root: Node,
}

/// Largest text taken as one document (bytes). Batches are JSON Lines and have no such limit.
pub(crate) const MAX_DOCUMENT: usize = 64 << 20;

/// Largest TOML file (bytes): its parser keeps every token, and garbage is all tokens.
const MAX_TOML: usize = 16 << 20;

/// A document is a table: in JSON it starts with a brace (a bracket starts a table of TOML). A byte
/// order mark is passed over.
fn is_json_text(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{')
}

fn check_size(source: Source<'_>, limit: usize, what: &str) -> Result<(), InputError> {
    let size = source.text.len();
    if size > limit {
        let message = format!("the file has more than {limit} bytes, the most for {what}");
        return Err(InputError::whole(source.name, message));
    }
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    if source.text.chars().all(is_blank) {
        let message = "the file is empty, expected a problem or scenario in TOML or JSON";
        return Err(InputError::whole(source.name, message));
    }
    Ok(())
}

/// Deepest nesting of lists and tables.
const MAX_DEPTH: usize = 64;

impl Document {
    /// Parses TOML or JSON: by the file's extension, else JSON when the text starts with a brace.
    pub(crate) fn parse(source: Source<'_>) -> Result<Self, InputError> {
        let is_json = match source.name.rsplit_once('.') {
            Some((_, "json")) => true,
            Some((_, "toml")) => false,
            _ => is_json_text(source.text),
        };
        if is_json {
            return Self::parse_json(source);
        }
        check_size(source, MAX_TOML, "a TOML file; larger problems go in JSON")?;
        let root = toml::parse(source)?;
        Ok(Self { root })
    }

    /// Parses JSON.
    pub(crate) fn parse_json(source: Source<'_>) -> Result<Self, InputError> {
        check_size(
            source,
            MAX_DOCUMENT,
            "one document; many problems go in JSON Lines",
        )?;
        let root = json::parse(source)?;
        Ok(Self { root })
    }

    /// Finds the node a path such as `contacts[0].friction` leads to, or the closest one above it.
    pub(crate) fn closest(&self, path: &str) -> &Node {
        let mut node = &self.root;
        for step in path.split(['.', '[', ']']).filter(|step| !step.is_empty()) {
            let next = match &node.value {
                Value::Table(entries) => entries
                    .iter()
                    .find(|(key, ..)| key == step)
                    .map(|(_, _, node)| node),
                Value::List(items) => step.parse().ok().and_then(|i: usize| items.get(i)),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// Where the last key of a path was written, or the closest value above it.
    pub(crate) fn key_origin(&self, path: &str) -> &Origin {
        let (above, last) = path.rsplit_once('.').unwrap_or(("", path));
        let table = self.closest(above);
        let Value::Table(entries) = &table.value else {
            return &table.origin;
        };
        let entry = entries.iter().find(|(key, ..)| key == last);
        entry.map_or(&table.origin, |(_, origin, _)| origin)
    }
}

impl Origin {
    /// An error that points here.
    pub(crate) fn error(&self, source: Source<'_>, path: &str, message: String) -> InputError {
        let error = match self {
            Self::File(span) => InputError::at(source.name, source.text, span.clone(), message),
            Self::Override(typed) => InputError::whole(&format!("--set {typed}"), message),
        };
        InputError {
            path: Some(path.to_owned()),
            ..error
        }
    }
}
