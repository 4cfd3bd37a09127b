//! Laws and methods as files name them: one spelling, that of `carom_contact`.

use std::borrow::Cow;
use std::marker::PhantomData;

use carom_contact::impact::{Law, Method};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, VariantAccess};

/// What a place of a file may name.
pub(crate) trait Choice {
    /// What is named: `law` or `method`.
    const WHAT: &'static str;
    /// The sentence of the schema.
    const MEANING: &'static str;
    /// The names, each with what it means.
    fn names() -> Vec<(&'static str, &'static str)>;
}

/// Every law of restitution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnyLaw;

/// Those that follow the path of an impact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathLaw;

/// Every law, or all of them at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnyLawOrAll;

/// Every method for several contacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnyMethod;

fn laws(is_in: impl Fn(Law) -> bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let found = Law::ALL.into_iter().filter(move |law| is_in(*law));
    found.map(|law| (law.name(), law.meaning()))
}

impl Choice for AnyLaw {
    const WHAT: &'static str = "law";
    const MEANING: &'static str = "A law of restitution.";

    fn names() -> Vec<(&'static str, &'static str)> {
        laws(|_| true).collect()
    }
}

impl Choice for PathLaw {
    const WHAT: &'static str = "law";
    const MEANING: &'static str = "A law of restitution that follows the path of an impact.";

    fn names() -> Vec<(&'static str, &'static str)> {
        laws(Law::follows_the_path).collect()
    }
}

impl Choice for AnyLawOrAll {
    const WHAT: &'static str = "law";
    const MEANING: &'static str = "A law of restitution, or all of them.";

    fn names() -> Vec<(&'static str, &'static str)> {
        let all = ("all", "Every law, side by side.");
        std::iter::once(all).chain(laws(|_| true)).collect()
    }
}

impl Choice for AnyMethod {
    const WHAT: &'static str = "method";
    const MEANING: &'static str = "A method for several contacts.";

    fn names() -> Vec<(&'static str, &'static str)> {
        let all = Method::ALL.into_iter();
        all.map(|method| (method.name(), method.meaning()))
            .collect()
    }
}

/// One of the names of a choice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<C> {
    name: &'static str,
    choice: PhantomData<C>,
}

impl<C> Name<C> {
    /// The law of that name; none of `all`.
    pub(crate) fn law(self) -> Option<Law> {
        self.name.parse().ok()
    }
}

impl Name<AnyMethod> {
    /// The method of that name.
    pub(crate) fn method(self) -> Method {
        self.name.parse().unwrap_or_default()
    }
}

impl<'de, C: Choice> Deserialize<'de> for Name<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum(C::WHAT, &[], OneOf(PhantomData))
    }
}

struct OneOf<C>(PhantomData<C>);

impl<'de, C: Choice> de::Visitor<'de> for OneOf<C> {
    type Value = Name<C>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a {}", C::WHAT)
    }

    fn visit_enum<A: de::EnumAccess<'de>>(self, data: A) -> Result<Name<C>, A::Error> {
        let (found, rest): (String, A::Variant) = data.variant()?;
        rest.unit_variant()?;
        let names = C::names();
        let known = names.iter().find(|(name, _)| *name == found);
        let name = known.map(|(name, _)| *name).ok_or_else(|| {
            let allowed: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            de::Error::custom(crate::document::unknown("name", &found, &allowed))
        })?;
        let choice = PhantomData;
        Ok(Name { name, choice })
    }
}

impl<C: Choice> JsonSchema for Name<C> {
    fn schema_name() -> Cow<'static, str> {
        C::WHAT.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let one = |(name, meaning): (&str, &str)| {
            let schema = json_schema!({ "description": meaning, "type": "string", "const": name });
            schema.to_value()
        };
        let names: Vec<serde_json::Value> = C::names().into_iter().map(one).collect();
        json_schema!({ "description": C::MEANING, "oneOf": names })
    }
}
