//! Arrays and uninterpreted functions: every read gets its own slot, but uses that of the first earlier read with equal arguments.
//!
//! So any values of the slots describe a function, and no constraint is needed for equal arguments to give equal values (Ackermann's
//! reduction with its side conditions built in).

use super::{Lower, LowerError, LoweredTerm, SlotSource};
use crate::ir::Id;
use crate::types::Ty;
use rustc_hash::FxHashMap;
use smtlib::{FuncId, Kind, Sort, SortId, TermId};

/// The maximum size of an index sort over which arrays are compared index by index.
pub const MAX_INDICES: u64 = 256;

/// The maximum number of reads of one symbol; each is compared with all earlier ones.
const MAX_READS: usize = 2_000;

/// An array of the formula, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArrayId(u32);

/// The structure of an array. Arrays are in a list, so a chain of a million stores needs no deep recursion.
#[derive(Clone, Debug)]
pub enum Array {
    /// An array constant, possibly after some reads if its elements are arrays.
    Symbol {
        /// The constant.
        symbol: FuncId,
        /// The sort after these reads.
        sort: SortId,
        /// The indices of these reads.
        indices: Vec<Id>,
    },
    /// The same element everywhere.
    Const(LoweredTerm, SortId),
    /// An array with one element changed.
    Store(ArrayId, Id, LoweredTerm),
    /// One of two arrays.
    Ite(Id, ArrayId, ArrayId),
}

/// The reads of each symbol so far: indices and slot.
#[derive(Default)]
pub struct Reads(FxHashMap<FuncId, Vec<(Vec<Id>, Id)>>);

