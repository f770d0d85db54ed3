//! Functions applied to all elements of a set, bag or sequence: `set.map`, `bag.fold`, `seq.foldl` and their like.
//!
//! The meaning is that of the operators' descriptions in cvc5's API and of z3's guide. The order in which `set.fold` and `bag.fold` take
//! the elements is open, but fixed for a function, first result and collection. A fold has a value if all orders lead to that value.

use crate::array::ArrayLookup;
use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, ValueSlot};
use crate::theories::function_values::Applied;
use crate::traversal::Traversal;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use smtlib::{SortId, Store, TermId};

impl Evaluator {
    /// Begins a traversal, all arguments of which have been evaluated.
    pub(crate) fn traverse(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let (Some(&function), Some(&collection)) = (args.first(), args.last()) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        // No function is applied to elements of an empty collection.
        let is_empty = match self.slot(collection).value() {
            Some(Value::Set(set)) => set.elements().is_empty(),
            Some(Value::Bag(bag)) => bag.entries().is_empty(),
            Some(Value::Seq(sequence)) => sequence.elements().is_empty(),
            _ => false,
        };
        let needed = if is_empty { &args[1..] } else { args };
        if let Some(unknown) = self.first_unknown(needed) {
            self.set(t, ValueSlot::Unknown(unknown));
            return Ok(());
        }
        let values: Vec<Value> = needed.iter().filter_map(|&a| self.slot(a).value().cloned()).collect();
        let function = (store.sort(function), if is_empty { None } else { values.first().cloned() });
        match Traversal::new(store, store.kind(t), function, &values[usize::from(!is_empty)..]) {
            Ok(walk) => self.go_on(store, t, Box::new(walk), None),
            Err(reason) => {
                self.set_unknown(t, reason);
                Ok(())
            }
        }
    }

    /// Resumes a traversal after a body of its function has been evaluated.
    pub(crate) fn continue_traversal(
        &mut self,
        store: &Store,
        t: TermId,
        walk: Box<Traversal>,
        outcome: ValueSlot,
    ) -> Result<(), Unknown> {
        let outcome = match outcome {
            ValueSlot::Known(value @ Value::Map(_)) => ValueSlot::Known(value.at_sort(store, walk.sort())),
            ValueSlot::Empty => ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::Steps }),
            outcome => outcome,
        };
        self.go_on(store, t, walk, Some(outcome))
    }

    fn go_on(
        &mut self,
        store: &Store,
        t: TermId,
        mut walk: Box<Traversal>,
        mut outcome: Option<ValueSlot>,
    ) -> Result<(), Unknown> {
        loop {
            let slot = match outcome.take() {
                Some(slot) => slot,
                None if walk.next() => ValueSlot::Known(walk.function.clone()),
                None => {
                    let slot = match walk.finish(store.sort(t)) {
                        Ok(value) => self.made(t, value)?,
                        Err(Ok(unknown)) => ValueSlot::Unknown(unknown),
                        Err(Err(reason)) => ValueSlot::Unknown(Unknown { term: t, reason }),
                    };
                    self.set(t, slot);
                    return Ok(());
                }
            };
            let value = match slot {
                ValueSlot::Known(value) => value,
                ValueSlot::Unknown(unknown) => {
                    walk.take_unknown(unknown);
                    continue;
                }
                ValueSlot::Empty => continue,
            };
            let Some(argument) = walk.pending.pop() else {
                walk.take(value);
                continue;
            };
            self.charge(t, 1)?;
            match self.applied(store, t, &value, argument, walk.sort()) {
                Applied::Done(slot) => outcome = Some(slot),
                Applied::Body(body, environment) => {
                    return self.activate_alone(t, body, environment, BodyPurpose::Traverse(walk));
                }
            }
        }
    }

    /// Applies a function to one argument, with a result of sort `sort`.
    fn applied(&mut self, store: &Store, t: TermId, function: &Value, argument: Value, sort: SortId) -> Applied {
        let unknown = |reason| Applied::Done(ValueSlot::Unknown(Unknown { term: t, reason }));
        let (Value::Array(function) | Value::Map(function)) = function else {
            return unknown(UnknownReason::IllSorted);
        };
        match function.lookup(&argument) {
            Some(ArrayLookup::Value(value)) => Applied::Done(ValueSlot::Known(value.clone())),
            Some(ArrayLookup::Call(closure)) => self.apply_closure(store, t, closure, argument, sort),
            None => unknown(UnknownReason::NoTable),
        }
    }
}
