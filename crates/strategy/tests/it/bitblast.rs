//! Circuits against the evaluator: every bit-vector operator on all operands of small widths, and on random wide ones.

use crate::engine_support::{Bench, bits_of, read, simulate};
use dashu_int::UBig;
use rand::{RngExt, SeedableRng};
use rewrite::Params;
use rewrite::Stop;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::signature::Pattern;
use smtlib::{Func, FuncBody, FuncId, Kind, Op, Store, TermId};
use strategy::engines::bitblast::{Atoms, Bit, Translator};
use strategy::engines::sat::Sat;
use strategy::{Budget, Decision, Engine};

fn symbol(store: &mut Store, name: &str, width: u32) -> (FuncId, TermId) {
    let (name, result) = (store.symbols.intern(name), store.sorts.bitvec(width));
    let f = store.declare(Func { name, params: [].into(), result, body: FuncBody::Declared });
    (f, store.constant_of(f).unwrap())
}

/// Every operator on bit-vectors only, with indices up to `width`, on operands made by `operand`.
fn applications(store: &mut Store, widths: (u32, u32), operands: &[TermId; 3]) -> Vec<TermId> {
    let mut terms = Vec::new();
    for row in smtlib::theories::rows() {
        let takes = |p: &Pattern| matches!(p, Pattern::Bv(_));
        if row.args.is_empty() || !row.args.iter().all(takes) || row.result == Pattern::Int {
            continue;
        }
        let arities: &[usize] = if row.arity == smtlib::signature::Arity::Exact { &[row.args.len()] } else { &[2, 3] };
        let top = if row.indices > 0 { widths.0 + 1 } else { 0 };
        let second = if row.indices > 1 { widths.0 } else { 0 };
        for (i, j) in (0..=top).flat_map(|i| (0..=second).map(move |j| (i, j))) {
            for &arity in arities {
                terms.extend(store.app(Op::indexed(row.kind, i, j), &operands[..arity]).ok());
            }
        }
    }
    for kind in [Kind::Eq, Kind::Distinct] {
        terms.extend([2, 3].map(|n| store.app(Op::new(kind), &operands[..n]).unwrap()));
    }
    terms
}

/// Compares the circuits of all operators with the evaluator, on these triples of operands.
fn check(width: u32, triples: &[[UBig; 3]]) {
    let mut store = Store::new();
    let names = ["x", "y", "z"];
    let symbols = names.map(|n| symbol(&mut store, n, width));
    let operands = symbols.map(|s| s.1);
    let terms = applications(&mut store, (width, width), &operands);
    assert!(terms.len() > 60, "only {} applications at width {width}", terms.len());
    let mut translator = Translator::new(Atoms::Refused, 1 << 24, Stop::default());
    // All inputs first and in order, so that the simulation can number them.
    for &t in &operands {
        translator.word(&store, t).unwrap();
    }
    let words: Vec<Vec<Bit>> = terms.iter().map(|&t| translator.word(&store, t).unwrap()).collect();
    let outputs: Vec<Bit> = words.iter().flatten().copied().collect();
    for triple in triples {
        let values = triple.clone().map(|v| Value::bitvec(width, v));
        let mut model = Model::new();
        for (s, v) in symbols.iter().zip(&values) {
            model.assign(&store, s.0, v.clone()).unwrap();
        }
        let inputs: Vec<u64> = values.iter().flat_map(bits_of).map(u64::from).collect();
        let mut got = simulate(&translator.gates, &inputs, &outputs).into_iter();
        let mut evaluator = Evaluator::new(model, EvalLimits::default());
        for (&t, word) in terms.iter().zip(&words) {
            let expected = bits_of(&evaluator.eval(&store, t).unwrap());
            let got: Vec<bool> = got.by_ref().take(word.len()).map(|lanes| lanes & 1 == 1).collect();
            assert_eq!(got, expected, "{:?} at width {width} on {triple:?}", store.op(t));
        }
    }
}

