//! One cause after reductions.

use finding::symptom::WRONG_MODEL;
use finding::{BugClass, ReducedCause};

#[test]
fn reduced_scripts_are_of_one_cause_where_nothing_tells_them_apart() {
    let check = |class: BugClass, [a, b]: [(&str, &str, &str); 2], expect: bool| {
        let cause = |(solver, symptom, errs): (&str, &str, &str)| {
            let rows = errs.chars().enumerate().map(|(n, c)| (format!("v{n}"), c == 'x'));
            ReducedCause::new(class, solver, symptom, &rows.collect())
        };
        let (one, other) = (cause(a), cause(b));
        assert_eq!((one.is_same(&other), other.is_same(&one)), (expect, expect), "{class} {a:?} {b:?}");
    };
    check(BugClass::A, [("z3", "unsat", "x."), ("z3", "unsat", "x.x")], true);
    check(BugClass::A, [("z3", "unsat", "x."), ("z3", "unsat", "xx")], false);
    check(BugClass::A, [("z3", "unsat", "x."), ("cvc5", "unsat", "x.")], false);
    // An answer is what the class says, a wrong model is more.
    check(BugClass::B, [("z3", "sat", "x."), ("z3", "", "x.")], true);
    check(BugClass::B, [("z3", "sat", "x."), ("z3", WRONG_MODEL, "x.")], false);
    // A place in the solver counts more than answers, a bare signal less.
    let [place, signal] = ["assertion: a.cpp Line: 3", "signal: SIGSEGV"];
    check(BugClass::D, [("z3", place, "x."), ("z3", place, "xx")], true);
    check(BugClass::D, [("z3", signal, "x."), ("z3", signal, "xx")], false);
    check(BugClass::D, [("z3", signal, "x."), ("z3", signal, "x")], true);
}
