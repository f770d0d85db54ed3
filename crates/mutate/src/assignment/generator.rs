//! Random values of every sort, drawn so that equalities and comparisons between them have both outcomes.

use crate::assignment::special;
use crate::rng::RandomStream;
use dashu_int::UBig;
use rustc_hash::FxHashMap;
use semantics::array::{ArrayValue, Base};
use semantics::cardinality::Cardinality;
use semantics::collections::{BagValue, SetValue};
use semantics::domain::Domains;
use semantics::{FunctionTable, Model, Value};
use smtlib::{FuncId, Sort, SortId, Store};
use std::sync::Arc;

/// The depth of random datatype values from which constructors with compound fields are refused.
const DEPTH: u32 = 4;
/// The maximum number of values of one draw, so that deep constructors cost little.
const BUDGET: u32 = 500;
/// Harvested values kept for one sort.
const MAX_HARVEST: usize = 256;
/// The elements of an uninterpreted sort, at most.
const MAX_UNIVERSE: u64 = 4;
/// Up to this many argument tuples a random function gets one row each.
const FULL_TABLE: u64 = 32;
/// Rows of a random function or array on a larger domain, at most.
const MAX_ROWS: u64 = 5;
/// Elements drawn for a random set or bag, at most.
const MAX_ELEMENTS: u64 = 3;

/// The multiplicities from which one is drawn for each element of a random bag.
const MULTIPLICITIES: [u8; 8] = [1, 1, 1, 2, 2, 2, 3, 5];

/// The length of random sequences.
const SEQUENCE_LENGTHS: [u64; 8] = [0, 1, 1, 2, 2, 3, 3, 4];
/// The maximum length of a repeated sequence.
const MAX_REPEATED: usize = 4;

/// A source of random values for a model.
///
/// Each sort has a small *focus*: most draws come from it, so that different symbols often get equal values.
#[derive(Clone, Default)]
pub struct ValueGenerator {
    /// The model so far. Its universes are fixed before any value is made, as canonical arrays require.
    pub model: Model,
    harvest: FxHashMap<SortId, Vec<Value>>,
    focus: FxHashMap<SortId, Vec<Value>>,
    budget: u32,
    /// Sorts of the store already searched for universes.
    sorts_seen: usize,
}

impl ValueGenerator {
    /// Makes a generator that extends `model`.
    pub fn new(model: Model) -> ValueGenerator {
        ValueGenerator { model, ..ValueGenerator::default() }
    }

    /// Allows drawing a value that the formula itself contains or computes.
    pub fn add(&mut self, sort: SortId, value: &Value) {
        let known = self.harvest.entry(sort).or_default();
        if known.len() < MAX_HARVEST && !known.contains(value) {
            known.push(value.clone());
        }
    }

    /// Returns a generator with the same harvest for another model, with new foci.
    pub fn again(&self, model: Model) -> ValueGenerator {
        ValueGenerator { model, harvest: self.harvest.clone(), ..ValueGenerator::default() }
    }

    /// Draws an interpretation for a declared function; false if its sorts have no values to draw.
    pub fn assign(&mut self, store: &mut Store, f: FuncId, rng: &mut RandomStream) -> bool {
        let func = store.func(f);
        let (params, result) = (func.params.clone(), func.result);
        if params.is_empty() {
            let value = self.value(store, result, rng);
            return value.is_some_and(|v| self.model.assign(store, f, v).is_ok());
        }
        let Some(table) = self.function(store, &params, result, rng) else { return false };
        self.model.assign_table(store, f, table).is_ok()
    }

    /// Returns a random value of a sort; `None` if none can be written (regular languages, a solver's own sorts,
    /// datatypes whose values all exceed the bounds here).
    pub fn value(&mut self, store: &mut Store, sort: SortId, rng: &mut RandomStream) -> Option<Value> {
        self.fix_universes(store, rng);
        if !self.focus.contains_key(&sort) {
            let size = rng.between(2, 6);
            let values = (0..size).filter_map(|_| self.drawn(store, sort, rng)).collect();
            self.focus.insert(sort, values);
        }
        if rng.percent(75)
            && let Some(value) = rng.pick(&self.focus[&sort])
        {
            return Some(value.clone());
        }
        self.drawn(store, sort, rng)
    }

