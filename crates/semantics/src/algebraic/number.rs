//! Real algebraic numbers: the field operations, order, integer part and conversion to rationals.

use std::cmp::Ordering;
use std::sync::Arc;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::generator::{FieldGenerator, RealRoot};
use super::polynomial::IntPolynomial;
use super::ring::{Generators, RingElement, merge_generators};
use super::sign::{Evaluation, Separation, sign_of};
use super::{AlgebraicError, AlgebraicLimits};

/// The bits by which two numbers are first distinguished.
const FIRST_BITS: usize = 8;

/// A real algebraic number.
///
/// `==`, order and hash compare spellings: equal spellings are the same number, but different ones may be, too. Deciding
/// equality may exceed the limits, see [`compare`](Self::compare).
///
/// Invariant: the denominator is positive, and 1 if it is a constant; every generator occurs in one of both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlgebraicNumber {
    generators: Generators,
    numerator: RingElement,
    denominator: RingElement,
}

impl From<RBig> for AlgebraicNumber {
    fn from(number: RBig) -> Self {
        AlgebraicNumber {
            generators: Arc::default(),
            numerator: RingElement::constant(number, 0),
            denominator: RingElement::constant(RBig::ONE, 0),
        }
    }
}

impl AlgebraicNumber {
    /// Returns the `index`-th of the distinct real roots in ascending order, from 1: z3's `(root-obj polynomial index)`.
    pub fn root(polynomial: &IntPolynomial, index: usize, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        FieldGenerator::by_index(polynomial, index, limits).map(AlgebraicNumber::from_root)
    }

    /// Returns the only real root in the interval: cvc5's `(_ real_algebraic_number <polynomial, (low, high)>)` and the
    /// `root-of-with-interval` of others. The interval is open; when only an end is a root, that end is meant.
    pub fn root_between(
        polynomial: &IntPolynomial,
        low: &RBig,
        high: &RBig,
        limits: &AlgebraicLimits,
    ) -> Result<Self, AlgebraicError> {
        FieldGenerator::by_interval(polynomial, low, high, limits).map(AlgebraicNumber::from_root)
    }

    /// Returns all real roots of a polynomial that is not constant, ascending.
    pub fn roots(polynomial: &IntPolynomial, limits: &AlgebraicLimits) -> Result<Vec<Self>, AlgebraicError> {
        let mut found = Vec::new();
        loop {
            match AlgebraicNumber::root(polynomial, found.len() + 1, limits) {
                Ok(root) => found.push(root),
                Err(AlgebraicError::NoSuchRoot { .. }) => return Ok(found),
                Err(error) => return Err(error),
            }
        }
    }

    fn from_root(root: RealRoot) -> Self {
        match root {
            RealRoot::Rational(number) => AlgebraicNumber::from(number),
            RealRoot::Irrational(generator) => AlgebraicNumber {
                generators: [Arc::new(generator)].into(),
                numerator: RingElement::generator(),
                denominator: RingElement::constant(RBig::ONE, 1),
            },
        }
    }

    /// Returns the number, if it is obviously rational; [`to_rational`](Self::to_rational) decides it.
    pub fn as_rational(&self) -> Option<RBig> {
        self.denominator.as_constant()?;
        self.numerator.as_constant()
    }

    /// Returns the root this number is, if it was given as one and nothing was computed with it.
    pub fn as_generator(&self) -> Option<&FieldGenerator> {
        let [only] = &*self.generators else { return None };
        let plain = self.numerator == RingElement::generator() && self.denominator.as_constant().is_some();
        plain.then_some(only)
    }

    /// Returns the roots that it is computed from.
    pub(super) fn generators(&self) -> &[Arc<FieldGenerator>] {
        &self.generators
    }

    /// Returns its numerator and denominator.
    pub(super) fn quotient(&self) -> [&RingElement; 2] {
        [&self.numerator, &self.denominator]
    }

    /// Returns the sign, as the order relation to zero.
    pub fn sign(&self, limits: &AlgebraicLimits) -> Result<Ordering, AlgebraicError> {
        sign_of(&self.numerator, &self.generators, limits)
    }

    /// Compares this number with `other`; `Equal` is proved, never a matter of precision.
    pub fn compare(&self, other: &Self, limits: &AlgebraicLimits) -> Result<Ordering, AlgebraicError> {
        // Denominators are positive, so the sign of the difference is that of its numerator.
        self.subtract(other, limits)?.sign(limits)
    }

    /// Returns the number with the opposite sign.
    pub fn negate(&self) -> Self {
        AlgebraicNumber { numerator: self.numerator.negated(), ..self.clone() }
    }

