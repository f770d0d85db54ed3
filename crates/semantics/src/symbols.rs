//! The function symbols of a term, and those that a value given by a body depends on.

use crate::array::{Base, ClosureBody};
use crate::model::{Interpretation, Model};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smtlib::{FuncId, Store, TermId};

/// Returns the function symbols that occur in a term, each once.
pub(crate) fn mentioned(store: &Store, root: TermId) -> Vec<FuncId> {
    let mut seen = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut list = Vec::new();
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = store.op(t).func()
            && found.insert(f)
        {
            list.push(f);
        }
        stack.extend_from_slice(store.args(t));
    }
    list
}

/// Returns the function symbols that occur in terms and in the definitions they lead to, each once.
pub(crate) fn mentioned_deeply(store: &Store, roots: &[TermId]) -> Vec<FuncId> {
    let mut found: Vec<FuncId> = Vec::new();
    let mut stack = roots.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = store.op(t).func()
            && !found.contains(&f)
        {
            found.push(f);
            stack.extend(store.func(f).definition().map(|(_, body)| body));
        }
        stack.extend_from_slice(store.args(t));
    }
    found
}

/// Whether values or terms depend on a symbol in a model, through bodies of functions, their definitions and their interpretations.
pub(crate) fn depend_on<'m>(
    store: &Store,
    model: &'m Model,
    mut values: Vec<&'m Value>,
    mut terms: Vec<TermId>,
    symbol: FuncId,
) -> bool {
    let (mut funcs, mut seen) = (Vec::new(), FxHashSet::default());
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
            funcs.extend(mentioned_deeply(store, &[term]));
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
