//! Answers on small formulas of every searched theory, on bad input, and under limits.

use rewrite::passes::pass;
use rewrite::pipeline::{self, BEFORE_SEARCH};
use rewrite::{Goal, PassError, PassSettings, Stop, Wants};
use search::lower::{LowerError, lower};
use search::{Executor, SearchConfig, SearchOutcome, StrategyChoice, UndecidedReason, solve};
use semantics::read_model;
use semantics::{Verdict, validate};
use smtlib::{Store, TermId};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A limit that no formula here needs, so a failure ends.
const EXECUTIONS: u64 = 3_000_000;

fn answer(text: &str, config: &SearchConfig) -> String {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{:?} in {text}", parsed.errors.first());
    let instance = parsed.script.instances().into_iter().next().expect("a check");
    match solve(&mut store, &instance.assertions, config).0 {
        SearchOutcome::Sat(model) => {
            assert_eq!(validate(&store, &instance.assertions, model), Verdict::Valid, "{text}");
            "sat".to_string()
        }
        SearchOutcome::Unsat { .. } => "unsat".to_string(),
        SearchOutcome::Unknown(UndecidedReason::Limit) => "limit".to_string(),
        SearchOutcome::Unknown(UndecidedReason::Unsupported(error)) => error.to_string(),
    }
}

fn check_with(config: &SearchConfig, body: &str, expect: &str) {
    let got = answer(&format!("{body}(check-sat)"), config);
    assert!(got.contains(expect), "{body}: {got}, not {expect}");
}

fn check(body: &str, expect: &str) {
    for engine in [Executor::Interpreter, Executor::Jit] {
        check_with(&SearchConfig { engine, executions: Some(EXECUTIONS), ..SearchConfig::default() }, body, expect);
    }
}

#[test]
fn every_theory_has_models() {
    check("", "sat");
    check("(declare-const p Bool)(declare-const q Bool)(assert (and (or p q) (not p)))", "sat");
    check("(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(assert (=> p q))", "sat");
    check("(declare-const x (_ BitVec 32))(assert (= (bvmul x x) #x00000031))(assert (bvugt x #x00000010))", "sat");
    check("(declare-const x (_ BitVec 8))(assert (distinct (bvudiv x #x00) x))", "sat");
    check(
        "(declare-const x (_ BitVec 100))(declare-const y (_ BitVec 100))(assert (= x (bvadd y (_ bv5 100))))",
        "sat",
    );
    check("(declare-const x Float64)(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.25)))", "sat");
    check(
        "(declare-const x Float32)(declare-const r RoundingMode)(assert (distinct (fp.add r x x) (fp.add RNE x x)))\
           (assert (not (fp.isInfinite x)))",
        "sat",
    );
    check("(declare-const x Float16)(assert (fp.isSubnormal x))(assert (fp.isNegative x))", "sat");
    check("(declare-const x Float128)(assert (fp.lt (_ +zero 15 113) x))", "sat");
    check("(declare-const x Float32)(assert (fp.isNaN (fp.sqrt RNE x)))(assert (not (fp.isNaN x)))", "sat");
    check("(declare-const r RoundingMode)(assert (distinct r RNE RTZ RTP RTN))", "sat");
    check(
        "(define-fun twice ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x x))(declare-const x (_ BitVec 8))\
           (assert (= (twice (twice x)) #x0c))",
        "sat",
    );
}

#[test]
fn arrays_and_functions_have_models() {
    let array = "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(declare-const i (_ BitVec 32))";
    check(&format!("{array}(assert (distinct (select a i) (select a #x00000000)))"), "sat");
    check(
        &format!("{array}(assert (= (select (store a i #x05) #x00000003) #x05))(assert (distinct i #x00000003))"),
        "sat",
    );
    check(&format!("{array}(assert (distinct (select (store a i #x05) i) #x05))"), "unsat");
    check(&format!("{array}(assert (= a (store a i #x07)))(assert (= i #x00000002))"), "sat");
    check(
        "(declare-fun f ((_ BitVec 8) Bool) Float32)(declare-const x (_ BitVec 8))\
           (assert (fp.lt (f x true) (f #x00 true)))(assert (fp.isInfinite (f x false)))",
        "sat",
    );
    check(
        "(declare-const a (Array (_ BitVec 2) Bool))(declare-const b (Array (_ BitVec 2) Bool))\
           (assert (distinct a b))(assert (select a #b01))(assert (select b #b01))",
        "sat",
    );
    check(
        "(declare-const a (Array Bool (Array (_ BitVec 8) (_ BitVec 8))))\
           (assert (distinct (select (select a true) #x01) (select (select a false) #x01)))",
        "sat",
    );
}

