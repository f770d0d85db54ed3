//! Hash-consed sorts: two [`SortId`]s are equal exactly if the sorts are.

use crate::constant::{FieldOrder, OrderError};
use crate::symbol::Symbol;
use dashu_int::UBig;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A sort of one [`Store`](crate::Store).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// `Bool`, the same in every store.
    pub const BOOL: SortId = SortId(0);
    /// `Int`.
    pub const INT: SortId = SortId(1);
    /// `Real`.
    pub const REAL: SortId = SortId(2);
    /// `String`, the sequences over code points 0 to 0x2FFFF.
    pub const STRING: SortId = SortId(3);
    /// `RegLan`, the sets of strings.
    pub const REGLAN: SortId = SortId(4);
    /// `RoundingMode`.
    pub const ROUNDING_MODE: SortId = SortId(5);

    /// Returns the position of this sort in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A datatype declaration of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DatatypeId(pub(crate) u32);

/// The maximum number of fields of a tuple; sorts of longer ones are carried as text.
pub const MAX_TUPLE: usize = 16;

impl DatatypeId {
    /// `(Nullable T)` of cvc5.
    pub const NULLABLE: DatatypeId = DatatypeId(MAX_TUPLE as u32 + 1);

    /// Returns cvc5's tuples of this many fields; `None` above [`MAX_TUPLE`].
    pub fn tuple(fields: usize) -> Option<DatatypeId> {
        (fields <= MAX_TUPLE).then_some(DatatypeId(fields as u32))
    }

    /// Whether its sorts are tuples.
    pub fn is_tuple(self) -> bool {
        self.index() <= MAX_TUPLE
    }

    /// Whether every store has it, so that no command declares it: tuples, and [`DatatypeId::NULLABLE`].
    pub fn is_built_in(self) -> bool {
        self <= DatatypeId::NULLABLE
    }

    /// Returns the position of this datatype in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The structure of a sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// Strings.
    String,
    /// Regular languages.
    RegLan,
    /// IEEE 754 rounding modes.
    RoundingMode,
    /// Bit-vectors of a width of at least 1.
    BitVec(u32),
    /// Floating point with `eb` exponent bits and `sb` significand bits, the hidden one counted; both at least 2.
    Float {
        /// Exponent bits.
        eb: u32,
        /// Significand bits, the hidden one counted.
        sb: u32,
    },
    /// The finite field of a prime number of elements, `(_ FiniteField p)` of cvc5.
    FiniteField(FieldOrder),
    /// Arrays from an index sort to an element sort.
    Array(SortId, SortId),
    /// Finite sets of elements of a sort: `(Set T)` of cvc5, `(FiniteSet T)` of z3.
    Set(SortId),
    /// Bags (multisets) of elements of a sort: `(Bag T)` of cvc5.
    Bag(SortId),
    /// The map sort `(-> A B)` of SMT-LIB 2.7, one argument at a time.
    Map(SortId, SortId),
    /// Sequences of elements of a sort.
    Seq(SortId),
    /// A declared sort constructor applied to arguments.
    Uninterpreted(Symbol, Box<[SortId]>),
    /// A datatype applied to arguments.
    Datatype(DatatypeId, Box<[SortId]>),
    /// A sort parameter of a parametric declaration.
    Parameter(Symbol),
    /// A solver's own sort constructor (`Unicode`, `SeqLit`, …), whose operators are carried as text. The name of an indexed
    /// one is its whole text, `(_ Unicode 7)`.
    Extension(Symbol, Box<[SortId]>),
}

/// The table of all sorts of one store.
#[derive(Clone)]
pub struct Sorts {
    list: Vec<Sort>,
    shapes: Vec<SortShape>,
    table: HashTable<u32>,
}

/// The deepest accepted nesting of a sort, which makes recursion on sorts safe.
pub const MAX_SORT_DEPTH: usize = 500;

/// The maximum number of names in the text of an accepted sort: definitions can double a sort's length at each step.
pub const MAX_SORT_SIZE: usize = 20_000;

/// Cached measures of a sort.
#[derive(Clone, Copy)]
struct SortShape {
    /// A simple sort has depth 1.
    depth: u32,
    /// Names in its text; saturating.
    size: u32,
    has_parameter: bool,
}

impl Default for Sorts {
    fn default() -> Self {
        let mut sorts = Sorts { list: Vec::new(), shapes: Vec::new(), table: HashTable::new() };
        // The order gives the constants of `SortId` their numbers.
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::String, Sort::RegLan, Sort::RoundingMode] {
            sorts.intern(sort);
        }
        sorts
    }
}

