//! Literals.

use crate::field_order::FieldOrder;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A literal's value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A numeral of sort `Int`: never negative, for `(- 5)` is an application.
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
        /// How many elements the field has.
        order: FieldOrder,
        /// Below the order.
        value: UBig,
    },
    /// A string: code points, each at most 0x2FFFF.
    String(Box<[u32]>),
}

impl Constant {
    /// The value of a numeral.
    pub fn as_int(&self) -> Option<IBig> {
        match self {
            Constant::Int(n) => Some(IBig::from(n.clone())),
            _ => None,
        }
    }
}
