//! Typed builders: the checked ways of making terms.

mod heaps;
mod literals;
mod meanings;

pub use literals::has_finite_decimal;

use crate::decl::{Binder, FuncId, MatchCase};
use crate::op::{Kind, Op};
use crate::signature::{Mismatch, SignatureRow};
use crate::sort::{DatatypeId, MAX_SORT_DEPTH, MAX_SORT_SIZE, Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use crate::theories;

/// Why a term cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// Arguments do not match the operator.
    #[error("`{name}` cannot take ({given}): expected {expected}")]
    Arguments {
        /// The operator.
        name: String,
        /// The sorts given.
        given: String,
        /// What the operator takes.
        expected: String,
    },
    /// The term's sort would be nested deeper than [`MAX_SORT_DEPTH`] or longer than [`MAX_SORT_SIZE`].
    #[error("the term's sort is nested deeper than {MAX_SORT_DEPTH} or longer than {MAX_SORT_SIZE}")]
    Sort,
    /// A quantifier's body or a pattern is ill-formed.
    #[error("{0}")]
    Binder(String),
}

/// Applications.
impl Store {
    /// Returns a theory operator on arguments, sort-checked against its row.
    /// Errors: [`BuildError::Arguments`] if the number or sorts of the arguments, or the indices, do not match.
    pub fn app(&mut self, op: Op, args: &[TermId]) -> Result<TermId, BuildError> {
        let Some(row) = theories::row(op.kind) else {
            return Err(BuildError::Binder(format!("{:?} is not an operator of a theory", op.kind)));
        };
        match self.try_row(row, op, args) {
            Ok(sort) => Ok(self.node(op, args, sort)),
            Err(_) => Err(self.mismatch(row.name, &[row], args)),
        }
    }

    pub(crate) fn try_row(&mut self, row: &SignatureRow, op: Op, args: &[TermId]) -> Result<SortId, Mismatch> {
        let mut buffer = [SortId::BOOL; 8];
        if let Some(sorts) = buffer.get_mut(..args.len()) {
            for (slot, &a) in sorts.iter_mut().zip(args) {
                *slot = self.sort(a);
            }
            return row.result_sort(op, sorts, &mut self.sorts);
        }
        let sorts: Vec<SortId> = args.iter().map(|&a| self.sort(a)).collect();
        row.result_sort(op, &sorts, &mut self.sorts)
    }

    pub(crate) fn mismatch(&self, name: &str, rows: &[&SignatureRow], args: &[TermId]) -> BuildError {
        let mut expected = String::new();
        for row in rows {
            if !expected.is_empty() {
                expected.push_str(" or ");
            }
            expected.push('(');
            for (n, pattern) in row.args.iter().enumerate() {
                if n > 0 {
                    expected.push(' ');
                }
                expected.push_str(&pattern.to_string());
            }
            if row.arity != crate::signature::Arity::Exact {
                expected.push_str(" …");
            }
            expected.push(')');
        }
        BuildError::Arguments { name: name.to_string(), given: self.sort_list(args), expected }
    }

    pub(crate) fn sort_list(&self, args: &[TermId]) -> String {
        let mut text = String::new();
        for (n, &a) in args.iter().take(20).enumerate() {
            if n > 0 {
                text.push(' ');
            }
            text.push_str(&self.sort_text(self.sort(a)));
        }
        if args.len() > 20 {
            text.push_str(" …");
        }
        text
    }

    /// Returns a function symbol applied to all its arguments.
    /// Errors: [`BuildError::Arguments`] if number or sorts do not match its rank.
    pub fn apply(&mut self, f: FuncId, args: &[TermId]) -> Result<TermId, BuildError> {
        let func = &self.funcs[f.index()];
        let fits = func.params.len() == args.len() && func.params.iter().zip(args).all(|(&p, &a)| p == self.sort(a));
        let result = func.result;
        if fits && !self.sorts.has_parameter(result) {
            return Ok(self.node(Op::indexed(Kind::Apply, f.0, 0), args, result));
        }
        self.apply_parametric(f, args)
    }

    /// `sort`, if terms may have it.
    fn bounded(&self, sort: SortId) -> Result<SortId, BuildError> {
        if self.sorts.is_bounded(sort) { Ok(sort) } else { Err(BuildError::Sort) }
    }