#[test]
fn equations_take_slots_away() {
    // A cycle of definitions, one of which must stay a constraint.
    check(
        "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(assert (= x (bvadd y #x01)))\
           (assert (= y (bvmul x #x02)))",
        "sat",
    );
    check("(declare-const x (_ BitVec 8))(assert (= x (bvadd x x)))", "sat");
    check("(declare-const x Float32)(declare-const y Float32)(assert (= x y))(assert (not (fp.eq x y)))", "sat");
    check("(declare-const x (_ BitVec 8))(assert (= x #x01))(assert (= x #x02))", "unsat");
    check("(declare-const p Bool)(assert p)(assert (not p))", "unsat");
    // The pattern of a vector read as a float is known, up to NaN, of which another than the usual one is wanted here.
    check(
        "(declare-const x (_ BitVec 32))(declare-const y Float32)(assert (= ((_ to_fp 8 24) x) (fp.add RNE y y)))\
           (assert (bvugt x #x40000000))(assert (fp.lt y ((_ to_fp 8 24) RNE 9.0)))",
        "sat",
    );
    check(
        "(declare-const x (_ BitVec 32))(assert (= ((_ to_fp 8 24) x) (_ NaN 8 24)))(assert (= x #x7f800001))",
        "sat",
    );
    check(
        "(declare-const x Float32)(declare-const y Float32)(assert (= x (fp.add RNE y y)))\
           (assert (= y ((_ to_fp 8 24) RNE 1.5)))(assert (distinct x ((_ to_fp 8 24) RNE 3.0)))",
        "unsat",
    );
    check(
        "(declare-const a (Array (_ BitVec 32) Bool))(declare-const b (Array (_ BitVec 32) Bool))\
           (assert (= a (store b #x00000001 true)))(assert (not (select b #x00000001)))(assert (select a #x00000001))",
        "sat",
    );
}

#[test]
fn what_cannot_be_searched_is_unknown() {
    check("(assert (exists ((x (_ BitVec 8))) (= x #x01)))", "bind variables");
    check("(declare-const s String)(assert (str.< s \"a\"))", "sort String");
    check("(declare-const n Int)(assert (> n 0))", "Int");
    check("(declare-sort S 0)(declare-const s S)(declare-const t S)(assert (distinct s t))", "sort S");
    check(
        "(declare-const a (Array (_ BitVec 32) Bool))(declare-const b (Array (_ BitVec 32) Bool))\
           (assert (distinct a b))",
        "equality of arrays",
    );
    check(
        "(define-fun-rec f ((x (_ BitVec 8))) (_ BitVec 8) (ite (= x #x00) x (f (bvsub x #x01))))\
           (assert (= (f #x01) #x00))",
        "outside",
    );
}

#[test]
fn only_simplification_says_unsat() {
    let config = SearchConfig { executions: Some(20_000), ..SearchConfig::default() };
    for &(choice, ..) in StrategyChoice::ALL {
        let config = SearchConfig { strategy: choice, ..config.clone() };
        check_with(
            &config,
            "(declare-const x (_ BitVec 16))(assert (bvult x #x0005))(assert (bvugt x #x0006))",
            "limit",
        );
    }
    // A value that the standard leaves open: whatever the compiled code computes, it is not a model.
    let open = "(declare-const x Float32)(assert (fp.isInfinite x))(assert (= ((_ fp.to_ubv 8) RNE x) #x00))";
    check_with(&config, open, "limit");
}

