//! Z3's names of tactics, probes and parameters, and what stands for them here, as data.

use serde::Deserialize;
use smtlib::strategy::{ParamKind, Strategy, StrategyVocabulary, parse_strategy};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What applies a tactic that is not had here: the newest Z3 that is installed.
pub const PROGRAM: &str = "z3";

/// What stands for a name of Z3's.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Z3Name {
    /// Something of ours.
    Ours {
        /// A strategy, or the name of a probe.
        ours: String,
        /// What it does otherwise than Z3.
        #[serde(default)]
        differs: Option<String>,
    },
    /// Z3 itself.
    Delegated {
        /// What is missing here.
        delegated: String,
    },
    /// Nothing.
    Refused {
        /// Why.
        refused: String,
    },
}

/// The parameters of Z3's tactics.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Z3Parameters {
    truth: Vec<String>,
    natural: Vec<String>,
    decimal: Vec<String>,
    word: Vec<String>,
}

/// Those of the parameters that have an effect on tactics of ours.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Z3Switches {
    /// Switches of `simplify` and the tactic that follows it where they are true; one tactic follows the other in this order.
    pub switches: Vec<(String, String)>,
    /// Switches of `simplify` whose effect it always has, and what that is.
    pub always: BTreeMap<String, String>,
    /// Values that are refused.
    pub refused: BTreeMap<String, RefusedValue>,
}

/// A value that a parameter must not have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedValue {
    /// The value.
    pub value: String,
    /// Why.
    pub why: String,
}

impl Z3Parameters {
    /// All names, with underscores, and what they take.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, ParamKind)> {
        let lists = [
            (&self.truth, ParamKind::Truth),
            (&self.natural, ParamKind::Natural),
            (&self.decimal, ParamKind::Decimal),
            (&self.word, ParamKind::Word),
        ];
        lists.into_iter().flat_map(|(names, kind)| names.iter().map(move |name| (name.as_str(), kind)))
    }

    /// Whether a key, in either spelling, is the name of one.
    pub fn has(&self, key: &str) -> bool {
        let key = key.replace('-', "_");
        self.kinds().any(|(name, _)| name == key)
    }
}

/// Reads one of the tables, which are part of the program and read by a test.
fn table<T: serde::de::DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("a table of Z3's names is well-formed")
}

/// Z3's tactics.
pub static TACTICS: LazyLock<BTreeMap<String, Z3Name>> = LazyLock::new(|| table(include_str!("tactics.toml")));
/// Z3's probes.
pub static PROBES: LazyLock<BTreeMap<String, Z3Name>> = LazyLock::new(|| table(include_str!("probes.toml")));
/// The parameters that have an effect on tactics of ours; a table of its own, since every plan needs it and seldom the others.
pub static SWITCHES: LazyLock<Z3Switches> = LazyLock::new(|| table(include_str!("switches.toml")));
/// The parameters of Z3's tactics.
pub static PARAMETERS: LazyLock<Z3Parameters> = LazyLock::new(|| table(include_str!("parameters.toml")));

/// Adds Z3's names to a vocabulary that has ours and those of the default strategies; names that it has stay as they are.
pub fn add_names(vocabulary: &mut StrategyVocabulary) {
    for (name, row) in TACTICS.iter() {
        if vocabulary.tactics.contains_key(name) || vocabulary.strategies.contains_key(name) {
            continue;
        }
        let strategy = match row {
            Z3Name::Ours { ours, .. } => match parse_strategy(ours, vocabulary) {
                Ok(strategy) => strategy,
                // What is not compiled in is not there.
                Err(_) => continue,
            },
            Z3Name::Delegated { .. } => Strategy::SolverTactic(PROGRAM.into(), name.as_str().into()),
            Z3Name::Refused { refused } => {
                vocabulary.refused.insert(name.clone(), refused.clone());
                continue;
            }
        };
        vocabulary.strategies.insert(name.clone(), strategy);
    }
    for (name, row) in PROBES.iter() {
        if let Z3Name::Refused { refused } = row {
            vocabulary.refused.insert(name.clone(), refused.clone());
        }
    }
    vocabulary.parameters.extend(PARAMETERS.kinds().map(|(name, kind)| (name.to_string(), kind)));
}
