//! Small worlds decided by exhaustion: finite sorts, guards at full size, open values, and what is refused.

use crate::support::exhausted;
use semantics::Stop;
use semantics::truth::{CheckTruth, ExhaustLimits, OpenTruth, Search, TruthQuery, of_check, of_formulas};
use smtlib::{Instance, Store, parse};

fn answer(text: &str) -> String {
    let mut store = Store::new();
    let parsed = parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let instances: Vec<Instance> = parsed.script.instances();
    let instance = instances.first().expect("a check");
    let plain = exhausted(&mut store, &instance.assertions, Search::Recorded);
    let quick = exhausted(&mut store, &instance.assertions, Search::Quick);
    for answer in [&plain, &quick] {
        if let Ok(CheckTruth::Sat(model)) = answer {
            let verdict = semantics::validate(&store, &instance.assertions, (**model).clone());
            assert_eq!(verdict, semantics::Verdict::Valid, "{text}");
        }
    }
    match (plain, quick) {
        (Err(OpenTruth::NotFinite(refusal)), Err(_)) => format!("refused: {refusal}"),
        (Err(why), Err(_)) => format!("unknown: {why}"),
        (Ok(plain), Ok(quick)) if plain.word() == quick.word() => match &plain {
            CheckTruth::Sat(_) if plain.is_by_choice() => "sat by a choice".to_string(),
            CheckTruth::Sat(_) => "sat".to_string(),
            CheckTruth::Unsat(refutation) => {
                let record = refutation.record.as_ref().expect("a record");
                format!("unsat after {} of {}", record.refuted, record.assignments)
            }
        },
        (plain, quick) => panic!("{text}: {plain:?} and {quick:?}"),
    }
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(answer(&format!("{text}(check-sat)")), expect, "{text}");
}

#[test]
fn finite_sorts() {
    check("(declare-const x (_ BitVec 4))(assert (= (bvmul x x) #x9))", "sat");
    check("(declare-const x (_ BitVec 4))(assert (= (bvmul x x) #x3))", "unsat after 16 of 16");
    check("(declare-const p Bool)(assert p)(assert (not p))", "unsat after 2 of 2");
    check("(assert false)", "unsat after 1 of 1");
    check("(assert (forall ((x (_ BitVec 3))) (exists ((y (_ BitVec 3))) (= (bvadd x y) #b000))))", "sat");
    check(
        "(declare-const x (_ FloatingPoint 2 3))(declare-const m RoundingMode)(assert (not (= (fp.add m x x) (fp.add m x x))))",
        "unsat after 1 of 135",
    );
    check("(declare-const x (_ FloatingPoint 2 3))(assert (fp.lt x x))", "unsat after 27 of 27");
    check(
        "(declare-const a (Array (_ BitVec 1) (_ BitVec 2)))(assert (= (select a #b0) #b11))(assert (= a (store a #b0 #b00)))",
        "unsat after 16 of 16",
    );
    check("(declare-datatype D ((c) (d (f Bool))))(declare-const x D)(assert (and ((_ is d) x) (f x)))", "sat");
}

#[test]
fn functions_are_tables_filled_where_they_are_asked() {
    check(
        "(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(assert (= (f (f #x00)) #x01))(assert (= (f #x00) #x00))",
        "unsat after 1 of 1",
    );
    check(
        "(declare-fun f ((_ BitVec 2)) (_ BitVec 2))(assert (bvult (bvadd (f #b00) (f #b01)) (bvand (f #b01) (f #b00)) ))(assert (bvult (f #b01) #b01))",
        "unsat after 4 of 1",
    );
    check("(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(assert (= (f (f #x00)) #x01))", "sat");
    check(
        "(declare-fun f (Bool) Bool)(assert (forall ((p Bool)) (not (= (f p) p))))(assert (f (f (f true))))",
        "unsat after 3 of 1",
    );
    check(
        "(declare-fun f (Bool) Int)(assert (forall ((p Bool)) (or (= (f p) 1) (= (f p) 2))))(assert (= (+ (f true) (f false)) 4))",
        "sat",
    );
    check(
        "(declare-fun f (Bool) Int)(assert (forall ((p Bool)) (or (= (f p) 1) (= (f p) 2))))(assert (= (+ (f true) (f false)) 5))",
        "unsat after 4 of 1",
    );
    check(
        "(declare-fun f (Bool) Int)(assert (< (f true) (f true)))",
        "unknown: a function has infinitely many results, and no guard confines them",
    );
}

