//! The circuits of `fp-to-bv` against the evaluator: all operands of tiny formats, random ones of the standard formats.

use crate::engine_support::{bits_of, read, simulate};
use dashu_int::UBig;
use rand::{RngExt, SeedableRng};
use rewrite::{Goal, PassSettings, Stop, Wants};
use semantics::float::{Float, FloatFormat, RoundingMode};
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{FuncId, Kind, Sort, Store, TermId};
use strategy::engines::bitblast::{Atoms, Bit, Translator};
use strategy::passes::FP_TO_BV;

/// Operators over m, x, y and z, with the sort of the result; F is the format of the operands.
const OPERATORS: &[(&str, &str)] = &[
    ("F", "(fp.add m x y)"),
    ("F", "(fp.sub m x y)"),
    ("F", "(fp.mul m x y)"),
    ("F", "(fp.div m x y)"),
    ("F", "(fp.fma m x y z)"),
    ("F", "(fp.sqrt m x)"),
    ("F", "(fp.rem x y)"),
    ("F", "(fp.roundToIntegral m x)"),
    ("F", "(fp.min x y)"),
    ("F", "(fp.max x y)"),
    ("F", "(fp.abs x)"),
    ("F", "(fp.neg x)"),
    ("Bool", "(fp.leq x y z)"),
    ("Bool", "(fp.lt x y)"),
    ("Bool", "(fp.geq x y)"),
    ("Bool", "(fp.gt x y)"),
    ("Bool", "(fp.eq x y)"),
    ("Bool", "(= x y)"),
    ("Bool", "(distinct x y z)"),
    ("F", "(ite (fp.isNormal x) x y)"),
    ("Bool", "(fp.isNormal x)"),
    ("Bool", "(fp.isSubnormal x)"),
    ("Bool", "(fp.isZero x)"),
    ("Bool", "(fp.isInfinite x)"),
    ("Bool", "(fp.isNaN x)"),
    ("Bool", "(fp.isNegative x)"),
    ("Bool", "(fp.isPositive x)"),
    ("F", "(fp.add RNA x (_ -zero EB SB))"),
    ("F", "(fp.mul m x ((_ to_fp EB SB) m 0.3))"),
    ("F", "(fp.sub m (_ +oo EB SB) x)"),
    ("(_ FloatingPoint 2 3)", "((_ to_fp 2 3) m x)"),
    ("(_ FloatingPoint 4 5)", "((_ to_fp 4 5) m x)"),
    ("(_ FloatingPoint 5 2)", "((_ to_fp 5 2) m x)"),
    ("Float16", "((_ to_fp 5 11) m x)"),
    ("(_ BitVec 1)", "((_ fp.to_ubv 1) m x)"),
    ("(_ BitVec 1)", "((_ fp.to_sbv 1) m x)"),
    ("(_ BitVec 3)", "((_ fp.to_ubv 3) m x)"),
    ("(_ BitVec 3)", "((_ fp.to_sbv 3) m x)"),
    ("(_ BitVec 9)", "((_ fp.to_ubv 9) m x)"),
    ("(_ BitVec 9)", "((_ fp.to_sbv 9) m x)"),
    ("F", "((_ to_fp EB SB) m b)"),
    ("F", "((_ to_fp_unsigned EB SB) m b)"),
    ("F", "((_ to_fp EB SB) m ((_ extract 0 0) b))"),
    ("F", "((_ to_fp_unsigned EB SB) m ((_ zero_extend 9) b))"),
    ("F", "((_ to_fp EB SB) (fp.to_ieee_bv x))"),
    ("F", "((_ to_fp EB SB) c)"),
    ("F", "(fp ((_ extract 0 0) c) ((_ extract EB 1) c) ((_ extract LAST EBI) c))"),
    ("Bool", "(= m RTN)"),
    ("Bool", "(fp.isZero (fp.add (ite (fp.isNaN x) RTN m) x (fp.neg x)))"),
];

/// The circuits of some operators on one format.
struct Circuits {
    store: Store,
    /// The symbols m, x, y, z, b, c.
    symbols: Vec<FuncId>,
    /// Each operator and the symbol that it equals.
    questions: Vec<(TermId, FuncId)>,
    translator: Translator,
    outputs: Vec<Bit>,
    /// For each of the circuit's inputs, which symbol or question's result and which bit of it.
    inputs: Vec<(usize, usize)>,
}

/// A vector of this width, whatever the format, to convert from.
const INTEGER: u32 = 7;

