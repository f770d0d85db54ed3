//! Fresh symbols: declared constants with names never used in the store.

use smtlib::{Func, FuncBody, FuncId, SortId, Store, TermId};

/// A source of fresh symbols with a common stem.
#[derive(Clone, Debug)]
pub struct FreshSymbols {
    stem: String,
    next: u64,
}

impl FreshSymbols {
    /// Makes symbols named `stem!0`, `stem!1` …
    pub fn new(stem: &str) -> FreshSymbols {
        FreshSymbols { stem: stem.to_string(), next: 0 }
    }

    /// Returns a new constant of a sort, as a symbol and as a term.
    pub fn constant(&mut self, store: &mut Store, result: SortId) -> (FuncId, TermId) {
        let f = self.function(store, &[], result);
        // A constant applied to nothing fits its rank by construction; the store already has the sort.
        let term = store.constant_of(f).expect("a constant just declared takes no arguments");
        (f, term)
    }

    /// Returns a new function symbol.
    pub fn function(&mut self, store: &mut Store, params: &[SortId], result: SortId) -> FuncId {
        let name = self.name(store);
        let name = store.symbols.intern(&name);
        store.declare(Func { name, params: params.into(), result, body: FuncBody::Declared })
    }

    /// Returns an unused name.
    pub fn name(&mut self, store: &Store) -> String {
        loop {
            let name = format!("{}!{}", self.stem, self.next);
            self.next += 1;
            // A name never interned belongs neither to a symbol nor to a bound variable.
            if store.symbols.get(&name).is_none() {
                return name;
            }
        }
    }
}
