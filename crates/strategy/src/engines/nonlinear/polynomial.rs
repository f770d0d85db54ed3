//! Polynomials in several variables with integer coefficients.

use super::limits::{PolynomialError, PolynomialWork};
use dashu_base::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::collections::BTreeMap;

/// The maximum number of terms of a polynomial.
const MAX_TERMS: usize = 5_000;
/// The maximum exponent of a variable.
const MAX_EXPONENT: u32 = 1_000;
/// The maximum number of bits of a coefficient.
const MAX_BITS: usize = 1 << 14;

/// The exponent of each variable in a product of powers.
type Exponents = Box<[u32]>;

/// A polynomial. All polynomials of one problem have the same variables, numbered from 0; the *main* variable is the last that occurs.
///
/// Invariant: no coefficient is zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MultiPolynomial {
    variables: usize,
    terms: BTreeMap<Exponents, IBig>,
}

impl MultiPolynomial {
    /// Returns a constant.
    pub fn constant(variables: usize, number: IBig) -> MultiPolynomial {
        let mut terms = BTreeMap::new();
        if !number.is_zero() {
            terms.insert(vec![0; variables].into(), number);
        }
        MultiPolynomial { variables, terms }
    }

    /// Returns a variable.
    pub fn variable(variables: usize, variable: usize) -> MultiPolynomial {
        let mut exponents = vec![0; variables];
        exponents[variable] = 1;
        MultiPolynomial { variables, terms: BTreeMap::from([(exponents.into(), IBig::ONE)]) }
    }

    /// Returns the polynomial with these terms.
    pub fn of_terms(variables: usize, terms: impl IntoIterator<Item = (Box<[u32]>, IBig)>) -> MultiPolynomial {
        let mut sum = MultiPolynomial { variables, terms: BTreeMap::new() };
        terms.into_iter().for_each(|(exponents, coefficient)| sum.add_term(exponents, coefficient));
        sum
    }

    /// Returns the number of variables of the problem.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Returns zero, of the same problem.
    pub fn zero_like(&self) -> MultiPolynomial {
        MultiPolynomial { variables: self.variables, terms: BTreeMap::new() }
    }

    fn one_like(&self) -> MultiPolynomial {
        MultiPolynomial::constant(self.variables, IBig::ONE)
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the last variable that occurs; `None` for constants.
    pub fn main(&self) -> Option<usize> {
        self.terms.keys().filter_map(|exponents| exponents.iter().rposition(|e| *e > 0)).max()
    }

    /// Returns the constant that this is, if it is one.
    pub fn as_constant(&self) -> Option<IBig> {
        match self.main() {
            Some(_) => None,
            None => Some(self.terms.values().next().cloned().unwrap_or(IBig::ZERO)),
        }
    }

    /// Returns the degree in a variable.
    pub fn degree(&self, variable: usize) -> u32 {
        self.terms.keys().map(|exponents| exponents[variable]).max().unwrap_or(0)
    }

    /// Returns the terms.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], &IBig)> {
        self.terms.iter().map(|(exponents, coefficient)| (&**exponents, coefficient))
    }

    /// Returns the last term in lexicographic order.
    pub fn last_term(&self) -> Option<(&[u32], &IBig)> {
        self.terms.last_key_value().map(|(exponents, coefficient)| (&**exponents, coefficient))
    }

