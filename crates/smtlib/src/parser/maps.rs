//! Maps, i.e. functions as values: `(@ h t)`, `(_ h t)`, `(h t)` and partially applied function symbols.

use super::frame::{AppliedHead, Mapped};
use super::reader::Parser;
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::op::Kind;
use crate::sort::Sort;
use crate::standard::{Binding, STANDARD};
use crate::symbol::{FuncId, TermId};

impl Parser<'_> {
    /// Whether `((` opens an application whose head is a term of a map sort, at the second parenthesis.
    pub(super) fn has_term_as_head(&mut self) -> Result<bool, Error> {
        let start = self.lexer.position();
        let word = self.next()?;
        let is_symbol = matches!(word.kind, TokenKind::Symbol | TokenKind::Quoted);
        let is_term = match word.kind {
            TokenKind::Open => true,
            TokenKind::Symbol if self.text(word) == "_" => {
                let map = self.next()?;
                let name = self.name_of(map);
                map.kind == TokenKind::Open
                    || matches!(map.kind, TokenKind::Symbol | TokenKind::Quoted)
                        // No theory has indexed symbols of these names that a declaration could hide.
                        && !matches!(name, "is" | "update" | "update-field")
                        && matches!(
                            self.store.symbols.get(name).map(|symbol| self.scope.get(symbol)),
                            Some(Binding::Term(_) | Binding::Func(_))
                        )
            }
            TokenKind::Symbol => self.text(word) != "as",
            _ => is_symbol,
        };
        self.lexer.seek(start);
        Ok(is_term)
    }

    /// Applies a map to arguments, one by one. A function symbol with all its arguments is applied directly.
    pub(super) fn apply_map(&mut self, map: TermId, args: &[TermId]) -> Result<TermId, crate::BuildError> {
        let symbol = self.store.op(map).func().filter(|_| self.store.kind(map) == Kind::FuncValue);
        let count = symbol.map_or(usize::MAX, |f| self.store.func(f).params.len());
        let (mut map, mut args) = (map, args);
        if let Some(f) = symbol.filter(|_| count <= args.len()) {
            map = self.store.apply(f, &args[..count]).or_else(|e| self.apply_coerced(f, &args[..count]).ok_or(e))?;
            args = &args[count..];
        }
        args.iter().try_fold(map, |map, &arg| {
            let from = match *self.store.sorts.get(self.store.sort(map)) {
                Sort::Map(from, _) => from,
                _ => self.store.sort(arg),
            };
            let arg = self.coerce(&[from], &[arg]).map_or(arg, |coerced| coerced[0]);
            self.store.apply_map(map, arg)
        })
    }

    /// Returns a partially applied function, or one whose value is a map applied to more arguments.
    pub(super) fn apply_as_map(&mut self, f: FuncId, args: &[TermId]) -> Option<TermId> {
        let is_constant = self.store.func(f).params.is_empty();
        let map = if is_constant { self.store.apply(f, &[]) } else { self.store.func_value(f) };
        let applied = self.apply_map(map.ok()?, args).ok()?;
        (!args.is_empty()).then_some(applied)
    }

    /// Returns the function of `(_ as-array f)` as a map.
    pub(super) fn as_map(&mut self, t: TermId) -> Option<TermId> {
        let op = self.store.op(t);
        let f = op.func().filter(|_| op.kind == Kind::AsArray)?;
        self.store.func_value(f).ok()
    }

    /// After z3's `(_ map`: the function on arrays, with or without its rank, up to and including `)`.
    pub(super) fn map_head(&mut self) -> Result<AppliedHead, Error> {
        let has_rank = self.peek()?.kind == TokenKind::Open;
        if has_rank {
            self.next()?;
        }
        let (name, at) = self.symbol("a function")?;
        if has_rank {
            self.skip_expression("the sorts of its arguments")?;
            self.skip_expression("the sort of its result")?;
            self.expect(TokenKind::Close, "`)`")?;
        }
        self.expect(TokenKind::Close, "`)`")?;
        match self.scope.get(name) {
            Binding::Func(f) => Ok(AppliedHead::MapArrays(Mapped::Func(f))),
            Binding::Theory(group) => Ok(AppliedHead::MapArrays(Mapped::Theory(group))),
            _ => Err(Error::opaque(at.span())),
        }
    }

    /// Returns the array of what a function returns for the elements of arrays. What does not fit is carried as text.
    pub(super) fn apply_to_elements(&mut self, f: Mapped, arrays: &[TermId], at: Token) -> Result<TermId, Error> {
        let arrays = arrays.iter().map(|&array| match *self.store.sorts.get(self.store.sort(array)) {
            Sort::Map(..) => {
                let sort = self.store.arrays_of(self.store.sort(array));
                self.store.map_as_array(array, sort)
            }
            _ => Some(array),
        });
        let arrays = arrays.collect::<Option<Vec<TermId>>>();
        let made = arrays.and_then(|arrays| match f {
            Mapped::Func(f) => self.store.map_of_arrays(&arrays, |store, elements| store.apply(f, elements)).ok(),
            Mapped::Theory(group) => {
                let rows = STANDARD.groups[group as usize].iter().filter(|row| row.indices == 0);
                rows.map(|row| row.kind).find_map(|kind| self.store.mapped_operator(kind, &arrays).ok())
            }
        });
        made.ok_or_else(|| Error::opaque(at.span()))
    }
}
