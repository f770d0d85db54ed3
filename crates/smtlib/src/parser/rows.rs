//! Operators of cvc5 on the tuples of relations and tables, which are read as functions with a meaning in collections.
//!
//! `((_ rel.project 1 0) R)` means `(set.map (lambda ((t T)) (tuple ((_ tuple.select 1) t) ((_ tuple.select 0) t))) R)`. Groups of the empty
//! relation are one, itself, as cvc5 computes them.

use super::frame::RowOperator;
use super::reader::Parser;
use crate::build::BuildError;
use crate::error::Error;
use crate::lexer::Token;
use crate::op::{Kind, Op};
use crate::sort::{Sort, SortId};
use crate::term::{Store, TermId};
use crate::theories::extensions::ROWS;

/// The operators, of which [`ROWS`] has two names each: on relations and on tables.
const OPERATORS: [RowOperator; 4] =
    [RowOperator::Project, RowOperator::Group, RowOperator::Aggregate, RowOperator::Join];

/// Returns the operator of this name.
pub(super) fn row_operator(name: &str) -> Option<RowOperator> {
    OPERATORS.get(ROWS.iter().position(|own| *own == name)? / 2).copied()
}

/// Relations or tables: the kinds of the functions on them.
struct Rows {
    tuple: SortId,
    map: Kind,
    filter: Kind,
    fold: Kind,
}

impl Parser<'_> {
    /// Returns such an operator on its operands.
    pub(super) fn apply_rows(
        &mut self,
        operator: RowOperator,
        fields: &[usize],
        args: &[TermId],
        at: Token,
    ) -> Result<TermId, Error> {
        let is_table =
            args.last().is_some_and(|&whole| matches!(self.store.sorts.get(self.store.sort(whole)), Sort::Bag(_)));
        let place = 2 * operator as usize + usize::from(is_table);
        // What does not fit may be another solver's.
        let name = *ROWS.get(place).ok_or_else(|| Error::opaque(at.span()))?;
        let indices: String = fields.iter().map(|field| format!(" {field}")).collect();
        let name = if fields.is_empty() { name.to_string() } else { format!("(_ {name}{indices})") };
        let made = self.store.apply_meaning(&name, args, |store, args| store.rows(operator, fields, args));
        made.map_err(|_| Error::opaque(at.span()))
    }
}

impl Store {
    fn rows(&mut self, operator: RowOperator, fields: &[usize], args: &[TermId]) -> Result<TermId, BuildError> {
        let wrong = BuildError::Sort;
        let Some(&whole) = args.last() else { return Err(wrong) };
        let rows = match *self.sorts.get(self.sort(whole)) {
            Sort::Set(tuple) => Rows { tuple, map: Kind::SetMap, filter: Kind::SetFilter, fold: Kind::SetFold },
            Sort::Bag(tuple) => Rows { tuple, map: Kind::BagMap, filter: Kind::BagFilter, fold: Kind::BagFold },
            _ => return Err(wrong),
        };
        let width = |store: &Store, tuple: SortId| match store.sorts.get(tuple) {
            Sort::Datatype(d, fields) if d.is_tuple() => fields.len(),
            _ => 0,
        };
        let own = width(self, rows.tuple);
        match (operator, args) {
            (RowOperator::Join, &[first, _]) => {
                let other = match *self.sorts.get(self.sort(first)) {
                    Sort::Set(tuple) => width(self, tuple),
                    _ => return Err(wrong),
                };
                if fields.len() % 2 == 1 || fields.chunks(2).any(|pair| pair[0] >= other || pair[1] >= own) {
                    return Err(wrong);
                }
                let product = self.app(Op::new(Kind::RelProduct), args)?;
                let Sort::Set(tuple) = *self.sorts.get(self.sort(product)) else { return Err(wrong) };
                let agree = self.map_by_body(tuple, &[], |store, row| {
                    let mut same = Vec::with_capacity(fields.len() / 2);
                    for pair in fields.chunks(2) {
                        let places = [store.field(row, pair[0])?, store.field(row, other + pair[1])?];
                        same.push(store.eq(places[0], places[1])?);
                    }
                    Ok(store.and(&same))
                })?;
                self.app(Op::new(Kind::SetFilter), &[agree, product])
            }
            _ if fields.iter().any(|&field| field >= own) => Err(wrong),
            (RowOperator::Project, &[_]) => {
                let made = self.map_by_body(rows.tuple, &[], |store, row| {
                    let parts = fields.iter().map(|&field| store.field(row, field)).collect::<Result<Vec<_>, _>>()?;
                    store.tuple(&parts)
                })?;
                self.app(Op::new(rows.map), &[made, whole])
            }
            (RowOperator::Group, &[_]) => self.groups(&rows, fields, whole),
            (RowOperator::Aggregate, &[function, first, _]) => {
                let groups = self.groups(&rows, fields, whole)?;
                let part = self.sort(whole);
                let folded = self.map_by_body(part, &[function, first], |store, part| {
                    store.app(Op::new(rows.fold), &[function, first, part])
                })?;
                self.app(Op::new(rows.map), &[folded, groups])
            }
            _ => Err(wrong),
        }
    }

    fn field(&mut self, row: TermId, field: usize) -> Result<TermId, BuildError> {
        match *self.sorts.get(self.sort(row)) {
            Sort::Datatype(d, _) => self.selector(d, 0, field, row),
            _ => Err(BuildError::Sort),
        }
    }

    /// Returns the set or bag of the parts that agree on fields.
    fn groups(&mut self, rows: &Rows, fields: &[usize], whole: TermId) -> Result<TermId, BuildError> {
        let part = self.map_by_body(rows.tuple, &[whole], |store, row| {
            let agrees = store.map_by_body(rows.tuple, &[row], |store, other| {
                let mut same = Vec::with_capacity(fields.len());
                for &field in fields {
                    let places = [store.field(row, field)?, store.field(other, field)?];
                    same.push(store.eq(places[0], places[1])?);
                }
                Ok(store.and(&same))
            })?;
            store.app(Op::new(rows.filter), &[agrees, whole])
        })?;
        let parts = self.app(Op::new(rows.map), &[part, whole])?;
        let (is_empty, alone, each) = match rows.map {
            Kind::SetMap => {
                let is_empty = self.app(Op::new(Kind::SetIsEmpty), &[whole])?;
                (is_empty, self.app(Op::new(Kind::SetSingleton), &[whole])?, parts)
            }
            _ => {
                let (size, numbers) = (self.app(Op::new(Kind::BagCard), &[whole])?, [0, 1].map(|n: i32| n.into()));
                let [zero, one] = numbers.map(|n: dashu_int::IBig| self.int(&n));
                let alone = self.app(Op::new(Kind::BagMake), &[whole, one])?;
                (self.eq(size, zero)?, alone, self.app(Op::new(Kind::BagSetof), &[parts])?)
            }
        };
        self.app(Op::new(Kind::Ite), &[is_empty, alone, each])
    }
}