    /// Returns the sum.
    pub fn add(&self, other: &Self, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        let Common { generators, left, right } = Common::of(self, other);
        let times = |a: &RingElement, b: &RingElement| a.times(b, &generators, limits);
        let numerator = times(&left.0, &right.1)?.plus(&times(&right.0, &left.1)?, limits)?;
        let denominator = times(&left.1, &right.1)?;
        Ok(AlgebraicNumber::tidy(generators, numerator, denominator))
    }

    /// Returns the difference.
    pub fn subtract(&self, other: &Self, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        self.add(&other.negate(), limits)
    }

    /// Returns the product.
    pub fn multiply(&self, other: &Self, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        let Common { generators, left, right } = Common::of(self, other);
        let numerator = left.0.times(&right.0, &generators, limits)?;
        let denominator = left.1.times(&right.1, &generators, limits)?;
        Ok(AlgebraicNumber::tidy(generators, numerator, denominator))
    }

    /// Returns the quotient; [`AlgebraicError::DivisionByZero`] when `other` is zero.
    pub fn divide(&self, other: &Self, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        let sign = other.sign(limits)?;
        if sign == Ordering::Equal {
            return Err(AlgebraicError::DivisionByZero);
        }
        let Common { generators, left, right } = Common::of(self, other);
        let mut numerator = left.0.times(&right.1, &generators, limits)?;
        let mut denominator = left.1.times(&right.0, &generators, limits)?;
        if sign == Ordering::Less {
            (numerator, denominator) = (numerator.negated(), denominator.negated());
        }
        Ok(AlgebraicNumber::tidy(generators, numerator, denominator))
    }

    /// Returns the greatest integer that is not above the number (`to_int`).
    pub fn floor(&self, limits: &AlgebraicLimits) -> Result<IBig, AlgebraicError> {
        let mut evaluation = Evaluation::new(&self.generators, limits)?;
        loop {
            if let Some((low, high)) = self.enclose_by(&evaluation).map(|enclosure| enclosure.floors()) {
                if low == high {
                    return Ok(low);
                }
                // Near an integer no precision may suffice; an exact comparison does.
                if &low + IBig::ONE == high {
                    let side = self.compare(&RBig::from(high.clone()).into(), limits)?;
                    return Ok(if side == Ordering::Less { low } else { high });
                }
            }
            evaluation.refine()?;
        }
    }

    /// Whether the number is an integer (`is_int`).
    pub fn is_integer(&self, limits: &AlgebraicLimits) -> Result<bool, AlgebraicError> {
        let floor = RBig::from(self.floor(limits)?);
        Ok(self.compare(&floor.into(), limits)? == Ordering::Equal)
    }

    /// Returns the number as a rational, when it is one.
    ///
    /// With `M'` an algebraic integer that the denominator is a rational multiple of, `M'` divides the product of its
    /// non-zero conjugates, an integer of at most `B^D`. That bounds the denominator of a rational value, and in a narrow
    /// enough interval there is at most one rational with a denominator up to the bound: the simplest one.
    pub fn to_rational(&self, limits: &AlgebraicLimits) -> Result<Option<RBig>, AlgebraicError> {
        if let Some(number) = self.as_rational() {
            return Ok(Some(number));
        }
        let (above, below) =
            (Separation::of(&self.numerator, &self.generators), Separation::of(&self.denominator, &self.generators));
        // Value = (N'/C_N) / (M'/C_M) with N'·(norm of M')/M' an algebraic integer.
        let norm_bits = below.bound_bits.saturating_mul(below.conjugates);
        let denominator_bits = above.denominator_bits.saturating_add(norm_bits);
        let needed = denominator_bits.saturating_mul(2).saturating_add(2);
        limits.check_bits(needed)?;
        let mut evaluation = Evaluation::new(&self.generators, limits)?;
        loop {
            if let Some(enclosure) = self.enclose_by(&evaluation)
                && (&enclosure.high - &enclosure.low) << needed <= IBig::ONE << enclosure.scale
            {
                let (low, high) = enclosure.ends();
                let candidate = simplest_between(&low, &high);
                let bounded = *candidate.denominator() <= UBig::ONE << denominator_bits;
                let equal = bounded && self.compare(&candidate.clone().into(), limits)? == Ordering::Equal;
                return Ok(equal.then_some(candidate));
            }
            evaluation.refine()?;
        }
    }

    /// Rationals `low <= number <= high` at most `2^-bits` apart.
    pub fn enclosure(&self, bits: usize, limits: &AlgebraicLimits) -> Result<(RBig, RBig), AlgebraicError> {
        limits.check_bits(bits)?;
        let mut evaluation = Evaluation::new(&self.generators, limits)?;
        loop {
            if let Some(enclosure) = self.enclose_by(&evaluation)
                && (&enclosure.high - &enclosure.low) << bits <= IBig::ONE << enclosure.scale
            {
                return Ok(enclosure.ends());
            }
            evaluation.refine()?;
        }
    }

