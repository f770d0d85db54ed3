//! Removes operators from scripts: each application is replaced by a table of its values. If the answer is right then, the operators
//! cause the wrong one.

use rustc_hash::FxHashMap;
use semantics::domain::Domains;
use semantics::guard::guard_of_all;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::term::HAS_BINDER;
use smtlib::{Command, Func, FuncBody, FuncId, Kind, Op, Script, SortId, Store, TermId, theories};
use std::collections::BTreeSet;

/// The maximum number of assignments of the symbols in one application.
const MAX_ASSIGNMENTS: usize = 512;
/// The maximum number of rows per table.
const MAX_ROWS: usize = 64;
/// The maximum number of replaced applications.
const MAX_TABLES: usize = 256;

/// Returns a script without applications of the operators `names` (standard names of the theories), except on written values. At `check`
/// (from 0) it has the same answer as `script`: where the assertions live there confine a constant, its tables contain only the allowed
/// values. `None` if an argument may have many values, or a definition contains such an application.
pub fn without(store: &mut Store, script: &Script, check: usize, names: &[Box<str>]) -> Option<Script> {
    let assertions = script.instance(check)?.assertions;
    let (values, nothing) = (FxHashMap::default(), Model::new());
    let mut tables = ValueTables { names, assertions, values, left: MAX_TABLES, has_failed: false, nothing };
    let mut commands = Vec::with_capacity(script.commands.len());
    for command in &script.commands {
        commands.push(match command {
            Command::Assert(t, name) => Command::Assert(tables.rebuilt(store, *t), *name),
            Command::CheckSatAssuming(terms) => {
                Command::CheckSatAssuming(terms.iter().map(|&t| tables.rebuilt(store, t)).collect())
            }
            // Queries of the model are not judged.
            Command::GetValue(_) | Command::GetModel => continue,
            Command::DefineFun(f) if tables.is_in_definition(store, &[*f]) => return None,
            Command::DefineFunsRec(funcs) if tables.is_in_definition(store, funcs) => return None,
            other => other.clone(),
        });
    }
    let is_changed = tables.left < MAX_TABLES;
    (is_changed && !tables.has_failed).then_some(Script { commands })
}

struct ValueTables<'n> {
    names: &'n [Box<str>],
    assertions: Vec<TermId>,
    /// Returns the values of a constant or bound variable, if few.
    values: FxHashMap<TermId, Option<Vec<Value>>>,
    left: usize,
    has_failed: bool,
    /// Sorts without a declared size have no universe.
    nothing: Model,
}

