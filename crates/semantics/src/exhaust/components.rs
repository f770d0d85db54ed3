//! Groups of assertions that share no symbol: what refutes one group refutes all assertions together.

use super::answer::ExhaustLimits;
use super::world::{NotFinite, World, conjuncts, subterms};
use rustc_hash::FxHashMap;
use smtlib::{FuncId, Sort, SortId, Store, TermId};

/// What ties two assertions together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Tie {
    Symbol(FuncId),
    /// An uninterpreted sort, whose size one assertion may bound for another.
    Universe(SortId),
}

/// The assertions, conjunctions taken apart, in groups that share neither a declared symbol nor an uninterpreted sort; small groups
/// come first. Each group alone has an exhaustion that is the faster the fewer symbols it has.
///
/// An assignment satisfies all assertions only if it satisfies each group, so that a group that is refuted refutes them all. The
/// converse does not hold: groups may need different choices of what the standard leaves open.
pub fn components(store: &Store, assertions: &[TermId]) -> Vec<Vec<TermId>> {
    let facts = conjuncts(store, assertions);
    let mut group: Vec<usize> = (0..facts.len()).collect();
    let mut first: FxHashMap<Tie, usize> = FxHashMap::default();
    for (n, &fact) in facts.iter().enumerate() {
        for tie in ties(store, fact) {
            let other = *first.entry(tie).or_insert(n);
            let (a, b) = (root(&group, other), root(&group, n));
            group[a.max(b)] = a.min(b);
        }
    }
    let mut found: FxHashMap<usize, Vec<TermId>> = FxHashMap::default();
    for (n, &fact) in facts.iter().enumerate() {
        found.entry(root(&group, n)).or_default().push(fact);
    }
    let mut groups: Vec<(usize, Vec<TermId>)> = found.into_iter().collect();
    groups.sort_unstable_by_key(|(root, facts)| (facts.len(), *root));
    groups.into_iter().map(|(_, facts)| facts).collect()
}

/// Small worlds of some of the assertions, each a proper part of all: of every group of [`components`] what is left without the
/// assertions about constants that nothing confines. What refutes one of them refutes all assertions together; none tells that they are
/// satisfiable.
pub fn proper_parts(store: &Store, assertions: &[TermId], limits: &ExhaustLimits) -> Vec<World> {
    let groups = components(store, assertions);
    let all: usize = groups.iter().map(Vec::len).sum();
    let parts = groups.into_iter().filter_map(|group| confined(store, group, limits));
    parts.filter(|(size, _)| *size < all).map(|(_, world)| world).collect()
}

/// The small world of those assertions that are about confined constants, and their number; none if there are none, or their worlds
/// are too large.
fn confined(store: &Store, mut facts: Vec<TermId>, limits: &ExhaustLimits) -> Option<(usize, World)> {
    while !facts.is_empty() {
        let symbol = match World::of(store, &facts, limits) {
            Ok(world) => return Some((facts.len(), world)),
            Err(NotFinite::Constant { symbol, .. }) => symbol,
            Err(NotFinite::TooLarge { .. } | NotFinite::Universe(_)) => return None,
        };
        let names = |t: TermId| store.op(t).func().is_some_and(|f| store.name(store.func(f).name) == symbol);
        let before = facts.len();
        // Without what speaks of it, others may be confined no more.
        facts.retain(|&fact| !subterms(store, &[fact]).into_iter().any(names));
        if facts.len() == before {
            return None;
        }
    }
    None
}

/// The group's smallest member; links go to smaller numbers only.
fn root(group: &[usize], mut n: usize) -> usize {
    while group[n] != n {
        n = group[n];
    }
    n
}

fn ties(store: &Store, fact: TermId) -> Vec<Tie> {
    let mut found = Vec::new();
    for t in subterms(store, &[fact]) {
        let op = store.op(t);
        found.extend(op.func().filter(|&f| store.func(f).is_declared()).map(Tie::Symbol));
        let bound = op.binder().into_iter().flat_map(|b| store.binder(b).vars.iter().map(|v| v.1));
        let is_universe = |&sort: &SortId| matches!(store.sorts.get(sort), Sort::Uninterpreted(..));
        found.extend(bound.chain([store.sort(t)]).filter(is_universe).map(Tie::Universe));
    }
    found
}
