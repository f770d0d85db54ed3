//! The term store: one arena of hash-consed, sorted nodes behind `u32` ids.

use crate::constant::Constant;
use crate::decl::{Binder, Datatype, Func, FuncBody, MatchCase};
use crate::op::{Kind, Op};
use crate::sort::{DatatypeId, Sort, SortId, Sorts};
use crate::standard::STANDARD;
use crate::symbol::FuncId;
use crate::symbol::{Interner, Symbol};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use std::hash::{BuildHasher, Hash, Hasher};

pub use crate::symbol::{BinderId, ConstantId, MatchId, TermId};

/// A binder (a quantifier, lambda or `match`) occurs in it.
pub const HAS_BINDER: u8 = 1;
/// A bound variable occurs in it, free or under its binder.
pub const HAS_VARIABLE: u8 = 2;
/// An operator that the standard leaves open for some arguments (such as division by zero), or a solver's extension, occurs in it.
pub const HAS_PARTIAL: u8 = 4;
/// An operator on heaps or one of z3's orders occurs in it, or in a definition that it mentions: its value depends on what no symbol
/// stands for.
pub const HAS_HIDDEN: u8 = 8;

#[derive(Clone, Copy)]
struct TermNode {
    op: Op,
    sort: SortId,
    args: u32,
    len: u32,
    depth: u32,
    flags: u8,
}

/// All terms, sorts, names and declarations of a script, or of several that share them.
///
/// Invariant: a term in the store is well-sorted. Every constructor checks sorts or derives them.
#[derive(Clone)]
pub struct Store {
    /// Names.
    pub symbols: Interner,
    /// Sorts.
    pub sorts: Sorts,
    nodes: Vec<TermNode>,
    args: Vec<TermId>,
    table: HashTable<u32>,
    constants: Vec<Constant>,
    constant_table: HashTable<u32>,
    pub(crate) funcs: Vec<Func>,
    pub(crate) func_ids: FxHashMap<Func, FuncId>,
    /// The first functions of recursive groups, by their name.
    pub(crate) recursive: FxHashMap<Symbol, Vec<FuncId>>,
    /// The built-in ones come first.
    pub(crate) datatypes: Vec<Datatype>,
    /// Overloaded names, with whether arguments alone may be ambiguous.
    pub(crate) overloaded: FxHashMap<Symbol, bool>,
    /// The original names of bound variables that the reader renamed.
    pub(crate) own_names: FxHashMap<Symbol, Symbol>,
    /// The names of theories as data, with the names that solvers have for them, as (solver, name).
    pub(crate) theory_names: FxHashMap<Symbol, Vec<(Symbol, Symbol)>>,
    pub(crate) datatype_ids: FxHashMap<Box<[u32]>, DatatypeId>,
    binders: Vec<Binder>,
    binder_ids: FxHashMap<Binder, BinderId>,
    matches: Vec<Box<[MatchCase]>>,
    match_ids: FxHashMap<Box<[MatchCase]>, MatchId>,
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

impl Store {
    /// Makes an empty store.
    pub fn new() -> Store {
        Store {
            symbols: STANDARD.symbols.clone(),
            sorts: STANDARD.sorts.clone(),
            nodes: Vec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            constants: Vec::new(),
            constant_table: HashTable::new(),
            funcs: Vec::new(),
            func_ids: FxHashMap::default(),
            recursive: FxHashMap::default(),
            datatypes: STANDARD.datatypes.clone(),
            overloaded: FxHashMap::default(),
            own_names: FxHashMap::default(),
            theory_names: FxHashMap::default(),
            datatype_ids: FxHashMap::default(),
            binders: Vec::new(),
            binder_ids: FxHashMap::default(),
            matches: Vec::new(),
            match_ids: FxHashMap::default(),
        }
    }

    /// Returns the number of terms; their positions run from 0 to here.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the operator of a term.
    pub fn op(&self, t: TermId) -> Op {
        self.nodes[t.index()].op
    }

