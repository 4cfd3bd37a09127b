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
    /// The line itself.
    #[serde(skip)]
    pub excerpt: Option<Box<Excerpt>>,
}

/// A line with a part to underline, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, cut where it is long.
    pub line: String,
    /// Start of the part.
    pub start: usize,
    /// Its length.
    pub length: usize,
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
            excerpt: None,
        }
    }

    /// The error with the line it is about, underlined, for a terminal.
    pub fn render(&self) -> String {
        let path = self.path.as_deref().filter(|path| !path.is_empty());
        let message = match path {
            Some(path) if !self.message.starts_with(path) => format!("{path}: {}", self.message),
            _ => self.message.clone(),
        };
        let mut out = format!("error: {message}\n  --> {}", self.file);
        let (Some(line), Some(column)) = (self.line, self.column) else {
            return out;
        };
        out.push_str(&format!(":{line}:{column}"));
        if let Some(excerpt) = &self.excerpt {
            let number = line.to_string();
            let margin = " ".repeat(number.len());
            let text = &excerpt.line;
            let carets = "^".repeat(excerpt.length.max(1));
            let under = format!("{}{carets}", " ".repeat(excerpt.start));
            out.push_str(&format!(
                "\n{margin} |\n{number} | {text}\n{margin} | {under}"
            ));
        }
        out
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
            excerpt: Some(Box::new(excerpt(text, &span))),
        }
    }
}

/// Characters shown of a long line, around the fault.
const EXCERPT: usize = 100;

/// The line a span starts in, cut to [`EXCERPT`] characters, with the underlined part.
fn excerpt(text: &str, span: &std::ops::Range<usize>) -> Excerpt {
    let (_, column) = line_and_column(text, span.start);
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let skipped = (column - 1).saturating_sub(EXCERPT / 2);
    let skipped = if line.chars().nth(EXCERPT).is_some() {
        skipped
    } else {
        0
    };
    let shown: String = line.chars().skip(skipped).take(EXCERPT).collect();
    let shown = shown.replace(|c: char| c.is_control(), " ");
    let begin = column - 1 - skipped;
    let width = text.get(start..span.end).map_or(1, |part| {
        part.lines()
            .next()
            .map_or(1, |part| part.chars().take(EXCERPT).count())
    });
    let room = shown.chars().count().saturating_sub(begin);
    Excerpt {
        line: shown,
        start: begin,
        length: width.min(room),
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
    fn the_fault_is_underlined_in_its_line_however_long() {
        let error = InputError::at("f.toml", "a = 1\nmu = -0.3 # x\n", 11..15, "is negative");
        assert_eq!(
            error.render(),
            "error: is negative\n  --> f.toml:2:6\n  |\n2 | mu = -0.3 # x\n  |      ^^^^"
        );
        let long = format!("{}!{}", "x".repeat(5000), "y".repeat(5000));
        let error = InputError::at("f", &long, 5000..5001, "found '!'");
        let excerpt = error.excerpt.clone().unwrap();
        let marked = excerpt.line.chars().nth(excerpt.start);
        assert_eq!((marked, excerpt.length), (Some('!'), 1));
        assert!(error.render().len() < 400);
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(line_and_column("a\nμμ = x", 9), (2, 6));
        assert_eq!(line_and_column("", 5), (1, 1));
    }
}
