//! Tests of `field_order`.

use dashu_int::{IBig, UBig};
use smtlib::constant::{FieldOrder, MAX_ORDER_BITS, OrderError};

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
