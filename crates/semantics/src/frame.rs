//! The evaluator's stack: pending tasks, and the activations in which bound variables have values.

use crate::domain::Domains;
use crate::traversal::Traversal;
use crate::unknown::Unknown;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smtlib::{FuncId, SortId, Symbol, TermId};
use std::sync::Arc;

/// The state of a term's value.
#[derive(Clone, Default, Debug)]
pub(crate) enum ValueSlot {
    /// Not evaluated yet.
    #[default]
    Empty,
    /// This value.
    Known(Value),
    /// No reliable value.
    Unknown(Unknown),
}

impl ValueSlot {
    pub(crate) fn is_filled(&self) -> bool {
        !matches!(self, ValueSlot::Empty)
    }

    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            ValueSlot::Known(v) => Some(v),
            _ => None,
        }
    }

    pub(crate) fn truth(&self) -> Option<bool> {
        self.value().and_then(Value::as_bool)
    }
}

/// The number of terms per page.
const PAGE: usize = 64;

/// The states of all terms, by number. A page is allocated with its first term, so an evaluator for a few terms is cheap in a store of
/// millions.
#[derive(Default)]
pub(crate) struct TermSlots(Vec<Option<Box<SlotPage>>>);

/// The states of consecutive terms.
type SlotPage = [(ValueSlot, Openness); PAGE];

/// Whether a variable is free in a term.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Openness {
    /// Not computed yet.
    #[default]
    NotComputed,
    Closed,
    Open,
}

static UNTOUCHED: (ValueSlot, Openness) = (ValueSlot::Empty, Openness::NotComputed);

impl TermSlots {
    #[inline]
    fn get(&self, t: TermId) -> &(ValueSlot, Openness) {
        match self.0.get(t.index() / PAGE) {
            Some(Some(page)) => &page[t.index() % PAGE],
            _ => &UNTOUCHED,
        }
    }

    fn get_mut(&mut self, t: TermId) -> &mut (ValueSlot, Openness) {
        let number = t.index() / PAGE;
        if number >= self.0.len() {
            self.0.resize_with(number + 1, || None);
        }
        let page = self.0[number].get_or_insert_with(|| Box::new(std::array::from_fn(|_| Default::default())));
        &mut page[t.index() % PAGE]
    }

    /// Returns the value of a term outside all activations.
    pub(crate) fn value(&self, t: TermId) -> &ValueSlot {
        &self.get(t).0
    }

    /// Sets the value of a term outside all activations.
    pub(crate) fn set_value(&mut self, t: TermId, slot: ValueSlot) {
        self.get_mut(t).0 = slot;
    }

    pub(crate) fn openness(&self, t: TermId) -> Openness {
        self.get(t).1
    }

    pub(crate) fn set_openness(&mut self, t: TermId, openness: Openness) {
        self.get_mut(t).1 = openness;
    }

    /// Returns a term's value in an activation, which stores the values of open terms.
    #[inline]
    pub(crate) fn slot<'a>(&'a self, frame: Option<&'a Activation>, t: TermId) -> &'a ValueSlot {
        frame.map_or_else(|| self.value(t), |frame| self.slot_in(&frame.memo, t))
    }

    /// Returns a term's value, where open terms have these.
    #[inline]
    pub(crate) fn slot_in<'a>(&'a self, open: &'a FxHashMap<TermId, ValueSlot>, t: TermId) -> &'a ValueSlot {
        let (slot, openness) = self.get(t);
        if *openness == Openness::Open { open.get(&t).unwrap_or(&UNTOUCHED.0) } else { slot }
    }
}

/// One task for a term. The constants document `step`; for lazy operators it is the number of children evaluated so
/// far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermTask {
    pub(crate) term: TermId,
    pub(crate) step: u32,
}

/// Evaluate the term unless that is done.
pub(crate) const ENTER: u32 = 0;
/// The slots of all needed children are filled.
pub(crate) const READY: u32 = u32::MAX;
/// The body of the topmost activation, which belongs to this term, is evaluated.
pub(crate) const RETURN: u32 = u32::MAX - 1;

