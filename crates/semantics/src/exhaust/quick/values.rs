//! Value numbering, and the memoised results of operators.

use super::MemoOperator;
use crate::eval::Evaluator;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smtlib::Store;

/// The number of `false`.
pub(super) const FALSE: u32 = 0;
/// The number of `true`.
pub(super) const TRUE: u32 = 1;
/// The number of an unknown value.
pub(super) const UNKNOWN: u32 = u32::MAX;
/// No result is memoised.
const EMPTY: u32 = u32::MAX - 1;

/// The values, by number: equal values have equal numbers, and exact values with different numbers differ.
pub(super) struct ValueNumbers {
    by_number: Vec<Value>,
    numbers: FxHashMap<Value, u32>,
}

impl ValueNumbers {
    pub(super) fn new() -> ValueNumbers {
        let mut values = ValueNumbers { by_number: Vec::new(), numbers: FxHashMap::default() };
        values.number(Value::Bool(false));
        values.number(Value::Bool(true));
        values
    }

    pub(super) fn number(&mut self, value: Value) -> u32 {
        if let Some(&n) = self.numbers.get(&value) {
            return n;
        }
        let n = self.by_number.len() as u32;
        self.by_number.push(value.clone());
        self.numbers.insert(value, n);
        n
    }

    pub(super) fn get(&self, number: u32) -> &Value {
        &self.by_number[number as usize]
    }
}

/// The results of one operator, by the numbers of its arguments.
#[derive(Default)]
pub(super) struct OperatorResults {
    one: Vec<u32>,
    two: FxHashMap<u64, u32>,
    more: FxHashMap<Box<[u32]>, u32>,
}

/// All results of all operators so far.
pub(super) struct ResultMemory {
    pub(super) values: ValueNumbers,
    pub(super) evaluator: Evaluator,
    results: Vec<OperatorResults>,
}

impl ResultMemory {
    pub(super) fn new(values: ValueNumbers, evaluator: Evaluator, operators: usize) -> ResultMemory {
        ResultMemory { values, evaluator, results: (0..operators).map(|_| OperatorResults::default()).collect() }
    }

    pub(super) fn unary(&mut self, store: &Store, operators: &[MemoOperator], at: usize, a: u32) -> u32 {
        if a == UNKNOWN {
            return UNKNOWN;
        }
        let known = &mut self.results[at].one;
        if known.len() <= a as usize {
            known.resize(a as usize + 1, EMPTY);
        }
        match known[a as usize] {
            EMPTY => {
                let result = self.compute(store, &operators[at], &[a]);
                self.results[at].one[a as usize] = result;
                result
            }
            result => result,
        }
    }

    pub(super) fn binary(&mut self, store: &Store, operators: &[MemoOperator], at: usize, args: [u32; 2]) -> u32 {
        let key = u64::from(args[0]) << 32 | u64::from(args[1]);
        if let Some(&result) = self.results[at].two.get(&key) {
            return result;
        }
        let result = self.compute(store, &operators[at], &args);
        self.results[at].two.insert(key, result);
        result
    }

    pub(super) fn many(&mut self, store: &Store, operators: &[MemoOperator], at: usize, args: &[u32]) -> u32 {
        if let Some(&result) = self.results[at].more.get(args) {
            return result;
        }
        let result = self.compute(store, &operators[at], args);
        self.results[at].more.insert(args.into(), result);
        result
    }

    /// Returns the plain evaluator's result.
    fn compute(&mut self, store: &Store, operator: &MemoOperator, args: &[u32]) -> u32 {
        if args.contains(&UNKNOWN) {
            return UNKNOWN;
        }
        let values: Vec<Value> = args.iter().map(|&a| self.values.get(a).clone()).collect();
        match self.evaluator.apply_to(store, operator.op, operator.sort, &values) {
            Ok(value) => self.values.number(value),
            // Open, or above a bound: left to the plain search.
            Err(_) => UNKNOWN,
        }
    }

    /// Whether the numbers denote the same value; `None` if unknown.
    pub(super) fn same(
        &mut self,
        store: &Store,
        operators: &[MemoOperator],
        at: usize,
        args: [u32; 2],
    ) -> Option<bool> {
        let [a, b] = args;
        if a == UNKNOWN || b == UNKNOWN {
            return None;
        }
        if a == b || (self.values.get(a).is_exact() && self.values.get(b).is_exact()) {
            return Some(a == b);
        }
        match self.binary(store, operators, at, args) {
            UNKNOWN => None,
            truth => Some(truth == TRUE),
        }
    }
}
