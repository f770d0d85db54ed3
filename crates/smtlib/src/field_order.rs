//! The orders of finite fields, which are prime numbers.

use dashu_int::fast_div::ConstDivisor;
use dashu_int::modular::Reduced;
use dashu_int::ops::{BitTest, SquareRootRem};
use dashu_int::{IBig, UBig};
use std::sync::Arc;

/// The most bits of an order. The test for primality takes the cube of their number: some ten milliseconds for as many.
pub const MAX_ORDER_BITS: usize = 1024;

/// The bases of the test of Miller and Rabin.
const BASES: [u8; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// Below it, what the test of Miller and Rabin accepts for all [`BASES`] is prime (Sorenson and Webster, "Strong pseudoprimes to
/// twelve prime bases", 2015).
const PROVEN: u128 = 3_317_044_064_679_887_385_961_981;

/// The number of elements of a finite field.
///
/// Invariant: it is prime, by [`FieldOrder::new`], and has at most [`MAX_ORDER_BITS`] bits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldOrder(Arc<UBig>);

/// Why a number is no order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OrderError {
    /// It is composite, 0 or 1.
    #[error("the order of a finite field must be prime")]
    NotPrime,
    /// It has more than [`MAX_ORDER_BITS`] bits.
    #[error("the order of a finite field may have at most {MAX_ORDER_BITS} bits")]
    TooLarge,
}

impl FieldOrder {
    /// An order, if the number is one. Numbers above [`PROVEN`] are taken for prime if they pass the tests of Miller and Rabin and
    /// of Lucas, too (Baillie and Wagstaff, 1980): no composite number that does is known.
    ///
    /// # Errors
    /// [`OrderError`] says why it is none.
    pub fn new(order: UBig) -> Result<FieldOrder, OrderError> {
        if order.bit_len() > MAX_ORDER_BITS {
            return Err(OrderError::TooLarge);
        }
        if is_prime(&order) { Ok(FieldOrder(Arc::new(order))) } else { Err(OrderError::NotPrime) }
    }

    /// What may be an order; only to look for a known one.
    pub(crate) fn unchecked(order: UBig) -> FieldOrder {
        FieldOrder(Arc::new(order))
    }

    /// The number.
    pub fn get(&self) -> &UBig {
        &self.0
    }

    /// The number of the element that an integer stands for, below the order.
    pub fn reduce(&self, n: &IBig) -> UBig {
        let modulus = IBig::from(self.get().clone());
        let rest = n % &modulus;
        // The remainder has the sign of the dividend.
        let rest = if rest < IBig::ZERO { rest + modulus } else { rest };
        UBig::try_from(rest).unwrap_or_default()
    }
}

fn is_prime(n: &UBig) -> bool {
    for base in BASES {
        if *n == UBig::from(base) {
            return true;
        }
        if (n % &UBig::from(base)).is_zero() {
            return false;
        }
    }
    // All composite numbers below have one of the bases as a factor.
    if *n < UBig::from(43u32 * 43) {
        return *n > UBig::ONE;
    }
    let ring = ConstDivisor::new(n.clone());
    BASES.iter().all(|&base| is_strong_probable_prime(n, &ring, base))
        && (*n < UBig::from(PROVEN) || is_lucas_probable_prime(n, &ring))
}

/// The test of Miller and Rabin of an odd number: base^d is 1, or base^(d·2^r) is -1 for some r < s, where n - 1 = d·2^s.
fn is_strong_probable_prime(n: &UBig, ring: &ConstDivisor, base: u8) -> bool {
    let last = n - UBig::ONE;
    let twos = last.trailing_zeros().unwrap_or(0);
    let (one, minus_one) = (ring.reduce(1u8), ring.reduce(last.clone()));
    let mut power = ring.reduce(base).pow(&(last >> twos));
    if power == one || power == minus_one {
        return true;
    }
    for _ in 1..twos {
        power = power.sqr();
        if power == minus_one {
            return true;
        }
    }
    false
}

