//! Simplification of Int and Real: linear sums in one form, atoms as `(<= sum number)` with coprime integers.

use super::Simplifier;
use crate::linear::{Linear, MAX_MONOMIALS, fits, number, number_term};
use crate::pass::PassError;
use dashu_base::Signed;
use dashu_ratio::RBig;
use smtlib::{Kind, Op, SortId, Store, TermId};

impl Simplifier {
    pub(super) fn arithmetic(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        use Kind::*;
        let sort = store.sort(t);
        match store.kind(t) {
            IntNeg | IntSub | IntAdd | RealNeg | RealSub | RealAdd => match Linear::within(store, t, MAX_MONOMIALS) {
                Some(sum) => Ok(sum.to_term(store, sort)?),
                None => Ok(t),
            },
            IntMul | RealMul => self.product(store, t),
            RealDiv => self.quotient(store, t),
            IntLe | IntLt | IntGe | IntGt | RealLe | RealLt | RealGe | RealGt => self.comparison(store, t),
            IntDiv | IntMod => self.integer_division(store, t),
            IntAbs => Ok(t),
            ToReal => match store.kind(store.args(t)[0]) {
                // A sum of integers as a sum of reals, so that the linear form continues.
                IntAdd | IntMul => Ok(t),
                _ => Ok(t),
            },
            ToInt if store.kind(store.args(t)[0]) == ToReal => {
                let inner = store.args(t)[0];
                Ok(store.args(inner)[0])
            }
            IsInt if store.kind(store.args(t)[0]) == ToReal => Ok(store.bool(true)),
            _ => Ok(t),
        }
    }

    /// Simplifies a product: values are multiplied, first; the rest is sorted. A value times a sum is left to the linear form.
    fn product(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let (kind, sort) = (store.kind(t), store.sort(t));
        let mut factor = RBig::ONE;
        let mut rest = Vec::new();
        for a in super::nary::flat(store, kind, store.args(t)) {
            match number(store, a) {
                Some(n) if fits(&n) && fits(&factor) => factor *= n,
                Some(_) => return Ok(t),
                None => rest.push(a),
            }
        }
        if factor.is_zero() || rest.is_empty() {
            return Ok(number_term(store, sort, &factor));
        }
        if !fits(&factor) {
            return Ok(t);
        }
        rest.sort_unstable();
        if let &[one] = rest.as_slice() {
            let mut sum = Linear::of(store, one);
            sum.scale(&factor);
            return Ok(sum.to_term(store, sort)?);
        }
        if !factor.is_one() {
            rest.insert(0, number_term(store, sort, &factor));
        }
        Ok(store.app(Op::new(kind), &rest)?)
    }

    /// Turns a quotient by a nonzero number into a multiple. `x / 0` stays: the standard leaves its value open.
    fn quotient(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let &[a, d] = store.args(t) else { return Ok(t) };
        match number(store, d).filter(|d| !d.is_zero() && fits(d)) {
            Some(d) => {
                let mut sum = Linear::of(store, a);
                sum.scale(&(RBig::ONE / d));
                Ok(sum.to_term(store, SortId::REAL)?)
            }
            None => Ok(t),
        }
    }

    /// Simplifies `div` and `mod` by 1 and -1, and of a term by itself.
    fn integer_division(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let &[a, d] = store.args(t) else { return Ok(t) };
        let Some(divisor) = number(store, d) else {
            return if a == d { self.quotient_of_itself(store, t, d) } else { Ok(t) };
        };
        let unit = divisor.is_one() || (-divisor.clone()).is_one();
        match store.kind(t) {
            Kind::IntMod if unit => Ok(number_term(store, SortId::INT, &RBig::ZERO)),
            Kind::IntDiv if divisor.is_one() => Ok(a),
            Kind::IntDiv if unit => self.app(store, Kind::IntNeg, &[a]),
            _ => Ok(t),
        }
    }