/// Constants were folded with some value where the standard leaves it open, and a formula that became false by that was reported as
/// unsatisfiable.
#[test]
fn a_value_left_open_refutes_nothing() {
    let x = "(declare-const x Float32)(assert (fp.isNaN x))";
    for open in [
        "(assert (fp.isPositive (fp.max (_ +zero 8 24) (_ -zero 8 24))))",
        "(assert (fp.isNegative (fp.max (_ +zero 8 24) (_ -zero 8 24))))",
        "(assert (fp.isPositive (fp.min (_ -zero 8 24) (_ +zero 8 24))))",
        "(assert (fp.isNegative (fp.min (_ -zero 5 11) (_ +zero 5 11))))",
        "(assert (fp.isPositive (fp.min (_ -zero 5 11) (_ +zero 5 11))))",
        "(assert (not (= #b0000000 ((_ fp.to_sbv 7) RTN (_ NaN 3 4)))))",
        "(assert (= #x01 ((_ fp.to_ubv 8) RTN (_ +oo 8 24))))",
        "(assert (distinct #x7fc00000 (fp.to_ieee_bv (_ NaN 8 24))))",
        &format!("{x}(assert (bvsgt ((_ fp.to_sbv 32) RTZ x) #x00000000))"),
    ] {
        let got =
            answer(&format!("{open}(check-sat)"), &SearchConfig { executions: Some(1000), ..SearchConfig::default() });
        assert!(got != "sat" && got != "unsat", "{open}: {got}");
    }
    check("(assert (fp.isNegative (fp.max (_ +zero 8 24) ((_ to_fp 8 24) RNE 1.0))))", "unsat");
    check("(assert (fp.isPositive (fp.min (_ -zero 8 24) (_ -zero 8 24))))", "unsat");
}

#[test]
fn every_strategy_solves_what_it_can() {
    for &(strategy, ..) in StrategyChoice::ALL {
        let config = SearchConfig { strategy, executions: Some(EXECUTIONS), ..SearchConfig::default() };
        check_with(&config, "(declare-const x (_ BitVec 8))(assert (= (bvadd x #x01) #x2a))", "sat");
        check_with(&config, "(declare-const x Float32)(assert (fp.lt x (_ -zero 8 24)))", "sat");
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let text = "(declare-const x Float64)(declare-const y Float64)(assert (fp.lt (fp.mul RNE x y) (fp.add RNE x y)))\
                (assert (fp.gt x ((_ to_fp 11 53) RNE 3.0)))(assert (fp.gt y ((_ to_fp 11 53) RNE 0.75)))\
                (assert (fp.lt y ((_ to_fp 11 53) RNE 0.875)))(check-sat)";
    let run = |strategy, engine| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let instance = parsed.script.instances().remove(0);
        let config =
            SearchConfig { seed: 5, strategy, engine, executions: Some(EXECUTIONS), ..SearchConfig::default() };
        solve(&mut store, &instance.assertions, &config).1.executions
    };
    for &(strategy, ..) in StrategyChoice::ALL {
        let executions = run(strategy, Executor::Interpreter);
        assert!(executions > 1, "{strategy}");
        assert_eq!(executions, run(strategy, Executor::Jit), "{strategy}");
    }
}

#[test]
fn large_input_is_answered() {
    // A sum of 100,000 nested operations.
    let mut text = String::from("(declare-const x (_ BitVec 32))");
    let mut term = String::from("x");
    let mut open = String::new();
    for n in 0..100_000u32 {
        if n % 2 == 0 { open.push_str("(bvadd x ") } else { open.push_str("(bvxor #x00000003 ") }
    }
    term = format!("{open}{term}{}", ")".repeat(100_000));
    let _ = write!(text, "(assert (bvult {term} #x7fffffff))");
    check(&text, "sat");
    // 10,000 variables.
    let mut text = String::new();
    for n in 0..10_000 {
        let _ = write!(text, "(declare-const x{n} (_ BitVec 16))(assert (bvugt x{n} #x{n:04x}))");
    }
    check_with(&SearchConfig { executions: Some(400_000), ..SearchConfig::default() }, &text, "sat");
    // 100,000 stores, none of which may cost a stack level.
    let array =
        "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(declare-const b (Array (_ BitVec 32) (_ BitVec 8)))";
    let mut chain = String::from("a");
    chain.insert_str(0, &"(store ".repeat(50_000));
    for n in 0..50_000 {
        let _ = write!(chain, " #x{n:08x} #x01)");
    }
    check_with(&SearchConfig::default(), &format!("{array}(assert (= b {chain}))"), "sat");
}

#[test]
fn any_width_is_answered() {
    check("(declare-const x (_ BitVec 1))(assert (= (bvnot x) #b0))", "sat");
    check(
        "(declare-const x (_ BitVec 10000))(declare-const y (_ BitVec 10000))(assert (= (bvadd x (_ bv1 10000)) y))\
           (assert (bvult x y))",
        "sat",
    );
    check("(declare-const x (_ FloatingPoint 20 200))(assert (fp.isInfinite x))", "sat");
}

