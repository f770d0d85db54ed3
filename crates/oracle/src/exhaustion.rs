//! The right answer to a check over small finite sets, by the plain evaluator alone, within the time of a confirmation.

use crate::witness_file;
use semantics::Stop;
use semantics::truth::{self, CheckTruth, ExhaustLimits, OpenTruth, Search, TruthQuery};
use smtlib::{Instance, Store};
use std::time::{Duration, Instant};

/// The time limit of one check.
const TIME: Duration = Duration::from_secs(10);

/// Decides a check.
/// Errors: [`OpenTruth`] says why the check is not decided: for instance, a domain is not known to be finite, or the time is up.
pub fn decide(store: &mut Store, instance: &Instance) -> Result<CheckTruth, OpenTruth> {
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &within_time(), search: Search::Recorded };
    truth::of_instance(store, instance, query)
}

/// Reads a text and decides its check with this number, from 0.
/// Errors: as [`decide`], or the text does not parse or has no check with this number.
pub fn decide_text(text: &str, check: usize) -> Result<CheckTruth, OpenTruth> {
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &within_time(), search: Search::Recorded };
    truth::of_check(text, check, query)
}

/// Decides a check as [`decide_text`] does. Adds the witness as a file if it depends on a choice, which nobody could
/// guess.
/// Errors: as [`decide_text`].
pub fn decide_with_witness(text: &str, check: usize) -> Result<(CheckTruth, Option<String>), OpenTruth> {
    let mut store = Store::new();
    let instances = truth::read(&mut store, text)?;
    let instance = instances.get(check).ok_or(OpenTruth::NoCheck(check))?;
    let known = decide(&mut store, instance)?;
    let chosen = known.model().filter(|_| known.is_by_choice());
    let witness = chosen.and_then(|model| witness_file::write(&store, model, instance));
    Ok((known, witness))
}

/// Names a function that is live at a check of a text and whose recursive definition is not proven total. No answer counts as wrong
/// there: some solvers document that they assume definitions to be well founded.
pub fn unproven(text: &str, check: usize) -> Option<String> {
    let mut store = Store::new();
    let instances = truth::read(&mut store, text).ok()?;
    truth::unproven(&store, &instances.get(check)?.declarations).map(str::to_string)
}

/// Returns when the time of one check is over.
pub(crate) fn within_time() -> Stop {
    Stop { deadline: Instant::now().checked_add(TIME), cancelled: None }
}
