//! Guards: what formulas confine a term to, and that they never leave out a value.

use crate::support::read;
use proptest::prelude::*;
use semantics::guard::guard;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Command, Instance};

/// The values to which a formula confines `x`, or `none`.
fn guarded(sort: &str, formula: &str, holds: bool) -> String {
    let mut r = read(&format!("(declare-const x {sort})(declare-const p Bool)(assert {formula})"));
    let x = r.script.commands.iter().find_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None });
    let subject = r.store.constant_of(x.expect("x is declared")).expect("a constant");
    let sort = r.store.sort(subject);
    let Some(values) = guard(&r.store, r.assertions[0], holds, subject) else { return "none".to_string() };
    let terms = values.iter().map(|v| v.to_term(&mut r.store, sort).map(|t| r.store.term_text(t)));
    terms.map(|text| text.expect("a value with a term")).collect::<Vec<_>>().join(" ")
}

/// Checks what a formula says of an integer `x` where it is true, and where it is false.
#[track_caller]
fn check(formula: &str, if_true: &str, if_false: &str) {
    assert_eq!(guarded("Int", formula, true), if_true, "{formula}");
    assert_eq!(guarded("Int", formula, false), if_false, "not {formula}");
}

#[test]
fn integers() {
    check("(= x 3)", "3", "none");
    check("(= 3 x 3)", "3", "none");
    check("(= x 3 4)", "", "none");
    check("(distinct x 3)", "none", "3");
    check("(distinct x 3 4)", "none", "none");
    check("(or (= x 1) (= 4 x))", "1 4", "none");
    check("(or (= x 1) p)", "none", "none");
    check("(and (= x 1) p)", "1", "none");
    check("(and (not (= x 1)) (not (= x 2)))", "none", "1 2");
    check("(<= 0 x 2)", "0 1 2", "none");
    check("(< 0 x 3)", "1 2", "none");
    check("(>= 2 x 0)", "0 1 2", "none");
    check("(> 3 x 0)", "1 2", "none");
    check("(and (<= 5 x) (< x 4))", "", "none");
    check("(or (< x 0) (> x 2))", "none", "0 1 2");
    check("(or (<= x 0) (>= x 3))", "none", "1 2");
    // Bounds of a whole disjunction are the widest of its parts.
    check("(and (<= 0 x) (or (<= x 1) (and (<= x 3) p)))", "0 1 2 3", "none");
    check("(and (<= x 3) (or (<= 1 x) (and (<= 0 x) p)))", "0 1 2 3", "none");
    check("(and (<= 0 x) (or (<= x 1) p))", "none", "none");
    check("(<= 0 x 5000)", "none", "none");
    check("false", "", "none");
    check("(= x (div 1 0))", "none", "none");
}

/// An implication is false where all it assumes is true and what follows is false.
#[test]
fn implications() {
    check("(=> (<= 0 x 2) (= x 9))", "none", "0 1 2");
    check("(=> (<= 0 x 2) p (distinct x 1))", "none", "1");
    check("(=> (distinct x 1) (= x 2))", "1 2", "none");
    check("(=> (distinct x 1) (distinct x 2) (= x 3))", "1 2 3", "none");
}

/// A chain of several steps is false where one of them is: that bounds nothing. Of one step the negation is a bound.
#[test]
fn chains_that_are_false() {
    check("(< 0 x 5)", "1 2 3 4", "none");
    check("(and (not (< x 0)) (not (< 2 x)))", "0 1 2", "none");
    check("(and (not (<= x 0)) (not (<= 3 x)))", "1 2", "none");
    check("(and (not (> 0 x)) (not (> x 2)))", "0 1 2", "none");
    check("(and (not (>= 0 x)) (not (>= x 3)))", "1 2", "none");
}

#[test]
fn strings() {
    let check = |formula: &str, expect: &str| assert_eq!(guarded("String", formula, true), expect, "{formula}");
    let language = "(str.in_re x (re.* (str.to_re \"a\")))";
    check(language, "none");
    check(&format!("(and {language} (<= (str.len x) 2))"), "\"\" \"a\" \"aa\"");
    check(&format!("(and {language} (< (str.len x) 2))"), "\"\" \"a\"");
    check(&format!("(and {language} (not (<= 2 (str.len x))))"), "\"\" \"a\"");
    check(&format!("(and {language} (<= 2 (str.len x)))"), "none");
    check(&format!("(and {language} (= (str.len x) 1))"), "\"\" \"a\"");
    check(&format!("(and {language} (or (<= (str.len x) 1) (and p (<= (str.len x) 2))))"), "\"\" \"a\" \"aa\"");
    check(&format!("(and {language} (str.in_re x ((_ re.loop 1 2) (re.range \"a\" \"b\"))))"), "\"a\" \"aa\"");
    check("(str.in_re x (re.union (str.to_re \"a\") (str.to_re (ite p \"b\" \"c\"))))", "none");
}

/// A formula over `x` and `p`, with atoms that guards read and some that they do not.
fn formulas() -> impl Strategy<Value = String> {
    let number = (-3i32..6).prop_map(|n| if n < 0 { format!("(- {})", -n) } else { n.to_string() });
    let relation = proptest::sample::select(vec!["<", "<=", ">", ">=", "=", "distinct"]);
    let atom = prop_oneof![
        (relation.clone(), number.clone()).prop_map(|(r, n)| format!("({r} x {n})")),
        (relation.clone(), number.clone()).prop_map(|(r, n)| format!("({r} {n} x)")),
        (relation, number.clone(), number).prop_map(|(r, m, n)| format!("({r} {m} x {n})")),
        proptest::sample::select(vec!["p", "true", "false", "(= (* x x) 4)"]).prop_map(str::to_string),
    ];
    atom.prop_recursive(4, 24, 3, |inner| {
        let connective = proptest::sample::select(vec!["and", "or", "=>", "and", "or"]);
        prop_oneof![
            (connective, proptest::collection::vec(inner.clone(), 2..4))
                .prop_map(|(c, parts)| format!("({c} {})", parts.join(" "))),
            inner.prop_map(|f| format!("(not {f})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever makes the formula true, or false, is among the values of the guard.
    #[test]
    fn a_guard_leaves_out_no_value(formula in formulas()) {
        let r = read(&format!("(declare-const x Int)(declare-const p Bool)(assert {formula})(check-sat)"));
        let instance: Instance = r.script.instances()[0].clone();
        let symbols: Vec<_> = instance.declarations.iter()
            .filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None }).collect();
        let mut store = r.store;
        let subject = store.constant_of(symbols[0]).expect("a constant");
        for holds in [true, false] {
            let Some(values) = guard(&store, r.assertions[0], holds, subject) else { continue };
            for (n, p) in (-8i32..12).flat_map(|n| [(n, false), (n, true)]) {
                let mut model = Model::new();
                prop_assert!(model.assign(&store, symbols[0], Value::Int(n.into())).is_ok());
                prop_assert!(model.assign(&store, symbols[1], Value::Bool(p)).is_ok());
                let truth = Evaluator::new(model, EvalLimits::default()).truth(&store, r.assertions[0]);
                prop_assert!(truth != Some(holds) || values.contains(&Value::Int(n.into())), "{formula} at {n}, {p}: {values:?}");
            }
        }
    }
}
