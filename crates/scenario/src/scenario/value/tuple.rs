//! Vectors as they are written: two numbers in the plane, three in space.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer};

use super::Number;

/// Two numbers, x and y, or three, x, y and z. Which is right the space of the scenario says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tuple {
    /// `[x, y]`
    Two([f64; 2]),
    /// `[x, y, z]`
    Three([f64; 3]),
}

impl Tuple {
    /// Three numbers, the last one 0 in the plane.
    pub(crate) fn three(self) -> [f64; 3] {
        match self {
            Self::Two([x, y]) => [x, y, 0.0],
            Self::Three(numbers) => numbers,
        }
    }
}

const TUPLE: &str = "two numbers [x, y], in space three numbers [x, y, z]";

impl<'de> Deserialize<'de> for Tuple {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;

        impl<'de> de::Visitor<'de> for Numbers {
            type Value = Tuple;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(TUPLE)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<Tuple, A::Error> {
                let numbers: Vec<Number> =
                    Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
                match numbers[..] {
                    [x, y] => Ok(Tuple::Two([x.0, y.0])),
                    [x, y, z] => Ok(Tuple::Three([x.0, y.0, z.0])),
                    _ => Err(de::Error::custom(format!("expected {TUPLE}"))),
                }
            }
        }

        deserializer.deserialize_any(Numbers)
    }
}

impl JsonSchema for Tuple {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Tuple".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 3
        })
    }
}
