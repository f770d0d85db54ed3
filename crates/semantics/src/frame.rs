//! The evaluator's own stack: tasks still to do, and the activations in which bound variables have values.

use crate::domain::Domains;
use crate::unknown::Unknown;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smtlib::{FuncId, SortId, Symbol, TermId};
use std::sync::Arc;

/// What is known of a term's value.
#[derive(Clone, Default, Debug)]
pub(crate) enum ValueSlot {
    /// Not evaluated yet.
    #[default]
    Empty,
    /// This value.
    Known(Value),
    /// No value to rely on.
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

/// One thing to do for a term; what `step` means is said at the constants and, for lazy operators, is the number of
/// children evaluated so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermTask {
    pub(crate) term: TermId,
    pub(crate) step: u32,
}

/// Evaluate the term unless that is done.
pub(crate) const ENTER: u32 = 0;
/// All children that are needed have their slots filled.
pub(crate) const READY: u32 = u32::MAX;
/// The body of the topmost activation, which belongs to this term, is evaluated.
pub(crate) const RETURN: u32 = u32::MAX - 1;

/// An activation: a body evaluated under an environment.
#[derive(Default, Debug)]
pub(crate) struct Activation {
    /// Variables with their values; the last of a name counts.
    pub(crate) environment: Vec<(Symbol, ValueSlot)>,
    /// Values of terms in which a variable is free.
    pub(crate) memo: FxHashMap<TermId, ValueSlot>,
    /// What is evaluated.
    pub(crate) body: Option<TermId>,
    /// What is done with its value.
    pub(crate) purpose: BodyPurpose,
}

/// What is done with the value of an activation's body.
#[derive(Default, Debug)]
pub(crate) enum BodyPurpose {
    /// It is the value of the term.
    #[default]
    Result,
    /// It is the value of the term, and of the function on these arguments.
    Call(FuncId, Box<[Value]>),
    /// It is one of many.
    Enumerate(Box<Enumeration>),
    /// It is an instance of a quantifier that cannot be enumerated.
    Search(Box<InstanceSearch>),
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
    /// Values to try, one list a variable; none before the body has been tried with all variables unknown.
    pub(crate) samples: Option<Box<[Vec<Value>]>>,
    /// The numbers of the current values; 0 is an unknown one and `n` the sample `n - 1`. The first changes fastest.
    pub(crate) position: Box<[usize]>,
    /// Instances still to try.
    pub(crate) left: u64,
    /// How many tasks there were before.
    pub(crate) tasks: usize,
    /// Steps put aside for what comes after.
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
    /// The numbers of the current values; the last changes fastest.
    pub(crate) position: Box<[u64]>,
    /// The first unknown met.
    pub(crate) unknown: Option<Unknown>,
    /// The values so far, for a table.
    pub(crate) values: Vec<Value>,
}

/// The values that a variable takes in a walk.
#[derive(Clone, Debug)]
pub(crate) enum Range {
    /// All elements of a sort, of which there are so many.
    Sort(SortId, u64),
    /// These, to which a guard confines it.
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

    /// The value of number `n`.
    pub(crate) fn nth(&self, domains: &Domains<'_>, n: u64) -> Option<Value> {
        match self {
            Range::Sort(sort, _) => domains.nth(*sort, n),
            Range::Listed(values) => values.get(usize::try_from(n).ok()?).cloned(),
        }
    }
}

/// What a walk is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WalkGoal {
    /// A quantifier, decided by the first body of this truth value: false for `forall`, true for `exists`.
    Decide(bool),
    /// The graph of a lambda or function.
    Table,
}

impl Activation {
    /// The value of a variable.
    pub(crate) fn lookup(&self, name: Symbol) -> Option<&ValueSlot> {
        self.environment.iter().rev().find(|v| v.0 == name).map(|v| &v.1)
    }

    /// Makes it as new, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.environment.clear();
        self.memo.clear();
        self.body = None;
        self.purpose = BodyPurpose::Result;
    }
}
