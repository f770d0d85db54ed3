//! Datatypes: constructors, testers, selectors and field updates on values.

use super::context::Context;
use crate::eval::Evaluator;
use crate::frame::{Purpose, Slot};
use crate::unknown::{Reason, Unknown};
use crate::value::{DatatypeValue, Value};
use smtlib::{Kind, Op, Store, TermId};

/// A constructor, tester, selector or update.
pub fn apply(op: Op, args: &[&Value], cx: &mut Context<'_>) -> Result<Value, Reason> {
    let (_, constructor) = op.constructor().ok_or(Reason::Opaque)?;
    if op.kind == Kind::Construct {
        let fields: Box<[Value]> = args.iter().map(|&v| v.clone()).collect();
        return Value::datatype(cx.sort, constructor as u32, fields).ok_or(Reason::TooLarge);
    }
    let whole = datatype(args)?;
    let matches = whole.constructor as usize == constructor;
    match op.kind {
        Kind::Test => Ok(Value::Bool(matches)),
        Kind::Select if matches => op.field().and_then(|f| whole.fields.get(f)).cloned().ok_or(Reason::IllSorted),
        Kind::Select => cx.chosen(op, args, Reason::WrongConstructor),
        // An update of a field the value does not have leaves it as it is, in the solvers that have the operator.
        Kind::Update if !matches => args.first().map(|&v| v.clone()).ok_or(Reason::IllSorted),
        Kind::Update => {
            let mut fields = whole.fields.clone();
            let (slot, value) = op.field().and_then(|f| fields.get_mut(f)).zip(args.get(1)).ok_or(Reason::IllSorted)?;
            *slot = (*value).clone();
            Value::datatype(whole.sort, whole.constructor, fields).ok_or(Reason::TooLarge)
        }
        _ => Err(Reason::Opaque),
    }
}

fn datatype<'a>(args: &[&'a Value]) -> Result<&'a DatatypeValue, Reason> {
    match args.first() {
        Some(Value::Datatype(d)) => Ok(d),
        _ => Err(Reason::IllSorted),
    }
}

impl Evaluator {
    /// A `match` whose scrutinee has been evaluated: the first case that fits, under what it binds.
    pub(crate) fn resume_match(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let (Some(cases), Some((&scrutinee, bodies))) = (store.op(t).cases(), store.args(t).split_first()) else {
            self.set_unknown(t, Reason::IllSorted);
            return Ok(());
        };
        let slot = self.slot(scrutinee).clone();
        let Slot::Known(whole) = slot else {
            self.set(t, slot);
            return Ok(());
        };
        let Value::Datatype(parts) = &whole else {
            self.set_unknown(t, Reason::IllSorted);
            return Ok(());
        };
        let fits = |c: &smtlib::Case| c.constructor.is_none_or(|n| n == parts.constructor);
        let Some((case, &body)) = store.cases(cases).iter().zip(bodies).find(|(c, _)| fits(c)) else {
            self.set_unknown(t, Reason::NoCase);
            return Ok(());
        };
        let values: &[Value] = if case.constructor.is_some() { &parts.fields } else { std::slice::from_ref(&whole) };
        let bound = case.vars.iter().zip(values);
        let added = bound.filter_map(|(name, v)| name.map(|n| (n, Slot::Known(v.clone())))).collect();
        self.activate(store, t, body, added, Purpose::Result)
    }
}
