//! Which names a store uses, so that printers and mutators can choose others.

use crate::term::Store;

/// A prefix such that no name in use is this prefix and digits: `$e`, or with `!` appended as often as needed.
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

impl Store {
    /// The names of all functions, constructors, selectors and bound variables; one may come several times.
    pub fn used_names(&self) -> impl Iterator<Item = &str> {
        let funcs = self.funcs.iter().flat_map(|f| {
            let vars = f.definition().map_or(&[][..], |d| d.0);
            std::iter::once(f.name).chain(vars.iter().copied())
        });
        let constructors = self.datatypes.iter().flat_map(|d| &d.constructors);
        let datatypes = constructors.flat_map(|c| std::iter::once(c.name).chain(c.fields.iter().map(|f| f.0)));
        let binders = self.binder_names();
        funcs.chain(datatypes).chain(binders).map(|s| self.symbols.name(s))
    }
}
