//! The names that a strategy may use: tactics with their arguments, probes with their kinds, and named strategies.

use super::Strategy;
use std::collections::BTreeMap;

/// The tacticals with their arguments, for messages and suggestions.
pub(super) const TACTICALS: &[(&str, &str)] = &[
    ("then", "(then S S …)"),
    ("thens", "(thens S S …): a strategy, then one for each of its subgoals"),
    ("or-else", "(or-else S S …)"),
    ("par-or", "(par-or S S …)"),
    ("par-then", "(par-then S S …)"),
    ("repeat", "(repeat S) or (repeat S rounds)"),
    ("repeat-up-to", "(repeat-up-to S rounds)"),
    ("try-for", "(try-for S milliseconds)"),
    ("nice", "(nice S n), n from 1 to 19"),
    ("if", "(if PROBE S S)"),
    ("when", "(when PROBE S)"),
    ("fail-if", "(fail-if PROBE)"),
    ("refine", "(refine S S) or (refine S S rounds)"),
    ("using-params", "(using-params S :key value …)"),
    ("solver", "(solver SPEC) or (solver SPEC :option value … :tactic S)"),
    ("solver-tactic", "(solver-tactic SPEC T), T a tactic of the solver's own"),
    ("exec", "(exec \"COMMAND\")"),
    ("rules", "(rules \"FILE\")"),
];

/// The parameters that `(rules "FILE")` takes, with hyphens.
pub(super) const RULES_PARAMETERS: [&str; 1] = ["max-steps"];

/// Other spellings of tacticals: Z3's, and those of the paper and the slides.
const SPELLINGS: &[(&str, &str)] = &[
    ("and-then", "then"),
    ("then*", "thens"),
    ("orelse", "or-else"),
    ("par", "par-or"),
    ("repeatupto", "repeat-up-to"),
    ("tryfor", "try-for"),
    ("ite", "if"),
    ("cond", "if"),
    ("failif", "fail-if"),
    ("with", "using-params"),
    ("!", "using-params"),
];

/// The arguments of a tactic besides parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// Nothing: `simplify`.
    None,
    /// Another strategy: `(smt T)`.
    Strategy,
    /// Either: `smt` and `(smt T)`.
    Optional,
}

/// A tactic in the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TacticName {
    /// What the tactic takes.
    pub arguments: Arguments,
    /// Its parameters' names with hyphens; `None` for another program's tactic, which accepts any.
    pub params: Option<Vec<String>>,
}

/// The kind of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeKind {
    /// A truth value.
    Truth,
    /// A number.
    Number,
    /// Either, depending on the context: another solver's probe with only a known name.
    Either,
}

/// A probe in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeName {
    /// Its kind.
    pub kind: ProbeKind,
}

/// The kind of a parameter's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// `true` or `false`.
    Truth,
    /// A numeral below 2^32.
    Natural,
    /// A numeral or a decimal, optionally signed.
    Decimal,
    /// A symbol.
    Word,
}

/// The names a strategy may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StrategyVocabulary {
    /// Tactics by name; `skip` and `fail` are in every vocabulary without being here.
    pub tactics: BTreeMap<String, TacticName>,
    /// Probes by name.
    pub probes: BTreeMap<String, ProbeName>,
    /// Named strategies.
    pub strategies: BTreeMap<String, Strategy>,
    /// Parameters that any tactic accepts, by their names with underscores; tactics without them ignore them.
    pub parameters: BTreeMap<String, ParamKind>,
    /// Known names that are not available, with the reason.
    pub refused: BTreeMap<String, String>,
}

impl ParamKind {
    /// Whether a written value is of the kind.
    pub fn takes(self, value: &str) -> bool {
        match self {
            ParamKind::Truth => matches!(value, "true" | "false"),
            ParamKind::Natural => value.parse::<u32>().is_ok(),
            ParamKind::Decimal => value.parse::<f64>().is_ok_and(f64::is_finite),
            ParamKind::Word => !value.is_empty(),
        }
    }

    /// Returns the kind in words, as in "takes …".
    pub fn describe(self) -> &'static str {
        match self {
            ParamKind::Truth => "true or false",
            ParamKind::Natural => "a numeral below 2^32",
            ParamKind::Decimal => "a number",
            ParamKind::Word => "a symbol",
        }
    }
}

impl StrategyVocabulary {
    /// Returns a vocabulary of another solver's names, without further knowledge.
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

/// Returns the tactical of a name, in any spelling.
pub(super) fn tactical(name: &str) -> Option<&'static (&'static str, &'static str)> {
    let name = SPELLINGS.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    TACTICALS.iter().find(|(known, _)| *known == name)
}

/// Whether a name is a tactical in some spelling, which no strategy may have.
pub fn is_tactical(name: &str) -> bool {
    tactical(name).is_some()
}
