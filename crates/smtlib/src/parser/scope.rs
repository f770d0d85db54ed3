//! The symbol table: what every name means at a point of a script.

use crate::decl::FuncId;
use crate::signature::Row;
use crate::sort::{DatatypeId, SortId};
use crate::symbol::Symbol;
use crate::term::{Store, TermId};
use crate::theories::{self, extensions};
use rustc_hash::FxHashMap;

/// What a name means where a term is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Binding {
    #[default]
    Unbound,
    /// The operators of this name, by group number.
    Theory(u32),
    /// A bound variable, a `let` variable or a `:named` term.
    Term(TermId),
    Func(FuncId),
    Constructor(DatatypeId, u32),
    Selector(DatatypeId, u16, u16),
    /// `is-c`, the old spelling of `(_ is c)`.
    Tester(DatatypeId, u32),
    /// Defined by a command that was carried as text.
    Opaque,
}

/// What a name means where a sort is expected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum SortBinding {
    #[default]
    Unbound,
    Simple(SortId),
    BitVec,
    FloatingPoint,
    Array,
    Map,
    /// A declared constructor of this arity.
    Declared(u32),
    Datatype(DatatypeId),
    /// `define-sort`: parameters and body.
    Defined(Box<[Symbol]>, SortId),
    Extension,
}

enum Undo {
    Term(Symbol, Binding),
    Sort(Symbol, SortBinding),
}

/// The symbol table of one store. It grows with the declarations of a script and can then read further terms and models.
pub struct Scope {
    terms: Vec<Binding>,
    sorts: FxHashMap<Symbol, SortBinding>,
    pub(crate) groups: Vec<Vec<&'static Row>>,
    /// The group of every operator name, whatever the name means now.
    group_of: FxHashMap<Symbol, u32>,
    undo: Vec<Undo>,
    /// Open assertion levels: the length of `undo` at a push, and how many pushes stand there.
    levels: Vec<(usize, u64)>,
    /// How many pushes are open.
    depth: u64,
    /// Numerals denote reals: the logic has reals and no integers.
    pub(crate) numerals_are_real: bool,
    pub(crate) global_declarations: bool,
    /// How many bound variables of a name are renamed at the moment.
    pub(crate) renamed: FxHashMap<Symbol, u32>,
    /// The terms of short literals by spelling.
    pub(crate) literals: Vec<Option<TermId>>,
}

impl Scope {
    /// The table of the standard theories.
    pub fn new(store: &mut Store) -> Scope {
        let mut scope = Scope {
            terms: Vec::new(),
            sorts: FxHashMap::default(),
            groups: Vec::new(),
            group_of: FxHashMap::default(),
            undo: Vec::new(),
            levels: Vec::new(),
            depth: 0,
            numerals_are_real: false,
            global_declarations: false,
            renamed: FxHashMap::default(),
            literals: Vec::new(),
        };
        for row in theories::rows() {
            scope.add_row(store, row.name, row);
        }
        for theory in theories::THEORIES {
            for (alias, kind) in theory.aliases {
                for row in theory.rows.iter().filter(|r| r.kind == *kind) {
                    scope.add_row(store, alias, row);
                }
            }
        }
        scope.add_sorts(store);
        scope
    }

    fn add_row(&mut self, store: &mut Store, name: &str, row: &'static Row) {
        let symbol = store.symbols.intern(name);
        if let Binding::Theory(group) = self.get(symbol) {
            self.groups[group as usize].push(row);
            return;
        }
        let group = self.groups.len() as u32;
        self.groups.push(vec![row]);
        self.group_of.insert(symbol, group);
        self.set(symbol, Binding::Theory(group));
    }

    fn add_sorts(&mut self, store: &mut Store) {
        let simple = [
            ("Bool", SortId::BOOL),
            ("Int", SortId::INT),
            ("Real", SortId::REAL),
            ("String", SortId::STRING),
            ("RegLan", SortId::REGLAN),
            ("RoundingMode", SortId::ROUNDING_MODE),
            ("Float16", store.sorts.float(5, 11)),
            ("Float32", store.sorts.float(8, 24)),
            ("Float64", store.sorts.float(11, 53)),
            ("Float128", store.sorts.float(15, 113)),
        ];
        let mut table: Vec<(&str, SortBinding)> = simple.map(|(n, s)| (n, SortBinding::Simple(s))).into();
        table.extend([
            ("BitVec", SortBinding::BitVec),
            ("FloatingPoint", SortBinding::FloatingPoint),
            ("Array", SortBinding::Array),
            ("->", SortBinding::Map),
        ]);
        table.extend(extensions::SORTS.iter().map(|n| (*n, SortBinding::Extension)));
        for (name, binding) in table {
            let symbol = store.symbols.intern(name);
            self.sorts.insert(symbol, binding);
        }
    }

    /// The operators of this name, even where a declaration hides them.
    pub(crate) fn theory_group(&self, name: Symbol) -> Option<u32> {
        self.group_of.get(&name).copied()
    }

    /// What a name means as a term.
    pub(crate) fn get(&self, name: Symbol) -> Binding {
        self.terms.get(name.index()).copied().unwrap_or_default()
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
        self.sorts.get(&name).cloned().unwrap_or_default()
    }

    pub(crate) fn declare_sort(&mut self, name: Symbol, binding: SortBinding) {
        let old = self.sorts.insert(name, binding).unwrap_or_default();
        if !self.levels.is_empty() && !self.global_declarations {
            self.undo.push(Undo::Sort(name, old));
        }
    }

    /// Binds a sort name for a moment (a declaration's parameters); give the result back to [`Scope::restore_sort`].
    pub(crate) fn shadow_sort(&mut self, name: Symbol, binding: SortBinding) -> SortBinding {
        self.sorts.insert(name, binding).unwrap_or_default()
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

    /// Closes `n` levels; false, with nothing closed, if there are fewer.
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

    /// Forgets every declaration made since the table was new.
    pub(crate) fn reset(&mut self, store: &mut Store) {
        *self = Scope::new(store);
    }

    /// Forgets assertion levels and, unless declarations are global, every declaration; the logic stays.
    pub(crate) fn reset_assertions(&mut self, store: &mut Store) {
        if self.global_declarations {
            (self.levels, self.depth) = (Vec::new(), 0);
            self.undo.clear();
            return;
        }
        let numerals_are_real = self.numerals_are_real;
        self.reset(store);
        self.numerals_are_real = numerals_are_real;
    }

    /// Sets what follows from the logic: whether numerals denote reals (Reals theory without Ints).
    pub(crate) fn set_logic(&mut self, logic: &str) {
        let real_only = ["LRA", "NRA", "RDL"].iter().any(|end| logic.ends_with(end));
        self.numerals_are_real = real_only && !["IRA", "LIRA", "NIRA"].iter().any(|end| logic.ends_with(end));
        self.literals.clear();
    }

    /// All names bound as functions or operators, for suggestions.
    pub(crate) fn bound_names<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = &'a str> {
        (0..store.symbols.len() as u32)
            .map(Symbol)
            .filter(|&s| self.get(s) != Binding::Unbound)
            .map(|s| store.symbols.name(s))
    }
}

impl Scope {
    /// All names bound as sorts, in a fixed order, for suggestions.
    pub(crate) fn sort_names<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = &'a str> {
        let mut names: Vec<Symbol> =
            self.sorts.iter().filter(|(_, b)| **b != SortBinding::Unbound).map(|(s, _)| *s).collect();
        names.sort_unstable();
        names.into_iter().map(|s| store.symbols.name(s))
    }
}
