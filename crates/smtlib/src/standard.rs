//! The names that every script starts with: the operators and sorts of the standard theories, interned once and copied.
//!
//! Most files are small, and filling these tables each time would cost more than reading such a file.

use crate::decl::{Constructor, Datatype};
use crate::signature::SignatureRow;
use crate::sort::{DatatypeId, MAX_TUPLE, Sort, SortId, Sorts};
use crate::symbol::{FuncId, TermId};
use crate::symbol::{Interner, Symbol};
use crate::theories::{self, extensions};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The table, made on first use; it never changes.
pub(crate) static STANDARD: LazyLock<Standard> = LazyLock::new(|| {
    let mut standard = Standard {
        symbols: Interner::default(),
        sorts: Sorts::default(),
        terms: Vec::new(),
        groups: Vec::new(),
        sort_names: FxHashMap::default(),
        datatypes: Vec::new(),
    };
    for row in theories::rows() {
        standard.add_row(row.name, row);
    }
    for theory in theories::THEORIES {
        for (alias, kind) in theory.aliases {
            for row in theory.rows.iter().filter(|r| r.kind == *kind) {
                standard.add_row(alias, row);
            }
        }
    }
    standard.add_sorts();
    standard.add_datatypes();
    standard
});

/// The starting point of stores and symbol tables.
pub(crate) struct Standard {
    pub symbols: Interner,
    pub sorts: Sorts,
    /// The meaning of every operator name, by symbol.
    pub terms: Vec<Binding>,
    /// The operators of one name, by the number in [`Binding::Theory`].
    pub groups: Vec<Vec<&'static SignatureRow>>,
    pub sort_names: FxHashMap<Symbol, SortBinding>,
    /// The built-in datatypes, by id.
    pub datatypes: Vec<Datatype>,
}

/// The meaning of a name where a term is expected.
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
    /// Several functions, constructors, selectors or testers of this name, by their number in the scope.
    Overloaded(u32),
    /// Defined by a command that was carried as text.
    Opaque,
}

/// The meaning of a name where a sort is expected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum SortBinding {
    #[default]
    Unbound,
    Simple(SortId),
    BitVec,
    FloatingPoint,
    FiniteField,
    Array,
    Set,
    Bag,
    Map,
    Seq,
    /// A declared constructor of this arity.
    Declared(u32),
    Datatype(DatatypeId),
    /// `define-sort`: parameters and body.
    Defined(Box<[Symbol]>, SortId),
    Extension,
}

impl Standard {
    fn add_row(&mut self, name: &str, row: &'static SignatureRow) {
        let symbol = self.symbols.intern(name);
        match self.terms.get(symbol.index()) {
            Some(Binding::Theory(group)) => self.groups[*group as usize].push(row),
            // Names are interned in the order of the groups, so that their numbers are equal.
            _ => {
                self.terms.push(Binding::Theory(self.groups.len() as u32));
                self.groups.push(vec![row]);
            }
        }
    }

    /// Adds tuples and nullable sorts. The name of a selector of tuples is its whole identifier, `(_ tuple.select 0)`.
    fn add_datatypes(&mut self) {
        let mut field = |n: usize, selector: &str| {
            let parameter = self.symbols.intern(&format!("tuple!{n}"));
            (parameter, self.symbols.intern(selector), self.sorts.intern(Sort::Parameter(parameter)))
        };
        let fields: Vec<_> = (0..MAX_TUPLE).map(|n| field(n, &format!("(_ tuple.select {n})"))).collect();
        let held = field(0, "nullable.val");
        let constructor = |symbols: &mut Interner, name, fields: &[(Symbol, Symbol, SortId)]| Constructor {
            name: symbols.intern(name),
            fields: fields.iter().map(|&(_, selector, sort)| (selector, sort)).collect(),
        };
        for count in 0..=MAX_TUPLE {
            let (name, constructor_name) = if count == 0 { ("UnitTuple", "tuple.unit") } else { ("Tuple", "tuple") };
            self.datatypes.push(Datatype {
                name: self.symbols.intern(name),
                params: fields[..count].iter().map(|field| field.0).collect(),
                constructors: vec![constructor(&mut self.symbols, constructor_name, &fields[..count])],
                group: (DatatypeId(count as u32), 1),
            });
        }
        self.datatypes.push(Datatype {
            name: self.symbols.intern("Nullable"),
            params: [held.0].into(),
            constructors: vec![
                constructor(&mut self.symbols, "nullable.null", &[]),
                constructor(&mut self.symbols, "nullable.some", &[held]),
            ],
            group: (DatatypeId::NULLABLE, 1),
        });
    }

    fn add_sorts(&mut self) {
        let simple = [
            ("Bool", SortId::BOOL),
            ("Int", SortId::INT),
            ("Real", SortId::REAL),
            ("String", SortId::STRING),
            ("RegLan", SortId::REGLAN),
            ("RoundingMode", SortId::ROUNDING_MODE),
            ("Float16", self.sorts.float(5, 11)),
            ("Float32", self.sorts.float(8, 24)),
            ("Float64", self.sorts.float(11, 53)),
            ("Float128", self.sorts.float(15, 113)),
        ];
        let mut table: Vec<(&str, SortBinding)> = simple.map(|(n, s)| (n, SortBinding::Simple(s))).into();
        table.extend([
            ("BitVec", SortBinding::BitVec),
            ("FloatingPoint", SortBinding::FloatingPoint),
            ("FiniteField", SortBinding::FiniteField),
            ("Array", SortBinding::Array),
            ("Set", SortBinding::Set),
            // z3's name for them; its own `(Set T)` is an array of truth values.
            ("FiniteSet", SortBinding::Set),
            ("Bag", SortBinding::Bag),
            ("->", SortBinding::Map),
            ("Seq", SortBinding::Seq),
        ]);
        table.extend(extensions::SORTS.iter().map(|n| (*n, SortBinding::Extension)));
        for (name, binding) in table {
            let symbol = self.symbols.intern(name);
            self.sort_names.insert(symbol, binding);
        }
    }
}
