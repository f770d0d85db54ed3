//! Lowers terms to a program: an iterative walk over the term graph, one file per theory.

mod arrays;
mod bits;
mod core;
mod floats;

use crate::builder::{ProgramBuilder, RootConstraint};
use crate::distance;
use crate::exact::words_of;
use crate::ir::{Id, OpCode, Program};
use crate::types::Ty;
use arrays::{Array, ArrayId};
use rewrite::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{FuncId, Kind, Sort, SortId, Store, TermId};

/// The maximum number of operations of a program.
pub const MAX_OPERATIONS: usize = 4_000_000;

/// The maximum number of pairs of a `distinct`.
const MAX_PAIRS: usize = 200_000;

/// Why a formula cannot be searched.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LowerError {
    /// A sort whose values are not bits.
    #[error(
        "values of the sort {0} cannot be searched; only Bool, bit-vectors, floats, rounding modes and arrays and functions over them can"
    )]
    Sort(String),
    /// An operator outside the searched theories.
    #[error("the operator of `{0}` is outside the theories that can be searched")]
    Operator(String),
    /// Equality of arrays whose index sort is too large to compare them index by index.
    #[error("equality of arrays over an index sort of more than {} elements cannot be searched", arrays::MAX_INDICES)]
    ArrayEquality,
    /// A quantifier, `match` or `lambda`.
    #[error("terms that bind variables (quantifiers, lambda, match) cannot be searched")]
    Binder,
    /// The program would be too large.
    #[error("the formula has more than {MAX_OPERATIONS} operations")]
    TooLarge,
    /// A constraint is false by a value that the standard leaves open.
    #[error("a formula that is false by a value which the standard leaves open is not refuted by it")]
    Unspecified,
    /// The time was up before the program was finished.
    #[error("the time is up")]
    Interrupted,
}

/// A formula as a program.
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The meaning of the slots, by number.
    pub sources: Vec<SlotSource>,
    /// Array constants; those never read have no slot and are arbitrary.
    pub arrays: Vec<FuncId>,
    /// The number of an assertion that is false for any input, if there is one.
    pub contradiction: Option<usize>,
}

/// The meaning of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SlotSource {
    /// A symbol without arguments.
    Constant(FuncId),
    /// The value of a function or array for the arguments in [`Program::observed`], unless an earlier slot has the same arguments.
    Application {
        /// The function, or the array constant.
        symbol: FuncId,
        /// The arguments, or the array's indices from the outermost: positions in [`Program::observed`].
        args: Box<[usize]>,
    },
}

/// The result of lowering a term.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoweredTerm {
    /// A value of the program.
    Node(Id),
    /// An array, which the program only reads at indices.
    Array(ArrayId),
}

/// The walk.
pub(crate) struct Lower<'s> {
    store: &'s mut Store,
    pub(crate) builder: ProgramBuilder,
    done: FxHashMap<TermId, LoweredTerm>,
    sources: Vec<SlotSource>,
    observed: Vec<Id>,
    arrays: Vec<Array>,
    array_symbols: Vec<FuncId>,
    reads: arrays::Reads,
    closed: Evaluator,
    stop: &'s Stop,
    /// The number of steps until the next check of the clock.
    until_clock: u32,
}

/// The number of steps between two checks of the clock.
const CLOCK_EVERY: u32 = 256;

/// Makes a program of formulas in which calls of defined functions were expanded (as by [`rewrite::Goal::of`]).
/// Errors: [`LowerError`]: part of the formulas cannot be searched, or the time is up.
pub fn lower(store: &mut Store, assertions: &[TermId], stop: &Stop) -> Result<Lowered, LowerError> {
    let mut lower = Lower {
        store,
        builder: ProgramBuilder::default(),
        done: FxHashMap::default(),
        sources: Vec::new(),
        observed: Vec::new(),
        arrays: Vec::new(),
        array_symbols: Vec::new(),
        reads: arrays::Reads::default(),
        closed: Evaluator::new(Model::new(), EvalLimits::default()).heeding(stop),
        stop,
        until_clock: 1,
    };
    let mut truths: Vec<(Id, usize)> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut contradiction = None;
    for (number, &assertion) in assertions.iter().enumerate() {
        let root = lower.term(assertion)?;
        for truth in lower.conjuncts(root) {
            match lower.builder.constant_word(truth) {
                Some(0) => contradiction = contradiction.or(Some(number)),
                Some(_) => {}
                None if seen.insert(truth) => truths.push((truth, number)),
                None => {}
            }
        }
    }
    if contradiction.is_some() && lower.builder.has_guessed() {
        return Err(LowerError::Unspecified);
    }
    let mut roots = Vec::with_capacity(truths.len());
    for (truth, _) in truths {
        lower.tick()?;
        let distance = distance::distance(&mut lower.builder, truth);
        roots.push(RootConstraint { truth, distance });
    }
    let Lower { builder, sources, observed, array_symbols: arrays, .. } = lower;
    Ok(Lowered { program: builder.finish(&roots, &observed), sources, arrays, contradiction })
}

