//! Constructs whose parts are being read: the stack of the loop that reads terms.

use crate::decl::MatchCase;
use crate::lexer::Token;
use crate::op::Kind;
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use crate::symbol::{FuncId, TermId};

/// A construct whose parts are being read.
pub(super) enum ParseFrame {
    /// An application: its operands are those from `base` on.
    Apply { head: AppliedHead, base: usize, at: Token },
    /// The bindings of a `let`: names from `names` on in `let_names`, terms from `base` on in the operands.
    LetBindings { names: usize, base: usize },
    /// The body of a `let`; names shadowed from `mark` on are to be restored.
    LetBody { mark: usize },
    /// The body of a quantifier or lambda.
    Binder { kind: Kind, vars: Vec<(Symbol, SortId)>, mark: usize, at: Token, annotations: Annotations },
    /// `(! t …)`: the term and pattern terms are the operands from `base` on.
    Annotated { base: usize, name: Option<(Symbol, Token)>, annotations: Annotations, part: AnnotationPart },
    /// `match`: the scrutinee and the case bodies are the operands from `base` on.
    Match { base: usize, cases: Vec<MatchCase>, mark: usize, at: Token },
}

/// Which part of an annotation is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AnnotationPart {
    /// The annotated term.
    Term,
    /// The terms of a `:pattern`, with their number so far.
    Pattern(u32),
    /// The term of a `:no-pattern`.
    NoPattern,
}

/// Attributes of a quantifier.
#[derive(Default, Clone)]
pub(super) struct Annotations {
    pub patterns: Vec<u32>,
    pub pattern_terms: Vec<TermId>,
    pub no_pattern_terms: Vec<TermId>,
    pub qid: Option<Symbol>,
    pub weight: Option<u32>,
}

impl Annotations {
    /// Adds those of an inner annotation, which come first in the text if these have none yet.
    pub(super) fn take(&mut self, inner: Annotations) {
        append(&mut self.patterns, inner.patterns);
        append(&mut self.pattern_terms, inner.pattern_terms);
        append(&mut self.no_pattern_terms, inner.no_pattern_terms);
        self.qid = inner.qid.or(self.qid);
        self.weight = inner.weight.or(self.weight);
    }
}

/// Moves the first part, so that repeated passing on does not copy it each time.
fn append<T>(list: &mut Vec<T>, more: Vec<T>) {
    if list.is_empty() {
        *list = more;
    } else {
        list.extend(more);
    }
}

/// How an overloaded name is used in the head of an application.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadRole {
    /// Alone.
    Plain,
    /// In `(_ is c)`.
    Tester,
    /// In `(_ update s)`.
    Update,
}

/// The head of an application.
#[derive(Clone, Copy)]
pub(super) enum AppliedHead {
    /// A theory's operators of one name, with up to two indices.
    Theory {
        group: u32,
        indices: [u32; 2],
        count: u8,
    },
    Func(FuncId),
    /// `(as f S)`.
    FuncAs(FuncId, SortId),
    Constructor(DatatypeId, u32, Option<SortId>),
    /// An overloaded name, by its number in the scope; the operands, or the sort given by `as`, choose one meaning.
    Overloaded(u32, HeadRole, Option<SortId>),
    Tester(DatatypeId, u32),
    Selector(DatatypeId, u16, u16),
    Update(DatatypeId, u16, u16),
    /// `(as const S)`.
    ConstArray(SortId),
    /// `(as set.empty S)` and the like.
    SetConstant(Kind, SortId),
    /// `(as bag.empty S)`.
    BagEmpty(SortId),
    /// An operator of tuples or nullable sorts whose operands say which.
    Tuple(TupleHead),
    /// A cardinality or a sum of formulas, by its number among those read.
    Sum(usize),
    /// z3's `(_ map f)` of arrays.
    MapArrays(Mapped),
    /// An operator on heaps.
    Heap(Kind),
    /// A term of a map sort, applied to the operands one by one.
    Value(TermId),
    /// `@` or `_`: the first operand is of a map sort and is applied to the rest.
    ApplyMap,
}

/// What z3's `(_ map f)` applies to the elements of arrays.
#[derive(Clone, Copy)]
pub(super) enum Mapped {
    Func(FuncId),
    /// A theory's operators of one name.
    Theory(u32),
}

/// What is done with the tuples of a relation or table, with the numbers of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowOperator {
    /// These fields of each tuple.
    Project,
    /// The parts of tuples that agree on these fields.
    Group,
    /// A fold of each group: the function and the first result come before the relation.
    Aggregate,
    /// The pairs of tuples of two relations that agree on fields: one of the first, one of the second, and so on.
    Join,
}

/// An operator whose operands say of which tuples or nullable sort it is.
#[derive(Clone, Copy)]
pub(super) enum TupleHead {
    /// `(tuple a b …)`.
    Make,
    /// `((_ tuple.select i) t)`.
    Select(usize),
    /// `((_ tuple.update i) t v)`.
    Update(usize),
    /// `((_ tuple.project i …) t)`: the numbers, four bits each, the first one lowest, and how many.
    Project(u64, usize),
    /// `((_ rel.group i …) r)` and its like, with the numbers as in [`TupleHead::Project`].
    Rows(RowOperator, u64, usize),
    /// `((_ nullable.lift f) a b …)`, or the function is the first operand.
    Lift(Option<FuncId>),
}