    /// Gives every uninterpreted sort of the store that has none a small universe.
    fn fix_universes(&mut self, store: &Store, rng: &mut RandomStream) {
        for (sort, what) in store.sorts.iter().skip(self.sorts_seen) {
            if matches!(what, Sort::Uninterpreted(..)) && self.model.universe(sort).is_none() {
                self.model.set_universe(sort, rng.between(1, MAX_UNIVERSE) as u32);
            }
        }
        self.sorts_seen = store.sorts.len();
    }

    fn drawn(&mut self, store: &mut Store, sort: SortId, rng: &mut RandomStream) -> Option<Value> {
        self.budget = BUDGET;
        self.fresh(store, sort, DEPTH, rng)
    }

    /// A value not drawn from the focus. Recursion follows the sort's nesting, which the reader bounds, and `fuel`.
    fn fresh(&mut self, store: &mut Store, sort: SortId, fuel: u32, rng: &mut RandomStream) -> Option<Value> {
        self.budget = self.budget.checked_sub(1)?;
        if rng.percent(60)
            && let Some(value) = self.harvest.get(&sort).and_then(|known| rng.pick(known))
        {
            return Some(special::neighbour(value, rng));
        }
        match store.sorts.get(sort).clone() {
            Sort::Uninterpreted(..) => {
                // A sort just made by instantiation has no universe yet.
                self.fix_universes(store, rng);
                let size = self.model.universe(sort)?;
                Some(Value::Element { sort, index: rng.below(u64::from(size)) as u32 })
            }
            Sort::Array(index, element) => self.array(store, index, element, fuel, rng).map(Value::Array),
            Sort::Map(from, to) => self.array(store, from, to, fuel, rng).map(Value::Map),
            Sort::Seq(element) => self.sequence(store, sort, element, fuel, rng),
            Sort::Set(element) => self.set(store, element, fuel, rng).map(Value::Set),
            Sort::Bag(element) => self.bag(store, sort, element, fuel, rng),
            Sort::Datatype(d, _) => {
                let mut order: Vec<usize> = (0..store.datatype(d).constructors.len()).collect();
                rng.shuffle(&mut order);
                order.into_iter().find_map(|constructor| self.construct(store, sort, constructor, fuel, rng))
            }
            simple => special::random(&simple, rng),
        }
    }