impl Lower<'_> {
    /// Must be called in every loop: returns an error when the program gets too large, or the time is up.
    pub(crate) fn tick(&mut self) -> Result<(), LowerError> {
        if self.builder.len() > MAX_OPERATIONS {
            return Err(LowerError::TooLarge);
        }
        self.until_clock -= 1;
        if self.until_clock == 0 {
            self.until_clock = CLOCK_EVERY;
            self.stop.check().map_err(|_| LowerError::Interrupted)?;
        }
        Ok(())
    }

    /// Returns the parts of a conjunction, including negated disjunctions. Those of the formula were split before; these come from
    /// lowering: of chains, of `distinct`, and of equal arrays.
    fn conjuncts(&mut self, root: Id) -> Vec<Id> {
        let mut parts = Vec::new();
        let mut stack = vec![root];
        let mut seen = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = *self.builder.node(id);
            let [a, b, ..] = node.args;
            match node.code {
                OpCode::And => stack.extend([b, a]),
                OpCode::Not if self.builder.node(a).code == OpCode::Or => {
                    let [x, y, ..] = self.builder.node(a).args;
                    let (x, y) = (self.not(x), self.not(y));
                    stack.extend([y, x]);
                }
                _ => parts.push(id),
            }
        }
        parts
    }

    /// Returns the value of a Boolean term.
    fn term(&mut self, root: TermId) -> Result<Id, LowerError> {
        let mut stack = vec![(root, false)];
        let mut args = Vec::new();
        while let Some((t, ready)) = stack.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            if !ready {
                if let Some(constant) = self.leaf(t)? {
                    self.done.insert(t, constant);
                    continue;
                }
                stack.push((t, true));
                let children = match self.store.kind(t) {
                    // The real is a constant and not a value of the program.
                    Kind::FpFromReal => &self.store.args(t)[..1],
                    _ => self.store.args(t),
                };
                stack.extend(children.iter().rev().map(|&a| (a, false)));
                continue;
            }
            args.clear();
            args.extend(self.store.args(t).iter().filter_map(|a| self.done.get(a).copied()));
            let operand = self.apply(t, &args)?;
            self.done.insert(t, operand);
            self.tick()?;
        }
        match self.done.get(&root) {
            Some(LoweredTerm::Node(id)) => Ok(*id),
            _ => Err(self.operator(root)),
        }
    }

    /// Lowers terms without looking at children: literals, symbols, and terms over other theories that have a value.
    fn leaf(&mut self, t: TermId) -> Result<Option<LoweredTerm>, LowerError> {
        match self.store.kind(t) {
            Kind::Forall | Kind::Exists | Kind::Lambda | Kind::Match | Kind::Variable => Err(LowerError::Binder),
            Kind::FpFromReal => Ok(None),
            Kind::Apply if self.store.args(t).is_empty() => self.symbol(t).map(Some),
            _ => {
                // A term over reals or integers can only be a constant, which the evaluator knows.
                let foreign = self.store.args(t).iter().any(|&a| self.is_foreign(self.store.sort(a)));
                if self.store.kind(t) == Kind::Constant || foreign {
                    return self.constant(t).map(Some);
                }
                Ok(None)
            }
        }
    }

    fn is_foreign(&self, sort: SortId) -> bool {
        Ty::of(self.store, sort).is_none() && !matches!(self.store.sorts.get(sort), Sort::Array(..))
    }

    /// Evaluates a term without symbols.
    fn constant(&mut self, t: TermId) -> Result<LoweredTerm, LowerError> {
        let sort = self.store.sort(t);
        let Some(ty) = Ty::of(self.store, sort) else { return Err(self.sort(sort)) };
        let Ok(value) = self.closed.eval(self.store, t) else {
            let foreign = self.store.args(t).iter().map(|&a| self.store.sort(a)).find(|&s| self.is_foreign(s));
            return Err(foreign.map_or_else(|| self.operator(t), |sort| self.sort(sort)));
        };
        let mut words = vec![0; ty.words()];
        words_of(&value, &mut words);
        Ok(LoweredTerm::Node(self.builder.words(ty, &words)))
    }

    fn symbol(&mut self, t: TermId) -> Result<LoweredTerm, LowerError> {
        let sort = self.store.sort(t);
        let Some(f) = self.declared(t) else { return Err(self.operator(t)) };
        if let Sort::Array(..) = self.store.sorts.get(sort) {
            self.check_array(sort)?;
            self.array_symbols.push(f);
            return Ok(self.new_array(Array::Symbol { symbol: f, sort, indices: Vec::new() }));
        }
        let Some(ty) = Ty::of(self.store, sort) else { return Err(self.sort(sort)) };
        self.sources.push(SlotSource::Constant(f));
        Ok(LoweredTerm::Node(self.builder.input(ty)))
    }

    /// Returns the declared symbol that a term applies. One with a body left is recursive.
    fn declared(&self, t: TermId) -> Option<FuncId> {
        self.store.applied(t).filter(|&f| self.store.func(f).is_declared())
    }

    fn sort(&self, sort: SortId) -> LowerError {
        LowerError::Sort(self.store.sort_text(sort))
    }

    fn operator(&self, t: TermId) -> LowerError {
        let mut text = self.store.term_text(t);
        if let Some((end, _)) = text.char_indices().nth(80) {
            text.truncate(end);
            text.push_str(" …");
        }
        LowerError::Operator(text)
    }
}

impl LoweredTerm {
    fn node(&self) -> Option<Id> {
        match self {
            LoweredTerm::Node(id) => Some(*id),
            LoweredTerm::Array(_) => None,
        }
    }
}
