//! Terms of separation logic.

use super::BuildError;
use crate::op::{Kind, Op};
use crate::sort::SortId;
use crate::term::{Store, TermId};
use crate::theories::heaps;

impl Store {
    /// Returns an operator of separation logic on a heap with these sorts of locations and data.
    /// Errors: [`BuildError::Arguments`] if `kind` is another operator, or the number or sorts of the arguments do not match.
    pub fn heap_term(
        &mut self,
        kind: Kind,
        (location, data): (SortId, SortId),
        args: &[TermId],
    ) -> Result<TermId, BuildError> {
        let op = Op::indexed(kind, location.0, data.0);
        let Some(row) = heaps::ROWS.iter().find(|row| row.kind == kind) else { return self.app(op, args) };
        let sorts: Vec<SortId> = args.iter().map(|&a| self.sort(a)).collect();
        let is_of_heap = kind != Kind::SepPto || sorts == [location, data];
        match kind {
            Kind::SepNil if args.is_empty() => Ok(self.node(op, args, location)),
            _ if is_of_heap && self.try_row(row, op, args).is_ok() => Ok(self.node(op, args, SortId::BOOL)),
            _ => Err(self.mismatch(row.name, &[row], args)),
        }
    }
}
