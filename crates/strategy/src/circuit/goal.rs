//! A goal as one circuit, with the bits of the problem's symbols.

use crate::apply::AppliedGoal;
use crate::engines::bitblast::{Atoms, Bit, BitWord, Gates, TranslateError, Translator, width_of};
use dashu_base::BitTest;
use rewrite::Stop;
use rewrite::walk::visit;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::float::RoundingMode;
use semantics::{Interpretation, Model, Value};
use smtlib::printer::quote_symbol;
use smtlib::{Command, FuncId, Instance, Kind, Sort, Store, TermId};

/// The bits of a rounding mode.
const MODE_BITS: usize = 3;

/// A goal as a circuit.
pub struct GoalCircuit {
    translator: Translator,
    /// The bits of the goal's formulas, which hold if and only if the goal does.
    pub roots: Vec<Bit>,
    /// The symbols of the problem with known bits, in the order of their declarations; all others are arbitrary.
    pub symbols: Vec<SymbolBits>,
    /// The inputs in the order of their gates, each with a name: `x[3]` is bit 3 of `x`.
    pub inputs: Vec<(Bit, String)>,
    /// The number of the problem's symbols and values that need more than bits.
    pub others: usize,
}

/// A symbol of the problem and its bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolBits {
    /// The symbol in SMT-LIB syntax.
    pub name: String,
    /// Its sort in SMT-LIB syntax.
    pub sort: String,
    /// Its bits, the least significant first. A Boolean has one, a float those of IEEE 754, a rounding mode three that encode RNE, RNA,
    /// RTP, RTN and RTZ from 0.
    pub bits: BitWord,
}

impl GoalCircuit {
    /// Makes the circuit, with a limited number of gates, of a goal that a strategy left.
    /// Errors: [`CircuitError`]: part of the goal has no bits, a bound is reached or the time is up, or a symbol cannot
    /// be written.
    pub fn of(
        store: &mut Store,
        problem: &Instance,
        goal: &AppliedGoal,
        max_gates: usize,
        stop: &Stop,
    ) -> Result<GoalCircuit, CircuitError> {
        let mut translator = Translator::new(Atoms::Refused, max_gates, stop.clone());
        let formulas: Vec<TermId> = goal.step.goal.terms().collect();
        let roots = formulas.iter().map(|&t| translator.boolean(store, t)).collect::<Result<Vec<Bit>, _>>()?;
        let words = FxHashMap::default();
        let (definitions, mut others) = goal.step.converter.definitions();
        let in_goal = translator.symbols().iter().map(|(symbol, _)| *symbol).collect();
        // A symbol absent from the goal is free, unless the conversion determines it in another way than by a definition.
        let in_goal = Some(in_goal).filter(|_| others > 0);
        let mut known = WordsBack { store: &mut *store, translator, words, in_goal, lost: FxHashSet::default() };
        for (symbol, term) in definitions {
            others += usize::from(!known.define(symbol, term)?);
        }
        let left: FxHashMap<FuncId, TermId> = known.translator.symbols().iter().copied().collect();
        let mut symbols = Vec::new();
        for command in &problem.declarations {
            let Command::DeclareFun(f) = command else { continue };
            let Some(bits) = known.word_of(*f, &left, goal.model.as_ref()) else { continue };
            let store = &*known.store;
            symbols.push(SymbolBits { name: spelled(store, *f)?, sort: store.sort_text(store.func(*f).result), bits });
        }
        let translator = known.translator;
        let inputs = named_inputs(store, &translator, &symbols)?;
        Ok(GoalCircuit { translator, roots, symbols, inputs, others })
    }

    /// Returns the gates.
    pub fn gates(&self) -> &Gates {
        &self.translator.gates
    }

