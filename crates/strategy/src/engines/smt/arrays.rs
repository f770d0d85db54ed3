//! Eliminates arrays: reads pass through writes down to array symbols, whose reads get names; equal arrays agree at every relevant index,
//! and different ones differ at a fresh index.
//!
//! The relevant indices are those of the reads and writes of connected arrays (Bradley, Manna and Sipma, "What's decidable about
//! arrays?", VMCAI 2006, section 3). At all other indices connected arrays are equal.

use super::prepare::{Preparation, PrepareError, equal, unsupported};
use rewrite::Conversion;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, Op, Sort, SortId, Store, TermId};

/// The maximum number of instances of array equalities.
const MAX_INSTANCES: usize = 200_000;

/// The arrays of a problem.
#[derive(Default)]
pub(super) struct Arrays {
    /// Array terms in the order met.
    terms: Vec<TermId>,
    met: FxHashSet<TermId>,
    /// The value of an array at an index.
    reads: FxHashMap<(TermId, TermId), TermId>,
    /// The reads of array symbols: index and name.
    rows: FxHashMap<TermId, Vec<(TermId, TermId)>>,
    /// Every read, by the array it is of.
    indices: Vec<(TermId, TermId)>,
    /// Equalities: the symbol for each, and its sides.
    equalities: Vec<(TermId, TermId, TermId)>,
    named: FxHashMap<(TermId, TermId), TermId>,
}

impl Arrays {
    /// Returns the number of array terms and reads.
    pub(super) fn len(&self) -> usize {
        self.terms.len() + self.indices.len()
    }
}

/// Sets of array terms that are connected.
struct Components(FxHashMap<TermId, TermId>);

impl Components {
    fn find(&mut self, t: TermId) -> TermId {
        let mut root = t;
        while let Some(&next) = self.0.get(&root) {
            root = next;
        }
        let mut at = t;
        while let Some(&next) = self.0.get(&at) {
            self.0.insert(at, root);
            if next == root {
                break;
            }
            at = next;
        }
        root
    }

    fn join(&mut self, a: TermId, b: TermId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0.insert(a, b);
        }
    }
}

impl Preparation {
    /// Registers an array term with prepared children.
    pub(super) fn array(&mut self, store: &Store, t: TermId) -> Result<TermId, PrepareError> {
        let Sort::Array(index, element) = *store.sorts.get(store.sort(t)) else { return Err(unsupported(store, t)) };
        let known = |s: SortId| super::prepare::is_element(store, s) || super::prepare::is_basic(store, s);
        let shape = match store.kind(t) {
            Kind::ArrayStore | Kind::Ite | Kind::ConstArray => true,
            Kind::Apply => store.args(t).is_empty() && store.applied(t).is_some_and(|f| store.func(f).is_declared()),
            _ => false,
        };
        if !known(index) || !known(element) || !shape {
            return Err(unsupported(store, t));
        }
        if self.arrays.met.insert(t) {
            self.arrays.terms.push(t);
        }
        Ok(t)
    }

    /// Returns the value of an array at an index.
    pub(super) fn read(&mut self, store: &mut Store, array: TermId, index: TermId) -> Result<TermId, PrepareError> {
        self.arrays.indices.push((array, index));
        let mut stack = vec![array];
        while let Some(&t) = stack.last() {
            if self.arrays.reads.contains_key(&(t, index)) {
                stack.pop();
                continue;
            }
            self.meter.tick()?;
            let args = store.args(t).to_vec();
            let below: &[TermId] = match (store.kind(t), args.as_slice()) {
                (Kind::ArrayStore, [_, at, _]) if *at == index => &[],
                (Kind::ArrayStore, [base, ..]) => std::slice::from_ref(base),
                (Kind::Ite, [_, branches @ ..]) => branches,
                _ => &[],
            };
            let before = stack.len();
            stack.extend(below.iter().filter(|&&b| !self.arrays.reads.contains_key(&(b, index))));
            if stack.len() > before {
                continue;
            }
            let of = |arrays: &Arrays, b: TermId| arrays.reads[&(b, index)];
            let value = match (store.kind(t), args.as_slice()) {
                (Kind::ArrayStore, &[_, at, value]) if at == index => value,
                (Kind::ArrayStore, &[base, at, value]) => {
                    let (here, other) = (equal(store, index, at)?, of(&self.arrays, base));
                    self.either(store, here, value, other)?
                }
                (Kind::Ite, &[c, a, b]) => {
                    let (yes, no) = (of(&self.arrays, a), of(&self.arrays, b));
                    self.either(store, c, yes, no)?
                }
                (Kind::ConstArray, &[value]) => value,
                _ => self.read_symbol(store, t, index)?,
            };
            self.arrays.reads.insert((t, index), value);
        }
        Ok(self.arrays.reads[&(array, index)])
    }

