//! Checking a model: is every assertion true under it?

use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::model::Model;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use smtlib::{Store, TermId};
use std::sync::Arc;

/// The verdict on some assertions under a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All are true.
    Valid,
    /// One is false.
    Invalid {
        /// The number of the first false assertion.
        assertion: usize,
        /// That assertion.
        term: TermId,
        /// Its subterms with their values, larger ones first; at most [`MAX_SHOWN`].
        subterms: Vec<(TermId, Value)>,
    },
    /// None is false, and the value of one is unknown.
    Unknown {
        /// The innermost term to blame.
        term: TermId,
        /// Why its value is unknown.
        reason: UnknownReason,
    },
}

/// The maximum number of subterms listed in an invalid verdict.
pub const MAX_SHOWN: usize = 64;

/// Checks assertions under a model, with the default bounds.
///
/// A false assertion counts even if others are unknown: no interpretation that agrees with the model satisfies it.
pub fn validate(store: &Store, assertions: &[TermId], model: impl Into<Arc<Model>>) -> Verdict {
    validate_with(store, assertions, &mut Evaluator::new(model, EvalLimits::default()))
}

/// Like [`validate`], with the caller's evaluator.
pub fn validate_with(store: &Store, assertions: &[TermId], evaluator: &mut Evaluator) -> Verdict {
    let mut unknown: Option<Unknown> = None;
    for (assertion, &term) in assertions.iter().enumerate() {
        match evaluator.eval(store, term) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return Verdict::Invalid { assertion, term, subterms: shown(store, term, evaluator) },
            Err(u) => unknown = unknown.or(Some(u)),
        }
    }
    match unknown {
        None => Verdict::Valid,
        Some(Unknown { term, reason }) => Verdict::Unknown { term, reason },
    }
}

/// Returns the evaluated subterms, breadth first.
fn shown(store: &Store, root: TermId, evaluator: &Evaluator) -> Vec<(TermId, Value)> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut queue = std::collections::VecDeque::from([root]);
    let mut list = Vec::new();
    while let Some(t) = queue.pop_front() {
        if list.len() >= MAX_SHOWN {
            break;
        }
        if !seen.insert(t) {
            continue;
        }
        if let Some(Ok(value)) = evaluator.remembered(t) {
            list.push((t, value.clone()));
        }
        queue.extend(store.args(t));
    }
    list
}
