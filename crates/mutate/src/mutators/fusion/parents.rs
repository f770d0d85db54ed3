//! What two seeds are made ready with: constants to fuse, and one preamble.

use crate::edit::{needs, refused};
use crate::mutator::{Parent, TargetSpelling};
use crate::preamble;
use smtlib::{Command, Func, FuncBody, FuncId, Instance, SortId, Store, TermId};

/// Assertions of a seed without constants that get a name, at most.
const MAX_NAMED: usize = 3;

/// The parent itself, or, where it has no constant to fuse, with fresh Boolean constants for its first assertions: `a` and
/// `(= a t)` are asserted instead of t, which changes no status.
pub(super) fn with_constants(store: &mut Store, parent: &Parent) -> Parent {
    let mut parent = parent.clone();
    if !constants(store, &parent.instance, |_| true).is_empty() {
        return parent;
    }
    let instance = &mut parent.instance;
    let mut equations = Vec::new();
    for assertion in instance.assertions.iter_mut().take(MAX_NAMED) {
        let taken: Vec<bool> = vec![true; store.symbols.len()];
        let name = store.fresh_symbol("holds", |s| taken.get(s.index()).copied().unwrap_or(false));
        let func = Func { name, params: Box::default(), result: SortId::BOOL, body: FuncBody::Declared };
        let f = store.declare(func);
        let Ok(constant) = store.constant_of(f) else { continue };
        let Ok(equation) = store.eq(constant, *assertion) else { continue };
        instance.declarations.push(Command::DeclareFun(f));
        *assertion = constant;
        equations.push(equation);
    }
    instance.assertions.append(&mut equations);
    parent
}

/// The declared constants that occur in those of an instance's assertions that are kept, in the order of declaration.
pub(super) fn constants(store: &Store, instance: &Instance, is_kept: impl Fn(TermId) -> bool) -> Vec<FuncId> {
    let mut uses = preamble::Uses::new(store);
    instance.assertions.iter().filter(|&&t| is_kept(t)).for_each(|&t| uses.term(t));
    let declared = instance.declarations.iter().filter_map(|c| match c {
        Command::DeclareFun(f) => Some(*f),
        _ => None,
    });
    declared.filter(|&f| uses.has_func(f) && store.func(f).params.is_empty()).collect()
}

/// The preambles of both parents, what the parents need, and what their common logic does not grant.
///
/// Two seeds of one logic keep it; otherwise the mutant has all.
pub(super) fn preambles(
    store: &Store,
    parents: [&Parent; 2],
    proven: &[bool],
    target: &TargetSpelling,
) -> ([String; 4], u32, u32) {
    let [first, second] = parents.map(|p| &p.instance);
    let all = store.symbols.get("ALL");
    let common = if first.logic == second.logic { first.logic } else { all };
    let declarations = first.declarations.iter().chain(&second.declarations).cloned().collect();
    let joined = Instance { logic: common, declarations, ..first.clone() };
    let every: Vec<TermId> = first.assertions.iter().chain(&second.assertions).copied().collect();
    let kept: Vec<TermId> = every.iter().copied().filter(|t| proven[t.index()]).collect();
    let inferred = preamble::inferred_logic(store, &joined, &every, target);
    let is_named = common.is_some() || inferred.is_some();
    let beyond = Instance { logic: if is_named { all } else { None }, ..joined.clone() };
    let print = |instance: &Instance, terms: &[TermId]| {
        let mut out = String::new();
        preamble::print(store, instance, terms, target, &mut out);
        out
    };
    let name = common.map(|l| store.name(l)).or(inferred).unwrap_or("ALL");
    let (own, refused) = (needs(store, &joined.declarations, &every), refused(name));
    let preambles = [print(&joined, &kept), print(&beyond, &kept), print(&joined, &every), print(&beyond, &every)];
    (preambles, own, refused)
}
