//! How far a solver's own project vouches for the options that a finding needs.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Which options are set, or which mode they choose, by what the solver's project says of them. The order is from what is promised most
/// to what few run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionGrade {
    /// A mode that has all that the solver's project vouches for, and nothing else: cvc5's `--safe-mode=safe`.
    Safe,
    /// A mode without what is meant for experts: cvc5's `--safe-mode=stable`.
    Stable,
    /// None: the solver as it comes.
    #[default]
    Default,
    /// Options that the solver lists as common or regular, or lists without a warning.
    Documented,
    /// At least one that the solver calls experimental, or meant for experts or developers. Projects ask not to get them reported.
    Experimental,
}

impl OptionGrade {
    /// The word for it in records.
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