impl Circuits {
    fn new(eb: u32, sb: u32, operators: &[(&str, &str)]) -> Circuits {
        let fill = |text: &str| {
            text.replace("LAST", &(eb + sb - 1).to_string())
                .replace("EBI", &(eb + 1).to_string())
                .replace("EB", &eb.to_string())
                .replace("SB", &sb.to_string())
        };
        let format = format!("(_ FloatingPoint {eb} {sb})");
        let mut text = format!(
            "(declare-const m RoundingMode) (declare-const x {format}) (declare-const y {format})
             (declare-const z {format}) (declare-const b (_ BitVec {INTEGER})) (declare-const c (_ BitVec {}))
             (assert (and (= m m) (= x x y y z z) (= b b) (= c c)))",
            eb + sb
        );
        for (n, (sort, operator)) in operators.iter().enumerate() {
            let sort = if *sort == "F" { &format } else { *sort };
            text += &format!("(declare-const r{n} {sort}) (assert (= r{n} {}))\n", fill(operator));
        }
        text += "(check-sat)";
        let (mut store, assertions) = read(&text);
        let of = |store: &Store, t: TermId, n: usize| store.applied(store.args(t)[n]).unwrap();
        let first = store.args(assertions[0]).to_vec();
        let pick = |n: usize, k: usize| of(&store, first[n], k);
        let symbols = vec![pick(0, 0), pick(1, 0), pick(1, 2), pick(1, 4), pick(2, 0), pick(3, 0)];
        let questions: Vec<(TermId, FuncId)> =
            assertions[1..].iter().map(|&t| (store.args(t)[1], of(&store, t, 0))).collect();

        let goal = Goal::of(&mut store, &assertions, Wants::ALL, &PassSettings::default()).unwrap();
        let step = FP_TO_BV.apply(&mut store, goal, &PassSettings::default()).unwrap();
        // The circuits are composed in a fixed order; the model conversion shows which symbol represents which.
        let mut translator = Translator::new(Atoms::Refused, 1 << 24, Stop::default());
        let formulas: Vec<TermId> = step.goal.terms().collect();
        let outputs: Vec<Bit> = formulas.iter().map(|&t| translator.boolean(&store, t).unwrap()).collect();
        let mut circuits = Circuits { store, symbols, questions, translator, outputs, inputs: Vec::new() };
        circuits.find_inputs(&step.converter);
        circuits
    }

    /// Finds which input of the circuit is which bit of which symbol, from the definitions of the old symbols: a fresh vector with a
    /// single bit set changes exactly the symbol that it represents.
    fn find_inputs(&mut self, converter: &rewrite::ModelConverter) {
        let all: Vec<FuncId> = self.symbols.iter().copied().chain(self.questions.iter().map(|q| q.1)).collect();
        let zero = |store: &Store, t: TermId| match store.sorts.width(store.sort(t)) {
            Some(w) => Value::bitvec(w, UBig::ZERO),
            None => Value::Bool(false),
        };
        let inputs = self.translator.symbols().to_vec();
        let decode = |store: &mut Store, at: Option<usize>| -> Vec<Option<Value>> {
            let mut model = Model::new();
            for (n, &(f, t)) in inputs.iter().enumerate() {
                let value = match (at == Some(n), zero(store, t)) {
                    (false, zero) => zero,
                    (true, Value::Bool(_)) => Value::Bool(true),
                    (true, v) => Value::bitvec(v.as_bitvec().unwrap().0, UBig::ONE),
                };
                model.assign(store, f, value).unwrap();
            }
            let model = converter.convert(store, model, &rewrite::Stop::default()).unwrap();
            let mut evaluator = Evaluator::new(model, EvalLimits::default());
            all.iter()
                .map(|&f| {
                    let t = store.constant_of(f).unwrap();
                    evaluator.eval(store, t).ok()
                })
                .collect()
        };
        let base = decode(&mut self.store, None);
        for (n, &(_, t)) in inputs.iter().enumerate() {
            let changed = decode(&mut self.store, Some(n));
            let which = (0..all.len()).find(|&k| changed[k] != base[k]).unwrap_or(usize::MAX);
            let width = self.translator.bits(&self.store, t).unwrap().len();
            self.inputs.extend((0..width).map(|bit| (which, bit)));
        }
    }