impl ValueTables<'_> {
    fn is_one(&self, store: &Store, t: TermId) -> bool {
        theories::row(store.kind(t)).is_some_and(|row| self.names.iter().any(|name| **name == *row.name))
    }

    fn is_in_definition(&self, store: &Store, funcs: &[FuncId]) -> bool {
        let mut stack: Vec<TermId> = funcs.iter().filter_map(|&f| Some(store.func(f).definition()?.1)).collect();
        let mut seen = BTreeSet::new();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                if self.is_one(store, t) {
                    return true;
                }
                stack.extend_from_slice(store.args(t));
            }
        }
        false
    }

    fn rebuilt(&mut self, store: &mut Store, t: TermId) -> TermId {
        store.rebuild(t, |store, u| {
            if self.has_failed || !self.is_one(store, u) {
                return None;
            }
            let table = self.table(store, u);
            self.has_failed |= table.is_none();
            table
        })
    }

    /// Replaces an application by a table over its arguments' values. The arguments stay, so errors in them remain visible.
    fn table(&mut self, store: &mut Store, t: TermId) -> Option<TermId> {
        self.left = self.left.checked_sub(1)?;
        let sort = store.sort(t);
        let leaves = leaves(store, t)?;
        let mut domains = Vec::with_capacity(leaves.len());
        let mut assignments = 1usize;
        for &leaf in &leaves {
            let domain = self.values_of(store, leaf)?;
            assignments = assignments.checked_mul(domain.len()).filter(|&all| (1..=MAX_ASSIGNMENTS).contains(&all))?;
            domains.push(domain);
        }
        // A variable has no value in a model; a constant represents it.
        let mut constants: Vec<FuncId> = Vec::new();
        let mut by = FxHashMap::default();
        for &leaf in &leaves {
            let f = match store.op(leaf).func() {
                Some(f) => f,
                None => {
                    let f = fresh(store, leaf);
                    by.insert(leaf, store.constant_of(f).ok()?);
                    f
                }
            };
            constants.push(f);
        }
        let stand_in = store.replace(t, &by);
        let [arguments, asked] = [t, stand_in].map(|t| store.args(t).to_vec());
        let mut rows: FxHashMap<Vec<Value>, Value> = FxHashMap::default();
        for mut n in 0..assignments {
            let mut model = Model::new();
            for (&f, domain) in constants.iter().zip(&domains) {
                model.assign(store, f, domain[n % domain.len()].clone()).ok()?;
                n /= domain.len();
            }
            let mut evaluator = Evaluator::new(model, EvalLimits::default());
            let values: Vec<Value> = asked.iter().map(|&a| evaluator.eval(store, a).ok()).collect::<Option<_>>()?;
            let value = evaluator.eval(store, stand_in).ok()?;
            // The solver may choose another value there.
            if !evaluator.model().choices().is_empty() {
                return None;
            }
            rows.insert(values, value);
            if rows.len() > MAX_ROWS {
                return None;
            }
        }
        let mut rows: Vec<(Vec<Value>, Value)> = rows.into_iter().collect();
        rows.sort();
        let (_, last) = rows.last()?;
        let elements = Domains { store, model: &self.nothing };
        let other = [0, 1].into_iter().find_map(|n| elements.nth(sort, n).filter(|value| value != last));
        let mut chain = other.unwrap_or_else(|| last.clone()).to_term(store, sort)?;
        for (values, value) in rows {
            let mut equal = Vec::with_capacity(values.len());
            for (&argument, value) in arguments.iter().zip(&values) {
                let value = value.to_term(store, store.sort(argument))?;
                equal.push(store.eq(argument, value).ok()?);
            }
            let (condition, value) = (store.and(&equal), value.to_term(store, sort)?);
            chain = store.app(Op::new(Kind::Ite), &[condition, value, chain]).ok()?;
        }
        Some(chain)
    }

    fn values_of(&mut self, store: &Store, leaf: TermId) -> Option<Vec<Value>> {
        let (assertions, most) = (&self.assertions, MAX_ASSIGNMENTS as u64);
        let known = self.values.entry(leaf).or_insert_with(|| {
            let guarded = store.op(leaf).func().and_then(|_| guard_of_all(store, assertions, true, leaf));
            guarded.or_else(|| Domains { store, model: &self.nothing }.all(store.sort(leaf), most))
        });
        known.clone()
    }
}

/// Returns a new constant of a variable's sort.
fn fresh(store: &mut Store, variable: TermId) -> FuncId {
    let result: SortId = store.sort(variable);
    let name = store.symbols.intern("a variable's value");
    store.declare(Func { name, params: [].into(), result, body: FuncBody::Declared })
}

/// Returns the constants and free variables of a term; `None` if it has a binder or a declared function.
fn leaves(store: &Store, t: TermId) -> Option<Vec<TermId>> {
    if store.flags(t) & HAS_BINDER != 0 {
        return None;
    }
    let (mut found, mut seen, mut stack) = (BTreeSet::new(), BTreeSet::new(), vec![t]);
    while let Some(u) = stack.pop() {
        if !seen.insert(u) {
            continue;
        }
        match store.kind(u) {
            Kind::Variable => drop(found.insert(u)),
            Kind::Apply => {
                let f = store.op(u).func().filter(|&f| store.func(f).is_declared());
                f.filter(|_| store.args(u).is_empty())?;
                found.insert(u);
            }
            _ => stack.extend_from_slice(store.args(u)),
        }
    }
    Some(found.into_iter().collect())
}
