//! The JSON Schemas of `docs/schema`, and the mistakes of a value by one of them.

use jsonschema::Validator;
use serde_json::Value;
use std::sync::OnceLock;

/// A schema of `docs/schema`.
#[derive(Clone, Copy, Debug)]
pub enum Schema {
    /// `finding.json` of a finding's folder.
    Finding,
    /// A line of `squall fuzz --format json`.
    Event,
}

impl Schema {
    pub fn document(self) -> Value {
        let text = match self {
            Schema::Finding => include_str!("../../../../../docs/schema/finding.json"),
            Schema::Event => include_str!("../../../../../docs/schema/events.json"),
        };
        serde_json::from_str(text).expect("a schema is JSON")
    }

    fn validator(self) -> &'static Validator {
        static VALIDATORS: [OnceLock<Validator>; 2] = [const { OnceLock::new() }; 2];
        VALIDATORS[self as usize].get_or_init(|| jsonschema::validator_for(&self.document()).expect("a schema"))
    }

    /// Returns the mistakes in a value, with their places.
    pub fn mistakes(self, value: &Value) -> Vec<String> {
        let errors = self.validator().iter_errors(value);
        errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
    }

    /// # Panics
    /// The value does not follow the schema.
    pub fn check(self, value: &Value) {
        assert_eq!(self.mistakes(value), Vec::<String>::new(), "{self:?}: {value:#}");
    }
}
