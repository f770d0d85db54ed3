//! Drops unused functions of recursive groups, and defines those without recursion by `define-fun`.
//!
//! Before: `(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) 1))(assert (= (f 0) 1))`. After:
//! `(define-fun g ((x Int)) Int 1)(define-fun-rec f ((x Int)) Int (g x))(assert (= (f 0) 1))`. Other passes shrink the bodies and inline
//! plain definitions.

use super::{Grouping, ReductionPass, View};
use crate::plan::{ScriptEdit, functions_in, occurrences};
use smtlib::{Command, Func, FuncBody, FuncId, Script, Store};

/// The pass.
pub const PASS: ReductionPass = ReductionPass {
    name: "recursive_functions",
    about: "drops functions of recursive groups, and defines plainly what is not recursive",
    group: Grouping::Single,
    propose,
};

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for (n, command) in view.script.commands.iter().enumerate() {
        let Command::DefineFunsRec(group) = command else { continue };
        let used = used(view.store, view.script, n, group);
        if !used.is_empty() && used.len() < group.len() {
            edits.push(ScriptEdit::Command(n, vec![Command::DefineFunsRec(used.into())]));
        }
        for &f in group {
            edits.extend(plain(view.store, n, group, f));
        }
    }
    vec![edits]
}

/// Returns the functions of the group defined by command `n` that the rest of the script needs, directly or through others.
pub(crate) fn used(store: &Store, script: &Script, n: usize, group: &[FuncId]) -> Vec<FuncId> {
    let mut rest = script.clone();
    rest.commands.remove(n);
    let outside = occurrences(store, &rest);
    let mut used: Vec<FuncId> = group.iter().copied().filter(|f| outside.contains_key(f)).collect();
    let mut next = 0;
    while let Some(&f) = used.get(next) {
        next += 1;
        let mentioned = mentioned(store, f);
        used.extend(group.iter().copied().filter(|g| mentioned.contains(g) && !used.contains(g)).collect::<Vec<_>>());
    }
    group.iter().copied().filter(|f| used.contains(f)).collect()
}

/// Returns the functions that the body of `f` mentions.
fn mentioned(store: &Store, f: FuncId) -> Vec<FuncId> {
    store.func(f).definition().map_or(Vec::new(), |(_, body)| functions_in(store, &[body]).into_keys().collect())
}

/// Defines `f` before its group, if it needs none of it.
fn plain(store: &mut Store, n: usize, group: &[FuncId], f: FuncId) -> Option<ScriptEdit> {
    if mentioned(store, f).iter().any(|g| group.contains(g)) {
        return None;
    }
    let func = store.func(f).clone();
    let FuncBody::Recursive { vars, body } = func.body.clone() else { return None };
    let new = store.declare(Func { body: FuncBody::Defined { vars, body }, ..func });
    let rest: Box<[FuncId]> = group.iter().copied().filter(|&g| g != f).collect();
    let mut commands = vec![Command::DefineFun(new)];
    if !rest.is_empty() {
        commands.push(Command::DefineFunsRec(rest));
    }
    Some(ScriptEdit::All(vec![ScriptEdit::Command(n, commands), ScriptEdit::Function(f, new)]))
}
