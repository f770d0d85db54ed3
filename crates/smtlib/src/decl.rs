//! Declarations: functions, datatypes, binders and `match` cases.

use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use crate::symbol::TermId;

pub use crate::symbol::FuncId;

/// A function symbol: its rank, and its definition if it has one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Func {
    /// Its name.
    pub name: Symbol,
    /// Sorts of its arguments.
    pub params: Box<[SortId]>,
    /// Sort of its result.
    pub result: SortId,
    /// Its definition, if any.
    pub body: FuncBody,
}

/// The definition of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FuncBody {
    /// None: a model chooses.
    Declared,
    /// `declare-rel`: none, and rules may derive its facts (z3).
    Relation,
    /// `define-fun`: an abbreviation; `vars` are the names of the parameters in `body`.
    Defined {
        /// Parameter names; they occur as variables in the body.
        vars: Box<[Symbol]>,
        /// The body.
        body: TermId,
    },
    /// `define-fun-rec`: like `Defined`, but the body may mention the function itself, and functions of the same group.
    Recursive {
        /// Parameter names; they occur as variables in the body.
        vars: Box<[Symbol]>,
        /// The body.
        body: TermId,
    },
}

impl Func {
    /// Parameter names and body of a defined function, recursive or not.
    pub fn definition(&self) -> Option<(&[Symbol], TermId)> {
        match &self.body {
            FuncBody::Declared | FuncBody::Relation => None,
            FuncBody::Defined { vars, body } | FuncBody::Recursive { vars, body } => Some((vars, *body)),
        }
    }

    /// Whether a model chooses its value.
    pub fn is_declared(&self) -> bool {
        matches!(self.body, FuncBody::Declared | FuncBody::Relation)
    }
}

/// A datatype: a sort built by constructors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: Symbol,
    /// Its sort parameters, empty unless parametric.
    pub params: Box<[Symbol]>,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
    /// The first datatype declared by the same command, and how many it declares.
    pub group: (DatatypeId, u32),
}

/// A constructor of a datatype.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Symbol,
    /// Its selectors with their sorts, which may mention the datatype's parameters.
    pub fields: Vec<(Symbol, SortId)>,
}

/// The variables of a quantifier or lambda, and the grouping of its patterns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder {
    /// Variables with their sorts.
    pub vars: Box<[(Symbol, SortId)]>,
    /// Lengths of the `:pattern` attributes, in the order of the node's children after the body.
    pub patterns: Box<[u32]>,
    /// The `:no-pattern` terms, counted after the patterns.
    pub no_patterns: u32,
    /// `:qid`.
    pub qid: Option<Symbol>,
    /// `:weight` and `:skolemid`, kept as text.
    pub weight: Option<u32>,
}

/// One case of a `match`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MatchCase {
    /// The constructor matched; `None` for a variable or `_`.
    pub constructor: Option<u32>,
    /// The variables bound: one per field, or the one variable of a catch-all; `None` for `_`.
    pub vars: Box<[Option<Symbol>]>,
}
