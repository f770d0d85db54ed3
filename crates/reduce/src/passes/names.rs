//! Shortens the names of functions and sorts.
//!
//! Before: `(declare-fun DISJ_W_S2_R_S1 () Bool)(assert DISJ_W_S2_R_S1)`. After: `(declare-fun a () Bool)(assert a)`.

use super::{Grouping, ReductionPass, View};
use crate::plan::ScriptEdit;
use crate::retype::Retyping;
use rustc_hash::FxHashSet;
use smtlib::sexpr::{atoms, bare};
use smtlib::{Command, Func, FuncBody, FuncId, Sort, Store};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "names", about: "shortens names", group: Grouping::Halving, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let declared: Vec<FuncId> = view
        .script
        .commands
        .iter()
        .filter_map(|c| match c {
            Command::DeclareFun(f) => Some(*f),
            _ => None,
        })
        .collect();
    let mut fresh = unused(view).peekable();
    let mut edits = Vec::new();
    for f in declared {
        let func = view.store.func(f).clone();
        let Some(name) = fresh.peek().cloned() else { break };
        let old = view.store.name(func.name);
        if (name.len(), name.as_str()) >= (old.len(), old) {
            continue;
        }
        fresh.next();
        let name = view.store.symbols.intern(&name);
        let renamed = view.store.declare(Func { name, body: FuncBody::Declared, ..func });
        if let Some(model) = view.model.as_mut()
            && let Some(interpretation) = model.interpretation(f).cloned()
            && Retyping::assign(view.store, model, renamed, interpretation).is_some()
        {
            view.extended = true;
        }
        edits.push(ScriptEdit::Function(f, renamed));
    }
    vec![edits, sorts(view)]
}

/// Renames each uninterpreted sort by itself.
fn sorts(view: &mut View<'_>) -> Vec<ScriptEdit> {
    let mut edits = Vec::new();
    for command in view.script.commands.clone() {
        let Command::DeclareSort(old, 0) = command else { continue };
        let taken = sort_names(view.store);
        let Some(name) = ('A'..='Z').map(String::from).find(|n| !taken.contains(n)) else { break };
        if name.len() >= view.store.name(old).len() {
            continue;
        }
        let new = view.store.symbols.intern(&name);
        let from = view.store.sorts.intern(Sort::Uninterpreted(old, [].into()));
        let to = view.store.sorts.intern(Sort::Uninterpreted(new, [].into()));
        let mut retyping = Retyping::default();
        retyping.sorts.insert(from, to);
        retyping.sort_names.insert(old, new);
        edits.extend(retyping.edit(view));
    }
    edits
}

fn sort_names(store: &Store) -> FxHashSet<String> {
    let uninterpreted = store.sorts.iter().filter_map(|(_, s)| match s {
        Sort::Uninterpreted(name, _) => Some(store.name(*name).to_string()),
        _ => None,
    });
    uninterpreted.collect()
}

/// Returns short names that the script does not use, the shortest first.
///
/// A name may reappear after its last use is gone; its value in the witness is overwritten then.
pub(crate) fn unused(view: &View<'_>) -> impl Iterator<Item = String> + use<> {
    let store: &Store = view.store;
    let text = store.script_text(view.script);
    let words: FxHashSet<String> = atoms(&text).map(|span| bare(&text[span]).to_string()).collect();
    let letters = ('a'..='z').map(String::from);
    let numbered = (0..1000u32).map(|n| format!("v{n}"));
    letters.chain(numbered).filter(move |name| !words.contains(name))
}
