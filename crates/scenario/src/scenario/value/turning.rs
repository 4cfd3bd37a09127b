//! What turns: moments, inertias, rotations. A number or an angle in the plane, more in space.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer};

use super::{Angle, Number, Tuple};

/// A torque: a number in the plane, three in space (N·m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Torque {
    /// About the axis out of the plane.
    Number(f64),
    /// About x, y and z.
    Three([f64; 3]),
}

/// Inertia about the mass centre (kg·m²).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RawInertia {
    /// In the plane.
    Number(f64),
    /// In space, the axes of the body being principal.
    Three([f64; 3]),
    /// In space, by rows.
    Matrix([[f64; 3]; 3]),
}

/// A rotation as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RawRotation {
    /// In the plane: counter-clockwise (rad).
    Angle(f64),
    /// In space: about an axis of any length but zero (rad).
    About {
        /// The axis.
        axis: Tuple,
        /// The angle, right-handed.
        angle: f64,
    },
    /// In space: `[w, x, y, z]`, of any length but zero.
    Quaternion([f64; 4]),
}

/// Reads what is a number, a text, a list or a table, whichever of them it may be.
trait Mixed: Sized {
    const EXPECTED: &'static str;

    fn number(_: f64) -> Option<Self> {
        None
    }
    /// From a list of items, each a number or a list of numbers.
    fn list(items: &[Item]) -> Option<Self>;
}

/// A number, or a list of three.
enum Item {
    One(f64),
    Row([f64; 3]),
}

impl Mixed for Item {
    const EXPECTED: &'static str = "a number of size at most 1e40, or a row of three";

    fn number(x: f64) -> Option<Self> {
        Some(Self::One(x))
    }

    fn list(items: &[Item]) -> Option<Self> {
        three(items).map(Self::Row)
    }
}

impl Mixed for Torque {
    const EXPECTED: &'static str = "a number, in space three numbers [x, y, z]";

    fn number(x: f64) -> Option<Self> {
        Some(Self::Number(x))
    }

    fn list(items: &[Item]) -> Option<Self> {
        three(items).map(Self::Three)
    }
}

impl Mixed for RawInertia {
    const EXPECTED: &'static str =
        "a number >= 0 and at most 1e40, in space three numbers or three rows of three";

    fn number(x: f64) -> Option<Self> {
        (x >= 0.0).then_some(Self::Number(x))
    }

    fn list(items: &[Item]) -> Option<Self> {
        match items {
            [Item::Row(x), Item::Row(y), Item::Row(z)] => Some(Self::Matrix([*x, *y, *z])),
            _ => three(items).map(Self::Three),
        }
    }
}

fn three(items: &[Item]) -> Option<[f64; 3]> {
    match items {
        [Item::One(x), Item::One(y), Item::One(z)] => Some([*x, *y, *z]),
        _ => None,
    }
}

/// Visits a number or a list.
struct NumberOrList<T>(std::marker::PhantomData<T>);

fn refused<T: Mixed, E: de::Error>() -> E {
    E::custom(format!("expected {}", T::EXPECTED))
}

impl<'de, T: Mixed> de::Visitor<'de> for NumberOrList<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_f64<E: de::Error>(self, x: f64) -> Result<T, E> {
        let number = Number::deserialize(x.into_deserializer());
        let number = number.map_err(|_: E| refused::<T, E>())?;
        T::number(number.0).ok_or_else(refused::<T, E>)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        let items: Vec<Item> = Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
        T::list(&items).ok_or_else(refused::<T, A::Error>)
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrList(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Torque {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrList(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for RawInertia {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrList(std::marker::PhantomData))
    }
}

/// A turn about an axis.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Turn")]
struct Turn {
    /// Axis of the turn, any length but zero.
    axis: Tuple,
    /// Angle of the turn, right-handed.
    angle: Angle,
}

const ROTATION: &str =
    "an angle, in space a table {axis, angle} or four numbers [w, x, y, z] of a quaternion";

impl<'de> Deserialize<'de> for RawRotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        fn angle<E: de::Error>(read: Result<Angle, E>) -> Result<RawRotation, E> {
            match read {
                Ok(angle) => Ok(RawRotation::Angle(angle.0)),
                Err(_) => Err(E::custom(format!("expected {ROTATION}"))),
            }
        }

        impl<'de> de::Visitor<'de> for Any {
            type Value = RawRotation;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(ROTATION)
            }

            fn visit_f64<E: de::Error>(self, x: f64) -> Result<RawRotation, E> {
                angle(Angle::deserialize(x.into_deserializer()))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<RawRotation, E> {
                angle(Angle::deserialize(text.into_deserializer()))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<RawRotation, A::Error> {
                let four: Vec<Number> = Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
                match four[..] {
                    [w, x, y, z] => Ok(RawRotation::Quaternion([w, x, y, z].map(|x| x.0))),
                    _ => Err(de::Error::custom(format!("expected {ROTATION}"))),
                }
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<RawRotation, A::Error> {
                let Turn { axis, angle } = Turn::deserialize(MapAccessDeserializer::new(map))?;
                let angle = angle.0;
                Ok(RawRotation::About { axis, angle })
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// Declares what the schema says of a type.
macro_rules! schema {
    ($name:ident, $generator:ident, $schema:tt) => {
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

schema!(Torque, _generator, {
    "anyOf": [
        { "type": "number" },
        { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
    ]
});
schema!(RawInertia, _generator, {
    "anyOf": [
        { "type": "number", "minimum": 0 },
        { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 },
        {
            "type": "array", "minItems": 3, "maxItems": 3,
            "items": { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
        }
    ]
});
schema!(RawRotation, generator, {
    "anyOf": [
        generator.subschema_for::<Angle>(),
        generator.subschema_for::<Turn>(),
        { "type": "array", "items": { "type": "number" }, "minItems": 4, "maxItems": 4 }
    ]
});