#[test]
fn guards_confine_what_is_infinite() {
    check("(declare-const x Int)(assert (<= 0 x 5))(assert (= (* x x) 16))", "sat");
    check("(declare-const x Int)(assert (and (< 0 x) (>= 5 x)))(assert (= (* x x) 17))", "unsat after 5 of 5");
    check("(declare-const x Real)(assert (or (= x 0.5) (= x (- 2.0))))(assert (= (* x x) 4.0))", "sat");
    check("(declare-const x Real)(assert (or (= x 0.5) (= x (- 2.0))))(assert (> x 1.0))", "unsat after 2 of 2");
    check("(declare-const s String)(assert (or (= s \"\") (= s \"a\"\"b\")))(assert (= (str.len s) 3))", "sat");
    check(
        "(declare-const s String)(assert (str.in_re s (re.* (re.range \"a\" \"b\"))))(assert (<= (str.len s) 3))(assert (str.contains s \"c\"))",
        "unsat after 15 of 15",
    );
    check(
        "(declare-const s String)(assert (str.in_re s ((_ re.loop 1 2) (re.range \"a\" \"c\"))))(assert (= s \"ca\"))",
        "sat",
    );
    check(
        "(declare-const x (_ BitVec 64))(assert (or (= x #x0000000000000001) (= x #xffffffffffffffff)))(assert (bvslt x #x0000000000000000))",
        "sat",
    );
    // A guard narrows a finite sort, too.
    check(
        "(declare-const x (_ BitVec 8))(assert (or (= x #x01) (= x #x02)))(assert (= (bvmul x x) #x09))",
        "unsat after 2 of 2",
    );
    check(
        "(declare-const x Int)(assert (forall ((y Int)) (=> (and (<= 0 y) (<= y 3)) (< y x))))(assert (<= 0 x 3))",
        "unsat after 4 of 4",
    );
    check("(assert (exists ((y Int)) (and (<= 0 y 9) (= (* y y) 49))))", "sat");
    check("(assert (forall ((y Int)) (=> (< 3 y 3) false)))", "sat");
    check(
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(assert (forall ((x U)) (or (= x a) (= x b))))(assert (distinct a b c))",
        "unsat after 7 of 9",
    );
    check("(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (distinct a b))", "sat");
}

#[test]
fn open_values_are_one_function_outside_of_quantifiers() {
    // Both zeros are extrema: the standard lets either come out, and a solver may say either.
    let zeros =
        "(define-fun n () (_ FloatingPoint 2 3) (_ -zero 2 3))(define-fun p () (_ FloatingPoint 2 3) (_ +zero 2 3))";
    check(&format!("{zeros}(assert (= (fp.min n p) n))"), "sat by a choice");
    check(&format!("{zeros}(assert (= (fp.min n p) n))(assert (= (fp.min n p) p))"), "unsat after 2 of 1");
    check(
        "(declare-const x (_ FloatingPoint 2 3))(assert (fp.isNaN x))(assert (distinct ((_ fp.to_ubv 2) RNE x) ((_ fp.to_ubv 2) RNE (_ NaN 2 3))))",
        "unsat after 4 of 1",
    );
    // The same application has the same value under every instance of a quantifier.
    check(
        "(declare-datatype D ((c) (d (f Bool))))(assert (exists ((p Bool)) (distinct (f c) (f (ite p c c)))))",
        "unsat after 2 of 1",
    );
    check(
        "(declare-const x Int)(assert (<= 0 x 0))(assert (distinct (div 1 x) (div 1 0)))",
        "unknown: the value of div is open, and any of infinitely many",
    );
    check("(declare-const x Int)(assert (<= 0 x 0))(assert (= (div 1 x) 1))", "sat by a choice");
}

