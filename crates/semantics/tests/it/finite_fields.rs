//! Finite fields: the meaning of their operators, the laws of a field, values as terms, guards, exhaustion and models.

use crate::support::{check, decided, exhausted, read, value_of, verdict};
use dashu_int::{IBig, UBig};
use proptest::prelude::*;
use semantics::domain::Domains;
use semantics::truth::Search;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{FieldOrder, Kind, Op, SortId, Store, TermId};

/// 2^255 - 19.
const P25519: &str = "57896044618658097711785492504343953926634992332820282019728792003956564819949";
/// The order of the field of BLS12-381.
const BLS: &str = "4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787";

/// Terms and their values.
const OPERATORS: &[(&str, &str)] = &[
    ("(ff.add #f3m5 #f4m5)", "#f2m5"),
    ("(ff.add #f3m5 #f4m5 #f4m5)", "#f1m5"),
    ("(ff.add #f1m2 #f1m2)", "#f0m2"),
    ("(ff.mul #f3m5 #f4m5)", "#f2m5"),
    ("(ff.mul #f2m5 #f2m5 #f2m5)", "#f3m5"),
    ("(ff.mul #f0m5 #f4m5)", "#f0m5"),
    ("(ff.neg #f3m5)", "#f2m5"),
    ("(ff.neg #f0m5)", "#f0m5"),
    ("(ff.neg #f1m2)", "#f1m2"),
    ("(ff.bitsum #f3m5 #f2m5)", "#f2m5"),
    // 1 + 2 + 4, and 3 + 2·2 + 4·1 + 8·1 + 16·1.
    ("(ff.bitsum #f1m5 #f1m5 #f1m5)", "#f2m5"),
    ("(ff.bitsum #f3m5 #f2m5 #f1m5 #f1m5 #f1m5)", "#f0m5"),
    // In the field of two elements, twice anything is 0.
    ("(ff.bitsum #f1m2 #f1m2 #f1m2)", "#f1m2"),
    ("(= #f8m5 #f-2m5 (as ff3 (_ FiniteField 5)))", "true"),
    ("(distinct #f0m3 #f1m3 #f2m3)", "true"),
    ("(distinct #f0m3 #f1m3 #f3m3)", "false"),
    ("(ite (= #f1m3 #f4m3) #f2m3 #f0m3)", "#f2m3"),
];

#[test]
fn operators() {
    for (term, value) in OPERATORS {
        check("", term, value);
    }
    // What is not known does not matter to a product with 0.
    check("", "(ff.mul #f0m5 (ite (= (div 1 0) 0) #f1m5 #f2m5))", "#f0m5");
    check("", "(ff.mul #f2m5 (ite (= (div 1 0) 0) #f1m5 #f2m5))", "unknown");
}

#[test]
fn large_fields() {
    let p = |text: &str| text.replace('P', P25519);
    check("", &p("(ff.add #f-1mP #f2mP)"), &p("#f1mP"));
    check("", &p("(ff.mul #f-1mP #f-1mP #f7mP)"), &p("#f7mP"));
    // 2^255 is 19.
    let power = format!("(ff.mul {})", "#f2mP ".repeat(255));
    check("", &p(&power), &p("#f19mP"));
    check("", &p(&format!("(ff.bitsum {} #f1mP)", "#f0mP ".repeat(255))), &p("#f19mP"));
    let b = |text: &str| text.replace('P', BLS);
    check("", &b("(ff.neg #f1mP)"), &b("#f-1mP"));
    assert_eq!(value_of("", &p("(ff.neg #f1mP)")), format!("#f{}8m{P25519}", &P25519[..76]));
}

