//! The parameters of semantic fusion.

use crate::assignment::AssignmentKind;
use crate::parameter::{Parameter, ParameterError, Span, number, parsed, percent, settings_text};
use std::fmt::Display;
use std::str::FromStr;

/// Which right answers are aimed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Oracle {
    /// Both, as the seeds' statuses allow.
    #[default]
    Auto,
    /// `sat` only, certified.
    Sat,
    /// `unsat` only, trusted: at least one seed must be known to be unsatisfiable.
    Unsat,
}

impl FromStr for Oracle {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "auto" => Oracle::Auto,
            "sat" => Oracle::Sat,
            "unsat" => Oracle::Unsat,
            _ => return Err(()),
        })
    }
}

impl Display for Oracle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Oracle::Auto => "auto",
            Oracle::Sat => "sat",
            Oracle::Unsat => "unsat",
        })
    }
}

/// The parameters of one fusion mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FusionConfig {
    /// Which right answers are aimed at.
    pub oracle: Oracle,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many pairs of variables a mutant fuses.
    pub pairs: Span,
    /// How often an occurrence of a fused variable is replaced, in percent.
    pub replaced: u32,
    /// How many fusions of two variables are prepared for a unit, at least 1.
    pub pool: u32,
    /// Where the parents' assignments come from.
    pub assignment: AssignmentKind,
}

impl Default for FusionConfig {
    fn default() -> Self {
        FusionConfig {
            oracle: Oracle::Auto,
            mutants: 300,
            pairs: Span { low: 1, high: 3 },
            replaced: 50,
            pool: 32,
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// What is said of each parameter, in the order of [`FusionConfig::settings`], and the file of functions at the end.
pub const PARAMETERS: &[Parameter] = &[
    Parameter { name: "oracle", default: "auto", about: "sat, unsat, or auto: as the seeds' statuses allow" },
    Parameter { name: "mutants", default: "300", about: "mutants of a unit, at least 1" },
    Parameter { name: "pairs", default: "1-3", about: "pairs of variables that a mutant fuses" },
    Parameter { name: "replaced", default: "50", about: "percent of a fused variable's occurrences that are replaced" },
    Parameter { name: "pool", default: "32", about: "fusions of two variables prepared for a unit, at least 1" },
    Parameter { name: "assignment", default: "mixed", about: "model, random, mixed or search" },
    Parameter { name: "functions", default: "", about: "a file of fusion functions instead of the built-in ones" },
];

impl FusionConfig {
    /// Sets one parameter; false where it is none of these.
    ///
    /// # Errors
    /// [`ParameterError::Value`] for a value out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, ParameterError> {
        match name {
            "oracle" => self.oracle = parsed(name, value, "auto, sat or unsat")?,
            "mutants" => self.mutants = number(name, value)?,
            "pairs" => self.pairs = parsed(name, value, "LOW-HIGH or one number, at least 1")?,
            "replaced" => self.replaced = percent(name, value)?,
            "pool" => self.pool = number(name, value)?,
            "assignment" => self.assignment = parsed(name, value, "model, random, mixed or search")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All parameters as text.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let values: [&dyn Display; 6] =
            [&self.oracle, &self.mutants, &self.pairs, &self.replaced, &self.pool, &self.assignment];
        settings_text(PARAMETERS, &values)
    }
}