impl Lower<'_> {
    /// Whether an array's indices and elements are values or such arrays.
    pub(super) fn check_array(&self, sort: SortId) -> Result<(), LowerError> {
        let mut sort = sort;
        while let Sort::Array(index, element) = *self.store.sorts.get(sort) {
            if Ty::of(self.store, index).is_none() {
                return Err(self.sort(index));
            }
            sort = element;
        }
        if Ty::of(self.store, sort).is_none() { Err(self.sort(sort)) } else { Ok(()) }
    }

    pub(super) fn new_array(&mut self, array: Array) -> LoweredTerm {
        self.arrays.push(array);
        LoweredTerm::Array(ArrayId(self.arrays.len() as u32 - 1))
    }

    fn array_of(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    /// `select`, `store` and constant arrays.
    pub(super) fn array(&mut self, t: TermId, args: &[LoweredTerm]) -> Result<LoweredTerm, LowerError> {
        match (self.store.kind(t), args) {
            (Kind::ArraySelect, [LoweredTerm::Array(array), LoweredTerm::Node(index)]) => self.read(*array, *index),
            (Kind::ArrayStore, [LoweredTerm::Array(array), LoweredTerm::Node(index), element]) => {
                Ok(self.new_array(Array::Store(*array, *index, *element)))
            }
            (Kind::ConstArray, [element]) => {
                let sort = self.store.sort(t);
                self.check_array(sort)?;
                Ok(self.new_array(Array::Const(*element, sort)))
            }
            _ => Err(self.operator(t)),
        }
    }

    /// Adds an application of a declared function.
    pub(super) fn function(&mut self, t: TermId, args: &[LoweredTerm]) -> Result<Id, LowerError> {
        let sort = self.store.sort(t);
        let Some(ty) = Ty::of(self.store, sort) else { return Err(self.sort(sort)) };
        let Some(symbol) = self.declared(t) else { return Err(self.operator(t)) };
        let mut indices = Vec::with_capacity(args.len());
        for arg in args {
            let LoweredTerm::Node(id) = arg else { return Err(self.operator(t)) };
            indices.push(*id);
        }
        self.read_symbol(symbol, indices, ty)
    }

    /// Reads an element of an array: walks down its structure, and builds the element on the way back.
    fn read(&mut self, array: ArrayId, index: Id) -> Result<LoweredTerm, LowerError> {
        enum ArrayStep {
            Down(ArrayId),
            Store(Id, LoweredTerm),
            Ite(Id),
        }
        let mut steps = vec![ArrayStep::Down(array)];
        let mut values: Vec<LoweredTerm> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                ArrayStep::Down(array) => match self.array_of(array).clone() {
                    Array::Const(element, _) => values.push(element),
                    Array::Symbol { symbol, sort, mut indices } => {
                        let Sort::Array(_, element) = *self.store.sorts.get(sort) else {
                            return Err(self.sort(sort));
                        };
                        indices.push(index);
                        values.push(match Ty::of(self.store, element) {
                            Some(ty) => LoweredTerm::Node(self.read_symbol(symbol, indices, ty)?),
                            None => self.new_array(Array::Symbol { symbol, sort: element, indices }),
                        });
                    }
                    Array::Store(inner, at, element) => {
                        let hit = self.same(index, at);
                        match self.builder.constant_word(hit) {
                            Some(0) => steps.push(ArrayStep::Down(inner)),
                            Some(_) => values.push(element),
                            None => steps.extend([ArrayStep::Store(hit, element), ArrayStep::Down(inner)]),
                        }
                    }
                    Array::Ite(condition, a, b) => {
                        steps.extend([ArrayStep::Ite(condition), ArrayStep::Down(b), ArrayStep::Down(a)]);
                    }
                },
                ArrayStep::Store(hit, element) => {
                    let Some(below) = values.pop() else { return Err(LowerError::TooLarge) };
                    values.push(self.choose_operand(hit, element, below)?);
                }
                ArrayStep::Ite(condition) => {
                    let (Some(b), Some(a)) = (values.pop(), values.pop()) else { return Err(LowerError::TooLarge) };
                    values.push(self.choose_operand(condition, a, b)?);
                }
            }
            self.tick()?;
            if steps.len() > super::MAX_OPERATIONS {
                return Err(LowerError::TooLarge);
            }
        }
        values.pop().ok_or(LowerError::TooLarge)
    }

    fn choose_operand(&mut self, condition: Id, a: LoweredTerm, b: LoweredTerm) -> Result<LoweredTerm, LowerError> {
        self.ite(&[LoweredTerm::Node(condition), a, b]).ok_or(LowerError::ArrayEquality)
    }

    fn read_symbol(&mut self, symbol: FuncId, indices: Vec<Id>, ty: Ty) -> Result<Id, LowerError> {
        self.tick()?;
        let earlier = self.reads.0.get(&symbol).cloned().unwrap_or_default();
        if earlier.len() >= MAX_READS {
            return Err(LowerError::TooLarge);
        }
        let own = match earlier.iter().find(|read| read.0 == indices) {
            Some(read) => read.1,
            None => {
                let slot = self.builder.input(ty);
                let args = indices
                    .iter()
                    .map(|&id| {
                        self.observed.push(id);
                        self.observed.len() - 1
                    })
                    .collect();
                self.sources.push(SlotSource::Application { symbol, args });
                self.reads.0.entry(symbol).or_default().push((indices.clone(), slot));
                slot
            }
        };
        let before = earlier.iter().take_while(|read| read.0 != indices).collect::<Vec<_>>();
        let mut value = own;
        for (others, slot) in before.into_iter().rev() {
            let mut equal = self.builder.truth(true);
            for (&a, &b) in indices.iter().zip(others) {
                let same = self.same(a, b);
                equal = self.and(equal, same);
            }
            value = self.choose(equal, *slot, value);
        }
        Ok(value)
    }

    /// `=` of two arrays: at the indices where they may differ.
    pub(super) fn same_array(&mut self, a: ArrayId, b: ArrayId) -> Result<Id, LowerError> {
        if a == b {
            return Ok(self.builder.truth(true));
        }
        let mut indices = Vec::new();
        let (below_a, below_b) = (self.bottom(a, &mut indices), self.bottom(b, &mut indices));
        if !is_same_bottom(self.array_of(below_a), self.array_of(below_b)) {
            indices = self.all_indices(below_a)?;
        }
        let mut equal = self.builder.truth(true);
        for index in indices {
            let (x, y) = (self.read(a, index)?, self.read(b, index)?);
            // Nested element arrays are only as deep as the sort.
            let same = match (&x, &y) {
                (LoweredTerm::Node(x), LoweredTerm::Node(y)) => self.same(*x, *y),
                (LoweredTerm::Array(x), LoweredTerm::Array(y)) => self.same_array(*x, *y)?,
                _ => return Err(LowerError::ArrayEquality),
            };
            equal = self.and(equal, same);
        }
        Ok(equal)
    }

    /// Returns the array below the stores; their indices are added to `indices`.
    fn bottom(&self, array: ArrayId, indices: &mut Vec<Id>) -> ArrayId {
        let mut array = array;
        while let Array::Store(inner, index, _) = self.array_of(array) {
            if !indices.contains(index) {
                indices.push(*index);
            }
            array = *inner;
        }
        array
    }

    fn all_indices(&mut self, array: ArrayId) -> Result<Vec<Id>, LowerError> {
        let mut array = array;
        let sort = loop {
            match self.array_of(array) {
                Array::Symbol { sort, .. } | Array::Const(_, sort) => break *sort,
                Array::Store(inner, ..) | Array::Ite(_, inner, _) => array = *inner,
            }
        };
        let Sort::Array(index, _) = *self.store.sorts.get(sort) else { return Err(self.sort(sort)) };
        match Ty::of(self.store, index) {
            Some(ty @ (Ty::Bool | Ty::Bits(_))) if ty.width() < 64 && 1 << ty.width() <= MAX_INDICES => {
                Ok((0..1 << ty.width()).map(|n| self.builder.constant(ty, n)).collect())
            }
            Some(Ty::Mode) => Ok((0..5).map(|n| self.builder.constant(Ty::Mode, n)).collect()),
            _ => Err(LowerError::ArrayEquality),
        }
    }
}

fn is_same_bottom(a: &Array, b: &Array) -> bool {
    match (a, b) {
        (Array::Symbol { symbol, indices, .. }, Array::Symbol { symbol: other, indices: others, .. }) => {
            symbol == other && indices == others
        }
        (Array::Const(LoweredTerm::Node(x), _), Array::Const(LoweredTerm::Node(y), _)) => x == y,
        _ => false,
    }
}
