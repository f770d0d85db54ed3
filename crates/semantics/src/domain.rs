//! The number of elements of a sort, and its n-th element: the basis of enumeration and canonical arrays.

use crate::array::{ArrayValue, Base};
use crate::cardinality::Cardinality;
use crate::collections::{BagValue, SetValue};
use crate::float::{Float, FloatFormat, RoundingMode};
use crate::model::Model;
use crate::strings::SmtString;
use crate::value::Value;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use smtlib::{DatatypeId, Sort, SortId, Store, Symbol};
use std::sync::Arc;

/// Sorts nested deeper than this are not enumerated.
const MAX_SORT_NESTING: usize = 32;

/// The maximum number of parts of a sort's default element: as a text it would be larger still.
const MAX_ELEMENT_PARTS: u64 = 100_000;

/// The sorts being examined, and results for finished ones. Without it a chain of datatypes with two fields each takes
/// exponential time.
struct Walk<T> {
    path: Vec<SortId>,
    known: FxHashMap<SortId, T>,
}

/// The elements of sorts, given a store and the universes of a model.
#[derive(Clone, Copy)]
pub struct Domains<'a> {
    /// The store the sorts are of.
    pub store: &'a Store,
    /// The model that fixes the universes.
    pub model: &'a Model,
}

impl<T> Default for Walk<T> {
    fn default() -> Walk<T> {
        Walk { path: Vec::new(), known: FxHashMap::default() }
    }
}

