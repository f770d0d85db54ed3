//! The meaning of every theory's operators on values, one file a theory.

pub mod algebraic;
pub mod arrays;
pub mod bags;
pub mod bitvec;
pub mod context;
pub mod core;
pub mod datatypes;
pub mod finite_fields;
pub mod float;
pub mod functions;
pub mod instances;
pub mod ints;
pub mod quantifiers;
pub mod reals;
pub mod sequences;
pub mod sets;
pub mod strings;
pub mod traversals;

use crate::unknown::UnknownReason;
use crate::value::Value;
pub use context::OperatorContext;
use smtlib::{Kind, Op};

/// The value of a strict operator (one that needs all its arguments) on values.
///
/// The term store only holds well-sorted terms and models are sort-checked, so a shape that does not fit can only come
/// from a model's body; it is [`UnknownReason::IllSorted`], never a panic.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    match op.kind {
        Not | Xor | True | False => core::apply(op.kind, args),
        IntNeg | IntSub | IntAdd | IntMul | IntDiv | IntMod | IntAbs | IntLe | IntLt | IntGe | IntGt | IntDivisible
        | IntAnd | IntPow2 | IntPow | IntRem => ints::apply(op, args, cx),
        RealNeg | RealSub | RealAdd | RealMul | RealDiv | RealLe | RealLt | RealGe | RealGt | RealPow | RealAbs
        | ToReal | ToInt | IsInt => reals::apply(op, args, cx),
        kind if (BvConcat..=BvSmulNoUnderflow).contains(&kind) => bitvec::apply(op, args),
        kind if (Rne..=FpToIeeeBv).contains(&kind) => float::apply(op, args, cx),
        kind if (StrConcat..=StrUpdate).contains(&kind) => strings::apply(op, args, cx),
        kind if kind == SeqEmpty || (SeqUnit..=SeqRev).contains(&kind) => sequences::apply(op, args, cx),
        kind if (SetEmpty..=SetRange).contains(&kind) => sets::apply(op, args, cx),
        kind if (BagEmpty..=BagChoose).contains(&kind) => bags::apply(op, args, cx),
        kind if (FfAdd..=FfBitsum).contains(&kind) => finite_fields::apply(kind, args),
        ConstArray => arrays::constant(args, cx),
        Construct | Test | Select | Update => datatypes::apply(op, args, cx),
        _ => Err(UnknownReason::Opaque),
    }
}
