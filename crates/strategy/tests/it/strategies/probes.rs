//! Probes: numbers of goals as the slides define them, and conditions over them.

use crate::strategies::support::{instance, read, run};
use rewrite::{Goal, PassSettings, Wants};
use smtlib::Store;
use smtlib::strategy::Strategy;
use strategy::probes::{Features, PROBES, ProbeValue, ProbedGoal, Read, logic_of, logic_to_print, probe, truth};

const ARITHMETIC: &str = "(declare-const x Int)(declare-const y Int)(declare-const p Bool)\
    (assert (or p (<= (- x y) 7)))(assert (=> p (= (+ (* 3 x x y) 1) 0)))";

fn goal(store: &mut Store, text: &str) -> Goal {
    let instance = instance(store, &format!("{text}(check-sat)"));
    Goal::of(store, &instance.assertions, Wants::MODELS, &PassSettings::default()).expect("a small goal")
}

/// What a probe says of assertions; yes is 1.
fn check_value(text: &str, name: &str, expect: f64) {
    let mut store = Store::new();
    let goal = goal(&mut store, text);
    let seen = ProbedGoal { store: &store, goal: &goal, features: Features::of(&store, &goal) };
    match probe(name).map(|p| p.read) {
        Some(Read::Number(number)) => assert_eq!(number(&seen), expect, "{name} of {text}"),
        Some(Read::Truth(holds)) => assert_eq!(f64::from(u8::from(holds(&seen))), expect, "{name} of {text}"),
        None => panic!("no probe {name}"),
    }
}

#[test]
fn approximations_are_seen() {
    let check = |strategy: &str, expect: &str| {
        let mut store = Store::new();
        let instance = instance(&mut store, "(declare-const x Int)(assert (> x 9))(check-sat)");
        assert_eq!(run(&mut store, &instance, &read(strategy), 60.0, false).answer.word(), expect, "{strategy}");
    };
    check("(then (fail-if is-under) (fail-if is-over) smt)", "sat");
    check("(then add-bounds (if (and is-under (not is-over)) smt fail))", "sat");
    check("(then bool-abstraction (if (and is-over (not is-under)) smt skip))", "unknown");
    check("(then add-bounds bool-abstraction (fail-if (and is-under is-over)) smt)", "unknown");
    check("(then bool-abstraction (if is-over skip smt))", "unknown");
}

#[test]
fn numbers_are_those_of_the_definitions() {
    let check = check_value;
    check(ARITHMETIC, "dim", 2.0);
    check(ARITHMETIC, "atoms", 3.0);
    check(ARITHMETIC, "degree", 3.0);
    // 7 has three bits, 3 two, 1 one and 0 none.
    check(ARITHMETIC, "bw", 6.0);
    check(ARITHMETIC, "linear", 0.0);
    check(ARITHMETIC, "diff", 0.0);
    check(ARITHMETIC, "num-formulas", 2.0);
    check(ARITHMETIC, "num-bool-consts", 1.0);
    check(ARITHMETIC, "num-consts", 2.0);
    // (or p (<= (- x y) 7)) has 7 nodes, (=> p (= (+ (* 3 x x y) 1) 0)) has 11, p, x and y are shared.
    check(ARITHMETIC, "size", 18.0);
    check(ARITHMETIC, "depth", 0.0);
    check(ARITHMETIC, "is-qfnia", 1.0);
    let difference = "(declare-const x Int)(declare-const y Int)";
    for (atom, expect) in [
        ("(<= (- x y) 7)", 1.0),
        ("(< x (+ y 3))", 1.0),
        ("(= x 5)", 1.0),
        ("(distinct x y)", 1.0),
        ("(>= (+ x (* (- 1) y)) (- 2))", 1.0),
        ("(<= (+ x y) 7)", 0.0),
        ("(<= (* 2 x) y)", 0.0),
        ("(<= (+ x x) (+ x y))", 1.0),
        ("(= (mod x 2) 0)", 0.0),
        ("(<= (ite (< x y) x y) 3)", 0.0),
    ] {
        check(&format!("{difference}(assert {atom})"), "diff", expect);
        check(&format!("{difference}(assert {atom})"), "is-qfidl", expect);
    }
    let bits = "(declare-const a (_ BitVec 8))(assert (= a #x01))";
    check(bits, "is-qfbv", 1.0);
    check(bits, "is-qffp", 1.0);
    check(bits, "is-qflia", 0.0);
    check(bits, "num-bv-consts", 1.0);
    check("(declare-const x Int)(assert (forall ((y Int)) (> y x)))", "is-qflia", 0.0);
    check("(declare-const x Int)(assert (forall ((y Int)) (> y x)))", "has-quantifiers", 1.0);
    check("(declare-const p Bool)(assert (not p))", "is-propositional", 1.0);
    check("(declare-const p Bool)(assert (not p))", "is-conjunction", 1.0);
    let pb = "(declare-const x Int)(declare-const y Int)(assert (<= 0 x))(assert (<= x 1))(assert (>= y 0))";
    check(&format!("{pb}(assert (>= 1 y))(assert (> (+ x (* 3 y)) 1))"), "is-pb", 1.0);
    check(&format!("{pb}(assert (> (+ x (* 3 y)) 1))"), "is-pb", 0.0);
    check("(declare-const p Bool)(assert (> (+ 1 (ite p 3 0)) 1))", "is-pb", 1.0);
}

