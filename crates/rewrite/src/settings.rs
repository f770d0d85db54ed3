//! The settings of a pass's application: parameters, limits and a meter; and its errors.

use semantics::{Exhausted, Meter, Stop};
use smtlib::{BuildError, Store};
use std::collections::BTreeMap;

/// Why a pass returned no goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PassError {
    /// The result would exceed a limit.
    #[error("more than {limit} {what}; raise the limit or use another tactic")]
    TooLarge {
        /// What is limited.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The time is up, or another engine has the answer.
    #[error("interrupted")]
    Interrupted,
    /// The pass does not apply to the goal.
    #[error("not applicable: {0}")]
    NotApplicable(String),
    /// A term could not be built: a sort would be too large.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl From<Exhausted> for PassError {
    fn from(exhausted: Exhausted) -> PassError {
        match exhausted {
            Exhausted::Stopped => PassError::Interrupted,
            Exhausted::Memory { limit } => PassError::TooLarge { what: "bytes", limit },
        }
    }
}

/// A parameter of a tactic, as set by `(using-params T :name value)`: a natural number, or one of some words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacticParameter {
    /// Its name, without the colon; underscores and hyphens mean the same.
    pub name: &'static str,
    /// Its description, with the unit, in one line.
    pub about: &'static str,
    /// Its default value.
    pub default: u64,
    /// Its values by name, if they are words: the value is the index here. Empty for numbers.
    pub words: &'static [&'static str],
}

impl TacticParameter {
    /// Returns the value of a text; `None` if it is invalid for this parameter.
    pub fn read(&self, written: &str) -> Option<u64> {
        match self.words {
            [] => written.parse().ok(),
            words => words.iter().position(|word| *word == written).map(|n| n as u64),
        }
    }

    /// Returns its default as text.
    pub fn default_text(&self) -> String {
        let word = usize::try_from(self.default).ok().and_then(|n| self.words.get(n));
        word.map_or_else(|| self.default.to_string(), |word| (*word).to_string())
    }

    /// Describes its values, as in "is …".
    pub fn kind_text(&self) -> String {
        if self.words.is_empty() { "a number".to_string() } else { format!("one of {}", self.words.join(", ")) }
    }
}

/// The parameters given to one tactic, including those of outer `using-params`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Params(BTreeMap<&'static str, u64>);

impl Params {
    /// Sets one; a later value takes precedence.
    pub fn set(&mut self, parameter: &TacticParameter, value: u64) {
        self.0.insert(parameter.name, value);
    }

    /// Returns the value of a parameter: the one set, else its default.
    pub fn number(&self, parameter: &TacticParameter) -> u64 {
        self.0.get(parameter.name).copied().unwrap_or(parameter.default)
    }
}

/// The size limits of one application of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassLimits {
    /// The maximum number of new terms.
    pub terms: usize,
    /// The maximum number of formulas of the new goal.
    pub formulas: usize,
    /// The maximum number of goals of a split.
    pub goals: usize,
    /// The maximum number of rounds of a fixed-point iteration.
    pub rounds: usize,
    /// The maximum bytes of data besides terms: tables, numbers, atoms.
    pub memory: usize,
}

impl Default for PassLimits {
    fn default() -> PassLimits {
        PassLimits { terms: 4_000_000, formulas: 2_000_000, goals: 1024, rounds: 64, memory: 1 << 27 }
    }
}

/// Parameters, limits and the stop condition of one application of a pass.
#[derive(Clone, Default, Debug)]
pub struct PassSettings {
    /// Parameters.
    pub params: Params,
    /// The bounds of size and of rounds.
    pub limits: PassLimits,
    /// The stop condition.
    pub stop: Stop,
}

impl PassSettings {
    /// Returns a meter of the terms made from now on and the time.
    pub fn watch(&self, store: &Store) -> PassMeter<'_> {
        let meter = Meter::new(self.stop.clone(), self.limits.memory);
        PassMeter { settings: self, start: store.len(), meter }
    }
}

/// Counts the terms that a pass makes, and checks the clock occasionally.
#[derive(Clone, Debug)]
pub struct PassMeter<'s> {
    settings: &'s PassSettings,
    start: usize,
    meter: Meter,
}

impl PassMeter<'_> {
    /// Returns the stop condition.
    pub fn stop(&self) -> &Stop {
        &self.settings.stop
    }

    /// Must be called in every loop: one call in 64 checks the clock.
    /// Errors: [`PassError::TooLarge`] when too many terms were made, [`PassError::Interrupted`].
    pub fn tick(&mut self, store: &Store) -> Result<(), PassError> {
        let limit = self.settings.limits.terms;
        if store.len() - self.start > limit {
            return Err(PassError::TooLarge { what: "new terms", limit });
        }
        Ok(self.meter.tick()?)
    }
}
