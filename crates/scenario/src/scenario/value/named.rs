//! Tables by name.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};

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
