//! Literals, and the orders of finite fields.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_bigint::BigUint;
use num_prime::PrimalityTestConfig;
use num_prime::nt_funcs::is_prime as is_prime_number;
use std::sync::Arc;

/// The maximum number of bits of an order. The primality test takes cubic time.
pub const MAX_ORDER_BITS: usize = 1024;

/// A literal's value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A numeral of sort `Int`: never negative, since `(- 5)` is an application.
    Int(UBig),
    /// A decimal of sort `Real`: never negative, and with a finite decimal expansion, so that it prints as one.
    Real(RBig),
    /// A bit-vector literal.
    BitVec {
        /// Width in bits, at least 1.
        width: u32,
        /// Below 2^width.
        value: UBig,
    },
    /// An element of a finite field.
    FieldElement {
        /// The number of elements of the field.
        order: FieldOrder,
        /// Below the order.
        value: UBig,
    },
    /// A string: code points, each at most 0x2FFFF.
    String(Box<[u32]>),
}

/// The number of elements of a finite field.
///
/// Invariant: it is prime, by [`FieldOrder::new`], and has at most [`MAX_ORDER_BITS`] bits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldOrder(Arc<UBig>);

/// Why a number is not an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OrderError {
    /// The number is composite, 0 or 1.
    #[error("the order of a finite field must be prime")]
    NotPrime,
    /// The number has more than [`MAX_ORDER_BITS`] bits.
    #[error("the order of a finite field may have at most {MAX_ORDER_BITS} bits")]
    TooLarge,
}

impl Constant {
    /// Returns the value of a numeral.
    pub fn as_int(&self) -> Option<IBig> {
        match self {
            Constant::Int(n) => Some(IBig::from(n.clone())),
            _ => None,
        }
    }
}

impl FieldOrder {
    /// Makes an order, if the number is one. Numbers of 2^64 or more count as prime if they pass the tests of Miller and Rabin to base 2
    /// and of Lucas (Baillie and Wagstaff, 1980): no composite number that does is known.
    /// Errors: [`OrderError`] says why it is not one.
    pub fn new(order: UBig) -> Result<FieldOrder, OrderError> {
        if order.bit_len() > MAX_ORDER_BITS {
            return Err(OrderError::TooLarge);
        }
        if is_prime(&order) { Ok(FieldOrder(Arc::new(order))) } else { Err(OrderError::NotPrime) }
    }

    /// Returns a candidate order, only to look up a known one.
    pub(crate) fn unchecked(order: UBig) -> FieldOrder {
        FieldOrder(Arc::new(order))
    }

    /// Returns the number.
    pub fn get(&self) -> &UBig {
        &self.0
    }

    /// Returns the number of the element for an integer, below the order.
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
