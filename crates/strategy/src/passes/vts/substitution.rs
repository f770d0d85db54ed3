//! Comparisons of polynomials at test points, as formulas without the variable.

use crate::constraint::LinearRelation;
use crate::engines::nonlinear::limits::{PolynomialError, PolynomialWork};
use crate::engines::nonlinear::polynomial::MultiPolynomial;
use dashu_int::IBig;
use dashu_ratio::RBig;
use smtlib::{Kind, Op, SortId, Store, TermId};
use std::collections::BTreeSet;

/// The coefficients of the powers of the variable, the constant one first, and the relation to zero.
pub type ZeroComparison = (Vec<MultiPolynomial>, LinearRelation);

/// A root `(p + q √r) / s` of a polynomial, if the guard holds.
pub struct TestPoint {
    /// Where it is a root, `s` is not zero, and `r` not negative.
    pub guard: Vec<(MultiPolynomial, LinearRelation)>,
    /// The rational part.
    pub p: MultiPolynomial,
    /// The factor of the root.
    pub q: MultiPolynomial,
    /// What the root is of.
    pub r: MultiPolynomial,
    /// The divisor.
    pub s: MultiPolynomial,
    /// Whether the point is right after the root.
    pub is_after: bool,
}

/// Makes formulas.
pub struct PointSubstitution<'s> {
    /// The terms that are the variables of polynomials.
    pub symbols: &'s [TermId],
    /// Limits and clock.
    pub work: &'s mut PolynomialWork,
    /// Where the formulas are made.
    pub store: &'s mut Store,
}

/// Returns a conjunction or disjunction of parts, without constants.
pub fn junction(store: &mut Store, is_conjunction: bool, mut parts: Vec<TermId>) -> TermId {
    let (neutral, decisive) = (store.bool(is_conjunction), store.bool(!is_conjunction));
    let mut seen = BTreeSet::from([neutral]);
    parts.retain(|part| seen.insert(*part));
    match (parts.contains(&decisive), is_conjunction) {
        (true, _) => decisive,
        (_, true) => store.and(&parts),
        (_, false) => store.or(&parts),
    }
}

