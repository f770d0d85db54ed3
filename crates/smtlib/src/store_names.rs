//! The names that a store uses, so that printers and mutators can choose others.

use crate::decl::Datatype;
use crate::sort::{DatatypeId, MAX_TUPLE};
use crate::symbol::Symbol;
use crate::term::Store;

/// Returns a prefix such that no used name is this prefix and digits: `$e`, with `!` appended as needed.
pub(crate) fn taken_prefix(store: &Store) -> String {
    let mut prefix = String::from("$e");
    while store.used_names().any(|name| is_numbered(name, &prefix)) {
        prefix.push('!');
    }
    prefix
}

fn is_numbered(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the names of constructors and selectors.
fn names<'s>(datatypes: impl Iterator<Item = &'s Datatype>) -> impl Iterator<Item = Symbol> {
    let constructors = datatypes.flat_map(|d| &d.constructors);
    constructors.flat_map(|c| std::iter::once(c.name).chain(c.fields.iter().map(|f| f.0)))
}

impl Store {
    /// The names of all functions, constructors, selectors and bound variables, possibly repeated.
    pub fn used_names(&self) -> impl Iterator<Item = &str> {
        let own = self.own_names.values().copied();
        self.function_names().chain(self.variable_names()).chain(own).map(|s| self.symbols.name(s))
    }

    /// Returns the names of all functions, constructors and selectors, possibly repeated.
    pub fn function_names(&self) -> impl Iterator<Item = Symbol> {
        let declared = names(self.datatypes.iter().skip(DatatypeId::NULLABLE.index() + 1));
        self.funcs.iter().map(|f| f.name).chain(declared).chain(self.built_in_names())
    }

    /// Returns the names of the constructors and selectors that no command declares, possibly repeated.
    pub fn built_in_names(&self) -> impl Iterator<Item = Symbol> {
        // The longest tuple has the names of all but the one without fields.
        let longest = self.datatypes.iter().take(DatatypeId::NULLABLE.index() + 1).skip(MAX_TUPLE);
        names(self.datatypes.iter().take(1).chain(longest))
    }

    /// Returns the names of all variables of binders, `match` cases and definitions.
    pub fn variable_names(&self) -> impl Iterator<Item = Symbol> {
        let params = self.funcs.iter().flat_map(|f| f.definition().map_or(&[][..], |d| d.0).iter().copied());
        params.chain(self.binder_names())
    }
}
