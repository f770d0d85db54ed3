//! Values of every sort: canonical, cheap to clone, equal exactly if they are the same element of the sort.

use crate::algebraic::{AlgebraicError, AlgebraicLimits, AlgebraicNumber};
use crate::array::ArrayValue;
use crate::collections::{BagValue, SequenceValue, SetValue};
use crate::float::{Float, RoundingMode};
use crate::strings::{RegexId, SmtString};
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smtlib::{FieldOrder, Sort, SortId, Store};
use std::cmp::Ordering;
use std::sync::Arc;

/// An element of a sort.
///
/// Invariant: if [`Value::is_exact`] holds for both, `==` is SMT-LIB's `=`. The exceptions are functions given by a body,
/// regular languages and irrational numbers, where two different spellings may be one value: [`Value::same`] examines
/// those, or returns "unknown".
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(IBig),
    /// A rational number.
    Real(Arc<RBig>),
    /// An irrational algebraic number, made by [`Value::algebraic`], so that a rational is always a [`Value::Real`].
    Algebraic(Arc<AlgebraicNumber>),
    /// A bit-vector.
    BitVec {
        /// Width in bits, at least 1.
        width: u32,
        /// Below 2^width.
        value: UBig,
    },
    /// An element of a finite field.
    FieldElement {
        /// The number of elements of the field.
        order: FieldOrder,
        /// Below the order.
        value: UBig,
    },
    /// A float; one NaN per format, and distinct zeros, as in SMT-LIB's `=`.
    Float(Float),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A string.
    String(SmtString),
    /// A regular language, by its number in the evaluator that made it; it means nothing elsewhere.
    RegLan(RegexId),
    /// An array.
    Array(Arc<ArrayValue>),
    /// A map of SMT-LIB 2.7; stored like an array.
    Map(Arc<ArrayValue>),
    /// A finite set.
    Set(Arc<SetValue>),
    /// A bag.
    Bag(Arc<BagValue>),
    /// A constructor on its fields.
    Datatype(Arc<DatatypeValue>),
    /// A sequence.
    Seq(Arc<SequenceValue>),
    /// An element of an uninterpreted sort.
    Element {
        /// The sort.
        sort: SortId,
        /// Its number in the model's universe, from 0.
        index: u32,
    },
}

const _: () = assert!(size_of::<Value>() <= 40);

/// The deepest nesting of arrays and constructors in a value; deeper ones are unknown, so that recursion over values is
/// safe on any stack.
pub const MAX_DEPTH: u32 = 1000;

/// The maximum number of nodes in a value; shared parts count as often as they occur.
pub const MAX_WEIGHT: u32 = 1 << 20;

/// The shape of a value.
#[derive(Clone, Copy, Debug)]
pub struct ValueShape {
    /// Nesting; a leaf has 0.
    pub depth: u32,
    /// Number of leaves and compounds.
    pub weight: u32,
    /// It contains no body and no regular language, and the sizes of index sorts are known.
    pub exact: bool,
}

impl ValueShape {
    /// The shape of a leaf.
    pub const LEAF: ValueShape = ValueShape { depth: 0, weight: 1, exact: true };

    /// Returns the shape of a compound of these parts.
    pub fn over<'a>(parts: impl IntoIterator<Item = &'a Value>) -> ValueShape {
        let mut shape = ValueShape::LEAF;
        for part in parts {
            let s = part.shape();
            shape.depth = shape.depth.max(s.depth + 1);
            shape.weight = shape.weight.saturating_add(s.weight);
            shape.exact &= s.exact;
        }
        shape
    }

    /// Whether the value is within [`MAX_DEPTH`] and [`MAX_WEIGHT`].
    pub fn fits(self) -> bool {
        self.depth <= MAX_DEPTH && self.weight <= MAX_WEIGHT
    }
}

/// A constructor applied to values.
#[derive(Clone, Debug)]
pub struct DatatypeValue {
    /// The datatype's instance.
    pub sort: SortId,
    /// The constructor's number.
    pub constructor: u32,
    /// Its fields.
    pub fields: Box<[Value]>,
    shape: ValueShape,
}

impl PartialEq for DatatypeValue {
    fn eq(&self, other: &DatatypeValue) -> bool {
        self.constructor == other.constructor && self.sort == other.sort && self.fields == other.fields
    }
}

impl Eq for DatatypeValue {}

impl std::hash::Hash for DatatypeValue {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.constructor, &self.fields).hash(state);
    }
}