    /// Returns a name for a read of an array symbol, with equal values at equal indices.
    fn read_symbol(&mut self, store: &mut Store, array: TermId, index: TermId) -> Result<TermId, PrepareError> {
        let Sort::Array(_, element) = *store.sorts.get(store.sort(array)) else {
            return Err(unsupported(store, array));
        };
        let rows = self.arrays.rows.get(&array).cloned().unwrap_or_default();
        if rows.len() * rows.len() / 2 > super::prepare::MAX_PAIRS {
            return Err(PrepareError::TooLarge);
        }
        self.meter.tick()?;
        let name = self.name(store, element);
        for (other, value) in rows {
            self.afford()?;
            let (same, agree) = (equal(store, index, other)?, equal(store, name, value)?);
            let differ = store.not(same);
            let agreement = store.or(&[differ, agree]);
            self.agreements.push(agreement);
        }
        self.arrays.rows.entry(array).or_default().push((index, name));
        Ok(name)
    }

    /// `(ite c a b)` of elements.
    fn either(&mut self, store: &mut Store, c: TermId, a: TermId, b: TermId) -> Result<TermId, PrepareError> {
        if super::prepare::is_named(store, a) {
            return self.choice(store, c, a, b);
        }
        Ok(if a == b { a } else { store.app(Op::new(Kind::Ite), &[c, a, b])? })
    }

    /// Returns a symbol for the equality of two arrays, which differ at a fresh index if they are not equal.
    pub(super) fn equal_arrays(&mut self, store: &mut Store, a: TermId, b: TermId) -> Result<TermId, PrepareError> {
        let key = (a.min(b), a.max(b));
        if a == b {
            return Ok(store.bool(true));
        }
        if let Some(&known) = self.arrays.named.get(&key) {
            return Ok(known);
        }
        let Sort::Array(index, _) = *store.sorts.get(store.sort(a)) else { return Err(unsupported(store, a)) };
        let name = self.name(store, SortId::BOOL);
        let witness = self.name(store, index);
        let (left, right) = (self.read(store, a, witness)?, self.read(store, b, witness)?);
        let agree = equal(store, left, right)?;
        let differ = store.not(agree);
        let definition = store.or(&[name, differ]);
        self.definitions.push(definition);
        self.arrays.equalities.push((name, a, b));
        self.arrays.named.insert(key, name);
        Ok(name)
    }