    fn apply_parametric(&mut self, f: FuncId, args: &[TermId]) -> Result<TermId, BuildError> {
        let func = self.func(f).clone();
        let mut bindings = Vec::new();
        let fits = func.params.len() == args.len()
            && func.params.iter().zip(args).all(|(&p, &a)| self.sorts.matches(p, self.sort(a), &mut bindings));
        if fits && self.sorts.is_fixed(func.result, &bindings) {
            let result = self.sorts.instantiate(func.result, &bindings);
            let result = self.bounded(result)?;
            return Ok(self.node(Op::indexed(Kind::Apply, f.0, 0), args, result));
        }
        let mut expected = String::from("(");
        for (n, &p) in func.params.iter().enumerate() {
            if n > 0 {
                expected.push(' ');
            }
            expected.push_str(&self.sort_text(p));
        }
        expected.push(')');
        Err(BuildError::Arguments { name: self.name(func.name).to_string(), given: self.sort_list(args), expected })
    }

    /// Returns a function symbol of arity 0 as a term, at the sort of its declaration.
    /// Errors: [`BuildError::Arguments`] if it takes arguments.
    pub fn constant_of(&mut self, f: FuncId) -> Result<TermId, BuildError> {
        self.apply_at(f, &[], self.func(f).result)
    }

    /// An application at a sort given by `(as f S)`, for functions whose arguments do not determine the result sort.
    pub(crate) fn apply_at(&mut self, f: FuncId, args: &[TermId], sort: SortId) -> Result<TermId, BuildError> {
        let func = self.func(f).clone();
        let mut bindings = Vec::new();
        let fits = func.params.len() == args.len()
            && self.sorts.matches(func.result, sort, &mut bindings)
            && func.params.iter().zip(args).all(|(&p, &a)| self.sorts.matches(p, self.sort(a), &mut bindings));
        if fits {
            return Ok(self.node(Op::indexed(Kind::Apply, f.0, 0), args, sort));
        }
        self.apply_parametric(f, args)
    }

    /// A constructor on its fields. `sort` is the datatype instance, needed if the fields do not determine it.
    /// Errors: [`BuildError::Arguments`] if the fields do not match, or the instance is not determined.
    pub fn construct(
        &mut self,
        datatype: DatatypeId,
        constructor: usize,
        args: &[TermId],
        sort: Option<SortId>,
    ) -> Result<TermId, BuildError> {
        let dt = &self.datatypes[datatype.index()];
        let params = dt.params.clone();
        let name = dt.constructors[constructor].name;
        let fields: Vec<SortId> = dt.constructors[constructor].fields.iter().map(|f| f.1).collect();
        let mut bindings = Vec::new();
        if let Some(sort) = sort
            && let Sort::Datatype(d, sort_args) = self.sorts.get(sort)
            && *d == datatype
        {
            bindings.extend(params.iter().copied().zip(sort_args.iter().copied()));
        }
        let fits = fields.len() == args.len()
            && fields.iter().zip(args).all(|(&p, &a)| self.sorts.matches(p, self.sort(a), &mut bindings));
        let instance: Option<Box<[SortId]>> =
            params.iter().map(|p| bindings.iter().find(|b| b.0 == *p).map(|b| b.1)).collect();
        let Some(instance) = instance.filter(|_| fits) else {
            let mut expected: Vec<String> = fields.iter().map(|&f| self.sort_text(f)).collect();
            if fits {
                expected.push("and its sort given by `(as … SORT)`".to_string());
            }
            return Err(BuildError::Arguments {
                name: self.name(name).to_string(),
                given: self.sort_list(args),
                expected: format!("({})", expected.join(" ")),
            });
        };
        let sort = self.sorts.intern(Sort::Datatype(datatype, instance));
        let sort = self.bounded(sort)?;
        Ok(self.node(Op::indexed(Kind::Construct, datatype.0, constructor as u32), args, sort))
    }

    /// Returns the tuple of these fields.
    /// Errors: [`BuildError::Sort`] if there are more than [`MAX_TUPLE`](crate::MAX_TUPLE), or the sort is too large.
    pub fn tuple(&mut self, fields: &[TermId]) -> Result<TermId, BuildError> {
        let datatype = DatatypeId::tuple(fields.len()).ok_or(BuildError::Sort)?;
        self.construct(datatype, 0, fields, None)
    }

