//! Numbers that may carry a unit: angles and their rates.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer};

use super::number::LARGEST;

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