/// The probes that only Z3 has, by its descriptions of them.
#[test]
fn probes_of_z3_are_answered_as_it_describes_them() {
    for (name, text, expect) in [
        // Degrees 1 and 3; the literals are 7, 1, 3, 1 and 0.
        ("arith-avg-deg", ARITHMETIC, 2.0),
        ("arith-avg-bw", "(declare-const x Int)(assert (< (* 7 x) 1))", 2.0),
        ("arith-avg-deg", "(declare-const p Bool)(assert p)", 0.0),
        ("ackr-bound-probe", "(declare-fun f (Int) Int)(assert (< (f 0) (f 1) (f 2) (f 0)))", 3.0),
        ("is-qfbv-eq", "(declare-const b (_ BitVec 4))(assert (= (concat b #x1) #x11))", 1.0),
        ("is-qfbv-eq", "(declare-const b (_ BitVec 4))(assert (= (bvnot b) #x1))", 0.0),
        ("is-qfbv-eq", "(declare-const b (_ BitVec 4))(assert (bvult b #x1))", 0.0),
        ("is-qffplra", "(declare-const f Float16)(assert (< (fp.to_real f) 1.0))", 1.0),
        ("is-qffplra", "(declare-const f Float16)(declare-const i Int)(assert (= i 0))", 0.0),
        ("is-qfufnra", "(declare-fun f (Real) Real)(assert (< (* (f 0.0) (f 1.0)) 1.0))", 1.0),
        ("is-qfufnra", "(declare-fun f (Real) Real)(assert (< (f 0.0) (f 1.0)))", 0.0),
        ("is-lia", "(assert (forall ((x Int)) (exists ((y Int)) (< x y))))", 1.0),
        ("is-lia", "(assert (forall ((x Real)) (exists ((y Int)) (< x y))))", 0.0),
        ("is-lira", "(assert (forall ((x Real)) (exists ((y Int)) (< x y))))", 1.0),
        ("is-lra", "(assert (forall ((x Real)) (exists ((y Real)) (< x y))))", 1.0),
        ("is-lra", "(assert (forall ((x Real)) (exists ((y Real)) (< (* x x) y))))", 0.0),
        ("is-nra", "(assert (forall ((x Real)) (exists ((y Real)) (< (* x x) y))))", 1.0),
        ("is-nia", "(assert (forall ((x Int)) (exists ((y Int)) (< (* x x) y))))", 1.0),
        ("is-nira", "(assert (forall ((x Int)) (exists ((y Real)) (< (* x x) y))))", 1.0),
        ("is-nira", "(assert (forall ((x Int)) (exists ((y Real)) (< x y))))", 0.0),
        ("is-ilp", "(declare-const x Int)(assert (< x 3))(assert (not (= x 1)))", 1.0),
        ("is-ilp", "(declare-const x Int)(assert (or (< x 3) (> x 5)))", 0.0),
        ("is-qfauflia", "(declare-const a (Array Int Int))(assert (= (select a 0) 1))", 1.0),
        ("is-qfauflia", "(declare-const a (Array Int Real))(assert (= (select a 0) 1.0))", 0.0),
        ("is-unbounded", "(declare-const x Real)(assert (< 0.0 x))(assert (<= x 1.0))", 0.0),
        ("is-unbounded", "(declare-const x Real)(assert (< 0.0 x))", 1.0),
        ("is-unbounded", "(declare-const p Bool)(assert p)", 0.0),
        ("has-patterns", "(declare-fun f (Int) Bool)(assert (forall ((x Int)) (! (f x) :pattern ((f x)))))", 1.0),
        ("has-patterns", "(declare-fun f (Int) Bool)(assert (forall ((x Int)) (f x)))", 0.0),
        ("produce-model", "(declare-const p Bool)(assert p)", 1.0),
        ("produce-proofs", "(declare-const p Bool)(assert p)", 0.0),
    ] {
        check_value(text, name, expect);
    }
}

