//! Linear sums over Int and Real, to which arithmetic atoms are normalised.

use dashu_base::{BitTest, Gcd, Signed};
use dashu_int::UBig;
use dashu_ratio::RBig;
use smtlib::{BuildError, Constant, Kind, Op, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The maximum number of monomials in an expanded sum; a larger one becomes a monomial of the surrounding sum, so sums of shared sums do
/// not grow quadratically with their depth.
pub const MAX_MONOMIALS: usize = 64;

/// The maximum width, in bits of numerator and denominator, of folded numbers; wider ones stay operators. Otherwise a product of doubled
/// products would have a number of exponential size.
pub const MAX_BITS: usize = 1 << 14;

/// Whether a number is within the maximum width.
pub fn fits(n: &RBig) -> bool {
    n.numerator().bit_len().max(n.denominator().bit_len()) <= MAX_BITS
}

/// A sum of monomials and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// Nonzero coefficients by term, which is neither a sum nor a value.
    pub monomials: BTreeMap<TermId, RBig>,
    /// The constant.
    pub constant: RBig,
}

/// Returns the rational value of an Int or Real value term.
pub fn number(store: &Store, t: TermId) -> Option<RBig> {
    match store.kind(t) {
        Kind::Constant => match store.constant(t)? {
            Constant::Int(n) => Some(RBig::from(n.clone())),
            Constant::Real(r) => Some(r.clone()),
            _ => None,
        },
        Kind::IntNeg | Kind::RealNeg if crate::values::is_value(store, t) => Some(-number(store, store.args(t)[0])?),
        Kind::RealDiv if crate::values::is_value(store, t) => {
            let (n, d) = (number(store, store.args(t)[0])?, number(store, store.args(t)[1])?);
            // Normalizing a wider one takes long, and is useless: nothing is folded to it.
            (fits(&n) && fits(&d)).then(|| n / d)
        }
        _ => None,
    }
}

/// Returns the term of a number in an arithmetic sort; the number must be an integer for `Int`.
pub fn number_term(store: &mut Store, sort: SortId, n: &RBig) -> TermId {
    if sort == SortId::INT { store.int(&n.numerator().clone()) } else { store.real(n) }
}

impl Linear {
    /// Returns the sum that is a number.
    pub fn of_number(constant: RBig) -> Linear {
        Linear { monomials: BTreeMap::new(), constant }
    }

    /// Returns a term of sort Int or Real as a sum, expanded to at most [`MAX_MONOMIALS`].
    pub fn of(store: &Store, t: TermId) -> Linear {
        Linear::within(store, t, MAX_MONOMIALS).unwrap_or_else(|| {
            let mut sum = Linear::default();
            sum.add_monomial(t, &RBig::ONE);
            sum
        })
    }

    /// Returns a term as a sum; `None` if it would exceed this number of monomials or [`MAX_BITS`], or needs too many steps.
    pub fn within(store: &Store, t: TermId, most: usize) -> Option<Linear> {
        let mut sum = Linear::default();
        let mut stack = vec![(t, RBig::ONE)];
        let mut steps = 0;
        while let Some((t, factor)) = stack.pop() {
            steps += 1;
            if steps > 4 * most || sum.monomials.len() > most {
                return None;
            }
            if !fits(&factor) || !fits(&sum.constant) {
                return None;
            }
            if let Some(n) = number(store, t) {
                if !fits(&n) {
                    return None;
                }
                sum.constant += &factor * n;
                continue;
            }
            let args = store.args(t);
            match store.kind(t) {
                Kind::IntAdd | Kind::RealAdd => stack.extend(args.iter().map(|&a| (a, factor.clone()))),
                Kind::IntNeg | Kind::RealNeg => stack.push((args[0], -factor)),
                Kind::IntSub | Kind::RealSub => {
                    stack.push((args[0], factor.clone()));
                    stack.extend(args[1..].iter().map(|&a| (a, -factor.clone())));
                }
                Kind::IntMul | Kind::RealMul => match scaled(store, args) {
                    Some((n, _)) if !fits(&n) => return None,
                    Some((n, rest)) => match rest {
                        Some(rest) => stack.push((rest, factor * n)),
                        None => sum.constant += factor * n,
                    },
                    None => sum.add_monomial(t, &factor),
                },
                Kind::RealDiv => match args {
                    &[a, d] => match number(store, d).filter(|d| !d.is_zero() && fits(d)) {
                        Some(d) => stack.push((a, factor / d)),
                        None => sum.add_monomial(t, &factor),
                    },
                    _ => sum.add_monomial(t, &factor),
                },
                _ => sum.add_monomial(t, &factor),
            }
        }
        let narrow = fits(&sum.constant) && sum.monomials.values().all(fits);
        (narrow && sum.monomials.len() <= most).then_some(sum)
    }

