//! The parameters of STORM, with the paper's defaults.

use crate::assignment::AssignmentKind;
use crate::parameter::{Parameter, ParameterError, Span};
use crate::storm::strategies::{PREFIX, StrategyNames};
use std::fmt::Display;
use std::str::FromStr;

/// The parameters of one STORM mutator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StormConfig {
    /// Dmax: the depth of the deepest formula asserted, its negation counted; a leaf has depth 0.
    pub max_depth: u32,
    /// Amax: the largest number of assertions of a mutant, at least 1.
    pub max_asserts: u32,
    /// NC: how many formulas the construction pool gets, from the smallest initial pool to the largest.
    pub constructed: Span,
    /// NM: how many mutants a unit is worth, from the smallest initial pool to the largest.
    pub mutants: Span,
    /// How often an operand comes from the initial pool, in percent.
    pub initial_operand: u32,
    /// How often an asserted formula comes from the initial pool, in percent.
    pub initial_assertion: u32,
    /// How many fragments are kept at most; from more a random choice is made.
    pub max_fragments: u32,
    /// How often a unit uses only a few of the fragments, in percent. Its formulas are deeper over fewer atoms, and meet each
    /// other more often.
    pub focus: u32,
    /// Bytes of text after which a mutant gets no further assertion.
    pub max_bytes: u32,
    /// How often a mutant is incremental (push, pop, several checks), in percent.
    pub incremental: u32,
    /// The largest number of checks of an incremental mutant, at least 1.
    pub max_checks: u32,
    /// How often a mutant asks by `(check-sat-using T)`, in percent of those not incremental; never without tactics.
    pub tactical: u32,
    /// The tactics to choose from.
    pub tactics: Vec<Box<str>>,
    /// The names of which strategies are made up instead.
    pub strategies: Option<StrategyNames>,
    /// Where the assignment comes from.
    pub assignment: AssignmentKind,
}

/// The sizes of the initial pool of a unit with a focus.
pub(super) const FOCUS: std::ops::RangeInclusive<u64> = 4..=24;

impl Default for StormConfig {
    fn default() -> Self {
        StormConfig {
            max_depth: 64,
            max_asserts: 64,
            constructed: Span { low: 200, high: 1500 },
            mutants: Span { low: 300, high: 1000 },
            initial_operand: 30,
            initial_assertion: 30,
            max_fragments: 5000,
            focus: 50,
            max_bytes: 1 << 20,
            incremental: 30,
            max_checks: 8,
            tactical: 40,
            tactics: Vec::new(),
            strategies: None,
            assignment: AssignmentKind::Mixed,
        }
    }
}

/// The parameters by name; [`StormConfig::set`] has one arm for each.
pub const PARAMETERS: &[Parameter] = &[
    Parameter { name: "max-depth", default: "64", about: "depth of the deepest formula asserted (Dmax)" },
    Parameter { name: "max-asserts", default: "64", about: "most assertions of a mutant, at least 1 (Amax)" },
    Parameter { name: "constructed", default: "200-1500", about: "formulas built for a seed, by its size (NC)" },
    Parameter { name: "mutants", default: "300-1000", about: "mutants of a unit, by its seed's size (NM)" },
    Parameter { name: "initial-operand", default: "30", about: "percent of operands that are the seed's own" },
    Parameter { name: "initial-assertion", default: "30", about: "percent of assertions that are the seed's own" },
    Parameter { name: "max-fragments", default: "5000", about: "fragments of a seed kept at most" },
    Parameter { name: "focus", default: "50", about: "percent of units that use only 4 to 24 of the fragments" },
    Parameter { name: "max-bytes", default: "1048576", about: "bytes after which a mutant gets no further assertion" },
    Parameter { name: "incremental", default: "30", about: "percent of mutants with push, pop and several checks" },
    Parameter { name: "max-checks", default: "8", about: "most checks of an incremental mutant, at least 1" },
    Parameter {
        name: "tactical",
        default: "40",
        about: "percent of the other mutants that use a tactic, if there are any",
    },
    Parameter {
        name: "tactics",
        default: "",
        about: "tactics for check-sat-using, separated by semicolons, or random: NAMES to make strategies up",
    },
    Parameter { name: "assignment", default: "mixed", about: "model, random, mixed or search" },
];

