//! What a solver's project promises: its modes, its proofs, and which theories it calls experimental.

use crate::features::{bits, features};
use crate::version::VersionRange;
use finding::OptionGrade;
use serde::Deserialize;

/// A mode of the program for which its project promises something.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PromisedMode {
    /// How far the project vouches for what is found in it.
    pub grade: OptionGrade,
    /// The words of the command line that choose it.
    pub options: Vec<String>,
    /// Versions that have it.
    pub versions: VersionRange,
    /// Whether every `unsat` in it has a proof without holes.
    #[serde(default)]
    pub promises_proofs: bool,
    /// What it does not support, by the names of [`smtlib::logic::feature`].
    #[serde(default, deserialize_with = "features")]
    pub lacks: Vec<String>,
    /// Symbols of theories that it does not support.
    #[serde(default)]
    pub lacks_symbols: Vec<String>,
}

/// How proofs are asked for and read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProofReading {
    /// The names of rules that prove nothing.
    pub holes: Vec<String>,
    /// Versions that print it under the options for proofs.
    #[serde(default)]
    pub versions: VersionRange,
}

/// Whether a script with these features ([`smtlib::logic`]) and this text needs a theory, which a feature or a symbol names.
pub fn needs_theory(theory: &str, needs: u32, text: &str) -> bool {
    smtlib::logic::feature(theory).map_or_else(|| holds_symbol(text, theory), |bits| bits & needs != 0)
}

/// Whether a symbol stands in a text; of a pattern that ends in `*`, one that begins so.
fn holds_symbol(text: &str, pattern: &str) -> bool {
    let is_it = |atom: &str| pattern.strip_suffix('*').map_or(atom == pattern, |start| atom.starts_with(start));
    smtlib::sexpr::atoms(text).any(|span| is_it(&text[span]))
}

impl PromisedMode {
    /// The bits ([`smtlib::logic`]) of what it does not support.
    pub fn lacked(&self) -> u32 {
        bits(&self.lacks)
    }
}
