//! Small worlds in mutators: checks over finite sets that are decided by exhaustion, from terms or from a text read afresh.

use crate::mutator::Expected;
use crate::preamble::is_proven;
use semantics::exhaust::{ExhaustLimits, ExhaustiveAnswer, NotFinite, Unresolved, World, decide, proper_parts};
use semantics::totality::Totality;
use semantics::{EvalLimits, Model, Stop};
use smtlib::{Store, TermId};
use std::sync::Arc;

/// What deciding one check of a small seed may spend: most take far less, and the others are not worth the time.
pub const LIMITS: ExhaustLimits = ExhaustLimits {
    assignments: 1 << 16,
    values: 256,
    evaluations: 1500,
    steps: u64::MAX,
    each: EvalLimits {
        steps: 1 << 14,
        memory: 1 << 22,
        domain: 1 << 10,
        instances: 64,
        bits: 1 << 12,
        nesting: 200,
        regex_steps: 1 << 14,
        call_memo: 1 << 10,
        life: u64::MAX,
    },
};

/// What deciding one of many sets of formulas may spend, where a mutant asks about dozens.
pub const MODEST_LIMITS: ExhaustLimits = ExhaustLimits { assignments: 1 << 12, evaluations: 500, ..LIMITS };

/// What is true at a check.
#[derive(Clone, Debug)]
pub enum CheckTruth {
    /// Satisfied by this.
    Sat(Box<Model>),
    /// Refuted by exhaustion.
    Unsat,
}

impl CheckTruth {
    /// What a right solver answers.
    pub fn expected(&self) -> Expected {
        match self {
            CheckTruth::Sat(_) => Expected::Sat,
            CheckTruth::Unsat => Expected::Unsat,
        }
    }

    /// The witness of a script with these truths: of its only check, if that is satisfiable. One assignment is for one check.
    pub fn witness(truths: &[CheckTruth]) -> Option<Arc<Model>> {
        match truths {
            [CheckTruth::Sat(model)] => Some(Arc::new((**model).clone())),
            _ => None,
        }
    }
}

/// Why a check was not decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Undecided {
    /// It is no small world.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// It is one, and exhaustion left it open.
    #[error(transparent)]
    Unresolved(#[from] Unresolved),
}

/// Decides assertions by exhaustion.
///
/// # Errors
/// [`Undecided`] says what is not finite, or what was left open.
pub fn decide_terms(store: &mut Store, assertions: &[TermId], limits: &ExhaustLimits) -> Result<CheckTruth, Undecided> {
    let world = World::of(store, assertions, limits)?;
    match decide(store, &world, limits, &Stop::default()) {
        ExhaustiveAnswer::Sat(model) => Ok(CheckTruth::Sat(Box::new(model))),
        ExhaustiveAnswer::Unsat => Ok(CheckTruth::Unsat),
        ExhaustiveAnswer::Unknown(reason) => Err(reason.into()),
    }
}

/// Decides every check of a text, which is read into `store`, so that the models are of its functions. None where one is
/// not decided, and where [`decide_checks`] gives none.
///
/// Where there are several checks, no `sat` rests on the choice of a value that the standard leaves open: without a witness it
/// could not be confirmed.
pub fn decide_text(store: &mut Store, text: &str, checks: usize, limits: &ExhaustLimits) -> Option<Vec<CheckTruth>> {
    let truths: Option<Vec<CheckTruth>> = decide_checks(store, text, checks, limits)?.into_iter().collect();
    let rests_on_choice = |truth: &CheckTruth| matches!(truth, CheckTruth::Sat(model) if !model.choices().is_empty());
    truths.filter(|truths| checks == 1 || !truths.iter().any(rests_on_choice))
}

/// What exhaustion says of each check of a text, which is read into `store`. None where the text does not read or has another
/// number of checks than `checks`, where a command in it is not understood, or where a recursive definition is not proven total.
pub fn decide_checks(
    store: &mut Store,
    text: &str,
    checks: usize,
    limits: &ExhaustLimits,
) -> Option<Vec<Option<CheckTruth>>> {
    let parsed = smtlib::parse(store, text);
    let instances = parsed.script.instances();
    if !parsed.errors.is_empty() || instances.len() != checks || checks == 0 {
        return None;
    }
    let mut totality = Totality::default();
    let mut truths = Vec::with_capacity(checks);
    for instance in &instances {
        if instance.incomplete || !instance.declarations.iter().all(|d| is_proven(store, d, &mut totality)) {
            return None;
        }
        truths.push(decide_parts(store, &instance.assertions, limits));
    }
    Some(truths)
}

/// Decides assertions, of which a part that is a small world may refute all.
fn decide_parts(store: &mut Store, assertions: &[TermId], limits: &ExhaustLimits) -> Option<CheckTruth> {
    let parts = proper_parts(store, assertions, limits);
    let mut is_refuted =
        |world: &World| matches!(decide(store, world, limits, &Stop::default()), ExhaustiveAnswer::Unsat);
    match parts.iter().any(&mut is_refuted) {
        true => Some(CheckTruth::Unsat),
        false => decide_terms(store, assertions, limits).ok(),
    }
}
