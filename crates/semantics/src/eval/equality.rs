//! `=` and `distinct`, decided as soon as enough is known.

use super::Evaluator;
use crate::frame::ValueSlot;
use crate::theories;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use smtlib::{SortId, Store, TermId};

impl Evaluator {
    /// SMT-LIB's `=` on two values.
    pub(crate) fn same(&mut self, store: &Store, a: &Value, b: &Value) -> Result<bool, UnknownReason> {
        if let Some(same) = a.same(b) {
            return Ok(same);
        }
        if let (Value::Algebraic(_), Value::Algebraic(_)) = (a, b) {
            return Err(UnknownReason::Irrational);
        }
        let (Value::RegLan(r), Value::RegLan(s)) = (a, b) else { return Err(UnknownReason::NoTable) };
        let mut cx = self.context(store, SortId::REGLAN);
        theories::strings::same_language(*r, *s, &mut cx)
    }

    /// `=`: false as soon as two values differ, true of a term and itself even where its value is unknown.
    pub(super) fn equality(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let Some((&first, rest)) = args.split_first() else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        if rest.iter().all(|&a| a == first) {
            self.set_value(t, Value::Bool(true));
            return Ok(());
        }
        let mut unknown = None;
        let mut known: Option<Value> = None;
        for &a in args {
            match self.slot(a).clone() {
                ValueSlot::Known(v) => match &known {
                    None => known = Some(v),
                    Some(k) => match self.same(store, k, &v) {
                        Ok(true) => {}
                        Ok(false) => {
                            self.set_value(t, Value::Bool(false));
                            return Ok(());
                        }
                        Err(UnknownReason::Stopped) => return Err(Unknown { term: t, reason: UnknownReason::Stopped }),
                        Err(reason) => unknown = unknown.or(Some(Unknown { term: t, reason })),
                    },
                },
                ValueSlot::Unknown(u) => unknown = unknown.or(Some(u)),
                ValueSlot::Empty => unknown = unknown.or(Some(Unknown { term: a, reason: UnknownReason::Steps })),
            }
        }
        match unknown {
            Some(unknown) => self.set(t, ValueSlot::Unknown(unknown)),
            None => self.set_value(t, Value::Bool(true)),
        }
        Ok(())
    }

    /// `distinct`: false as soon as two values, or two terms, are the same.
    pub(super) fn distinct(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let mut terms = args.to_vec();
        terms.sort_unstable();
        let mut unknown = self.first_unknown(args);
        let mut same = terms.windows(2).any(|w| w[0] == w[1]);
        let known: Vec<Value> = args.iter().filter_map(|&a| self.slot(a).value().cloned()).collect();
        if known.iter().all(Value::is_exact) {
            let mut sorted: Vec<&Value> = known.iter().collect();
            sorted.sort_unstable();
            same |= sorted.windows(2).any(|w| w[0] == w[1]);
        } else {
            for (n, a) in known.iter().enumerate() {
                self.charge(t, n as u64)?;
                for b in &known[..n] {
                    match self.same(store, a, b) {
                        Ok(equal) => same |= equal,
                        Err(UnknownReason::Stopped) => return Err(Unknown { term: t, reason: UnknownReason::Stopped }),
                        Err(reason) => unknown = unknown.or(Some(Unknown { term: t, reason })),
                    }
                }
            }
        }
        match unknown {
            _ if same => self.set_value(t, Value::Bool(false)),
            Some(unknown) => self.set(t, ValueSlot::Unknown(unknown)),
            None => self.set_value(t, Value::Bool(true)),
        }
        Ok(())
    }
}
