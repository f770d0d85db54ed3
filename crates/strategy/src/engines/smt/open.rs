//! Values that the standard leaves open: divisions by zero, and applications to values such as `(fp.to_real (_ +oo 8 24))` and `(head
//! nil)`. They get names, which agree where the arguments do, and the model conversion records them as the model's choices.

use super::prepare::{Preparation, PrepareError, equal};
use rewrite::complete::eval_completing;
use rewrite::{Convert, ConvertError, Stop};
use semantics::{Model, UnknownReason, Value};
use smtlib::{Kind, Op, Store, TermId};

/// An application whose value is open.
#[derive(Clone, Debug)]
pub(super) struct OpenApplication {
    op: Op,
    args: Box<[TermId]>,
    /// The values of the arguments, if known without a model.
    ground: Option<Vec<Value>>,
    value: TermId,
}

impl Preparation {
    /// Whether the value of an application to values is open. Besides divisions this covers operators whose open values may be any of the
    /// sort.
    pub(super) fn is_open(&mut self, store: &Store, t: TermId) -> bool {
        let any = matches!(store.kind(t), Kind::Select | Kind::FpToUbv | Kind::FpToSbv | Kind::FpToReal);
        let open = |reason| matches!(reason, UnknownReason::WrongConstructor | UnknownReason::Float(_));
        any && self.constants.eval(store, t).is_err_and(|unknown| unknown.term == t && open(unknown.reason))
    }

    /// Returns the name of an application whose value is open: the operator is a function, whatever its values are.
    pub(super) fn open_value(&mut self, store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PrepareError> {
        let op = store.op(t);
        let ground: Result<Vec<Value>, _> = args.iter().map(|&a| self.constants.eval(store, a)).collect();
        let ground = ground.ok();
        let others: Vec<OpenApplication> = self.open.iter().filter(|o| o.op == op).cloned().collect();
        let known = |o: &&OpenApplication| *o.args == *args || (ground.is_some() && o.ground == ground);
        if let Some(known) = others.iter().find(known) {
            return Ok(known.value);
        }
        if others.len() * others.len() / 2 > super::prepare::MAX_PAIRS {
            return Err(PrepareError::TooLarge);
        }
        let value = self.name(store, store.sort(t));
        for other in others.iter().filter(|o| ground.is_none() || o.ground.is_none()) {
            let mut parts = Vec::with_capacity(args.len() + 1);
            for (&a, &b) in args.iter().zip(&other.args).filter(|(a, b)| a != b) {
                let same = equal(store, a, b)?;
                parts.push(store.not(same));
            }
            parts.push(equal(store, value, other.value)?);
            let agreement = store.or(&parts);
            self.agreements.push(agreement);
        }
        self.open.push(OpenApplication { op, args: args.into(), ground, value });
        Ok(value)
    }
}

/// Whether a value is the number zero; an irrational one is not.
pub(super) fn is_zero(number: &Value) -> bool {
    match number {
        Value::Int(n) => n.is_zero(),
        Value::Real(r) => r.is_zero(),
        _ => false,
    }
}

/// The open values of a problem.
#[derive(Clone, Debug)]
pub(super) struct OpenValues(pub(super) Vec<OpenApplication>);

impl Convert for OpenValues {
    fn convert(&self, store: &mut Store, mut model: Model, stop: &Stop) -> Result<Model, ConvertError> {
        for open in &self.0 {
            let mut value = |t: TermId| -> Result<Value, ConvertError> {
                eval_completing(store, &mut model, t, stop).map_err(|unknown| ConvertError::Unknown {
                    symbol: "a value that the standard leaves open".to_string(),
                    reason: unknown.reason,
                })
            };
            let args = open.args.iter().map(|&a| value(a)).collect::<Result<Box<[Value]>, _>>()?;
            let is_division = matches!(open.op.kind, Kind::RealDiv | Kind::IntDiv | Kind::IntMod);
            if is_division && args.get(1).is_some_and(|divisor| !is_zero(divisor)) {
                continue;
            }
            let value = value(open.value)?;
            if !model.choose(open.op, args, value) {
                let why = "an open value is chosen at an irrational number or at a function given by a body";
                return Err(ConvertError::Other(why.to_string()));
            }
        }
        Ok(model)
    }
}
