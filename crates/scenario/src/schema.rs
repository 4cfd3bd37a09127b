//! JSON Schema of the file formats, made from the types that read them.

use crate::forward::RawForward;
use crate::problem::RawProblem;
use crate::scenario::RawScenario;

/// JSON Schema of an impact problem.
pub fn problem_schema() -> serde_json::Value {
    schemars::schema_for!(RawProblem).to_value()
}

/// JSON Schema of a forward problem.
pub fn forward_schema() -> serde_json::Value {
    schemars::schema_for!(RawForward).to_value()
}

/// JSON Schema of a scenario.
pub fn scenario_schema() -> serde_json::Value {
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
        ] {
            assert!(keys.contains_key(key), "{key}");
        }
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(
            schema["required"],
            serde_json::json!(["mass", "velocity", "contacts"])
        );
    }
}
