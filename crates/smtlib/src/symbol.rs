//! Interned names, each stored once, and the ids of terms, literals, binders, `match` cases and functions.

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// An interned name or literal spelling. Quoted and plain spellings of one name (`|a|` and `a`) are the same symbol, as
/// SMT-LIB 2.6 section 3.1 demands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// The table of all names of one [`Store`](crate::Store).
#[derive(Default, Clone)]
pub struct Interner {
    /// All spellings one after the other; `ends[i]` is where symbol `i` ends.
    bytes: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

/// A term of one [`Store`](crate::Store). Two terms of a store are the same exactly if their ids are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(crate) u32);

/// A literal of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstantId(pub(crate) u32);

/// A binder of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderId(pub(crate) u32);

/// The cases of a `match` of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MatchId(pub(crate) u32);

/// A function symbol of one store. Two declarations of the same name, rank and definition are the same function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub(crate) u32);

impl Symbol {
    /// Returns the position of this symbol in its interner: dense, starting at 0, so that side tables can be vectors.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Interner {
    /// Returns the symbol of `name`, adding it if new.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_name(name);
        let (bytes, ends) = (&self.bytes, &self.ends);
        if let Some(&found) = self.table.find(hash, |&id| text(bytes, ends, id) == name) {
            return Symbol(found);
        }
        let id = self.ends.len() as u32;
        self.bytes.push_str(name);
        self.ends.push(self.bytes.len());
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.table.insert_unique(hash, id, |&id| hash_name(text(bytes, ends, id)));
        Symbol(id)
    }

    /// Returns the symbol of `name` if it has been seen.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.table.find(hash_name(name), |&id| text(&self.bytes, &self.ends, id) == name).map(|&id| Symbol(id))
    }

    /// Returns the spelling of a symbol, without the bars of a quoted one.
    pub fn name(&self, symbol: Symbol) -> &str {
        text(&self.bytes, &self.ends, symbol.0)
    }

    /// Returns the same symbols, some of them respelled. `None` if two symbols would have one spelling.
    pub fn renamed(&self, spellings: &FxHashMap<Symbol, String>) -> Option<Interner> {
        let mut renamed = Interner::default();
        for id in 0..self.ends.len() as u32 {
            let symbol = Symbol(id);
            let spelling = spellings.get(&symbol).map_or_else(|| self.name(symbol), String::as_str);
            if renamed.intern(spelling) != symbol {
                return None;
            }
        }
        Some(renamed)
    }

    /// Returns the number of symbols.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing has been interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl TermId {
    /// Returns the position of this term in its store. Children always come before their parents, so that a memo table
    /// can be a vector and a pass over it in order is bottom-up.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the term at a position below [`Store::len`](crate::Store::len).
    pub fn from_index(index: usize) -> TermId {
        TermId(index as u32)
    }
}

impl FuncId {
    /// Returns the position of this function in its store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

fn text<'a>(bytes: &'a str, ends: &[usize], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &bytes[start..ends[id]]
}

fn hash_name(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}
