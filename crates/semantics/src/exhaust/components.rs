//! Groups of assertions that share no symbol: refuting one group refutes all assertions together.

use super::answer::ExhaustLimits;
use super::world::{World, body, conjuncts, marked, subterms};
use crate::meter::{Exhausted, Meter, Stop};
use crate::totality::Recursion;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Sort, SortId, Store, TermId};
use std::num::NonZeroU32;

/// A link between assertions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Tie {
    Symbol(FuncId),
    /// An uninterpreted sort, whose size one assertion may bound for another.
    Universe(SortId),
}

/// How often unconfined constants are searched for in one group.
const MAX_ROUNDS: usize = 64;

/// Splits the assertions (and conjunctions in them) into groups that share neither a declared symbol nor an uninterpreted sort,
/// small groups first. The exhaustion of a group is faster the fewer symbols it has.
///
/// An assignment satisfies all assertions only if it satisfies each group, so a refuted group refutes them all. The converse
/// does not hold: groups may need different choices where the standard leaves values open.
/// Errors: [`Exhausted::Stopped`] once `stop` applies.
pub(crate) fn components(store: &Store, assertions: &[TermId], stop: &Stop) -> Result<Vec<Vec<TermId>>, Exhausted> {
    let facts = conjuncts(store, assertions);
    // Ties in one term are in one group; the term stores one member.
    let mut group: Vec<usize> = Vec::new();
    let mut numbers: FxHashMap<Tie, usize> = FxHashMap::default();
    let mut tied: Vec<Option<NonZeroU32>> = vec![None; store.len()];
    let number_of = |tied: &[Option<NonZeroU32>], t: &TermId| tied[t.index()].map(|n| n.get() as usize - 1);
    let mut meter = Meter::new(stop.clone(), usize::MAX);
    for t in subterms(store, &facts, stop)? {
        meter.tick()?;
        let mut of_term: Option<usize> = None;
        let mut join = |group: &mut Vec<usize>, other: usize| {
            let (a, b) = (root(group, other), root(group, of_term.unwrap_or(other)));
            group[a.max(b)] = a.min(b);
            of_term = Some(a.min(b));
        };
        ties(store, t, |tie| {
            let number = *numbers.entry(tie).or_insert_with(|| {
                group.push(group.len());
                group.len() - 1
            });
            join(&mut group, number);
        });
        for part in store.args(t).iter().chain(&body(store, t)).filter_map(|part| number_of(&tied, part)) {
            join(&mut group, part);
        }
        tied[t.index()] = of_term.and_then(|number| NonZeroU32::new(number as u32 + 1));
    }
    let mut found: FxHashMap<Result<usize, usize>, (usize, Vec<TermId>)> = FxHashMap::default();
    for (n, fact) in facts.iter().enumerate() {
        // An assertion without ties is its own group.
        let key = number_of(&tied, fact).map(|number| root(&mut group, number)).ok_or(n);
        found.entry(key).or_insert_with(|| (n, Vec::new())).1.push(*fact);
    }
    let mut groups: Vec<(usize, Vec<TermId>)> = found.into_values().collect();
    groups.sort_unstable_by_key(|(first, facts)| (facts.len(), *first));
    Ok(groups.into_iter().map(|(_, facts)| facts).collect())
}

/// Small worlds of proper subsets of the assertions: of each group of [`components`] the assertions without unconfined constants.
/// Refuting one of them refutes all assertions together; none shows that they are satisfiable.
pub(crate) fn proper_parts(store: &Store, assertions: &[TermId], limits: &ExhaustLimits, stop: &Stop) -> Vec<World> {
    let Ok(groups) = components(store, assertions, stop) else { return Vec::new() };
    let all: usize = groups.iter().map(Vec::len).sum();
    let parts = groups.into_iter().filter_map(|group| confined(store, group, limits, stop));
    parts.filter(|(size, _)| *size < all).map(|(_, world)| world).collect()
}

/// Returns the small world of the assertions about confined constants, and their number; `None` if there are none, the world is
/// too large, or time is up.
fn confined(store: &Store, mut facts: Vec<TermId>, limits: &ExhaustLimits, stop: &Stop) -> Option<(usize, World)> {
    for _ in 0..MAX_ROUNDS {
        if facts.is_empty() {
            return None;
        }
        let reasons = match World::reading(store, &facts, (limits, stop), Recursion::Proven) {
            Ok(world) => return Some((facts.len(), world)),
            Err(reasons) => reasons,
        };
        let unconfined: FxHashSet<FuncId> = reasons.into_iter().map(|(f, _)| f).collect::<Option<_>>()?;
        let before = facts.len();
        // Without the assertions about them, other constants may be unconfined.
        let names = |t: TermId| store.op(t).func().is_some_and(|f| unconfined.contains(&f));
        let gone = marked(store, &subterms(store, &facts, stop).ok()?, names);
        facts.retain(|fact| !gone.contains(fact));
        if facts.len() == before {
            return None;
        }
    }
    None
}

/// Finds the group's smallest member; links go to smaller numbers only. Paths are halved.
fn root(group: &mut [usize], mut n: usize) -> usize {
    while group[n] != n {
        group[n] = group[group[n]];
        n = group[n];
    }
    n
}

/// Visits the ties of the term itself, without those of its parts.
fn ties(store: &Store, t: TermId, mut see: impl FnMut(Tie)) {
    let op = store.op(t);
    let symbol = op.func().filter(|&f| store.func(f).is_declared()).map(Tie::Symbol);
    let bound = op.binder().into_iter().flat_map(|b| store.binder(b).vars.iter().map(|v| v.1));
    let is_universe = |&sort: &SortId| matches!(store.sorts.get(sort), Sort::Uninterpreted(..));
    let universes = bound.chain([store.sort(t)]).filter(is_universe).map(Tie::Universe);
    symbol.into_iter().chain(universes).for_each(&mut see);
}
