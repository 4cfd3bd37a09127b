//! The file a scenario came from, and places in it.

use crate::InputError;
use crate::document::{Document, Source, Value};
use crate::problem::at_line;

/// The file a scenario came from, to point at.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) document: Document,
    /// Line of the stream the text stands on, from 1.
    pub(crate) line: usize,
}

impl Placed {
    /// An error about the value at a path, or the closest one above it.
    pub(crate) fn error(&self, path: &str, message: impl Into<String>) -> InputError {
        let origin = &self.document.closest(path).origin;
        at_line(origin.error(self.source(), path, message.into()), self.line)
    }

    /// An error about the key a path ends with.
    pub(crate) fn key_error(&self, path: &str, message: impl Into<String>) -> InputError {
        let origin = self.document.key_origin(path);
        at_line(origin.error(self.source(), path, message.into()), self.line)
    }

    /// Whether a table has a key.
    pub(crate) fn has(&self, table: &str, wanted: &str) -> bool {
        match &self.document.closest(table).value {
            Value::Table(entries) => entries.iter().any(|(key, ..)| key == wanted),
            _ => false,
        }
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            name: &self.name,
            text: &self.text,
        }
    }
}

/// A place in the file: the value a path leads to.
#[derive(Debug, Clone)]
pub(crate) struct Spot<'a> {
    pub(crate) file: &'a Placed,
    pub(crate) path: String,
}

impl Spot<'_> {
    /// The value of a key of this one.
    pub(crate) fn key(&self, key: &str) -> Self {
        Self {
            file: self.file,
            path: format!("{}.{key}", self.path),
        }
    }

    /// The value at an index of this one.
    pub(crate) fn item(&self, index: usize) -> Self {
        Self {
            file: self.file,
            path: format!("{}[{index}]", self.path),
        }
    }

    /// Whether the value is a table.
    pub(crate) fn is_table(&self) -> bool {
        let value = &self.file.document.closest(&self.path).value;
        matches!(value, Value::Table(_))
    }

    /// An error about the value.
    pub(crate) fn error(&self, message: impl Into<String>) -> InputError {
        self.file.error(&self.path, message)
    }

    /// An error about its key.
    pub(crate) fn key_error(&self, message: impl Into<String>) -> InputError {
        self.file.key_error(&self.path, message)
    }

    /// An error about a value of the wrong kind.
    pub(crate) fn expected(&self, what: &str) -> InputError {
        let found = self.file.document.closest(&self.path).value.describe();
        self.error(format!("found {found}, expected {what}"))
    }
}
