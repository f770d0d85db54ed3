//! Passes over defined functions.

use super::{Grouping, MAX_TERMS, ReductionPass, View};
use crate::plan::{ScriptEdit, functions_in, occurrences, terms};
use rustc_hash::FxHashMap;
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{Command, Func, FuncBody, FuncId, Script, Store, Symbol, TermId};

/// Drops unused functions of recursive groups, and defines those without recursion by `define-fun`.
///
/// Before: `(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) 1))(assert (= (f 0) 1))`. After:
/// `(define-fun g ((x Int)) Int 1)(define-fun-rec f ((x Int)) Int (g x))(assert (= (f 0) 1))`. Other passes shrink the bodies and inline
/// plain definitions.
pub const RECURSIVE_FUNCTIONS: ReductionPass = ReductionPass {
    name: "recursive_functions",
    about: "drops functions of recursive groups, and defines plainly what is not recursive",
    group: Grouping::Single,
    propose: recursive_functions,
};

/// Inlines definitions, and drops those that are no longer used.
///
/// Before: `(define-fun f ((x Int)) Int (+ x 1))(assert (= (f y) 3))`. After: `(assert (= (+ y 1) 3))`.
pub const DEFINITIONS: ReductionPass =
    ReductionPass { name: "definitions", about: "inlines definitions", group: Grouping::Halving, propose: definitions };

fn recursive_functions(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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

fn definitions(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        if let Some(body) = inlined(view.store, t) {
            edits.push(ScriptEdit::Replace(t, body));
        }
    }
    vec![edits]
}

/// Returns the body of the function that `t` applies, with its arguments. `None` if a binder might capture a variable.
fn inlined(store: &mut Store, t: TermId) -> Option<TermId> {
    let f = store.applied(t)?;
    let FuncBody::Defined { vars, body } = store.func(f).body.clone() else { return None };
    let args = store.args(t).to_vec();
    let open = args.iter().any(|&a| store.flags(a) & HAS_VARIABLE != 0);
    if open && store.flags(body) & HAS_BINDER != 0 {
        return None;
    }
    let values: FxHashMap<Symbol, TermId> = vars.iter().copied().zip(args).collect();
    Some(substituted(store, body, &values))
}

/// Replaces variables of `body` by name, where the sorts agree.
pub(crate) fn substituted(store: &mut Store, body: TermId, values: &FxHashMap<Symbol, TermId>) -> TermId {
    store.rebuild(body, |store, u| {
        let value = *values.get(&store.variable(u)?)?;
        (store.sort(value) == store.sort(u)).then_some(value)
    })
}