#[test]
fn operators_agree_with_the_evaluator_on_all_small_operands() {
    for width in 1..=3 {
        let all = || (0..1u32 << width).map(UBig::from);
        let mut triples: Vec<[UBig; 3]> = Vec::new();
        for (a, b) in all().flat_map(|a| all().map(move |b| (a.clone(), b))) {
            triples.extend(all().map(|c| [a.clone(), b.clone(), c]));
        }
        check(width, &triples);
    }
    let all = || (0..16u32).map(UBig::from);
    let pairs: Vec<[UBig; 3]> = all().flat_map(|a| all().map(move |b| [a.clone(), b.clone(), &a ^ &b])).collect();
    check(4, &pairs);
}

#[test]
fn operators_agree_with_the_evaluator_on_random_wide_operands() {
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    for width in [5, 8, 13, 32] {
        let triples: Vec<[UBig; 3]> = (0..40)
            .map(|_| std::array::from_fn(|_| UBig::from(rng.random::<u64>() >> rng.random_range(64 - width..64))))
            .collect();
        check(width, &triples);
    }
}

#[test]
fn constants_fold_to_constants() {
    let mut store = Store::new();
    for a in 0..8u32 {
        let operands = [a, (a * 3 + 1) % 8, 5].map(|n| store.bitvec(3, &UBig::from(n)));
        for t in applications(&mut store, (3, 3), &operands) {
            let mut translator = Translator::new(Atoms::Refused, 1 << 20, Stop::default());
            let word = translator.word(&store, t).unwrap();
            let got: Option<Vec<bool>> = word.iter().map(|b| b.as_constant()).collect();
            let expected = bits_of(&Evaluator::new(Model::new(), EvalLimits::default()).eval(&store, t).unwrap());
            assert_eq!(got, Some(expected), "{:?}", store.op(t));
        }
    }
}

const TWO: &str = "(declare-const x (_ BitVec 16)) (declare-const y (_ BitVec 16)) (declare-const p Bool)";

#[test]
fn sat_decides_with_models_and_cores() {
    let engine = Sat::new(&Params::default());
    let bench = Bench(&engine);
    bench.sat(&format!(
        "{TWO} (assert (= (bvmul x y) #x3039)) (assert (bvugt x #x0001)) (assert (=> p (= y #x0003))) (assert p) (check-sat)"
    ));
    bench.sat(&format!("{TWO} (check-sat)"));
    bench.core(
        &format!("{TWO} (assert p) (assert (bvult x y)) (assert (or p (= x y))) (assert (bvult y x)) (check-sat)"),
        &[1, 3],
    );
    bench.core(&format!("{TWO} (assert p) (assert false) (check-sat)"), &[1]);
    bench.core(&format!("{TWO} (assert p) (assert p) (assert (not p)) (check-sat)"), &[0, 2]);
}

#[test]
fn sat_refuses_what_it_does_not_understand() {
    let engine = Sat::new(&Params::default());
    let bench = Bench(&engine);
    bench.unknown("(declare-const i Int) (assert (< i 3)) (check-sat)", "`<`");
    bench.unknown("(declare-fun f (Bool) Bool) (assert (f true)) (check-sat)", "`f`");
    bench.unknown("(declare-const x (_ BitVec 8)) (assert (= (ubv_to_int x) 3)) (check-sat)", "outside");
    // Two to the forty partial products.
    bench.unknown("(declare-const x (_ BitVec 1000000)) (assert (= (bvmul x x) x)) (check-sat)", "max-gates");
}

#[test]
fn a_spent_budget_ends_the_search() {
    // Two factors of a 60-bit prime: no solver finds this in the given time.
    let text = "(declare-const x (_ BitVec 120)) (declare-const y (_ BitVec 120))
        (assert (= (bvmul x y) (_ bv1152921504606846883 120)))
        (assert (bvult x (_ bv1152921504606846883 120))) (assert (bvult y (_ bv1152921504606846883 120)))
        (assert (bvugt x (_ bv1 120))) (check-sat)";
    let (mut store, assertions) = read(text);
    let budget = Budget::of(std::time::Duration::from_millis(200));
    let decision = Sat::new(&Params::default()).decide(&mut store, &assertions, &budget);
    assert!(matches!(&decision, Decision::Unknown(why) if why.contains("time")), "{decision:?}");
}
