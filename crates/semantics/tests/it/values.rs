//! Values: their order and equality across kinds, how deep they nest, and the memory they take.

use crate::support::read;
use semantics::array::{ArrayValue, Base, Closure, ClosureBody};
use semantics::cardinality::Cardinality;
use semantics::collections::{BagValue, SetValue};
use semantics::float::{Float, FloatFormat, RoundingMode};
use semantics::strings::SmtString;
use semantics::value::MAX_DEPTH;
use semantics::{EvalLimits, Evaluator, Model, UnknownReason, Value};
use smtlib::{Command, FieldOrder, SortId};
use std::cmp::Ordering;
use std::sync::Arc;

/// Values of every kind that has exact ones, each different from all others.
fn kinds() -> Vec<Value> {
    let table = |v: i32| {
        let base = Base::Default(Value::Int(v.into()));
        Arc::new(ArrayValue::build(base, Cardinality::Infinite, Vec::new(), |_| None).expect("a small array"))
    };
    let datatype = |n: u32| Value::datatype(SortId::INT, n, [].into()).expect("a small value");
    let set = |n: i32| Value::Set(Arc::new(SetValue::new(vec![Value::Int(n.into())]).expect("a small set")));
    let bag = |n: i32, count: u32| {
        let entries = vec![(Value::Int(n.into()), count.into())];
        Value::Bag(Arc::new(BagValue::new(SortId::INT, entries).expect("a small bag")))
    };
    let element = |index| Value::Element { sort: SortId::INT, index };
    let field_element = |order: u8, n: u8| {
        let order = FieldOrder::new(order.into()).expect("a prime");
        Value::FieldElement { order, value: n.into() }
    };
    let word = |c: u32| Value::String(SmtString::new(&[c]).expect("a character"));
    vec![
        Value::Bool(false),
        Value::Bool(true),
        Value::Int(0.into()),
        Value::Int(1.into()),
        Value::real(0.into()),
        Value::real(1.into()),
        Value::bitvec(1, 0u32.into()),
        Value::bitvec(2, 0u32.into()),
        field_element(2, 0),
        field_element(2, 1),
        field_element(3, 1),
        Value::Float(Float::zero(FloatFormat::FLOAT16, false)),
        Value::Float(Float::zero(FloatFormat::FLOAT16, true)),
        Value::RoundingMode(RoundingMode::ALL[0]),
        Value::RoundingMode(RoundingMode::ALL[1]),
        word(0),
        word(1),
        Value::Array(table(0)),
        Value::Array(table(1)),
        Value::Map(table(0)),
        Value::Map(table(1)),
        set(0),
        set(1),
        bag(0, 0),
        bag(0, 1),
        bag(0, 2),
        bag(1, 1),
        datatype(0),
        datatype(1),
        element(0),
        element(1),
    ]
}

/// One order over values of all kinds; of two kinds nobody asks which is greater, and `=` is not known.
#[test]
fn order_and_equality_agree() {
    let all = kinds();
    for (n, a) in all.iter().enumerate() {
        for (m, b) in all.iter().enumerate() {
            assert_eq!(a == b, n == m, "{a:?} {b:?}");
            assert_eq!(a.cmp(b) == Ordering::Equal, n == m, "{a:?} {b:?}");
            assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a:?} {b:?}");
            let same_kind = std::mem::discriminant(a) == std::mem::discriminant(b);
            assert_eq!(a.same(b), same_kind.then_some(n == m), "{a:?} {b:?}");
        }
    }
}

/// Recursion over values is safe because none nests deeper than the bound, through closures, too: those around a body, and
/// those it is applied to.
#[test]
fn closures_nest_no_deeper_than_other_values() {
    let r = read("(declare-const x Int)(assert true)");
    let declared = r.script.commands.iter().find_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None });
    let name = r.store.func(declared.expect("x is declared")).name;
    let code = ClosureBody::Lambda(r.assertions[0]);
    for applied in [false, true] {
        let nest = |inner: Value| {
            let (environment, arguments) = if applied { (vec![], vec![inner]) } else { (vec![(name, inner)], vec![]) };
            let closure = Closure { code, environment: environment.into(), applied: arguments.into() };
            ArrayValue::build(Base::Closure(closure), Cardinality::Infinite, Vec::new(), |_| None)
        };
        let mut value = Value::Int(0.into());
        let mut depth = 0;
        while let Some(array) = nest(value.clone()) {
            depth += 1;
            assert!(depth <= array.shape().depth && array.shape().depth <= MAX_DEPTH, "{depth}: {:?}", array.shape());
            value = Value::Array(Arc::new(array));
        }
        assert!(depth > 100, "{depth}");
    }
}

#[test]
fn truth_is_true_false_or_not_known() {
    for (term, expect) in [("(= 1 1)", Some(true)), ("(= 1 2)", Some(false)), ("(= (div 1 0) 1)", None)] {
        let r = read(&format!("(assert {term})"));
        let found = Evaluator::new(Model::new(), EvalLimits::default()).truth(&r.store, r.assertions[0]);
        assert_eq!(found, expect, "{term}");
    }
}

/// Large values of every sort are counted: each of these takes more than a kilobyte, and is known where there is room for it.
#[test]
fn large_values_take_memory() {
    for term in [
        "(int.pow2 9000)",
        "(* 1.0 (to_real (int.pow2 9000)))",
        "(/ 1.0 (to_real (int.pow2 9000)))",
        "((_ zero_extend 9000) #b1)",
        "(bag 1 (int.pow2 9000))",
        "((_ repeat 9000) #b1)",
        "(str.replace_all \"aaaaaaaaaaaaaaaaaaaa\" \"a\" \"bbbbbbbbbbbbbbbbbbbb\")",
    ] {
        let r = read(&format!("(assert (= {term} {term}))"));
        let large = r.store.args(r.assertions[0])[0];
        let eval =
            |memory| Evaluator::new(Model::new(), EvalLimits { memory, ..EvalLimits::default() }).eval(&r.store, large);
        assert!(eval(1 << 14).is_ok(), "{term}: {:?}", eval(1 << 14));
        assert_eq!(eval(1 << 10).map_err(|unknown| unknown.reason), Err(UnknownReason::TooLarge), "{term}");
    }
}
