//! Atoms adapted to their place: symbols of the second seed become symbols of the first, and free constants become
//! variables that are bound there.

use crate::mutators::generative::NewTerm;
use crate::mutators::skeleton::atom::{Atom, AtomSymbol};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use smtlib::printer::{push_function_name, quote_symbol};
use smtlib::{Dialect, FuncBody, FuncId, SortId, Store, Symbol, TermId};

/// The functions of the first seed by rank, constants among them.
#[derive(Default)]
pub(super) struct Ranks {
    by_rank: FxHashMap<(Box<[SortId]>, SortId), Vec<FuncId>>,
}

/// The means of adapting atoms.
pub(super) struct Filler {
    /// The functions of the first seed.
    pub ranks: Ranks,
    /// How often a symbol of the second seed becomes one of the first.
    pub shared: u32,
    /// How often a constant becomes a variable that is bound at the hole.
    pub bound: u32,
    /// Whether symbols of the second seed must be replaced, since nothing confines them.
    pub shares_all: bool,
}

/// The replacement of a symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NewSymbol {
    Same,
    Variable(Symbol, SortId),
    Function(FuncId),
}

impl Ranks {
    /// Returns the functions that may be used anywhere. Recursive ones are left out: a new call may not terminate.
    pub fn new(store: &Store, functions: impl Iterator<Item = FuncId>) -> Ranks {
        let mut ranks = Ranks::default();
        for f in functions {
            let func = store.func(f);
            if !matches!(func.body, FuncBody::Recursive { .. }) {
                ranks.by_rank.entry((func.params.clone(), func.result)).or_default().push(f);
            }
        }
        ranks
    }

    fn like(&self, store: &Store, f: FuncId) -> &[FuncId] {
        let func = store.func(f);
        self.by_rank.get(&(func.params.clone(), func.result)).map_or(&[], Vec::as_slice)
    }

    fn constants(&self, sort: SortId) -> &[FuncId] {
        self.by_rank.get(&(Box::default(), sort)).map_or(&[], Vec::as_slice)
    }
}

impl Filler {
    /// The atom adapted to these bound variables; `None` if one of its variables is not bound, and nothing can replace it.
    pub fn fill(
        &self,
        store: &mut Store,
        atom: &Atom,
        scope: &[(Symbol, SortId)],
        rng: &mut RandomStream,
    ) -> Option<NewTerm> {
        let targets = atom.symbols.iter().map(|&symbol| self.target(store, atom, symbol, scope, rng));
        let targets = targets.collect::<Option<Vec<NewSymbol>>>()?;
        if targets.iter().all(|&t| t == NewSymbol::Same) {
            return Some(NewTerm { term: atom.term, text: atom.text.to_string(), features: atom.features });
        }
        let mut text = String::with_capacity(atom.text.len());
        let mut at = 0;
        for &(start, end, symbol) in &atom.slots {
            let mut name = String::new();
            match targets[symbol] {
                NewSymbol::Same => continue,
                NewSymbol::Variable(variable, _) => quote_symbol(store.name(variable), &mut name),
                NewSymbol::Function(f) => push_function_name(store, &Dialect::default(), store.func(f), &mut name),
            }
            text.push_str(&atom.text[at..start as usize]);
            text.push_str(&name);
            at = end as usize;
        }
        text.push_str(&atom.text[at..]);
        let mut features = 0;
        let term = store.rebuild(atom.term, |store, t| {
            let new = replaced(store, atom, &targets, t);
            features |= smtlib::logic::of_node(store, new.unwrap_or(t));
            new
        });
        Some(NewTerm { term, text, features })
    }

    /// Draws the replacement of an atom's symbol.
    fn target(
        &self,
        store: &Store,
        atom: &Atom,
        symbol: AtomSymbol,
        scope: &[(Symbol, SortId)],
        rng: &mut RandomStream,
    ) -> Option<NewSymbol> {
        let variable = |sort: SortId, rng: &mut RandomStream| {
            let fitting: Vec<_> = scope.iter().filter(|v| v.1 == sort && !atom.has_binder).collect();
            rng.pick(&fitting).map(|v| NewSymbol::Variable(v.0, v.1))
        };
        match symbol {
            AtomSymbol::Variable(v, sort) if scope.contains(&(v, sort)) => Some(NewSymbol::Same),
            // The same name may be bound within the atom.
            AtomSymbol::Variable(..) if atom.has_binder => None,
            AtomSymbol::Variable(_, sort) => {
                variable(sort, rng).or_else(|| rng.pick(self.ranks.constants(sort)).map(|&f| NewSymbol::Function(f)))
            }
            AtomSymbol::Function(f) => {
                let func = store.func(f);
                if func.params.is_empty()
                    && rng.percent(self.bound)
                    && let Some(variable) = variable(func.result, rng)
                {
                    return Some(variable);
                }
                if !atom.is_guest {
                    return Some(NewSymbol::Same);
                }
                let like = self.ranks.like(store, f);
                match (self.shares_all || rng.percent(self.shared)).then(|| rng.pick(like)).flatten() {
                    Some(&f) => Some(NewSymbol::Function(f)),
                    None => (!self.shares_all).then_some(NewSymbol::Same),
                }
            }
        }
    }
}

/// Returns the replacement of a subterm whose children are already replaced; `None` if it stays.
fn replaced(store: &mut Store, atom: &Atom, targets: &[NewSymbol], t: TermId) -> Option<TermId> {
    let symbol = match (store.variable(t), store.applied(t)) {
        (Some(v), _) => AtomSymbol::Variable(v, store.sort(t)),
        (None, f) => AtomSymbol::Function(f?),
    };
    match targets[atom.symbols.iter().position(|&s| s == symbol)?] {
        NewSymbol::Same => None,
        NewSymbol::Variable(v, sort) => Some(store.bound_variable(v, sort)),
        NewSymbol::Function(f) => {
            let args = store.args(t).to_vec();
            store.apply(f, &args).ok()
        }
    }
}
