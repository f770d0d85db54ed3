//! Goals, the origins of formulas, and fresh symbols.

use rewrite::fresh::FreshSymbols;
use rewrite::goal::{Goal, GoalFormula, GoalStatus, Precision, Wants};
use rewrite::origins::Origins;
use smtlib::{SortId, Store};

#[test]
fn false_takes_the_place_of_all_formulas() {
    let mut store = Store::new();
    let (t, f) = (store.bool(true), store.bool(false));
    let not = store.not(f);
    let mut goal = Goal::new(Wants::ALL);
    assert_eq!(goal.status(&store), GoalStatus::Sat);
    goal.push(&store, GoalFormula::new(t, Origins::one(0)));
    assert_eq!(goal.status(&store), GoalStatus::Sat);
    goal.push(&store, GoalFormula::new(not, Origins::one(1)));
    assert_eq!(goal.status(&store), GoalStatus::Open);
    goal.push(&store, GoalFormula::new(f, Origins::one(2)));
    goal.push(&store, GoalFormula::new(not, Origins::one(3)));
    assert_eq!((goal.len(), goal.status(&store)), (1, GoalStatus::Unsat));
    assert_eq!(goal.origins().indices(), [2]);
}

#[test]
fn precision_never_recovers() {
    use Precision::*;
    let all = [Exact, Under, Over, UnderOver];
    for a in all {
        assert_eq!(a.then(Exact), a);
        assert_eq!(Exact.then(a), a);
        for b in all {
            let both = a.then(b);
            assert_eq!(both, b.then(a));
            assert_eq!(both.keeps_sat(), a.keeps_sat() && b.keeps_sat());
            assert_eq!(both.keeps_unsat(), a.keeps_unsat() && b.keeps_unsat());
        }
    }
}

#[test]
fn unions_list_each_number_once() {
    let (a, b) = (Origins::one(7), Origins::one(3));
    let both = a.union(&b);
    assert_eq!(both.indices(), [3, 7]);
    assert_eq!(both.union(&a).union(&both).indices(), [3, 7]);
    assert_eq!(Origins::none().union(&a).indices(), [7]);
    assert!(Origins::none().union(&Origins::none()).is_none());
}

#[test]
fn deep_unions_need_no_stack() {
    let mut all = Origins::none();
    for n in 0..1_000_000 {
        all.add(&Origins::one(n % 10));
    }
    assert_eq!(all.indices().len(), 10);
}

#[test]
fn names_in_use_are_passed_over() {
    let mut store = Store::new();
    let text = "(declare-const k!0 Int)(assert (exists ((k!1 Int)) (= k!1 k!0)))";
    assert!(smtlib::parse(&mut store, text).errors.is_empty());
    let mut fresh = FreshSymbols::new("k");
    let (f, t) = fresh.constant(&mut store, SortId::INT);
    assert_eq!(store.name(store.func(f).name), "k!2");
    assert_eq!(store.sort(t), SortId::INT);
    // Another source with the same stem goes on behind.
    let (g, _) = FreshSymbols::new("k").constant(&mut store, SortId::BOOL);
    assert_eq!(store.name(store.func(g).name), "k!3");
}