    /// Returns the approximate cost of one operation, in products: the number's terms times the product of its
    /// generators' degrees, to which the precision of signs is proportional.
    pub fn weight(&self) -> u64 {
        let conjugates = self.generators.iter().fold(1u64, |product, g| product.saturating_mul(g.degree() as u64));
        let terms = self.numerator.terms().count() + self.denominator.terms().count();
        conjugates.saturating_mul(terms as u64)
    }

    fn enclose_by(&self, evaluation: &Evaluation<'_>) -> Option<super::enclosure::Enclosure> {
        let numerator = evaluation.enclose(&self.numerator);
        if self.denominator.as_constant().is_some() {
            return Some(numerator);
        }
        numerator.over_positive(&evaluation.enclose(&self.denominator))
    }

    /// Restores the invariant: a constant denominator becomes 1, and cancelled generators are removed.
    fn tidy(generators: Generators, numerator: RingElement, denominator: RingElement) -> Self {
        let count = generators.len();
        let (numerator, denominator) = match denominator.as_constant() {
            Some(constant) if !constant.is_zero() => {
                (numerator.scaled(&(RBig::ONE / constant)), RingElement::constant(RBig::ONE, count))
            }
            _ => (numerator, denominator),
        };
        let mut used = vec![false; count];
        numerator.mark_used(&mut used);
        denominator.mark_used(&mut used);
        if used.iter().all(|&used| used) {
            return AlgebraicNumber { generators, numerator, denominator };
        }
        let kept = generators.iter().zip(&used).filter(|&(_, &used)| used).map(|(g, _)| g.clone()).collect();
        AlgebraicNumber {
            generators: kept,
            numerator: numerator.restrict(&used),
            denominator: denominator.restrict(&used),
        }
    }
}

/// Two numbers, as numerator and denominator, over the same generators.
struct Common {
    generators: Generators,
    left: (RingElement, RingElement),
    right: (RingElement, RingElement),
}

impl Common {
    fn of(left: &AlgebraicNumber, right: &AlgebraicNumber) -> Self {
        let (generators, left_places, right_places) = merge_generators(&left.generators, &right.generators);
        let count = generators.len();
        let embed = |number: &AlgebraicNumber, places: &[usize]| {
            (number.numerator.embed(places, count), number.denominator.embed(places, count))
        };
        Common { left: embed(left, &left_places), right: embed(right, &right_places), generators }
    }
}

/// Returns a simple rational strictly between two different numbers, the lower one first; `None` is infinity. Without a bound it is an
/// integer.
pub fn between(
    low: Option<&AlgebraicNumber>,
    high: Option<&AlgebraicNumber>,
    limits: &AlgebraicLimits,
) -> Result<RBig, AlgebraicError> {
    let (low, high) = match (low, high) {
        (None, None) => return Ok(RBig::ZERO),
        (Some(low), None) => return Ok(RBig::from((low.floor(limits)? + IBig::ONE).max(IBig::ZERO))),
        (None, Some(high)) => {
            let below = -(high.negate().floor(limits)? + IBig::ONE);
            return Ok(RBig::from(below.min(IBig::ZERO)));
        }
        (Some(low), Some(high)) => (low, high),
    };
    let mut bits = FIRST_BITS;
    loop {
        let (left, right) = (low.enclosure(bits, limits)?.1, high.enclosure(bits, limits)?.0);
        if left < right {
            let quarter = (&right - &left) / RBig::from(4);
            return Ok(simplest_between(&(left + &quarter), &(right - quarter)));
        }
        bits *= 2;
    }
}

/// Returns the rational of the least denominator in the closed interval.
pub fn simplest_between(low: &RBig, high: &RBig) -> RBig {
    // By continued fractions: as long as both ends have the same integer part, it belongs to the result.
    let mut parts: Vec<IBig> = Vec::new();
    let (mut low, mut high) = (low.clone(), high.clone());
    loop {
        let ceiling = low.ceil();
        if RBig::from(ceiling.clone()) <= high {
            parts.push(ceiling);
            break;
        }
        let floor = low.floor();
        let base = RBig::from(floor.clone());
        parts.push(floor);
        (low, high) = (RBig::ONE / (high - &base), RBig::ONE / (low - &base));
    }
    let mut parts = parts.into_iter().rev();
    let last = RBig::from(parts.next().unwrap_or(IBig::ZERO));
    parts.fold(last, |tail, part| RBig::from(part) + RBig::ONE / tail)
}
