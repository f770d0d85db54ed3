//! Atoms that fill holes: their text, and the positions of their symbols.

use crate::edit::PrintedTree;
use crate::mutators::skeleton::hole::holes;
use crate::preamble::is_truth_constant;
use rustc_hash::FxHashSet;
use smtlib::free_vars::FreeVars;
use smtlib::term::HAS_BINDER;
use smtlib::{Dialect, FuncId, Printer, SortId, Store, Symbol, TermId};

/// The longest text of an atom, in bytes: longer ones make mutants slow, and bring their own skeleton.
const MAX_TEXT: usize = 1000;
/// The maximum number of bytes of atoms reprinted because of their `let`s.
const MAX_PRINTED: usize = 1 << 19;

/// A replaceable symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtomSymbol {
    /// A variable that is free in the atom.
    Variable(Symbol, SortId),
    /// A declared or defined function; without parameters, a constant.
    Function(FuncId),
}

/// An atom.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub term: TermId,
    /// Its text, which means the same anywhere under the binders of its free variables.
    pub text: Box<str>,
    /// Its features.
    pub features: u32,
    /// Its symbols, each once.
    pub symbols: Vec<AtomSymbol>,
    /// Their occurrences in the text, in order: start, end, and the number of the symbol.
    pub slots: Vec<(u32, u32, usize)>,
    /// Whether the atom binds variables, so that none may be put into it.
    pub has_binder: bool,
    /// Whether the atom is the second seed's.
    pub is_guest: bool,
}

/// Returns the atoms of printed assertions, each once.
pub(super) fn atoms<'t>(store: &Store, trees: impl Iterator<Item = &'t PrintedTree>, dialect: &Dialect) -> Vec<Atom> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut free = FreeVars::default();
    let mut printer = Printer::new(store, dialect);
    let mut printed = 0;
    let mut list = Vec::new();
    for tree in trees {
        for number in holes(store, tree) {
            let place = tree.place(number);
            if is_truth_constant(store, place.term) || !seen.insert(place.term) {
                continue;
            }
            let scope = tree.scope(number);
            let variable = |&v: &Symbol| scope.iter().find(|s| s.0 == v).copied();
            // A variable of unknown sort, such as a parametric datatype's field, excludes it.
            let names = free.of(store, place.term);
            let Some(variables) = names.iter().map(variable).collect::<Option<Vec<_>>>() else { continue };
            let mut text = String::new();
            if !place.needs_context {
                text.push_str(&tree.text()[place.span.0 as usize..place.span.1 as usize]);
            } else if printed < MAX_PRINTED {
                printer.term(place.term, &mut text);
                printed += text.len();
            }
            if !text.is_empty() && text.len() <= MAX_TEXT {
                list.extend(Atom::new(store, place.term, text, &variables));
            }
        }
    }
    list
}

impl Atom {
    /// Makes an atom with its text and its free variables; `None` if the two do not match.
    fn new(store: &Store, term: TermId, text: String, free: &[(Symbol, SortId)]) -> Option<Atom> {
        let tree = PrintedTree::new(store, term, text)?;
        let mut symbols = Vec::new();
        let mut slots = Vec::new();
        let mut features = 0;
        for place in tree.places().iter().filter(|place| !place.is_reference) {
            features |= smtlib::logic::of_node(store, place.term);
            let symbol = match (store.variable(place.term), store.applied(place.term)) {
                (Some(v), _) => free.iter().find(|f| f.0 == v).map(|&(v, sort)| AtomSymbol::Variable(v, sort)),
                (None, f) => f.map(AtomSymbol::Function),
            };
            let Some(symbol) = symbol else { continue };
            let number = symbols.iter().position(|&s| s == symbol).unwrap_or_else(|| {
                symbols.push(symbol);
                symbols.len() - 1
            });
            slots.push((place.head.0, place.head.1, number));
        }
        slots.sort_unstable();
        let has_binder = store.flags(term) & HAS_BINDER != 0;
        Some(Atom { term, text: tree.text().into(), features, symbols, slots, has_binder, is_guest: false })
    }
}
