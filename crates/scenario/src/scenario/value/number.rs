//! Numbers with their ranges.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};

/// Largest size of a number: products of four still are numbers.
pub(crate) const LARGEST: f64 = 1e40;

/// Declares a number that is refused outside its range, with what the schema says of it.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident, $expected:literal, $is_allowed:expr, $schema:tt) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) struct $name(pub(crate) f64);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let is_allowed: fn(f64) -> bool = $is_allowed;
                let read = InRange { expected: $expected, is_allowed };
                deserializer.deserialize_any(read).map(Self)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

number!(
    /// Any number.
    Number, "a number of size at most 1e40", |x| x.abs() <= LARGEST, { "type": "number" }
);
number!(
    /// A number >= 0.
    NotNegative,
    "a number >= 0 and at most 1e40",
    |x| (0.0..=LARGEST).contains(&x),
    { "type": "number", "minimum": 0 }
);
number!(
    /// A number > 0.
    Positive,
    "a number > 0 and at most 1e40",
    |x| x > 0.0 && x <= LARGEST,
    { "type": "number", "exclusiveMinimum": 0 }
);
number!(
    /// A number from 0 to 1.
    Fraction,
    "a number from 0 to 1",
    |x| (0.0..=1.0).contains(&x),
    { "type": "number", "minimum": 0, "maximum": 1 }
);
number!(
    /// An integration tolerance: rounding lets no step meet less.
    Tolerance,
    "a number from 1e-15 to 0.01",
    |x| (1e-15..=0.01).contains(&x),
    { "type": "number", "minimum": 1e-15, "maximum": 0.01 }
);

/// Reads a number of a range.
struct InRange {
    expected: &'static str,
    is_allowed: fn(f64) -> bool,
}

impl de::Visitor<'_> for InRange {
    type Value = f64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_f64<E: de::Error>(self, x: f64) -> Result<f64, E> {
        match (self.is_allowed)(x) {
            true => Ok(x),
            false => Err(E::custom(format!("expected {}", self.expected))),
        }
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(pub(crate) usize);

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let x = Number::deserialize(deserializer)?.0;
        let is_allowed = x.fract() == 0.0 && (f64::from(MIN)..=f64::from(MAX)).contains(&x);
        match is_allowed {
            true => Ok(Self(x as usize)),
            false => Err(de::Error::custom(format!(
                "found the number {x}, expected a whole number from {MIN} to {MAX}"
            ))),
        }
    }
}

impl<const MIN: u32, const MAX: u32> JsonSchema for Whole<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Whole{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}
