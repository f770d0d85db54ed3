//! Models: the interpretation of every symbol, every uninterpreted sort and every choice the standard leaves open.

use crate::array::{Base, ClosureBody};
use crate::unknown::UnknownReason;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Op, Sort, SortId, Store, Symbol, TermId};

/// An assignment to the symbols of one store.
///
/// Invariant: interpretations by body refer to each other without a cycle (the reader of models checks it; evaluation of
/// a cycle ends at a bound, unknown).
#[derive(Clone, Default, Debug)]
pub struct Model {
    functions: FxHashMap<FuncId, Interpretation>,
    universes: FxHashMap<SortId, u32>,
    choices: FxHashMap<Op, FunctionTable>,
    completed: Vec<FuncId>,
    unreadable: Vec<(FuncId, String)>,
}

/// The interpretation of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpretation {
    /// The value of a symbol without arguments.
    Value(Value),
    /// A function by its graph.
    Table(FunctionTable),
    /// A function (a constant if there are no parameters) by a term over its parameters.
    Body {
        /// Parameter names; they occur as variables in the body.
        params: Box<[Symbol]>,
        /// The term.
        body: TermId,
    },
}

/// A finite graph with a default.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct FunctionTable {
    rows: FxHashMap<Box<[Value]>, Value>,
    default: Option<Value>,
}

impl FunctionTable {
    /// Makes the table without rows, `default` everywhere; `None` means unknown.
    pub fn new(default: Option<Value>) -> FunctionTable {
        FunctionTable { rows: FxHashMap::default(), default }
    }

    /// Sets the value at `args`. Returns false, without an effect, if an argument is a function given by a body, which
    /// cannot be looked up.
    pub fn insert(&mut self, args: Box<[Value]>, value: Value) -> bool {
        let exact = args.iter().all(Value::is_exact);
        if exact {
            self.rows.insert(args, value);
        }
        exact
    }

    /// Returns the value at `args`.
    pub fn get(&self, args: &[Value]) -> Option<&Value> {
        if let Some(v) = self.rows.get(args) {
            return Some(v);
        }
        // An inexact argument may equal a row's argument in another representation.
        if args.iter().any(|a| !a.is_exact()) {
            let mut open = false;
            for (row, value) in &self.rows {
                let same: Vec<Option<bool>> = row.iter().zip(args).map(|(r, a)| r.same(a)).collect();
                if same.iter().all(|&s| s == Some(true)) {
                    return Some(value);
                }
                open |= !same.contains(&Some(false));
            }
            if open {
                return None;
            }
        }
        self.default.as_ref()
    }

