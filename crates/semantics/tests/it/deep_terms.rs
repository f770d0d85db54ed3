//! Depth, memory of results, and bounds: nothing the input can hold overflows the stack.

use semantics::{EvalLimits, Evaluator, Model, UnknownReason, Value};
use smtlib::{Kind, Op, Store, TermId};

fn nest(store: &mut Store, depth: u32, mut t: TermId, mut f: impl FnMut(&mut Store, TermId) -> TermId) -> TermId {
    for _ in 0..depth {
        t = f(store, t);
    }
    t
}

fn apply(store: &mut Store, op: Op, args: &[TermId]) -> TermId {
    match store.app(op, args) {
        Ok(t) => t,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_million_deep() {
    let mut store = Store::new();
    let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
    let yes = store.bool(true);
    let negated = nest(&mut store, 1_000_001, yes, |s, t| s.not(t));
    assert_eq!(evaluator.truth(&store, negated), Some(false));

    let one = store.bitvec(64, &1u8.into());
    let sum = nest(&mut store, 1_000_000, one, |s, t| apply(s, Op::new(Kind::BvAdd), &[one, t]));
    assert_eq!(evaluator.eval(&store, sum), Ok(Value::bitvec(64, 1_000_001u32.into())));

    let (zero, cond) = (store.int(&0.into()), store.bool(false));
    let chain = nest(&mut store, 1_000_000, zero, |s, t| {
        let k = s.int(&(t.index() as i64).into());
        apply(s, Op::new(Kind::Ite), &[cond, k, t])
    });
    assert_eq!(evaluator.eval(&store, chain), Ok(Value::Int(0.into())));

    let stores = {
        let sort = store.sorts.array(smtlib::SortId::INT, smtlib::SortId::INT);
        let array = match store.const_array(sort, zero) {
            Ok(t) => t,
            Err(error) => panic!("{error}"),
        };
        let chain = nest(&mut store, 200_000, array, |s, t| {
            let k = s.int(&(t.index() as i64 % 1000).into());
            apply(s, Op::new(Kind::ArrayStore), &[t, k, k])
        });
        apply(&mut store, Op::new(Kind::ArraySelect), &[chain, zero])
    };
    assert_eq!(evaluator.eval(&store, stores), Ok(Value::Int(0.into())));
}

#[test]
fn deep_lists_and_binders_are_unknown_not_fatal() {
    let mut store = Store::new();
    let text = "(declare-datatypes ((L 0)) (((nil) (cons (tail L)))))(declare-const l L)";
    let mut scope = smtlib::Scope::new(&store);
    assert!(smtlib::parse_commands(&mut store, &mut scope, text).errors.is_empty());
    let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
    let Ok(nil) = smtlib::parse_term(&mut store, &mut scope, "nil") else { panic!() };
    let datatype = match *store.sorts.get(store.sort(nil)) {
        smtlib::Sort::Datatype(d, _) => d,
        _ => panic!(),
    };
    let list = nest(&mut store, 1_000_000, nil, |s, t| match s.construct(datatype, 1, &[t], None) {
        Ok(t) => t,
        Err(error) => panic!("{error}"),
    });
    assert_eq!(evaluator.eval(&store, list).map_err(|u| u.reason), Err(UnknownReason::TooLarge));

    let yes = store.bool(true);
    let mut n = 0;
    let quantified = nest(&mut store, 100_000, yes, |s, t| {
        n += 1;
        let (name, x) = s.named_variable(&format!("x{n}"), smtlib::SortId::BOOL);
        let body = s.or(&[x, t]);
        let vars = [(name, smtlib::SortId::BOOL)].into();
        let binder = smtlib::Binder { vars, patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        match s.bind(Kind::Exists, binder, &[body]) {
            Ok(t) => t,
            Err(error) => panic!("{error}"),
        }
    });
    // Closed subterms are remembered, so this is decided or given up, but never overflows.
    let _ = evaluator.truth(&store, quantified);
}

#[test]
fn a_growing_store_keeps_what_is_known() {
    let mut store = Store::new();
    let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
    let mut t = store.int(&1.into());
    for n in 1..200i64 {
        let k = store.int(&n.into());
        t = apply(&mut store, Op::new(Kind::IntAdd), &[t, k]);
        assert_eq!(evaluator.eval(&store, t), Ok(Value::Int((1 + n * (n + 1) / 2).into())));
        assert!(evaluator.remembered(t).is_some());
    }
}

#[test]
fn doubling_ends_at_the_bound() {
    let mut store = Store::new();
    let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
    let three = store.int(&3.into());
    let huge = nest(&mut store, 64, three, |s, t| apply(s, Op::new(Kind::IntMul), &[t, t]));
    assert_eq!(evaluator.eval(&store, huge).map_err(|u| u.reason), Err(UnknownReason::TooLarge));
    let same = store.eq(huge, huge);
    assert_eq!(same.ok().and_then(|t| evaluator.truth(&store, t)), Some(true));
}