impl Sorts {
    /// Returns the id of `sort`, adding it if new.
    pub fn intern(&mut self, sort: Sort) -> SortId {
        let hash = FxBuildHasher.hash_one(&sort);
        if let Some(known) = self.known(hash, &sort) {
            return known;
        }
        let id = self.list.len() as u32;
        let shape = self.shape_of(&sort);
        self.shapes.push(shape);
        self.list.push(sort);
        let list = &self.list;
        self.table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&list[id as usize]));
        SortId(id)
    }

    fn known(&self, hash: u64, sort: &Sort) -> Option<SortId> {
        self.table.find(hash, |&id| self.list[id as usize] == *sort).map(|&id| SortId(id))
    }

    fn shape_of(&self, sort: &Sort) -> SortShape {
        let mut shape = SortShape { depth: 1, size: 1, has_parameter: matches!(sort, Sort::Parameter(_)) };
        let pair;
        let children: &[SortId] = match sort {
            Sort::Array(a, b) | Sort::Map(a, b) => {
                pair = [*a, *b];
                &pair
            }
            Sort::Seq(element) => std::slice::from_ref(element),
            Sort::Set(element) => std::slice::from_ref(element),
            Sort::Bag(element) => std::slice::from_ref(element),
            Sort::Uninterpreted(_, args) | Sort::Datatype(_, args) | Sort::Extension(_, args) => args,
            _ => &[],
        };
        for &child in children {
            let inner = self.shapes[child.index()];
            shape.depth = shape.depth.max(inner.depth.saturating_add(1));
            shape.size = shape.size.saturating_add(inner.size);
            shape.has_parameter |= inner.has_parameter;
        }
        shape
    }

    /// Whether a sort is within [`MAX_SORT_DEPTH`] and [`MAX_SORT_SIZE`]. All terms of the store have such sorts.
    pub fn is_bounded(&self, id: SortId) -> bool {
        let shape = self.shapes[id.index()];
        shape.depth as usize <= MAX_SORT_DEPTH && shape.size as usize <= MAX_SORT_SIZE
    }

    /// Returns the id of a sort, if terms may have it.
    pub(crate) fn bounded(&mut self, sort: Sort) -> Option<SortId> {
        let id = self.intern(sort);
        self.is_bounded(id).then_some(id)
    }

    /// Returns the structure of `id`.
    pub fn get(&self, id: SortId) -> &Sort {
        &self.list[id.index()]
    }

    /// Returns the bit-vector sort of `width`.
    pub fn bitvec(&mut self, width: u32) -> SortId {
        self.intern(Sort::BitVec(width))
    }

    /// Returns the floating-point sort with `eb` exponent and `sb` significand bits.
    pub fn float(&mut self, eb: u32, sb: u32) -> SortId {
        self.intern(Sort::Float { eb, sb })
    }

    /// Returns the finite field of `order` elements. A known order is not tested again.
    /// Errors: [`OrderError`] if the number is not the order of a field.
    pub fn finite_field(&mut self, order: UBig) -> Result<SortId, OrderError> {
        let sort = Sort::FiniteField(FieldOrder::unchecked(order.clone()));
        match self.known(FxBuildHasher.hash_one(&sort), &sort) {
            Some(known) => Ok(known),
            None => FieldOrder::new(order).map(|order| self.intern(Sort::FiniteField(order))),
        }
    }

    /// Returns the order of a finite field.
    pub fn field_order(&self, id: SortId) -> Option<&FieldOrder> {
        match self.get(id) {
            Sort::FiniteField(order) => Some(order),
            _ => None,
        }
    }

    /// Returns the array sort from `index` to `element`.
    pub fn array(&mut self, index: SortId, element: SortId) -> SortId {
        self.intern(Sort::Array(index, element))
    }

    /// Returns the sort of sequences of `element`.
    pub fn seq(&mut self, element: SortId) -> SortId {
        self.intern(Sort::Seq(element))
    }

    /// Returns the sort of finite sets of elements of `element`.
    pub fn set(&mut self, element: SortId) -> SortId {
        self.intern(Sort::Set(element))
    }

    /// Returns the sort of bags of elements of `element`.
    pub fn bag(&mut self, element: SortId) -> SortId {
        self.intern(Sort::Bag(element))
    }

    /// Returns the sort of tuples of these fields; `None` if there are more than [`MAX_TUPLE`] or the sort is too large.
    pub fn tuple(&mut self, fields: &[SortId]) -> Option<SortId> {
        self.bounded(Sort::Datatype(DatatypeId::tuple(fields.len())?, fields.into()))
    }

    /// Returns the sorts of the fields of the tuples of a relation, of which there is at least one.
    pub fn relation(&self, id: SortId) -> Option<&[SortId]> {
        match self.get(id) {
            Sort::Set(element) => match self.get(*element) {
                Sort::Datatype(d, fields) if d.is_tuple() && !fields.is_empty() => Some(fields),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the width of a bit-vector sort.
    pub fn width(&self, id: SortId) -> Option<u32> {
        match self.get(id) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// Returns the number of sorts; ids run from 0 to here.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns false: the standard's simple sorts are always there.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns all sorts with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SortId, &Sort)> {
        self.list.iter().enumerate().map(|(i, s)| (SortId(i as u32), s))
    }

    /// Returns the sort arguments of a compound sort.
    pub fn children(&self, id: SortId) -> Vec<SortId> {
        match self.get(id) {
            Sort::Array(a, b) | Sort::Map(a, b) => vec![*a, *b],
            Sort::Seq(element) => vec![*element],
            Sort::Set(element) => vec![*element],
            Sort::Bag(element) => vec![*element],
            Sort::Uninterpreted(_, args) | Sort::Datatype(_, args) | Sort::Extension(_, args) => args.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Whether a sort parameter occurs in `id`.
    pub fn has_parameter(&self, id: SortId) -> bool {
        self.shapes[id.index()].has_parameter
    }

    /// Whether `bindings` have a sort for every sort parameter of `id`.
    pub(crate) fn is_fixed(&self, id: SortId, bindings: &[(Symbol, SortId)]) -> bool {
        if let Sort::Parameter(name) = self.get(id) {
            return bindings.iter().any(|b| b.0 == *name);
        }
        !self.has_parameter(id) || self.children(id).into_iter().all(|c| self.is_fixed(c, bindings))
    }

    /// Replaces every sort parameter of `id` by `bindings`; parameters without a binding stay.
    pub fn instantiate(&mut self, id: SortId, bindings: &[(Symbol, SortId)]) -> SortId {
        if bindings.is_empty() || !self.has_parameter(id) {
            return id;
        }
        let map = |sorts: &mut Sorts, list: &[SortId]| -> Box<[SortId]> {
            list.iter().map(|&s| sorts.instantiate(s, bindings)).collect()
        };
        let new = match self.get(id).clone() {
            Sort::Parameter(name) => {
                return bindings.iter().find(|b| b.0 == name).map_or(id, |b| b.1);
            }
            Sort::Array(a, b) => {
                let ab = map(self, &[a, b]);
                Sort::Array(ab[0], ab[1])
            }
            Sort::Map(a, b) => {
                let ab = map(self, &[a, b]);
                Sort::Map(ab[0], ab[1])
            }
            Sort::Seq(element) => Sort::Seq(self.instantiate(element, bindings)),
            Sort::Set(element) => Sort::Set(map(self, &[element])[0]),
            Sort::Bag(element) => Sort::Bag(self.instantiate(element, bindings)),
            Sort::Uninterpreted(n, args) => Sort::Uninterpreted(n, map(self, &args)),
            Sort::Datatype(d, args) => Sort::Datatype(d, map(self, &args)),
            Sort::Extension(n, args) => Sort::Extension(n, map(self, &args)),
            simple => simple,
        };
        self.intern(new)
    }

    /// Extends `bindings` so that `pattern` becomes `sort`. Returns false if that is impossible.
    pub fn matches(&self, pattern: SortId, sort: SortId, bindings: &mut Vec<(Symbol, SortId)>) -> bool {
        if !self.has_parameter(pattern) {
            return pattern == sort;
        }
        if let Sort::Parameter(name) = self.get(pattern) {
            if let Some(b) = bindings.iter().find(|b| b.0 == *name) {
                return b.1 == sort;
            }
            bindings.push((*name, sort));
            return true;
        }
        let same_head = match (self.get(pattern), self.get(sort)) {
            (Sort::Array(..), Sort::Array(..)) | (Sort::Map(..), Sort::Map(..)) => true,
            (Sort::Seq(_), Sort::Seq(_)) | (Sort::Set(_), Sort::Set(_)) | (Sort::Bag(_), Sort::Bag(_)) => true,
            (Sort::Uninterpreted(a, _), Sort::Uninterpreted(b, _)) => a == b,
            (Sort::Extension(a, _), Sort::Extension(b, _)) => a == b,
            (Sort::Datatype(a, _), Sort::Datatype(b, _)) => a == b,
            _ => false,
        };
        if !same_head {
            return false;
        }
        let (p, s) = (self.children(pattern), self.children(sort));
        p.len() == s.len() && p.into_iter().zip(s).all(|(p, s)| self.matches(p, s, bindings))
    }
}