#[test]
fn division_by_zero_everywhere() {
    let x = "(declare-const x (_ BitVec 32))(declare-const z (_ BitVec 32))(assert (= (bvand z #x00000000) (bvmul z #x00000002)))";
    for op in ["bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"] {
        check(&format!("{x}(assert (= ({op} x (bvshl z #x00000001)) ({op} x #x00000000)))"), "sat");
    }
}

#[test]
fn what_is_late_or_cancelled_is_unknown_from_every_stage() {
    let past = Some(Instant::now());
    let late = SearchConfig { deadline: past, ..SearchConfig::default() };
    let cancelled = SearchConfig { cancel: Some(Arc::new(AtomicBool::new(true))), ..SearchConfig::default() };
    let formulas = [
        "(declare-const p Bool)(assert p)(assert (not p))",
        "(declare-const x (_ BitVec 10000))(assert (bvult (bvmul x x) x))",
        "(declare-const x Float32)(assert (fp.lt x x))",
    ];
    for formula in formulas {
        check_with(&late, formula, "limit");
        check_with(&cancelled, formula, "limit");
    }
    // Each stage by itself: earlier ones may have taken all the time.
    let (mut store, assertions) = sum(2_000);
    let stop = Stop { deadline: past, ..Stop::default() };
    assert_eq!(lower(&mut store, &assertions, &stop).err(), Some(LowerError::Interrupted));
    let settings = PassSettings { stop, ..PassSettings::default() };
    let goal = Goal::of(&mut store, &assertions, Wants::MODELS, &PassSettings::default()).expect("a small goal");
    for name in BEFORE_SEARCH {
        let step = pipeline::run(&mut store, &[name], goal.clone(), &settings);
        assert_eq!(step.err(), Some(PassError::Interrupted), "{name}");
    }
    // Those that walk through terms check the clock on their way, too.
    for name in ["simplify", "propagate-values", "elim-true"] {
        let step = pass(name).expect("a pass").apply(&mut store, goal.clone(), &settings);
        assert_eq!(step.err(), Some(PassError::Interrupted), "{name}");
    }
}

/// A sum of nested operations.
fn sum(operations: usize) -> (Store, Vec<TermId>) {
    let mut store = Store::new();
    let text = format!(
        "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))(assert (bvult {} y {}) x))",
        "(bvxor (bvmul x y) ".repeat(operations),
        ")".repeat(operations - 1)
    );
    let parsed = smtlib::parse(&mut store, &format!("{text}(check-sat)"));
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.first());
    let instance = parsed.script.instances().remove(0);
    (store, instance.assertions)
}

#[test]
fn the_deadline_holds() {
    let config = SearchConfig { deadline: Some(Instant::now() + Duration::from_millis(50)), ..SearchConfig::default() };
    check_with(&config, "(declare-const x (_ BitVec 16))(assert (bvult x #x0005))(assert (bvugt x #x0006))", "limit");
}

/// Two equations that a search of a few hundred inputs does not solve without its starts.
#[test]
fn a_search_begins_where_it_is_told() {
    let body = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))(declare-const p Bool)
        (assert (= (bvmul x (bvadd x y)) #xfec94f918f48bee2))(assert (= (bvurem y (bvor x #x0000000000000001)) #x00000000000000e3))
        (check-sat)";
    let check = |y: &str, strategy: StrategyChoice, expect: &str| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, body);
        let instance = parsed.script.instances().into_iter().next().expect("a check");
        let text = format!("((define-fun x () (_ BitVec 64) #x123456789abcdef1)(define-fun y () (_ BitVec 64) {y}))");
        let start = read_model(&mut store, &instance, &text).expect("a model");
        let starts = [start].into_iter().collect();
        let config = SearchConfig { strategy, starts, executions: Some(60), ..SearchConfig::default() };
        let word = match solve(&mut store, &instance.assertions, &config).0 {
            SearchOutcome::Sat(_) => "sat",
            _ => "unknown",
        };
        assert_eq!(word, expect, "from {y} by {strategy}");
    };
    for strategy in [StrategyChoice::Default, StrategyChoice::Distance, StrategyChoice::Invert, StrategyChoice::Sum] {
        check("#xfedcba9876543211", strategy, "sat");
        check("#x0000000000000000", strategy, "unknown");
    }
}
