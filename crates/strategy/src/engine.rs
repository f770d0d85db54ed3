//! Decision engines: what answers a problem outright, by its own means, or gives up.

use crate::budget::{Budget, Stopped};
use semantics::Model;
use smtlib::{Store, TermId};

/// What an engine says of a conjunction of assertions.
#[derive(Clone, Debug)]
pub enum Decision {
    /// They hold under this model. It speaks of every declared symbol that occurs in them; the caller evaluates them under
    /// it before anybody believes it.
    Sat(Model),
    /// No interpretation makes them true together: the positions of assertions that suffice for it, ascending. All
    /// positions are right where the engine knows no fewer.
    Unsat(Vec<usize>),
    /// The engine cannot say: another fragment, a bound, the time. A lowercase phrase that says why.
    Unknown(String),
}

impl From<Stopped> for Decision {
    fn from(stopped: Stopped) -> Decision {
        Decision::Unknown(stopped.to_string())
    }
}

/// A decision engine, with its parameters set. Engines keep no state between problems.
pub trait Engine: Send + Sync {
    /// Decides whether the assertions can be true together. All terms are of `store`; an engine may add terms and fresh
    /// symbols, but speaks in a model of the given symbols only.
    ///
    /// Invariant: an engine outside its fragment says [`Decision::Unknown`], never a guess.
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision;
}

/// A parameter of an engine or tactic, as `(using-params T :name value)` sets it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name, without the colon; underscores and hyphens mean the same.
    pub name: &'static str,
    /// What it does, with the unit, in one line.
    pub about: &'static str,
    /// Its value when not set.
    pub default: Setting,
}

/// The value of a parameter; its kind is that of the default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Setting {
    /// `true` or `false`.
    Bool(bool),
    /// A natural number.
    Number(u64),
}

/// The values that parameters have in one place of a strategy.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings(Vec<(String, Setting)>);

impl Settings {
    /// Sets one; a later value wins.
    pub fn set(&mut self, name: &str, value: Setting) {
        self.0.push((name.replace('_', "-"), value));
    }

    fn get(&self, parameter: &Parameter) -> Setting {
        let found = self.0.iter().rev().find(|(name, _)| *name == parameter.name);
        found.map_or(parameter.default, |(_, value)| *value)
    }

    /// The value of a numeric parameter: what was set, else its default.
    pub fn number(&self, parameter: &Parameter) -> u64 {
        match self.get(parameter) {
            Setting::Number(n) => n,
            Setting::Bool(b) => u64::from(b),
        }
    }

    /// The value of a switch: what was set, else its default.
    pub fn switch(&self, parameter: &Parameter) -> bool {
        match self.get(parameter) {
            Setting::Bool(b) => b,
            Setting::Number(n) => n != 0,
        }
    }
}

/// How an engine is made.
#[derive(Clone, Copy)]
pub enum Make {
    /// From its parameters.
    Alone(fn(&Settings) -> Box<dyn Engine>),
    /// From another engine that decides conjunctions of literals of a theory, and its parameters: `(smt T)`.
    Over(fn(Box<dyn Engine>, &Settings) -> Box<dyn Engine>),
}

/// One row of the registry.
#[derive(Clone, Copy)]
pub struct EngineEntry {
    /// Its name in strategies.
    pub name: &'static str,
    /// What it decides, in one line: fragment, method, bounds.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How it is made.
    pub make: Make,
}
