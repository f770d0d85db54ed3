//! Tuples, relations, tables and nullable sorts, which cvc5 has built in. What a script declares under their names hides them.

use super::frame::{AppliedHead, TupleHead};
use super::reader::Parser;
use super::rows::row_operator;
use crate::build::BuildError;
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::op::{Kind, Op};
use crate::sort::{DatatypeId, MAX_TUPLE, Sort, SortId};
use crate::standard::Binding;
use crate::symbol::{FuncId, Symbol, TermId};

/// The bits of a field number in [`TupleHead::Project`].
const BITS: usize = MAX_TUPLE.ilog2() as usize;

/// Returns the number at this position among packed ones.
fn place(packed: u64, n: usize) -> usize {
    (packed >> (n * BITS)) as usize % MAX_TUPLE
}

impl Parser<'_> {
    /// Returns the sort of this name that is built in; `None` also for a script that gives `tuple` another meaning.
    pub(super) fn tuple_sort(&mut self, name: Symbol, args: &[SortId]) -> Option<SortId> {
        let constructor = self.store.symbols.intern("tuple");
        let is_free = self.scope.get(constructor) == Binding::Unbound;
        let sorts = &mut self.store.sorts;
        match (self.store.symbols.name(name), args) {
            ("Nullable", &[held]) => Some(sorts.intern(Sort::Datatype(DatatypeId::NULLABLE, [held].into()))),
            ("UnitTuple", []) => sorts.tuple(&[]),
            (_, []) => None,
            ("Tuple", fields) if is_free => sorts.tuple(fields),
            ("Relation", fields) if is_free => sorts.tuple(fields).map(|tuple| sorts.set(tuple)),
            ("Table", fields) if is_free => sorts.tuple(fields).map(|tuple| sorts.bag(tuple)),
            _ => None,
        }
    }

    /// Returns the built-in operator of an unbound name.
    pub(super) fn built_in_head(&self, name: Symbol) -> Option<AppliedHead> {
        const NULLABLE: DatatypeId = DatatypeId::NULLABLE;
        if let Some(operator) = row_operator(self.store.name(name)) {
            return Some(AppliedHead::Tuple(TupleHead::Rows(operator, 0, 0)));
        }
        Some(match self.store.name(name) {
            "tuple" => AppliedHead::Tuple(TupleHead::Make),
            "tuple.project" => AppliedHead::Tuple(TupleHead::Project(0, 0)),
            "nullable.lift" => AppliedHead::Tuple(TupleHead::Lift(None)),
            "nullable.null" => AppliedHead::Constructor(NULLABLE, 0, None),
            "nullable.some" => AppliedHead::Constructor(NULLABLE, 1, None),
            "nullable.val" => AppliedHead::Selector(NULLABLE, 1, 0),
            "nullable.is_null" => AppliedHead::Tester(NULLABLE, 0),
            "nullable.is_some" => AppliedHead::Tester(NULLABLE, 1),
            _ => return None,
        })
    }

    /// After `(_ name`: the built-in operator with indices, up to and including `)`; nothing is consumed if there is none.
    pub(super) fn indexed_tuple(&mut self, name: Symbol, at: Token) -> Result<Option<AppliedHead>, Error> {
        let text = self.store.name(name);
        let known = ["tuple.select", "tuple.update", "tuple.project", "nullable.lift"];
        let old = ["tuple_select", "tuple_update", "tuple_project"];
        let rows = row_operator(text);
        let place = known.iter().position(|&k| k == text).or_else(|| old.iter().position(|&k| k == text));
        let Some(place) = place.or(rows.map(|_| known.len())).filter(|_| self.scope.get(name) == Binding::Unbound)
        else {
            return Ok(None);
        };
        if place == 3 {
            let (function, at) = self.symbol("a function")?;
            self.expect(TokenKind::Close, "`)`")?;
            return match self.scope.get(function) {
                Binding::Func(f) => Ok(Some(AppliedHead::Tuple(TupleHead::Lift(Some(f))))),
                _ => Err(Error::opaque(at.span())),
            };
        }
        let mut fields = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            fields.push(self.index("a field number")? as usize);
        }
        self.next()?;
        let packed = || fields.iter().rev().fold(0, |packed, &field| packed << BITS | field as u64);
        let head = match (place, &fields[..]) {
            _ if fields.len() > MAX_TUPLE || fields.iter().any(|&field| field >= MAX_TUPLE) => {
                return Err(Error::opaque(at.span()));
            }
            (0, &[field]) => TupleHead::Select(field),
            (1, &[field]) => TupleHead::Update(field),
            (2, [_, ..]) => TupleHead::Project(packed(), fields.len()),
            _ if let Some(operator) = rows => TupleHead::Rows(operator, packed(), fields.len()),
            _ => {
                return Err(Error::new(at.span(), format!("`{}` with {} indices", known[place], fields.len()))
                    .help("expected the number of a field, from 0"));
            }
        };
        Ok(Some(AppliedHead::Tuple(head)))
    }

    /// Returns such an operator on its operands.
    pub(super) fn apply_tuple(&mut self, head: TupleHead, args: &[TermId], at: Token) -> Result<TermId, Error> {
        let made = match (head, args) {
            (TupleHead::Make, _) => match self.store.tuple(args) {
                Err(BuildError::Sort) => return Err(Error::opaque(at.span())),
                made => made,
            },
            (TupleHead::Select(field), &[whole]) => self.tuple_field(whole, field, at)?,
            (TupleHead::Update(field), &[whole, value]) => {
                let held = self.tuple_field(whole, field, at)?;
                let datatype = held.as_ref().ok().and_then(|&held| self.store.op(held).constructor());
                datatype.map_or(held, |(d, _)| self.store.update(d, 0, field, whole, value))
            }
            (TupleHead::Rows(operator, packed, count), _) => {
                let fields: Vec<usize> = (0..count).map(|n| place(packed, n)).collect();
                return self.apply_rows(operator, &fields, args, at);
            }
            (TupleHead::Project(packed, count), &[whole]) => {
                let fields: Result<Result<Vec<TermId>, _>, Error> =
                    (0..count).map(|n| self.tuple_field(whole, place(packed, n), at)).collect();
                fields?.and_then(|fields| self.store.tuple(&fields))
            }
            (TupleHead::Lift(f), _) => self.lifted(f, args),
            _ => {
                let message = format!("operands of an operator of tuples: ({})", self.store.sort_list(args));
                return Err(Error::new(at.span(), message).help("expected a tuple, and a value for an update"));
            }
        };
        made.map_err(|e| Error::new(at.span(), e.to_string()))
    }

    /// Returns a field of a tuple.
    fn tuple_field(&mut self, whole: TermId, field: usize, at: Token) -> Result<Result<TermId, BuildError>, Error> {
        match self.store.sorts.get(self.store.sort(whole)) {
            Sort::Extension(..) => Err(Error::opaque(at.span())),
            &Sort::Datatype(d, ref fields) if d.is_tuple() && field < fields.len() => {
                Ok(self.store.selector(d, 0, field, whole))
            }
            _ => {
                let sort = self.store.sort_text(self.store.sort(whole));
                Err(Error::new(at.span(), format!("no field {field} in {sort}"))
                    .help("expected a tuple with the field, counted from 0"))
            }
        }
    }

    /// Returns the value of a function on nullable operands: null if one of them is.
    fn lifted(&mut self, f: Option<FuncId>, args: &[TermId]) -> Result<TermId, BuildError> {
        let (d, operands) = (DatatypeId::NULLABLE, if f.is_some() { args } else { args.get(1..).unwrap_or_default() });
        let (mut held, mut present) = (Vec::new(), Vec::new());
        for &operand in operands {
            present.push(self.store.tester(d, 1, operand)?);
            held.push(self.store.selector(d, 1, 0, operand)?);
        }
        let value = match (f, args.first()) {
            (Some(f), _) => self.store.apply(f, &held)?,
            (None, Some(&map)) => self.apply_map(map, &held)?,
            (None, None) => return Err(BuildError::Binder("`nullable.lift` needs a function".to_string())),
        };
        let some = self.store.construct(d, 1, &[value], None)?;
        let sort = self.store.sort(some);
        let null = self.store.construct(d, 0, &[], Some(sort))?;
        let present = self.store.and(&present);
        self.store.app(Op::new(Kind::Ite), &[present, some, null])
    }
}
