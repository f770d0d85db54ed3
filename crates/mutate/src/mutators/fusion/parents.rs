//! What two seeds are prepared with: constants to fuse, one preamble, and the places of fusions in their assertions.

use crate::edit::{PrintedTree, needs, refused};
use crate::mutator::{Parent, TargetSpelling};
use crate::preamble;
use rustc_hash::FxHashSet;
use smtlib::{Command, Func, FuncBody, FuncId, Instance, SortId, Store, Symbol, TermId};

/// The most named assertions of a seed without constants.
const MAX_NAMED: usize = 3;

/// An assertion of one parent.
pub(super) struct ParentAssertion {
    pub(super) text: String,
    pub(super) value: Option<bool>,
    /// Whether the assertion needs no recursive definition that is not proven total.
    pub(super) proven: bool,
    /// Occurrences of fused variables: their spans, and which.
    pub(super) slots: Vec<(u32, u32, FuncId)>,
}

/// Returns the parent itself, or, if it has no constant to fuse, with fresh Boolean constants for its first assertions: `a` and
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

/// Returns the declared constants in the kept assertions of an instance, in the order of declaration.
pub(super) fn constants(store: &Store, instance: &Instance, is_kept: impl Fn(TermId) -> bool) -> Vec<FuncId> {
    let mut uses = preamble::Uses::new(store);
    instance.assertions.iter().filter(|&&t| is_kept(t)).for_each(|&t| uses.term(t));
    let declared = instance.declarations.iter().filter_map(|c| match c {
        Command::DeclareFun(f) => Some(*f),
        _ => None,
    });
    declared.filter(|&f| uses.has_func(f) && store.func(f).params.is_empty()).collect()
}

/// Returns the preambles of both parents, the parents' features, and those beyond their common logic.
///
/// Two seeds of one logic keep it; otherwise the mutant gets `ALL`.
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

/// Where the fused variables occur in an assertion's text, except at places where a bound variable has the name of a function: a
/// replacement there may name one of `functions`, which would be captured.
pub(super) fn slots(
    store: &Store,
    term: TermId,
    text: &str,
    fused: &[FuncId],
    functions: &FxHashSet<Symbol>,
) -> Vec<(u32, u32, FuncId)> {
    let Some(tree) = PrintedTree::new(store, term, text.to_string()) else { return Vec::new() };
    let is_open = |n: usize| tree.scope(n as u32).iter().all(|(name, _)| !functions.contains(name));
    let mut slots: Vec<_> = tree
        .places()
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.frozen && !p.is_reference && store.args(p.term).is_empty())
        .filter_map(|(n, p)| {
            let f = store.applied(p.term).filter(|f| fused.contains(f) && is_open(n))?;
            Some((p.span.0, p.span.1, f))
        })
        .collect();
    slots.sort_unstable();
    slots
}
