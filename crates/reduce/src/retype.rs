//! Rebuilds a script with other sorts: narrower bit-vectors, renamed sorts, datatypes with fewer constructors.

use crate::pass::View;
use crate::plan::ScriptEdit;
use rustc_hash::FxHashMap;
use semantics::collections::{BagValue, SetValue};
use semantics::{FunctionTable, Interpretation, Model, Value};
use smtlib::{
    Binder, Command, Constant, DatatypeId, Func, FuncBody, FuncId, Kind, Op, Script, Sort, SortId, Store, Symbol,
    TermId,
};
use std::sync::Arc;

/// The mapping of sorts and of what they contain.
///
/// Invariant: the result is well-sorted, or there is none; the judge decides whether it still has the required meaning.
#[derive(Default)]
pub(crate) struct Retyping {
    /// Replaced sorts; compound sorts follow.
    pub sorts: FxHashMap<SortId, SortId>,
    /// Replaced datatypes, with any arguments.
    pub datatypes: FxHashMap<DatatypeId, DatatypeId>,
    /// New names of declared sorts.
    pub sort_names: FxHashMap<Symbol, Symbol>,
    /// Replaced constructors by datatype and number; a mapped datatype loses all others.
    pub constructors: FxHashMap<(DatatypeId, usize), (DatatypeId, usize)>,
    /// Replaced or dropped declarations of datatypes, by the first datatype.
    pub declarations: FxHashMap<DatatypeId, Option<Command>>,
    functions: FxHashMap<FuncId, FuncId>,
    terms: FxHashMap<TermId, TermId>,
}

impl Retyping {
    /// Returns the retyped script as an edit, and extends the witness to its new functions. `None` if it fails.
    pub(crate) fn edit(&mut self, view: &mut View<'_>) -> Option<ScriptEdit> {
        let script = self.script(view.store, view.script)?;
        if let Some(model) = view.model.as_mut() {
            let functions: Vec<(FuncId, FuncId)> = self.functions.iter().map(|(&f, &g)| (f, g)).collect();
            for (&from, &to) in &self.sorts {
                if let Some(size) = model.universe(from) {
                    model.set_universe(to, size);
                }
            }
            for (f, g) in functions {
                if f == g {
                    continue;
                }
                if let Some(interpretation) = model.interpretation(f).cloned() {
                    let mapped = self.interpretation(view.store, f, interpretation)?;
                    Retyping::assign(view.store, model, g, mapped)?;
                    view.extended = true;
                }
            }
        }
        Some(ScriptEdit::Script(script))
    }

    /// Sets the interpretation of a function.
    pub(crate) fn assign(store: &Store, model: &mut Model, f: FuncId, interpretation: Interpretation) -> Option<()> {
        match interpretation {
            Interpretation::Value(value) => model.assign(store, f, value),
            Interpretation::Table(table) => model.assign_table(store, f, table),
            Interpretation::Body { params, body } => model.assign_body(store, f, params, body),
        }
        .ok()
    }

    fn script(&mut self, store: &mut Store, script: &Script) -> Option<Script> {
        let mut commands = Vec::with_capacity(script.commands.len());
        for command in &script.commands {
            commands.push(match command {
                Command::DeclareSort(name, n) => {
                    Command::DeclareSort(self.sort_names.get(name).copied().unwrap_or(*name), *n)
                }
                // Uses are expanded.
                Command::DefineSort(..) => continue,
                Command::DeclareDatatypes(first, _) => match self.declarations.get(first) {
                    Some(Some(other)) => other.clone(),
                    Some(None) => continue,
                    None if self.touches_datatypes(store, *first) => return None,
                    None => command.clone(),
                },
                Command::DeclareFun(f) => Command::DeclareFun(self.function(store, *f)?),
                Command::DefineFun(f) => Command::DefineFun(self.function(store, *f)?),
                Command::DefineFunsRec(group) => Command::DefineFunsRec(self.recursive(store, group)?),
                Command::Opaque(..) | Command::Extension(..) | Command::DeclareHeap(..) => return None,
                Command::Rule(..) | Command::Derive(_) => return None,
                Command::Assert(t, name) => Command::Assert(self.term(store, *t)?, *name),
                Command::CheckSatAssuming(terms) => {
                    Command::CheckSatAssuming(terms.iter().map(|&t| self.term(store, t)).collect::<Option<_>>()?)
                }
                Command::GetValue(_) => continue,
                other => other.clone(),
            });
        }
        Some(Script { commands })
    }