impl StormConfig {
    /// The defaults with `settings` over them.
    ///
    /// # Errors
    /// [`ParameterError`] for an unknown name or a value out of range.
    pub fn with(settings: &[(&str, &str)]) -> Result<StormConfig, ParameterError> {
        let mut config = StormConfig::default();
        for (name, value) in settings {
            config.set(name, value)?;
        }
        Ok(config)
    }

    /// Sets one parameter from text.
    ///
    /// # Errors
    /// [`ParameterError`] for an unknown name or a value out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        match name {
            "max-depth" => self.max_depth = number(name, value, 0)?,
            "max-asserts" => self.max_asserts = number(name, value, 1)?,
            "constructed" => self.constructed = parsed(name, value, SPAN)?,
            "mutants" => self.mutants = parsed(name, value, SPAN)?,
            "initial-operand" => self.initial_operand = percent(name, value)?,
            "initial-assertion" => self.initial_assertion = percent(name, value)?,
            "max-fragments" => self.max_fragments = number(name, value, 1)?,
            "focus" => self.focus = percent(name, value)?,
            "max-bytes" => self.max_bytes = number(name, value, 1)?,
            "incremental" => self.incremental = percent(name, value)?,
            "max-checks" => self.max_checks = number(name, value, 1)?,
            "tactical" => self.tactical = percent(name, value)?,
            "tactics" if value.trim_start().starts_with(PREFIX) => {
                let names = StrategyNames::read(&value.trim_start()[PREFIX.len()..]);
                let Some(names) = names else {
                    return parsed(name, value, "`random:`, then at least one tactic").map(|_: u32| ());
                };
                self.tactics.clear();
                self.strategies = Some(names);
            }
            "tactics" => {
                self.strategies = None;
                self.tactics = value.split(';').map(str::trim).filter(|t| !t.is_empty()).map(Box::from).collect();
            }
            "assignment" => self.assignment = parsed(name, value, "model, random, mixed or search")?,
            _ => {
                let known: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
                return Err(ParameterError::Unknown {
                    mutator: "storm",
                    name: name.to_string(),
                    known: known.join(", "),
                });
            }
        }
        Ok(())
    }

    /// All parameters as text, in the order of [`PARAMETERS`], so that [`StormConfig::with`] gives this again.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let tactics = match &self.strategies {
            Some(names) => names.to_string(),
            None => self.tactics.join("; "),
        };
        let values: [&dyn Display; 14] = [
            &self.max_depth,
            &self.max_asserts,
            &self.constructed,
            &self.mutants,
            &self.initial_operand,
            &self.initial_assertion,
            &self.max_fragments,
            &self.focus,
            &self.max_bytes,
            &self.incremental,
            &self.max_checks,
            &self.tactical,
            &tactics,
            &self.assignment,
        ];
        PARAMETERS.iter().zip(values).map(|(p, v)| (p.name, v.to_string())).collect()
    }
}

const SPAN: &str = "LOW-HIGH or one number, at least 1";

fn parsed<T: FromStr>(name: &str, value: &str, expected: &'static str) -> Result<T, ParameterError> {
    value.parse().map_err(|_| ParameterError::Value { name: name.to_string(), value: value.to_string(), expected })
}

fn number(name: &str, value: &str, least: u32) -> Result<u32, ParameterError> {
    let expected = if least == 0 { "a whole number" } else { "a whole number of at least 1" };
    let n: u32 = parsed(name, value, expected)?;
    if n >= least {
        return Ok(n);
    }
    Err(ParameterError::Value { name: name.to_string(), value: value.to_string(), expected })
}

fn percent(name: &str, value: &str) -> Result<u32, ParameterError> {
    const EXPECTED: &str = "a percentage from 0 to 100";
    let n: u32 = parsed(name, value, EXPECTED)?;
    if n <= 100 {
        return Ok(n);
    }
    Err(ParameterError::Value { name: name.to_string(), value: value.to_string(), expected: EXPECTED })
}
