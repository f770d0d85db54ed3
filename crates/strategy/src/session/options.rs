//! The options of a session (SMT-LIB 2.7, section 4.1.7).

use std::time::Duration;

/// The options of a session.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SessionOptions {
    /// Whether every command without another response answers `success`. Off by default, as in most solvers.
    pub print_success: bool,
    /// Whether cores are wanted.
    pub produce_unsat_cores: bool,
    /// Whether `(get-assignment)` may be asked.
    pub produce_assignments: bool,
    /// Whether the assumptions of a core are wanted.
    pub produce_unsat_assumptions: bool,
    /// The time limit of each check, from `:timeout` in milliseconds, as in Z3.
    pub timeout: Option<Duration>,
    /// Options without effect here, as set: key and value.
    others: Vec<(Box<str>, Box<str>)>,
}

/// Boolean options of the standard without effect here: models are always available.
const TRUTHS: &[&str] =
    &[":global-declarations", ":interactive-mode", ":produce-assertions", ":produce-models", ":produce-proofs"];

/// Other options of the standard without effect here: answers always go to standard output.
const OTHERS: &[&str] = &[
    ":diagnostic-output-channel",
    ":random-seed",
    ":regular-output-channel",
    ":reproducible-resource-limit",
    ":verbosity",
];

impl SessionOptions {
    /// Sets an option; returns false if it is unknown.
    /// Errors: a value of the wrong type.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        let truth = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{key} takes true or false, not {value}")),
        };
        match key {
            ":print-success" => self.print_success = truth()?,
            ":produce-unsat-cores" => self.produce_unsat_cores = truth()?,
            ":produce-assignments" => self.produce_assignments = truth()?,
            ":produce-unsat-assumptions" => self.produce_unsat_assumptions = truth()?,
            ":timeout" => {
                let ms = value.parse().map_err(|_| format!("{key} takes a number of milliseconds, not {value}"))?;
                self.timeout = Some(Duration::from_millis(ms));
            }
            _ if TRUTHS.contains(&key) => drop(truth()?),
            _ => {}
        }
        let ours = [
            ":print-success",
            ":produce-unsat-cores",
            ":produce-assignments",
            ":produce-unsat-assumptions",
            ":timeout",
        ];
        let is_known = [&ours, TRUTHS, OTHERS].iter().any(|known| known.contains(&key));
        if is_known {
            self.others.retain(|(k, _)| &**k != key);
            self.others.push((key.into(), value.into()));
        }
        Ok(is_known)
    }

    /// Returns the value of an option, as set or by default; `None` for an unknown one.
    pub fn get(&self, key: &str) -> Option<String> {
        if let Some((_, value)) = self.others.iter().rev().find(|(k, _)| &**k == key) {
            return Some(value.to_string());
        }
        let default = match key {
            ":print-success"
            | ":produce-assignments"
            | ":produce-unsat-cores"
            | ":produce-unsat-assumptions"
            | ":global-declarations" => "false",
            ":produce-assertions" | ":produce-models" | ":produce-proofs" => "true",
            ":random-seed" | ":verbosity" => "0",
            ":regular-output-channel" => "\"stdout\"",
            ":diagnostic-output-channel" => "\"stderr\"",
            _ => return None,
        };
        Some(default.to_string())
    }
}