impl Value {
    /// Returns a rational.
    pub fn real(r: RBig) -> Value {
        Value::Real(Arc::new(r))
    }

    /// Returns an algebraic number in canonical form: a rational one is a [`Value::Real`].
    /// Errors: [`AlgebraicError`] if the limits do not allow deciding whether the number is rational.
    pub fn algebraic(number: AlgebraicNumber, limits: &AlgebraicLimits) -> Result<Value, AlgebraicError> {
        if number.as_generator().is_some() {
            return Ok(Value::Algebraic(Arc::new(number)));
        }
        Ok(match number.to_rational(limits)? {
            Some(r) => Value::real(r),
            None => Value::Algebraic(Arc::new(number)),
        })
    }

    /// Returns the bit-vector `value` modulo 2^`width`.
    pub fn bitvec(width: u32, mut value: UBig) -> Value {
        value.clear_high_bits(width as usize);
        Value::BitVec { width, value }
    }

    /// Returns a constructor on its fields; `None` if the value would exceed [`MAX_DEPTH`] or [`MAX_WEIGHT`].
    pub fn datatype(sort: SortId, constructor: u32, fields: Box<[Value]>) -> Option<Value> {
        let shape = ValueShape::over(fields.iter());
        shape.fits().then(|| Value::Datatype(Arc::new(DatatypeValue { sort, constructor, fields, shape })))
    }

    /// Returns the truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// Returns the integer, if it is one.
    pub fn as_int(&self) -> Option<&IBig> {
        match self {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    /// Returns the rational, if it is one.
    pub fn as_real(&self) -> Option<&RBig> {
        match self {
            Value::Real(r) => Some(r),
            _ => None,
        }
    }

    /// Width and unsigned value, if it is a bit-vector.
    pub fn as_bitvec(&self) -> Option<(u32, &UBig)> {
        match self {
            Value::BitVec { width, value } => Some((*width, value)),
            _ => None,
        }
    }

    /// Returns the approximate number of bytes it owns, without shared parts; 0 if that is bounded.
    pub fn bytes(&self) -> usize {
        match self {
            Value::Int(n) => n.bit_len() / 8,
            Value::Real(r) => (r.numerator().bit_len() + r.denominator().bit_len()) / 8,
            Value::BitVec { width, .. } => *width as usize / 8,
            Value::FieldElement { value, .. } => value.bit_len() / 8,
            Value::String(word) => word.len().saturating_mul(size_of::<u32>()),
            Value::Seq(s) => s.elements().len().saturating_mul(size_of::<Value>()),
            Value::Set(set) => set.elements().len().saturating_mul(size_of::<Value>()),
            Value::Bag(bag) => bag.bytes(),
            Value::Array(array) | Value::Map(array) => array.entries().len().saturating_mul(2 * size_of::<Value>()),
            _ => 0,
        }
    }

    /// Depth, weight and exactness.
    pub fn shape(&self) -> ValueShape {
        match self {
            Value::Array(a) | Value::Map(a) => a.shape(),
            Value::Set(set) => set.shape(),
            Value::Bag(bag) => bag.shape(),
            Value::Datatype(d) => d.shape,
            Value::Seq(s) => s.shape(),
            Value::RegLan(_) | Value::Algebraic(_) => ValueShape { exact: false, ..ValueShape::LEAF },
            _ => ValueShape::LEAF,
        }
    }

    /// Whether `==` with another exact value decides SMT-LIB's `=`.
    pub fn is_exact(&self) -> bool {
        self.shape().exact
    }

    /// SMT-LIB's `=`: whether two values of one sort are the same, if known.
    pub fn same(&self, other: &Value) -> Option<bool> {
        if self == other {
            return Some(true);
        }
        // Values of different kinds have different sorts and are not comparable.
        if self.rank() != other.rank() {
            return None;
        }
        if self.is_exact() && other.is_exact() {
            return Some(false);
        }
        match (self, other) {
            (Value::Real(_), Value::Algebraic(_)) | (Value::Algebraic(_), Value::Real(_)) => Some(false),
            (Value::Algebraic(a), Value::Algebraic(b)) => {
                a.compare(b, &AlgebraicLimits::EVALUATION).ok().map(|order| order == Ordering::Equal)
            }
            (Value::Array(a), Value::Array(b)) | (Value::Map(a), Value::Map(b)) => a.same(b),
            (Value::Seq(a), Value::Seq(b)) => a.same(b),
            (Value::Datatype(a), Value::Datatype(b)) => {
                if a.constructor != b.constructor {
                    return Some(false);
                }
                let mut all = Some(true);
                for (x, y) in a.fields.iter().zip(&b.fields) {
                    match x.same(y) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => all = None,
                    }
                }
                all
            }
            _ => None,
        }
    }

    /// Whether this is a value of `sort`, as far as can be checked from outside.
    pub fn has_sort(&self, store: &Store, sort: SortId) -> bool {
        match (self, store.sorts.get(sort)) {
            (Value::Bool(_), Sort::Bool)
            | (Value::Int(_), Sort::Int)
            | (Value::Real(_) | Value::Algebraic(_), Sort::Real)
            | (Value::RoundingMode(_), Sort::RoundingMode)
            | (Value::String(_), Sort::String)
            | (Value::RegLan(_), Sort::RegLan) => true,
            (Value::BitVec { width, .. }, Sort::BitVec(w)) => width == w,
            (Value::FieldElement { order, .. }, Sort::FiniteField(of_sort)) => order == of_sort,
            (Value::Float(f), Sort::Float { eb, sb }) => f.format().eb() == *eb && f.format().sb() == *sb,
            (Value::Array(a), Sort::Array(index, element)) | (Value::Map(a), Sort::Map(index, element)) => {
                a.has_sort(store, *index, *element)
            }
            (Value::Set(set), Sort::Set(element)) => set.has_sort(store, *element),
            (Value::Bag(bag), Sort::Bag(_)) => bag.sort() == sort,
            (Value::Datatype(d), Sort::Datatype(..)) => d.sort == sort,
            (Value::Seq(s), Sort::Seq(_)) => s.sort() == sort,
            (Value::Element { sort: s, .. }, Sort::Uninterpreted(..)) => *s == sort,
            _ => false,
        }
    }

    /// Converts a map to an array if `sort` is an array sort: a `lambda` may define an array.
    pub fn at_sort(self, store: &Store, sort: SortId) -> Value {
        let (Value::Map(map), Sort::Array(_, element)) = (&self, store.sorts.get(sort)) else { return self };
        let inner = *element;
        Value::Array(match store.sorts.get(inner) {
            Sort::Array(..) => Arc::new(map.map_values(|v| v.clone().at_sort(store, inner))),
            _ => map.clone(),
        })
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            // One sort: a rational and an irrational number are comparable.
            Value::Real(_) | Value::Algebraic(_) => 2,
            Value::BitVec { .. } => 3,
            Value::Float(_) => 4,
            Value::RoundingMode(_) => 5,
            Value::String(_) => 6,
            Value::RegLan(_) => 7,
            Value::Array(_) => 8,
            Value::Map(_) => 9,
            Value::Datatype(_) => 10,
            Value::Element { .. } => 11,
            Value::Seq(_) => 12,
            Value::Set(_) => 13,
            Value::Bag(_) => 14,
            Value::FieldElement { .. } => 15,
        }
    }
}

