//! Builders of literals.

use crate::constant::Constant;
use crate::constant::FieldOrder;
use crate::op::{Kind, Op};
use crate::sort::SortId;
use crate::term::{Store, TermId};
use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

impl Store {
    /// Returns the integer `n`: a numeral, or `(- numeral)`.
    pub fn int(&mut self, n: &IBig) -> TermId {
        let (sign, magnitude) = n.clone().into_parts();
        let literal = self.literal(Constant::Int(magnitude));
        match sign {
            Sign::Positive => literal,
            Sign::Negative => self.node(Op::new(Kind::IntNeg), &[literal], SortId::INT),
        }
    }

    /// The rational `r`: a decimal if it has a finite one, otherwise a quotient of decimals; `(- …)` if negative.
    pub fn real(&mut self, r: &RBig) -> TermId {
        let (numerator, denominator) = r.clone().into_parts();
        let (sign, magnitude) = numerator.into_parts();
        let term = if has_finite_decimal(&denominator) {
            self.literal(Constant::Real(RBig::from_parts(magnitude.into(), denominator)))
        } else {
            let n = self.literal(Constant::Real(RBig::from(magnitude)));
            let d = self.literal(Constant::Real(RBig::from(denominator)));
            self.node(Op::new(Kind::RealDiv), &[n, d], SortId::REAL)
        };
        match sign {
            Sign::Positive => term,
            Sign::Negative => self.node(Op::new(Kind::RealNeg), &[term], SortId::REAL),
        }
    }

    /// The bit-vector `value` modulo 2^`width`. The width must be 1 to [`MAX_WIDTH`](crate::signature::MAX_WIDTH).
    pub fn bitvec(&mut self, width: u32, value: &UBig) -> TermId {
        let value = if value.bit_len() > width as usize {
            value & (&((UBig::ONE << width as usize) - UBig::ONE))
        } else {
            value.clone()
        };
        self.literal(Constant::BitVec { width, value })
    }

    /// Returns the element of a finite field for an integer.
    pub fn field_element(&mut self, order: &FieldOrder, n: &IBig) -> TermId {
        self.literal(Constant::FieldElement { order: order.clone(), value: order.reduce(n) })
    }

    /// Returns the string of these code points, each at most 0x2FFFF.
    pub fn string(&mut self, code_points: &[u32]) -> TermId {
        self.literal(Constant::String(code_points.into()))
    }

    /// Returns an integer as a real: a literal as a literal, anything else by `to_real`.
    pub fn to_real(&mut self, t: TermId) -> TermId {
        match self.constant(t) {
            Some(Constant::Int(n)) => {
                let value = RBig::from(n.clone());
                self.literal(Constant::Real(value))
            }
            _ if self.kind(t) == Kind::IntNeg && self.kind(self.args(t)[0]) == Kind::Constant => {
                let magnitude = self.to_real(self.args(t)[0]);
                self.node(Op::new(Kind::RealNeg), &[magnitude], SortId::REAL)
            }
            _ => self.node(Op::new(Kind::ToReal), &[t], SortId::REAL),
        }
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> TermId {
        let kind = if value { Kind::True } else { Kind::False };
        self.node(Op::new(kind), &[], SortId::BOOL)
    }
}

/// Whether 1/`d` has a finite decimal expansion: `d` has no prime factor but 2 and 5.
pub fn has_finite_decimal(d: &UBig) -> bool {
    if d.is_one() {
        return true;
    }
    let twos = d.trailing_zeros().unwrap_or(0);
    let mut rest = d >> twos;
    // Dividing by growing powers of five avoids a million divisions for a denominator of a million digits.
    let mut powers = vec![UBig::from(5u8)];
    while let Some(last) = powers.last()
        && last * last <= rest
    {
        powers.push(last * last);
    }
    for power in powers.iter().rev() {
        loop {
            let (q, r) = (&rest).div_rem(power);
            if !r.is_zero() {
                break;
            }
            rest = q;
        }
    }
    rest.is_one()
}
