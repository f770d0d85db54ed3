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

/// What values a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// `true` or `false`.
    Truth,
    /// A numeral below 2^32.
    Natural,
    /// A numeral or a decimal, with a sign perhaps.
    Decimal,
    /// A symbol.
    Word,
}

impl ParamKind {
    /// Whether a value, as it is written, is of the kind.
    pub fn takes(self, value: &str) -> bool {
        match self {
            ParamKind::Truth => matches!(value, "true" | "false"),
            ParamKind::Natural => value.parse::<u32>().is_ok(),
            ParamKind::Decimal => value.parse::<f64>().is_ok_and(f64::is_finite),
            ParamKind::Word => !value.is_empty(),
        }
    }

    /// The kind in words, as in "takes …".
    pub fn words(self) -> &'static str {
        match self {
            ParamKind::Truth => "true or false",
            ParamKind::Natural => "a numeral below 2^32",
            ParamKind::Decimal => "a number",
            ParamKind::Word => "a symbol",
        }
    }
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
    /// Parameters that any tactic may be given, by their names with underscores; for those that do not have them they mean nothing.
    pub parameters: BTreeMap<String, ParamKind>,
    /// Names that are known and not had, with the reason.
    pub refused: BTreeMap<String, String>,
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
            ..StrategyVocabulary::default()
        }
    }
}
