//! The promises of a solver's project: its modes, its proofs, and its experimental theories; and the names of features in profiles.

use crate::version::VersionRange;
use finding::OptionGrade;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A mode of the program with promises of its project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PromisedMode {
    /// How far the project supports findings in it.
    pub grade: OptionGrade,
    /// The command-line words that select it.
    pub options: Vec<String>,
    /// Versions that have it.
    pub versions: VersionRange,
    /// Whether every `unsat` in it has a complete proof.
    #[serde(default)]
    pub promises_proofs: bool,
    /// Unsupported features, by the names of [`smtlib::logic::feature`].
    #[serde(default, deserialize_with = "features")]
    pub lacks: Vec<String>,
    /// Symbols of unsupported theories.
    #[serde(default)]
    pub lacks_symbols: Vec<String>,
}

/// How proofs are requested and read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProofReading {
    /// The names of rules that prove nothing.
    pub holes: Vec<String>,
    /// The versions that print proofs, with the options for proofs.
    #[serde(default)]
    pub versions: VersionRange,
}

impl PromisedMode {
    /// Returns the bits ([`smtlib::logic`]) of unsupported features.
    pub fn lacked(&self) -> u32 {
        bits(&self.lacks)
    }
}

/// Whether a script with these features ([`smtlib::logic`]) and this text needs a theory, given by a feature or a symbol.
pub fn needs_theory(theory: &str, needs: u32, text: &str) -> bool {
    smtlib::logic::feature(theory).map_or_else(|| holds_symbol(text, theory), |bits| bits & needs != 0)
}

/// Whether a text contains a symbol; a pattern that ends in `*` is a prefix.
fn holds_symbol(text: &str, pattern: &str) -> bool {
    let is_it = |atom: &str| pattern.strip_suffix('*').map_or(atom == pattern, |start| atom.starts_with(start));
    smtlib::sexpr::atoms(text).any(|span| is_it(&text[span]))
}

/// Deserializes known names of features.
pub(crate) fn features<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    match names.iter().find(|name| smtlib::logic::feature(name).is_none()) {
        Some(name) => Err(D::Error::custom(format!(
            "unknown feature `{name}`, expected one of {}",
            smtlib::logic::feature_names()
        ))),
        None => Ok(names),
    }
}

/// Returns the bits ([`smtlib::logic`]) of features.
pub(crate) fn bits(names: &[String]) -> u32 {
    names.iter().filter_map(|name| smtlib::logic::feature(name)).fold(0, |bits, feature| bits | feature)
}