    /// Returns the value everywhere else.
    pub fn default_value(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// Returns the rows, ascending by arguments.
    pub fn rows(&self) -> Vec<(&[Value], &Value)> {
        let mut rows: Vec<_> = self.rows.iter().map(|(k, v)| (&**k, v)).collect();
        rows.sort();
        rows
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Model {
    /// Returns the empty model.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a symbol without arguments its value.
    /// Errors: [`UnknownReason::IllSorted`] if the value is not of the symbol's sort or the symbol takes arguments;
    /// [`UnknownReason::Opaque`]
    /// for regular languages, whose values mean nothing outside their evaluator, and for functions whose body depends on the symbol.
    pub fn assign(&mut self, store: &Store, f: FuncId, value: Value) -> Result<(), UnknownReason> {
        let func = store.func(f);
        if matches!(value, Value::RegLan(_)) {
            return Err(UnknownReason::Opaque);
        }
        if !func.params.is_empty() || !value.has_sort(store, func.result) {
            return Err(UnknownReason::IllSorted);
        }
        if !value.is_exact() && depend_on(store, self, vec![&value], Vec::new(), f) {
            return Err(UnknownReason::Opaque);
        }
        self.functions.insert(f, Interpretation::Value(value));
        Ok(())
    }

    /// Gives a function its graph.
    /// Errors: [`UnknownReason::IllSorted`] if a row or the default does not match the function's rank; [`UnknownReason::Opaque`] if a value is
    /// a function whose body depends on the symbol.
    pub fn assign_table(&mut self, store: &Store, f: FuncId, table: FunctionTable) -> Result<(), UnknownReason> {
        let func = store.func(f);
        let fits = table.default.iter().all(|v| v.has_sort(store, func.result))
            && table.rows.iter().all(|(args, v)| {
                args.len() == func.params.len()
                    && args.iter().zip(&func.params).all(|(a, &p)| a.has_sort(store, p))
                    && v.has_sort(store, func.result)
            });
        if !fits || func.params.is_empty() {
            return Err(UnknownReason::IllSorted);
        }
        let inexact = table.rows.values().chain(&table.default).filter(|value| !value.is_exact());
        if depend_on(store, self, inexact.collect(), Vec::new(), f) {
            return Err(UnknownReason::Opaque);
        }
        self.functions.insert(f, Interpretation::Table(table));
        Ok(())
    }

    /// Gives a function a body over its parameters. The body must not depend on the function itself.
    /// Errors: [`UnknownReason::IllSorted`] if the number of parameters or the body's sort does not match the function's rank.
    pub fn assign_body(
        &mut self,
        store: &Store,
        f: FuncId,
        params: Box<[Symbol]>,
        body: TermId,
    ) -> Result<(), UnknownReason> {
        let func = store.func(f);
        if params.len() != func.params.len() || !defines(store, store.sort(body), func.result) {
            return Err(UnknownReason::IllSorted);
        }
        self.functions.insert(f, Interpretation::Body { params, body });
        Ok(())
    }

    /// Whether a term's value depends on a symbol, through definitions and interpretations.
    pub fn depends_on(&self, store: &Store, term: TermId, f: FuncId) -> bool {
        depend_on(store, self, Vec::new(), vec![term], f)
    }

    /// Returns the interpretation of a symbol.
    pub fn interpretation(&self, f: FuncId) -> Option<&Interpretation> {
        self.functions.get(&f)
    }

    /// Returns all interpreted symbols, ascending.
    pub fn symbols(&self) -> Vec<FuncId> {
        let mut symbols: Vec<FuncId> = self.functions.keys().copied().collect();
        symbols.sort_unstable();
        symbols
    }

    /// Removes the interpretation of a symbol.
    pub fn remove(&mut self, f: FuncId) {
        self.functions.remove(&f);
    }

    /// Fixes how many elements an uninterpreted sort has, at least 1. Fix universes before anything else.
    pub fn set_universe(&mut self, sort: SortId, elements: u32) {
        self.universes.insert(sort, elements.max(1));
    }

    /// Returns the number of elements of an uninterpreted sort, if fixed.
    pub fn universe(&self, sort: SortId) -> Option<u32> {
        self.universes.get(&sort).copied()
    }

    /// Returns all fixed universes, ascending by sort.
    pub fn universes(&self) -> Vec<(SortId, u32)> {
        let mut list: Vec<_> = self.universes.iter().map(|(&s, &n)| (s, n)).collect();
        list.sort_unstable();
        list
    }

    /// Fixes a value that the standard leaves unspecified: that of `op` on `args`, for instance of `/` on (1, 0).
    ///
    /// An n-ary `(/ a b c)` needs the choice of each of its binary steps. The choice becomes part of the witness.
    pub fn choose(&mut self, op: Op, args: Box<[Value]>, value: Value) -> bool {
        self.choices.entry(op).or_default().insert(args, value)
    }

    /// Chooses one value for all arguments of an operator that have no choice yet.
    pub fn choose_default(&mut self, op: Op, value: Value) {
        self.choices.entry(op).or_default().default = Some(value);
    }

    /// Returns the value chosen.
    pub fn choice(&self, op: Op, args: &[Value]) -> Option<&Value> {
        self.choices.get(&op)?.get(args)
    }

    /// Returns the choices made for an operator.
    pub fn choices_of(&self, op: Op) -> Option<&FunctionTable> {
        self.choices.get(&op)
    }

    /// Returns the model without the values that the standard leaves open.
    pub fn without_choices(&self) -> Model {
        Model { choices: FxHashMap::default(), ..self.clone() }
    }

    /// Returns all choices, ascending by operator.
    pub fn choices(&self) -> Vec<(Op, &FunctionTable)> {
        let mut list: Vec<_> = self.choices.iter().map(|(&op, t)| (op, t)).collect();
        list.sort_unstable_by_key(|c| c.0);
        list
    }

    /// Marks a symbol as completed by a default rather than given by the model's author.
    pub fn mark_completed(&mut self, f: FuncId) {
        self.completed.push(f);
    }

    /// Returns the symbols completed by defaults.
    pub fn completed(&self) -> &[FuncId] {
        &self.completed
    }

    /// Marks a symbol whose given value was not understood.
    pub fn mark_unreadable(&mut self, f: FuncId, why: String) {
        self.unreadable.push((f, why));
    }

    /// Returns the symbols whose given values were not understood, with the reasons.
    pub fn unreadable(&self) -> &[(FuncId, String)] {
        &self.unreadable
    }

    /// Replaces an interpretation by an equivalent one.
    pub(crate) fn improve(&mut self, f: FuncId, interpretation: Interpretation) {
        self.functions.insert(f, interpretation);
    }

    /// Makes all choices for an operator.
    pub(crate) fn choose_table(&mut self, op: Op, table: FunctionTable) {
        self.choices.insert(op, table);
    }
}

/// Whether a body of sort `given` can define something of sort `wanted`: the same, or a map for an array.
fn defines(store: &Store, mut given: SortId, mut wanted: SortId) -> bool {
    while given != wanted {
        match (store.sorts.get(given), store.sorts.get(wanted)) {
            (Sort::Map(a, b), Sort::Array(c, d)) if a == c => (given, wanted) = (*b, *d),
            _ => return false,
        }
    }
    true
}

/// Whether values or terms depend on a symbol in a model, through bodies of functions, their definitions and their interpretations.
fn depend_on<'m>(
    store: &Store,
    model: &'m Model,
    mut values: Vec<&'m Value>,
    mut terms: Vec<TermId>,
    symbol: FuncId,
) -> bool {
    let (mut funcs, mut seen, mut walked) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
    loop {
        if let Some(value) = values.pop() {
            match value {
                value if value.is_exact() => {}
                Value::Array(array) | Value::Map(array) => {
                    values.extend(array.entries().iter().flat_map(|(key, value)| [key, value]));
                    match array.base() {
                        Base::Default(value) => values.push(value),
                        Base::Closure(closure) => {
                            values.extend(closure.environment.iter().map(|(_, value)| value).chain(&closure.applied));
                            match closure.code {
                                ClosureBody::Lambda(lambda) => terms.push(lambda),
                                ClosureBody::Func(f) => funcs.push(f),
                            }
                        }
                    }
                }
                Value::Set(set) => values.extend(set.elements()),
                Value::Bag(bag) => values.extend(bag.entries().iter().map(|(element, _)| element)),
                Value::Datatype(datatype) => values.extend(&datatype.fields),
                Value::Seq(list) => values.extend(list.elements()),
                _ => {}
            }
        } else if let Some(term) = terms.pop() {
            if walked.insert(term) {
                funcs.extend(store.op(term).func());
                terms.extend_from_slice(store.args(term));
            }
        } else {
            let Some(f) = funcs.pop() else { return false };
            if f == symbol {
                return true;
            }
            if !seen.insert(f) {
                continue;
            }
            terms.extend(store.func(f).definition().map(|(_, body)| body));
            match model.interpretation(f) {
                Some(Interpretation::Value(value)) => values.push(value),
                Some(Interpretation::Table(table)) => {
                    values.extend(table.default_value());
                    values.extend(table.rows().into_iter().flat_map(|(args, value)| args.iter().chain([value])));
                }
                Some(Interpretation::Body { body, .. }) => terms.push(*body),
                None => {}
            }
        }
    }
}
