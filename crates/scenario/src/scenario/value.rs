//! Values of a scenario: numbers with their ranges, angles, pairs, named tables.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer};

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

/// What the unit written after a number says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// No unit: SI.
    None,
    /// `deg` or `rad`
    Angle,
    /// `deg/s` or `rad/s`
    AngularRate,
}

/// A number in SI units, or a text such as `"140 deg"` or `"10 deg/s"`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quantity {
    /// In SI units.
    pub(crate) value: f64,
    /// The unit it was written with.
    pub(crate) unit: Unit,
}

/// Reads `"140 deg"`.
fn with_unit(text: &str) -> Option<Quantity> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_whitespace() || "dr".contains(c))?;
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().ok().filter(|x: &f64| x.abs() <= LARGEST)?;
    let (unit, is_degrees) = match unit.trim() {
        "deg" => (Unit::Angle, true),
        "rad" => (Unit::Angle, false),
        "deg/s" => (Unit::AngularRate, true),
        "rad/s" => (Unit::AngularRate, false),
        _ => return None,
    };
    let value = if is_degrees {
        number.to_radians()
    } else {
        number
    };
    Some(Quantity { value, unit })
}

struct QuantityVisitor;

const QUANTITY: &str = "a number of size at most 1e40, or a text such as \"140 deg\"";

impl de::Visitor<'_> for QuantityVisitor {
    type Value = Quantity;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(QUANTITY)
    }

    fn visit_f64<E: de::Error>(self, x: f64) -> Result<Quantity, E> {
        match x.abs() <= LARGEST {
            true => Ok(Quantity {
                value: x,
                unit: Unit::None,
            }),
            false => Err(E::custom(format!("expected {QUANTITY}"))),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
        with_unit(text).ok_or_else(|| E::custom(format!("expected {QUANTITY}")))
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuantityVisitor)
    }
}

impl JsonSchema for Quantity {
    fn schema_name() -> Cow<'static, str> {
        "Quantity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number in SI units, or a text such as \"140 deg\" or \"10 deg/s\".",
            "anyOf": [
                { "type": "number" },
                { "type": "string", "pattern": "^\\s*[-+0-9.eE]+\\s*(deg|rad)(/s)?\\s*$" }
            ]
        })
    }
}

/// An angle: radians, or a text such as `"140 deg"`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Angle(pub(crate) f64);

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let quantity = Quantity::deserialize(deserializer)?;
        match quantity.unit {
            Unit::None | Unit::Angle => Ok(Self(quantity.value)),
            Unit::AngularRate => Err(de::Error::custom(
                "found an angle per second, expected an angle in radians or as \"140 deg\"",
            )),
        }
    }
}

impl JsonSchema for Angle {
    fn schema_name() -> Cow<'static, str> {
        "Angle".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An angle: a number in radians, or a text such as \"140 deg\".",
            "anyOf": [
                { "type": "number" },
                { "type": "string", "pattern": "^\\s*[-+0-9.eE]+\\s*(deg|rad)\\s*$" }
            ]
        })
    }
}

/// One quantity, or a list of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantities {
    /// The quantities.
    pub(crate) values: Vec<Quantity>,
    /// Whether they were written as a list.
    pub(crate) is_list: bool,
}

impl<'de> Deserialize<'de> for Quantities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;

        fn one(value: Quantity) -> Quantities {
            Quantities {
                values: vec![value],
                is_list: false,
            }
        }

        impl<'de> de::Visitor<'de> for OneOrMany {
            type Value = Quantities;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{QUANTITY}, or a list of these")
            }

            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Quantities, E> {
                QuantityVisitor.visit_f64(x).map(one)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantities, E> {
                QuantityVisitor.visit_str(text).map(one)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<Quantities, A::Error> {
                let values = Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
                Ok(Quantities {
                    values,
                    is_list: true,
                })
            }
        }

        deserializer.deserialize_any(OneOrMany)
    }
}

impl JsonSchema for Quantities {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Quantities".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Quantity>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

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

/// A value that may oscillate: `constant + amplitude cos(frequency t + phase)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Varying<T> {
    pub(crate) constant: Option<T>,
    pub(crate) amplitude: Option<T>,
    pub(crate) frequency: f64,
    pub(crate) phase: f64,
}

/// `constant + amplitude cos(frequency t + phase)`
#[derive(serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Varying")]
#[schemars(inline)]
struct VaryingTable<T> {
    /// Steady part (N or N·m). Default: 0.
    constant: Option<T>,
    /// Amplitude of the oscillation (N or N·m). Default: 0.
    amplitude: Option<T>,
    /// Its angular frequency (rad/s). Default: 0.
    frequency: Option<Number>,
    /// Its phase at t = 0. Default: 0.
    phase: Option<Angle>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Varying<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);

        fn steady<T>(constant: T) -> Varying<T> {
            Varying {
                constant: Some(constant),
                amplitude: None,
                frequency: 0.0,
                phase: 0.0,
            }
        }

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Either<T> {
            type Value = Varying<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a constant value or a table {constant, amplitude, frequency, phase}")
            }

            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Varying<T>, E> {
                T::deserialize(x.into_deserializer()).map(steady)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<Varying<T>, A::Error> {
                T::deserialize(SeqAccessDeserializer::new(list)).map(steady)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Varying<T>, A::Error> {
                let table = VaryingTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Varying {
                    constant: table.constant,
                    amplitude: table.amplitude,
                    frequency: table.frequency.map_or(0.0, |x| x.0),
                    phase: table.phase.map_or(0.0, |x| x.0),
                })
            }
        }

        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Varying<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Varying{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let constant = generator.subschema_for::<T>();
        let table = generator.subschema_for::<VaryingTable<T>>();
        json_schema!({ "anyOf": [constant, table] })
    }
}

/// Tables by name, in file order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named<T>(pub(crate) Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A name that can be a step of a path.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let is_forbidden = |c: char| c.is_control() || "[]=\"'".contains(c) || c == '.';
        let is_trimmed = name.trim() == name && !name.is_empty();
        if is_trimmed && name.len() <= 64 && !name.contains(is_forbidden) {
            return Ok(Self(name));
        }
        Err(de::Error::custom(
            "this name cannot be a step of a path, expected 1 to 64 bytes without . [ ] = quotes, \
             control characters or spaces at the ends",
        ))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tables<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Tables<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a table of named tables")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let mut tables = Vec::new();
                while let Some(Name(name)) = map.next_key()? {
                    tables.push((name, map.next_value()?));
                }
                Ok(Named(tables))
            }
        }

        deserializer.deserialize_any(Tables(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Named{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let each = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": each })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_is_read_with_its_unit_to_the_last_bit() {
        let read = |text: &str| with_unit(text).map(|q| (q.value, q.unit));
        assert_eq!(read("140 deg"), Some((140f64.to_radians(), Unit::Angle)));
        assert_eq!(
            read("-1.5e1deg"),
            Some(((-15f64).to_radians(), Unit::Angle))
        );
        assert_eq!(read(" 2 rad "), Some((2.0, Unit::Angle)));
        assert_eq!(
            read("10 deg/s"),
            Some((10f64.to_radians(), Unit::AngularRate))
        );
        for text in [
            "",
            "deg",
            "140",
            "140 degrees",
            "nan deg",
            "1e99 deg",
            "1 2 deg",
            "1 m",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
