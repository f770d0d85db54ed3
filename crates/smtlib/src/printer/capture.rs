//! Prevents bound variables from capturing functions of the same name.
//!
//! The reader renames a variable whose name already has a meaning. But a function with the name of a variable may be declared later,
//! and a mutator may put that function under the binder. A term with both is printed with the variable renamed throughout.

use super::Dialect;
use super::own_names::OwnNames;
use crate::names::plain_name;
use crate::op::{Kind, Op};
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which variables must be spelled differently.
#[derive(Default)]
pub(crate) struct Capture {
    /// The other spelling of every variable that has the name of a function or operator of the store.
    spellings: FxHashMap<Symbol, String>,
    /// The variables whose other spelling the current text needs.
    active: FxHashSet<Symbol>,
    own: OwnNames,
    /// Whether variables get their original names back. Only whole scripts do: a text that is edited needs unique names.
    pub(crate) restores: bool,
}

impl Capture {
    /// Finds the names that variables and functions of `store` share.
    pub(crate) fn new(store: &Store, dialect: &Dialect) -> Capture {
        let mut capture = Capture::default();
        let mut variables: FxHashSet<Symbol> = store.variable_names().collect();
        if variables.is_empty() {
            return capture;
        }
        let functions: FxHashSet<Symbol> = store.function_names().map(|name| inner_name(store, name)).collect();
        variables.retain(|v| functions.contains(v) || dialect.is_operator(store.name(*v)));
        for v in variables {
            let name = store.name(v);
            // No symbol of the store has this spelling; different names get different spellings.
            let mut spelling = format!("{name}!");
            while store.symbols.get(&spelling).is_some() {
                spelling.push('!');
            }
            capture.spellings.insert(v, spelling);
        }
        capture
    }

    /// Finds which variables to rename in a text that holds `root`, and binds `params` around it.
    pub(crate) fn prepare(&mut self, store: &Store, dialect: &Dialect, params: &[Symbol], root: TermId) {
        self.active.clear();
        self.own.clear();
        let restores = self.restores && !store.own_names.is_empty();
        if self.spellings.is_empty() && !restores {
            return;
        }
        let mut bound: FxHashSet<Symbol> = params.iter().copied().collect();
        let mut used = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            stack.extend(store.args(t));
            let op = store.op(t);
            if let Some(b) = op.binder() {
                bound.extend(store.binder(b).vars.iter().map(|v| v.0));
            } else if let Some(m) = op.cases() {
                bound.extend(store.cases(m).iter().flat_map(|c| c.vars.iter().flatten()));
            }
            used.extend(head_names(store, dialect, t));
        }
        if restores {
            self.own.choose(store, dialect, (params, root), &seen, &used);
        }
        let names = bound.into_iter().filter(|v| used.contains(v) && self.spellings.contains_key(v));
        self.active.extend(names);
    }

    /// Returns the spelling of a variable in the current text.
    pub(crate) fn spelling<'s>(&'s self, store: &'s Store, v: Symbol) -> &'s str {
        let own = || self.own.of(store, v).map(|own| store.name(own));
        let other = || self.spellings.get(&v).filter(|_| self.active.contains(&v)).map(String::as_str);
        own().or_else(other).unwrap_or_else(|| store.name(v))
    }
}

/// Returns the printed names of a term except variables: of its head, or of the constructors in the cases of a `match`.
pub(super) fn head_names(store: &Store, dialect: &Dialect, t: TermId) -> Vec<Symbol> {
    let op = store.op(t);
    match (op.binder(), op.cases()) {
        (Some(_), _) => Vec::new(),
        (None, Some(_)) => constructors(store, t).collect(),
        (None, None) => head_name(store, dialect, op).into_iter().collect(),
    }
}

/// Returns what a variable could capture of the name of a function, which may be an indexed identifier.
fn inner_name(store: &Store, name: Symbol) -> Symbol {
    store.symbols.get(plain_name(store.name(name))).unwrap_or(name)
}

/// Returns the name that the head of a term is printed with, if it is one.
fn head_name(store: &Store, dialect: &Dialect, op: Op) -> Option<Symbol> {
    if let Some(f) = op.func() {
        let name = dialect.name_of(store, store.func(f).name);
        return Some(inner_name(store, name));
    }
    if let Some((d, c)) = op.constructor() {
        let constructor = store.datatype(d).constructors.get(c)?;
        return match (op.kind, op.field()) {
            (Kind::Test, _) if dialect.old_testers => {
                store.symbols.get(&format!("is-{}", store.name(constructor.name)))
            }
            (_, Some(f)) => constructor.fields.get(f).map(|f| f.0),
            _ => Some(constructor.name),
        };
    }
    // Structural kinds have no name; `||` is a name like any other.
    let name = dialect.name(op.kind);
    if name.is_empty() { None } else { store.symbols.get(name) }
}

/// Returns the names of all constructors of the datatype that a `match` is on.
fn constructors(store: &Store, t: TermId) -> impl Iterator<Item = Symbol> {
    let datatype = match store.args(t).first().map(|&s| store.sorts.get(store.sort(s))) {
        Some(crate::Sort::Datatype(d, _)) => Some(*d),
        _ => None,
    };
    datatype.into_iter().flat_map(|d| store.datatype(d).constructors.iter().map(|c| c.name))
}
