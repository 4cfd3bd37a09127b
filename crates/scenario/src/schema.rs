//! JSON Schema of the file formats, made from the types that read them.

use serde_json::{Map, Value, json};

use crate::contact_space::RawContactSpace;
use crate::forward::{RawForward, RawStatedForward};
use crate::problem::RawProblem;
use crate::scenario::RawScenario;

/// JSON Schema of an impact problem: in coordinates, or in contact space.
pub fn problem_schema() -> Value {
    either(
        schemars::schema_for!(RawProblem).to_value(),
        &schemars::schema_for!(RawContactSpace).to_value(),
    )
}

/// JSON Schema of a forward problem: in coordinates, or in contact space.
pub fn forward_schema() -> Value {
    either(
        schemars::schema_for!(RawForward).to_value(),
        &schemars::schema_for!(RawStatedForward).to_value(),
    )
}

/// One table of all keys of two forms; which belong together stands under `oneOf`, with the contacts of each form.
fn either(mut whole: Value, stated: &Value) -> Value {
    let required = |schema: &Value| schema["required"].as_array().cloned().unwrap_or_default();
    let (of_whole, of_stated) = (required(&whole), required(stated));
    let both: Vec<Value> = of_whole
        .into_iter()
        .filter(|key| of_stated.contains(key))
        .collect();
    let forms = [form(&whole, stated, &both), form(stated, &whole, &both)];
    for place in ["properties", "$defs"] {
        let added = stated[place].as_object().cloned().unwrap_or_default();
        if let Some(known) = whole[place].as_object_mut() {
            added.into_iter().for_each(|(key, value)| {
                known.entry(key).or_insert(value);
            });
        }
    }
    whole["properties"]["contacts"]["items"] = json!({});
    whole["required"] = json!(both);
    whole["oneOf"] = json!(forms);
    whole
}

/// The keys that one form requires beside those of both, and its contacts; the keys of the other are not there.
fn form(schema: &Value, other: &Value, both: &[Value]) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let own = required.into_iter().filter(|key| !both.contains(key));
    let own: Vec<Value> = own.collect();
    let has = |key: &&String| schema["properties"].get(key.as_str()).is_some();
    let keys = other["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys);
    let foreign = keys.filter(|key| !has(key));
    let mut properties: Map<String, Value> =
        foreign.map(|key| (key.clone(), json!(false))).collect();
    let mut items = schema["properties"]["contacts"]["items"].clone();
    if items.is_null() {
        items = json!({});
    }
    properties.insert("contacts".to_owned(), json!({ "items": items }));
    json!({ "required": own, "properties": properties })
}

/// JSON Schema of a scenario.
pub fn scenario_schema() -> Value {
    schemars::schema_for!(RawScenario).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_names_every_key_and_forbids_others() {
        let schema = problem_schema();
        let keys = schema["properties"].as_object().unwrap();
        for key in [
            "mass",
            "velocity",
            "contacts",
            "constraints",
            "law",
            "method",
            "title",
            "delassus",
            "contact_velocity",
        ] {
            assert!(keys.contains_key(key), "{key}");
        }
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["required"], json!(["contacts"]));
        let [mechanism, contacts] = &schema["oneOf"].as_array().unwrap()[..] else {
            panic!("{}", schema["oneOf"]);
        };
        assert_eq!(mechanism["required"], json!(["mass", "velocity"]));
        assert_eq!(mechanism["properties"]["delassus"], false);
        assert_eq!(
            contacts["required"],
            json!(["delassus", "contact_velocity"])
        );
        assert_eq!(mechanism["properties"].as_object().unwrap().len(), 3);
        assert_eq!(contacts["properties"].as_object().unwrap().len(), 4);
        for (form, required) in [
            (mechanism, json!(["normal", "restitution"])),
            (contacts, json!(["restitution"])),
        ] {
            let items = form["properties"]["contacts"]["items"]["$ref"]
                .as_str()
                .unwrap();
            let name = items.rsplit('/').next().unwrap();
            assert_eq!(schema["$defs"][name]["required"], required);
        }
    }
}