    /// Compares on up to 64 operands at once: m, x, y, z, b, c.
    fn check(&mut self, operands: &[[Value; 6]]) -> usize {
        let mut columns: Vec<Vec<Option<Vec<bool>>>> = Vec::new();
        for values in operands {
            let mut model = Model::new();
            for (&f, v) in self.symbols.iter().zip(values) {
                model.assign(&self.store, f, v.clone()).unwrap();
            }
            let mut evaluator = Evaluator::new(model, EvalLimits::default());
            let mut column: Vec<Option<Vec<bool>>> = values.iter().map(|v| Some(bits_of(v))).collect();
            for &(t, _) in &self.questions {
                column.push(evaluator.eval(&self.store, t).ok().map(|v| bits_of(&v)));
            }
            columns.push(column);
        }
        let mut lanes = vec![0u64; self.inputs.len()];
        for (lane, column) in columns.iter().enumerate() {
            for (input, &(which, bit)) in self.inputs.iter().enumerate() {
                let value = column.get(which).and_then(|c| c.as_ref()).is_some_and(|bits| bits[bit]);
                lanes[input] |= u64::from(value) << lane;
            }
        }
        let got = simulate(&self.translator.gates, &lanes, &self.outputs);
        // The last formulas are the questions, whatever constraints come before.
        let first = self.outputs.len() - self.questions.len();
        let mut compared = 0;
        for (lane, column) in columns.iter().enumerate() {
            for (n, &(t, _)) in self.questions.iter().enumerate() {
                let Some(expected) = &column[6 + n] else { continue };
                compared += 1;
                assert!(
                    got[first + n] >> lane & 1 == 1,
                    "{} on {:?} is not {expected:?}",
                    self.store.term_text(t),
                    operands[lane]
                );
            }
        }
        compared
    }
}

fn floats(format: FloatFormat) -> Vec<Value> {
    (0..1u64 << format.width()).map(|n| Value::Float(Float::from_u64_bits(format, n))).collect()
}

fn modes() -> Vec<Value> {
    RoundingMode::ALL.map(Value::RoundingMode).to_vec()
}

/// All operands of a tiny format.
fn exhaust(eb: u32, sb: u32) {
    let format = FloatFormat::new(eb, sb).unwrap();
    let values = floats(format);
    let mut all = Vec::new();
    let mut n = 0usize;
    for m in modes() {
        for x in &values {
            for y in &values {
                n += 1;
                // The third operand runs over all values as well, but not with all of the others.
                let z = &values[(n * 7 + n / 64) % values.len()];
                let b = Value::bitvec(INTEGER, UBig::from(n % 128));
                let c = Value::bitvec(eb + sb, UBig::from(n));
                all.push([m.clone(), x.clone(), y.clone(), z.clone(), b, c]);
            }
        }
    }
    let mut circuits = Circuits::new(eb, sb, OPERATORS);
    let compared: usize = all.chunks(64).map(|chunk| circuits.check(chunk)).sum();
    assert!(
        compared > all.len() * (OPERATORS.len() - 8),
        "only {compared} of {} compared",
        all.len() * OPERATORS.len()
    );
}

#[test]
fn every_operator_is_exact_on_all_operands_of_2_2() {
    exhaust(2, 2);
}

#[test]
fn every_operator_is_exact_on_all_operands_of_2_3() {
    exhaust(2, 3);
}

#[test]
fn every_operator_is_exact_on_all_operands_of_3_2() {
    exhaust(3, 2);
}

#[test]
fn every_operator_is_exact_on_all_operands_of_3_3() {
    exhaust(3, 3);
}

#[test]
fn fused_multiplication_is_exact_on_all_triples_of_2_3() {
    let values = floats(FloatFormat::new(2, 3).unwrap());
    let mut circuits = Circuits::new(2, 3, &[("F", "(fp.fma m x y z)")]);
    let mut batch = Vec::new();
    for m in modes() {
        for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
            for z in &values {
                let (b, c) = (Value::bitvec(INTEGER, UBig::ZERO), Value::bitvec(5, UBig::ZERO));
                batch.push([m.clone(), x.clone(), y.clone(), z.clone(), b, c]);
                if batch.len() == 64 {
                    circuits.check(&batch);
                    batch.clear();
                }
            }
        }
    }
}

/// A float whose fields are often extreme.
fn random_float(rng: &mut impl RngExt, format: FloatFormat) -> Float {
    let (eb, trailing) = (format.eb(), format.sb() - 1);
    let field = |rng: &mut _, width: u32| -> UBig {
        let ones = UBig::ones(width as usize);
        let rng: &mut rand_xoshiro::Xoshiro256PlusPlus = rng;
        match rng.random_range(0..8u32) {
            0 => UBig::ZERO,
            1 => ones,
            2 => UBig::ONE << rng.random_range(0..width as usize),
            3 => ones >> rng.random_range(0..width as usize),
            _ => (UBig::from(rng.random::<u64>()) << 60 | UBig::from(rng.random::<u64>())) & ones,
        }
    };
    let mut own = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(rng.random());
    let exponent = match own.random_range(0..3u32) {
        // Near the bias, where results of operations neither overflow nor vanish.
        0 => (UBig::ONE << (eb as usize - 1)) + UBig::from(own.random_range(0..4u32)),
        _ => field(&mut own, eb),
    };
    Float::from_fields(format, own.random(), &exponent, &field(&mut own, trailing))
}

