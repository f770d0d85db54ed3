//! The witness check: does an assignment satisfy a mutant's text, read afresh? (Design invariant 2.)

use super::unproven;
use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::model::Model;
use smtlib::{Store, TermId};
use std::sync::Arc;

/// What all assertions of a text may take together, see [`EvalLimits::life`]: five times what one may.
const LIFE: u64 = 100_000_000;

/// What one assertion may take where the default was not enough: a large domain is given up at once.
const MODEST: EvalLimits = EvalLimits { steps: 50_000, domain: 1 << 12, bits: 1 << 14, ..EvalLimits::DEFAULT };

/// Why a text is not certified.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotCertified {
    /// The text does not read back.
    #[error("the text does not read back: {first} ({errors} errors)")]
    Unreadable {
        /// The first error.
        first: String,
        /// How many there are.
        errors: usize,
    },
    /// The text holds commands that are carried as text only, so that the assertions are not all there is.
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
    /// A recursive definition is live that is not proven total; it might have no interpretation at all.
    #[error("check {check} has a recursive definition live that is not proven total")]
    Recursive {
        /// The number of the check, from 0.
        check: usize,
    },
    /// Other checks than expected.
    #[error("the text has {found} checks, {expected} were expected")]
    Checks {
        /// As many as the text has.
        found: usize,
        /// As many as were expected.
        expected: usize,
    },
}

/// What a certificate covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Checks whose assertions are all true.
    pub checks: usize,
    /// Different assertions evaluated.
    pub assertions: usize,
}

/// Reads `text` into a copy of `store` and evaluates every assertion live at every check with a fresh evaluator.
///
/// The copy is what ties the text to the model: a function of the same name and rank is the same function of the store.
/// `checks` is the number of answers expected.
///
/// # Errors
/// [`NotCertified`] says what keeps the text from being certified; nothing is assumed in its favour.
pub fn certify(store: &Store, model: &Arc<Model>, text: &str, checks: usize) -> Result<Certificate, NotCertified> {
    certify_where(store, model, text, checks, |_| true)
}

/// The same for one check alone, counted from 0: the others may need other witnesses.
///
/// # Errors
/// As for [`certify`].
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
    // Where a large domain takes all the steps, one that is given up at once may leave enough for what decides.
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

/// The first characters of a term's text.
fn excerpt(store: &Store, t: TermId) -> String {
    const LENGTH: usize = 200;
    let text = store.term_text(t);
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
