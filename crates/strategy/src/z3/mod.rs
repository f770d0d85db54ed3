//! Z3's names of tactics, probes and parameters, and their counterparts here, as data.

use serde::Deserialize;
use smtlib::strategy::{ParamKind, Strategy, StrategyVocabulary, parse_strategy};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Applies tactics that are not available here: the newest installed Z3.
pub const PROGRAM: &str = "z3";

/// The counterpart of a name of Z3.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Z3Name {
    /// A strategy or probe of ours.
    Ours {
        /// A strategy, or the name of a probe.
        ours: String,
        /// Its difference from Z3.
        #[serde(default)]
        differs: Option<String>,
    },
    /// Z3 itself.
    Delegated {
        /// What is missing here.
        delegated: String,
    },
    /// No counterpart: the name is an error.
    Refused {
        /// The reason.
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

/// The parameters that affect our tactics.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Z3Switches {
    /// Switches of `simplify` and the tactic that follows it if they are true; the tactics are applied in this order.
    pub switches: Vec<(String, String)>,
    /// Switches of `simplify` whose effect it always has, with a description.
    pub always: BTreeMap<String, String>,
    /// Rejected values.
    pub refused: BTreeMap<String, RefusedValue>,
}

/// A value that a parameter must not have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedValue {
    /// The value.
    pub value: String,
    /// The reason.
    pub why: String,
}

impl Z3Parameters {
    /// Returns all names, with underscores, and their types.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, ParamKind)> {
        let lists = [
            (&self.truth, ParamKind::Truth),
            (&self.natural, ParamKind::Natural),
            (&self.decimal, ParamKind::Decimal),
            (&self.word, ParamKind::Word),
        ];
        lists.into_iter().flat_map(|(names, kind)| names.iter().map(move |name| (name.as_str(), kind)))
    }

    /// Whether a key, in either spelling, is the name of a parameter.
    pub fn has(&self, key: &str) -> bool {
        let key = key.replace('-', "_");
        self.kinds().any(|(name, _)| name == key)
    }
}

/// Parses one of the built-in tables, which a test checks.
fn table<T: serde::de::DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("a table of Z3's names is well-formed")
}

/// Z3's tactics.
pub static TACTICS: LazyLock<BTreeMap<String, Z3Name>> = LazyLock::new(|| table(include_str!("tactics.toml")));
/// Z3's probes.
pub static PROBES: LazyLock<BTreeMap<String, Z3Name>> = LazyLock::new(|| table(include_str!("probes.toml")));
/// The parameters that affect our tactics; a separate table, since every plan needs it and seldom the others.
pub static SWITCHES: LazyLock<Z3Switches> = LazyLock::new(|| table(include_str!("switches.toml")));
/// The parameters of Z3's tactics.
pub static PARAMETERS: LazyLock<Z3Parameters> = LazyLock::new(|| table(include_str!("parameters.toml")));

/// Adds Z3's names to a vocabulary with ours and those of the default strategies; existing names stay unchanged.
pub fn add_names(vocabulary: &mut StrategyVocabulary) {
    for (name, row) in TACTICS.iter() {
        if vocabulary.tactics.contains_key(name) || vocabulary.strategies.contains_key(name) {
            continue;
        }
        let strategy = match row {
            Z3Name::Ours { ours, .. } => match parse_strategy(ours, vocabulary) {
                Ok(strategy) => strategy,
                // Features that are not compiled in are missing.
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
