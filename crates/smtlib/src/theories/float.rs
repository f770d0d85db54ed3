//! The FloatingPoint theory.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{
    Bool, Bv, BvExact, BvIndex, BvIndexSum, BvOfFloat, Float, FloatIndex, FloatOfFields, Real, RoundingMode as Rm,
};
use crate::signature::Row;

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

const ROWS: &[Row] = &[
    Row::new(Rne, "RNE", &[], Rm),
    Row::new(Rna, "RNA", &[], Rm),
    Row::new(Rtp, "RTP", &[], Rm),
    Row::new(Rtn, "RTN", &[], Rm),
    Row::new(Rtz, "RTZ", &[], Rm),
    Row::new(Fp, "fp", &[BvExact(1), Bv(0), Bv(1)], FloatOfFields),
    Row::new(FpPlusInfinity, "+oo", &[], FloatIndex).indices(2),
    Row::new(FpMinusInfinity, "-oo", &[], FloatIndex).indices(2),
    Row::new(FpPlusZero, "+zero", &[], FloatIndex).indices(2),
    Row::new(FpMinusZero, "-zero", &[], FloatIndex).indices(2),
    Row::new(FpNan, "NaN", &[], FloatIndex).indices(2),
    Row::new(FpAbs, "fp.abs", &[Float(0)], Float(0)),
    Row::new(FpNeg, "fp.neg", &[Float(0)], Float(0)),
    Row::new(FpAdd, "fp.add", &[Rm, Float(0), Float(0)], Float(0)),
    Row::new(FpSub, "fp.sub", &[Rm, Float(0), Float(0)], Float(0)),
    Row::new(FpMul, "fp.mul", &[Rm, Float(0), Float(0)], Float(0)),
    Row::new(FpDiv, "fp.div", &[Rm, Float(0), Float(0)], Float(0)),
    Row::new(FpFma, "fp.fma", &[Rm, Float(0), Float(0), Float(0)], Float(0)),
    Row::new(FpSqrt, "fp.sqrt", &[Rm, Float(0)], Float(0)),
    Row::new(FpRem, "fp.rem", &[Float(0), Float(0)], Float(0)),
    Row::new(FpRoundToIntegral, "fp.roundToIntegral", &[Rm, Float(0)], Float(0)),
    Row::new(FpMin, "fp.min", &[Float(0), Float(0)], Float(0)),
    Row::new(FpMax, "fp.max", &[Float(0), Float(0)], Float(0)),
    Row::new(FpLeq, "fp.leq", &[Float(0), Float(0)], Bool).arity(Chainable),
    Row::new(FpLt, "fp.lt", &[Float(0), Float(0)], Bool).arity(Chainable),
    Row::new(FpGeq, "fp.geq", &[Float(0), Float(0)], Bool).arity(Chainable),
    Row::new(FpGt, "fp.gt", &[Float(0), Float(0)], Bool).arity(Chainable),
    Row::new(FpEq, "fp.eq", &[Float(0), Float(0)], Bool).arity(Chainable),
    Row::new(FpIsNormal, "fp.isNormal", &[Float(0)], Bool),
    Row::new(FpIsSubnormal, "fp.isSubnormal", &[Float(0)], Bool),
    Row::new(FpIsZero, "fp.isZero", &[Float(0)], Bool),
    Row::new(FpIsInfinite, "fp.isInfinite", &[Float(0)], Bool),
    Row::new(FpIsNan, "fp.isNaN", &[Float(0)], Bool),
    Row::new(FpIsNegative, "fp.isNegative", &[Float(0)], Bool),
    Row::new(FpIsPositive, "fp.isPositive", &[Float(0)], Bool),
    Row::new(FpFromBits, "to_fp", &[BvIndexSum], FloatIndex).indices(2),
    Row::new(FpFromFp, "to_fp", &[Rm, Float(0)], FloatIndex).indices(2),
    Row::new(FpFromReal, "to_fp", &[Rm, Real], FloatIndex).indices(2),
    Row::new(FpFromSbv, "to_fp", &[Rm, Bv(0)], FloatIndex).indices(2),
    Row::new(FpFromUbv, "to_fp_unsigned", &[Rm, Bv(0)], FloatIndex).indices(2),
    Row::new(FpToUbv, "fp.to_ubv", &[Rm, Float(0)], BvIndex).indices(1),
    Row::new(FpToSbv, "fp.to_sbv", &[Rm, Float(0)], BvIndex).indices(1),
    Row::new(FpToReal, "fp.to_real", &[Float(0)], Real),
    Row::new(FpToIeeeBv, "fp.to_ieee_bv", &[Float(0)], BvOfFloat).extension(),
];
