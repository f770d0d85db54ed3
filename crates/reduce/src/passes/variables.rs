//! Passes that replace variables, or terms by variables.

use super::{Grouping, MAX_TERMS, ReductionPass, View, names};
use crate::plan::{ScriptEdit, levels, occurrences};
use smtlib::term::HAS_VARIABLE;
use smtlib::{Command, Func, FuncBody, Sort, TermId};

/// Replaces terms by fresh variables; the witness gives each the term's value.
///
/// Before: `(assert (> (str.len (str.++ a (str.replace b c d))) 3))`. After: `(assert (> (str.len v) 3))`.
pub const FRESH_VARIABLES: ReductionPass = ReductionPass {
    name: "fresh_variables",
    about: "replaces terms by fresh variables",
    group: Grouping::Single,
    propose: fresh_variables,
};

/// The maximum number of terms tried in one round.
const MAX_TRIED: usize = 40;

/// Replaces one variable by another.
///
/// Before: `(assert (and (< x 0) (> y 0) (< z 0)))`. After: `(assert (and (< x 0) (> y 0) (< x 0)))`.
pub const MERGE_VARIABLES: ReductionPass = ReductionPass {
    name: "merge_variables",
    about: "merges variables",
    group: Grouping::Single,
    propose: merge_variables,
};

/// The maximum number of other variables tried for one variable.
const MAX_OTHERS: usize = 8;

fn fresh_variables(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    let mut free_names = names::unused(view);
    let all: Vec<TermId> = levels(view.store, view.script).into_iter().flatten().take(MAX_TERMS).collect();
    for t in all {
        if edits.len() >= MAX_TRIED {
            break;
        }
        if let Some(edit) = proposal(view, t, &mut free_names) {
            edits.push(edit);
        }
    }
    vec![edits]
}

fn proposal(view: &mut View<'_>, t: TermId, names: &mut impl Iterator<Item = String>) -> Option<ScriptEdit> {
    let sort = view.store.sort(t);
    // The declaration is longer than a small term.
    let is_small = view.store.depth(t) < 1 || view.store.flags(t) & HAS_VARIABLE != 0;
    if is_small || matches!(view.store.sorts.get(sort), Sort::RegLan | Sort::Map(..) | Sort::Extension(..)) {
        return None;
    }
    let value = match view.values.as_mut() {
        Some(values) => Some(values.evaluator().eval(view.store, t).ok().filter(|v| v.is_exact())?),
        None => None,
    };
    let name = view.store.symbols.intern(&names.next()?);
    let f = view.store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared });
    if let (Some(value), Some(model)) = (value, view.model.as_mut()) {
        model.assign(view.store, f, value).ok()?;
        view.extended = true;
    }
    let variable = view.store.constant_of(f).ok()?;
    Some(ScriptEdit::All(vec![ScriptEdit::Declare(f), ScriptEdit::Replace(t, variable)]))
}

fn merge_variables(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let used = occurrences(view.store, view.script);
    let mut variables: Vec<TermId> = Vec::new();
    for command in &view.script.commands {
        if let Command::DeclareFun(f) = command
            && used.contains_key(f)
            && let Ok(t) = view.store.constant_of(*f)
        {
            variables.push(t);
        }
    }
    let mut edits = Vec::new();
    for (n, &y) in variables.iter().enumerate().rev() {
        let same_sort: Vec<TermId> =
            variables[..n].iter().copied().filter(|&x| view.store.sort(x) == view.store.sort(y)).collect();
        let same_value = same_sort.into_iter().filter(|&x| same_value(view, x, y)).take(MAX_OTHERS);
        edits.extend(same_value.map(|x| ScriptEdit::Replace(y, x)));
    }
    vec![edits]
}

/// Whether both terms have the same value under the witness; true if there is no witness.
fn same_value(view: &mut View<'_>, x: TermId, y: TermId) -> bool {
    let Some(values) = view.values.as_mut() else { return true };
    let evaluator = values.evaluator();
    match (evaluator.eval(view.store, x), evaluator.eval(view.store, y)) {
        (Ok(x), Ok(y)) => x == y,
        _ => true,
    }
}