    /// Returns the tester `(_ is c)` on a term of the datatype; `true` for a tuple, since cvc5 has no tester of tuples.
    /// Errors: [`BuildError::Arguments`] if `t` is not of the datatype.
    pub fn tester(&mut self, datatype: DatatypeId, constructor: usize, t: TermId) -> Result<TermId, BuildError> {
        self.expect_datatype(datatype, "is", t)?;
        if datatype.is_tuple() {
            return Ok(self.bool(true));
        }
        Ok(self.node(Op::indexed(Kind::Test, datatype.0, constructor as u32), &[t], SortId::BOOL))
    }

    /// Returns a selector on a term of the datatype.
    /// Errors: [`BuildError::Arguments`] if `t` is not of the datatype.
    pub fn selector(
        &mut self,
        datatype: DatatypeId,
        constructor: usize,
        field: usize,
        t: TermId,
    ) -> Result<TermId, BuildError> {
        self.expect_datatype(datatype, "selector", t)?;
        let sort = self.field_sorts(self.sort(t), constructor)[field];
        let sort = self.bounded(sort)?;
        let j = (constructor as u32) << 16 | field as u32;
        Ok(self.node(Op::indexed(Kind::Select, datatype.0, j), &[t], sort))
    }

    /// `((_ update sel) t v)`: `t` with one field replaced, if `t` is of the selector's constructor.
    /// Errors: [`BuildError::Arguments`] if a sort does not match.
    pub fn update(
        &mut self,
        datatype: DatatypeId,
        constructor: usize,
        field: usize,
        t: TermId,
        value: TermId,
    ) -> Result<TermId, BuildError> {
        self.expect_datatype(datatype, "update", t)?;
        let sort = self.field_sorts(self.sort(t), constructor)[field];
        if sort != self.sort(value) {
            return Err(BuildError::Arguments {
                name: "update".to_string(),
                given: self.sort_list(&[t, value]),
                expected: self.sort_text(sort),
            });
        }
        let j = (constructor as u32) << 16 | field as u32;
        let result = self.sort(t);
        Ok(self.node(Op::indexed(Kind::Update, datatype.0, j), &[t, value], result))
    }

    fn expect_datatype(&self, datatype: DatatypeId, name: &str, t: TermId) -> Result<(), BuildError> {
        match self.sorts.get(self.sort(t)) {
            Sort::Datatype(d, _) if *d == datatype => Ok(()),
            _ => Err(BuildError::Arguments {
                name: name.to_string(),
                given: self.sort_list(&[t]),
                expected: self.name(self.datatype(datatype).name).to_string(),
            }),
        }
    }

    /// `((as const SORT) element)`.
    /// Errors: [`BuildError::Arguments`] if `sort` is not an array of elements of that sort.
    pub fn const_array(&mut self, sort: SortId, element: TermId) -> Result<TermId, BuildError> {
        match self.sorts.get(sort) {
            Sort::Array(_, e) if *e == self.sort(element) => Ok(self.node(Op::new(Kind::ConstArray), &[element], sort)),
            _ => Err(BuildError::Arguments {
                name: format!("as const {}", self.sort_text(sort)),
                given: self.sort_list(&[element]),
                expected: "the element sort of an array".to_string(),
            }),
        }
    }

    /// `(as seq.empty SORT)`.
    /// Errors: [`BuildError::Arguments`] if `sort` is not a sequence sort.
    pub fn empty_sequence(&mut self, sort: SortId) -> Result<TermId, BuildError> {
        match self.sorts.get(sort) {
            Sort::Seq(_) => Ok(self.node(Op::new(Kind::SeqEmpty), &[], sort)),
            _ => Err(BuildError::Arguments {
                name: "as seq.empty".to_string(),
                given: self.sort_text(sort),
                expected: "a sort of sequences, (Seq A)".to_string(),
            }),
        }
    }