#[test]
fn conditions_hold_as_in_ieee_arithmetic() {
    let check = |condition: &str, expect: bool| {
        let mut store = Store::new();
        let goal = goal(&mut store, ARITHMETIC);
        let Strategy::FailIf(condition) = read(&format!("(fail-if {condition})")) else { panic!("no fail-if") };
        assert_eq!(truth(&condition, &store, &goal), ProbeValue::Known(expect), "{condition}");
    };
    check("(> (/ atoms dim) 1.4)", true);
    check("(> (/ atoms dim) 1.5)", false);
    check("(> (/ atoms num-fp-consts) 1000000)", true);
    check("(= (/ num-fp-consts num-fp-consts) 0)", false);
    check("(and (= dim 2) (or diff (not linear)))", true);
    check("(=> diff linear)", true);
    check("(<= (- dim 5) (* 2 (+ 1 1)))", true);
    check("(= (- dim) (- 0 2))", true);
}

#[test]
fn yices_rule_chooses_by_density() {
    // Or-else over fail-if, as Yices decides between the simplex and Floyd and Warshall's algorithm.
    let rule = read("(or-else (then (fail-if (and diff (> (/ atoms dim) 10))) simplex) floyd-warshall)");
    let text = |constraints: usize| {
        let mut text = "(declare-const x Int)(declare-const y Int)".to_string();
        for n in 0..constraints {
            text.push_str(&format!("(assert (<= (- x y) {}))", n + 1));
        }
        text + "(check-sat)"
    };
    for (constraints, by) in [(3, "simplex"), (25, "floyd-warshall")] {
        let mut store = Store::new();
        let instance = instance(&mut store, &text(constraints));
        let report = run(&mut store, &instance, &rule, 60.0, false);
        match &report.answer {
            strategy::SolveAnswer::Sat { by: who, .. } => assert_eq!(&**who, by, "{}", report.trace.text()),
            other => panic!("{other:?}\n{}", report.trace.text()),
        }
    }
}

#[test]
fn the_smallest_logic_is_named() {
    let check = |text: &str, expect: &str| {
        let mut store = Store::new();
        let goal = goal(&mut store, text);
        assert_eq!(logic_of(&store, &goal), expect, "{text}");
    };
    check("", "QF_UF");
    check("(declare-const p Bool)(assert p)", "QF_UF");
    check("(declare-const a (_ BitVec 8))(assert (= a #x01))", "QF_BV");
    check("(declare-const a (_ FloatingPoint 5 11))(assert (fp.isNaN a))", "QF_FP");
    check("(declare-const a (Array Int Int))(assert (= (select a 1) 2))", "QF_ALIA");
    check("(declare-sort U 0)(declare-const a (Array U U))(declare-const u U)(assert (= (select a u) u))", "QF_AX");
    check(ARITHMETIC, "QF_NIA");
    check("(declare-const x Real)(assert (> (* 2.0 x) 1.0))", "QF_LRA");
    check("(declare-const x Int)(assert (forall ((y Int)) (> y x)))", "LIA");
    check("(declare-const s String)(assert (= (str.len s) 3))", "QF_SLIA");
}

