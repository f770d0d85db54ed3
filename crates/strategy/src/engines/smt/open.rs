//! Divisions by zero: their values have names, which agree where the dividends do, and the way back for models writes them down
//! as the model's choices.

use super::prepare::{Preparation, PrepareError, equal};
use rewrite::complete::eval_completing;
use rewrite::{Convert, ConvertError};
use semantics::{Model, Value};
use smtlib::{Op, Store, TermId};

/// A division by zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    op: Op,
    dividend: TermId,
    divisor: TermId,
    value: TermId,
}

impl Preparation {
    /// The name of `(op dividend 0)`: `op` is one function, whatever its values are there.
    pub(super) fn by_zero(
        &mut self,
        store: &mut Store,
        op: Op,
        dividend: TermId,
        divisor: TermId,
    ) -> Result<TermId, PrepareError> {
        let others: Vec<Division> = self.divisions.iter().filter(|d| d.op == op).copied().collect();
        if let Some(known) = others.iter().find(|d| d.dividend == dividend) {
            return Ok(known.value);
        }
        if others.len() * others.len() / 2 > super::prepare::MAX_PAIRS {
            return Err(PrepareError::TooLarge);
        }
        let value = self.name(store, store.sort(dividend));
        for other in others {
            let (same, agree) = (equal(store, dividend, other.dividend)?, equal(store, value, other.value)?);
            let differ = store.not(same);
            let agreement = store.or(&[differ, agree]);
            self.agreements.push(agreement);
        }
        self.divisions.push(Division { op, dividend, divisor, value });
        Ok(value)
    }
}

/// The divisions by zero of a problem.
#[derive(Clone, Debug)]
pub(super) struct Divisions(pub(super) Vec<Division>);

impl Convert for Divisions {
    fn convert(&self, store: &mut Store, mut model: Model) -> Result<Model, ConvertError> {
        for division in &self.0 {
            let mut value = |t: TermId| -> Result<Value, ConvertError> {
                eval_completing(store, &mut model, t).map_err(|unknown| ConvertError::Unknown {
                    symbol: "a division by zero".to_string(),
                    reason: unknown.reason,
                })
            };
            let args = [value(division.dividend)?, value(division.divisor)?];
            let value = value(division.value)?;
            model.choose(division.op, args.into(), value);
        }
        Ok(model)
    }
}
