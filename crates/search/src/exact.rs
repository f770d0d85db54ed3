//! Operations with exact semantics: any operator, format and width, at the cost of a conversion.

use crate::ir::ExactOperator;
use crate::types::{Ty, WORD, mask};
use dashu_int::UBig;
use semantics::float::{Float, RoundingMode};
use semantics::strings::{RegexStore, WorkBudget};
use semantics::theories::{self, OperatorContext};
use semantics::{EvalLimits, Model, Value};
use smtlib::{Kind, Op, SortId, Store};

/// The data of exact operators besides their arguments.
pub struct ExactOperators {
    store: Store,
    model: Model,
    limits: EvalLimits,
    regexes: RegexStore,
    work: WorkBudget,
}

impl Default for ExactOperators {
    fn default() -> Self {
        ExactOperators {
            store: Store::new(),
            model: Model::new(),
            limits: EvalLimits::default(),
            regexes: RegexStore::new(),
            work: WorkBudget::new(0),
        }
    }
}

impl ExactOperators {
    /// Writes the operator's value as words to `out`. If the standard leaves the value open, or the value is too large, writes zeros and
    /// returns false. A model may depend on these zeros, since the evaluator checks every model. A refutation must not.
    pub fn apply(&mut self, operator: &ExactOperator, args: &[(Ty, &[u64])], out: &mut [u64]) -> bool {
        out.fill(0);
        let values: Vec<Value> = args.iter().map(|&(ty, words)| value(ty, words)).collect();
        let result = self.apply_values(operator.op, &values);
        if let Some(result) = &result {
            words_of(result, out);
        }
        result.is_some()
    }

    /// Returns the operator's value, if it has one.
    pub fn apply_values(&mut self, op: Op, values: &[Value]) -> Option<Value> {
        let args: Vec<&Value> = values.iter().collect();
        if op.kind == Kind::Eq {
            return Some(Value::Bool(args.first()? == args.get(1)?));
        }
        let mut context = OperatorContext {
            store: &self.store,
            model: &self.model,
            limits: &self.limits,
            regexes: &mut self.regexes,
            room: self.limits.memory,
            work: &mut self.work,
            // Only arrays need the sort.
            sort: SortId::BOOL,
            open: None,
        };
        theories::apply(op, &args, &mut context).ok()
    }
}

/// Returns the value of words.
pub fn value(ty: Ty, words: &[u64]) -> Value {
    match ty {
        Ty::Bool => Value::Bool(words[0] & 1 == 1),
        Ty::Mode => Value::RoundingMode(RoundingMode::ALL[(words[0] % 5) as usize]),
        Ty::Bits(width) => Value::bitvec(width, integer(words)),
        Ty::Float(format) if format.width() <= WORD => Value::Float(Float::from_u64_bits(format, words[0])),
        Ty::Float(format) => Value::Float(Float::from_bits(format, &integer(words))),
    }
}

fn integer(words: &[u64]) -> UBig {
    match words {
        [word] => UBig::from(*word),
        _ => {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            UBig::from_le_bytes(&bytes)
        }
    }
}

/// Writes the words of a value of one of the types; others, which no operation yields, leave `out` unchanged.
pub fn words_of(value: &Value, out: &mut [u64]) {
    match value {
        Value::Bool(b) => out[0] = u64::from(*b),
        Value::RoundingMode(m) => out[0] = RoundingMode::ALL.iter().position(|a| a == m).unwrap_or(0) as u64,
        Value::BitVec { value, .. } => write(value, out),
        Value::Float(f) => match f.narrow_bits() {
            Some(bits) => out[0] = bits,
            None => write(&pattern(f), out),
        },
        _ => {}
    }
}

/// Returns the encoding of a float of any width, NaN in its canonical pattern.
fn pattern(f: &Float) -> UBig {
    f.to_ieee_bits().unwrap_or_else(|_| {
        let format = f.format();
        let exponent = UBig::ones(format.eb() as usize) << (format.sb() - 1) as usize;
        exponent | (UBig::ONE << (format.sb() - 2) as usize)
    })
}

fn write(value: &UBig, out: &mut [u64]) {
    out.fill(0);
    for (word, bytes) in out.iter_mut().zip(value.to_le_bytes().chunks(8)) {
        let mut full = [0; 8];
        full[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(full);
    }
}

/// Clears the bits above a type's width in its words.
pub fn trim(ty: Ty, words: &mut [u64]) {
    let rest = ty.width() % WORD;
    if rest != 0
        && let Some(last) = words.last_mut()
    {
        *last &= mask(rest);
    }
    if ty == Ty::Mode && words[0] > 4 {
        words[0] -= 5;
    }
}
