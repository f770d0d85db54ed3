//! The witness check: does an assignment satisfy a mutant's text, parsed again? (Design invariant 2.)

use super::unproven;
use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::model::Model;
use smtlib::{Store, TermId};
use std::sync::Arc;

/// The limit of all assertions of a text together, see [`EvalLimits::life`]: five times that of one.
const LIFE: u64 = 100_000_000;

/// The limits of one assertion if the default was not enough: large domains are skipped.
const MODEST: EvalLimits = EvalLimits { steps: 50_000, domain: 1 << 12, bits: 1 << 14, ..EvalLimits::DEFAULT };

/// Why a text is not certified.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotCertified {
    /// The text does not read back.
    #[error("the text does not read back: {first} ({errors} errors)")]
    Unreadable {
        /// The first error.
        first: String,
        /// The number of errors.
        errors: usize,
    },
    /// The text has commands that are only carried as text, so the assertions may be incomplete.
    #[error("check {check} depends on commands that are not understood")]
    Opaque {
        /// The number of the check, from 0.
        check: usize,
    },
    /// An assertion is false or unknown under the witness.
    #[error("assertion {assertion} of check {check} is {value}: {text}")]
    Assertion {
        /// The number of the check, from 0.
        check: usize,
        /// The number of the assertion among those live at the check, from 0.
        assertion: usize,
        /// `false`, or `unknown` with the reason.
        value: String,
        /// The assertion, shortened.
        text: String,
    },
    /// A live recursive definition is not proven total; it might have no interpretation at all.
    #[error("check {check} has a live recursive definition that is not proven total")]
    Recursive {
        /// The number of the check, from 0.
        check: usize,
    },
    /// The number of checks is not the expected one.
    #[error("the text has {found} checks, {expected} were expected")]
    Checks {
        /// The number in the text.
        found: usize,
        /// The expected number.
        expected: usize,
    },
}

/// What a certificate covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The number of checks whose assertions are all true.
    pub checks: usize,
    /// The number of distinct evaluated assertions.
    pub assertions: usize,
}

/// Reads `text` into a copy of `store` and evaluates every assertion live at every check with a fresh evaluator.
///
/// The copy ties the text to the model: a function of the same name and rank is the same function of the store.
/// `checks` is the number of answers expected.
/// Errors: [`NotCertified`] says why the text is not certified; nothing is assumed in its favour.
pub fn certify(store: &Store, model: &Arc<Model>, text: &str, checks: usize) -> Result<Certificate, NotCertified> {
    certify_where(store, model, text, checks, |_| true)
}

/// Like [`certify`], for one check alone, counted from 0: the others may need other witnesses.
/// Errors: as [`certify`].
pub fn certify_check(
    store: &Store,
    model: &Arc<Model>,
    text: &str,
    checks: usize,
    check: usize,
) -> Result<Certificate, NotCertified> {
    match certify_where(store, model, text, checks, |n| n == check)? {
        Certificate { checks: 0, .. } => Err(NotCertified::Checks { found: checks, expected: check + 1 }),
        certificate => Ok(certificate),
    }
}

fn certify_where(
    store: &Store,
    model: &Arc<Model>,
    text: &str,
    checks: usize,
    is_asked: impl Fn(usize) -> bool,
) -> Result<Certificate, NotCertified> {
    let mut store = store.clone();
    let parsed = smtlib::parse(&mut store, text);
    if let Some(first) = parsed.errors.first() {
        return Err(NotCertified::Unreadable { first: first.to_string(), errors: parsed.errors.len() });
    }
    let found = parsed.script.check_count();
    if found != checks {
        return Err(NotCertified::Checks { found, expected: checks });
    }
    let mut evaluator = Evaluator::new(model.clone(), EvalLimits { life: LIFE, ..EvalLimits::default() });
    // If a large domain takes all the steps, skipping it may leave enough for the deciding part.
    let mut modest = Evaluator::new(model.clone(), MODEST);
    let mut evaluated = vec![false; store.len()];
    let mut certificate = Certificate { checks: 0, assertions: 0 };
    for (check, instance) in parsed.script.each_instance().enumerate().filter(|(check, _)| is_asked(*check)) {
        certificate.checks += 1;
        if instance.incomplete {
            return Err(NotCertified::Opaque { check });
        }
        if unproven(&store, &instance.declarations).is_some() {
            return Err(NotCertified::Recursive { check });
        }
        for (assertion, &t) in instance.assertions.iter().enumerate() {
            if std::mem::replace(&mut evaluated[t.index()], true) {
                continue;
            }
            certificate.assertions += 1;
            let value = match evaluator.eval(&store, t).or_else(|_| modest.eval(&store, t)) {
                Ok(value) if value.as_bool() == Some(true) => continue,
                Ok(_) => "false".to_string(),
                Err(unknown) => format!("unknown ({})", unknown.reason),
            };
            return Err(NotCertified::Assertion { check, assertion, value, text: excerpt(&store, t) });
        }
    }
    Ok(certificate)
}

/// Returns the first characters of a term's text.
fn excerpt(store: &Store, t: TermId) -> String {
    const LENGTH: usize = 200;
    let text = store.term_text(t);
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