/// Goals were printed with logics that reject a sort which only a quantifier, a datatype's field or a declaration mentions, and
/// differences written as sums with the difference logics.
#[test]
fn goals_are_printed_in_a_logic_that_holds_them() {
    let check = |text: &str, expect: &str| {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let goal = Goal::of(&mut store, &instance.assertions, Wants::MODELS, &PassSettings::default()).expect("a goal");
        assert_eq!(logic_to_print(&store, &goal, &instance.declarations), expect, "{text}");
    };
    check("(declare-const q Bool)(assert (forall ((b (_ BitVec 4))) q))", "BV");
    check("(declare-datatype D ((c (f Int))))(declare-const d D)(assert (= d d))", "QF_DTLIA");
    check("(declare-datatype L ((nil) (cons (head (_ BitVec 2)) (tail L))))(assert false)", "QF_BVDT");
    check("(declare-const x Real)(declare-const y Real)(assert (< (+ x (* (- 1.0) y)) 2.0))", "QF_LRA");
    check("(declare-const x Real)(declare-const y Real)(assert (< (- x y) 2.0))", "QF_RDL");
    check("(declare-const p Bool)(declare-const a (_ BitVec 8))(assert p)", "QF_BV");
    // They were printed with QF_IDL: differences, but not as they are written.
    check("(declare-const i Int)(declare-const j Int)(assert (< (- j i) (- i)))", "QF_LIA");
    check("(declare-const i Int)(declare-const j Int)(assert (< (- j i) (- 3)))(assert (distinct i j))", "QF_IDL");
    check("(declare-const i Int)(declare-const j Int)(assert (= (- j) i))", "QF_LIA");
}

/// Arrays over free sorts and bit-vectors were printed with QF_ABV, which has no free sorts: z3 answered a wrong `sat`.
#[test]
fn arrays_are_printed_in_a_logic_that_has_their_sorts() {
    let check = |declarations: &str, sort: &str, expect: &str| {
        let mut store = Store::new();
        let text = format!("{declarations}(declare-const a {sort})(declare-const b {sort})(assert (= a b))(check-sat)");
        let instance = instance(&mut store, &text);
        let goal = Goal::of(&mut store, &instance.assertions, Wants::MODELS, &PassSettings::default()).expect("a goal");
        assert_eq!(logic_to_print(&store, &goal, &instance.declarations), expect, "{text}");
    };
    let u = "(declare-sort U 0)";
    check(u, "(Array U (_ BitVec 1))", "ALL");
    check(u, "(Array U U)", "QF_AX");
    check(u, "(Array U (Array U U))", "QF_AX");
    check(u, "(Array U Bool)", "ALL");
    check(u, "(Array (_ BitVec 2) (_ BitVec 1))", "QF_AUFBV");
    check(u, "(Array Int Int)", "QF_AUFLIA");
    check("", "(Array (_ BitVec 2) (_ BitVec 1))", "QF_ABV");
    check("", "(Array (_ BitVec 2) Bool)", "ALL");
    check("", "(Array (_ BitVec 2) (Array (_ BitVec 2) (_ BitVec 2)))", "ALL");
    check("", "(Array (_ BitVec 2) (_ FloatingPoint 3 5))", "QF_ABVFP");
    check("", "(Array Bool Bool)", "ALL");
    check("", "(Array Bool (Array Bool Bool))", "ALL");
    check("", "(Array Int Int)", "QF_ALIA");
    check("", "(Array Int Real)", "QF_ALIRA");
    check("", "(Array Int (Array Int Real))", "QF_ALIRA");
    check("", "(Array Int (Array Int Int))", "ALL");
    check("", "(Array Real Real)", "ALL");
    check("", "(Array Int (_ BitVec 2))", "ALL");
    check("(declare-datatype D ((c)))", "(Array Int D)", "ALL");
    // Booleans in arrays are in every logic.
    check("(declare-const p Bool)(assert p)", "(Array Int Int)", "QF_ALIA");
}

#[test]
fn probes_are_named_once() {
    let mut names: Vec<&str> = PROBES.iter().map(|p| p.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