    fn construct(
        &mut self,
        store: &mut Store,
        sort: SortId,
        constructor: usize,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<Value> {
        let fields = store.field_sorts(sort, constructor);
        let compound = |s: SortId| {
            let sort = store.sorts.get(s);
            matches!(
                sort,
                Sort::Datatype(..) | Sort::Array(..) | Sort::Map(..) | Sort::Seq(_) | Sort::Set(_) | Sort::Bag(_)
            )
        };
        if fuel == 0 && fields.iter().any(|&f| compound(f)) {
            return None;
        }
        let values: Option<Box<[Value]>> =
            fields.into_iter().map(|f| self.fresh(store, f, fuel.saturating_sub(1), rng)).collect();
        Value::datatype(sort, constructor as u32, values?)
    }

    /// Returns a short sequence, or an earlier one cut, repeated or reversed, so that sequences are parts of each other.
    fn sequence(
        &mut self,
        store: &mut Store,
        sort: SortId,
        element: SortId,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<Value> {
        let mut elements: Vec<Value> = match self.focus.get(&sort).and_then(|known| rng.pick(known)) {
            Some(Value::Seq(earlier)) if rng.percent(40) => earlier.elements().to_vec(),
            _ => Vec::new(),
        };
        match (elements.len(), rng.below(4)) {
            (1.., 0) => elements.truncate(rng.index(elements.len() + 1)),
            (1.., 1) => drop(elements.drain(..rng.index(elements.len() + 1))),
            (1..=MAX_REPEATED, 2) => elements.extend_from_within(..),
            (1.., _) => elements.reverse(),
            // Without values of the element sort only the empty sequence is left.
            (0, _) => {
                for _ in 0..SEQUENCE_LENGTHS[rng.index(SEQUENCE_LENGTHS.len())] {
                    let shared = self.focus.get(&element).and_then(|known| rng.pick(known)).filter(|_| rng.coin());
                    let value = shared.cloned().or_else(|| self.fresh(store, element, fuel.saturating_sub(1), rng));
                    elements.extend(value);
                }
            }
        }
        Value::sequence(sort, elements.into())
    }

    /// Returns a constant array with a few stores.
    fn array(
        &mut self,
        store: &mut Store,
        index: SortId,
        element: SortId,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<Arc<ArrayValue>> {
        let fuel = fuel.saturating_sub(1);
        let default = self.fresh(store, element, fuel, rng)?;
        let mut updates = Vec::new();
        for _ in 0..rng.between(0, MAX_ROWS) {
            // An index that is also a symbol's value makes `select` hit the stores.
            let shared = self.focus.get(&index).and_then(|f| rng.pick(f)).cloned();
            let key = shared.or_else(|| self.fresh(store, index, fuel, rng));
            let (Some(key), Some(value)) = (key, self.fresh(store, element, fuel, rng)) else { break };
            updates.push((key, value));
        }
        self.fix_universes(store, rng);
        let domains = Domains { store, model: &self.model };
        let size = domains.cardinality(index);
        ArrayValue::build(Base::Default(default), size, updates, |n| domains.nth(index, n)).map(Arc::new)
    }

    /// Returns a few elements, preferably values of symbols.
    fn elements(&mut self, store: &mut Store, element: SortId, fuel: u32, rng: &mut RandomStream) -> Vec<Value> {
        let fuel = fuel.saturating_sub(1);
        let mut elements = Vec::new();
        for _ in 0..rng.between(0, MAX_ELEMENTS) {
            let shared = self.focus.get(&element).and_then(|f| rng.pick(f)).cloned();
            let Some(value) = shared.or_else(|| self.fresh(store, element, fuel, rng)) else { break };
            elements.push(value);
        }
        elements
    }

    fn set(&mut self, store: &mut Store, element: SortId, fuel: u32, rng: &mut RandomStream) -> Option<Arc<SetValue>> {
        SetValue::new(self.elements(store, element, fuel, rng)).ok().map(Arc::new)
    }

    fn bag(
        &mut self,
        store: &mut Store,
        sort: SortId,
        element: SortId,
        fuel: u32,
        rng: &mut RandomStream,
    ) -> Option<Value> {
        let elements = self.elements(store, element, fuel, rng);
        let often = |value| (value, UBig::from(MULTIPLICITIES[rng.index(MULTIPLICITIES.len())]));
        let entries = elements.into_iter().map(often).collect();
        BagValue::new(sort, entries).ok().map(|bag| Value::Bag(Arc::new(bag)))
    }

    /// Returns a random graph: total on small domains, otherwise a few rows over a default.
    fn function(
        &mut self,
        store: &mut Store,
        params: &[SortId],
        result: SortId,
        rng: &mut RandomStream,
    ) -> Option<FunctionTable> {
        let mut table = FunctionTable::new(Some(self.value(store, result, rng)?));
        let domains = Domains { store, model: &self.model };
        let sizes: Option<Vec<u64>> = params.iter().map(|&p| finite(domains.cardinality(p))).collect();
        let total = sizes.as_ref().and_then(|s| s.iter().try_fold(1u64, |all, &n| all.checked_mul(n)));
        if let (Some(sizes), Some(total)) = (sizes, total.filter(|&t| t <= FULL_TABLE)) {
            for mut n in 0..total {
                let mut args = Vec::with_capacity(params.len());
                for (&param, &size) in params.iter().zip(&sizes) {
                    args.push(Domains { store, model: &self.model }.nth(param, n % size)?);
                    n /= size;
                }
                let value = self.value(store, result, rng)?;
                table.insert(args.into(), value);
            }
            return Some(table);
        }
        for _ in 0..rng.between(0, MAX_ROWS) {
            let args: Option<Box<[Value]>> = params.iter().map(|&p| self.value(store, p, rng)).collect();
            if let (Some(args), Some(value)) = (args, self.value(store, result, rng)) {
                table.insert(args, value);
            }
        }
        Some(table)
    }
}

fn finite(size: Cardinality) -> Option<u64> {
    match size {
        Cardinality::Finite(n) => Some(n),
        _ => None,
    }
}
