//! Drops unused declarations and definitions.
//!
//! Before: `(declare-sort S 0)(declare-fun x () Int)(assert true)(check-sat)`. After: `(assert true)(check-sat)`.

use super::{Grouping, ReductionPass, View, functions};
use crate::plan::ScriptEdit;
use crate::plan::{occurrences, terms};
use rustc_hash::FxHashSet;
use semantics::truth::mentions_hidden;
use smtlib::{Command, Sort, SortId, Store};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "declarations", about: "drops unused declarations", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let used = occurrences(view.store, view.script);
    let sorts = used_sorts(view);
    let unused = |n: usize, command: &Command| match command {
        Command::DeclareFun(f) | Command::DefineFun(f) => !used.contains_key(f),
        Command::DeclareDatatypes(first, count) => !sorts.iter().any(|&s| match view.store.sorts.get(s) {
            Sort::Datatype(d, _) => (first.index()..first.index() + *count as usize).contains(&d.index()),
            _ => false,
        }),
        Command::DeclareSort(name, _) => {
            !sorts.iter().any(|&s| matches!(view.store.sorts.get(s), Sort::Uninterpreted(n, _) if n == name))
        }
        Command::DefineFunsRec(group) => functions::used(view.store, view.script, n, group).is_empty(),
        Command::DefineSort(..) | Command::DeclareSortParameter(_) => true,
        Command::DeclareHeap(..) => !terms(view.store, view.script).iter().any(|&t| mentions_hidden(view.store, t)),
        _ => false,
    };
    let commands = view.script.commands.iter().enumerate();
    vec![commands.filter(|&(n, c)| unused(n, c)).map(|(n, _)| ScriptEdit::Drop(vec![n])).collect()]
}

/// Returns the sorts of all terms, binders and declarations, with their component sorts.
pub(crate) fn used_sorts(view: &View<'_>) -> FxHashSet<SortId> {
    let store: &Store = view.store;
    let mut stack = Vec::new();
    for t in terms(store, view.script) {
        stack.push(store.sort(t));
        if let Some(b) = store.op(t).binder() {
            stack.extend(store.binder(b).vars.iter().map(|v| v.1));
        }
    }
    for command in &view.script.commands {
        let functions = match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => std::slice::from_ref(f),
            Command::DefineFunsRec(group) => group,
            Command::DeclareHeap(location, data) => {
                stack.extend([*location, *data]);
                continue;
            }
            _ => &[],
        };
        for &f in functions {
            let func = store.func(f);
            stack.extend(func.params.iter().copied().chain([func.result]));
        }
    }
    let mut seen = FxHashSet::default();
    while let Some(s) = stack.pop() {
        if !seen.insert(s) {
            continue;
        }
        stack.extend(store.sorts.children(s));
        if let Sort::Datatype(d, _) = store.sorts.get(s) {
            let fields = store.datatype(*d).constructors.iter().flat_map(|c| c.fields.iter());
            stack.extend(fields.map(|f| f.1));
        }
    }
    seen
}
