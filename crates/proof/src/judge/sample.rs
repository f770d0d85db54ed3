//! Corner and random values for the symbols of a claim, where its sorts are too large to be exhausted.

use super::script::symbols;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use semantics::array::{ArrayValue, Base};
use semantics::cardinality::Cardinality;
use semantics::collections::{BagValue, SetValue};
use semantics::domain::Domains;
use semantics::strings::SmtString;
use semantics::{EvalLimits, Evaluator, FunctionTable, Model, Stop, Value};
use smtlib::{Constant, Sort, SortId, Store, TermId};
use std::sync::Arc;

/// How deep values of datatypes, arrays and collections nest.
const MAX_NESTING: u32 = 4;
/// The maximum number of literals of a claim whose values are tried.
const MAX_LITERALS: usize = 24;

/// Draws values. The same claims give the same values in the same order.
#[derive(Default)]
pub(super) struct Sampler {
    state: u64,
    ints: Vec<IBig>,
    reals: Vec<RBig>,
    strings: Vec<SmtString>,
    words: Vec<UBig>,
}

impl Sampler {
    /// Returns an assignment under which all formulas are true, if one of the `samples` drawn is.
    pub fn refute(&mut self, store: &mut Store, formulas: &[TermId], samples: u32, stop: &Stop) -> Option<Model> {
        let symbols = symbols(store, formulas);
        self.literals(store, formulas);
        let limits = EvalLimits { steps: 100_000, domain: 1 << 10, instances: 256, ..EvalLimits::default() };
        // Unassigned sorts occur only in the ranks of the symbols.
        let mut sorts: FxHashSet<SortId> = FxHashSet::default();
        let mut pending: Vec<SortId> = Vec::new();
        for &f in &symbols {
            let func = store.func(f);
            pending.extend(func.params.iter().copied().chain([func.result]));
        }
        while let Some(sort) = pending.pop() {
            if sorts.insert(sort) {
                pending.extend(store.sorts.children(sort));
            }
        }
        for sample in 0..samples {
            if stop.is_over() {
                return None;
            }
            let mut model = Model::new();
            for &sort in &sorts {
                if let Sort::Uninterpreted(..) = store.sorts.get(sort) {
                    model.set_universe(sort, 1 + self.below(3) as u32);
                }
            }
            for &f in &symbols {
                let func = store.func(f).clone();
                if !func.is_declared() {
                    continue;
                }
                let value = self.value(store, &model, func.result, 0)?;
                if func.params.is_empty() {
                    model.assign(store, f, value).ok()?;
                    continue;
                }
                let mut table = FunctionTable::new(Some(value));
                for _ in 0..self.below(4) {
                    let args = func.params.iter().map(|&p| self.value(store, &model, p, 0));
                    let args = args.collect::<Option<Box<[Value]>>>()?;
                    let value = self.value(store, &model, func.result, 0)?;
                    table.insert(args, value);
                }
                model.assign_table(store, f, table).ok()?;
            }
            let mut evaluator = Evaluator::new(model, limits).heeding(stop);
            // The negated conclusion comes last, and is the most selective.
            if formulas.iter().rev().all(|&f| evaluator.truth(store, f) == Some(true)) {
                return Some((**evaluator.model()).clone());
            }
            // A claim without symbols has only one assignment.
            if symbols.is_empty() && sample == 0 {
                return None;
            }
        }
        None
    }

    fn bits(&mut self) -> u64 {
        // Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014), the generator SplitMix64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound.max(1)
    }

    fn pick<T: Clone>(&mut self, of: fn(&Sampler) -> &Vec<T>) -> Option<T> {
        let n = self.below(of(self).len() as u64) as usize;
        of(self).get(n).cloned()
    }

    /// Collects the values near the literals of a claim.
    fn literals(&mut self, store: &Store, formulas: &[TermId]) {
        (self.ints, self.reals, self.strings, self.words) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = formulas.to_vec();
        let mut left = MAX_LITERALS;
        while let (Some(t), 1..) = (stack.pop(), left) {
            if !seen.insert(t) {
                continue;
            }
            stack.extend_from_slice(store.args(t));
            let Some(constant) = store.constant(t) else { continue };
            left -= 1;
            match constant {
                Constant::Int(n) => {
                    let n = IBig::from(n.clone());
                    self.ints.extend([n.clone() - 1, n.clone() + 1, -n.clone(), n]);
                }
                Constant::Real(r) => self.reals.extend([r.clone(), r.clone() + RBig::ONE, -r.clone()]),
                Constant::BitVec { value, .. } => self.words.extend([value.clone(), value.clone() + UBig::ONE]),
                Constant::String(points) => self.strings.extend(SmtString::new(points)),
                Constant::FieldElement { .. } => {}
            }
        }
    }