    /// Returns the kind of a term's operator.
    pub fn kind(&self, t: TermId) -> Kind {
        self.nodes[t.index()].op.kind
    }

    /// Returns the sort of a term.
    pub fn sort(&self, t: TermId) -> SortId {
        self.nodes[t.index()].sort
    }

    /// Returns the children of a term; see [`Kind`] for those of binders.
    pub fn args(&self, t: TermId) -> &[TermId] {
        let n = &self.nodes[t.index()];
        &self.args[n.args as usize..(n.args + n.len) as usize]
    }

    /// Returns the length of the longest path down to a leaf; a leaf has depth 0, and every node on the way counts, `not` too.
    /// Patterns of quantifiers count like other children. Saturates at `u32::MAX`.
    pub fn depth(&self, t: TermId) -> u32 {
        self.nodes[t.index()].depth
    }

    /// [`HAS_BINDER`], [`HAS_VARIABLE`], [`HAS_PARTIAL`] and [`HAS_HIDDEN`] of a term.
    pub fn flags(&self, t: TermId) -> u8 {
        self.nodes[t.index()].flags
    }

    /// Whether a term is of sort `Bool`.
    pub fn is_bool(&self, t: TermId) -> bool {
        self.sort(t) == SortId::BOOL
    }

    /// Returns the literal of a [`Kind::Constant`] term.
    pub fn constant(&self, t: TermId) -> Option<&Constant> {
        self.op(t).constant().map(|c| &self.constants[c.0 as usize])
    }

    /// Returns a function's declaration.
    pub fn func(&self, f: FuncId) -> &Func {
        &self.funcs[f.index()]
    }

    /// Whether a name is ambiguous even with its argument sorts, so that it needs `(as NAME SORT)`.
    pub fn is_ambiguous(&self, name: Symbol) -> bool {
        self.overloaded.get(&name) == Some(&true)
    }

    /// Returns the number of functions.
    pub fn func_count(&self) -> usize {
        self.funcs.len()
    }

    /// Returns a datatype's declaration.
    pub fn datatype(&self, d: DatatypeId) -> &Datatype {
        &self.datatypes[d.index()]
    }

    /// Returns the variables and patterns of a binder.
    pub fn binder(&self, b: BinderId) -> &Binder {
        &self.binders[b.0 as usize]
    }

    /// Returns the cases of a `match`.
    pub fn cases(&self, m: MatchId) -> &[MatchCase] {
        &self.matches[m.0 as usize]
    }

    /// Returns the name of a symbol.
    pub fn name(&self, s: Symbol) -> &str {
        self.symbols.name(s)
    }

    /// Returns the name of a bound variable's node.
    pub fn variable(&self, t: TermId) -> Option<Symbol> {
        let op = self.op(t);
        (op.kind == Kind::Variable).then_some(Symbol(op.i))
    }

    /// Returns the function, if `t` is a declared or defined function applied (to nothing, for a constant).
    pub fn applied(&self, t: TermId) -> Option<FuncId> {
        let op = self.op(t);
        (op.kind == Kind::Apply).then_some(FuncId(op.i))
    }

    /// Expands a constant defined by `define-fun`; every other term stays.
    pub fn stands_for(&self, mut t: TermId) -> TermId {
        // A definition only uses earlier ones, so this terminates.
        while let Some(f) = self.applied(t)
            && let FuncBody::Defined { vars, body } = &self.func(f).body
            && vars.is_empty()
        {
            t = *body;
        }
        t
    }
}

impl Store {
    /// Reserves room for the terms of a text of this many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        // Real files have a new term about every twenty bytes; a file with one long literal must not cost memory.
        let terms = (bytes / 20).min(1 << 16);
        self.nodes.reserve(terms);
        self.args.reserve(2 * terms);
        let (nodes, pool) = (&self.nodes, &self.args);
        self.table.reserve(terms, |&id| {
            let n = &nodes[id as usize];
            hash_node(n.op, &pool[n.args as usize..(n.args + n.len) as usize], n.sort)
        });
    }