/// An activation: a body evaluated under an environment.
#[derive(Default, Debug)]
pub(crate) struct Activation {
    /// Variables and values; the last entry for a name counts.
    pub(crate) environment: Vec<(Symbol, ValueSlot)>,
    /// The number of surrounding variables; they come first, sorted by name, and unique.
    pub(crate) around: usize,
    /// Values of terms in which a variable is free.
    pub(crate) memo: FxHashMap<TermId, ValueSlot>,
    /// The body.
    pub(crate) body: Option<TermId>,
    /// The use of its value.
    pub(crate) purpose: BodyPurpose,
}

/// The use of the value of an activation's body.
#[derive(Default, Debug)]
pub(crate) enum BodyPurpose {
    /// The value of the term.
    #[default]
    Result,
    /// The value of the term, and of the function at these arguments.
    Call(FuncId, Box<[Value]>),
    /// One of many values.
    Enumerate(Box<Enumeration>),
    /// The value is an instance of a quantifier that cannot be enumerated.
    Search(Box<InstanceSearch>),
    /// The value of a function at an element of a collection, or a partially applied function.
    Traverse(Box<Traversal>),
}

/// A walk through some instances of a quantifier, in search of one that decides it.
#[derive(Debug)]
pub(crate) struct InstanceSearch {
    /// The quantifier.
    pub(crate) term: TermId,
    /// The body's truth value that decides: false for `forall`, true for `exists`.
    pub(crate) by: bool,
    /// The variables with their sorts.
    pub(crate) variables: Box<[(Symbol, SortId)]>,
    /// Values to try, one list per variable; empty before the body has been tried with all variables unknown.
    pub(crate) samples: Option<Box<[Vec<Value>]>>,
    /// Indices of the current values: 0 means unknown, `n` means sample `n - 1`. The first changes fastest.
    pub(crate) position: Box<[usize]>,
    /// Instances still to try.
    pub(crate) left: u64,
    /// The number of tasks before the walk.
    pub(crate) tasks: usize,
    /// Steps reserved for later work.
    pub(crate) reserve: u64,
    /// Steps the instances may take.
    pub(crate) allowed: u64,
}

/// A walk through all values of some variables.
#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) goal: WalkGoal,
    /// The variables, with the values they take.
    pub(crate) variables: Box<[(Symbol, Range)]>,
    /// Indices of the current values; the last changes fastest.
    pub(crate) position: Box<[u64]>,
    /// The first unknown found.
    pub(crate) unknown: Option<Unknown>,
    /// The values so far, for a table.
    pub(crate) values: Vec<Value>,
}

/// The values that a variable takes in a walk.
#[derive(Clone, Debug)]
pub(crate) enum Range {
    /// All elements of a sort, with their number.
    Sort(SortId, u64),
    /// The values to which a guard confines it.
    Listed(Arc<[Value]>),
}

impl Range {
    /// How many values there are.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Range::Sort(_, size) => *size,
            Range::Listed(values) => values.len() as u64,
        }
    }

    /// Returns value number `n`.
    pub(crate) fn nth(&self, domains: &Domains<'_>, n: u64) -> Option<Value> {
        match self {
            Range::Sort(sort, _) => domains.nth(*sort, n),
            Range::Listed(values) => values.get(usize::try_from(n).ok()?).cloned(),
        }
    }
}

/// The purpose of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WalkGoal {
    /// A quantifier, decided by the first body with this value: false for `forall`, true for `exists`.
    Decide(bool),
    /// The graph of a lambda or function.
    Table,
}

impl Activation {
    /// Returns the value of a variable.
    pub(crate) fn lookup(&self, name: Symbol) -> Option<&ValueSlot> {
        let (around, own) = self.environment.split_at(self.around);
        let of_own = own.iter().rev().find(|v| v.0 == name);
        let found = of_own.or_else(|| around.binary_search_by_key(&name, |v| v.0).ok().map(|at| &around[at]));
        found.map(|v| &v.1)
    }

    /// Resets it, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.environment.clear();
        self.around = 0;
        self.memo.clear();
        self.body = None;
        self.purpose = BodyPurpose::Result;
    }
}