impl Domains<'_> {
    /// How many elements `sort` has.
    pub fn cardinality(&self, sort: SortId) -> Cardinality {
        self.count(sort, &mut Walk::default()).0
    }

    /// Returns the element of number `n`, below the finite cardinality.
    pub fn nth(&self, sort: SortId, n: u64) -> Option<Value> {
        self.element(sort, n, 0)
    }

    /// Lists all elements of `sort`, in the order of their numbers; `None` if there are more than `most`, or infinitely
    /// many.
    pub fn all(&self, sort: SortId, most: u64) -> Option<Vec<Value>> {
        match self.cardinality(sort) {
            Cardinality::Finite(count) if count <= most => (0..count).map(|n| self.nth(sort, n)).collect(),
            _ => None,
        }
    }

    /// Returns some element of `sort`: 0, the empty string, the smallest constructor term; `None` if none is found.
    pub fn any(&self, sort: SortId) -> Option<Value> {
        self.some_element(sort, &mut Walk::default()).map(|(value, _)| value)
    }

    /// Returns an element, and how many parts it has.
    fn some_element(&self, sort: SortId, walk: &mut Walk<(Value, u64)>) -> Option<(Value, u64)> {
        if let Some(known) = walk.known.get(&sort) {
            return Some(known.clone());
        }
        if walk.path.contains(&sort) || walk.path.len() > MAX_SORT_NESTING {
            return None;
        }
        walk.path.push(sort);
        let mut parts = 1;
        let mut part = |sort: SortId, walk: &mut Walk<(Value, u64)>| {
            let (value, more) = self.some_element(sort, walk)?;
            parts += more;
            (parts <= MAX_ELEMENT_PARTS).then_some(value)
        };
        let value = match self.store.sorts.get(sort) {
            Sort::Int => Some(Value::Int(IBig::ZERO)),
            Sort::Real => Some(Value::real(RBig::ZERO)),
            Sort::String => Some(Value::String(SmtString::empty())),
            Sort::Seq(_) => Value::sequence(sort, [].into()),
            // The first constructor whose fields all have an element without recursion to this sort.
            Sort::Datatype(d, args) => {
                let datatype = self.store.datatype(*d);
                datatype.constructors.iter().enumerate().find_map(|(number, c)| {
                    let fields =
                        c.fields.iter().map(|&(_, field)| part(self.instance(&datatype.params, args, field)?, walk));
                    Value::datatype(sort, number as u32, fields.collect::<Option<_>>()?)
                })
            }
            Sort::Array(index, element) | Sort::Map(index, element) => {
                let is_array = matches!(self.store.sorts.get(sort), Sort::Array(..));
                part(*element, walk)
                    .and_then(|v| ArrayValue::build(Base::Default(v), self.cardinality(*index), Vec::new(), |_| None))
                    .map(|a| if is_array { Value::Array(Arc::new(a)) } else { Value::Map(Arc::new(a)) })
            }
            // The empty set needs no element.
            Sort::Set(_) => set(Vec::new()),
            Sort::Bag(_) => BagValue::new(sort, Vec::new()).ok().map(|bag| Value::Bag(Arc::new(bag))),
            _ => self.element(sort, 0, 0),
        };
        walk.path.pop();
        let value = value?;
        walk.known.insert(sort, (value.clone(), parts));
        Some((value, parts))
    }

    fn count(&self, sort: SortId, walk: &mut Walk<(Cardinality, u64)>) -> (Cardinality, u64) {
        use Cardinality::*;
        if let Some(&known) = walk.known.get(&sort) {
            return known;
        }
        let own = match self.store.sorts.get(sort) {
            Sort::Bool => Finite(2),
            Sort::RoundingMode => Finite(5),
            // No sort is empty, and a bag may have any number of an element.
            Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Seq(_) | Sort::Bag(_) => Infinite,
            Sort::BitVec(w) if *w < 64 => Finite(1 << w),
            Sort::BitVec(_) => Huge,
            Sort::FiniteField(order) => u64::try_from(order.get()).map_or(Huge, Finite),
            Sort::Float { eb, sb } if eb + sb < 64 => {
                // All patterns, less those of NaN but one.
                Finite((1u64 << (eb + sb)) - (1u64 << sb) + 3)
            }
            Sort::Float { .. } => Huge,
            Sort::Uninterpreted(..) => self.model.universe(sort).map_or(Unknown, |n| Finite(u64::from(n))),
            Sort::Parameter(_) | Sort::Extension(..) => Unknown,
            Sort::Array(..) | Sort::Map(..) | Sort::Set(_) | Sort::Datatype(..) => {
                let is_inside = walk.path.contains(&sort);
                let counted = if is_inside {
                    // The sort has itself as a part. It is well-founded, so it has infinitely many elements unless another
                    // field on the cycle is empty, which no sort is.
                    (Infinite, 1)
                } else if walk.path.len() >= MAX_SORT_NESTING {
                    (Unknown, 1)
                } else {
                    walk.path.push(sort);
                    let counted = self.count_compound(sort, walk);
                    walk.path.pop();
                    counted
                };
                walk.known.insert(sort, counted);
                return counted;
            }
        };
        (own, 1)
    }

    /// Counts the elements of a compound sort, and the parts of the largest one.
    fn count_compound(&self, sort: SortId, walk: &mut Walk<(Cardinality, u64)>) -> (Cardinality, u64) {
        match self.store.sorts.get(sort) {
            Sort::Array(index, element) | Sort::Map(index, element) => {
                let (size, parts) = self.count(*element, walk);
                (size.power(self.count(*index, walk).0), parts)
            }
            Sort::Set(element) => {
                let (size, parts) = self.count(*element, walk);
                (Cardinality::Finite(2).power(size), parts)
            }
            Sort::Datatype(d, args) => {
                let datatype = self.store.datatype(*d);
                let (mut size, mut most) = (Cardinality::Finite(0), 0);
                for constructor in &datatype.constructors {
                    let (mut product, mut parts) = (Cardinality::Finite(1), 1u64);
                    for &(_, field) in &constructor.fields {
                        let field = self.instance(&datatype.params, args, field);
                        let (field, more) = field.map_or((Cardinality::Unknown, 1), |f| self.count(f, walk));
                        product = product.times(field);
                        parts = parts.saturating_add(more);
                    }
                    size = size.plus(product);
                    most = most.max(parts);
                }
                match size {
                    // Even a few elements may each be too large to write.
                    Cardinality::Finite(_) if most > MAX_ELEMENT_PARTS => (Cardinality::Unknown, most),
                    _ => (size, most),
                }
            }
            _ => (Cardinality::Unknown, 1),
        }
    }

    /// Returns a field's sort in an instance, if the store already has it.
    fn instance(&self, params: &[Symbol], args: &[SortId], field: SortId) -> Option<SortId> {
        if let Sort::Parameter(name) = self.store.sorts.get(field) {
            let at = params.iter().position(|p| p == name)?;
            return args.get(at).copied();
        }
        (params.is_empty() || !self.store.sorts.has_parameter(field)).then_some(field)
    }

    fn element(&self, sort: SortId, n: u64, depth: usize) -> Option<Value> {
        if depth > MAX_SORT_NESTING {
            return None;
        }
        match self.store.sorts.get(sort) {
            Sort::Bool => Some(Value::Bool(n == 1)),
            Sort::RoundingMode => RoundingMode::ALL.get(n as usize).map(|&m| Value::RoundingMode(m)),
            Sort::BitVec(w) => Some(Value::bitvec(*w, UBig::from(n))),
            Sort::FiniteField(order) => Some(Value::FieldElement { order: order.clone(), value: UBig::from(n) }),
            Sort::Float { eb, sb } => Some(Value::Float(nth_float(FloatFormat::new(*eb, *sb).ok()?, n))),
            Sort::Uninterpreted(..) => Some(Value::Element { sort, index: u32::try_from(n).ok()? }),
            Sort::Array(index, element) | Sort::Map(index, element) => {
                let is_array = matches!(self.store.sorts.get(sort), Sort::Array(..));
                let array = Arc::new(self.nth_array(*index, *element, n, depth)?);
                Some(if is_array { Value::Array(array) } else { Value::Map(array) })
            }
            // The k-th element is in the set where the k-th bit of the number is 1.
            Sort::Set(element) => {
                let places = (0..u64::from(u64::BITS)).filter(|k| n >> k & 1 == 1);
                set(places.map(|k| self.element(*element, k, depth + 1)).collect::<Option<_>>()?)
            }
            Sort::Datatype(d, args) => self.nth_datatype(sort, *d, args, n, depth),
            _ => None,
        }
    }

    fn nth_array(&self, index: SortId, element: SortId, mut n: u64, depth: usize) -> Option<ArrayValue> {
        let default = self.element(element, 0, depth + 1)?;
        let indices = self.cardinality(index);
        let (Cardinality::Finite(keys), Cardinality::Finite(size)) = (indices, self.cardinality(element)) else {
            // Only the one function into a sort of one element remains.
            return ArrayValue::build(Base::Default(default), indices, Vec::new(), |_| None);
        };
        let mut updates = Vec::new();
        // In base `size`, the k-th digit of n is the value at the k-th index; all further digits are 0, the default.
        for k in 0..keys {
            if n == 0 {
                break;
            }
            updates.push((self.element(index, k, depth + 1)?, self.element(element, n % size, depth + 1)?));
            n /= size;
        }
        ArrayValue::build(Base::Default(default), indices, updates, |k| self.element(index, k, depth + 1))
    }

    fn nth_datatype(&self, sort: SortId, d: DatatypeId, args: &[SortId], mut n: u64, depth: usize) -> Option<Value> {
        let datatype = self.store.datatype(d);
        for (number, constructor) in datatype.constructors.iter().enumerate() {
            let mut sizes = Vec::with_capacity(constructor.fields.len());
            let mut total = Some(1u64);
            for &(_, field) in &constructor.fields {
                let field = self.instance(&datatype.params, args, field)?;
                let Cardinality::Finite(size) = self.cardinality(field) else { return None };
                total = total.and_then(|t| t.checked_mul(size));
                sizes.push((field, size));
            }
            let total = total?;
            if n >= total {
                n -= total;
                continue;
            }
            let mut fields = Vec::with_capacity(sizes.len());
            for (field, size) in sizes {
                fields.push(self.element(field, n % size, depth + 1)?);
                n /= size;
            }
            return Value::datatype(sort, number as u32, fields.into());
        }
        None
    }
}

fn set(elements: Vec<Value>) -> Option<Value> {
    SetValue::new(elements).ok().map(|set| Value::Set(Arc::new(set)))
}

/// Returns the n-th float of a format narrower than 64 bits: all patterns in order, with one NaN.
fn nth_float(format: FloatFormat, n: u64) -> Float {
    let sign = 1u64 << (format.width() - 1);
    let finite_and_infinity = (((1u64 << format.eb()) - 1) << (format.sb() - 1)) + 1;
    if n < finite_and_infinity {
        Float::from_u64_bits(format, n)
    } else if n < 2 * finite_and_infinity {
        Float::from_u64_bits(format, sign | (n - finite_and_infinity))
    } else {
        Float::nan(format)
    }
}