    /// Adds a multiple of a term.
    pub fn add_monomial(&mut self, t: TermId, factor: &RBig) {
        if factor.is_zero() {
            return;
        }
        let slot = self.monomials.entry(t).or_insert(RBig::ZERO);
        *slot += factor;
        if slot.is_zero() {
            self.monomials.remove(&t);
        }
    }

    /// Adds a multiple of another sum.
    pub fn add(&mut self, other: &Linear, factor: &RBig) {
        for (&t, c) in &other.monomials {
            self.add_monomial(t, &(c * factor));
        }
        self.constant += &other.constant * factor;
    }

    /// Multiplies the sum by a number.
    pub fn scale(&mut self, factor: &RBig) {
        if factor.is_zero() {
            *self = Linear::default();
            return;
        }
        self.constant *= factor;
        for c in self.monomials.values_mut() {
            *c *= factor;
        }
    }

    /// Returns the positive factor that makes all coefficients of monomials coprime integers; 1 without any.
    pub fn primitive_factor(&self) -> RBig {
        let mut denominators = UBig::ONE;
        for c in self.monomials.values() {
            let d = c.denominator();
            denominators = &denominators / (&denominators).gcd(d) * d;
        }
        let mut divisor = UBig::ZERO;
        for c in self.monomials.values() {
            let scaled = c * RBig::from(denominators.clone());
            let magnitude = scaled.into_parts().0.into_parts().1;
            divisor = if divisor.is_zero() { magnitude } else { divisor.gcd(&magnitude) };
        }
        if divisor.is_zero() { RBig::ONE } else { RBig::from(denominators) / RBig::from(divisor) }
    }

    /// Whether the coefficient of the first monomial is negative.
    pub fn leads_negative(&self) -> bool {
        self.monomials.values().next().is_some_and(|c| c.is_negative())
    }

    /// Returns the sum as a term, with monomials in the order of their terms and the constant last.
    ///
    /// For `Int`, coefficients and constant must be integers.
    /// Errors: [`BuildError`], which well-sorted monomials never cause.
    pub fn to_term(&self, store: &mut Store, sort: SortId) -> Result<TermId, BuildError> {
        let (add, mul) = match sort {
            SortId::INT => (Kind::IntAdd, Kind::IntMul),
            _ => (Kind::RealAdd, Kind::RealMul),
        };
        let mut parts = Vec::with_capacity(self.monomials.len() + 1);
        for (&t, c) in &self.monomials {
            if c.is_one() {
                parts.push(t);
                continue;
            }
            let factor = number_term(store, sort, c);
            // A product keeps its factors in one application: `(* 3 x y)`.
            let mut args = vec![factor];
            if store.kind(t) == mul {
                args.extend_from_slice(store.args(t))
            } else {
                args.push(t)
            }
            parts.push(store.app(Op::new(mul), &args)?);
        }
        if parts.is_empty() || !self.constant.is_zero() {
            parts.push(number_term(store, sort, &self.constant));
        }
        match parts.as_slice() {
            &[one] => Ok(one),
            _ => store.app(Op::new(add), &parts),
        }
    }

    /// Whether all coefficients and the constant are integers.
    pub fn is_integral(&self) -> bool {
        self.monomials.values().chain([&self.constant]).all(|c| c.is_int())
    }
}

/// Returns a product as a number times one other factor; `None` if there are several such factors.
fn scaled(store: &Store, args: &[TermId]) -> Option<(RBig, Option<TermId>)> {
    let mut product = RBig::ONE;
    let mut rest = None;
    for &a in args {
        match number(store, a) {
            Some(n) if fits(&n) && fits(&product) => product *= n,
            Some(_) => return None,
            None if rest.is_none() => rest = Some(a),
            None => return None,
        }
    }
    Some((product, rest))
}