proptest! {
    /// The laws of a field, in fields of two elements up to those of elliptic curves.
    #[test]
    fn laws(order in 0usize..9, x: [u128; 3], y: [u128; 3], z: [u128; 3]) {
        let order = ["2", "3", "5", "17", "65537", "2305843009213693951", "170141183460469231731687303715884105727", P25519, BLS][order];
        let order = FieldOrder::new(order.parse().expect("a number")).expect("a prime");
        let mut store = Store::new();
        let wide = |v: [u128; 3]| v.iter().fold(UBig::ZERO, |sum, &part| (sum << 128) + UBig::from(part));
        let mut element = |v: [u128; 3]| store.field_element(&order, &IBig::from(wide(v)));
        let (a, b, c) = (element(x), element(y), element(z));
        let (zero, one) = (store.field_element(&order, &IBig::ZERO), store.field_element(&order, &IBig::ONE));
        let s = &mut store;
        let app = |s: &mut Store, kind, args: &[TermId]| s.app(Op::new(kind), args).expect("well-sorted");
        let (add, mul, neg, bitsum) = (Kind::FfAdd, Kind::FfMul, Kind::FfNeg, Kind::FfBitsum);
        let mut laws = Vec::new();
        for op in [add, mul] {
            let (ab, ba, bc) = (app(s, op, &[a, b]), app(s, op, &[b, a]), app(s, op, &[b, c]));
            let (left, right, all) = (app(s, op, &[ab, c]), app(s, op, &[a, bc]), app(s, op, &[a, b, c]));
            laws.extend([(ab, ba), (left, right), (all, left)]);
        }
        // Neutral and inverse elements.
        let (minus, sum) = (app(s, neg, &[a]), app(s, add, &[a, zero]));
        laws.extend([(sum, a), (app(s, mul, &[a, one]), a), (app(s, add, &[a, minus]), zero), (app(s, neg, &[minus]), a)]);
        // Distribution.
        let (bc, ab, ac) = (app(s, add, &[b, c]), app(s, mul, &[a, b]), app(s, mul, &[a, c]));
        laws.push((app(s, mul, &[a, bc]), app(s, add, &[ab, ac])));
        // a + 2b + 4c.
        let (bb, cccc) = (app(s, add, &[b, b]), app(s, add, &[c, c, c, c]));
        laws.push((app(s, bitsum, &[a, b, c]), app(s, add, &[a, bb, cccc])));
        // Fermat: a^p is a, by squaring.
        let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
        let mut power = one;
        let sort = s.sort(a);
        for bit in order.get().in_radix(2).to_string().bytes() {
            let factors = if bit == b'1' { vec![power, power, a] } else { vec![power, power] };
            let product = app(s, mul, &factors);
            power = evaluator.eval(s, product).expect("a value").to_term(s, sort).expect("a term");
        }
        laws.push((power, a));
        for (left, right) in laws {
            let law = app(s, Kind::Eq, &[left, right]);
            prop_assert_eq!(evaluator.truth(s, law), Some(true), "{}", s.term_text(law));
        }
    }
}

/// In a small field every element but 0 has an inverse, and multiplying by one permutes the elements.
#[test]
fn small_fields_have_inverses() {
    for order in ["2", "3", "5", "7", "11", "13", "17"] {
        let forall = format!(
            "(assert (forall ((x (_ FiniteField {order}))) (or (= x #f0m{order}) (exists ((y (_ FiniteField {order}))) (= (ff.mul x y) #f1m{order})))))"
        );
        decided(&forall, "sat");
        let zero = format!(
            "(declare-const x (_ FiniteField {order}))(declare-const y (_ FiniteField {order}))\
             (assert (= (ff.mul x y) #f0m{order}))(assert (distinct x #f0m{order}))(assert (distinct y #f0m{order}))"
        );
        decided(&zero, "unsat");
    }
}

/// Every value is the value of its term.
#[test]
fn values_are_terms() {
    for (term, expect) in [("(ff.add #f3m5 #f4m5)", "#f2m5"), ("(as ff-1 (_ FiniteField 2))", "#f1m2")] {
        assert_eq!(value_of("", term), expect);
        assert_eq!(value_of("", expect), expect);
    }
    let mut store = Store::new();
    let [five, seven] = [5u8, 7].map(|order| store.sorts.finite_field(order.into()).expect("a prime"));
    let value = Domains { store: &store, model: &Model::new() }.nth(five, 3).expect("an element");
    let term = value.to_term(&mut store, five).expect("a literal");
    assert_eq!(store.term_text(term), "#f3m5");
    for (sort, expect) in [(five, true), (seven, false), (SortId::INT, false)] {
        assert_eq!(value.has_sort(&store, sort), expect, "{}", store.sort_text(sort));
    }
}

