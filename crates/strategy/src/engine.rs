//! Decision engines: they answer a problem by their own means, or give up.

use crate::budget::{Budget, Stopped};
use rewrite::{Params, TacticParameter};
use semantics::Model;
use smtlib::{Store, TermId};

/// An engine's answer about a conjunction of assertions.
#[derive(Clone, Debug)]
pub enum Decision {
    /// The assertions hold under this model. It covers every declared symbol that occurs in them; the caller checks it by evaluation.
    Sat(Model),
    /// No interpretation makes them all true: the positions of assertions that suffice for it, ascending; all positions if the engine
    /// knows no better.
    Unsat(Vec<usize>),
    /// The engine cannot decide: another fragment, a bound, the time. A lowercase phrase with the reason.
    Unknown(String),
}

impl From<Stopped> for Decision {
    fn from(stopped: Stopped) -> Decision {
        Decision::Unknown(stopped.to_string())
    }
}

/// A decision engine, with its parameters set. Engines keep no state between problems.
pub trait Engine: Send + Sync {
    /// Decides whether the assertions can be true together. All terms are of `store`; an engine may add terms and fresh symbols, but its
    /// models cover the given symbols only.
    ///
    /// Invariant: an engine outside its fragment answers [`Decision::Unknown`], never a guess.
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
    /// What the engine decides, in one line: fragment, method, bounds.
    pub about: &'static str,
    /// What may occur in its goals: a set of features of [`smtlib::logic`]. For an engine over another, what it accepts in addition.
    pub takes: u32,
    /// Its parameters.
    pub parameters: &'static [TacticParameter],
    /// How the engine is made.
    pub make: MakeEngine,
}