    /// Makes equal arrays agree at all relevant indices, and gives array symbols their values.
    pub(super) fn finish_arrays(&mut self, store: &mut Store) -> Result<Vec<Conversion>, PrepareError> {
        if self.arrays.terms.is_empty() {
            return Ok(Vec::new());
        }
        let mut components = Components(FxHashMap::default());
        for &t in &self.arrays.terms {
            match (store.kind(t), store.args(t)) {
                (Kind::ArrayStore, &[base, ..]) => components.join(t, base),
                (Kind::Ite, &[_, a, b]) => {
                    components.join(t, a);
                    components.join(t, b);
                }
                _ => {}
            }
        }
        for &(_, a, b) in &self.arrays.equalities {
            components.join(a, b);
        }
        let mut indices: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let writes = self.arrays.terms.iter().filter(|&&t| store.kind(t) == Kind::ArrayStore);
        let writes: Vec<(TermId, TermId)> = writes.map(|&t| (t, store.args(t)[1])).collect();
        for (array, index) in self.arrays.indices.iter().copied().chain(writes) {
            indices.entry(components.find(array)).or_default().push(index);
        }
        for list in indices.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        let equalities = self.arrays.equalities.clone();
        let instances: usize = equalities.iter().map(|e| indices.get(&components.find(e.1)).map_or(0, Vec::len)).sum();
        if instances > MAX_INSTANCES {
            return Err(PrepareError::TooLarge);
        }
        for &(name, a, b) in &equalities {
            let list = indices.get(&components.find(a)).cloned().unwrap_or_default();
            for index in list {
                let (left, right) = (self.read(store, a, index)?, self.read(store, b, index)?);
                self.imply_equal(store, name, left, right)?;
            }
        }
        self.defaults(store, &mut components, &indices, &equalities)
    }

    fn imply_equal(&mut self, store: &mut Store, c: TermId, a: TermId, b: TermId) -> Result<(), PrepareError> {
        self.afford()?;
        let agree = equal(store, a, b)?;
        let not = store.not(c);
        let agreement = store.or(&[not, agree]);
        self.agreements.push(agreement);
        Ok(())
    }

    /// Returns the values of arrays at irrelevant indices: the same for all connected ones, unless a constant array is among them; then
    /// each follows the array's structure.
    fn defaults(
        &mut self,
        store: &mut Store,
        components: &mut Components,
        indices: &FxHashMap<TermId, Vec<TermId>>,
        equalities: &[(TermId, TermId, TermId)],
    ) -> Result<Vec<Conversion>, PrepareError> {
        let terms = self.arrays.terms.clone();
        let mut constant: FxHashSet<TermId> = FxHashSet::default();
        for &t in &terms {
            if store.kind(t) == Kind::ConstArray {
                let root = components.find(t);
                let count = indices.get(&root).map_or(0, Vec::len);
                if !outnumbers(store, t, count) {
                    return Err(unsupported(store, t));
                }
                constant.insert(root);
            }
        }
        let mut shared: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut values: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut conversions = Vec::new();
        // Terms were met after their subterms.
        for &t in &terms {
            let Sort::Array(_, element) = *store.sorts.get(store.sort(t)) else { continue };
            let root = components.find(t);
            let value = match (constant.contains(&root), store.kind(t), store.args(t)) {
                (true, Kind::ConstArray, &[value]) => value,
                (true, Kind::ArrayStore, &[base, ..]) => values[&base],
                (true, Kind::Ite, &[c, a, b]) => {
                    let (yes, no) = (values[&a], values[&b]);
                    self.either(store, c, yes, no)?
                }
                (true, ..) => self.name(store, element),
                (false, ..) => match shared.get(&root) {
                    Some(&value) => value,
                    None => {
                        let value = self.name(store, element);
                        shared.insert(root, value);
                        value
                    }
                },
            };
            values.insert(t, value);
            if let Some(symbol) = store.applied(t) {
                let mut term = store.const_array(store.sort(t), value)?;
                for (index, value) in self.arrays.rows.get(&t).cloned().unwrap_or_default() {
                    term = store.app(Op::new(Kind::ArrayStore), &[term, index, value])?;
                }
                conversions.push(Conversion::Define { symbol, term });
            }
        }
        for &(name, a, b) in equalities {
            if constant.contains(&components.find(a)) {
                self.imply_equal(store, name, values[&a], values[&b])?;
            }
        }
        Ok(conversions)
    }
}

/// Whether there are certainly more indices than `count`, so at least one was not written.
fn outnumbers(store: &Store, array: TermId, count: usize) -> bool {
    let Sort::Array(index, _) = *store.sorts.get(store.sort(array)) else { return false };
    match store.sorts.get(index) {
        Sort::Int | Sort::Real => true,
        Sort::BitVec(width) => *width >= usize::BITS || 1usize << width > count,
        _ => false,
    }
}