    fn touches_datatypes(&self, store: &mut Store, first: DatatypeId) -> bool {
        let members = store.datatype_group(first);
        let fields: Vec<SortId> = members
            .flat_map(|d| store.datatype(d).constructors.iter().flat_map(|c| c.fields.iter().map(|f| f.1)))
            .collect();
        fields.into_iter().any(|s| self.sort(store, s) != s)
    }

    /// Retypes the functions of a recursive group.
    fn recursive(&mut self, store: &mut Store, group: &[FuncId]) -> Option<Box<[FuncId]>> {
        let mut reserved = Vec::with_capacity(group.len());
        for &f in group {
            let func = store.func(f).clone();
            let (params, result) = (self.sort_list(store, &func.params), self.sort(store, func.result));
            reserved.push(store.reserve_recursive(func.name, params, result));
        }
        self.functions.extend(group.iter().copied().zip(reserved.iter().copied()));
        let mut definitions = Vec::with_capacity(group.len());
        for &f in group {
            let func = store.func(f).clone();
            let (vars, body) = func.definition()?;
            definitions.push((vars.into(), self.term(store, body)?));
        }
        let defined = store.define_recursive(&reserved, definitions);
        if *defined != *reserved {
            self.functions.extend(group.iter().copied().zip(defined.iter().copied()));
            self.terms.clear();
        }
        Some(defined)
    }

    /// Maps a sort. Sorts nest no deeper than the parser allows, so recursion is safe.
    pub(crate) fn sort(&self, store: &mut Store, s: SortId) -> SortId {
        if let Some(&new) = self.sorts.get(&s) {
            return new;
        }
        let new = match store.sorts.get(s).clone() {
            Sort::Array(i, e) => Sort::Array(self.sort(store, i), self.sort(store, e)),
            Sort::Map(i, e) => Sort::Map(self.sort(store, i), self.sort(store, e)),
            Sort::Seq(element) => Sort::Seq(self.sort(store, element)),
            Sort::Set(e) => Sort::Set(self.sort(store, e)),
            Sort::Bag(e) => Sort::Bag(self.sort(store, e)),
            Sort::Uninterpreted(n, args) if !args.is_empty() => Sort::Uninterpreted(n, self.sort_list(store, &args)),
            Sort::Datatype(d, args) => {
                let args = self.sort_list(store, &args);
                Sort::Datatype(self.datatypes.get(&d).copied().unwrap_or(d), args)
            }
            _ => return s,
        };
        store.sorts.intern(new)
    }

    fn sort_list(&self, store: &mut Store, list: &[SortId]) -> Box<[SortId]> {
        list.iter().map(|&s| self.sort(store, s)).collect()
    }

    fn function(&mut self, store: &mut Store, f: FuncId) -> Option<FuncId> {
        if let Some(&g) = self.functions.get(&f) {
            return Some(g);
        }
        let func = store.func(f).clone();
        let body = match func.body.clone() {
            FuncBody::Declared | FuncBody::Relation => func.body.clone(),
            FuncBody::Defined { vars, body } => FuncBody::Defined { vars, body: self.term(store, body)? },
            FuncBody::Recursive { .. } => return None,
        };
        let params = self.sort_list(store, &func.params);
        let result = self.sort(store, func.result);
        let g = store.declare(Func { name: func.name, params, result, body });
        self.functions.insert(f, g);
        Some(g)
    }

