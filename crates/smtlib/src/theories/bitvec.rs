//! The FixedSizeBitVectors theory, the abbreviations of the QF_BV logic and the common extensions.

use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{
    Bool, Bv, BvExact, BvExtract as Slice, BvIndex, BvPlusIndex, BvSum, BvTimesIndex, Int,
};
use crate::signature::SignatureRow;
use crate::signature::Theory;

/// FixedSizeBitVectors.
pub const THEORY: Theory = Theory {
    name: "FixedSizeBitVectors",
    rows: ROWS,
    aliases: &[("bv2nat", UbvToInt), ("bv2int", UbvToInt), ("int2bv", IntToBv), ("nat2bv", IntToBv)],
};

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(BvConcat, "concat", &[Bv(0), Bv(1)], BvSum),
    SignatureRow::new(BvExtract, "extract", &[Bv(0)], Slice).indices(2),
    SignatureRow::new(BvNot, "bvnot", &[Bv(0)], Bv(0)),
    SignatureRow::new(BvAnd, "bvand", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    SignatureRow::new(BvOr, "bvor", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    SignatureRow::new(BvNeg, "bvneg", &[Bv(0)], Bv(0)),
    SignatureRow::new(BvAdd, "bvadd", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    SignatureRow::new(BvMul, "bvmul", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    SignatureRow::new(BvUdiv, "bvudiv", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvUrem, "bvurem", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvShl, "bvshl", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvLshr, "bvlshr", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvUlt, "bvult", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvNand, "bvnand", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvNor, "bvnor", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvXor, "bvxor", &[Bv(0), Bv(0)], Bv(0)).arity(LeftAssoc),
    SignatureRow::new(BvXnor, "bvxnor", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvComp, "bvcomp", &[Bv(0), Bv(0)], BvExact(1)),
    SignatureRow::new(BvSub, "bvsub", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvSdiv, "bvsdiv", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvSrem, "bvsrem", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvSmod, "bvsmod", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvAshr, "bvashr", &[Bv(0), Bv(0)], Bv(0)),
    SignatureRow::new(BvRepeat, "repeat", &[Bv(0)], BvTimesIndex).indices(1),
    SignatureRow::new(BvZeroExtend, "zero_extend", &[Bv(0)], BvPlusIndex).indices(1),
    SignatureRow::new(BvSignExtend, "sign_extend", &[Bv(0)], BvPlusIndex).indices(1),
    SignatureRow::new(BvRotateLeft, "rotate_left", &[Bv(0)], Bv(0)).indices(1),
    SignatureRow::new(BvRotateRight, "rotate_right", &[Bv(0)], Bv(0)).indices(1),
    SignatureRow::new(BvUle, "bvule", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvUgt, "bvugt", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvUge, "bvuge", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvSlt, "bvslt", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvSle, "bvsle", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvSgt, "bvsgt", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvSge, "bvsge", &[Bv(0), Bv(0)], Bool),
    SignatureRow::new(BvNego, "bvnego", &[Bv(0)], Bool).since27(),
    SignatureRow::new(BvUaddo, "bvuaddo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(BvSaddo, "bvsaddo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(BvUmulo, "bvumulo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(BvSmulo, "bvsmulo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(BvUsubo, "bvusubo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(BvSsubo, "bvssubo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(BvSdivo, "bvsdivo", &[Bv(0), Bv(0)], Bool).since27(),
    SignatureRow::new(UbvToInt, "ubv_to_int", &[Bv(0)], Int).since27(),
    SignatureRow::new(SbvToInt, "sbv_to_int", &[Bv(0)], Int).since27(),
    SignatureRow::new(IntToBv, "int_to_bv", &[Int], BvIndex).indices(1).since27(),
    SignatureRow::new(BvRedor, "bvredor", &[Bv(0)], BvExact(1)).extension(),
    SignatureRow::new(BvRedand, "bvredand", &[Bv(0)], BvExact(1)).extension(),
    SignatureRow::new(BvUltbv, "bvultbv", &[Bv(0), Bv(0)], BvExact(1)).extension(),
    SignatureRow::new(BvSltbv, "bvsltbv", &[Bv(0), Bv(0)], BvExact(1)).extension(),
    SignatureRow::new(BvExtRotateLeft, "ext_rotate_left", &[Bv(0), Bv(0)], Bv(0)).extension(),
    SignatureRow::new(BvExtRotateRight, "ext_rotate_right", &[Bv(0), Bv(0)], Bv(0)).extension(),
    SignatureRow::new(BvUmulNoOverflow, "bvumul_noovfl", &[Bv(0), Bv(0)], Bool).extension(),
    SignatureRow::new(BvSmulNoOverflow, "bvsmul_noovfl", &[Bv(0), Bv(0)], Bool).extension(),
    SignatureRow::new(BvSmulNoUnderflow, "bvsmul_noudfl", &[Bv(0), Bv(0)], Bool).extension(),
];