    /// Returns the node with this operator, children and sort.
    ///
    /// The caller is responsible for the sorts; the public API is [`Store::app`] and the typed builders.
    pub(crate) fn node(&mut self, op: Op, args: &[TermId], sort: SortId) -> TermId {
        let hash = hash_node(op, args, sort);
        let (nodes, pool) = (&self.nodes, &self.args);
        if let Some(&found) = self.table.find(hash, |&id| {
            let n = &nodes[id as usize];
            n.op == op && n.sort == sort && &pool[n.args as usize..(n.args + n.len) as usize] == args
        }) {
            return TermId(found);
        }
        let mut depth = 0u32;
        let body = op.func().and_then(|f| self.funcs.get(f.index())?.definition()).map(|(_, body)| body);
        let mut flags = own_flags(op) | body.map_or(0, |body| self.flags(body) & HAS_HIDDEN);
        for &a in args {
            let n = &self.nodes[a.index()];
            depth = depth.max(n.depth.saturating_add(1));
            flags |= n.flags;
        }
        let id = self.nodes.len() as u32;
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(TermNode { op, sort, args: start, len: args.len() as u32, depth, flags });
        let (nodes, pool) = (&self.nodes, &self.args);
        self.table.insert_unique(hash, id, |&id| {
            let n = &nodes[id as usize];
            hash_node(n.op, &pool[n.args as usize..(n.args + n.len) as usize], n.sort)
        });
        TermId(id)
    }

    /// Returns a node like `t` with other children of the same sorts; `t` itself if the children are the same.
    ///
    /// # Panics
    /// In debug builds, if a child's sort differs from the one it replaces.
    pub fn with_args(&mut self, t: TermId, args: &[TermId]) -> TermId {
        debug_assert!(
            args.len() == self.args(t).len()
                && args.iter().zip(self.args(t)).all(|(&a, &b)| self.sort(a) == self.sort(b)),
            "children of other sorts"
        );
        if args == self.args(t) {
            return t;
        }
        let TermNode { op, sort, .. } = self.nodes[t.index()];
        self.node(op, args, sort)
    }