    /// `(as set.empty SORT)` or `(as set.universe SORT)`.
    /// Errors: [`BuildError::Arguments`] if `kind` is neither, or `sort` is not a set sort.
    pub fn set_constant(&mut self, kind: Kind, sort: SortId) -> Result<TermId, BuildError> {
        match (theories::collections::constant_name(kind), self.sorts.get(sort)) {
            (Some(_), Sort::Set(_)) => Ok(self.node(Op::new(kind), &[], sort)),
            (name, _) => Err(BuildError::Arguments {
                name: format!("as {}", name.unwrap_or("set.empty")),
                given: self.sort_text(sort),
                expected: "a sort (Set A)".to_string(),
            }),
        }
    }

    /// `(as bag.empty SORT)`.
    /// Errors: [`BuildError::Arguments`] if `sort` is not a bag sort.
    pub fn empty_bag(&mut self, sort: SortId) -> Result<TermId, BuildError> {
        match self.sorts.get(sort) {
            Sort::Bag(_) => Ok(self.node(Op::new(Kind::BagEmpty), &[], sort)),
            _ => Err(BuildError::Arguments {
                name: "as bag.empty".to_string(),
                given: self.sort_text(sort),
                expected: "a sort (Bag A)".to_string(),
            }),
        }
    }

    /// `(_ as-array f)`: a function of one or more arguments as an array (curried for more).
    /// Errors: [`BuildError::Binder`] if `f` takes no argument.
    pub fn as_array(&mut self, f: FuncId) -> Result<TermId, BuildError> {
        let func = self.func(f).clone();
        if func.params.is_empty() {
            return Err(BuildError::Binder("`as-array` needs a function with arguments".to_string()));
        }
        let sort = func.params.iter().rev().fold(func.result, |element, &index| self.sorts.array(index, element));
        let sort = self.bounded(sort)?;
        Ok(self.node(Op::indexed(Kind::AsArray, f.0, 0), &[], sort))
    }

    /// Returns a function symbol as a value of its map sort (SMT-LIB 2.7).
    /// Errors: [`BuildError::Sort`] if its sort is too large.
    pub fn func_value(&mut self, f: FuncId) -> Result<TermId, BuildError> {
        let func = self.func(f).clone();
        let sort = func.params.iter().rev().fold(func.result, |to, &from| self.sorts.intern(Sort::Map(from, to)));
        let sort = self.bounded(sort)?;
        Ok(self.node(Op::indexed(Kind::FuncValue, f.0, 0), &[], sort))
    }

    /// Returns a value of a map sort applied to one argument.
    /// Errors: [`BuildError::Arguments`] if the sorts do not match.
    pub fn apply_map(&mut self, map: TermId, arg: TermId) -> Result<TermId, BuildError> {
        match *self.sorts.get(self.sort(map)) {
            Sort::Map(from, to) if from == self.sort(arg) => Ok(self.node(Op::new(Kind::ApplyMap), &[map, arg], to)),
            _ => Err(BuildError::Arguments {
                name: "@".to_string(),
                given: self.sort_list(&[map, arg]),
                expected: "a map `(-> A B)` and a term of its sort A".to_string(),
            }),
        }
    }

    /// Returns the map of `sort` with this value everywhere, as a `lambda`.
    /// Errors: [`BuildError::Arguments`] if `sort` is not a map to values of that sort.
    pub fn constant_map(&mut self, sort: SortId, value: TermId) -> Result<TermId, BuildError> {
        match *self.sorts.get(sort) {
            Sort::Map(from, to) if to == self.sort(value) => self.map_by_body(from, &[value], |_, _| Ok(value)),
            _ => Err(BuildError::Arguments {
                name: format!("as const {}", self.sort_text(sort)),
                given: self.sort_list(&[value]),
                expected: "the sort of the values of a map".to_string(),
            }),
        }
    }

    /// The map that has `value` at `key` and is `map` elsewhere, as a `lambda` whose body is a chain of cases.
    /// Errors: [`BuildError::Arguments`] if the sorts do not match.
    pub fn updated_map(&mut self, map: TermId, key: TermId, value: TermId) -> Result<TermId, BuildError> {
        let other = self.apply_map(map, key)?;
        let is_closed = |t: TermId| self.flags(t) & crate::term::HAS_VARIABLE == 0;
        if let (Some(binder), &[body]) = (self.op(map).binder(), self.args(map))
            && let [(name, from)] = self.binder(binder).vars[..]
            && is_closed(key)
            && is_closed(value)
        {
            let (binder, variable) = (self.binder(binder).clone(), self.bound_variable(name, from));
            let is_key = self.eq(variable, key)?;
            let body = self.app(Op::new(Kind::Ite), &[is_key, value, body])?;
            return self.bind(Kind::Lambda, binder, &[body]);
        }
        let from = self.sort(key);
        self.map_by_body(from, &[other, value], |store, variable| {
            let (is_key, elsewhere) = (store.eq(variable, key)?, store.apply_map(map, variable)?);
            store.app(Op::new(Kind::Ite), &[is_key, value, elsewhere])
        })
    }

