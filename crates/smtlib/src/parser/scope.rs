//! The symbol table: the meaning of every name at a point of a script.

use crate::error::MAX_ERRORS;
use crate::sort::SortId;
use crate::standard::STANDARD;
use crate::standard::{Binding, SortBinding};
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use rustc_hash::FxHashMap;
use std::cell::Cell;

enum Undo {
    Term(Symbol, Binding),
    Sort(Symbol, SortBinding),
}

/// The state of a script's logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LogicProgress {
    Start,
    HasLogic,
    /// Without a logic.
    Begun,
}

/// The symbol table of one store. It grows with the declarations of a script and can then read further terms and models.
pub struct Scope {
    terms: Vec<Binding>,
    /// Differences from the standard's sorts.
    sorts: FxHashMap<Symbol, SortBinding>,
    undo: Vec<Undo>,
    /// The meanings of overloaded names, by the number in [`Binding::Overloaded`].
    overloads: Vec<Box<[Binding]>>,
    /// The tactics named by `declare-tactic`.
    pub(crate) tactics: FxHashMap<Symbol, Box<str>>,
    /// The variables of `declare-var` with their sorts.
    pub(crate) rule_variables: FxHashMap<Symbol, SortId>,
    /// Variables were forgotten that z3 may keep.
    lost_variables: bool,
    /// The sorts of locations and data of the heap, if one is declared.
    pub(crate) heap: Option<(SortId, SortId)>,
    /// Open assertion levels: the length of `undo` at a push, and the number of pushes there.
    levels: Vec<(usize, u64)>,
    /// The number of open pushes.
    depth: u64,
    /// Numerals denote reals: the logic has reals and no integers.
    pub(crate) numerals_are_real: bool,
    pub(crate) global_declarations: bool,
    /// Whether the logic may still be set.
    mode: LogicProgress,
    /// How many bound variables of a name are currently renamed.
    pub(crate) renamed: FxHashMap<Symbol, u32>,
    /// The terms of short literals by spelling.
    pub(crate) literals: Vec<Option<TermId>>,
    /// How many more unknown names are compared with all known ones.
    hints: Cell<usize>,
}

impl Scope {
    /// Returns the table of the standard theories.
    pub fn new(store: &Store) -> Scope {
        debug_assert!(store.symbols.len() >= STANDARD.symbols.len(), "a store begins with the standard names");
        Scope {
            terms: STANDARD.terms.clone(),
            sorts: FxHashMap::default(),
            undo: Vec::new(),
            overloads: Vec::new(),
            tactics: FxHashMap::default(),
            rule_variables: FxHashMap::default(),
            lost_variables: false,
            heap: None,
            levels: Vec::new(),
            depth: 0,
            numerals_are_real: false,
            global_declarations: false,
            mode: LogicProgress::Start,
            renamed: FxHashMap::default(),
            literals: Vec::new(),
            hints: Cell::new(MAX_ERRORS),
        }
    }

    /// Whether to compare an unknown name with all known ones: at most once per reported error, so that reading many
    /// definitions in one scope takes time proportional to their text.
    pub(crate) fn takes_hint(&self) -> bool {
        let left = self.hints.get();
        self.hints.set(left.saturating_sub(1));
        left > 0
    }

    /// Returns the operators of this name, even where a declaration hides them.
    pub(crate) fn theory_group(&self, name: Symbol) -> Option<u32> {
        match STANDARD.terms.get(name.index()) {
            Some(Binding::Theory(group)) => Some(*group),
            _ => None,
        }
    }

    /// Returns the meaning of a name as a term.
    pub(crate) fn get(&self, name: Symbol) -> Binding {
        self.terms.get(name.index()).copied().unwrap_or_default()
    }

    /// Returns all meanings of a binding: one, except for an overloaded name.
    pub(crate) fn meanings(&self, binding: Binding) -> Vec<Binding> {
        match binding {
            Binding::Overloaded(number) => self.overloads[number as usize].to_vec(),
            one => vec![one],
        }
    }

    /// Returns the binding of a name with these meanings.
    pub(crate) fn overload(&mut self, meanings: Vec<Binding>) -> Binding {
        self.overloads.push(meanings.into());
        Binding::Overloaded(self.overloads.len() as u32 - 1)
    }

    pub(crate) fn set(&mut self, name: Symbol, binding: Binding) {
        if self.terms.len() <= name.index() {
            self.terms.resize((name.index() + 1).next_power_of_two(), Binding::Unbound);
        }
        self.terms[name.index()] = binding;
    }

    /// Binds a name for the current assertion level.
    pub(crate) fn declare(&mut self, name: Symbol, binding: Binding) {
        if !self.levels.is_empty() && !self.global_declarations {
            let old = self.get(name);
            self.undo.push(Undo::Term(name, old));
        }
        self.set(name, binding);
    }

