//! What can be known about a check, and why it may be open.

use crate::exhaust::{Exhaustion, NotFinite, Unresolved};
use crate::model::Model;
use std::fmt;

/// The truth of a check.
#[derive(Clone, Debug)]
pub enum CheckTruth {
    /// All assertions are true under the model, and every live definition has an interpretation.
    Sat(Box<Model>),
    /// No interpretation satisfies definitions and assertions, whatever values are chosen where the standard leaves
    /// them open.
    Unsat(CheckRefutation),
}

/// How a check is refuted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckRefutation {
    /// The record of the exhaustion, if one was requested and it refutes.
    pub record: Option<Box<Exhaustion>>,
    /// The recursive function, not proven total, that the refutation reads as the standard does: as an assertion over all its
    /// parameters. Solvers that assume well-founded definitions document that they answer differently.
    pub definition: Option<Box<str>>,
    /// For Horn clauses refuted by their least fixpoint: the derivation of `false`, one fact per line after its premises, such as `(P
    /// #b01) by assertion 2 from (Q true)`. Empty if all assignments were tried.
    pub derivation: Box<[Box<str>]>,
    /// For a query of rules: the relation of which they derive no fact.
    pub underived: Option<Box<str>>,
    /// A definition in the script that is positive by the assertions, but 0 when it is multiplied out.
    pub identity: Option<Box<str>>,
}

impl CheckTruth {
    /// Returns the answer as a word.
    pub fn word(&self) -> &'static str {
        match self {
            CheckTruth::Sat(_) => "sat",
            CheckTruth::Unsat(_) => "unsat",
        }
    }

    /// Returns the model, if the check is satisfiable.
    pub fn model(&self) -> Option<&Model> {
        match self {
            CheckTruth::Sat(model) => Some(model),
            CheckTruth::Unsat(_) => None,
        }
    }

    /// Whether, as far as known, the check is satisfiable only by the choice of a value that the standard leaves open. `unsat` is
    /// wrong then: a choice is part of the interpretation. But the witness has to state the choice.
    pub fn is_by_choice(&self) -> bool {
        self.model().is_some_and(|model| !model.choices().is_empty())
    }

    /// Returns the function whose recursive definition a refutation reads as the standard does, see
    /// [`CheckRefutation::definition`].
    pub fn definition(&self) -> Option<&str> {
        match self {
            CheckTruth::Sat(_) => None,
            CheckTruth::Unsat(refutation) => refutation.definition.as_deref(),
        }
    }

    /// Returns the answer as a word, if it is the same under every reading: no value is chosen, and no definition is used that is not
    /// proven total.
    pub fn certain(&self) -> Option<&'static str> {
        (!self.is_by_choice() && self.definition().is_none()).then(|| self.word())
    }
}

impl fmt::Display for CheckTruth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckTruth::Sat(_) if self.is_by_choice() => f.write_str(
                "the assignment that satisfies the assertions depends on a value that the standard leaves open",
            ),
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
        if let Some(relation) = &self.underived {
            return write!(f, "the rules derive no fact of `{relation}`");
        }
        if let Some(name) = &self.identity {
            return write!(f, "`{name}` is positive by the assertions, and 0 when it is multiplied out");
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

/// Why nothing is known about a check.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenTruth {
    /// The text does not parse.
    #[error("the text does not parse: {0}")]
    Unreadable(String),
    /// The text has no check of this number, from 0.
    #[error("there is no check {}", .0 + 1)]
    NoCheck(usize),
    /// A command is carried as text, so the assertions may be incomplete.
    #[error("a command is not understood")]
    Incomplete,
    /// This function is live and not proven total, so there may be no interpretation.
    #[error("the recursive function `{0}` is not proven total, so there may be no interpretation")]
    NotTotal(String),
    /// A query of rules that are not understood.
    #[error("the rules are no clauses over few values, each with a relation as its head")]
    Rules,
    /// The best value of an objective is not known.
    #[error("an objective is beyond linear terms without quantifiers, or its best value is not known")]
    Objective,
    /// The heap or an order is too large, or a formula about it is not understood, for this reason.
    #[error("{0}")]
    Hidden(String),
    /// A term could not be built.
    #[error(transparent)]
    Build(#[from] smtlib::BuildError),
    /// The check is not a small world.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The check is a small world, but exhaustion left it open.
    #[error("{reason}")]
    Unresolved {
        /// The reason.
        reason: Unresolved,
        /// The record, if one was requested.
        record: Option<Box<Exhaustion>>,
    },
}
