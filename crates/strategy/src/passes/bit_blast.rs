//! `bit-blast`: bit-vector formulas become propositional ones over a fresh Boolean symbol per bit.

use crate::engines::bitblast::{Atoms, Bit, Gate, Translator};
use crate::engines::bitblast::{TranslateError, width_of};
use dashu_int::UBig;
use rewrite::walk::visit;
use rewrite::{
    Conversion, Example, FreshSymbols, Goal, GoalFormula, ModelConverter, PassError, PassResult, PassSettings,
    RewritePass, TacticParameter,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The pass.
pub static BIT_BLAST: RewritePass = RewritePass {
    name: "bit-blast",
    about: "replaces bit-vector terms by circuits over fresh Boolean symbols, one per bit",
    example: Example {
        before: "(declare-const x (_ BitVec 2)) (assert (= x #b10))",
        after: &["(and (not bit!0) bit!1)"],
    },
    params: &[MAX_GATES],
    is_consequence: false,
    rewrite: apply,
};

/// The default of `max-gates`.
const MAX_GATES: TacticParameter = TacticParameter {
    name: "max-gates",
    about: "the maximum number of gates of the circuit; a larger goal fails",
    default: 1_000_000,
    words: &[],
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let max_gates = settings.params.number(&MAX_GATES).min(1 << 30) as usize;
    let mut translator = Translator::new(Atoms::Abstracted, max_gates, settings.stop.clone());
    let mut roots = Vec::with_capacity(goal.len());
    for formula in goal.take() {
        let bit = translator.boolean(store, formula.term).map_err(|e| pass_error(e, max_gates))?;
        roots.push((bit, formula.origins));
    }
    refuse_mixed_atoms(store, &translator)?;
    let mut terms = GateTerms::default();
    let conversions = terms.name_inputs(store, &translator)?;
    let mut watch = settings.watch(store);
    for (bit, origins) in roots {
        let term = terms.of(store, &translator, bit, &mut watch)?;
        goal.push(store, GoalFormula::new(term, origins));
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}

fn pass_error(error: TranslateError, limit: usize) -> PassError {
    match error {
        TranslateError::Interrupted => PassError::Interrupted,
        TranslateError::TooLarge(_) => PassError::TooLarge { what: "gates", limit },
        unsupported => PassError::NotApplicable(unsupported.to_string()),
    }
}

/// Atoms of other theories are unchanged, so they must not mention a symbol that becomes bits, which would have two meanings.
fn refuse_mixed_atoms(store: &Store, translator: &Translator) -> Result<(), PassError> {
    let mut mixed = None;
    let blasted: FxHashSet<TermId> =
        translator.symbols().iter().map(|&(_, t)| t).filter(|&t| !store.is_bool(t)).collect();
    visit(store, translator.abstracted().iter().map(|a| a.0), |t| {
        if store.op(t).binder().is_some() || blasted.contains(&t) {
            mixed.get_or_insert(t);
        }
    });
    match mixed {
        None => Ok(()),
        Some(t) => {
            let text = store.term_text(t);
            let text: String = text.chars().take(60).collect();
            Err(PassError::NotApplicable(format!(
                "`{text}` stands below an operator that is none of bit-vectors; eliminate that first (ackermannize, …)"
            )))
        }
    }
}

/// The Boolean terms of gates.
#[derive(Default)]
struct GateTerms {
    /// By index of the gate.
    terms: FxHashMap<usize, TermId>,
}

impl GateTerms {
    /// Gives every input its symbol, and defines the old symbols by them.
    fn name_inputs(&mut self, store: &mut Store, translator: &Translator) -> Result<Vec<Conversion>, PassError> {
        let mut conversions = Vec::new();
        let mut fresh = FreshSymbols::new("bit");
        for &(t, bit) in translator.abstracted() {
            self.terms.insert(bit.gate(), t);
        }
        let (zero, one) = (store.bitvec(1, &UBig::ZERO), store.bitvec(1, &UBig::ONE));
        for &(symbol, t) in translator.symbols() {
            let bits = translator.bits(store, t).unwrap_or(&[]);
            if store.is_bool(t) {
                self.terms.insert(bits[0].gate(), t);
                continue;
            }
            let mut digits = Vec::with_capacity(bits.len());
            for (n, bit) in (0u32..).zip(bits) {
                let (f, name) = fresh.constant(store, SortId::BOOL);
                self.terms.insert(bit.gate(), name);
                let digit = store.app(Op::indexed(Kind::BvExtract, n, n), &[t])?;
                let is_one = store.eq(digit, one)?;
                conversions.push(Conversion::name(f, name, is_one));
                digits.push(store.app(Op::new(Kind::Ite), &[name, one, zero])?);
            }
            let term = joined(store, digits)?;
            debug_assert_eq!(width_of(store, store.sort(term)), width_of(store, store.sort(t)));
            conversions.push(Conversion::Define { symbol, term });
        }
        Ok(conversions)
    }

    /// Returns the term of a bit.
    fn of(
        &mut self,
        store: &mut Store,
        translator: &Translator,
        bit: Bit,
        watch: &mut rewrite::pass::PassMeter<'_>,
    ) -> Result<TermId, PassError> {
        let mut stack = vec![bit.gate()];
        while let Some(&position) = stack.last() {
            watch.tick(store)?;
            if self.terms.contains_key(&position) {
                stack.pop();
                continue;
            }
            let gate = translator.gates.gate(position);
            let before = stack.len();
            stack.extend(gate.operands().map(Bit::gate).filter(|p| !self.terms.contains_key(p)));
            if stack.len() == before {
                let term = self.define(store, gate);
                self.terms.insert(position, term);
                stack.pop();
            }
        }
        Ok(self.known(store, bit))
    }

    /// Returns the term of a bit whose gate has one.
    fn known(&self, store: &mut Store, bit: Bit) -> TermId {
        // Operands have terms before their gates, and inputs from the beginning.
        let term = self.terms[&bit.gate()];
        if bit.is_negated() { store.not(term) } else { term }
    }

    fn define(&self, store: &mut Store, gate: Gate) -> TermId {
        match gate {
            Gate::True | Gate::Input => store.bool(true),
            Gate::And(a, b) => {
                let args = [self.known(store, a), self.known(store, b)];
                store.and(&args)
            }
            Gate::Xor(a, b) => {
                let args = [self.known(store, a), self.known(store, b)];
                boolean(store, Kind::Xor, &args)
            }
            Gate::Ite(c, a, b) => {
                let args = [self.known(store, c), self.known(store, a), self.known(store, b)];
                boolean(store, Kind::Ite, &args)
            }
            Gate::Majority(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|bit| self.known(store, bit));
                let both = store.and(&[a, b]);
                let either = store.or(&[a, b]);
                let carried = store.and(&[c, either]);
                store.or(&[both, carried])
            }
        }
    }
}

/// Returns the concatenation of these parts, at least one, the least significant first, as a balanced tree.
fn joined(store: &mut Store, mut parts: Vec<TermId>) -> Result<TermId, PassError> {
    while parts.len() > 1 {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        for pair in parts.chunks(2) {
            next.push(match *pair {
                [low, high] => store.app(Op::new(Kind::BvConcat), &[high, low])?,
                _ => pair[0],
            });
        }
        parts = next;
    }
    Ok(parts[0])
}

fn boolean(store: &mut Store, kind: Kind, args: &[TermId]) -> TermId {
    store.app(Op::new(kind), args).expect("connectives take Boolean terms")
}
