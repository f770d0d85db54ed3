//! Arrays and maps as values: a default and a sorted table of exceptions, in canonical form.

use crate::cardinality::Cardinality;
use crate::value::{Value, ValueShape};
use smtlib::{FuncId, SortId, Store, Symbol, TermId};
use std::cmp::Ordering;

/// A function from the values of one sort to those of another, as an array or as a map.
///
/// Invariant: keys are exact, ascending and unique. With a default, no entry equals it, and over a finite index sort the
/// default is the value of more than half of the indices if there is such a value, else the least of the most frequent;
/// so two exact tables are the same function exactly if they are equal.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    base: Base,
    entries: Box<[(Value, Value)]>,
    index: Cardinality,
    shape: ValueShape,
}

/// The values at the indices without an entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// The same everywhere.
    Default(Value),
    /// Computed by a body.
    Closure(Closure),
}

/// A function given by a body, with the values of the surrounding variables and the arguments given so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Closure {
    /// The body.
    pub code: ClosureBody,
    /// The variables around a lambda.
    pub environment: Box<[(Symbol, Value)]>,
    /// The arguments given so far.
    pub applied: Box<[Value]>,
}

impl Closure {
    /// Returns a function symbol without arguments yet.
    pub fn of(f: FuncId) -> Closure {
        Closure { code: ClosureBody::Func(f), environment: [].into(), applied: [].into() }
    }
}

/// The body of a closure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ClosureBody {
    /// A `lambda` term.
    Lambda(TermId),
    /// A function symbol.
    Func(FuncId),
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        self.base == other.base && self.entries == other.entries
    }
}

impl Eq for ArrayValue {}

