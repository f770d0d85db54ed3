//! How far a solver's own project supports the options that a finding needs.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The grade of a set of options, or of the mode they choose, according to the solver's project, from most to least supported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionGrade {
    /// A mode with exactly the supported features: cvc5's `--safe-mode=safe`.
    Safe,
    /// A mode without expert features: cvc5's `--safe-mode=stable`.
    Stable,
    /// No options: the solver's defaults.
    #[default]
    Default,
    /// Options that the solver lists as common or regular, or without a warning.
    Documented,
    /// At least one option that the solver calls experimental, or for experts or developers. Projects ask not to report
    /// bugs with these.
    Experimental,
}

impl OptionGrade {
    /// Returns the word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            OptionGrade::Safe => "safe",
            OptionGrade::Stable => "stable",
            OptionGrade::Default => "default",
            OptionGrade::Documented => "documented",
            OptionGrade::Experimental => "experimental",
        }
    }
}

impl fmt::Display for OptionGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
