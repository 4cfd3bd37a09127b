//! TOML into a tree with positions.

use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::{MAX_DEPTH, Node, Origin, Source, Value};
use crate::InputError;

/// Parses a TOML document.
pub(super) fn parse(source: Source<'_>) -> Result<Node, InputError> {
    let table = DeTable::parse(source.text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().trim().replace('\n', ", ");
        InputError::at(source.name, source.text, span, message)
    })?;
    let span = table.span();
    let value = table_value(source, table.get_ref(), 0)?;
    Ok(Node {
        value,
        origin: Origin::File(span),
    })
}

/// Parses one TOML value, such as the right-hand side of an override.
pub(super) fn parse_value(source: Source<'_>) -> Option<Node> {
    let value = DeValue::parse(source.text).ok()?;
    node(source, &value, 0).ok()
}

fn table_value(source: Source<'_>, table: &DeTable<'_>, depth: usize) -> Result<Value, InputError> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let name = key.get_ref().to_string();
        entries.push((
            name,
            Origin::File(key.span()),
            node(source, value, depth + 1)?,
        ));
    }
    Ok(Value::Table(entries))
}

fn node(
    source: Source<'_>,
    spanned: &Spanned<DeValue<'_>>,
    depth: usize,
) -> Result<Node, InputError> {
    let span = spanned.span();
    let refuse = |message: String| {
        Err(InputError::at(
            source.name,
            source.text,
            span.clone(),
            message,
        ))
    };
    if depth > MAX_DEPTH {
        return refuse(format!(
            "lists and tables are nested deeper than {MAX_DEPTH}"
        ));
    }
    let value = match spanned.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(value) => match integer(value) {
            Some(x) => Value::Number(x),
            None => return refuse(format!("{value} is not a number")),
        },
        DeValue::Float(value) => match float(value) {
            Some(x) => Value::Number(x),
            None => {
                return refuse(format!(
                    "{} is too large, expected a number below 1.8e308",
                    value.as_str()
                ));
            }
        },
        DeValue::Datetime(value) => {
            return refuse(format!(
                "found the date {value}, expected a number or a text"
            ));
        }
        DeValue::Array(items) => {
            let items = items.iter().map(|item| node(source, item, depth + 1));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => table_value(source, table, depth)?,
    };
    Ok(Node {
        value,
        origin: Origin::File(span),
    })
}

fn integer(value: &DeInteger<'_>) -> Option<f64> {
    if value.radix() == 10 {
        return value.as_str().parse().ok();
    }
    i128::from_str_radix(value.as_str(), value.radix())
        .ok()
        .map(|x| x as f64)
}

/// The number; `inf` and `nan` are legal TOML and left for the reader to judge.
fn float(value: &DeFloat<'_>) -> Option<f64> {
    let text = value.as_str();
    let parsed: f64 = text.parse().ok()?;
    let is_spelt_out = text.contains("inf");
    (is_spelt_out || !parsed.is_infinite()).then_some(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> f64 {
        let text = format!("x = {text}");
        let node = parse(Source {
            name: "t",
            text: &text,
        });
        match node.unwrap().value {
            Value::Table(entries) => match entries[0].2.value {
                Value::Number(x) => x,
                ref other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_spelling_of_a_number_is_read() {
        for (text, expected) in [
            ("1_000", 1000.0),
            ("-2.5e-3", -0.0025),
            ("+7", 7.0),
            ("0x1f", 31.0),
            ("inf", f64::INFINITY),
            ("9007199254740993", 9007199254740992.0),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
        assert!(number("nan").is_nan());
    }

    #[test]
    fn a_fault_is_reported_where_it_stands() {
        let text = "mass = [[1]]\nvelocity = [1, = 2]\n";
        let error = parse(Source { name: "t", text }).unwrap_err();
        assert_eq!(error.line, Some(2), "{error}");
        let text = "x = 1e999";
        let error = parse(Source { name: "t", text }).unwrap_err();
        assert!(error.message.contains("too large"), "{error}");
    }
}
