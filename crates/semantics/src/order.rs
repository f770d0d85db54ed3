//! Values of ordered sorts by their positions in the order, so that the values between two can be listed.

use crate::float::{Float, FloatFormat};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use smtlib::{Kind, Sort, SortId, Store};

/// An order on the values of a sort. The places of neighbours differ by 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// `<=` of integers.
    Integer,
    /// `bvule` of bit-vectors of a width.
    Unsigned(u32),
    /// `bvsle` of bit-vectors of a width.
    Signed(u32),
    /// `fp.leq`: -0 comes right before +0, and NaN has no place.
    Float(FloatFormat),
}

/// How a comparison reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Of which order.
    pub order: Order,
    /// Whether the first argument is the larger one.
    pub is_reversed: bool,
    /// Whether equal values make it false.
    pub is_strict: bool,
}

impl Comparison {
    /// Returns the comparison that an operator on this sort makes, if it is one.
    pub fn of(store: &Store, kind: Kind, sort: SortId) -> Option<Comparison> {
        let (is_reversed, is_strict) = match kind {
            Kind::IntLe | Kind::BvUle | Kind::BvSle | Kind::FpLeq => (false, false),
            Kind::IntLt | Kind::BvUlt | Kind::BvSlt | Kind::FpLt => (false, true),
            Kind::IntGe | Kind::BvUge | Kind::BvSge | Kind::FpGeq => (true, false),
            Kind::IntGt | Kind::BvUgt | Kind::BvSgt | Kind::FpGt => (true, true),
            _ => return None,
        };
        let is_signed = matches!(kind, Kind::BvSle | Kind::BvSlt | Kind::BvSge | Kind::BvSgt);
        let order = match *store.sorts.get(sort) {
            Sort::Int => Order::Integer,
            Sort::BitVec(width) if is_signed => Order::Signed(width),
            Sort::BitVec(width) => Order::Unsigned(width),
            Sort::Float { eb, sb } => Order::Float(FloatFormat::new(eb, sb).ok()?),
            _ => return None,
        };
        Some(Comparison { order, is_reversed, is_strict })
    }
}

impl Order {
    /// Returns the first and the last place; `None` if the order has no end.
    pub fn ends(self) -> Option<(IBig, IBig)> {
        let half = |width: u32| IBig::ONE << (width - 1) as usize;
        match self {
            Order::Integer => None,
            Order::Unsigned(width) => Some((IBig::ZERO, (IBig::ONE << width as usize) - IBig::ONE)),
            Order::Signed(width) => Some((-half(width), half(width) - IBig::ONE)),
            Order::Float(format) => {
                let (_, last) = self.places(&Value::Float(Float::infinity(format, false)))?;
                Some((-last.clone() - IBig::ONE, last))
            }
        }
    }

    /// Returns the first and the last place of the values equal to a value in this order, which differ only for zeros;
    /// `None` if it has no place.
    pub fn places(self, value: &Value) -> Option<(IBig, IBig)> {
        let place = match (self, value) {
            (Order::Integer, Value::Int(n)) => n.clone(),
            (Order::Unsigned(_), Value::BitVec { value, .. }) => IBig::from(value.clone()),
            (Order::Signed(width), Value::BitVec { value, .. }) => {
                let (n, past) = (IBig::from(value.clone()), IBig::ONE << width as usize);
                if n < &past >> 1 { n } else { n - past }
            }
            (Order::Float(_), Value::Float(x)) if x.is_zero() => return Some((-IBig::ONE, IBig::ZERO)),
            (Order::Float(_), Value::Float(x)) => {
                let magnitude = IBig::from(x.abs().to_ieee_bits().ok()?);
                if x.sign() { -magnitude - IBig::ONE } else { magnitude }
            }
            _ => return None,
        };
        Some((place.clone(), place))
    }

    /// Returns the value of a place, which must lie between the ends.
    pub fn at(self, place: &IBig) -> Value {
        let bits = |n: IBig| UBig::try_from(n).unwrap_or_default();
        match self {
            Order::Integer => Value::Int(place.clone()),
            Order::Unsigned(width) => Value::bitvec(width, bits(place.clone())),
            Order::Signed(width) if *place < IBig::ZERO => {
                Value::bitvec(width, bits(place + (IBig::ONE << width as usize)))
            }
            Order::Signed(width) => Value::bitvec(width, bits(place.clone())),
            Order::Float(format) if *place < IBig::ZERO => {
                Value::Float(Float::from_bits(format, &bits(-place - IBig::ONE)).neg())
            }
            Order::Float(format) => Value::Float(Float::from_bits(format, &bits(place.clone()))),
        }
    }
}