    /// Returns which gates the roots and the bits of symbols depend on, by index.
    pub(super) fn cone(&self) -> Vec<bool> {
        let gates = self.gates();
        let mut is_used = vec![false; gates.len()];
        let all = self.roots.iter().chain(self.symbols.iter().flat_map(|symbol| &symbol.bits));
        for bit in all.filter(|bit| bit.as_constant().is_none()) {
            is_used[bit.gate()] = true;
        }
        // Operands precede their gates.
        for position in (0..gates.len()).rev().filter(|&position| position > 0) {
            if is_used[position] {
                gates.gate(position).operands().for_each(|bit| is_used[bit.gate()] = true);
            }
        }
        is_used
    }

    /// Returns which gates are inputs, by index.
    pub(super) fn is_input(&self) -> Vec<bool> {
        let mut is_input = vec![false; self.gates().len()];
        self.inputs.iter().for_each(|(bit, _)| is_input[bit.gate()] = true);
        is_input
    }

    /// Returns the comments on the symbols, one per line; `literal` formats a bit.
    pub(super) fn comments(&self, mut literal: impl FnMut(Bit) -> String) -> Vec<String> {
        let mut lines = Vec::with_capacity(self.symbols.len() + 1);
        for SymbolBits { name, sort, bits } in &self.symbols {
            let bits: Vec<String> = bits.iter().map(|&bit| literal(bit)).collect();
            lines.push(format!("symbol {name} {sort} = {}", bits.join(" ")));
        }
        if self.others > 0 {
            lines.push(format!("and {} more values, which are no bits", self.others));
        }
        lines
    }
}

/// The bits of removed symbols, by the definitions of a model conversion.
struct WordsBack<'s> {
    store: &'s mut Store,
    translator: Translator,
    words: FxHashMap<FuncId, BitWord>,
    /// The symbols whose bits are known without a definition; `None` for all.
    in_goal: Option<FxHashSet<FuncId>>,
    /// The removed symbols without bits.
    lost: FxHashSet<FuncId>,
}

impl WordsBack<'_> {
    /// Adds a definition; returns whether it has bits.
    fn define(&mut self, symbol: FuncId, term: TermId) -> Result<bool, CircuitError> {
        let store = &*self.store;
        let mut has_bits = true;
        let looked_into = [term].into_iter().filter(|_| self.in_goal.is_some() || !self.lost.is_empty());
        visit(store, looked_into, |t| has_bits &= store.op(t).func().is_none_or(|f| self.has_bits(f)));
        let word = match has_bits {
            true => self.word(term)?,
            false => None,
        };
        let Some(word) = word else {
            self.lost.insert(symbol);
            return Ok(false);
        };
        // Later definitions refer to these bits by the symbol.
        if let Ok(constant) = self.store.constant_of(symbol)
            && width_of(self.store, self.store.sort(constant)).is_some()
            && !self.translator.preset(constant, &word)
        {
            return Err(CircuitError::Ambiguous(self.store.name(self.store.func(symbol).name).to_string()));
        }
        self.words.insert(symbol, word);
        Ok(true)
    }

    /// Whether the bits of a symbol in a definition are known.
    fn has_bits(&self, f: FuncId) -> bool {
        let is_left = self.in_goal.as_ref().is_none_or(|symbols| symbols.contains(&f));
        self.words.contains_key(&f) || (is_left && !self.lost.contains(&f))
    }

    /// Returns the bits of a term; `None` if it is not a circuit.
    fn word(&mut self, t: TermId) -> Result<Option<BitWord>, TranslateError> {
        let store = &*self.store;
        match (store.kind(t), store.args(t)) {
            (Kind::FpFromBits, &[bits]) => self.word(bits),
            (Kind::Ite, &[condition, yes, no]) if *store.sorts.get(store.sort(t)) == Sort::RoundingMode => {
                let words = [self.word(condition)?, self.word(yes)?, self.word(no)?];
                let [Some(condition), Some(yes), Some(no)] = words else { return Ok(None) };
                let gates = &mut self.translator.gates;
                Ok(Some(yes.iter().zip(&no).map(|(&a, &b)| gates.ite(condition[0], a, b)).collect()))
            }
            (kind, []) if RoundingMode::of(kind).is_some() => Ok(RoundingMode::of(kind).map(mode_bits)),
            _ => match self.translator.word(store, t) {
                Ok(word) => Ok(Some(word)),
                Err(TranslateError::Unsupported(_)) => Ok(None),
                Err(error) => Err(error),
            },
        }
    }

    /// Returns the bits of a problem's symbol: those of its definition, of the goal, or of its value if the goal is decided.
    fn word_of(&self, f: FuncId, left: &FxHashMap<FuncId, TermId>, model: Option<&Model>) -> Option<BitWord> {
        if let Some(word) = self.words.get(&f) {
            return Some(word.clone());
        }
        if let Some(Interpretation::Value(value)) = model.and_then(|model| model.interpretation(f)) {
            return value_bits(value);
        }
        self.translator.bits(self.store, *left.get(&f)?).map(<[Bit]>::to_vec)
    }
}

