//! Integer division by a constant, and rounding down: the result gets a name and bounds.

use super::{Preparation, PrepareError, equal, unsupported};
use dashu_int::IBig;
use semantics::Value;
use smtlib::{Kind, Op, SortId, Store, TermId};

impl Preparation {
    /// Whether a term is the constant zero.
    pub(super) fn is_zero(&mut self, store: &Store, t: TermId) -> bool {
        match self.constants.eval(store, t) {
            Ok(Value::Int(n)) => n == IBig::ZERO,
            Ok(Value::Real(r)) => r.is_zero(),
            _ => false,
        }
    }

    /// Returns names for `(div a b)` and `(mod a b)` with a nonzero constant b: a = b q + r with 0 <= r < |b|.
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
            Ok(Value::Int(n)) if n != IBig::ZERO => n,
            _ => return Err(unsupported(store, t)),
        };
        let (quotient, remainder) = (self.name(store, SortId::INT), self.name(store, SortId::INT));
        let product = store.app(Op::new(Kind::IntMul), &[b, quotient])?;
        let sum = store.app(Op::new(Kind::IntAdd), &[product, remainder])?;
        let same = equal(store, a, sum)?;
        let zero = store.int(&IBig::ZERO);
        let magnitude = if divisor < IBig::ZERO { -divisor } else { divisor };
        let magnitude = store.int(&magnitude);
        let low = store.app(Op::new(Kind::IntLe), &[zero, remainder])?;
        let high = store.app(Op::new(Kind::IntLt), &[remainder, magnitude])?;
        self.definitions.extend([same, low, high]);
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
