//! Datatypes: constructors, testers, selectors and field updates on values.

use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, ValueSlot};
use crate::open::OperatorContext;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::{DatatypeValue, Value};
use smtlib::{Kind, Op, Store, TermId};

/// Applies a constructor, tester, selector or update.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    let (_, constructor) = op.constructor().ok_or(UnknownReason::Opaque)?;
    if op.kind == Kind::Construct {
        let fields: Box<[Value]> = args.iter().map(|&v| v.clone()).collect();
        return Value::datatype(cx.sort, constructor as u32, fields).ok_or(UnknownReason::TooLarge);
    }
    let whole = datatype(args)?;
    let matches = whole.constructor as usize == constructor;
    match op.kind {
        Kind::Test => Ok(Value::Bool(matches)),
        Kind::Select if matches => {
            op.field().and_then(|f| whole.fields.get(f)).cloned().ok_or(UnknownReason::IllSorted)
        }
        Kind::Select => cx.chosen(op, args, UnknownReason::WrongConstructor),
        // Updating a field that the value does not have changes nothing, in the solvers that have the operator.
        Kind::Update if !matches => args.first().map(|&v| v.clone()).ok_or(UnknownReason::IllSorted),
        Kind::Update => {
            let mut fields = whole.fields.clone();
            let (slot, value) =
                op.field().and_then(|f| fields.get_mut(f)).zip(args.get(1)).ok_or(UnknownReason::IllSorted)?;
            *slot = (*value).clone();
            Value::datatype(whole.sort, whole.constructor, fields).ok_or(UnknownReason::TooLarge)
        }
        _ => Err(UnknownReason::Opaque),
    }
}

fn datatype<'a>(args: &[&'a Value]) -> Result<&'a DatatypeValue, UnknownReason> {
    match args.first() {
        Some(Value::Datatype(d)) => Ok(d),
        _ => Err(UnknownReason::IllSorted),
    }
}

impl Evaluator {
    /// A `match` with an evaluated scrutinee: the first matching case, with its bindings.
    pub(crate) fn resume_match(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let (Some(cases), Some((&scrutinee, bodies))) = (store.op(t).cases(), store.args(t).split_first()) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let slot = self.slot(scrutinee).clone();
        let ValueSlot::Known(whole) = slot else {
            self.set(t, slot);
            return Ok(());
        };
        let Value::Datatype(parts) = &whole else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let fits = |c: &smtlib::MatchCase| c.constructor.is_none_or(|n| n == parts.constructor);
        let Some((case, &body)) = store.cases(cases).iter().zip(bodies).find(|(c, _)| fits(c)) else {
            self.set_unknown(t, UnknownReason::NoCase);
            return Ok(());
        };
        let values: &[Value] = if case.constructor.is_some() { &parts.fields } else { std::slice::from_ref(&whole) };
        let bound = case.vars.iter().zip(values);
        let added = bound.filter_map(|(name, v)| name.map(|n| (n, ValueSlot::Known(v.clone())))).collect();
        self.activate(store, t, body, added, BodyPurpose::Result)
    }
}
