//! The case book, `cases/<key>/`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::near::assert_near;

/// The text of a file of the case book.
pub fn text(path: &str) -> String {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases"));
    fs::read_to_string(folder.join(path)).unwrap_or_else(|error| panic!("cases/{path}: {error}"))
}

/// The cases of a reference computed elsewhere.
pub fn cases(key: &str) -> Vec<Value> {
    match Book::open(key).0["cases"].take() {
        Value::Array(cases) => cases,
        other => panic!("{key} has no list of cases: {other}"),
    }
}

/// The numbers of a value, however deep.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Null => Vec::new(),
        _ => vec![value.as_f64().unwrap()],
    }
}

/// What a case expects, under its keys.
pub struct Book(pub Value);

impl Book {
    pub fn open(key: &str) -> Self {
        let path = format!("{key}/expected.json");
        Self(serde_json::from_str(&text(&path)).unwrap())
    }

    #[track_caller]
    pub fn number(&self, key: &str) -> f64 {
        let number = self.0[key].as_f64();
        number.unwrap_or_else(|| panic!("{key} has no number"))
    }

    pub fn numbers(&self, key: &str) -> Vec<f64> {
        numbers(&self.0[key])
    }

    /// Meets the number of this name within the tolerance of the case.
    #[track_caller]
    pub fn assert_near(&self, key: &str, found: f64) {
        assert_near(key, found, self.number(key), self.number("tolerance"));
    }
}
