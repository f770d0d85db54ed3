//! Functions made of terms: operators of solvers that are read as functions with a meaning, and lambdas.

use super::BuildError;
use crate::decl::{Binder, Func, FuncBody};
use crate::free_vars::FreeVars;
use crate::op::{Kind, Op};
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{Store, TermId};

impl Store {
    /// Returns an operator of some solver on its operands, as a function with a meaning that no script defines. A name with indices is
    /// written whole.
    pub(crate) fn apply_meaning(
        &mut self,
        name: &str,
        args: &[TermId],
        meaning: impl FnOnce(&mut Store, &[TermId]) -> Result<TermId, BuildError>,
    ) -> Result<TermId, BuildError> {
        let params: Box<[SortId]> = args.iter().map(|&a| self.sort(a)).collect();
        let named = params.iter().enumerate().map(|(n, &sort)| (format!("x!{n}"), sort)).collect::<Vec<_>>();
        let (vars, variables): (Vec<Symbol>, Vec<TermId>) =
            named.into_iter().map(|(name, sort)| self.named_variable(&name, sort)).unzip();
        let body = meaning(self, &variables)?;
        let (name, result, vars) = (self.symbols.intern(name), self.sort(body), vars.into());
        self.theory_names.entry(name).or_default();
        let f = self.declare(Func { name, params, result, body: FuncBody::Defined { vars, body } });
        self.apply(f, args)
    }

    /// `(lambda ((x FROM)) body)` with a name for `x` that is not free in `terms`.
    pub(crate) fn map_by_body(
        &mut self,
        from: SortId,
        terms: &[TermId],
        body: impl FnOnce(&mut Store, TermId) -> Result<TermId, BuildError>,
    ) -> Result<TermId, BuildError> {
        let mut free = FreeVars::default();
        let taken: Vec<_> = terms.iter().flat_map(|&t| free.of(self, t).to_vec()).collect();
        let name = self.fresh_symbol("x!map", |name| taken.contains(&name));
        let variable = self.bound_variable(name, from);
        let body = body(self, variable)?;
        let binder =
            Binder { vars: [(name, from)].into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        self.bind(Kind::Lambda, binder, &[body])
    }

    /// Returns a sort of arrays or maps with all its maps as arrays, those of the elements too.
    pub fn arrays_of(&mut self, sort: SortId) -> SortId {
        match *self.sorts.get(sort) {
            Sort::Map(index, element) | Sort::Array(index, element) => {
                let element = self.arrays_of(element);
                self.sorts.array(index, element)
            }
            _ => sort,
        }
    }

    /// Returns a function as an array of this sort, as z3 reads a `lambda` where an array is expected; `None` if its sort does not fit.
    pub fn map_as_array(&mut self, map: TermId, sort: SortId) -> Option<TermId> {
        let (Sort::Map(from, _), Sort::Array(index, _)) = (self.sorts.get(self.sort(map)), self.sorts.get(sort)) else {
            return None;
        };
        let (from, index, op) = (*from, *index, self.op(map));
        let Some(binder) = op.binder() else {
            let lambda = self.map_by_body(from, &[map], |store, at| store.apply_to_last(map, at));
            return lambda.ok().filter(|_| from == index).and_then(|lambda| self.map_as_array(lambda, sort));
        };
        let element = self.binder(binder).vars.iter().try_fold(sort, |array, var| match *self.sorts.get(array) {
            Sort::Array(index, element) if index == var.1 => Some(element),
            _ => None,
        })?;
        let &[body] = self.args(map) else { return None };
        // As often as arrays are nested in the sort.
        let body = if self.sort(body) == element { body } else { self.map_as_array(body, element)? };
        Some(self.node(op, &[body], sort))
    }

    /// Returns a map applied to an argument: a function symbol that has all others already gets all of them at once, as z3 needs it.
    fn apply_to_last(&mut self, map: TermId, last: TermId) -> Result<TermId, BuildError> {
        let (mut head, mut args) = (map, vec![last]);
        while let (Kind::ApplyMap, &[function, arg]) = (self.kind(head), self.args(head)) {
            args.push(arg);
            head = function;
        }
        args.reverse();
        match self.op(head).func() {
            Some(f) if self.kind(head) == Kind::FuncValue && self.func(f).params.len() == args.len() => {
                self.apply(f, &args)
            }
            _ => self.apply_map(map, last),
        }
    }

    /// Returns the array of the values of `f` at the elements of arrays with the same indices, z3's `((_ map f) a b)`.
    /// Errors: [`BuildError::Sort`] if these are not such arrays, and those of `f`.
    pub fn map_of_arrays(
        &mut self,
        arrays: &[TermId],
        f: impl FnOnce(&mut Store, &[TermId]) -> Result<TermId, BuildError>,
    ) -> Result<TermId, BuildError> {
        let Some(&first) = arrays.first() else { return Err(BuildError::Sort) };
        let Sort::Array(index, _) = *self.sorts.get(self.sort(first)) else { return Err(BuildError::Sort) };
        let map = self.map_by_body(index, arrays, |store, at| {
            let elements = arrays.iter().map(|&a| store.app(Op::new(Kind::ArraySelect), &[a, at]));
            let elements = elements.collect::<Result<Vec<_>, _>>()?;
            f(store, &elements)
        })?;
        let Sort::Map(index, element) = *self.sorts.get(self.sort(map)) else { return Err(BuildError::Sort) };
        let sort = self.sorts.array(index, element);
        self.map_as_array(map, sort).ok_or(BuildError::Sort)
    }

    /// The same for an operator of a theory, as a function with the name that z3 gives it, which has a rank.
    /// Errors: as above, or if the operator does not fit the elements.
    pub fn mapped_operator(&mut self, kind: Kind, arrays: &[TermId]) -> Result<TermId, BuildError> {
        let row = crate::theories::row(kind).ok_or(BuildError::Sort)?;
        let elements = arrays.iter().map(|&array| match *self.sorts.get(self.sort(array)) {
            Sort::Array(_, element) => Ok(element),
            _ => Err(BuildError::Sort),
        });
        let elements = elements.collect::<Result<Vec<SortId>, _>>()?;
        let result = row.result_sort(Op::new(kind), &elements, &mut self.sorts).map_err(|_| BuildError::Sort)?;
        let params: Vec<String> = elements.iter().map(|&element| self.sort_text(element)).collect();
        let name = format!("(_ map ({} ({}) {}))", row.name, params.join(" "), self.sort_text(result));
        self.apply_meaning(&name, arrays, |store, arrays| {
            store.map_of_arrays(arrays, |store, elements| store.app(Op::new(kind), elements))
        })
    }
}
