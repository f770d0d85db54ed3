//! Converts an input that passes every constraint to a model of the formula.

use crate::exact::{value, words_of};
use crate::interpreter::Interpreter;
use crate::layout::Layout;
use crate::lower::SlotSource;
use rustc_hash::FxHashMap;
use semantics::array::{ArrayValue, Base};
use semantics::domain::Domains;
use semantics::{FunctionTable, Interpretation, Model, Value};
use smtlib::{FuncId, Sort, SortId, Store};
use std::sync::Arc;

/// Rows of a function or array: arguments and value.
type FunctionRows = Vec<(Vec<Value>, Value)>;

/// The encoding of a formula's symbols.
#[derive(Clone, Copy)]
pub struct Symbols<'s> {
    /// The meaning of the slots.
    pub sources: &'s [SlotSource],
    /// Array constants, with or without slots for their reads.
    pub arrays: &'s [FuncId],
}

/// Returns the model of an input. Symbols whose value cannot be set, which lowering never makes, stay open: the check of the model fails
/// then.
pub fn model(store: &Store, interpreter: &mut Interpreter, symbols: Symbols<'_>, input: &[u8]) -> Model {
    let observed = interpreter.observe(input);
    let program = interpreter.program().clone();
    let layout = &program.layout;
    let mut model = Model::new();
    let mut tables: FxHashMap<FuncId, FunctionRows> =
        symbols.arrays.iter().map(|&f| (f, FunctionRows::new())).collect();
    for (slot, source) in symbols.sources.iter().enumerate() {
        let own = value(layout.slots()[slot].ty, &layout.words(input, slot));
        match source {
            SlotSource::Constant(f) => {
                let _ = model.assign(store, *f, own);
            }
            SlotSource::Application { symbol, args } => {
                let args: Vec<Value> =
                    args.iter().map(|&n| value(program.ty(program.observed[n]), &observed[n])).collect();
                let rows = tables.entry(*symbol).or_default();
                // The first of equal reads gives the value.
                if !rows.iter().any(|row| row.0 == args) {
                    rows.push((args, own));
                }
            }
        }
    }
    for (symbol, rows) in tables {
        let func = store.func(symbol);
        if func.params.is_empty() {
            let array = array(store, func.result, rows);
            if let Some(array) = array {
                let _ = model.assign(store, symbol, array);
            }
            continue;
        }
        let mut table = FunctionTable::new(Domains { store, model: &model }.any(func.result));
        for (args, value) in rows {
            table.insert(args.into(), value);
        }
        let _ = model.assign_table(store, symbol, table);
    }
    model
}

/// Returns the input in which the constants have the values of a model, and all else is zero. Functions and arrays of the model are
/// ignored: their arguments are known only once the input runs.
pub fn input(layout: &Layout, sources: &[SlotSource], model: &Model) -> Vec<u8> {
    let mut input = layout.zeros();
    for (slot, source) in sources.iter().enumerate() {
        let SlotSource::Constant(f) = source else { continue };
        let Some(Interpretation::Value(value)) = model.interpretation(*f) else { continue };
        let ty = layout.slots()[slot].ty;
        let mut words = vec![0; ty.words()];
        words_of(value, &mut words);
        layout.set_words(&mut input, slot, &words);
    }
    input
}

/// Returns the array with these elements, and another one elsewhere. The recursion depth is that of the sort.
fn array(store: &Store, sort: SortId, rows: FunctionRows) -> Option<Value> {
    let Sort::Array(index, element) = *store.sorts.get(sort) else { return rows.into_iter().next().map(|r| r.1) };
    let model = Model::new();
    let domains = Domains { store, model: &model };
    let mut updates: Vec<(Value, FunctionRows)> = Vec::new();
    for (mut args, value) in rows {
        if args.is_empty() {
            return None;
        }
        let rest = args.split_off(1);
        let key = args.pop()?;
        match updates.iter_mut().find(|u| u.0 == key) {
            Some(update) => update.1.push((rest, value)),
            None => updates.push((key, vec![(rest, value)])),
        }
    }
    let updates: Option<Vec<(Value, Value)>> =
        updates.into_iter().map(|(key, rows)| Some((key, array(store, element, rows)?))).collect();
    let base = Base::Default(domains.any(element)?);
    let nth = |n| domains.nth(index, n);
    ArrayValue::build(base, domains.cardinality(index), updates?, nth).map(|a| Value::Array(Arc::new(a)))
}