    /// Returns the id of a literal value.
    fn constant_id(&mut self, value: Constant) -> ConstantId {
        // A literal may have a hundred million characters, so it must not be stored twice.
        let constants = &self.constants;
        let hash = FxBuildHasher.hash_one(&value);
        if let Some(&id) = self.constant_table.find(hash, |&id| constants[id as usize] == value) {
            return ConstantId(id);
        }
        let id = self.constants.len() as u32;
        self.constants.push(value);
        let constants = &self.constants;
        self.constant_table.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&constants[id as usize]));
        ConstantId(id)
    }

    pub(crate) fn literal(&mut self, value: Constant) -> TermId {
        let sort = match &value {
            Constant::Int(_) => SortId::INT,
            Constant::Real(_) => SortId::REAL,
            Constant::BitVec { width, .. } => self.sorts.bitvec(*width),
            Constant::FieldElement { order, .. } => self.sorts.intern(Sort::FiniteField(order.clone())),
            Constant::String(_) => SortId::STRING,
        };
        let id = self.constant_id(value);
        self.node(Op::indexed(Kind::Constant, id.0, 0), &[], sort)
    }

    /// Returns a bound variable of a name and sort.
    pub fn bound_variable(&mut self, name: Symbol, sort: SortId) -> TermId {
        self.node(Op::indexed(Kind::Variable, name.0, 0), &[], sort)
    }

    /// Returns the bound variable of a name and sort, if the store has it.
    pub fn known_variable(&self, name: Symbol, sort: SortId) -> Option<TermId> {
        let op = Op::indexed(Kind::Variable, name.0, 0);
        let is_it = |&id: &u32| {
            let n = &self.nodes[id as usize];
            n.op == op && n.sort == sort
        };
        self.table.find(hash_node(op, &[], sort), is_it).copied().map(TermId)
    }

    pub(crate) fn binder_id(&mut self, binder: Binder) -> BinderId {
        if let Some(&id) = self.binder_ids.get(&binder) {
            return id;
        }
        let id = BinderId(self.binders.len() as u32);
        self.binders.push(binder.clone());
        self.binder_ids.insert(binder, id);
        id
    }

    pub(crate) fn match_id(&mut self, cases: Box<[MatchCase]>) -> MatchId {
        if let Some(&id) = self.match_ids.get(&cases) {
            return id;
        }
        let id = MatchId(self.matches.len() as u32);
        self.matches.push(cases.clone());
        self.match_ids.insert(cases, id);
        id
    }

    /// Returns the function with this declaration, adding it if new.
    pub fn declare(&mut self, func: Func) -> FuncId {
        if let Some(&id) = self.func_ids.get(&func) {
            return id;
        }
        let id = FuncId(self.funcs.len() as u32);
        self.funcs.push(func.clone());
        self.func_ids.insert(func, id);
        id
    }

    /// Returns the first of `base`, `base!1`, `base!2` … that is not `taken`.
    pub fn fresh_symbol(&mut self, base: &str, mut taken: impl FnMut(Symbol) -> bool) -> Symbol {
        let mut symbol = self.symbols.intern(base);
        let mut n = 1u32;
        while taken(symbol) {
            symbol = self.symbols.intern(&format!("{base}!{n}"));
            n += 1;
        }
        symbol
    }

    /// Returns the datatypes that one command declares, the first of which is `first`.
    pub fn datatype_group(&self, first: DatatypeId) -> impl Iterator<Item = DatatypeId> + use<> {
        let (first, count) = self.datatype(first).group;
        (first.0..first.0 + count).map(DatatypeId)
    }

    /// Returns the sorts of a constructor's fields in a datatype instance of sort `sort`.
    pub fn field_sorts(&mut self, sort: SortId, constructor: usize) -> Vec<SortId> {
        let Sort::Datatype(d, args) = self.sorts.get(sort).clone() else { return Vec::new() };
        let dt = &self.datatypes[d.index()];
        let bindings: Vec<(Symbol, SortId)> = dt.params.iter().copied().zip(args).collect();
        let fields: Vec<SortId> = match dt.constructors.get(constructor) {
            Some(c) => c.fields.iter().map(|f| f.1).collect(),
            None => Vec::new(),
        };
        fields.into_iter().map(|s| self.sorts.instantiate(s, &bindings)).collect()
    }
}

fn own_flags(op: Op) -> u8 {
    use Kind::*;
    match op.kind {
        Select if DatatypeId(op.i).is_tuple() => 0,
        Variable => HAS_VARIABLE,
        Forall | Exists | Lambda | Match => HAS_BINDER,
        IntDiv | IntMod | IntRem | IntPow | IntPiand | RealPow | RealSqrt | RealDiv | Select | FpMin | FpMax
        | FpToUbv | FpToSbv | FpToReal | FpToIeeeBv | SeqNth | SetUniverse | SetComplement | SetChoose | BagChoose
        | SetFold | BagFold | RelJoinImage => HAS_PARTIAL,
        SepEmp | SepNil | SepPto | SepStar | SepWand => HAS_HIDDEN,
        _ if op.is_order() => HAS_HIDDEN,
        _ => 0,
    }
}

fn hash_node(op: Op, args: &[TermId], sort: SortId) -> u64 {
    let mut hasher = FxHasher::default();
    (op.kind as u16, op.i, op.j, sort.0).hash(&mut hasher);
    for a in args {
        hasher.write_u32(a.0);
    }
    hasher.finish()
}

impl Store {
    /// Returns the names of all bound variables.
    pub(crate) fn binder_names(&self) -> impl Iterator<Item = Symbol> {
        let binders = self.binders.iter().flat_map(|b| b.vars.iter().map(|v| v.0));
        let cases = self.matches.iter().flat_map(|m| m.iter());
        binders.chain(cases.flat_map(|c| c.vars.iter().flatten().copied()))
    }
}