#[test]
fn what_is_not_finite_is_refused() {
    check(
        "(declare-const x Int)(assert (< 0 x))",
        "refused: `x` of sort Int has infinitely many values; confine it by an assertion such as (or (= x c1) (= x c2)), or (<= 0 x 5) for an integer",
    );
    // A guard that the assertions do not imply is none.
    check(
        "(declare-const x Int)(declare-const p Bool)(assert (or p (= x 1)))",
        "refused: `x` of sort Int has infinitely many values; confine it by an assertion such as (or (= x c1) (= x c2)), or (<= 0 x 5) for an integer",
    );
    check(
        "(declare-const x (_ BitVec 15))(declare-const y (_ BitVec 15))(assert (= x y))",
        "refused: the constants have 1073741824 assignments, more than the bound of 1048576",
    );
    check(
        "(declare-sort U 0)(declare-fun f (U) U)(assert (forall ((x U)) (distinct x (f x))))",
        "refused: the sort U may have any number of elements; bound it by (forall ((x U)) (or (= x a) (= x b))), with as many equations as elements",
    );
}

/// One problem of sequences in 2,000 took 1.5 s to make, a quarter of what all others took: 1,500 evaluations of 65,536 steps were allowed.
#[test]
fn what_a_search_may_spend() {
    let text = "(declare-const x (_ BitVec 6))(assert (exists ((z (_ BitVec 6))) (bvult (bvmul x z) (bvadd (bvmul x x) z))))(assert (= (bvmul x x) (bvadd x #b000001)))(check-sat)";
    let spent = |limits: ExhaustLimits| {
        let mut store = Store::new();
        let parsed = parse(&mut store, text);
        let instances = parsed.script.instances();
        let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
        match of_formulas(&mut store, &instances.first()?.assertions, query) {
            Err(why) => Some(why.to_string()),
            Ok(truth) => Some(truth.word().to_string()),
        }
    };
    let unlimited = ExhaustLimits::default();
    let cases = [
        (ExhaustLimits { steps: 1 << 16, evaluations: 1 << 7, ..unlimited }, "unsat"),
        (ExhaustLimits { steps: 100, ..unlimited }, "more than 100 steps of evaluation are needed"),
        (ExhaustLimits { evaluations: 10, ..unlimited }, "more than 10 evaluations are needed"),
    ];
    for (limits, expect) in cases {
        assert_eq!(spent(limits).as_deref(), Some(expect));
    }
}

/// Terms of an uninterpreted sort bound its universe only where each denotes one element. `(h p)` under a quantifier or in a
/// definition denotes as many as `p` has values; two such terms were counted as two elements, and both problems, which have
/// models of four and three elements, were `unsat`.
#[test]
fn open_terms_do_not_bound_a_universe() {
    let refused = "refused: the sort U may have any number of elements; bound it by (forall ((x U)) (or (= x a) (= x b))), with as many equations as elements";
    let injective = "(declare-sort U 0)(declare-fun h ((_ BitVec 2)) U)(assert (forall ((p (_ BitVec 2)) (q (_ BitVec 2))) (=> (distinct p q) (distinct (h p) (h q)))))";
    check(injective, refused);
    let ne = "(declare-sort U 0)(declare-fun h ((_ BitVec 2)) U)(define-fun ne ((p (_ BitVec 2)) (q (_ BitVec 2))) Bool (distinct (h p) (h q)))";
    check(&format!("{ne}(assert (ne #b00 #b01))(assert (ne #b00 #b10))(assert (ne #b10 #b01))"), refused);
    // An assertion bounds it whatever the terms are.
    let three = "(declare-const a U)(declare-const b U)(declare-const c U)(assert (forall ((x U)) (or (= x a) (= x b) (= x c))))";
    check(&format!("{injective}{three}"), "unsat after 258 of 36");
    // Closed terms bound it, under a quantifier, too.
    let closed = "(declare-sort U 0)(declare-fun h (Bool) U)(assert (forall ((p Bool)) (= p (= (h true) (h false)))))";
    check(closed, "unsat after 5 of 2");
    check("(declare-sort U 0)(declare-fun h (Bool) U)(assert (distinct (h true) (h false)))", "sat");
}

