//! Polynomials in generators with rational coefficients, reduced by each generator's polynomial.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_ratio::RBig;

use super::generator::{FieldGenerator, bits_of};
use super::{AlgebraicError, AlgebraicLimits};

/// The generators of a number, in ascending order of their definitions and all different numbers.
pub(super) type Generators = Arc<[Arc<FieldGenerator>]>;

/// A polynomial in some generators: from exponents, one per generator, to coefficients.
///
/// Invariant: no coefficient is zero, and each exponent is below the degree of its generator.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RingElement(BTreeMap<Vec<u32>, RBig>);

impl RingElement {
    pub(super) fn constant(number: RBig, generators: usize) -> Self {
        RingElement::from_terms([(vec![0; generators], number)])
    }

    /// Returns the generator itself, alone.
    pub(super) fn generator() -> Self {
        RingElement::from_terms([(vec![1], RBig::ONE)])
    }

    fn from_terms(terms: impl IntoIterator<Item = (Vec<u32>, RBig)>) -> Self {
        let mut element = RingElement(BTreeMap::new());
        for (exponents, coefficient) in terms {
            element.add_term(exponents, coefficient);
        }
        element
    }

    fn add_term(&mut self, exponents: Vec<u32>, coefficient: RBig) {
        use std::collections::btree_map::Entry;
        if coefficient.is_zero() {
            return;
        }
        match self.0.entry(exponents) {
            Entry::Vacant(place) => {
                place.insert(coefficient);
            }
            Entry::Occupied(mut place) => {
                *place.get_mut() += coefficient;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&[u32], &RBig)> {
        self.0.iter().map(|(exponents, coefficient)| (exponents.as_slice(), coefficient))
    }

    /// Returns the number, when no generator occurs.
    pub(super) fn as_constant(&self) -> Option<RBig> {
        match self.0.len() {
            0 => Some(RBig::ZERO),
            1 => {
                let (exponents, coefficient) = self.0.first_key_value()?;
                exponents.iter().all(|&e| e == 0).then(|| coefficient.clone())
            }
            _ => None,
        }
    }

    /// The same element over more generators: the old `i`-th is the new `places[i]`-th of `count`.
    pub(super) fn embed(&self, places: &[usize], count: usize) -> Self {
        RingElement::from_terms(self.terms().map(|(exponents, coefficient)| {
            let mut wider = vec![0; count];
            for (&place, &exponent) in places.iter().zip(exponents) {
                wider[place] = exponent;
            }
            (wider, coefficient.clone())
        }))
    }

    /// Returns which generators occur.
    pub(super) fn mark_used(&self, used: &mut [bool]) {
        for (exponents, _) in self.terms() {
            for (used, &exponent) in used.iter_mut().zip(exponents) {
                *used |= exponent > 0;
            }
        }
    }

    /// Returns the same element without the generators that are not `kept`, none of which occurs.
    pub(super) fn restrict(&self, kept: &[bool]) -> Self {
        RingElement::from_terms(self.terms().map(|(exponents, coefficient)| {
            let narrower = exponents.iter().zip(kept).filter(|&(_, &kept)| kept).map(|(&e, _)| e).collect();
            (narrower, coefficient.clone())
        }))
    }

    pub(super) fn negated(&self) -> Self {
        RingElement(self.0.iter().map(|(exponents, coefficient)| (exponents.clone(), -coefficient)).collect())
    }

    /// Returns the element times a number that is not zero.
    pub(super) fn scaled(&self, factor: &RBig) -> Self {
        RingElement(self.0.iter().map(|(exponents, coefficient)| (exponents.clone(), coefficient * factor)).collect())
    }

    pub(super) fn plus(&self, other: &RingElement, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        let mut sum = self.clone();
        for (exponents, coefficient) in &other.0 {
            sum.add_term(exponents.clone(), coefficient.clone());
        }
        sum.within(limits)
    }

    pub(super) fn times(
        &self,
        other: &RingElement,
        generators: &[Arc<FieldGenerator>],
        limits: &AlgebraicLimits,
    ) -> Result<Self, AlgebraicError> {
        limits.check_terms(self.0.len().saturating_mul(other.0.len()))?;
        let mut product = RingElement(BTreeMap::new());
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                product.add_term(left.iter().zip(right).map(|(l, r)| l + r).collect(), a * b);
            }
        }
        product.reduce(generators, limits)?;
        product.within(limits)
    }

    /// Replaces powers of a generator from its degree on by equal lower ones, using its polynomial.
    fn reduce(&mut self, generators: &[Arc<FieldGenerator>], limits: &AlgebraicLimits) -> Result<(), AlgebraicError> {
        for (place, generator) in generators.iter().enumerate() {
            let degree = generator.degree();
            let too_high = |exponents: &[u32]| exponents[place] as usize >= degree;
            let leading = RBig::from(generator.leading());
            let mut replaced = 0usize;
            // The highest power first, so that each one is replaced once.
            while let Some(exponents) =
                self.0.keys().filter(|exponents| too_high(exponents)).max_by_key(|exponents| exponents[place]).cloned()
            {
                replaced = replaced.saturating_add(degree);
                limits.check_terms(replaced)?;
                let Some(coefficient) = self.0.remove(&exponents) else { break };
                let factor = -coefficient / &leading;
                for (power, c) in generator.polynomial().coefficients()[..degree].iter().enumerate() {
                    let mut lower = exponents.clone();
                    // The exponent was at least `degree`, and both are small.
                    lower[place] = lower[place] - degree as u32 + power as u32;
                    self.add_term(lower, &factor * RBig::from(c.clone()));
                }
            }
        }
        Ok(())
    }

    fn within(self, limits: &AlgebraicLimits) -> Result<Self, AlgebraicError> {
        limits.check_terms(self.0.len())?;
        for coefficient in self.0.values() {
            limits.check_bits(bits_of(coefficient.numerator()))?;
            limits.check_bits(bits_of(&coefficient.denominator().clone().into()))?;
        }
        Ok(self)
    }
}

/// Merges the generators of both, and returns the positions of each one's generators.
pub(super) fn merge_generators(left: &Generators, right: &Generators) -> (Generators, Vec<usize>, Vec<usize>) {
    if Arc::ptr_eq(left, right) || right.is_empty() {
        return (left.clone(), (0..left.len()).collect(), (0..right.len()).collect());
    }
    let mut merged: Vec<Arc<FieldGenerator>> = left.to_vec();
    for generator in right.iter() {
        if !merged.iter().any(|known| same(known, generator)) {
            merged.push(generator.clone());
        }
    }
    merged.sort_by(|a, b| if Arc::ptr_eq(a, b) { Ordering::Equal } else { a.cmp(b) });
    let places = |generators: &Generators| {
        let place = |generator| merged.iter().position(|known| same(known, generator)).unwrap_or(0);
        generators.iter().map(place).collect()
    };
    let (left, right) = (places(left), places(right));
    (merged.into(), left, right)
}

fn same(left: &Arc<FieldGenerator>, right: &Arc<FieldGenerator>) -> bool {
    Arc::ptr_eq(left, right) || left.is_same(right)
}