    fn term(&mut self, store: &mut Store, root: TermId) -> Option<TermId> {
        let mut stack = vec![(root, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.terms.contains_key(&t) {
                continue;
            }
            if !ready {
                stack.push((t, true));
                stack.extend(store.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            let args: Option<Vec<TermId>> = store.args(t).iter().map(|a| self.terms.get(a).copied()).collect();
            let new = self.node(store, t, &args?)?;
            let wanted = self.sort(store, store.sort(t));
            if store.sort(new) != wanted {
                return None;
            }
            self.terms.insert(t, new);
        }
        self.terms.get(&root).copied()
    }

    /// Maps a constructor; `None` if it is dropped.
    fn constructor(&self, d: DatatypeId, c: usize) -> Option<(DatatypeId, usize)> {
        match self.constructors.get(&(d, c)) {
            Some(&new) => Some(new),
            None => self.constructors.keys().all(|k| k.0 != d).then_some((d, c)),
        }
    }

    fn node(&mut self, store: &mut Store, t: TermId, args: &[TermId]) -> Option<TermId> {
        let op = store.op(t);
        let sort = self.sort(store, store.sort(t));
        match op.kind {
            Kind::Constant => match store.constant(t)?.clone() {
                Constant::BitVec { value, .. } => {
                    let width = store.sorts.width(sort)?;
                    Some(store.bitvec(width, &value))
                }
                _ => Some(t),
            },
            Kind::Variable => {
                let name = store.variable(t)?;
                Some(store.bound_variable(name, sort))
            }
            Kind::Apply => {
                let f = self.function(store, op.func()?)?;
                store.apply(f, args).ok()
            }
            Kind::Forall | Kind::Exists | Kind::Lambda => {
                let binder = store.binder(op.binder()?).clone();
                let vars = binder.vars.iter().map(|&(v, s)| (v, self.sort(store, s))).collect();
                let bound = store.bind(op.kind, Binder { vars, ..binder }, args).ok()?;
                store.map_as_array(bound, sort).or(Some(bound))
            }
            Kind::Construct => {
                let (d, c) = op.constructor()?;
                let (d, c) = self.constructor(d, c)?;
                store.construct(d, c, args, Some(sort)).ok()
            }
            Kind::Test => {
                let (d, c) = op.constructor()?;
                let (d, c) = self.constructor(d, c)?;
                store.tester(d, c, *args.first()?).ok()
            }
            Kind::Select => {
                let ((d, c), field) = (op.constructor()?, op.field()?);
                let (d, c) = self.constructor(d, c)?;
                store.selector(d, c, field, *args.first()?).ok()
            }
            Kind::ConstArray => store.const_array(sort, *args.first()?).ok(),
            Kind::SeqEmpty => store.empty_sequence(sort).ok(),
            Kind::BagEmpty => store.empty_bag(sort).ok(),
            Kind::SetEmpty | Kind::SetUniverse => store.set_constant(op.kind, sort).ok(),
            Kind::Match | Kind::Update | Kind::AsArray | Kind::FuncValue => {
                (self.constructors.is_empty() && args == store.args(t) && sort == store.sort(t)).then_some(t)
            }
            Kind::ApplyMap => store.apply_map(*args.first()?, *args.get(1)?).ok(),
            _ => {
                let op = reindexed(store, op, args, sort)?;
                store.app(op, args).ok()
            }
        }
    }

    fn interpretation(&mut self, store: &mut Store, f: FuncId, old: Interpretation) -> Option<Interpretation> {
        let func = store.func(f).clone();
        Some(match old {
            Interpretation::Value(value) => Interpretation::Value(self.value(store, &value, func.result)?),
            Interpretation::Table(table) => {
                let default = match table.default_value() {
                    Some(value) => Some(self.value(store, value, func.result)?),
                    None => None,
                };
                let mut new = FunctionTable::new(default);
                for (args, value) in table.rows() {
                    let args: Option<Box<[Value]>> =
                        args.iter().zip(&func.params).map(|(v, &s)| self.value(store, v, s)).collect();
                    new.insert(args?, self.value(store, value, func.result)?);
                }
                Interpretation::Table(new)
            }
            Interpretation::Body { params, body } => Interpretation::Body { params, body: self.term(store, body)? },
        })
    }

    /// Maps a value of a sort. The recursion depth is that of the value, which is bounded.
    fn value(&mut self, store: &mut Store, value: &Value, sort: SortId) -> Option<Value> {
        let new = self.sort(store, sort);
        match value {
            _ if new == sort => Some(value.clone()),
            Value::BitVec { value, .. } => Some(Value::bitvec(store.sorts.width(new)?, value.clone())),
            Value::Element { index, .. } => Some(Value::Element { sort: new, index: *index }),
            Value::Seq(s) => {
                let Sort::Seq(element) = *store.sorts.get(sort) else { return None };
                let elements: Option<Box<[Value]>> =
                    s.elements().iter().map(|v| self.value(store, v, element)).collect();
                Value::sequence(new, elements?)
            }
            Value::Set(set) => {
                let Sort::Set(element) = *store.sorts.get(sort) else { return None };
                let elements: Option<Vec<Value>> =
                    set.elements().iter().map(|v| self.value(store, v, element)).collect();
                SetValue::new(elements?).ok().map(|set| Value::Set(Arc::new(set)))
            }
            Value::Bag(bag) => {
                let Sort::Bag(element) = *store.sorts.get(sort) else { return None };
                let entries = bag.entries().iter();
                let entries = entries.map(|(v, count)| Some((self.value(store, v, element)?, count.clone())));
                let entries: Option<Vec<_>> = entries.collect();
                BagValue::new(new, entries?).ok().map(|bag| Value::Bag(Arc::new(bag)))
            }
            Value::Datatype(d) => {
                let Sort::Datatype(id, _) = *store.sorts.get(sort) else { return None };
                let (_, c) = self.constructor(id, d.constructor as usize)?;
                let sorts = store.field_sorts(sort, d.constructor as usize);
                let fields: Option<Box<[Value]>> =
                    d.fields.iter().zip(sorts).map(|(v, s)| self.value(store, v, s)).collect();
                Value::datatype(new, u32::try_from(c).ok()?, fields?)
            }
            _ => None,
        }
    }
}

/// Returns the operator with indices that give the wanted sort for arguments of new widths.
fn reindexed(store: &Store, op: Op, args: &[TermId], wanted: SortId) -> Option<Op> {
    let width = |s: SortId| store.sorts.width(s);
    let given = args.first().and_then(|&a| width(store.sort(a)));
    let (Some(given), Some(wanted)) = (given, width(wanted)) else {
        return match (op.kind, width(wanted)) {
            (Kind::IntToBv | Kind::FpToUbv | Kind::FpToSbv, Some(wanted)) => Some(Op::indexed(op.kind, wanted, op.j)),
            _ => Some(op),
        };
    };
    match op.kind {
        Kind::BvExtract => {
            let high = op.i.min(given.checked_sub(1)?);
            let low = (high + 1).checked_sub(wanted)?;
            Some(Op::indexed(op.kind, high, low))
        }
        Kind::BvZeroExtend | Kind::BvSignExtend => Some(Op::indexed(op.kind, wanted.checked_sub(given)?, 0)),
        Kind::BvRepeat => Some(Op::indexed(op.kind, wanted.checked_div(given)?, 0)),
        Kind::BvRotateLeft | Kind::BvRotateRight => Some(Op::indexed(op.kind, op.i % given.max(1), 0)),
        _ => Some(op),
    }
}
