//! What can be known of a check, and why it may be open.

use crate::exhaust::{Exhaustion, NotFinite, Unresolved};
use crate::model::Model;
use std::fmt;

/// What is true of a check.
#[derive(Clone, Debug)]
pub enum CheckTruth {
    /// All assertions are true under the model, and every live definition has an interpretation.
    Sat(Box<Model>),
    /// No interpretation satisfies definitions and assertions, whatever it chooses where the standard leaves a value open.
    Unsat(CheckRefutation),
}

/// How a check is refuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckRefutation {
    /// What was looked at, where a record was asked for and exhaustion refutes.
    pub record: Option<Box<Exhaustion>>,
    /// The recursive function, not proven total, that the refutation takes by the standard: as an assertion over all its parameters.
    /// Solvers that take definitions as well founded document that they answer otherwise.
    pub definition: Option<Box<str>>,
    /// Of Horn clauses that were refuted by their least fixpoint: the derivation of `false`, a fact a line after those it needs, such as
    /// `(P #b01) by assertion 2 from (Q true)`. Empty where all assignments were tried.
    pub derivation: Box<[Box<str>]>,
}

impl CheckTruth {
    /// The answer in a word.
    pub fn word(&self) -> &'static str {
        match self {
            CheckTruth::Sat(_) => "sat",
            CheckTruth::Unsat(_) => "unsat",
        }
    }

    /// The model, if the check is satisfiable.
    pub fn model(&self) -> Option<&Model> {
        match self {
            CheckTruth::Sat(model) => Some(model),
            CheckTruth::Unsat(_) => None,
        }
    }

    /// Whether the check is satisfiable only by the choice of a value that the standard leaves open, as far as is known. `unsat` is
    /// wrong then: a choice is part of the interpretation. But the witness has to say what is chosen.
    pub fn is_by_choice(&self) -> bool {
        self.model().is_some_and(|model| !model.choices().is_empty())
    }

    /// The function whose recursive definition a refutation takes by the standard, see [`CheckRefutation::definition`].
    pub fn definition(&self) -> Option<&str> {
        match self {
            CheckTruth::Sat(_) => None,
            CheckTruth::Unsat(refutation) => refutation.definition.as_deref(),
        }
    }

    /// The answer in a word where nothing is read in one of several ways: no value is chosen, and no definition is taken that
    /// is not proven total.
    pub fn certain(&self) -> Option<&'static str> {
        (!self.is_by_choice() && self.definition().is_none()).then(|| self.word())
    }
}

impl fmt::Display for CheckTruth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckTruth::Sat(_) if self.is_by_choice() => {
                f.write_str("what satisfies the assertions rests on a value that the standard leaves open")
            }
            CheckTruth::Sat(_) => f.write_str("an assignment satisfies the assertions"),
            CheckTruth::Unsat(refutation) => refutation.fmt(f),
        }
    }
}

impl fmt::Display for CheckRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.derivation.is_empty() {
            return write!(f, "the clauses derive `false` in {} steps", self.derivation.len());
        }
        match (&self.definition, self.record.as_ref().map(|record| record.assignments)) {
            (Some(name), _) => write!(f, "no function `{name}` satisfies its recursive definition and the assertions"),
            (None, Some(0)) => f.write_str("the assertions leave a symbol no value"),
            (None, Some(1)) => f.write_str("the only assignment falsifies an assertion"),
            (None, Some(assignments)) => write!(f, "each of {assignments} assignments falsifies an assertion"),
            (None, None) => f.write_str("each assignment falsifies an assertion"),
        }
    }
}

/// Why nothing is known of a check.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenTruth {
    /// The text does not read.
    #[error("the text does not read: {0}")]
    Unreadable(String),
    /// The text has no check of this number, from 0.
    #[error("there is no check {}", .0 + 1)]
    NoCheck(usize),
    /// A command is carried as text, so that the assertions are not all there is.
    #[error("a command is not understood")]
    Incomplete,
    /// This function is live and not proven total, so that perhaps no interpretation exists.
    #[error("the recursive function `{0}` is not proven total, so that perhaps no interpretation exists")]
    NotTotal(String),
    /// It is no small world.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// It is one, and exhaustion left it open.
    #[error("{reason}")]
    Unresolved {
        /// Why.
        reason: Unresolved,
        /// What was looked at, where a record was asked for.
        record: Option<Box<Exhaustion>>,
    },
}
