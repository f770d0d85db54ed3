//! Gives removed symbols their values in a model.

use super::{Conversion, ConvertError};
use crate::complete::{complete, eval_with};
use crate::definitions::hidden_symbols;
use rustc_hash::FxHashSet;
use semantics::{EvalLimits, Evaluator, FunctionTable, Interpretation, Model, Stop, UnknownReason, Value};
use smtlib::{FuncId, Store, TermId};
use std::sync::Arc;

/// Applies the run of definitions at the beginning of `conversions`: returns their number, and the resulting model.
///
/// All of the run are first put into the model as bodies, so that one evaluator caches values between definitions, and then replaced by
/// their values in order.
pub(super) fn define_run(
    store: &Store,
    mut model: Model,
    conversions: &[&Conversion],
    stop: &Stop,
) -> Result<(usize, Model), ConvertError> {
    let mut symbols = FxHashSet::default();
    let mut terms = Vec::new();
    let mut count = 0;
    for conversion in conversions {
        let (symbol, params, body) = match conversion {
            Conversion::Define { symbol, term } => (*symbol, [].into(), *term),
            Conversion::DefineFunction { symbol, params, body } => (*symbol, params.clone(), *body),
            _ => break,
        };
        // A symbol with a meaning in the result as well ends the run: earlier definitions refer to the old one.
        if count > 0 && (model.interpretation(symbol).is_some() || symbols.contains(&symbol)) {
            break;
        }
        symbols.insert(symbol);
        model.assign_body(store, symbol, params, body).map_err(|reason| value_error(store, symbol, reason))?;
        terms.push((symbol, body));
        count += 1;
    }
    complete(store, &mut model, terms.iter().map(|t| t.1));
    let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default()).heeding(stop);
    for (symbol, term) in terms {
        if !store.func(symbol).params.is_empty() {
            continue;
        }
        let sort = store.func(symbol).result;
        let before = evaluator.model().clone();
        let value = eval_with(store, &mut evaluator, term)
            .map_err(|unknown| ConvertError::Unknown { symbol: name(store, symbol), reason: unknown.reason })?;
        if !Arc::ptr_eq(&before, evaluator.model()) {
            // Choices made during evaluation belong to the model from now on.
            adopt(store, &mut model, evaluator.model());
        }
        match model.assign(store, symbol, value.at_sort(store, sort)) {
            // A value without meaning outside its evaluator stays a body.
            Ok(()) | Err(UnknownReason::Opaque) => {}
            Err(reason) => return Err(value_error(store, symbol, reason)),
        }
    }
    Ok((count, model))
}

/// Adds the parts that only the other model has.
fn adopt(store: &Store, model: &mut Model, grown: &Model) {
    for (sort, elements) in grown.universes() {
        model.set_universe(sort, elements);
    }
    for f in grown.symbols() {
        match grown.interpretation(f) {
            Some(Interpretation::Value(v)) if model.interpretation(f).is_none() => {
                // It was put into the other model under the same checks.
                let _ = model.assign(store, f, v.clone());
            }
            Some(Interpretation::Table(table)) => {
                let _ = model.assign_table(store, f, table.clone());
            }
            _ => {}
        }
    }
    for (op, table) in grown.choices() {
        for (args, value) in table.rows() {
            model.choose(op, args.into(), value.clone());
        }
        if let Some(default) = table.default_value() {
            model.choose_default(op, default.clone());
        }
    }
}

/// Makes the function with these values for these arguments, and the first of them elsewhere.
pub(super) fn graph(
    store: &Store,
    mut model: Model,
    symbol: FuncId,
    rows: &[(Box<[TermId]>, TermId)],
    stop: &Stop,
) -> Result<Model, ConvertError> {
    complete(store, &mut model, rows.iter().flat_map(|(args, value)| args.iter().copied().chain([*value])));
    let mut evaluator = Evaluator::new(model, EvalLimits::default()).heeding(stop);
    let mut seen = FunctionTable::new(None);
    let mut default = None;
    for (args, value) in rows {
        let mut eval = |t: TermId| -> Result<Value, ConvertError> {
            eval_with(store, &mut evaluator, t)
                .map_err(|unknown| ConvertError::Unknown { symbol: name(store, symbol), reason: unknown.reason })
        };
        let args = args.iter().map(|&a| eval(a)).collect::<Result<Box<[Value]>, _>>()?;
        let value = eval(*value)?;
        match seen.get(&args) {
            Some(known) if known.same(&value) != Some(true) => {
                return Err(ConvertError::Conflict { symbol: name(store, symbol) });
            }
            Some(_) => continue,
            None => {}
        }
        default.get_or_insert_with(|| value.clone());
        if !seen.insert(args, value) {
            return Err(value_error(store, symbol, UnknownReason::NoTable));
        }
    }
    let mut model = Arc::unwrap_or_clone(evaluator.model().clone());
    if default.is_some() {
        let mut table = FunctionTable::new(default);
        for (args, value) in seen.rows() {
            table.insert(args.into(), value.clone());
        }
        model.assign_table(store, symbol, table).map_err(|reason| value_error(store, symbol, reason))?;
    }
    Ok(model)
}

/// Removes symbols from a model, except those that a remaining body mentions.
pub(super) fn forget(store: &Store, model: &mut Model, symbols: Vec<FuncId>) {
    let bodies: Vec<TermId> = model
        .symbols()
        .into_iter()
        .filter_map(|f| match model.interpretation(f) {
            Some(Interpretation::Body { body, .. }) => Some(*body),
            _ => None,
        })
        .collect();
    let mut used = hidden_symbols(store, bodies.iter().copied());
    crate::walk::visit(store, bodies, |t| used.extend(store.op(t).func()));
    for symbol in symbols {
        if !used.contains(&symbol) {
            model.remove(symbol);
        }
    }
}

fn value_error(store: &Store, symbol: FuncId, reason: UnknownReason) -> ConvertError {
    ConvertError::Value { symbol: name(store, symbol), reason }
}

pub(super) fn name(store: &Store, symbol: FuncId) -> String {
    store.name(store.func(symbol).name).to_string()
}
