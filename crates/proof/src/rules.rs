//! How the rules of each format are judged, as data.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The table: a format, a reading, rules; `#` starts a comment.
static TABLE: &str = include_str!("rules.txt");

/// A format of proofs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProofFormat {
    /// cvc5's own, the Cooperating Proof Calculus.
    Cpc,
    /// Alethe, of veriT and cvc5.
    Alethe,
    /// z3's terms.
    Z3,
}

impl ProofFormat {
    /// Returns its name in the table and in output.
    pub fn word(self) -> &'static str {
        match self {
            ProofFormat::Cpc => "cpc",
            ProofFormat::Alethe => "alethe",
            ProofFormat::Z3 => "z3",
        }
    }
}

/// The meaning of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuleReading {
    /// An entailment of the logic itself.
    Core,
    /// An entailment of a theory.
    Theory,
    /// An entailment without a given reason.
    Hole,
    /// The meaning of a new symbol.
    Definition,
    /// A statement about a binding elsewhere.
    Context,
}

/// Returns how a rule is judged. A trusted rule is looked up by the last word of its reason, or else by its name.
pub fn reading(format: ProofFormat, rule: &str) -> RuleReading {
    let words = rule.rsplit(' ').next().into_iter().chain(rule.split(' ').next());
    match words.into_iter().find_map(|word| listed(format, word)) {
        Some("core") => RuleReading::Core,
        Some("hole") => RuleReading::Hole,
        Some("definition") => RuleReading::Definition,
        Some("context") => RuleReading::Context,
        _ => RuleReading::Theory,
    }
}

/// Returns the table's word for a rule.
pub(crate) fn listed(format: ProofFormat, rule: &str) -> Option<&'static str> {
    static WAYS: LazyLock<FxHashMap<(&str, &str), &str>> = LazyLock::new(|| {
        let mut ways = FxHashMap::default();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            if let (Some(format), Some(way)) = (words.next(), words.next()) {
                ways.extend(words.map(|rule| ((format, rule), way)));
            }
        }
        ways
    });
    WAYS.get(&(format.word(), rule)).copied()
}