    /// Returns a quantifier or lambda: `args` are the body, then all pattern terms as `binder.patterns` groups them.
    /// Errors: [`BuildError::Binder`] if there is no variable or a quantifier's body is not Boolean.
    pub fn bind(&mut self, kind: Kind, binder: Binder, args: &[TermId]) -> Result<TermId, BuildError> {
        let Some(&body) = args.first() else {
            return Err(BuildError::Binder("a binder needs a body".to_string()));
        };
        if binder.vars.is_empty() {
            return Err(BuildError::Binder("a binder needs at least one variable".to_string()));
        }
        let sort = match kind {
            Kind::Forall | Kind::Exists if self.is_bool(body) => SortId::BOOL,
            Kind::Lambda => {
                let vars = binder.vars.clone();
                let sort = vars.iter().rev().fold(self.sort(body), |to, v| self.sorts.intern(Sort::Map(v.1, to)));
                self.bounded(sort)?
            }
            _ => {
                return Err(BuildError::Binder(format!(
                    "the body of a quantifier must be Bool, this is {}",
                    self.sort_text(self.sort(body))
                )));
            }
        };
        let id = self.binder_id(binder);
        Ok(self.node(Op::indexed(kind, id.0, 0), args, sort))
    }

    /// Returns a `match`: `args` are the scrutinee, then one body per case.
    /// Errors: [`BuildError::Binder`] if the bodies are not all of one sort.
    pub fn match_term(&mut self, cases: Box<[MatchCase]>, args: &[TermId]) -> Result<TermId, BuildError> {
        let bodies = args.get(1..).unwrap_or_default();
        let Some(&first) = bodies.first() else {
            return Err(BuildError::Binder("a match needs at least one case".to_string()));
        };
        if bodies.len() != cases.len() || bodies.iter().any(|&b| self.sort(b) != self.sort(first)) {
            return Err(BuildError::Binder(format!(
                "the cases of a match must be of one sort, these are ({})",
                self.sort_list(bodies)
            )));
        }
        let sort = self.sort(first);
        let id = self.match_id(cases);
        Ok(self.node(Op::indexed(Kind::Match, id.0, 0), args, sort))
    }
}

/// Booleans, which need no sort check beyond a debug assertion.
impl Store {
    /// `(not t)`.
    pub fn not(&mut self, t: TermId) -> TermId {
        debug_assert!(self.is_bool(t));
        self.node(Op::new(Kind::Not), &[t], SortId::BOOL)
    }

    /// `(and …)` of any number of Booleans: `true` for none, the Boolean itself for one.
    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.junction(Kind::And, args)
    }

    /// `(or …)` of any number of Booleans: `false` for none, the Boolean itself for one.
    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.junction(Kind::Or, args)
    }

    fn junction(&mut self, kind: Kind, args: &[TermId]) -> TermId {
        debug_assert!(args.iter().all(|&a| self.is_bool(a)));
        match args {
            [] => self.bool(kind == Kind::And),
            &[one] => one,
            _ => self.node(Op::new(kind), args, SortId::BOOL),
        }
    }

    /// `(= a b)` of two terms of one sort.
    /// Errors: [`BuildError::Arguments`] if the sorts differ.
    pub fn eq(&mut self, a: TermId, b: TermId) -> Result<TermId, BuildError> {
        self.app(Op::new(Kind::Eq), &[a, b])
    }

    /// Returns a variable name bound to a sort, for [`Binder`]s made by hand.
    pub fn named_variable(&mut self, name: &str, sort: SortId) -> (Symbol, TermId) {
        let symbol = self.symbols.intern(name);
        (symbol, self.bound_variable(symbol, sort))
    }
}
