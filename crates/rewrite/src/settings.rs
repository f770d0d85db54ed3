//! What one application of a pass is given: parameters, bounds and a watch over them; and why it gave up.

use semantics::{Exhausted, Meter, Stop};
use smtlib::{BuildError, Store};
use std::collections::BTreeMap;

/// Why a pass gave no goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PassError {
    /// The result would be past a limit.
    #[error("more than {limit} {what}; raise the limit or use another tactic")]
    TooLarge {
        /// What there would be too many of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The time is up, or another engine has the answer.
    #[error("interrupted")]
    Interrupted,
    /// The goal is none this pass is for.
    #[error("not applicable: {0}")]
    NotApplicable(String),
    /// A term could not be made: a sort would be too large.
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

/// A parameter of a tactic, as `(using-params T :name value)` sets it: a natural number, or one of some words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacticParameter {
    /// Its name, without the colon; underscores and hyphens mean the same.
    pub name: &'static str,
    /// What it does, with the unit, in one line.
    pub about: &'static str,
    /// Its value when not set.
    pub default: u64,
    /// Its values by name, where they are words: the value is the position here. Empty for numbers.
    pub words: &'static [&'static str],
}

impl TacticParameter {
    /// The value that is written so; none if it is none of this parameter's.
    pub fn read(&self, written: &str) -> Option<u64> {
        match self.words {
            [] => written.parse().ok(),
            words => words.iter().position(|word| *word == written).map(|n| n as u64),
        }
    }

    /// Its default as it is written.
    pub fn default_text(&self) -> String {
        let word = usize::try_from(self.default).ok().and_then(|n| self.words.get(n));
        word.map_or_else(|| self.default.to_string(), |word| (*word).to_string())
    }

    /// What its values are, as in "is …".
    pub fn kind_text(&self) -> String {
        if self.words.is_empty() { "a number".to_string() } else { format!("one of {}", self.words.join(", ")) }
    }
}

/// The values given to the parameters of one tactic, those of outer `using-params` included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Params(BTreeMap<&'static str, u64>);

impl Params {
    /// Sets one; a later value wins.
    pub fn set(&mut self, parameter: &TacticParameter, value: u64) {
        self.0.insert(parameter.name, value);
    }

    /// The value of a parameter: what was set, else its default.
    pub fn number(&self, parameter: &TacticParameter) -> u64 {
        self.0.get(parameter.name).copied().unwrap_or(parameter.default)
    }
}

/// The size bounds of one application of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassLimits {
    /// New terms it may make.
    pub terms: usize,
    /// Formulas the new goal may have.
    pub formulas: usize,
    /// Goals a split may give.
    pub goals: usize,
    /// Rounds a pass that works to a fixed point may take.
    pub rounds: usize,
    /// Bytes of what a pass or an engine makes besides terms: tables, numbers, atoms.
    pub memory: usize,
}

impl Default for PassLimits {
    fn default() -> PassLimits {
        PassLimits { terms: 4_000_000, formulas: 2_000_000, goals: 1024, rounds: 64, memory: 1 << 27 }
    }
}

/// Parameters, bounds and the stop sign of one application of a pass.
#[derive(Clone, Default, Debug)]
pub struct PassSettings {
    /// Parameters.
    pub params: Params,
    /// Bounds.
    pub limits: PassLimits,
    /// When to give up.
    pub stop: Stop,
}

impl PassSettings {
    /// A watch over the terms made from now on and the time.
    pub fn watch(&self, store: &Store) -> PassMeter<'_> {
        let meter = Meter::new(self.stop.clone(), self.limits.memory);
        PassMeter { settings: self, start: store.len(), meter }
    }
}

/// Counts what a pass makes, and looks at the clock now and then.
#[derive(Clone, Debug)]
pub struct PassMeter<'s> {
    settings: &'s PassSettings,
    start: usize,
    meter: Meter,
}

impl PassMeter<'_> {
    /// When the pass has to give up.
    pub fn stop(&self) -> &Stop {
        &self.settings.stop
    }

    /// To be called in every loop: one call in 64 looks at the clock.
    ///
    /// # Errors
    /// [`PassError::TooLarge`] when too many terms were made, [`PassError::Interrupted`].
    pub fn tick(&mut self, store: &Store) -> Result<(), PassError> {
        let limit = self.settings.limits.terms;
        if store.len() - self.start > limit {
            return Err(PassError::TooLarge { what: "new terms", limit });
        }
        Ok(self.meter.tick()?)
    }
}
