//! Division, and rounding down: the result gets a name and constraints.

use super::super::open::is_zero;
use super::{Preparation, PrepareError, equal, unsupported};
use dashu_int::IBig;
use semantics::Value;
use smtlib::{Kind, Op, SortId, Store, TermId};

impl Preparation {
    /// Whether a term is the constant zero.
    pub(super) fn is_zero(&mut self, store: &Store, t: TermId) -> bool {
        self.constants.eval(store, t).is_ok_and(|value| is_zero(&value))
    }

    /// Whether a term is a constant other than zero.
    pub(super) fn is_number(&mut self, store: &Store, t: TermId) -> bool {
        self.constants.eval(store, t).is_ok() && !self.is_zero(store, t)
    }

    /// Returns a name for `(/ a b …)`, one for each step: b = 0 or q b = a. The quotient by zero is open.
    pub(super) fn quotient(&mut self, store: &mut Store, args: &[TermId]) -> Result<TermId, PrepareError> {
        let Some((&first, divisors)) = args.split_first() else { return Err(PrepareError::TooLarge) };
        let mut result = first;
        for &divisor in divisors {
            let step = store.app(Op::new(Kind::RealDiv), &[result, divisor])?;
            if self.is_number(store, divisor) {
                result = step;
                continue;
            }
            let known = self.open.len();
            let quotient = self.open_value(store, step, &[result, divisor])?;
            if self.open.len() > known {
                let zero = self.number(store, divisor, 0);
                let product = store.app(Op::new(Kind::RealMul), &[quotient, divisor])?;
                let parts = [equal(store, divisor, zero)?, equal(store, product, result)?];
                let definition = store.or(&parts);
                self.definitions.push(definition);
            }
            result = quotient;
        }
        Ok(result)
    }

    /// Returns names for `(div a b)` and `(mod a b)`: b = 0, or a = b q + r with 0 <= r < |b|. Both are open where b is zero.
    pub(super) fn divide(
        &mut self,
        store: &mut Store,
        t: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<(TermId, TermId), PrepareError> {
        if let Some(&known) = self.quotients.get(&(a, b)) {
            return Ok(known);
        }
        let divisor = match self.constants.eval(store, b) {
            Ok(Value::Int(n)) if n != IBig::ZERO => Some(n),
            _ if store.args(t).len() == 2 => None,
            _ => return Err(unsupported(store, t)),
        };
        let (quotient, remainder) = match divisor {
            Some(_) => (self.name(store, SortId::INT), self.name(store, SortId::INT)),
            None => {
                let steps = (store.app(Op::new(Kind::IntDiv), &[a, b])?, store.app(Op::new(Kind::IntMod), &[a, b])?);
                (self.open_value(store, steps.0, &[a, b])?, self.open_value(store, steps.1, &[a, b])?)
            }
        };
        let product = store.app(Op::new(Kind::IntMul), &[b, quotient])?;
        let sum = store.app(Op::new(Kind::IntAdd), &[product, remainder])?;
        let same = equal(store, a, sum)?;
        let zero = store.int(&IBig::ZERO);
        let low = store.app(Op::new(Kind::IntLe), &[zero, remainder])?;
        if let Some(divisor) = divisor {
            let magnitude = store.int(&if divisor < IBig::ZERO { -divisor } else { divisor });
            let high = store.app(Op::new(Kind::IntLt), &[remainder, magnitude])?;
            self.definitions.extend([same, low, high]);
        } else {
            let minus = store.app(Op::new(Kind::IntNeg), &[b])?;
            let [below, above] = [b, minus].map(|side| store.app(Op::new(Kind::IntLt), &[remainder, side]));
            let high = store.or(&[below?, above?]);
            let parts = [equal(store, b, zero)?, store.and(&[same, low, high])];
            let definition = store.or(&parts);
            self.definitions.push(definition);
        }
        self.quotients.insert((a, b), (quotient, remainder));
        Ok((quotient, remainder))
    }

    /// Returns a name for `(to_int a)`: q <= a < q + 1.
    pub(super) fn floor(&mut self, store: &mut Store, a: TermId) -> Result<TermId, PrepareError> {
        let one = self.number(store, a, 1);
        if let Some(&(known, _)) = self.quotients.get(&(a, one)) {
            return Ok(known);
        }
        let name = self.name(store, SortId::INT);
        let whole = store.to_real(name);
        let next = store.app(Op::new(Kind::RealAdd), &[whole, one])?;
        let low = store.app(Op::new(Kind::RealLe), &[whole, a])?;
        let high = store.app(Op::new(Kind::RealLt), &[a, next])?;
        self.definitions.extend([low, high]);
        self.quotients.insert((a, one), (name, name));
        Ok(name)
    }
}
