//! Guards: what formulas confine a term to, and that they never leave out a value.

use crate::support::read;
use proptest::prelude::*;
use semantics::algebraic::AlgebraicLimits;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::guard::guard;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::Command;

/// The values to which a formula confines `x`, or `none`.
fn guarded(sort: &str, formula: &str, holds: bool) -> String {
    let mut r = read(&format!("(declare-const x {sort})(declare-const p Bool)(assert {formula})"));
    let x = r.script.commands.iter().find_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None });
    let subject = r.store.constant_of(x.expect("x is declared")).expect("a constant");
    let sort = r.store.sort(subject);
    let Some(values) = guard(&r.store, r.assertions[0], holds, subject) else { return "none".to_string() };
    let text = |value: &Value| match value {
        Value::Algebraic(root) => format!("~{}", root.floor(&AlgebraicLimits::EVALUATION).expect("within the limits")),
        value => {
            let term = value.to_term(&mut r.store, sort).expect("a value with a term");
            r.store.term_text(term)
        }
    };
    values.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Checks what a formula says of an integer `x` where it is true, and where it is false.
#[track_caller]
fn check(formula: &str, if_true: &str, if_false: &str) {
    assert_eq!(guarded("Int", formula, true), if_true, "{formula}");
    assert_eq!(guarded("Int", formula, false), if_false, "not {formula}");
}

/// Checks what a formula says of an `x` of a sort where it is true; where it is false it says nothing.
#[track_caller]
fn check_true(sort: &str, formula: &str, if_true: &str) {
    assert_eq!(guarded(sort, formula, true), if_true, "{formula}");
    assert_eq!(guarded(sort, formula, false), "none", "not {formula}");
}

