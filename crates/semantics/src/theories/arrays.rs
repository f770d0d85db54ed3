//! ArraysEx and the map sorts of 2.7: `select`, chains of `store`, constant arrays.

use crate::array::{ArrayLookup, ArrayValue, Base};
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::frame::{READY, ValueSlot};
use crate::open::OperatorContext;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use smtlib::{Kind, Sort, SortId, Store, TermId};
use std::sync::Arc;

/// `((as const (Array I E)) e)`.
pub fn constant(args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    let element = args.first().map(|&v| v.clone()).ok_or(UnknownReason::IllSorted)?;
    let domains = Domains { store: cx.store, model: cx.model };
    update(&domains, cx.sort, Base::Default(element), Vec::new())
}

/// Returns the array or map of `sort` that is `base` except at `updates`, later ones first.
pub(crate) fn update(
    domains: &Domains<'_>,
    sort: SortId,
    base: Base,
    updates: Vec<(Value, Value)>,
) -> Result<Value, UnknownReason> {
    let (index, is_array) = match *domains.store.sorts.get(sort) {
        Sort::Array(index, _) => (index, true),
        Sort::Map(index, _) => (index, false),
        _ => return Err(UnknownReason::IllSorted),
    };
    if updates.iter().any(|u| !u.0.is_exact()) {
        return Err(UnknownReason::NoTable);
    }
    let array = ArrayValue::build(base, domains.cardinality(index), updates, |n| domains.nth(index, n));
    let array = Arc::new(array.ok_or(UnknownReason::TooLarge)?);
    Ok(if is_array { Value::Array(array) } else { Value::Map(array) })
}

impl Evaluator {
    /// Begins a chain of stores: it is evaluated at once, so that a chain of n costs n entries, not n tables.
    pub(crate) fn enter_stores(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let mut needed = Vec::new();
        let mut at = t;
        while let (Kind::ArrayStore, &[array, index, value]) = (store.kind(at), store.args(at))
            && (at == t || !self.is_filled(store, at))
        {
            self.charge(t, 1)?;
            needed.extend([value, index]);
            at = array;
        }
        needed.push(at);
        needed.reverse();
        self.after(store, t, READY, &needed);
        Ok(())
    }

    /// Ends a chain of stores.
    pub(crate) fn finish_stores(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let mut updates = Vec::new();
        let mut at = t;
        while let (Kind::ArrayStore, &[array, index, value]) = (store.kind(at), store.args(at))
            && (at == t || !self.is_filled(store, at))
        {
            self.charge(t, 1)?;
            match (self.slot(index), self.slot(value)) {
                (ValueSlot::Known(i), ValueSlot::Known(v)) => updates.push((i.clone(), v.clone())),
                _ => {
                    let unknown = self.first_unknown(&[index, value]);
                    self.set(t, unknown.map_or(ValueSlot::Empty, ValueSlot::Unknown));
                    return Ok(());
                }
            }
            at = array;
        }
        updates.reverse();
        let base = match self.slot(at).clone() {
            ValueSlot::Known(Value::Array(a) | Value::Map(a)) => a,
            other => {
                match other {
                    ValueSlot::Unknown(u) => self.set(t, ValueSlot::Unknown(u)),
                    _ => self.set_unknown(t, UnknownReason::IllSorted),
                }
                return Ok(());
            }
        };
        self.charge(t, 8 * base.entries().len() as u64)?;
        // The base's entries come first, so that stores overwrite them.
        let all = base.entries().iter().cloned().chain(updates).collect();
        let slot = match update(&self.domains(store), store.sort(t), base.base().clone(), all) {
            Ok(value) => self.made(t, value)?,
            Err(reason) => ValueSlot::Unknown(Unknown { term: t, reason }),
        };
        self.set(t, slot);
        Ok(())
    }

    /// `select`, and application of a map.
    pub(crate) fn select(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let &[array, index] = store.args(t) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let (array, index) = match (self.slot(array), self.slot(index)) {
            (ValueSlot::Known(Value::Array(a) | Value::Map(a)), ValueSlot::Known(i)) => (a.clone(), i.clone()),
            // A constant array has the same element even at an unknown index.
            (ValueSlot::Known(Value::Array(a) | Value::Map(a)), ValueSlot::Unknown(u)) => {
                let slot = match a.base() {
                    Base::Default(v) if a.entries().is_empty() => ValueSlot::Known(v.clone()),
                    _ => ValueSlot::Unknown(*u),
                };
                self.set(t, slot);
                return Ok(());
            }
            _ => {
                let unknown = self.first_unknown(store.args(t));
                self.set(
                    t,
                    ValueSlot::Unknown(unknown.unwrap_or(Unknown { term: t, reason: UnknownReason::IllSorted })),
                );
                return Ok(());
            }
        };
        match array.lookup(&index) {
            Some(ArrayLookup::Value(v)) => self.set_value(t, v.clone()),
            Some(ArrayLookup::Call(closure)) => return self.call_closure(store, t, closure, index),
            None => self.set_unknown(t, UnknownReason::NoTable),
        }
        Ok(())
    }
}
