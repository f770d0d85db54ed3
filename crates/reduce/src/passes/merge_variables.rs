//! Replaces one variable by another.
//!
//! Before: `(assert (and (< x 0) (> y 0) (< z 0)))`. After: `(assert (and (< x 0) (> y 0) (< x 0)))`.

use super::{Grouping, ReductionPass, View};
use crate::plan::{ScriptEdit, occurrences};
use smtlib::{Command, TermId};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "merge_variables", about: "merges variables", group: Grouping::Single, propose };

/// The maximum number of others tried for one variable.
const MAX_OTHERS: usize = 8;

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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

/// Whether both have the same value under the witness; true without one.
fn same_value(view: &mut View<'_>, x: TermId, y: TermId) -> bool {
    let Some(values) = view.values.as_mut() else { return true };
    let evaluator = values.evaluator();
    match (evaluator.eval(view.store, x), evaluator.eval(view.store, y)) {
        (Ok(x), Ok(y)) => x == y,
        _ => true,
    }
}