    /// `(div d d)` and `(mod d d)`: the standard leaves zero by zero open, so it stays.
    fn quotient_of_itself(&mut self, store: &mut Store, t: TermId, d: TermId) -> Result<TermId, PassError> {
        let kind = store.kind(t);
        let zero = number_term(store, SortId::INT, &RBig::ZERO);
        let other = if kind == Kind::IntDiv { RBig::ONE } else { RBig::ZERO };
        let other = number_term(store, SortId::INT, &other);
        let is_zero = self.app(store, Kind::Eq, &[d, zero])?;
        let open = store.app(Op::new(kind), &[zero, zero])?;
        self.app(store, Kind::Ite, &[is_zero, open, other])
    }

    fn comparison(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        use Kind::*;
        let kind = store.kind(t);
        let args = store.args(t).to_vec();
        let &[a, b] = args.as_slice() else {
            let mut parts = Vec::with_capacity(args.len());
            for pair in args.windows(2) {
                parts.push(self.app(store, kind, pair)?);
            }
            return self.junction(store, And, &parts);
        };
        // Everything becomes `left <= right` or its negation.
        let (left, right, negate) = match kind {
            IntLe | RealLe => (a, b, false),
            IntGe | RealGe => (b, a, false),
            IntLt | RealLt => (b, a, true),
            _ => (a, b, true),
        };
        let atom = self.at_most(store, left, right)?;
        if negate { self.not(store, atom) } else { Ok(atom) }
    }

    /// Returns `left <= right` as a comparison of a sum with a number.
    fn at_most(&mut self, store: &mut Store, left: TermId, right: TermId) -> Result<TermId, PassError> {
        let sort = store.sort(left);
        let integral = sort == SortId::INT;
        let mut sum = Linear::of(store, left);
        sum.add(&Linear::of(store, right), &-RBig::ONE);
        if sum.monomials.is_empty() {
            return Ok(store.bool(!sum.constant.is_positive() || sum.constant.is_zero()));
        }
        sum.scale(&sum.primitive_factor());
        // sum + constant <= 0; the first coefficient is made positive so that an atom and its negation share a term.
        let flip = sum.leads_negative();
        if flip {
            sum.scale(&-RBig::ONE);
        }
        let bound = -std::mem::take(&mut sum.constant);
        let body = sum.to_term(store, sort)?;
        if !flip {
            let bound = if integral { RBig::from(bound.floor()) } else { bound };
            let bound = number_term(store, sort, &bound);
            return Ok(store.app(Op::new(if integral { Kind::IntLe } else { Kind::RealLe }), &[body, bound])?);
        }
        if integral {
            // body >= bound is not body <= ceil(bound) - 1.
            let below = RBig::from(bound.ceil()) - RBig::ONE;
            let below = number_term(store, sort, &below);
            let atom = store.app(Op::new(Kind::IntLe), &[body, below])?;
            return Ok(store.not(atom));
        }
        let bound = number_term(store, sort, &bound);
        Ok(store.app(Op::new(Kind::RealGe), &[body, bound])?)
    }

    /// Returns `a = b` as a sum and a number, with coprime integers; `None` if it has this form already.
    pub(super) fn arithmetic_equality(
        &mut self,
        store: &mut Store,
        a: TermId,
        b: TermId,
    ) -> Result<Option<TermId>, PassError> {
        let sort = store.sort(a);
        let mut sum = Linear::of(store, a);
        sum.add(&Linear::of(store, b), &-RBig::ONE);
        if sum.monomials.is_empty() {
            return Ok(Some(store.bool(sum.constant.is_zero())));
        }
        let mut factor = sum.primitive_factor();
        if sum.leads_negative() {
            factor = -factor;
        }
        sum.scale(&factor);
        let constant = -std::mem::take(&mut sum.constant);
        if sort == SortId::INT && !constant.is_int() {
            // A sum with coprime integer coefficients is an integer.
            return Ok(Some(store.bool(false)));
        }
        // `x - y = 0` is more readable, and easier to solve, as `x = y`.
        if constant.is_zero() && sum.monomials.len() == 2 {
            let coefficients: Vec<RBig> = sum.monomials.values().cloned().collect();
            if coefficients[0].is_one() && (-coefficients[1].clone()).is_one() {
                let terms: Vec<TermId> = sum.monomials.keys().copied().collect();
                return Ok(Some(store.eq(terms[0], terms[1])?));
            }
        }
        let body = sum.to_term(store, sort)?;
        let constant = number_term(store, sort, &constant);
        Ok(Some(store.eq(body, constant)?))
    }
}
