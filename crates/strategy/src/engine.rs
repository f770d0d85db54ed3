//! Decision engines: what answers a problem outright, by its own means, or gives up.

use crate::budget::{Budget, Stopped};
use rewrite::{Params, TacticParameter};
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

/// How an engine is made.
#[derive(Clone, Copy)]
pub enum MakeEngine {
    /// From its parameters.
    Alone(fn(&Params) -> Box<dyn Engine>),
    /// From another engine that decides conjunctions of literals of a theory, and its parameters: `(smt T)`.
    Over(fn(Box<dyn Engine>, &Params) -> Box<dyn Engine>),
}

/// One row of the registry.
#[derive(Clone, Copy)]
pub struct EngineEntry {
    /// Its name in strategies.
    pub name: &'static str,
    /// What it decides, in one line: fragment, method, bounds.
    pub about: &'static str,
    /// What may occur in its goals: a set of the features of [`smtlib::logic`]. For an engine over another, what it takes besides.
    pub takes: u32,
    /// Its parameters.
    pub parameters: &'static [TacticParameter],
    /// How it is made.
    pub make: MakeEngine,
}
