//! Two numbers.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer};

use super::Number;

/// Two numbers, x and y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pair(pub(crate) [f64; 2]);

impl<'de> Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Two;

        impl<'de> de::Visitor<'de> for Two {
            type Value = Pair;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("two numbers [x, y]")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<Pair, A::Error> {
                let numbers: Vec<Number> =
                    Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
                match numbers[..] {
                    [x, y] => Ok(Pair([x.0, y.0])),
                    _ => Err(de::Error::custom("expected two numbers [x, y]")),
                }
            }
        }

        deserializer.deserialize_any(Two)
    }
}

impl JsonSchema for Pair {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Pair".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2
        })
    }
}