impl PointSubstitution<'_> {
    /// Returns a comparison at a point, or at minus infinity.
    pub fn comparison(
        &mut self,
        (coefficients, relation): &ZeroComparison,
        point: Option<&TestPoint>,
    ) -> Result<TermId, PolynomialError> {
        match (point, relation) {
            (_, LinearRelation::Distinct) => {
                let equal = self.comparison(&(coefficients.clone(), LinearRelation::Equal), point)?;
                Ok(self.negated(equal))
            }
            (Some(point), _) if !point.is_after => self.at_root(coefficients, *relation, point),
            // An equation holds on an interval only if it always does.
            (_, LinearRelation::Equal) => {
                let zeros = coefficients.iter().map(|c| self.literal(c, LinearRelation::Equal)).collect();
                Ok(junction(self.store, true, zeros))
            }
            (_, LinearRelation::AtMost) => {
                let below = self.comparison(&(coefficients.clone(), LinearRelation::Below), point)?;
                let equal = self.comparison(&(coefficients.clone(), LinearRelation::Equal), point)?;
                Ok(junction(self.store, false, vec![below, equal]))
            }
            (None, LinearRelation::Below) => Ok(self.below_at_minus_infinity(coefficients)),
            (Some(point), LinearRelation::Below) => self.below_after(coefficients, point),
        }
    }

    /// The sign is that of the leading coefficient, or its opposite.
    fn below_at_minus_infinity(&mut self, coefficients: &[MultiPolynomial]) -> TermId {
        let mut formula = self.store.bool(false);
        for (power, coefficient) in coefficients.iter().enumerate() {
            let sign = if power % 2 == 0 { IBig::ONE } else { IBig::NEG_ONE };
            let below = self.literal(&coefficient.scaled(&sign), LinearRelation::Below);
            let zero = self.literal(coefficient, LinearRelation::Equal);
            let rest = junction(self.store, true, vec![zero, formula]);
            formula = junction(self.store, false, vec![below, rest]);
        }
        formula
    }

    /// Right after a root of it a polynomial is negative if its derivative is.
    fn below_after(&mut self, coefficients: &[MultiPolynomial], point: &TestPoint) -> Result<TermId, PolynomialError> {
        let below = self.at_root(coefficients, LinearRelation::Below, point)?;
        if coefficients.len() < 2 {
            return Ok(below);
        }
        let zero = self.at_root(coefficients, LinearRelation::Equal, point)?;
        let derivative: Vec<MultiPolynomial> =
            coefficients.iter().enumerate().skip(1).map(|(power, c)| c.scaled(&IBig::from(power))).collect();
        let falls = self.below_after(&derivative, point)?;
        let rest = junction(self.store, true, vec![zero, falls]);
        Ok(junction(self.store, false, vec![below, rest]))
    }

    /// A comparison at a root: with `a + b √r` for the polynomial times an even power of the divisor.
    fn at_root(
        &mut self,
        coefficients: &[MultiPolynomial],
        relation: LinearRelation,
        point: &TestPoint,
    ) -> Result<TermId, PolynomialError> {
        let Some((last, lower)) = coefficients.split_last() else {
            return Ok(self.store.bool(matches!(relation, LinearRelation::AtMost | LinearRelation::Equal)));
        };
        // Horner: (a + b √r) (p + q √r) + c s^n.
        let (work, one) = (&mut *self.work, IBig::ONE);
        let (mut a, mut b) = (last.clone(), last.zero_like());
        let mut power = MultiPolynomial::constant(last.variables(), one.clone());
        for c in lower.iter().rev() {
            power = power.times(&point.s, work)?;
            let both = b.times(&point.q, work)?.times(&point.r, work)?;
            let next = a.times(&point.p, work)?.plus(&one, &both).plus(&one, &c.times(&power, work)?);
            b = a.times(&point.q, work)?.plus(&one, &b.times(&point.p, work)?);
            a = next;
        }
        if lower.len() % 2 == 1 {
            (a, b) = (a.times(&point.s, work)?, b.times(&point.s, work)?);
        }
        if b.is_zero() {
            return Ok(self.literal(&a, relation));
        }
        let difference = a.times(&a, work)?.plus(&IBig::NEG_ONE, &b.times(&b, work)?.times(&point.r, work)?);
        let product = a.times(&b, work)?;
        let [opposite, apart] = [&difference, &product].map(|p| p.scaled(&IBig::NEG_ONE));
        use LinearRelation::*;
        let cases: &[[(&MultiPolynomial, LinearRelation); 2]] = match relation {
            Equal => &[[(&product, AtMost), (&difference, Equal)]],
            AtMost => &[[(&a, AtMost), (&opposite, AtMost)], [(&b, AtMost), (&difference, AtMost)]],
            Below => {
                &[[(&a, Below), (&opposite, Below)], [(&b, AtMost), (&a, Below)], [(&b, AtMost), (&difference, Below)]]
            }
            Distinct => &[[(&difference, Distinct); 2], [(&apart, Below); 2]],
        };
        let mut parts = Vec::new();
        for [first, second] in cases {
            let both = vec![self.literal(first.0, first.1), self.literal(second.0, second.1)];
            parts.push(junction(self.store, true, both));
        }
        Ok(junction(self.store, false, parts))
    }

    fn negated(&mut self, formula: TermId) -> TermId {
        match self.store.kind(formula) {
            Kind::True => self.store.bool(false),
            Kind::False => self.store.bool(true),
            _ => self.store.not(formula),
        }
    }

    /// Returns the relation of a product of powers to zero: only whether they are even counts. This keeps degrees low.
    fn literal_of_powers(&mut self, polynomial: &MultiPolynomial, relation: LinearRelation) -> Option<TermId> {
        let (exponents, coefficient) = polynomial.last_term()?;
        if polynomial.terms().count() > 1 || exponents.iter().sum::<u32>() < 2 {
            return None;
        }
        let (count, sign) = (exponents.len(), if *coefficient < IBig::ZERO { IBig::NEG_ONE } else { IBig::ONE });
        let power = |n: usize| (n, exponents[n] % 2 == 0);
        let powers: Vec<(usize, bool)> = (0..count).filter(|n| exponents[*n] > 0).map(power).collect();
        let mut each = |relation| -> Vec<TermId> {
            powers.iter().map(|(n, _)| self.literal(&MultiPolynomial::variable(count, *n), relation)).collect()
        };
        match relation {
            LinearRelation::Equal => {
                let parts = each(LinearRelation::Equal);
                Some(junction(self.store, false, parts))
            }
            LinearRelation::Distinct => {
                let parts = each(LinearRelation::Distinct);
                Some(junction(self.store, true, parts))
            }
            LinearRelation::AtMost => {
                let both = [LinearRelation::Below, LinearRelation::Equal].map(|r| self.literal(polynomial, r));
                Some(junction(self.store, false, both.into()))
            }
            LinearRelation::Below => {
                let odd: Vec<u32> = exponents.iter().map(|e| e % 2).collect();
                if odd == exponents {
                    return None;
                }
                let mut parts: Vec<TermId> = Vec::new();
                for (n, _) in powers.iter().filter(|(_, is_even)| *is_even) {
                    parts.push(self.literal(&MultiPolynomial::variable(count, *n), LinearRelation::Distinct));
                }
                let rest = MultiPolynomial::of_terms(count, [(odd.into(), sign)]);
                parts.push(self.literal(&rest, LinearRelation::Below));
                Some(junction(self.store, true, parts))
            }
        }
    }

    /// Returns the relation of a polynomial to zero, as a term.
    pub fn literal(&mut self, polynomial: &MultiPolynomial, relation: LinearRelation) -> TermId {
        if let Some(number) = polynomial.as_constant() {
            let holds = relation.holds(number.cmp(&IBig::ZERO));
            return self.store.bool(holds);
        }
        if let Some(simple) = self.literal_of_powers(polynomial, relation) {
            return simple;
        }
        let store = &mut *self.store;
        let mut sum = Vec::new();
        for (exponents, coefficient) in polynomial.shortened().terms() {
            let mut factors = vec![store.real(&RBig::from(coefficient.clone()))];
            for (&symbol, &exponent) in self.symbols.iter().zip(exponents) {
                let factor =
                    if exponent > 0 && store.sort(symbol) == SortId::INT { store.to_real(symbol) } else { symbol };
                factors.extend(std::iter::repeat_n(factor, exponent as usize));
            }
            if factors.len() > 1 && coefficient.is_one() {
                factors.remove(0);
            }
            sum.push(real(store, Kind::RealMul, &factors));
        }
        let (sum, zero) = (real(store, Kind::RealAdd, &sum), store.real(&RBig::ZERO));
        let kind = match relation {
            LinearRelation::AtMost => Kind::RealLe,
            LinearRelation::Below => Kind::RealLt,
            LinearRelation::Equal | LinearRelation::Distinct => Kind::Eq,
        };
        let literal = store.app(Op::new(kind), &[sum, zero]).expect("a comparison of reals");
        if relation == LinearRelation::Distinct { store.not(literal) } else { literal }
    }
}

/// Returns a sum or product of reals.
fn real(store: &mut Store, kind: Kind, args: &[TermId]) -> TermId {
    match args {
        &[only] => only,
        _ => store.app(Op::new(kind), args).expect("an operation on reals"),
    }
}