    pub(crate) fn sort(&self, name: Symbol) -> SortBinding {
        self.sorts.get(&name).or_else(|| STANDARD.sort_names.get(&name)).cloned().unwrap_or_default()
    }

    pub(crate) fn declare_sort(&mut self, name: Symbol, binding: SortBinding) {
        let old = self.shadow_sort(name, binding);
        if !self.levels.is_empty() && !self.global_declarations {
            self.undo.push(Undo::Sort(name, old));
        }
    }

    /// Binds a sort name temporarily (a declaration's parameters); pass the result to [`Scope::restore_sort`].
    pub(crate) fn shadow_sort(&mut self, name: Symbol, binding: SortBinding) -> SortBinding {
        let old = self.sort(name);
        self.sorts.insert(name, binding);
        old
    }

    pub(crate) fn restore_sort(&mut self, name: Symbol, old: SortBinding) {
        self.sorts.insert(name, old);
    }

    pub(crate) fn push(&mut self, n: u32) {
        let n = u64::from(n);
        self.depth += n;
        match self.levels.last_mut() {
            Some(top) if top.0 == self.undo.len() => top.1 += n,
            _ if n == 0 => {}
            _ => self.levels.push((self.undo.len(), n)),
        }
    }

    /// Closes `n` levels; false, without an effect, if there are fewer.
    pub(crate) fn pop(&mut self, n: u32) -> bool {
        let mut n = u64::from(n);
        if self.depth < n {
            return false;
        }
        self.depth -= n;
        while n > 0 {
            let Some(top) = self.levels.last_mut() else { return false };
            let taken = top.1.min(n);
            top.1 -= taken;
            n -= taken;
            let (mark, left) = *top;
            if left == 0 {
                self.levels.pop();
            }
            self.rewind(mark);
        }
        true
    }

    /// Whether rules are read here.
    pub(crate) fn takes_rules(&self) -> bool {
        self.is_outermost() && !self.lost_variables
    }

    /// Whether no level is open.
    pub(crate) fn is_outermost(&self) -> bool {
        self.depth == 0
    }

    fn rewind(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Term(name, old)) => self.set(name, old),
                Some(Undo::Sort(name, old)) => {
                    self.sorts.insert(name, old);
                }
                None => return,
            }
        }
    }

    /// Forgets every declaration.
    pub(crate) fn reset(&mut self, store: &Store) {
        *self = Scope::new(store);
    }

    /// Forgets assertion levels and, unless declarations are global, every declaration; the logic stays.
    pub(crate) fn reset_assertions(&mut self, store: &Store) {
        if self.global_declarations {
            (self.levels, self.depth) = (Vec::new(), 0);
            self.undo.clear();
            return;
        }
        let (numerals_are_real, mode) = (self.numerals_are_real, self.mode);
        let lost_variables = self.lost_variables || !self.rule_variables.is_empty();
        self.reset(store);
        (self.numerals_are_real, self.mode) = (numerals_are_real, mode);
        self.lost_variables = lost_variables;
    }

    /// Something is asserted, checked or pushed: a missing logic now means all of them.
    pub(crate) fn begin(&mut self) {
        if self.mode == LogicProgress::Start {
            self.mode = LogicProgress::Begun;
        }
    }

    /// Applies the logic: whether numerals denote reals (Reals theory without Ints).
    /// Errors: it is too late (SMT-LIB 2.7, section 4.1.1: `set-logic` belongs to start mode). Declarations may come
    /// first, as in all solvers.
    pub(crate) fn set_logic(&mut self, logic: &str) -> Result<(), &'static str> {
        match self.mode {
            LogicProgress::Start => self.mode = LogicProgress::HasLogic,
            LogicProgress::Begun => return Err("the logic must be set before anything is asserted, checked or pushed"),
            LogicProgress::HasLogic => return Err("the logic is set already"),
        }
        let real_only = ["LRA", "NRA", "RDL"].iter().any(|end| logic.ends_with(end));
        self.numerals_are_real = real_only && !["IRA", "LIRA", "NIRA"].iter().any(|end| logic.ends_with(end));
        self.literals.clear();
        Ok(())
    }

    /// Returns all names bound as functions or operators, for suggestions.
    pub(crate) fn bound_names<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = &'a str> {
        // Ten thousand names are enough for a hint, and bound the time of a file of unknown names.
        (0..store.symbols.len().min(10_000) as u32)
            .map(Symbol)
            .filter(|&s| self.get(s) != Binding::Unbound)
            .map(|s| store.symbols.name(s))
    }
}

impl Scope {
    /// Returns all names bound as sorts, in a fixed order, for suggestions.
    pub(crate) fn sort_names<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = &'a str> {
        let mut names: Vec<Symbol> = self.sorts.keys().chain(STANDARD.sort_names.keys()).copied().collect();
        names.retain(|&s| self.sort(s) != SortBinding::Unbound);
        names.sort_unstable();
        names.truncate(10_000);
        names.into_iter().map(|s| store.symbols.name(s))
    }
}
