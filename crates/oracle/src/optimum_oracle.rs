//! The optimum oracle: does a solver's reply to `(get-objectives)`, or its model, miss the best values of a script's objectives?
//!
//! Invariant: only numbers are judged. `oo` or `epsilon` says that the solver did not finish, and leaves the rest of a lexicographic list
//! open; an interval counts as the answer `unknown` before it comes here. With the priority `box` a model shows the best value of one objective at most, so models are not judged.

use crate::model_oracle::{CheckModel, FalseAssertion, RefutedPart, ScriptVerdict, SentScript, as_standard, describe};
use semantics::judge::contradicted_value;
use semantics::truth::TruthQuery;
use semantics::truth::optimum::{Optimum, as_number, is_lexicographic, optima, read_number};
use semantics::{EvalLimits, Interpretation};
use smtlib::sexpr::Sexprs;
use smtlib::{Store, TermId};

/// The beginning of a reply to `(get-objectives)`.
pub(super) const REPLY: &str = "(objectives";

impl SentScript<'_> {
    /// Judges the objectives of a check answered `sat`; [`ScriptVerdict::None`] if all values are best, or none was asked for.
    pub(super) fn judge_objectives(
        &mut self,
        given: CheckModel<'_>,
        misreads: &[String],
        query: TruthQuery<'_>,
    ) -> ScriptVerdict {
        let instance = self.instances.get(given.check).filter(|instance| !instance.objectives.is_empty());
        let (Some(instance), Some(reply)) = (instance, given.objectives) else { return ScriptVerdict::None };
        let Some([_, model, reply]) = as_standard([self.text, given.model, reply], misreads) else {
            return ScriptVerdict::None;
        };
        let store = &mut self.store;
        let all = match optima(store, instance, query) {
            Ok(all) => all,
            Err(why) => return ScriptVerdict::Open(why.to_string()),
        };
        let Some(reported) = numbers(&reply).filter(|reported| reported.len() == all.len()) else {
            return ScriptVerdict::Open("its objectives are not those of the script".to_string());
        };
        let is_lexicographic = is_lexicographic(instance) == Some(true);
        let mut unfinished = None;
        for (number, (optimum, told)) in all.iter().zip(&reported).enumerate() {
            match read_number(told) {
                Some(value) if as_number(&optimum.value) == Some(value.clone()) => {}
                Some(value) => {
                    return wrong(store, given.check, number, optimum, &format!("{value}  says (get-objectives)"));
                }
                None => unfinished = Some(ScriptVerdict::Open(format!("its objective is {told}"))),
            }
            if is_lexicographic && unfinished.is_some() {
                break;
            }
        }
        if unfinished.is_some() || !is_lexicographic {
            return unfinished.unwrap_or(ScriptVerdict::None);
        }
        let terms: Vec<TermId> = all.iter().map(|optimum| optimum.term).collect();
        let values: String = all.iter().map(|optimum| format!("(best {})", text(store, optimum))).collect();
        let found =
            contradicted_value(store, instance, &model, &terms, &format!("({values})"), EvalLimits::ONE_OF_MANY);
        let Some((optimum, found)) = found.ok().flatten().and_then(|found| Some((all.get(found.number)?, found)))
        else {
            return ScriptVerdict::None;
        };
        let own = text(store, &Optimum { value: found.own, ..optimum.clone() });
        wrong(store, given.check, found.number, optimum, &format!("{own}  is its value under (get-model)"))
    }
}

/// Returns the reported values, in order: the last part of each line, since the name of a group is printed without its bars.
fn numbers(reply: &str) -> Option<Vec<String>> {
    let all = Sexprs::read_whole(reply)?;
    let rows = all.top().next().and_then(|list| all.headed(list, &REPLY[1..]))?;
    rows.into_iter().map(|row| Some(all.text(all.children(row).last()?).to_string())).collect()
}

fn text(store: &mut Store, Optimum { term, value, .. }: &Optimum) -> String {
    let sort = store.sort(*term);
    value.to_term(store, sort).map_or(String::new(), |literal| store.term_text(literal))
}

/// Returns the verdict on a value that is not the best one, with a model that has the best one, and what the solver tells.
fn wrong(store: &mut Store, check: usize, number: usize, optimum: &Optimum, told: &str) -> ScriptVerdict {
    let Optimum { is_maximum, term, value, model } = optimum;
    let mut values = vec![(*term, value.clone())];
    for f in model.symbols() {
        let known = (store.constant_of(f), model.interpretation(f));
        if let (Ok(constant), Some(Interpretation::Value(value))) = known
            && constant != *term
        {
            values.push((constant, value.clone()));
        }
    }
    let best = describe(store, *term, &values);
    let description = format!("{} {best}\n  {told}", if *is_maximum { "maximize" } else { "minimize" });
    ScriptVerdict::Invalid(FalseAssertion { check, part: RefutedPart::Optimum, number, description })
}