/// An irrational root is shown by the integer below it.
#[test]
fn roots_of_polynomials() {
    let check = |formula: &str, if_true: &str| check_true("Real", formula, if_true);
    check("(= (* x x) 2.0)", "~-2 ~1");
    check("(= (* 2.0 x x) (+ x 1.0))", "(- 0.5) 1.0");
    check("(= 0.0 (- (* x x x) (* 3.0 x x) (- 2.0)))", "1.0 ~-1 ~2");
    check("(= (* x x) (- 1.0))", "");
    check("(= (* (- (* x x) 2.0) (- (* x x) 2.0)) 0.0)", "~-2 ~1");
    check("(= (* (- (* x x) 2.0) (+ x 1.0)) 1.0)", "~1");
    check("(and (= (* x x) 2.0) (= (* x x x x) 4.0))", "~-2 ~1");
    check("(and (= (* x x) 4.0) (= (* x x x) 8.0))", "2.0");
    check("(= (+ (* x x) (- (* x x))) 0.0)", "none");
    check("(= (* x (to_real 3)) 1.0)", "(/ 1.0 3.0)");
    check("(= (/ x 2.0 (- 4.0)) 1.0)", "(- 8.0)");
    check("(= (/ x 0.0) 1.0)", "none");
    check("(= (/ 2.0 x) 1.0)", "none");
    check("(= (* x x x x x x x x x x x x x) 1.0)", "none");
    check("(= (* (ite p 1.0 2.0) x) 1.0)", "none");
    check("(< (* x x) 2.0)", "none");
    // Neither numbers nor roots take long.
    let long = format!("{}.0", "9".repeat(1_000));
    check(&format!("(= (* {} x) 1.0)", [&*long; 100].join(" ")), "none");
    check(&format!("(= (+ {} x) 1.0)", [&*long; 100].join(" ")), "none");
    assert_eq!(guarded("Int", "(= (* (to_real x) (to_real x)) 4.0)", true), "none");
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

/// A formula under a label says what it says where the label is assumed: scripts of several sessions are made so.
#[test]
fn labels() {
    check("(and p (or (not p) (= x 1)))", "1", "none");
    check("(and p (=> p (and (<= 0 x) (<= x 1))))", "0 1", "none");
    check("(and (not p) (or p (= x 1) (= x 2)))", "1 2", "none");
    check("(and p (or p (= x 1)))", "none", "none");
    check("(and (not p) (or (not p) (= x 1)))", "none", "none");
    check("(and p (or (not p) (not (not (not p)))))", "", "none");
    check("(or p (and (not p) (= x 1)))", "none", "none");
    check("(or (not p) (not (=> p (= x 1))))", "none", "1");
    check("(and p (not p) (or (not p) (= x 1)))", "none", "none");
    check("(and (or (not p) (= x 1)) (not p) p)", "none", "none");
    // Only what holds everywhere is a label's truth.
    check("(and (or p (= x 7)) (or (not p) (= x 1)))", "none", "none");
    check("(and (or p (= x 7)) (or (not p) (= x 1)) (or (= x 1) (= x 7)))", "1 7", "none");
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
fn bit_vectors() {
    let check = |formula: &str, if_true: &str, if_false: &str| {
        assert_eq!(guarded("(_ BitVec 16)", formula, true), if_true, "{formula}");
        assert_eq!(guarded("(_ BitVec 16)", formula, false), if_false, "not {formula}");
    };
    check("(bvult x #x0002)", "#x0000 #x0001", "none");
    check("(bvule x #x7fff)", "none", "none");
    check("(bvugt x #xfffd)", "#xfffe #xffff", "none");
    check("(bvuge #x0001 x)", "#x0000 #x0001", "none");
    check("(bvult #x0002 x)", "none", "#x0000 #x0001 #x0002");
    check("(and (bvsle #xffff x) (bvslt x #x0001))", "#x0000 #xffff", "none");
    check("(bvslt x #x8002)", "#x8000 #x8001", "none");
    check("(bvslt #x7fff x)", "", "none");
    // Signed and unsigned bounds do not mix, and the narrower ones are taken.
    check("(and (bvult x #x0100) (bvslt x #x0000) (bvslt x #x8001))", "#x8000", "none");
    check("(bvule #x0003 (bvadd x x))", "none", "none");
}

#[test]
fn floats() {
    let check = |formula: &str, expect: &str| {
        assert_eq!(guarded("(_ FloatingPoint 3 3)", formula, true), expect, "{formula}");
    };
    let (one, zero) = ("(fp #b0 #b011 #b00)", "(_ -zero 3 3)");
    check(&format!("(fp.eq x {one})"), "none");
    check(&format!("(and (fp.leq {one} x) (fp.lt x (fp #b0 #b011 #b10)))"), "(fp #b0 #b011 #b00) (fp #b0 #b011 #b01)");
    check(&format!("(and (fp.leq {zero} x) (fp.leq x {zero}))"), "(fp #b0 #b000 #b00) (fp #b1 #b000 #b00)");
    check(&format!("(and (fp.lt {zero} x) (fp.lt x (fp #b0 #b000 #b10)))"), "(fp #b0 #b000 #b01)");
    check(&format!("(and (fp.gt {zero} x) (fp.geq x (fp #b1 #b000 #b01)))"), "(fp #b1 #b000 #b01)");
    check("(fp.leq (_ NaN 3 3) x)", "none");
    check("(fp.geq x (_ +oo 3 3))", "(_ +oo 3 3)");
    check("(fp.isNaN x)", "(_ NaN 3 3)");
    check("(fp.isInfinite x)", "(_ +oo 3 3) (_ -oo 3 3)");
    check("(fp.isZero x)", "(fp #b0 #b000 #b00) (fp #b1 #b000 #b00)");
    // NaN makes every comparison false, so that the negation of one confines nothing.
    assert_eq!(guarded("(_ FloatingPoint 3 3)", "(fp.lt x (_ +oo 3 3))", false), "none");
    let few = guarded("(_ FloatingPoint 4 12)", "(fp.isSubnormal x)", true).matches("(fp ").count();
    assert_eq!(few, 2 << 11, "with both zeros");
    assert_eq!(guarded("(_ FloatingPoint 8 24)", "(fp.isSubnormal x)", true), "none");
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

/// A formula over `x` and `p`, with comparisons of bit-vectors or of floats by name and literals of theirs.
fn ordered(relations: &'static [&'static str], literals: &'static [&'static str]) -> impl Strategy<Value = String> {
    let (relation, literal) = (proptest::sample::select(relations), proptest::sample::select(literals));
    let atom = (relation, literal, any::<bool>()).prop_map(|(relation, literal, swap)| match (relation, swap) {
        (name, _) if name.starts_with("fp.is") => format!("({name} x)"),
        (name, true) => format!("({name} {literal} x)"),
        (name, false) => format!("({name} x {literal})"),
    });
    let atom = prop_oneof![6 => atom, 1 => Just("p".to_string())];
    atom.prop_recursive(3, 16, 3, |inner| {
        let connective = proptest::sample::select(vec!["and", "or", "=>"]);
        prop_oneof![
            (connective, proptest::collection::vec(inner.clone(), 2..4))
                .prop_map(|(c, parts)| format!("({c} {})", parts.join(" "))),
            inner.prop_map(|f| format!("(not {f})")),
        ]
    })
}

/// Whatever value of the sort, of `Int` one near 0, makes the formula true, or false, is among the values of the guard.
fn leaves_out_nothing(sort: &str, formula: &str) -> Result<(), TestCaseError> {
    let r = read(&format!("(declare-const x {sort})(declare-const p Bool)(assert {formula})(check-sat)"));
    prop_assert!(r.assertions.len() == 1, "{}", formula);
    let declared = |c: &Command| if let Command::DeclareFun(f) = c { Some(*f) } else { None };
    let symbols: Vec<_> = r.script.commands.iter().filter_map(declared).collect();
    let mut store = r.store;
    let subject = store.constant_of(symbols[0]).expect("a constant");
    let sort = store.sort(subject);
    let all: Vec<Value> = {
        let model = Model::new();
        let domains = Domains { store: &store, model: &model };
        match domains.cardinality(sort) {
            Cardinality::Finite(count) => (0..count).filter_map(|n| domains.nth(sort, n)).collect(),
            _ => (-8i32..12).map(|n| Value::Int(n.into())).collect(),
        }
    };
    for holds in [true, false] {
        let Some(values) = guard(&store, r.assertions[0], holds, subject) else { continue };
        for (x, p) in all.iter().flat_map(|x| [(x, false), (x, true)]) {
            let mut model = Model::new();
            prop_assert!(model.assign(&store, symbols[0], x.clone()).is_ok());
            prop_assert!(model.assign(&store, symbols[1], Value::Bool(p)).is_ok());
            let truth = Evaluator::new(model, EvalLimits::default()).truth(&store, r.assertions[0]);
            prop_assert!(truth != Some(holds) || values.contains(x), "{} at {:?}, {}: {:?}", formula, x, p, values);
        }
    }
    Ok(())
}

/// Equations between terms of the field of seven elements, negated or joined.
fn field_equations() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => Just("x".to_string()),
        1 => Just("(ite p x #f3m7)".to_string()),
        3 => (0..7u32).prop_map(|n| format!("#f{n}m7")),
    ];
    let term = leaf.prop_recursive(3, 10, 3, |inner| {
        (prop::sample::select(vec!["ff.add", "ff.mul", "ff.bitsum", "ff.neg"]), prop::collection::vec(inner, 2..4))
            .prop_map(|(name, args)| match name {
                "ff.neg" => format!("(ff.neg {})", args[0]),
                name => format!("({name} {})", args.join(" ")),
            })
    });
    let equation =
        (prop::sample::select(vec!["=", "distinct"]), term.clone(), prop_oneof![term, Just("#f0m7".to_string())])
            .prop_map(|(name, a, b)| format!("({name} {a} {b})"));
    (prop::sample::select(vec!["and", "or"]), prop::collection::vec(equation, 1..3))
        .prop_map(|(name, parts)| format!("({name} {})", parts.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever makes the formula true, or false, is among the values of the guard.
    #[test]
    fn a_guard_leaves_out_no_value(formula in formulas()) {
        leaves_out_nothing("Int", &formula)?;
    }

    #[test]
    fn bounds_of_bit_vectors_leave_out_no_value(formula in ordered(
        &["bvule", "bvult", "bvuge", "bvugt", "bvsle", "bvslt", "bvsge", "bvsgt", "="],
        &["#b000", "#b001", "#b011", "#b100", "#b101", "#b111"],
    )) {
        leaves_out_nothing("(_ BitVec 3)", &formula)?;
    }

    #[test]
    fn equations_of_finite_fields_leave_out_no_value(formula in field_equations()) {
        leaves_out_nothing("(_ FiniteField 7)", &formula)?;
        leaves_out_nothing("(_ FiniteField 2)", &formula.replace("m7", "m2"))?;
    }

    #[test]
    fn bounds_of_floats_leave_out_no_value(formula in ordered(
        &["fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq", "=", "fp.isSubnormal", "fp.isZero", "fp.isNaN", "fp.isInfinite"],
        &["(_ +zero 2 3)", "(_ -zero 2 3)", "(_ NaN 2 3)", "(_ +oo 2 3)", "(_ -oo 2 3)", "(fp #b0 #b00 #b01)",
          "(fp #b1 #b00 #b11)", "(fp #b0 #b01 #b10)", "(fp #b1 #b10 #b11)"],
    )) {
        leaves_out_nothing("(_ FloatingPoint 2 3)", &formula)?;
    }
}

#[test]
fn sequences() {
    let check = |sort: &str, formula: &str, expect: &str| assert_eq!(guarded(sort, formula, true), expect, "{formula}");
    let units = "(as seq.empty (Seq Bool)) (seq.unit false) (seq.unit true)";
    check("(Seq Bool)", "(<= (seq.len x) 1)", units);
    check("(Seq Bool)", "(< (seq.len x) 2)", units);
    check("(Seq Bool)", "(= (seq.len x) 1)", units);
    check("(Seq Bool)", "(>= 0 (seq.len x))", "(as seq.empty (Seq Bool))");
    check("(Seq Bool)", "(<= (seq.len (seq.rev x)) 1)", "none");
    check("(Seq Bool)", "(<= (seq.len x) 500)", "none");
    check("(Seq Int)", "(<= (seq.len x) 1)", "none");
    check(
        "(Seq Int)",
        "(or (= x (seq.unit 1)) (= x (as seq.empty (Seq Int))))",
        "(as seq.empty (Seq Int)) (seq.unit 1)",
    );
    check("(Seq Int)", "(or (= x (seq.unit 1)) (<= (seq.len x) 0))", "none");
}

#[test]
fn finite_fields() {
    let check = |order: &str, formula: &str, expect: &str| {
        let formula = formula.replace('P', order);
        assert_eq!(
            guarded(&format!("(_ FiniteField {order})"), &formula, true),
            expect.replace('P', order),
            "{formula}"
        );
        assert_eq!(guarded(&format!("(_ FiniteField {order})"), &formula, false), "none", "not {formula}");
    };
    let mersenne = "2305843009213693951";
    for order in ["101", mersenne] {
        check(order, "(or (= x #f3mP) (= #f1mP x))", "#f1mP #f3mP");
        check(order, "(= (ff.mul x x) x)", "#f0mP #f1mP");
        check(order, "(= x (ff.mul x x))", "#f0mP #f1mP");
        check(order, "(= #f0mP (ff.mul (ff.add x #f-7mP) (ff.add #f2mP (ff.neg x)) (ff.add x #f-7mP)))", "#f2mP #f7mP");
        check(order, "(= (ff.mul x #f2mP) #f6mP)", "#f3mP");
        check(order, "(= (ff.add x x #f1mP) (ff.bitsum #f1mP x #f0mP x))", "#f0mP");
        check(order, "(= (ff.mul x x #f3mP) (ff.mul #f6mP x))", "#f0mP #f2mP");
        check(order, "(= (ff.mul #f2mP #f3mP) x)", "#f6mP");
        check(order, "(= (ff.add x #f1mP) x)", "");
        check(order, "(= (ff.mul (ff.add #f1mP #f2mP) #f5mP) #f0mP)", "");
        check(order, "(= (ff.add x #f1mP) (ff.add #f1mP x))", "none");
        check(order, "(= (ff.mul x #f0mP) #f0mP)", "none");
        // Their roots are not computed.
        check(order, "(= (ff.mul x x) #f4mP)", "none");
        check(order, "(= (ff.mul x x x) #f0mP)", "#f0mP");
        check(order, "(= (ff.mul x x x) #f1mP)", "none");
        check(order, "(= (ff.mul x (ite p x #f1mP)) #f0mP)", "none");
        check(order, "(= (ff.mul x x) x #f1mP)", "#f1mP");
    }
    // 2x is 0 of every element.
    check("2", "(= (ff.bitsum #f1mP x) #f1mP)", "none");
    check("2", "(= (ff.bitsum x x) #f1mP)", "#f1mP");
    let other = "(= (ff.mul #f1m3 #f1m3) #f1m3)";
    assert_eq!(guarded("(_ FiniteField 5)", other, true), "none", "an equation of another field says nothing");
    assert_eq!(guarded("(_ FiniteField 5)", "(distinct (ff.mul x x) x)", false), "#f0m5 #f1m5");
}

#[test]
fn sets() {
    let check = check_true;
    let two = "(set.insert 1 2 (as set.empty (Set Int)))";
    check("Int", &format!("(set.member x {two})"), "1 2");
    check("Int", "(set.member x (as set.empty (Set Int)))", "");
    let subsets =
        "(as set.empty (Set Int)) (set.singleton 1) (set.union (set.singleton 1) (set.singleton 2)) (set.singleton 2)";
    check("(Set Int)", &format!("(set.subset x {two})"), subsets);
    check("(Set Int)", &format!("(= (set.union x (set.singleton 7)) {two})"), subsets);
    check("(Set Int)", &format!("(= {two} (set.union (set.singleton 1) x))"), subsets);
    check("(Set Int)", "(set.subset x (set.range 1 13))", "none");
    check("(Set Int)", &format!("(set.subset {two} x)"), "none");
    check("(Set Int)", &format!("(= (set.inter x {two}) {two})"), "none");
    check("(Set Int)", "(= (set.card x) 1)", "none");
    check("Int", "(set.member 1 (set.singleton x))", "none");
}

#[test]
fn bags() {
    let check = check_true;
    let three = "(bag.union_disjoint (bag 7 2) (bag 8 1))";
    check("Int", &format!("(bag.member x {three})"), "7 8");
    check("Int", "(bag.member x (bag 7 0))", "");
    check("Int", "(bag.member 7 (bag x 1))", "none");
    let subbags = "(as bag.empty (Bag Int)) (bag 7 1) (bag.union_disjoint (bag 7 1) (bag 8 1)) (bag 7 2) \
                   (bag.union_disjoint (bag 7 2) (bag 8 1)) (bag 8 1)";
    check("(Bag Int)", &format!("(bag.subbag x {three})"), subbags);
    check("(Bag Int)", &format!("(= (bag.union_max (bag 5 1) x) {three})"), subbags);
    check("(Bag Int)", &format!("(= {three} (bag.union_disjoint x x))"), subbags);
    check("(Bag Int)", "(bag.subbag x (bag 7 0))", "(as bag.empty (Bag Int))");
    assert_eq!(guarded("(Bag Int)", "(bag.subbag x (bag 7 4095))", true).matches("(bag 7 ").count(), 4095);
    check("(Bag Int)", "(bag.subbag x (bag 7 4096))", "none");
    check("(Bag Int)", "(bag.subbag x (bag 7 100000000000000000000000))", "none");
    check("(Bag Int)", &format!("(bag.subbag {three} x)"), "none");
    assert_eq!(guarded("(Bag Int)", &format!("(not (bag.subbag x {three}))"), true), "none");
    check("(Bag Int)", &format!("(= (bag.setof x) {three})"), "none");
    check("(Bag Int)", &format!("(= (bag.inter_min x {three}) {three})"), "none");
    // By the size, where there are few elements.
    let small = "(as bag.empty (Bag Bool)) (bag false 1) (bag true 1)";
    check("(Bag Bool)", "(< (bag.card x) 2)", small);
    check("(Bag Bool)", "(= (bag.card x) 1)", small);
    check("(Bag Bool)", "(not (>= (bag.card x) 2))", small);
    check("(Bag Bool)", "(<= (bag.card x) (- 3))", "(as bag.empty (Bag Bool))");
    let two = "(as bag.empty (Bag Bool)) (bag false 1) (bag.union_disjoint (bag false 1) (bag true 1)) (bag false 2) \
               (bag true 1) (bag true 2)";
    check("(Bag Bool)", "(<= (bag.card x) 2)", two);
    check("(Bag Bool)", "(or (= (bag.card x) 0) (< (bag.card x) 2))", small);
    assert_eq!(guarded("(Bag Bool)", "(> (bag.card x) 2)", true), "none");
    assert_eq!(guarded("(Bag Bool)", "(> (bag.card x) 2)", false), two);
    check("(Bag Bool)", "(<= (bag.card x) 100)", "none");
    check("(Bag Int)", "(<= (bag.card x) 1)", "none");
}
