//! Functions made of terms: operators of solvers that are read as functions with a meaning, and lambdas.

use super::BuildError;
use crate::decl::{Binder, Func, FuncBody};
use crate::free_vars::FreeVars;
use crate::op::Kind;
use crate::sort::SortId;
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
}