#[test]
fn sequences() {
    let x = "(declare-const x (Seq (_ BitVec 1)))(assert (<= (seq.len x) 2))";
    check(&format!("{x}(assert (= (seq.rev x) x))(assert (= (seq.len x) 2))(assert (= (seq.nth x 0) #b1))"), "sat");
    check(&format!("{x}(assert (seq.contains x (seq.++ x (seq.unit #b0))))"), "unsat after 7 of 7");
    // Outside of the sequence there is a value, the same for the same sequence and position.
    check(&format!("{x}(assert (distinct (seq.nth x 5) (seq.nth x 6)))"), "sat by a choice");
    check(
        "(declare-const x (Seq (_ BitVec 1)))(declare-const y (Seq (_ BitVec 1)))(assert (<= (seq.len x) 1))(assert (<= (seq.len y) 1))
         (assert (= (seq.len x) (seq.len y) 1))(assert (= (seq.nth x 0) (seq.nth y 0)))(assert (distinct (seq.nth x 1) (seq.nth y 1)))",
        "unsat after 9 of 9",
    );
    check(
        "(declare-const x (Seq Int))(assert (= x (seq.unit 1)))(assert (= (seq.nth x 1) 7))",
        "unknown: the value of seq.nth is open, and any of infinitely many",
    );
    check(
        "(declare-const x (Seq Int))(assert (<= (seq.len x) 1))",
        "refused: `x` of sort (Seq Int) has infinitely many values; confine it by an assertion such as (or (= x c1) (= x c2)), or (<= 0 x 5) for an integer",
    );
}

/// The code of the quick search ran through all values of nested quantifiers, without a bound and without reading the clock: four
/// of 16 bits, as the ranking functions of BV have them, never ended.
#[test]
fn nested_quantifiers_over_large_sorts_end() {
    let text = "(assert (forall ((a (_ BitVec 16)) (b (_ BitVec 16)) (c (_ BitVec 16)) (d (_ BitVec 16)))
        (=> (bvult (bvadd a b) (bvmul c d)) (bvult (bvadd b a) (bvmul d c)))))(check-sat)";
    let mut store = Store::new();
    let instances = parse(&mut store, text).script.instances();
    let each = semantics::EvalLimits { steps: 1 << 12, ..semantics::EvalLimits::default() };
    let bounded = ExhaustLimits { each, ..ExhaustLimits::default() };
    let over = Stop { deadline: Some(std::time::Instant::now()), cancelled: None };
    for (limits, stop) in [(&bounded, Stop::default()), (&ExhaustLimits::default(), over)] {
        let query = TruthQuery { limits, stop: &stop, search: Search::Quick };
        let answer = of_formulas(&mut store, &instances[0].assertions, query);
        assert!(matches!(answer, Err(OpenTruth::Unresolved { .. })), "{answer:?}");
    }
}

/// Assertions that share no symbol are decided apart, so that a part of an infinite problem may refute all. Returns the constants of
/// that part.
fn refuted_part(text: &str) -> Option<usize> {
    let text = format!("(declare-const x Int)(declare-const y Int)(assert (> x y)){text}(check-sat)");
    let limits = ExhaustLimits::default();
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
    match of_check(&text, 0, query) {
        Ok(CheckTruth::Unsat(refutation)) => refutation.record.map(|record| record.constants.len()),
        _ => None,
    }
}

#[test]
fn a_part_of_confined_symbols_refutes_all() {
    let check = |text: &str, expect: Option<usize>| {
        let bools: String = ["p", "q", "r"].map(|name| format!("(declare-const {name} Bool)")).concat();
        assert_eq!(refuted_part(&format!("{bools}{text}")), expect, "{text}");
    };
    check("(assert p)(assert (not p))", Some(1));
    check("(assert p)(assert (not p))(assert (or p (> x 1)))", Some(1));
    check("(assert (xor p q))(assert (= p q))(assert (or p q (> x 1)))", Some(2));
    // Conjunctions are split, and the others share nothing with p; disjunctions are not.
    check("(assert (and p (> x 1)))(assert (not p))(assert (or q r))", Some(1));
    check("(assert (or (and p q) (not r)))(assert p)(assert (not p))", Some(3));
    // A chain ties assertions without a common symbol, in any order, as do definitions.
    check("(assert p)(assert (not r))(assert (= p q r))", Some(3));
    check("(assert r)(define-fun g () Bool (or p q))(assert (not p))(assert (not q))(assert g)", Some(2));
    // A quantifier over a sort may bound the sort for another assertion.
    let sort = "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (forall ((u U)) (= u a)))";
    check(&format!("{sort}(assert (exists ((v U) (w U)) (distinct v w)))(assert p)"), Some(1));
    // Assertions about y are left out; if nothing is left, nothing is refuted.
    check("(assert (and (<= 0 x 1) (> x 5)))", Some(1));
    check("(assert (<= 0 (- x y) 1))(assert (> x 5))", None);
    // The rest has a model.
    check("(assert p)(assert (or p (> x 1)))", None);
}
