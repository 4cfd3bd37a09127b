//! JSON into a tree with positions.

use std::collections::HashSet;

use super::{MAX_DEPTH, Node, Origin, Source, Value};
use crate::InputError;

/// Parses one JSON value that fills the whole text.
pub(super) fn parse(source: Source<'_>) -> Result<Node, InputError> {
    let mut parser = Parser {
        source,
        bytes: source.text.as_bytes(),
        at: source.text.len() - source.text.trim_start_matches('\u{feff}').len(),
    };
    parser.skip_space();
    let node = parser.value(0)?;
    parser.skip_space();
    if parser.at < parser.bytes.len() {
        return Err(parser.error("more text after the end of the value, expected nothing (many problems, one a line, go in a .jsonl file or through standard input)"));
    }
    Ok(node)
}

struct Parser<'a> {
    source: Source<'a>,
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> InputError {
        let end = (self.at + 1).min(self.bytes.len()).max(self.at);
        InputError::at(self.source.name, self.source.text, self.at..end, message)
    }

    fn unexpected(&self, expected: &str) -> InputError {
        let found = match self
            .source
            .text
            .get(self.at..)
            .map(|rest| rest.chars().next())
        {
            Some(Some(c)) => format!("found {c:?}"),
            _ => "the text ends".to_owned(),
        };
        self.error(format!("{found}, expected {expected}"))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, InputError> {
        if depth > MAX_DEPTH {
            return Err(self.error(format!(
                "lists and tables are nested deeper than {MAX_DEPTH}"
            )));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.text()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => return Err(self.unexpected("a JSON value")),
        };
        Ok(Node {
            value,
            origin: Origin::File(start..self.at),
        })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, InputError> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.unexpected("a JSON value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, InputError> {
        let start = self.at;
        let digits = |parser: &mut Self| {
            let from = parser.at;
            while matches!(parser.peek(), Some(b'0'..=b'9')) {
                parser.at += 1;
            }
            parser.at - from
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading = self.peek();
        let whole = digits(self);
        let is_padded = whole > 1 && leading == Some(b'0');
        let mut is_number = whole > 0 && !is_padded;
        if self.peek() == Some(b'.') {
            self.at += 1;
            is_number &= digits(self) > 0;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            is_number &= digits(self) > 0;
        }
        let text = &self.source.text[start..self.at];
        let parsed = text.parse::<f64>().ok().filter(|_| is_number);
        let span = start..self.at;
        let refuse = |why: String| InputError::at(self.source.name, self.source.text, span, why);
        match parsed {
            None => Err(refuse(format!("{text} is not a number JSON knows"))),
            Some(x) if x.is_infinite() => Err(refuse(format!(
                "{text} is too large, expected a number below 1.8e308"
            ))),
            Some(x) => Ok(Value::Number(x)),
        }
    }

    /// A text literal; the escapes are left to `serde_json`.
    fn text(&mut self) -> Result<String, InputError> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None | Some(b'\n') => return Err(self.unexpected("the closing quote of a text")),
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let Some(literal) = self.source.text.get(start..self.at) else {
            return Err(self.unexpected("the closing quote of a text"));
        };
        serde_json::from_str(literal).map_err(|error| {
            let span = start..self.at;
            let message = format!("the text is not valid JSON: {error}");
            InputError::at(self.source.name, self.source.text, span, message)
        })
    }

    fn list(&mut self, depth: usize) -> Result<Value, InputError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.unexpected("a comma or the closing bracket of a list")),
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    fn table(&mut self, depth: usize) -> Result<Value, InputError> {
        self.at += 1;
        let mut entries: Vec<(String, Origin, Node)> = Vec::new();
        let mut known = HashSet::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Table(entries));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let start = self.at;
            let key = self.text()?;
            let span = start..self.at;
            if !known.insert(key.clone()) {
                let message = format!("key \"{key}\" is given twice, expected once");
                let source = self.source;
                return Err(InputError::at(source.name, source.text, span, message));
            }
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("a colon after the key"));
            }
            self.at += 1;
            self.skip_space();
            let node = self.value(depth + 1)?;
            entries.push((key, Origin::File(span), node));
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected("a comma or the closing brace of a table")),
            }
        }
        self.at += 1;
        Ok(Value::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Node, InputError> {
        parse(Source { name: "t", text })
    }

    /// The tree without its positions, in the types of `serde_json`.
    fn plain(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(b) => (*b).into(),
            Value::Number(x) => (*x).into(),
            Value::Text(t) => t.as_str().into(),
            Value::List(items) => items.iter().map(plain).collect(),
            Value::Table(entries) => entries
                .iter()
                .map(|(key, _, node)| (key.clone(), plain(node)))
                .collect(),
        }
    }

    #[test]
    fn what_serde_json_reads_is_read_alike() {
        for text in [
            "null",
            "[true, false, [], {}, -0.5e-3, 12, 1E5]",
            r#" {"a": {"b": [1.0, 2.5]}, "c\n\u00e9": "μ \" \\ "} "#,
        ] {
            let other: serde_json::Value = serde_json::from_str(text).unwrap();
            let ours = plain(&parse_text(text).unwrap());
            assert_eq!(ours.to_string(), floats(&other).to_string(), "{text}");
        }
    }

    fn floats(value: &serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Number(x) => x.as_f64().into(),
            serde_json::Value::Array(items) => items.iter().map(floats).collect(),
            serde_json::Value::Object(map) => {
                map.iter().map(|(k, v)| (k.clone(), floats(v))).collect()
            }
            other => other.clone(),
        }
    }

    #[test]
    fn malformed_text_is_refused_at_its_first_fault() {
        for (text, line, column, said) in [
            (
                "{\"a\": 1,\n  b: 2}",
                2,
                3,
                "expected a key in double quotes",
            ),
            ("[1, 2", 1, 6, "the text ends, expected a comma"),
            ("[1 2]", 1, 4, "found '2', expected a comma"),
            ("{\"a\": 01}", 1, 7, "01 is not a number"),
            ("{\"a\": 1e999}", 1, 7, "1e999 is too large"),
            ("{\"a\": 1, \"a\": 2}", 1, 10, "given twice"),
            ("{\"a\": \"x}", 1, 10, "the closing quote"),
            ("{} x", 1, 4, "more text after the end"),
            ("nul", 1, 1, "expected a JSON value"),
            ("-", 1, 1, "not a number"),
            ("[\"\\q\"]", 1, 2, "not valid JSON"),
            ("\"\\", 1, 3, "the closing quote"),
        ] {
            let error = parse_text(text).unwrap_err();
            let place = (error.line, error.column);
            assert_eq!(place, (Some(line), Some(column)), "{text}: {error}");
            assert!(error.message.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow_the_stack() {
        let error = parse_text(&"[".repeat(100_000)).unwrap_err();
        assert!(error.message.contains("nested deeper"), "{error}");
    }

    #[test]
    fn random_bytes_never_panic() {
        let mut rng = fastrand::Rng::with_seed(11);
        let alphabet: Vec<char> = "{}[]\",:0123e+-.truefalsn\\μ \n".chars().collect();
        let mut accepted = 0;
        for _ in 0..20_000 {
            let text: String = (0..rng.usize(0..40))
                .map(|_| alphabet[rng.usize(0..alphabet.len())])
                .collect();
            let ours = parse_text(&text).is_ok();
            let duplicates_or_range = serde_json::from_str::<serde_json::Value>(&text);
            accepted += usize::from(ours);
            if ours {
                assert!(duplicates_or_range.is_ok(), "{text:?}");
            }
        }
        assert!(accepted > 100, "some of the noise is JSON: {accepted}");
    }
}