fn sample(eb: u32, sb: u32, batches: usize, operators: &[(&str, &str)]) {
    let format = FloatFormat::new(eb, sb).unwrap();
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(u64::from(eb * 100 + sb));
    let mut circuits = Circuits::new(eb, sb, operators);
    for _ in 0..batches {
        let batch: Vec<[Value; 6]> = (0..64)
            .map(|_| {
                let x = random_float(&mut rng, format);
                // Nearly equal operands cancel.
                let y = if rng.random_range(0..4u32) == 0 { x.neg() } else { random_float(&mut rng, format) };
                [
                    Value::RoundingMode(RoundingMode::ALL[rng.random_range(0..5usize)]),
                    Value::Float(x),
                    Value::Float(y),
                    Value::Float(random_float(&mut rng, format)),
                    Value::bitvec(INTEGER, UBig::from(rng.random::<u64>())),
                    Value::bitvec(eb + sb, UBig::from(rng.random::<u64>())),
                ]
            })
            .collect();
        assert!(circuits.check(&batch) > 0);
    }
}

/// Remainders have thousands of steps in the larger formats.
fn without_remainder() -> Vec<(&'static str, &'static str)> {
    OPERATORS.iter().copied().filter(|o| !o.1.contains("fp.rem")).collect()
}

#[test]
fn every_operator_is_exact_on_random_operands() {
    sample(5, 11, 40, OPERATORS);
    sample(8, 24, 20, OPERATORS);
    sample(11, 53, 10, &without_remainder());
    for (eb, sb) in [(2, 10), (9, 3), (4, 7), (3, 20), (15, 5)] {
        sample(eb, sb, 10, &without_remainder());
    }
}

#[test]
fn the_remainder_of_float64_is_exact_on_random_operands() {
    sample(11, 53, 5, &[("F", "(fp.rem x y)")]);
}

fn pass(text: &str) -> Result<(Store, rewrite::PassResult), rewrite::PassError> {
    let (mut store, assertions) = read(text);
    let goal = Goal::of(&mut store, &assertions, Wants::ALL, &PassSettings::default())?;
    let step = FP_TO_BV.apply(&mut store, goal, &PassSettings::default())?;
    Ok((store, step))
}

#[test]
fn no_float_is_left() {
    let text = "(declare-const x Float32) (declare-const i Int) (assert (fp.lt x (fp.sqrt RNE x))) (assert (< i 3)) (check-sat)";
    let (store, step) = pass(text).unwrap();
    rewrite::walk::visit(&store, step.goal.terms(), |t| {
        assert!(!matches!(store.sorts.get(store.sort(t)), Sort::Float { .. } | Sort::RoundingMode));
    });
    assert_eq!(step.goal.origins().indices(), [0, 1]);
    assert!(step.goal.terms().any(|t| store.kind(t) == Kind::IntLt));
}

#[test]
fn what_mixes_theories_is_refused() {
    for text in [
        "(declare-const x Float32) (assert (< 1.0 (fp.to_real x))) (check-sat)",
        "(declare-fun f ((Array Int Float32)) Bool) (declare-const a (Array Int Float32)) (declare-const x Float32) \
         (assert (or (f a) (fp.isNaN x))) (check-sat)",
        "(declare-fun f (Float32 Int) Bool) (assert (forall ((n Int)) (f (_ NaN 8 24) n))) (check-sat)",
        "(declare-const a (Array (_ BitVec 2) Float32)) (assert (fp.isNaN (select a #b00))) (check-sat)",
        "(assert (forall ((x Float32)) (fp.eq x x))) (check-sat)",
        "(declare-const r Real) (assert (fp.isNaN ((_ to_fp 8 24) RNE r))) (check-sat)",
    ] {
        let error = pass(text).map(|_| ()).unwrap_err();
        assert!(matches!(error, rewrite::PassError::NotApplicable(_)), "{error} for {text}");
    }
    let wide = "(declare-const x (_ FloatingPoint 30 3)) (assert (fp.isNaN (fp.rem x x))) (check-sat)";
    assert!(matches!(pass(wide).map(|_| ()).unwrap_err(), rewrite::PassError::TooLarge { .. }));
}
