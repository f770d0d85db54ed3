//! Values that the standard leaves open: fresh symbols represent the choices, and the model conversion records them.

use super::packing::SmallFormat;
use dashu_int::UBig;
use rewrite::complete::eval_completing;
use rewrite::{Convert, ConvertError, Stop};
use semantics::float::{self, Float, RoundingMode};
use semantics::{Model, Value};
use smtlib::{Op, Store, TermId};

/// An argument or a result of an operator, by the bit-vector term that represents it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChoicePart {
    /// A float's encoding.
    Float(SmallFormat, TermId),
    /// A rounding mode's number.
    Mode(TermId),
    /// A bit-vector.
    Bits(TermId),
}

/// The value of an operator for some arguments where `open` holds.
#[derive(Clone, Debug)]
pub(super) struct OpenValue {
    pub op: Op,
    pub args: Vec<ChoicePart>,
    pub value: ChoicePart,
    pub open: TermId,
}

/// All choices of a goal.
#[derive(Clone, Default, Debug)]
pub(super) struct Choices {
    pub list: Vec<OpenValue>,
}

impl Choices {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Convert for Choices {
    fn convert(&self, store: &mut Store, mut model: Model, stop: &Stop) -> Result<Model, ConvertError> {
        for choice in &self.list {
            if value_of(store, &mut model, choice.open, stop)? != Value::Bool(true) {
                continue;
            }
            let args =
                choice.args.iter().map(|&p| part(store, &mut model, p, stop)).collect::<Result<Box<[Value]>, _>>()?;
            let value = part(store, &mut model, choice.value, stop)?;
            model.choose(choice.op, args, value);
        }
        Ok(model)
    }
}

fn value_of(store: &Store, model: &mut Model, t: TermId, stop: &Stop) -> Result<Value, ConvertError> {
    eval_completing(store, model, t, stop).map_err(|unknown| ConvertError::Unknown {
        symbol: "a floating-point choice".to_string(),
        reason: unknown.reason,
    })
}

fn part(store: &Store, model: &mut Model, part: ChoicePart, stop: &Stop) -> Result<Value, ConvertError> {
    let failed = || ConvertError::Other("a floating-point term has no value under the model".to_string());
    Ok(match part {
        ChoicePart::Bits(t) => value_of(store, model, t, stop)?,
        ChoicePart::Float(f, t) => {
            let value = value_of(store, model, t, stop)?;
            let (_, bits) = value.as_bitvec().ok_or_else(failed)?;
            let format = float::FloatFormat::new(f.eb, f.sb).map_err(|_| failed())?;
            Value::Float(Float::from_bits(format, bits))
        }
        ChoicePart::Mode(t) => {
            let value = value_of(store, model, t, stop)?;
            let number = value.as_bitvec().and_then(|(_, n): (u32, &UBig)| usize::try_from(n).ok());
            let mode = number.and_then(|n| RoundingMode::ALL.get(n)).ok_or_else(failed)?;
            Value::RoundingMode(*mode)
        }
    })
}