/// Why a circuit cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CircuitError {
    /// The goal is not a circuit, or too large.
    #[error(transparent)]
    Translate(#[from] TranslateError),
    /// A symbol has two meanings, of which the model conversion covers only one.
    #[error("the symbol `{0}` means one thing in the goal and another one on the way back; rename it")]
    Ambiguous(String),
    /// A symbol's name does not fit into a comment of one line.
    #[error("the symbol {0} has a line break in its name, and comments are one line each; rename it")]
    LineBreak(String),
}

fn mode_bits(mode: RoundingMode) -> BitWord {
    (0..MODE_BITS).map(|n| Bit::constant(mode.number() >> n & 1 == 1)).collect()
}

/// Returns the bits of a value, the least significant first; `None` if it has none.
fn value_bits(value: &Value) -> Option<BitWord> {
    let word = |width: usize, bits: &dashu_int::UBig| (0..width).map(|n| Bit::constant(bits.bit(n))).collect();
    match value {
        Value::Bool(value) => Some(vec![Bit::constant(*value)]),
        Value::BitVec { width, value } => Some(word(*width as usize, value)),
        Value::RoundingMode(mode) => Some(mode_bits(*mode)),
        Value::Float(float) => {
            let bits = float.to_ieee_bits().ok()?;
            Some(word(float.format().width() as usize, &bits))
        }
        _ => None,
    }
}

/// Returns a symbol in SMT-LIB syntax, on one line.
fn spelled(store: &Store, f: FuncId) -> Result<String, CircuitError> {
    let name = store.name(store.func(f).name);
    if name.contains(['\n', '\r']) {
        return Err(CircuitError::LineBreak(format!("{name:?}")));
    }
    let mut text = String::new();
    quote_symbol(name, &mut text);
    Ok(text)
}

/// Returns the inputs of a circuit, named by the problem's symbols if they are bits of these, else by the goal's.
fn named_inputs(
    store: &Store,
    translator: &Translator,
    symbols: &[SymbolBits],
) -> Result<Vec<(Bit, String)>, CircuitError> {
    let mut names: FxHashMap<Bit, String> = FxHashMap::default();
    let numbered = |name: &str, count: usize, n: usize| match count {
        1 => name.to_string(),
        _ => format!("{name}[{n}]"),
    };
    for symbol in symbols {
        for (n, &bit) in symbol.bits.iter().enumerate() {
            names.entry(bit).or_insert_with(|| numbered(&symbol.name, symbol.bits.len(), n));
        }
    }
    let mut inputs = Vec::new();
    for &(f, t) in translator.symbols() {
        let bits = translator.bits(store, t).unwrap_or(&[]);
        let own = spelled(store, f)?;
        for (n, &bit) in bits.iter().enumerate() {
            let name = names.remove(&bit).unwrap_or_else(|| numbered(&own, bits.len(), n));
            inputs.push((bit, name));
        }
    }
    inputs.sort_by_key(|(bit, _)| bit.gate());
    Ok(inputs)
}
