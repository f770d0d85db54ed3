//! The FloatingPoint theory.

use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{
    Bool, Bv, BvExact, BvIndex, BvIndexSum, BvOfFloat, Float, FloatIndex, FloatOfFields, Real, RoundingMode as Rm,
};
use crate::signature::SignatureRow;
use crate::signature::Theory;

/// FloatingPoint.
pub const THEORY: Theory = Theory {
    name: "FloatingPoint",
    rows: ROWS,
    aliases: &[
        ("roundNearestTiesToEven", Rne),
        ("roundNearestTiesToAway", Rna),
        ("roundTowardPositive", Rtp),
        ("roundTowardNegative", Rtn),
        ("roundTowardZero", Rtz),
        ("to_ieee_bv", FpToIeeeBv),
    ],
};

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(Rne, "RNE", &[], Rm),
    SignatureRow::new(Rna, "RNA", &[], Rm),
    SignatureRow::new(Rtp, "RTP", &[], Rm),
    SignatureRow::new(Rtn, "RTN", &[], Rm),
    SignatureRow::new(Rtz, "RTZ", &[], Rm),
    SignatureRow::new(Fp, "fp", &[BvExact(1), Bv(0), Bv(1)], FloatOfFields),
    SignatureRow::new(FpPlusInfinity, "+oo", &[], FloatIndex).indices(2),
    SignatureRow::new(FpMinusInfinity, "-oo", &[], FloatIndex).indices(2),
    SignatureRow::new(FpPlusZero, "+zero", &[], FloatIndex).indices(2),
    SignatureRow::new(FpMinusZero, "-zero", &[], FloatIndex).indices(2),
    SignatureRow::new(FpNan, "NaN", &[], FloatIndex).indices(2),
    SignatureRow::new(FpAbs, "fp.abs", &[Float(0)], Float(0)),
    SignatureRow::new(FpNeg, "fp.neg", &[Float(0)], Float(0)),
    SignatureRow::new(FpAdd, "fp.add", &[Rm, Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpSub, "fp.sub", &[Rm, Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpMul, "fp.mul", &[Rm, Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpDiv, "fp.div", &[Rm, Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpFma, "fp.fma", &[Rm, Float(0), Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpSqrt, "fp.sqrt", &[Rm, Float(0)], Float(0)),
    SignatureRow::new(FpRem, "fp.rem", &[Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpRoundToIntegral, "fp.roundToIntegral", &[Rm, Float(0)], Float(0)),
    SignatureRow::new(FpMin, "fp.min", &[Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpMax, "fp.max", &[Float(0), Float(0)], Float(0)),
    SignatureRow::new(FpLeq, "fp.leq", &[Float(0), Float(0)], Bool).arity(Chainable),
    SignatureRow::new(FpLt, "fp.lt", &[Float(0), Float(0)], Bool).arity(Chainable),
    SignatureRow::new(FpGeq, "fp.geq", &[Float(0), Float(0)], Bool).arity(Chainable),
    SignatureRow::new(FpGt, "fp.gt", &[Float(0), Float(0)], Bool).arity(Chainable),
    SignatureRow::new(FpEq, "fp.eq", &[Float(0), Float(0)], Bool).arity(Chainable),
    SignatureRow::new(FpIsNormal, "fp.isNormal", &[Float(0)], Bool),
    SignatureRow::new(FpIsSubnormal, "fp.isSubnormal", &[Float(0)], Bool),
    SignatureRow::new(FpIsZero, "fp.isZero", &[Float(0)], Bool),
    SignatureRow::new(FpIsInfinite, "fp.isInfinite", &[Float(0)], Bool),
    SignatureRow::new(FpIsNan, "fp.isNaN", &[Float(0)], Bool),
    SignatureRow::new(FpIsNegative, "fp.isNegative", &[Float(0)], Bool),
    SignatureRow::new(FpIsPositive, "fp.isPositive", &[Float(0)], Bool),
    SignatureRow::new(FpFromBits, "to_fp", &[BvIndexSum], FloatIndex).indices(2),
    SignatureRow::new(FpFromFp, "to_fp", &[Rm, Float(0)], FloatIndex).indices(2),
    SignatureRow::new(FpFromReal, "to_fp", &[Rm, Real], FloatIndex).indices(2),
    SignatureRow::new(FpFromSbv, "to_fp", &[Rm, Bv(0)], FloatIndex).indices(2),
    SignatureRow::new(FpFromUbv, "to_fp_unsigned", &[Rm, Bv(0)], FloatIndex).indices(2),
    SignatureRow::new(FpToUbv, "fp.to_ubv", &[Rm, Float(0)], BvIndex).indices(1),
    SignatureRow::new(FpToSbv, "fp.to_sbv", &[Rm, Float(0)], BvIndex).indices(1),
    SignatureRow::new(FpToReal, "fp.to_real", &[Float(0)], Real),
    SignatureRow::new(FpToIeeeBv, "fp.to_ieee_bv", &[Float(0)], BvOfFloat).extension(),
];