/// The strong test of Lucas of an odd number, with Selfridge's parameters: P = 1, Q = (1 - D)/4, where D is the first of 5, -7, 9, …
/// with the Jacobi symbol (D/n) = -1.
fn is_lucas_probable_prime(n: &UBig, ring: &ConstDivisor) -> bool {
    // A square has no such D.
    if n.sqrt_rem().1.is_zero() {
        return false;
    }
    let mut d = 5i64;
    loop {
        match jacobi(d, n) {
            -1 => break,
            // D has a factor with n in common, which is n itself of small ones alone.
            0 if !(UBig::from(d.unsigned_abs()) % n).is_zero() => return false,
            _ => d = if d > 0 { -(d + 2) } else { -d + 2 },
        }
    }
    let element = |x: i64| ring.reduce(IBig::from(x));
    let (d_in_ring, q) = (element(d), element((1 - d) / 4));
    let half = ring.reduce((n + UBig::ONE) >> 1);
    let next = n + UBig::ONE;
    let twos = next.trailing_zeros().unwrap_or(0);
    let odd = next >> twos;
    // U, V and Q to the power of the leading bits of `odd`.
    let (mut u, mut v, mut power) = (element(1), element(1), q.clone());
    for bit in (0..odd.bit_len() - 1).rev() {
        double([&mut u, &mut v, &mut power]);
        if odd.bit(bit) {
            let sum = (&u + &v) * &half;
            v = (&d_in_ring * &u + &v) * &half;
            u = sum;
            power *= &q;
        }
    }
    let zero = element(0);
    if u == zero {
        return true;
    }
    for _ in 0..twos {
        if v == zero {
            return true;
        }
        double([&mut u, &mut v, &mut power]);
    }
    false
}

/// U, V and the power of Q, at twice the index.
fn double<'r>([u, v, power]: [&mut Reduced<'r>; 3]) {
    *u *= &*v;
    *v = v.sqr() - power.clone().dbl();
    *power = power.sqr();
}

/// The Jacobi symbol (a/n) of an odd n above 1.
fn jacobi(a: i64, n: &UBig) -> i8 {
    let low = |x: &UBig, bits: u32| u32::try_from(x & UBig::from((1u32 << bits) - 1)).unwrap_or(0);
    let mut sign = 1i8;
    if a < 0 && low(n, 2) == 3 {
        sign = -sign;
    }
    let (mut a, mut n) = (UBig::from(a.unsigned_abs()) % n, n.clone());
    while !a.is_zero() {
        let twos = a.trailing_zeros().unwrap_or(0);
        a >>= twos;
        if twos % 2 == 1 && matches!(low(&n, 3), 3 | 5) {
            sign = -sign;
        }
        if low(&a, 2) == 3 && low(&n, 2) == 3 {
            sign = -sign;
        }
        (a, n) = (&n % &a, a);
    }
    if n.is_one() { sign } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number up to 20,000, against the sieve, by both tests where they apply.
    #[test]
    fn small_numbers_are_prime_as_the_sieve_says() {
        const LAST: usize = 20_000;
        let mut prime = vec![true; LAST + 1];
        (prime[0], prime[1]) = (false, false);
        for n in 2..=LAST {
            if prime[n] {
                (2 * n..=LAST).step_by(n).for_each(|multiple| prime[multiple] = false);
            }
        }
        // The composite numbers that the strong test of Lucas alone accepts (OEIS A217255).
        let pseudoprimes = [5459, 5777, 10877, 16109, 18971];
        for (n, &expected) in prime.iter().enumerate() {
            let number = UBig::from(n);
            assert_eq!(FieldOrder::new(number.clone()).is_ok(), expected, "{n}");
            if n > 2 && n % 2 == 1 {
                let ring = ConstDivisor::new(number.clone());
                let accepted = is_lucas_probable_prime(&number, &ring);
                assert_eq!(accepted, expected || pseudoprimes.contains(&n), "Lucas of {n}");
            }
        }
    }

    #[test]
    fn large_numbers() {
        let check = |order: UBig, expected: Result<(), OrderError>| {
            assert_eq!(FieldOrder::new(order.clone()).map(|_| ()), expected, "{order}");
        };
        let power = |n: usize| UBig::ONE << n;
        check(power(61) - UBig::ONE, Ok(()));
        check(power(127) - UBig::ONE, Ok(()));
        check(power(255) - UBig::from(19u8), Ok(()));
        check(power(521) - UBig::ONE, Ok(()));
        check(power(64), Err(OrderError::NotPrime));
        check(power(67) - UBig::ONE, Err(OrderError::NotPrime));
        check(power(128) + UBig::ONE, Err(OrderError::NotPrime));
        check((power(61) - UBig::ONE) * (power(127) - UBig::ONE), Err(OrderError::NotPrime));
        check((power(127) - UBig::ONE).pow(2), Err(OrderError::NotPrime));
        // A strong pseudoprime to the twelve first prime bases, and one to the thirteen (Sorenson and Webster).
        check(UBig::from(318_665_857_834_031_151_167_461_u128), Err(OrderError::NotPrime));
        check(UBig::from(PROVEN), Err(OrderError::NotPrime));
        check(power(MAX_ORDER_BITS), Err(OrderError::TooLarge));
    }

    #[test]
    fn integers_stand_for_elements() {
        let order = FieldOrder::new(UBig::from(7u8)).expect("a prime");
        for (n, expected) in [(0, 0u8), (6, 6), (7, 0), (15, 1), (-1, 6), (-7, 0), (-8, 6)] {
            assert_eq!(order.reduce(&IBig::from(n)), UBig::from(expected), "{n}");
        }
    }
}
