//! Values that may oscillate.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer};

use super::{Angle, Number};

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
