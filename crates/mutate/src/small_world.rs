//! Small worlds in mutators: checks over finite sets that are decided by exhaustion, from terms or from a parsed text.

use semantics::truth::{self, ExhaustLimits, OpenTruth, Search, TruthQuery};
use semantics::{EvalLimits, Model, Stop};
use smtlib::{Instance, Status, Store, TermId};
use std::sync::Arc;

pub use semantics::truth::CheckTruth;

/// The limits of deciding one check of a small seed: most take far less, and the others are not worth the time.
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

/// The limits of deciding one of many sets of formulas, since a mutant asks about dozens.
pub const MODEST_LIMITS: ExhaustLimits = ExhaustLimits { assignments: 1 << 12, evaluations: 500, ..LIMITS };

/// Returns the right answers.
pub fn expected(truth: &CheckTruth) -> Status {
    match truth {
        CheckTruth::Sat(_) => Status::Sat,
        CheckTruth::Unsat(_) => Status::Unsat,
    }
}

/// Returns the witness of a script with these truths: of its only check, if satisfiable. One assignment is for one check.
pub fn witness(truths: &[CheckTruth]) -> Option<Arc<Model>> {
    match truths {
        [CheckTruth::Sat(model)] => Some(Arc::new((**model).clone())),
        _ => None,
    }
}

/// Decides assertions quickly by exhaustion.
/// Errors: [`OpenTruth`] says what is not finite, or what stayed open.
pub fn decide_terms(store: &mut Store, assertions: &[TermId], limits: &ExhaustLimits) -> Result<CheckTruth, OpenTruth> {
    truth::of_formulas(store, assertions, TruthQuery { limits, stop: &Stop::default(), search: Search::Quick })
}

/// Decides every check of a text by exhaustion; the text is read into `store`, so that the models are of its functions. `None` if one
/// is not decided, or if the text does not parse, does not have `checks` checks, has an unknown command, or a recursive definition that
/// is not proven total.
///
/// With several checks, no `sat` may depend on the choice of a value that the standard leaves open: without a witness it could
/// not be confirmed.
pub fn decide_text(store: &mut Store, text: &str, checks: usize, limits: &ExhaustLimits) -> Option<Vec<CheckTruth>> {
    let instances = truth::read(store, text).ok().filter(|instances| instances.len() == checks && checks > 0)?;
    let is_unproven = |instance: &Instance| truth::unproven(store, &instance.declarations).is_some();
    if instances.iter().any(|instance| instance.incomplete || is_unproven(instance)) {
        return None;
    }
    let query = TruthQuery { limits, stop: &Stop::default(), search: Search::Quick };
    let decide = |instance| truth::of_instance(store, instance, query).ok();
    let truths: Option<Vec<CheckTruth>> = instances.iter().map(decide).collect();
    truths.filter(|truths| checks == 1 || !truths.iter().any(CheckTruth::is_by_choice))
}