#[test]
fn exhaustion() {
    let seven = "(declare-const x (_ FiniteField 7))";
    // The squares modulo 7 are 0, 1, 2 and 4.
    decided(&format!("{seven}(assert (= (ff.mul x x) #f2m7))"), "sat");
    decided(&format!("{seven}(assert (= (ff.mul x x) #f3m7))"), "unsat");
    decided(
        &format!(
            "{seven}(declare-fun f ((_ FiniteField 3)) (_ FiniteField 7))(assert (= (f #f1m3) x #f1m7))(assert (= (f #f4m3) #f2m7))"
        ),
        "unsat",
    );
    decided(
        "(declare-const a (Array (_ FiniteField 2) (_ FiniteField 3)))(assert (forall ((i (_ FiniteField 2))) (= (select a i) (select a (ff.add i #f1m2)))))(assert (distinct (select a #f0m2) (select a #f1m2)))",
        "unsat",
    );
    // By guards.
    let large = format!("(declare-const x (_ FiniteField {P25519}))(declare-const y (_ FiniteField {P25519}))");
    let p = |text: &str| format!("{large}{}", text.replace('P', P25519));
    decided(&p("(assert (= (ff.mul x x) x))(assert (distinct x #f0mP #f1mP))"), "unsat");
    decided(&p("(assert (= (ff.mul x (ff.add x #f-5mP)) #f0mP))(assert (distinct x #f0mP))"), "sat");
    decided(&p("(assert (or (= x #f3mP) (= x #f4mP)))(assert (= (ff.add y x) #f1mP))(assert (= y #f-2mP))"), "sat");
    decided(
        &p(
            "(assert (= (ff.add y #f2mP) (ff.mul #f3mP y)))(assert (= (ff.mul x x) x))(assert (= (ff.bitsum x y) #f2mP))",
        ),
        "sat",
    );
    let whole = "refused: `x` of sort (_ FiniteField 57896044618658097711785492504343953926634992332820282019728792003956564819949)";
    let mut r = read(&p("(assert (= (ff.mul x x x) #f8mP))"));
    let refusal = exhausted(&mut r.store, &r.assertions, Search::Quick).expect_err("too many values");
    assert!(format!("refused: {refusal}").starts_with(whole), "{refusal}");
}

#[test]
fn models() {
    let script = "(declare-fun x () (_ FiniteField 5))(declare-fun f ((_ FiniteField 5)) (_ FiniteField 2))
        (assert (= (ff.mul x x) #f4m5))(assert (= (f x) #f1m2))";
    let model = "((define-fun x () (_ FiniteField 5) #f2m5)
        (define-fun f ((_arg_1 (_ FiniteField 5))) (_ FiniteField 2) (ite (= #f2m5 _arg_1) #f1m2 #f0m2)))";
    assert_eq!(verdict(script, model), "valid");
    assert_eq!(
        verdict(script, &model.replace("() (_ FiniteField 5) #f2m5", "() (_ FiniteField 5) #f3m5")),
        "invalid 1"
    );
    assert_eq!(
        verdict(script, &model.replace("() (_ FiniteField 5) #f2m5", "() (_ FiniteField 5) #f1m5")),
        "invalid 0"
    );
    // Values that a model leaves open, of partial operators at elements of a field.
    let script = "(declare-datatype D ((c (g (_ FiniteField 3))) (d)))(declare-fun u () D)
        (assert (= (g u) #f2m3))(assert ((_ is d) u))";
    let model = "((define-fun u () D d))";
    assert!(verdict(script, model).starts_with("unknown"), "{}", verdict(script, model));
    decided(script, "sat");
}