    fn int(&mut self) -> IBig {
        match self.below(4) {
            0 => self.pick(|s| &s.ints).unwrap_or(IBig::ZERO),
            1 => IBig::from(self.below(2001)) - 1000,
            _ => IBig::from(self.below(9)) - 4,
        }
    }

    fn string(&mut self) -> SmtString {
        match self.below(3) {
            0 => self.pick(|s| &s.strings).unwrap_or(SmtString::empty()),
            _ => {
                let length = self.below(4);
                let points: Vec<u32> = (0..length).map(|_| [0x61, 0x62, 0x30, 0x31][self.below(4) as usize]).collect();
                SmtString::new(&points).unwrap_or(SmtString::empty())
            }
        }
    }

    /// Draws a value of a sort; `None` if no construction is known.
    fn value(&mut self, store: &Store, model: &Model, sort: SortId, depth: u32) -> Option<Value> {
        let domains = Domains { store, model };
        if depth > MAX_NESTING {
            return domains.any(sort);
        }
        match store.sorts.get(sort) {
            Sort::Int => return Some(Value::Int(self.int())),
            Sort::Real => {
                let whole = match self.below(3) {
                    0 => self.pick(|s| &s.reals).unwrap_or(RBig::ZERO),
                    _ => RBig::from(self.int()),
                };
                let half = RBig::from_parts(IBig::ONE, UBig::from(1 + self.below(3)));
                return Some(Value::real(if self.below(2) == 0 { whole } else { whole * half }));
            }
            Sort::String => return Some(Value::String(self.string())),
            Sort::BitVec(width) => {
                let value = match self.below(5) {
                    0 => self.pick(|s| &s.words).unwrap_or(UBig::ZERO),
                    1 => UBig::ONE << (*width as usize - 1),
                    2 => (UBig::ONE << *width as usize) - UBig::ONE,
                    3 => UBig::from(self.below(4)),
                    _ => (0..width.div_ceil(64)).fold(UBig::ZERO, |sum, _| (sum << 64) + UBig::from(self.bits())),
                };
                return Some(Value::bitvec(*width, value));
            }
            _ => {}
        }
        if let Cardinality::Finite(count) = domains.cardinality(sort) {
            let n = match self.below(4) {
                0 => 0,
                1 => count - 1,
                _ => self.below(count),
            };
            return domains.nth(sort, n);
        }
        match store.sorts.get(sort).clone() {
            Sort::Array(index, element) | Sort::Map(index, element) => {
                let is_array = matches!(store.sorts.get(sort), Sort::Array(..));
                let base = self.value(store, model, element, depth + 1)?;
                let mut entries = Vec::new();
                for _ in 0..self.below(4) {
                    let entry =
                        (self.value(store, model, index, depth + 1)?, self.value(store, model, element, depth + 1)?);
                    entries.push(entry);
                }
                let size = domains.cardinality(index);
                let array = ArrayValue::build(Base::Default(base), size, entries, |n| domains.nth(index, n))?;
                Some(if is_array { Value::Array(Arc::new(array)) } else { Value::Map(Arc::new(array)) })
            }
            Sort::Datatype(d, _) => {
                let constructors = store.datatype(d).constructors.len() as u64;
                let number = self.below(constructors) as usize;
                // Field sorts are interned on the way, which needs a mutable store; a sort without parameters names
                // them.
                let constructor = &store.datatype(d).constructors[number];
                if !store.datatype(d).params.is_empty() {
                    return domains.any(sort);
                }
                let fields = constructor.fields.iter().map(|&(_, field)| self.value(store, model, field, depth + 1));
                Value::datatype(sort, number as u32, fields.collect::<Option<Box<[Value]>>>()?)
            }
            Sort::Seq(element) => {
                let length = self.below(3);
                let items = (0..length).map(|_| self.value(store, model, element, depth + 1));
                Value::sequence(sort, items.collect::<Option<Box<[Value]>>>()?)
            }
            Sort::Set(element) => {
                let length = self.below(4);
                let items = (0..length).map(|_| self.value(store, model, element, depth + 1));
                SetValue::new(items.collect::<Option<Vec<_>>>()?).ok().map(|set| Value::Set(Arc::new(set)))
            }
            Sort::Bag(element) => {
                let length = self.below(3);
                let items = (0..length).map(|_| {
                    let count = UBig::from(1 + self.below(2));
                    Some((self.value(store, model, element, depth + 1)?, count))
                });
                BagValue::new(sort, items.collect::<Option<Vec<_>>>()?).ok().map(|bag| Value::Bag(Arc::new(bag)))
            }
            _ => domains.any(sort),
        }
    }
}
