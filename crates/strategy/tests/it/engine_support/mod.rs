//! Asks engines from text, and checks their answers.

use dashu_int::UBig;
use rewrite::Wants;
use semantics::float::RoundingMode;
use semantics::{Value, Verdict, validate};
use smtlib::{Store, TermId};
use std::sync::Arc;
use std::time::Duration;
use strategy::engines::bitblast::{Bit, Gate, Gates};
use strategy::{Budget, Decision, Engine, Shared, SolveAnswer, SolveRequest, Solvers, StrategyPlan, vocabulary};

/// The store and the assertions live at a script's first check.
pub fn read(text: &str) -> (Store, Vec<TermId>) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{:?} in {text}", parsed.errors);
    let assertions = parsed.script.instances().remove(0).assertions;
    (store, assertions)
}

/// Engines and their expected answers to scripts.
pub struct Bench<'e>(pub &'e dyn Engine);

impl Bench<'_> {
    fn decide(&self, text: &str) -> (Store, Vec<TermId>, Decision) {
        let (mut store, assertions) = read(text);
        let decision = self.0.decide(&mut store, &assertions, &Budget::of(Duration::from_secs(60)));
        (store, assertions, decision)
    }

    /// It is sat, with a model that the evaluator finds right.
    #[track_caller]
    pub fn sat(&self, text: &str) {
        let (store, assertions, decision) = self.decide(text);
        let Decision::Sat(model) = decision else { panic!("{decision:?} to {text}") };
        assert_eq!(validate(&store, &assertions, model), Verdict::Valid, "{text}");
    }

    /// It is unsat by these assertions.
    #[track_caller]
    pub fn core(&self, text: &str, core: &[usize]) {
        match self.decide(text).2 {
            Decision::Unsat(got) => assert_eq!(got, core, "{text}"),
            other => panic!("{other:?} to {text}"),
        }
    }

    /// It is not decided, for a reason that mentions this.
    #[track_caller]
    pub fn unknown(&self, text: &str, cause: &str) {
        match self.decide(text).2 {
            Decision::Unknown(why) => assert!(why.contains(cause), "{why}"),
            other => panic!("{other:?} to {text}"),
        }
    }
}

/// A circuit's outputs for 64 assignments to its inputs at once: one per bit of every word.
pub fn simulate(gates: &Gates, inputs: &[u64], outputs: &[Bit]) -> Vec<u64> {
    fn of(values: &[u64], b: Bit) -> u64 {
        values[b.gate()] ^ if b.is_negated() { u64::MAX } else { 0 }
    }
    let mut values: Vec<u64> = Vec::with_capacity(gates.len());
    let mut inputs = inputs.iter();
    for position in 0..gates.len() {
        let of = |b: Bit| of(&values, b);
        let value = match gates.gate(position) {
            Gate::True => u64::MAX,
            Gate::Input => *inputs.next().unwrap(),
            Gate::And(a, b) => of(a) & of(b),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Ite(c, a, b) => (of(c) & of(a)) | (!of(c) & of(b)),
            Gate::Majority(a, b, c) => (of(a) & of(b)) | (of(a) & of(c)) | (of(b) & of(c)),
        };
        values.push(value);
    }
    outputs.iter().map(|&b| of(&values, b)).collect()
}

/// The bits by which a circuit represents a value, the least significant first.
pub fn bits_of(value: &Value) -> Vec<bool> {
    use dashu_base::BitTest;
    match value {
        Value::Bool(b) => vec![*b],
        Value::BitVec { width, value } => (0..*width as usize).map(|n| value.bit(n)).collect(),
        Value::RoundingMode(mode) => {
            let n = RoundingMode::ALL.iter().position(|m| m == mode).unwrap();
            (0..3).map(|bit| n >> bit & 1 == 1).collect()
        }
        Value::Float(f) => {
            let format = f.format();
            // The encoding of the single NaN has only the first bit of its significand set.
            let bits = f
                .to_ieee_bits()
                .unwrap_or_else(|_| (UBig::ones(format.eb() as usize + 1)) << (format.sb() as usize - 2));
            (0..format.width() as usize).map(|n| bits.bit(n)).collect()
        }
        other => panic!("{other:?} has no bits"),
    }
}

/// A strategy of our own tactics, made ready.
#[track_caller]
pub fn plan(text: &str) -> Arc<StrategyPlan> {
    let strategy = smtlib::strategy::parse_strategy(text, &vocabulary()).unwrap_or_else(|e| panic!("{text}: {e}"));
    strategy::plan(&strategy, &Solvers::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Returns a strategy's answer to assertions within a time limit, with its models checked.
pub fn solve(store: &mut Store, assertions: &[TermId], plan: &StrategyPlan, time: Duration) -> SolveAnswer {
    let request = SolveRequest { wants: Wants::ALL, budget: Budget::of(time), explain: false, claims: false };
    let report = strategy::solve(store, assertions, plan, &request, &Arc::new(Shared::default()));
    assert!(!report.internal_error, "{:?}", report.answer);
    report.answer
}