    /// Adds a term.
    pub fn add_term(&mut self, exponents: Exponents, coefficient: IBig) {
        use std::collections::btree_map::Entry;
        match self.terms.entry(exponents) {
            Entry::Vacant(place) => {
                if !coefficient.is_zero() {
                    place.insert(coefficient);
                }
            }
            Entry::Occupied(mut place) => {
                *place.get_mut() += coefficient;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    /// Returns this plus `factor` times another.
    pub fn plus(&self, factor: &IBig, other: &MultiPolynomial) -> MultiPolynomial {
        let mut sum = self.clone();
        for (exponents, coefficient) in &other.terms {
            sum.add_term(exponents.clone(), factor * coefficient);
        }
        sum
    }

    /// Returns this times a number.
    pub fn scaled(&self, factor: &IBig) -> MultiPolynomial {
        self.zero_like().plus(factor, self)
    }

    /// Returns the product.
    pub fn times(
        &self,
        other: &MultiPolynomial,
        work: &mut PolynomialWork,
    ) -> Result<MultiPolynomial, PolynomialError> {
        let mut product = self.zero_like();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                work.meter.tick()?;
                product.add_term(a.iter().zip(b).map(|(a, b)| a + b).collect(), x * y);
            }
            let is_high = |exponents: &Exponents| exponents.iter().any(|e| *e > MAX_EXPONENT);
            if product.terms.len() > MAX_TERMS || product.terms.keys().any(is_high) {
                return Err(PolynomialError::TooLarge);
            }
        }
        product.within_bits()
    }

    /// Returns this times a term.
    pub fn shifted(
        &self,
        shift: &[u32],
        factor: &IBig,
        work: &mut PolynomialWork,
    ) -> Result<MultiPolynomial, PolynomialError> {
        let term = (shift.into(), factor.clone());
        self.times(&MultiPolynomial::of_terms(self.variables, [term]), work)
    }

    fn within_bits(self) -> Result<MultiPolynomial, PolynomialError> {
        match self.terms.values().any(|c| c.bit_len() > MAX_BITS) {
            true => Err(PolynomialError::TooLarge),
            false => Ok(self),
        }
    }

    /// Returns a power.
    pub fn power(&self, exponent: usize, work: &mut PolynomialWork) -> Result<MultiPolynomial, PolynomialError> {
        (0..exponent).try_fold(self.one_like(), |power, _| power.times(self, work))
    }

    /// Returns the quotient by a divisor that is known to divide this.
    pub fn over(
        &self,
        divisor: &MultiPolynomial,
        work: &mut PolynomialWork,
    ) -> Result<MultiPolynomial, PolynomialError> {
        let Some((lead, factor)) = divisor.terms.last_key_value() else { return Err(PolynomialError::Inexact) };
        let (mut rest, mut quotient) = (self.clone(), self.zero_like());
        while let Some((exponents, coefficient)) = rest.terms.last_key_value() {
            if exponents.iter().zip(lead).any(|(e, l)| e < l) || !(coefficient % factor).is_zero() {
                return Err(PolynomialError::Inexact);
            }
            let shift: Exponents = exponents.iter().zip(lead).map(|(e, l)| e - l).collect();
            let multiple = coefficient / factor;
            for (other, c) in &divisor.terms {
                work.meter.tick()?;
                rest.add_term(shift.iter().zip(other).map(|(a, b)| a + b).collect(), -(&multiple * c));
            }
            quotient.terms.insert(shift, multiple);
        }
        Ok(quotient)
    }

    /// Returns the derivative by a variable.
    pub fn derivative(&self, variable: usize) -> MultiPolynomial {
        let mut derivative = self.zero_like();
        for (exponents, coefficient) in self.terms.iter().filter(|(exponents, _)| exponents[variable] > 0) {
            let mut lower = exponents.clone();
            lower[variable] -= 1;
            derivative.add_term(lower, coefficient * IBig::from(exponents[variable]));
        }
        derivative
    }

    /// Returns the coefficients of the powers of a variable, the constant one first, the last not zero; none for zero.
    pub fn coefficients(&self, variable: usize) -> Vec<MultiPolynomial> {
        if self.is_zero() {
            return Vec::new();
        }
        let mut found = vec![self.zero_like(); self.degree(variable) as usize + 1];
        for (exponents, coefficient) in &self.terms {
            let mut rest = exponents.clone();
            let power = std::mem::take(&mut rest[variable]);
            found[power as usize].terms.insert(rest, coefficient.clone());
        }
        found
    }

    /// Returns the polynomial with these coefficients of the powers of a variable.
    pub fn of_coefficients(
        like: &MultiPolynomial,
        variable: usize,
        coefficients: &[MultiPolynomial],
    ) -> MultiPolynomial {
        let mut whole = like.zero_like();
        for (power, coefficient) in coefficients.iter().enumerate() {
            for (exponents, number) in &coefficient.terms {
                let mut exponents = exponents.clone();
                exponents[variable] += power as u32;
                whole.add_term(exponents, number.clone());
            }
        }
        whole
    }

    /// Returns a positive multiple of this with a rational in place of a variable.
    pub fn with_value(&self, variable: usize, value: &RBig) -> Result<MultiPolynomial, PolynomialError> {
        let degree = self.degree(variable) as usize;
        let (numerator, denominator) = (value.numerator(), IBig::from(value.denominator().clone()));
        let mut result = self.zero_like();
        for (exponents, coefficient) in &self.terms {
            let mut rest = exponents.clone();
            let power = std::mem::take(&mut rest[variable]) as usize;
            if numerator.bit_len().max(denominator.bit_len()).saturating_mul(degree) > MAX_BITS {
                return Err(PolynomialError::TooLarge);
            }
            result.add_term(rest, coefficient * numerator.pow(power) * denominator.pow(degree - power));
        }
        result.within_bits()
    }

    /// Returns this with a variable in place of another.
    pub fn renamed(&self, from: usize, to: usize) -> MultiPolynomial {
        let mut result = self.zero_like();
        for (exponents, coefficient) in &self.terms {
            let mut renamed = exponents.clone();
            renamed[to] += std::mem::take(&mut renamed[from]);
            result.add_term(renamed, coefficient.clone());
        }
        result
    }

    /// Returns this with the variables in another order: the first of the order is number 0.
    pub fn permuted(&self, order: &[usize]) -> MultiPolynomial {
        let moved = |exponents: &Exponents| order.iter().map(|v| exponents[*v]).collect();
        let terms = self.terms.iter().map(|(exponents, c)| (moved(exponents), c.clone())).collect();
        MultiPolynomial { terms, ..*self }
    }

    /// Returns this over the greatest common divisor of its numbers.
    pub fn shortened(&self) -> MultiPolynomial {
        let common = self.terms.values().fold(UBig::ZERO, |divisor, c| match divisor.is_zero() {
            true => c.clone().unsigned_abs(),
            false => divisor.gcd(c.clone().unsigned_abs()),
        });
        let common = IBig::from(common);
        let terms = self.terms.iter().map(|(exponents, c)| (exponents.clone(), c / &common)).collect();
        MultiPolynomial { variables: self.variables, terms }
    }

    /// Returns this over the greatest common divisor of its numbers, with a positive first one: the roots are the same.
    pub fn primitive(&self) -> MultiPolynomial {
        let is_negative = self.terms.values().next_back().is_some_and(|last| *last < IBig::ZERO);
        let shortened = self.shortened();
        if is_negative { shortened.scaled(&IBig::NEG_ONE) } else { shortened }
    }

    /// Returns the greatest common divisor of the coefficients of a variable.
    fn content(&self, variable: usize, work: &mut PolynomialWork) -> Result<MultiPolynomial, PolynomialError> {
        let mut common = self.zero_like();
        for coefficient in self.coefficients(variable).into_iter().filter(|c| !c.is_zero()) {
            common = common.greatest_common_divisor(&coefficient, work)?;
            if common.main().is_none() {
                break;
            }
        }
        Ok(common)
    }

    /// Returns the greatest common divisor, up to numbers, by primitive remainders.
    pub fn greatest_common_divisor(
        &self,
        other: &MultiPolynomial,
        work: &mut PolynomialWork,
    ) -> Result<MultiPolynomial, PolynomialError> {
        if self.is_zero() || other.is_zero() {
            return Ok(if self.is_zero() { other.primitive() } else { self.primitive() });
        }
        let Some(main) = self.main().max(other.main()) else { return Ok(self.one_like()) };
        if self.degree(main) == 0 {
            return self.greatest_common_divisor(&other.content(main, work)?, work);
        }
        if other.degree(main) == 0 {
            return self.content(main, work)?.greatest_common_divisor(other, work);
        }
        let contents = (self.content(main, work)?, other.content(main, work)?);
        let common = contents.0.greatest_common_divisor(&contents.1, work)?;
        let mut a = self.primitive().over(&contents.0.primitive(), work)?;
        let mut b = other.primitive().over(&contents.1.primitive(), work)?;
        if a.degree(main) < b.degree(main) {
            std::mem::swap(&mut a, &mut b);
        }
        while !b.is_zero() {
            if b.degree(main) == 0 {
                return Ok(common);
            }
            let rest = pseudo_remainder(a.coefficients(main), &b.coefficients(main), work)?;
            let rest = MultiPolynomial::of_coefficients(&a, main, &rest).primitive();
            let content = rest.content(main, work)?;
            a = std::mem::replace(&mut b, if rest.is_zero() { rest } else { rest.over(&content.primitive(), work)? });
        }
        Ok(a.times(&common, work)?.primitive())
    }

    /// Returns the resultant by a variable, up to its sign: by subresultants (Cohen, "A Course in Computational Algebraic Number Theory",
    /// algorithm 3.3.7).
    pub fn resultant(
        &self,
        other: &MultiPolynomial,
        variable: usize,
        work: &mut PolynomialWork,
    ) -> Result<MultiPolynomial, PolynomialError> {
        let (mut a, mut b) = (self.coefficients(variable), other.coefficients(variable));
        if a.len() < b.len() {
            std::mem::swap(&mut a, &mut b);
        }
        let (mut g, mut h) = (self.one_like(), self.one_like());
        loop {
            match b.as_slice() {
                [] => return Ok(self.zero_like()),
                // Without the step of a remainder, h is 1.
                [only] if a.len() > 1 => {
                    return only.power(a.len() - 1, work)?.over(&h.power(a.len() - 2, work)?, work);
                }
                [_] => return Ok(self.one_like()),
                _ => {}
            }
            let fall = a.len() - b.len();
            let divisor = g.times(&h.power(fall, work)?, work)?;
            let rest = pseudo_remainder(a, &b, work)?;
            let rest = rest.iter().map(|c| c.over(&divisor, work)).collect::<Result<_, _>>()?;
            a = std::mem::replace(&mut b, rest);
            if let (Some(lead), true) = (a.last(), fall > 0) {
                h = lead.power(fall, work)?.over(&h.power(fall - 1, work)?, work)?;
            }
            g = a.last().cloned().unwrap_or_else(|| self.one_like());
        }
    }

    /// Returns the discriminant by a variable that occurs, up to its sign.
    pub fn discriminant(&self, variable: usize, work: &mut PolynomialWork) -> Result<MultiPolynomial, PolynomialError> {
        let Some(lead) = self.coefficients(variable).pop() else { return Ok(self.zero_like()) };
        self.resultant(&self.derivative(variable), variable, work)?.over(&lead, work)
    }
}

/// Returns the remainder of the division by `b` of a product of `a` with as many leading coefficients of `b` as the division has steps.
fn pseudo_remainder(
    mut a: Vec<MultiPolynomial>,
    b: &[MultiPolynomial],
    work: &mut PolynomialWork,
) -> Result<Vec<MultiPolynomial>, PolynomialError> {
    let Some((lead, lower)) = b.split_last() else { return Ok(a) };
    let mut factors = (a.len() + 1).saturating_sub(b.len());
    while a.len() >= b.len() {
        let Some(top) = a.pop() else { break };
        for c in &mut a {
            *c = c.times(lead, work)?;
        }
        let shift = a.len() + 1 - b.len();
        for (c, d) in a[shift..].iter_mut().zip(lower) {
            *c = c.plus(&IBig::NEG_ONE, &top.times(d, work)?);
        }
        while a.last().is_some_and(MultiPolynomial::is_zero) {
            a.pop();
        }
        factors -= 1;
    }
    let rest = lead.power(factors, work)?;
    a.iter().map(|c| c.times(&rest, work)).collect()
}

/// Returns square-free polynomials without common factors that have all roots of the given ones.
pub fn basis(
    mut queue: Vec<MultiPolynomial>,
    work: &mut PolynomialWork,
) -> Result<Vec<MultiPolynomial>, PolynomialError> {
    let mut found: Vec<MultiPolynomial> = Vec::new();
    while let Some(polynomial) = queue.pop() {
        let mut rest = polynomial.primitive();
        let Some(main) = rest.main() else { continue };
        if found.contains(&rest) {
            continue;
        }
        let content = rest.content(main, work)?.primitive();
        if content.main().is_some() {
            rest = rest.over(&content, work)?;
            queue.push(content);
        }
        let repeated = rest.greatest_common_divisor(&rest.derivative(main), work)?;
        if repeated.main().is_some() {
            rest = rest.over(&repeated, work)?;
        }
        let mut n = 0;
        while n < found.len() && rest.main() == Some(main) {
            let common = match found[n].main() == Some(main) {
                true => found[n].greatest_common_divisor(&rest, work)?,
                false => rest.one_like(),
            };
            if common.main().is_none() {
                n += 1;
                continue;
            }
            let known = found.swap_remove(n);
            rest = rest.over(&common, work)?;
            queue.extend([known.over(&common, work)?, common]);
        }
        if rest.main() == Some(main) {
            found.push(rest.primitive());
        }
    }
    found.sort();
    Ok(found)
}
