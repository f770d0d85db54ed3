//! The FixedSizeBitVectors theory, the abbreviations of the QF_BV logic and the common extensions.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{
    Bool, Bv, BvExact, BvExtract as Slice, BvIndex, BvPlusIndex, BvSum, BvTimesIndex, Int,
};
use crate::signature::Row;

/// FixedSizeBitVectors.
pub const THEORY: Theory = Theory {
    name: "FixedSizeBitVectors",
    rows: ROWS,
    aliases: &[("bv2nat", UbvToInt), ("bv2int", UbvToInt), ("int2bv", IntToBv), ("nat2bv", IntToBv)],
};

const ROWS: &[Row] = &[
    Row::new(BvConcat, "concat", &[Bv(0), Bv(1)], BvSum),
    Row::new(BvExtract, "extract", &[Bv(0)], Slice).indices(2),
    Row::new(BvNot, "bvnot", &[Bv(0)], Bv(0)),
    Row::new(BvAnd, "bvand", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    Row::new(BvOr, "bvor", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    Row::new(BvNeg, "bvneg", &[Bv(0)], Bv(0)),
    Row::new(BvAdd, "bvadd", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    Row::new(BvMul, "bvmul", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    Row::new(BvUdiv, "bvudiv", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvUrem, "bvurem", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvShl, "bvshl", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvLshr, "bvlshr", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvUlt, "bvult", &[Bv(0), Bv(0)], Bool),
    Row::new(BvNand, "bvnand", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvNor, "bvnor", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvXor, "bvxor", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    Row::new(BvXnor, "bvxnor", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvComp, "bvcomp", &[Bv(0), Bv(0)], BvExact(1)),
    Row::new(BvSub, "bvsub", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvSdiv, "bvsdiv", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvSrem, "bvsrem", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvSmod, "bvsmod", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvAshr, "bvashr", &[Bv(0), Bv(0)], Bv(0)),
    Row::new(BvRepeat, "repeat", &[Bv(0)], BvTimesIndex).indices(1),
    Row::new(BvZeroExtend, "zero_extend", &[Bv(0)], BvPlusIndex).indices(1),
    Row::new(BvSignExtend, "sign_extend", &[Bv(0)], BvPlusIndex).indices(1),
    Row::new(BvRotateLeft, "rotate_left", &[Bv(0)], Bv(0)).indices(1),
    Row::new(BvRotateRight, "rotate_right", &[Bv(0)], Bv(0)).indices(1),
    Row::new(BvUle, "bvule", &[Bv(0), Bv(0)], Bool),
    Row::new(BvUgt, "bvugt", &[Bv(0), Bv(0)], Bool),
    Row::new(BvUge, "bvuge", &[Bv(0), Bv(0)], Bool),
    Row::new(BvSlt, "bvslt", &[Bv(0), Bv(0)], Bool),
    Row::new(BvSle, "bvsle", &[Bv(0), Bv(0)], Bool),
    Row::new(BvSgt, "bvsgt", &[Bv(0), Bv(0)], Bool),
    Row::new(BvSge, "bvsge", &[Bv(0), Bv(0)], Bool),
    Row::new(BvNego, "bvnego", &[Bv(0)], Bool).since27(),
    Row::new(BvUaddo, "bvuaddo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(BvSaddo, "bvsaddo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(BvUmulo, "bvumulo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(BvSmulo, "bvsmulo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(BvUsubo, "bvusubo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(BvSsubo, "bvssubo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(BvSdivo, "bvsdivo", &[Bv(0), Bv(0)], Bool).since27(),
    Row::new(UbvToInt, "ubv_to_int", &[Bv(0)], Int).since27(),
    Row::new(SbvToInt, "sbv_to_int", &[Bv(0)], Int).since27(),
    Row::new(IntToBv, "int_to_bv", &[Int], BvIndex).indices(1).since27(),
    Row::new(BvRedor, "bvredor", &[Bv(0)], BvExact(1)).extension(),
    Row::new(BvRedand, "bvredand", &[Bv(0)], BvExact(1)).extension(),
    Row::new(BvUltbv, "bvultbv", &[Bv(0), Bv(0)], BvExact(1)).extension(),
    Row::new(BvSltbv, "bvsltbv", &[Bv(0), Bv(0)], BvExact(1)).extension(),
    Row::new(BvExtRotateLeft, "ext_rotate_left", &[Bv(0), Bv(0)], Bv(0)).extension(),
    Row::new(BvExtRotateRight, "ext_rotate_right", &[Bv(0), Bv(0)], Bv(0)).extension(),
    Row::new(BvUmulNoOverflow, "bvumul_noovfl", &[Bv(0), Bv(0)], Bool).extension(),
    Row::new(BvSmulNoOverflow, "bvsmul_noovfl", &[Bv(0), Bv(0)], Bool).extension(),
    Row::new(BvSmulNoUnderflow, "bvsmul_noudfl", &[Bv(0), Bv(0)], Bool).extension(),
];
