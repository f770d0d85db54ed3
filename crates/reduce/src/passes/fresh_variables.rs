//! Replaces terms by fresh variables; the witness gives each the term's value.
//!
//! Before: `(assert (> (str.len (str.++ a (str.replace b c d))) 3))`. After: `(assert (> (str.len v) 3))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View, names};
use crate::plan::{ScriptEdit, levels};
use smtlib::term::HAS_VARIABLE;
use smtlib::{Func, FuncBody, Sort, TermId};

/// The pass.
pub const PASS: ReductionPass = ReductionPass {
    name: "fresh_variables",
    about: "replaces terms by fresh variables",
    group: Grouping::Single,
    propose,
};

/// The maximum number of terms tried in one round.
const MAX_TRIED: usize = 40;

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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
