//! Overloaded names: functions of one name, and datatypes that share names of constructors or selectors.
//!
//! In the standard each symbol is declared once. Z3 and cvc5 allow the same name with another rank. The operands choose the meaning, or
//! else `as` does.

use super::frame::{AppliedHead, HeadRole};
use super::reader::{Parser, shorten};
use crate::error::Error;
use crate::lexer::Token;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::TermId;

impl Parser<'_> {
    /// Declares a name for the current level, in addition to its present meanings.
    /// Errors: the name is already declared with this rank, or names a term.
    pub(super) fn declare_name(&mut self, name: Symbol, at: Token, new: Binding) -> Result<(), Error> {
        let old = self.scope.get(name);
        let hides = match old {
            Binding::Unbound | Binding::Theory(_) | Binding::Opaque => true,
            Binding::Tester(..) => !matches!(new, Binding::Tester(..)),
            _ => false,
        };
        if hides {
            self.scope.declare(name, new);
            return Ok(());
        }
        let (rank, mut meanings) = (self.rank(new), self.scope.meanings(old));
        let mut is_ambiguous = false;
        for &meaning in &meanings {
            let other = self.rank(meaning);
            if rank.is_none() || other.is_none() || other == rank {
                return self.new_name(name, at);
            }
            is_ambiguous |= other.map(|r| r.0) == rank.as_ref().map(|r| r.0.clone());
        }
        meanings.push(new);
        *self.store.overloaded.entry(name).or_default() |= is_ambiguous;
        let binding = self.scope.overload(meanings);
        self.scope.declare(name, binding);
        Ok(())
    }

    /// Returns the sorts of the arguments and of the result; `None` if it cannot be overloaded.
    fn rank(&mut self, binding: Binding) -> Option<(Vec<SortId>, SortId)> {
        Some(match binding {
            Binding::Func(f) => (self.store.func(f).params.to_vec(), self.store.func(f).result),
            Binding::Constructor(d, c) => {
                let fields = &self.store.datatype(d).constructors[c as usize].fields;
                (fields.iter().map(|f| f.1).collect(), self.general_sort(d))
            }
            Binding::Selector(d, c, f) => {
                let field = self.store.datatype(d).constructors[c as usize].fields[f as usize].1;
                (vec![self.general_sort(d)], field)
            }
            Binding::Tester(d, _) => (vec![self.general_sort(d)], SortId::BOOL),
            _ => return None,
        })
    }

    /// Returns a datatype at its own sort parameters.
    fn general_sort(&mut self, d: DatatypeId) -> SortId {
        let params = self.store.datatype(d).params.clone();
        let params = params.iter().map(|&p| self.store.sorts.intern(Sort::Parameter(p))).collect();
        self.store.sorts.intern(Sort::Datatype(d, params))
    }

    /// Returns the constructor of a datatype with this name.
    pub(super) fn constructor_of(&self, name: Symbol, datatype: DatatypeId) -> Option<u32> {
        self.scope.meanings(self.scope.get(name)).into_iter().find_map(|meaning| match meaning {
            Binding::Constructor(d, c) if d == datatype => Some(c),
            _ => None,
        })
    }

    /// Returns an application of an overloaded name: by the one meaning that takes the operands unchanged, or else the one that takes
    /// them with integers converted to reals.
    pub(super) fn apply_overloaded(
        &mut self,
        number: u32,
        role: HeadRole,
        sort: Option<SortId>,
        args: &[TermId],
        at: Token,
    ) -> Result<TermId, Error> {
        let mut fits: Vec<TermId> = Vec::new();
        for meaning in self.scope.meanings(Binding::Overloaded(number)) {
            let head = match (meaning, role) {
                (Binding::Func(f), HeadRole::Plain) => sort.map_or(AppliedHead::Func(f), |s| AppliedHead::FuncAs(f, s)),
                (Binding::Constructor(d, c), HeadRole::Plain) => AppliedHead::Constructor(d, c, sort),
                (Binding::Constructor(d, c), HeadRole::Tester) => AppliedHead::Tester(d, c),
                (Binding::Selector(d, c, f), HeadRole::Plain) => AppliedHead::Selector(d, c, f),
                (Binding::Selector(d, c, f), HeadRole::Update) => AppliedHead::Update(d, c, f),
                (Binding::Tester(d, c), HeadRole::Plain) => AppliedHead::Tester(d, c),
                _ => continue,
            };
            let applied = self.apply(head, args, at).ok();
            fits.extend(applied.filter(|&t| sort.is_none_or(|s| self.store.sort(t) == s)));
        }
        if fits.iter().any(|&t| self.store.args(t) == args) {
            fits.retain(|&t| self.store.args(t) == args);
        }
        match fits[..] {
            [one] => Ok(one),
            [] => Err(Error::new(at.span(), format!("no meaning of this name takes ({})", self.store.sort_list(args)))
                .help("it is declared several times, for other arguments")),
            _ => Err(Error::new(at.span(), format!("an ambiguous name on ({})", self.store.sort_list(args)))
                .help("choose by the result: (as NAME SORT)")),
        }
    }

    /// Returns an overloaded name as a term: the one meaning without arguments.
    pub(super) fn overloaded_constant(&mut self, number: u32, name: Symbol, at: Token) -> Result<TermId, Error> {
        let name = shorten(self.store.name(name));
        self.apply_overloaded(number, HeadRole::Plain, None, &[], at).map_err(|_| {
            Error::new(at.span(), format!("`{name}` has several meanings here"))
                .help(format!("choose by the sort: (as {name} SORT)"))
        })
    }
}
