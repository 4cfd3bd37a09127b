//! One error type for everything that can be wrong with a file.

use serde::Serialize;

/// What is wrong, and where. Line and column count from 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputError {
    /// What was found and what is allowed.
    pub message: String,
    /// Key path, as in `contacts[0].friction`.
    pub path: Option<String>,
    /// Line in the file; absent for a value that came from the command line.
    pub line: Option<usize>,
    /// Column in that line, in characters.
    pub column: Option<usize>,
    /// Name of the file, `-` for standard input, or the override.
    #[serde(skip)]
    pub file: String,
    /// Bytes of the file the error is about.
    #[serde(skip)]
    pub span: Option<std::ops::Range<usize>>,
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        if let Some(path) = self.path.as_deref().filter(|path| !path.is_empty()) {
            write!(f, ": {path}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for InputError {}

impl InputError {
    /// An error about a file as a whole.
    pub fn whole(file: &str, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            path: None,
            line: None,
            column: None,
            file: file.to_owned(),
            span: None,
        }
    }

    /// An error about some bytes of a text.
    pub(crate) fn at(
        file: &str,
        text: &str,
        span: std::ops::Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        let (line, column) = line_and_column(text, span.start);
        Self {
            message: message.into(),
            path: None,
            line: Some(line),
            column: Some(column),
            file: file.to_owned(),
            span: Some(span),
        }
    }
}

/// Line and column, from 1, of a byte of a text.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let byte = byte.min(text.len());
    let before = &text.as_bytes()[..byte];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(line_and_column("a\nμμ = x", 9), (2, 6));
        assert_eq!(line_and_column("", 5), (1, 1));
    }
}
