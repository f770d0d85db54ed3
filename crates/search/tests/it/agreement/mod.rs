//! The interpreter and the compiled code against the exact evaluator: every operator, every rounding mode, random terms and
//! inputs.
//!
//! Each trial asserts `(= e y)` for a random term `e` and a fresh `y`, gives `y` the evaluator's value of `e`, and expects the constraint
//! to be true; then another value, and expects it to be false. `SQUALL_PAIRS` sets the number of pairs of formula and input; 1000000 is
//! the project's promise.

mod terms;

use crate::trial::{Trial, set_value};
use search::rng::Random;
use semantics::{EvalLimits, Evaluator, Value};
use smtlib::{Kind, Store, TermId};
use std::collections::BTreeSet;
use terms::Terms;

/// Inputs for each formula.
const INPUTS: usize = 10;

/// The default number of pairs.
const PAIRS: usize = 20_000;

fn pairs() -> usize {
    testing::amount("SQUALL_PAIRS", PAIRS)
}

/// The operators in a term.
fn operators(store: &Store, root: TermId, all: &mut BTreeSet<Kind>) {
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        all.insert(store.kind(t));
        stack.extend_from_slice(store.args(t));
    }
}

/// Runs one formula on some inputs. Returns for how many of them the evaluator had a value; `covered` gets the formula's operators if
/// there was any.
fn check(seed: u64, covered: &mut BTreeSet<Kind>) -> usize {
    let mut random = Random::from_seed(seed);
    let mut store = Store::new();
    let mut terms = Terms::new(&mut store);
    let (term, result) = terms.equation(&mut store, &mut random);
    let mut trial = match Trial::new(&mut store, &[term]) {
        Ok(trial) => trial,
        Err(error) => panic!("seed {seed}: {error} in {}", store.term_text(term)),
    };
    let program = trial.program().clone();
    let side = store.args(term)[0];
    let slot = trial.sources().iter().position(|s| *s == search::lower::SlotSource::Constant(result));
    // A constant term is folded, and the equation may be one of a truth value with its negation.
    let Some(slot) = slot else { return 0 };
    let mut compiled = trial.compile();
    assert_eq!(compiled.is_some(), search::jit::AVAILABLE);
    let mut known = 0;
    for _ in 0..INPUTS {
        let mut input = program.layout.zeros();
        terms::fill(&program, &mut input, &mut random);
        let model = trial.model(&store, &input);
        let Ok(value) = Evaluator::new(model, EvalLimits::default()).eval(&store, side) else { continue };
        known += 1;
        let mut expect = |input: &[u8], holds: bool, value: &Value| {
            let text = || format!("seed {seed}: {} should be {value:?}", store.term_text(side));
            let score = trial.fail_fast(input);
            let distances = trial.try_all(input);
            assert_eq!(score.distance == 0, holds, "interpreted, {}", text());
            assert_eq!(distances.iter().all(|&d| d == 0), holds, "interpreted all, {}", text());
            if let Some(compiled) = &mut compiled {
                assert_eq!(compiled.fail_fast.fail_fast(input), score, "compiled, {}", text());
                let mut own = vec![u64::MAX; distances.len()];
                compiled.try_all.try_all(input, &mut own);
                assert_eq!(own, distances, "compiled all, {}", text());
            }
        };
        set_value(&program, &mut input, slot, &value);
        expect(&input, true, &value);
        if let Some(other) = terms::other(&value) {
            set_value(&program, &mut input, slot, &other);
            expect(&input, false, &value);
        }
    }
    if known > 0 {
        operators(&store, term, covered);
    }
    known
}

#[test]
fn all_operators_agree() {
    let wanted = pairs();
    let (mut seed, mut done) = (0, 0);
    let mut covered = BTreeSet::new();
    while done < wanted {
        done += check(seed, &mut covered);
        seed += 1;
    }
    println!("{done} pairs of {seed} formulas agree, over {} operators: {covered:?}", covered.len());
    // Conversions from and to reals and integers have no values that are bits; a constant real is folded.
    let searched = |&kind: &Kind| {
        (Kind::BvConcat..=Kind::BvSmulNoUnderflow).contains(&kind) || (Kind::Fp..=Kind::FpToIeeeBv).contains(&kind)
    };
    let foreign = [Kind::UbvToInt, Kind::SbvToInt, Kind::IntToBv, Kind::FpFromReal, Kind::FpToReal];
    let missing: Vec<Kind> =
        Kind::ALL.iter().copied().filter(searched).filter(|k| !covered.contains(k) && !foreign.contains(k)).collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}");
}
