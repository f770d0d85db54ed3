//! Spellings that differ between solvers.

use crate::logic::{self, HIGHER_ORDER_PREFIX};
use crate::names::MAP_APPLICATION;
use crate::op::Kind;
use crate::symbol::Symbol;
use crate::term::Store;
use crate::theories;
use std::borrow::Cow;

/// A solver's input spelling. The default is SMT-LIB 2.7.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// The solver whose names are used for theories as data.
    solver: Option<Box<str>>,
    /// Names by kind.
    names: Vec<Cow<'static, str>>,
    /// The name of the sort constructor of finite sets, `Set` in cvc5.
    set: Cow<'static, str>,
    /// Whether functions as values need a logic whose name begins with `HO_`.
    names_higher_order: bool,
    /// `(declare-datatypes …)` in the style of 2.5: one parameter list, no arities.
    pub datatypes25: bool,
    /// Testers as `is-c` instead of `(_ is c)`.
    pub old_testers: bool,
    /// `((_ re.loop i j) r)`; before 2.6 it was `(re.loop r i j)`.
    pub indexed_loop: bool,
}

/// The theory of functions as values, which cvc5 has in some logics only.
const HIGHER_ORDER: &str = "HO-Core";

/// The constructor of the sorts of finite sets.
pub(super) const SET: &str = "Set";

impl Default for Dialect {
    fn default() -> Self {
        let name = |&kind: &Kind| match kind {
            Kind::ApplyMap => Cow::Borrowed(MAP_APPLICATION),
            _ => Cow::Borrowed(theories::row(kind).map_or(theories::heaps::name(kind).unwrap_or(""), |r| r.name)),
        };
        Dialect {
            solver: None,
            names: Kind::ALL.iter().map(name).collect(),
            set: Cow::Borrowed(SET),
            names_higher_order: false,
            datatypes25: false,
            old_testers: false,
            indexed_loop: true,
        }
    }
}

impl Dialect {
    /// The dialect with another name for an operator, for the sort constructor `Set`, or, at the beginning of names of logics, for the
    /// theory HO-Core.
    /// Errors: the standard name, if no operator has it.
    pub fn rename<'n>(&mut self, standard: &'n str, name: &str) -> Result<(), &'n str> {
        let mut known = standard == SET;
        if standard == HIGHER_ORDER {
            self.names_higher_order = name == HIGHER_ORDER_PREFIX;
            known = true;
        } else if known {
            self.set = Cow::Owned(name.to_string());
        }
        let kinds = theories::rows().filter(|r| r.name == standard).map(|r| r.kind);
        for kind in kinds.chain((standard == MAP_APPLICATION).then_some(Kind::ApplyMap)) {
            self.names[kind as usize] = Cow::Owned(name.to_string());
            known = true;
        }
        if known { Ok(()) } else { Err(standard) }
    }

    /// Returns the standard's dialect with other names for some operators, as (standard, other). A name that is not an operator's
    /// (such as a sort's other than `Set`) is ignored.
    pub fn renamed<'n>(names: impl IntoIterator<Item = (&'n str, &'n str)>) -> Dialect {
        let mut dialect = Dialect::default();
        for (standard, name) in names {
            let _ = dialect.rename(standard, name);
        }
        dialect
    }

    /// Returns the dialect with the names that a solver has for theories as data.
    pub fn of_solver(self, name: &str) -> Dialect {
        Dialect { solver: Some(name.into()), ..self }
    }

    /// Returns the name under which a name of a theory as data is printed; any other name stays.
    pub(super) fn name_of(&self, store: &Store, name: Symbol) -> Symbol {
        let names = self.solver.as_deref().zip(store.theory_names.get(&name));
        let other = names.and_then(|(solver, names)| names.iter().find(|(known, _)| store.name(*known) == solver));
        other.map_or(name, |&(_, other)| other)
    }

    /// Returns the name of the sort constructor of finite sets.
    pub(crate) fn set(&self) -> &str {
        &self.set
    }

    /// Returns the logic name for a script with these features ([`crate::logic`]) whose standard logic is `logic`.
    pub fn logic<'n>(&self, logic: Option<&'n str>, needed: impl FnOnce() -> u32) -> Option<Cow<'n, str>> {
        let is_named = logic.is_some_and(|logic| logic.starts_with(HIGHER_ORDER_PREFIX));
        if self.names_higher_order && !is_named && needed() & logic::HIGHER_ORDER != 0 {
            return Some(Cow::Owned(format!("{HIGHER_ORDER_PREFIX}{}", logic.unwrap_or("ALL"))));
        }
        logic.map(Cow::Borrowed)
    }

    /// Returns the name of a theory operator; empty for structural kinds.
    pub fn name(&self, kind: Kind) -> &str {
        &self.names[kind as usize]
    }

    /// Whether a symbol of a map sort is applied like a function, `(h 1)`: not if application has the name of an array operator.
    pub(super) fn applies_symbols(&self) -> bool {
        self.name(Kind::ApplyMap) == MAP_APPLICATION
    }

    /// Whether an operator has this spelling.
    pub(crate) fn is_operator(&self, name: &str) -> bool {
        !name.is_empty() && self.names.iter().any(|n| n == name)
    }
}
