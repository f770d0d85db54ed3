//! Tests of `goal`.

use rewrite::goal::{Goal, GoalFormula, GoalStatus, Precision, Wants};
use rewrite::origins::Origins;
use smtlib::Store;

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
