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
pub(crate) fn components(store: &Store, assertions: &[TermId]) -> Vec<Vec<TermId>> {
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
pub(crate) fn proper_parts(store: &Store, assertions: &[TermId], limits: &ExhaustLimits) -> Vec<World> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use smtlib::parse;

    /// Groups as texts, each sorted.
    fn groups(text: &str) -> Vec<Vec<String>> {
        let mut store = Store::new();
        let parsed = parse(&mut store, &format!("{text}(check-sat)"));
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let instances = parsed.script.instances();
        let made = components(&store, &instances[0].assertions);
        let texts = |group: &Vec<smtlib::TermId>| {
            let mut texts: Vec<String> = group.iter().map(|&t| store.term_text(t)).collect();
            texts.sort();
            texts
        };
        made.iter().map(texts).collect()
    }

    #[test]
    fn assertions_without_a_common_symbol_are_different_groups() {
        let check = |text: &str, expect: &[&[&str]]| assert_eq!(groups(text), expect, "{text}");
        let ints = "(declare-const x Int)(declare-const y Int)(declare-const z Int)";
        check("", &[]);
        check("(assert true)", &[&["true"]]);
        check(
            &format!("{ints}(assert (and (> x y) (> z 1)))(assert (< y 4))"),
            &[&["(> z 1)"], &["(< y 4)", "(> x y)"]],
        );
        check(&format!("{ints}(assert (or (> x y) (> z 1)))(assert (< y 4))"), &[&["(< y 4)", "(or (> x y) (> z 1))"]]);
        // A chain ties what has no symbol in common itself, in whatever order.
        check(
            &format!("{ints}(assert (> x 1))(assert (> z 1))(assert (= x y z))"),
            &[&["(= x y z)", "(> x 1)", "(> z 1)"]],
        );
        // Definitions are looked into, and functions as values are symbols.
        check(&format!("{ints}(define-fun g () Bool (> x 2))(assert g)(assert (< x 1))"), &[&["(< x 1)", "(> x 2)"]]);
        // A quantifier over a sort may bound what another assertion says of it.
        check(
            "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const p Bool)
             (assert (forall ((u U)) (= u a)))(assert (exists ((v U) (w U)) (distinct v w)))(assert p)",
            &[&["p"], &["(exists ((v U) (w U)) (distinct v w))", "(forall ((u U)) (= u a))"]],
        );
    }

    /// Which parts are refuted, as the number of their constants.
    #[test]
    fn a_part_of_confined_symbols_refutes_all() {
        let check = |text: &str, expect: &[usize]| {
            let mut store = Store::new();
            let parsed = parse(&mut store, &format!("{text}(check-sat)"));
            assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
            let assertions = parsed.script.instances()[0].assertions.clone();
            let limits = ExhaustLimits::default();
            let mut refuted = Vec::new();
            for world in proper_parts(&store, &assertions, &limits) {
                let (answer, record) = crate::exhaust::exhaust(&mut store, &world, &limits, &crate::Stop::default());
                if matches!(answer, crate::exhaust::ExhaustiveAnswer::Unsat) {
                    refuted.push(record.constants.len());
                }
            }
            assert_eq!(refuted, expect, "{text}");
        };
        let open = "(declare-const x Int)(declare-const p Bool)(declare-const q Bool)";
        check(&format!("{open}(assert p)(assert (not p))(assert (> x 1))"), &[1]);
        check(&format!("{open}(assert p)(assert (not p))(assert (or p (> x 1)))"), &[1]);
        check(&format!("{open}(assert (xor p q))(assert (= p q))(assert (or p q (> x 1)))"), &[2]);
        // What speaks of y is left aside; where nothing is left, nothing is refuted.
        check("(declare-const x Int)(declare-const y Int)(assert (and (<= 0 x 1) (> x 5)))(assert (> y x))", &[1]);
        check("(declare-const x Int)(declare-const y Int)(assert (<= 0 (- x y) 1))(assert (> x 5))", &[]);
        // What is left has a model, or is all there is.
        check(&format!("{open}(assert p)(assert (or p (> x 1)))"), &[]);
        check(&format!("{open}(assert p)(assert (not p))"), &[]);
        check("", &[]);
    }
}
