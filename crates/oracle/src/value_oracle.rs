//! The value oracle: does a solver's reply to `(get-value …)` contradict its reply to `(get-model)` right before?

use crate::model_oracle::{
    self, CheckModel, Examined, FalseAssertion, MAX_MODEL_BYTES, RefutedPart, ScriptVerdict, SentScript, as_standard,
    shortened,
};
use crate::tested::ModelQuery;
use semantics::EvalLimits;
use semantics::judge::contradicted_value;
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{Command, Instance, Kind, Store, TermId};
use solver::process::{ProcessLimits, RunError};
use solver::session::SessionNeeds;
use std::time::Duration;

/// The maximum number of terms of one check whose values are asked for.
const MAX_TERMS: usize = 64;

/// The maximum size of a script to which questions are added, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// Values that contradict a model.
#[derive(Clone, Debug)]
pub struct WrongValue {
    /// The script up to the check, with the questions.
    pub text: String,
    /// Which value, and the run that gave it.
    pub found: FalseAssertion,
    /// The run and the verdict.
    pub examined: Examined,
}

/// Returns the terms that a script asks for right after `(get-model)`, per check.
pub(super) fn asked(commands: &[Command]) -> Vec<Vec<TermId>> {
    let after = |n: usize| match commands.get(n + 1..n + 3) {
        Some([Command::GetModel, Command::GetValue(terms)]) => terms.to_vec(),
        _ => Vec::new(),
    };
    commands.iter().enumerate().filter(|(_, command)| command.is_check()).map(|(n, _)| after(n)).collect()
}

/// Asks a solver, alone in a fresh process, for its model of one check and the values of the check's subterms. If one contradicts the
/// model, only that one is asked for, if it shows alone. Returns the CPU time of all runs, too.
/// Errors: the solver cannot be run.
pub fn examine(
    asked: ModelQuery<'_>,
    text: &str,
    check: usize,
    purpose: SessionNeeds,
    limits: &ProcessLimits,
) -> Result<(Option<WrongValue>, Duration), RunError> {
    let script = SentScript::read(text);
    let terms = script.instances.get(check).map_or(Vec::new(), |instance| terms(&script.store, instance));
    if terms.is_empty() || text.len() > MAX_TEXT {
        return Ok((None, Duration::ZERO));
    }
    let mut cpu = Duration::ZERO;
    let mut ask = |terms: &[TermId]| -> Result<Option<WrongValue>, RunError> {
        let text = script.question(check, terms, asked.dialect);
        let examined = model_oracle::examine_check(asked, &text, check, purpose, limits)?;
        cpu += examined.outcome.cpu;
        Ok(match &examined.verdict {
            ScriptVerdict::Invalid(found) if found.part == RefutedPart::Value => {
                Some(WrongValue { text, found: found.clone(), examined })
            }
            _ => None,
        })
    };
    let Some(all) = ask(&terms)? else { return Ok((None, cpu)) };
    let alone = match terms.get(all.found.number) {
        Some(term) => ask(&[*term])?,
        None => None,
    };
    Ok((Some(alone.unwrap_or(all)), cpu))
}

/// Lists the subterms of a check's assertions that a solver can be asked about: no variables, binders or literals. Symbols come first.
fn terms(store: &Store, instance: &Instance) -> Vec<TermId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = instance.assertions.clone();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend_from_slice(store.args(term));
        }
    }
    let is_asked = |&term: &TermId| {
        let is_literal = matches!(store.kind(term), Kind::Constant | Kind::True | Kind::False);
        !is_literal && store.flags(term) & (HAS_BINDER | HAS_VARIABLE) == 0
    };
    let mut terms: Vec<TermId> = seen.into_iter().filter(is_asked).collect();
    terms.sort_unstable();
    terms.truncate(MAX_TERMS);
    terms
}

impl SentScript<'_> {
    /// Judges the values that a solver reports with a model; [`ScriptVerdict::None`] if none contradicts it.
    pub(super) fn judge_values(&mut self, asked: ModelQuery<'_>, given: CheckModel<'_>) -> ScriptVerdict {
        let (Some(terms), Some(values), Some(instance)) =
            (self.asked.get(given.check), given.values, self.instances.get(given.check))
        else {
            return ScriptVerdict::None;
        };
        let is_readable = !instance.incomplete && given.model.len().max(values.len()) <= MAX_MODEL_BYTES;
        if terms.is_empty() || !is_readable || asked.solver.installed().miswritten(values).is_some() {
            return ScriptVerdict::None;
        }
        let Some([_, model, values]) = as_standard([self.text, given.model, values], asked.misreads) else {
            return ScriptVerdict::None;
        };
        let store = &mut self.store;
        let found = contradicted_value(store, instance, &model, terms, &values, EvalLimits::ONE_OF_MANY);
        let Some(found) = found.ok().flatten() else { return ScriptVerdict::None };
        let term = terms[found.number];
        let sort = store.sort(term);
        let mut word = |value: &semantics::Value| {
            let literal = value.to_term(store, sort);
            literal.map_or("another value".to_string(), |literal| shortened(&store.term_text(literal)))
        };
        let (own, reported) = (word(&found.own), word(&found.reported));
        let term = shortened(&store.term_text(term));
        let description = format!("{term}\n  {own}  is its value under (get-model)\n  {reported}  says (get-value …)");
        let (check, part, number) = (given.check, RefutedPart::Value, found.number);
        ScriptVerdict::Invalid(FalseAssertion { check, part, number, description })
    }
}