impl std::hash::Hash for ArrayValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.base, &self.entries).hash(state);
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        (&self.base, &self.entries).cmp(&(&other.base, &other.entries))
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl ArrayValue {
    /// Makes the array that is `base` except at `updates`; of two updates of one index the later counts.
    ///
    /// `nth` gives the elements of the index sort by number; it is called only if most of a finite sort has an entry.
    /// `None` if an index is not exact, or the value would be too large.
    pub fn build(
        base: Base,
        index: Cardinality,
        mut updates: Vec<(Value, Value)>,
        nth: impl Fn(u64) -> Option<Value>,
    ) -> Option<ArrayValue> {
        if updates.iter().any(|u| !u.0.is_exact()) {
            return None;
        }
        // A stable sort keeps updates of one index in order; the last of them stays.
        updates.sort_by(|a, b| a.0.cmp(&b.0));
        let mut entries: Vec<(Value, Value)> = Vec::with_capacity(updates.len());
        for update in updates {
            match entries.last_mut() {
                Some(last) if last.0 == update.0 => *last = update,
                _ => entries.push(update),
            }
        }
        let base = match base {
            Base::Closure(c) => Base::Closure(c),
            Base::Default(default) => {
                entries.retain(|e| e.1 != default);
                match index {
                    Cardinality::Finite(n) if entries.len() as u64 >= n.div_ceil(2) => {
                        Base::Default(rebase(&mut entries, default, n, nth)?)
                    }
                    _ => Base::Default(default),
                }
            }
        };
        let mut shape = ValueShape::over(entries.iter().flat_map(|e| [&e.0, &e.1]));
        match &base {
            Base::Default(default) => {
                let s = default.shape();
                shape.depth = shape.depth.max(s.depth + 1);
                shape.weight = shape.weight.saturating_add(s.weight);
                shape.exact &= s.exact && index != Cardinality::Unknown;
            }
            Base::Closure(c) => {
                let parts = ValueShape::over(c.environment.iter().map(|e| &e.1).chain(c.applied.iter()));
                shape.depth = shape.depth.max(parts.depth + 1);
                shape.weight = shape.weight.saturating_add(parts.weight);
                shape.exact = false;
            }
        }
        shape.fits().then(|| ArrayValue { base, entries: entries.into(), index, shape })
    }

    /// Returns the value at an index without evaluating a body: the entry, the default, or the closure to call.
    ///
    /// `None` if `index` is not exact and may be one of the keys.
    pub fn lookup(&self, index: &Value) -> Option<ArrayLookup<'_>> {
        if self.entries.is_empty() {
            return Some(match &self.base {
                Base::Default(v) => ArrayLookup::Value(v),
                Base::Closure(c) => ArrayLookup::Call(c),
            });
        }
        if !index.is_exact() {
            // Another spelling may be one of the keys; an index that differs from all of them has no entry.
            let mut open = false;
            for (key, value) in &self.entries {
                match key.same(index) {
                    Some(true) => return Some(ArrayLookup::Value(value)),
                    Some(false) => {}
                    None => open = true,
                }
            }
            return (!open).then_some(match &self.base {
                Base::Default(v) => ArrayLookup::Value(v),
                Base::Closure(c) => ArrayLookup::Call(c),
            });
        }
        Some(match self.entries.binary_search_by(|e| e.0.cmp(index)) {
            Ok(n) => ArrayLookup::Value(&self.entries[n].1),
            Err(_) => match &self.base {
                Base::Default(v) => ArrayLookup::Value(v),
                Base::Closure(c) => ArrayLookup::Call(c),
            },
        })
    }

    /// Composes with an injective function that keeps shapes.
    pub(crate) fn map_values(&self, f: impl Fn(&Value) -> Value) -> ArrayValue {
        let base = match &self.base {
            Base::Default(v) => Base::Default(f(v)),
            Base::Closure(c) => Base::Closure(c.clone()),
        };
        let entries = self.entries.iter().map(|(k, v)| (k.clone(), f(v))).collect();
        ArrayValue { base, entries, index: self.index, shape: self.shape }
    }

    /// Default or body.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Indices with an entry, ascending.
    pub fn entries(&self) -> &[(Value, Value)] {
        &self.entries
    }

    /// Depth, weight and exactness.
    pub fn shape(&self) -> ValueShape {
        self.shape
    }

    /// Whether two arrays of one sort are the same, if the tables decide it.
    pub(crate) fn same(&self, other: &ArrayValue) -> Option<bool> {
        if self == other {
            return Some(true);
        }
        // An existing index with different values distinguishes them, whatever else is unknown.
        for (key, _) in self.entries.iter().chain(&*other.entries) {
            if let (Some(ArrayLookup::Value(a)), Some(ArrayLookup::Value(b))) = (self.lookup(key), other.lookup(key))
                && a.same(b) == Some(false)
            {
                return Some(false);
            }
        }
        match (&self.base, &other.base) {
            // Without entries the default is the value at every index, and every sort has an element.
            (Base::Default(a), Base::Default(b)) if self.entries.is_empty() && other.entries.is_empty() => a.same(b),
            (Base::Default(a), Base::Default(b)) if self.index.is_inexhaustible() && a.same(b) == Some(false) => {
                Some(false)
            }
            _ => None,
        }
    }

    pub(crate) fn has_sort(&self, store: &Store, index: SortId, element: SortId) -> bool {
        let base = match &self.base {
            Base::Default(v) => v.has_sort(store, element),
            Base::Closure(_) => true,
        };
        base && self.entries.iter().all(|e| e.0.has_sort(store, index) && e.1.has_sort(store, element))
    }
}

/// The content at an index.
#[derive(Clone, Copy, Debug)]
pub enum ArrayLookup<'a> {
    /// This value.
    Value(&'a Value),
    /// The result of this body.
    Call(&'a Closure),
}

/// Chooses the canonical default of a function on a sort of `n` elements, at least half of which have an entry.
fn rebase(
    entries: &mut Vec<(Value, Value)>,
    default: Value,
    n: u64,
    nth: impl Fn(u64) -> Option<Value>,
) -> Option<Value> {
    let mut counts: std::collections::BTreeMap<&Value, u64> = std::collections::BTreeMap::new();
    for e in entries.iter() {
        *counts.entry(&e.1).or_default() += 1;
    }
    let at_default = n - entries.len() as u64;
    if at_default > 0 {
        *counts.entry(&default).or_default() += at_default;
    }
    let most = counts.values().max().copied()?;
    let chosen = (*counts.iter().find(|c| *c.1 == most)?.0).clone();
    if chosen == default {
        return Some(default);
    }
    let mut table = Vec::new();
    for k in 0..n {
        let key = nth(k)?;
        let value = match entries.binary_search_by(|e| e.0.cmp(&key)) {
            Ok(at) => &entries[at].1,
            Err(_) => &default,
        };
        if *value != chosen {
            table.push((key, value.clone()));
        }
    }
    table.sort_by(|a, b| a.0.cmp(&b.0));
    *entries = table;
    Some(chosen)
}
