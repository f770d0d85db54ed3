//! The orders of finite fields, which are prime numbers.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use num_bigint::BigUint;
use num_prime::PrimalityTestConfig;
use num_prime::nt_funcs::is_prime as is_prime_number;
use std::sync::Arc;

/// The most bits of an order. The test for primality takes the cube of their number.
pub const MAX_ORDER_BITS: usize = 1024;

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
    /// An order, if the number is one. Numbers of 2^64 or more are taken for prime if they pass the tests of Miller and Rabin to base 2 and
    /// of Lucas (Baillie and Wagstaff, 1980): no composite number that does is known.
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

/// The test of Baillie, Pomerance, Selfridge and Wagstaff; below 2^64 a proof.
fn is_prime(n: &UBig) -> bool {
    let n = BigUint::from_bytes_le(&n.to_le_bytes());
    is_prime_number(&n, Some(PrimalityTestConfig::bpsw())).probably()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number up to 20,000, against the sieve.
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
        for (n, &expected) in prime.iter().enumerate() {
            assert_eq!(FieldOrder::new(UBig::from(n)).is_ok(), expected, "{n}");
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
        check(UBig::from(3_317_044_064_679_887_385_961_981_u128), Err(OrderError::NotPrime));
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
