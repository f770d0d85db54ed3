//! The names that a strategy may use: tactics with what they take, probes with what they say, and named strategies.

use super::Strategy;
use std::collections::BTreeMap;

/// What a tactic takes besides parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// Nothing: `simplify`.
    None,
    /// Another strategy: `(smt T)`.
    Strategy,
    /// Either: `smt` and `(smt T)`.
    Optional,
}

/// A tactic as the language sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TacticName {
    /// What it takes.
    pub arguments: Arguments,
    /// Its parameters' names with hyphens; `None` where they are another program's and any are taken.
    pub params: Option<Vec<String>>,
}

/// What a probe says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeKind {
    /// Yes or no.
    Truth,
    /// A number.
    Number,
    /// Either, as the place wants it: another solver's, of which only the name is known.
    Either,
}

/// A probe as the language sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeName {
    /// What it says.
    pub kind: ProbeKind,
}

/// The names a strategy may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StrategyVocabulary {
    /// Tactics by name; `skip` and `fail` are in every vocabulary without being here.
    pub tactics: BTreeMap<String, TacticName>,
    /// Probes by name.
    pub probes: BTreeMap<String, ProbeName>,
    /// Strategies by name: the name stands for the strategy.
    pub strategies: BTreeMap<String, Strategy>,
}

impl StrategyVocabulary {
    /// A vocabulary of another solver's names, of which nothing else is known.
    pub fn of_names<'n>(
        tactics: impl IntoIterator<Item = &'n str>,
        probes: impl IntoIterator<Item = &'n str>,
    ) -> StrategyVocabulary {
        let tactic = TacticName { arguments: Arguments::None, params: None };
        StrategyVocabulary {
            tactics: tactics.into_iter().map(|name| (name.to_string(), tactic.clone())).collect(),
            probes: probes.into_iter().map(|name| (name.to_string(), ProbeName { kind: ProbeKind::Either })).collect(),
            strategies: BTreeMap::new(),
        }
    }
}