/// A total order without theory meaning, used to sort tables.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            (Value::Algebraic(a), Value::Algebraic(b)) => a.cmp(b),
            (Value::Real(_), Value::Algebraic(_)) => Ordering::Less,
            (Value::Algebraic(_), Value::Real(_)) => Ordering::Greater,
            (Value::BitVec { width: v, value: a }, Value::BitVec { width: w, value: b }) => {
                v.cmp(w).then_with(|| a.cmp(b))
            }
            (Value::FieldElement { order: p, value: a }, Value::FieldElement { order: q, value: b }) => {
                p.cmp(q).then_with(|| a.cmp(b))
            }
            (Value::Float(a), Value::Float(b)) => float_key(a).cmp(&float_key(b)),
            (Value::RoundingMode(a), Value::RoundingMode(b)) => a.cmp(b),
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::RegLan(a), Value::RegLan(b)) => a.cmp(b),
            (Value::Array(a), Value::Array(b)) | (Value::Map(a), Value::Map(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) => a.cmp(b),
            (Value::Bag(a), Value::Bag(b)) => a.key().cmp(&b.key()),
            (Value::Datatype(a), Value::Datatype(b)) => {
                (a.sort, a.constructor, &a.fields).cmp(&(b.sort, b.constructor, &b.fields))
            }
            (Value::Seq(a), Value::Seq(b)) => a.key().cmp(&b.key()),
            (Value::Element { sort: s, index: a }, Value::Element { sort: t, index: b }) => (s, a).cmp(&(t, b)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn float_key(f: &Float) -> (crate::float::FloatFormat, bool, u64, UBig) {
    (f.format(), f.sign(), f.exponent_field(), f.trailing_significand())
}
