//! The meaning of every theory's operators on values, one file a theory.

pub mod algebraic;
pub mod arrays;
pub mod bitvec;
pub mod core;
pub mod datatypes;
pub mod float;
pub mod functions;
pub mod instances;
pub mod ints;
pub mod quantifiers;
pub mod reals;
pub mod strings;

use crate::limits::Limits;
use crate::model::Model;
use crate::open::{Allowed, Point};
use crate::strings::{RegexStore, WorkBudget};
use crate::unknown::Reason;
use crate::value::Value;
use smtlib::{Kind, Op, SortId, Store};

/// What an operator's meaning may depend on besides its arguments.
pub struct Context<'a> {
    /// The store, for sorts and declarations.
    pub store: &'a Store,
    /// The model, for universes and choices.
    pub model: &'a Model,
    /// The bounds.
    pub limits: &'a Limits,
    /// Regular expressions made so far.
    pub regexes: &'a mut RegexStore,
    /// What they may still cost.
    pub work: &'a mut WorkBudget,
    /// The bytes that values may still take.
    pub room: usize,
    /// The sort of the result.
    pub sort: SortId,
    /// Where an application without a chosen value is noted; none if nobody asks.
    pub open: Option<&'a mut Option<Point>>,
}

impl Context<'_> {
    /// The model's choice for an application the standard leaves open, or `reason` if it makes none that may be made.
    pub fn chosen(&mut self, op: Op, args: &[&Value], reason: Reason) -> Result<Value, Reason> {
        if self.open.is_none() && self.model.choices_of(op).is_none() {
            return Err(reason);
        }
        let args: Box<[Value]> = args.iter().map(|&v| v.clone()).collect();
        if let Some(value) = self.model.choice(op, &args).filter(|value| value.has_sort(self.store, self.sort)) {
            return if Allowed::at(op, &args).contains(value) { Ok(value.clone()) } else { Err(reason) };
        }
        if let Some(open) = &mut self.open {
            **open = Some(Point::Choice(op, args));
        }
        Err(reason)
    }

    /// Whether a string of so many characters may be made.
    pub fn check_length(&self, characters: usize) -> Result<(), Reason> {
        if characters > self.room / size_of::<u32>() { Err(Reason::TooLarge) } else { Ok(()) }
    }

    /// Whether an integer of so many bits may be made.
    pub fn check_bits(&self, bits: usize) -> Result<(), Reason> {
        if bits > self.limits.bits { Err(Reason::TooLarge) } else { Ok(()) }
    }
}

/// The value of a strict operator (one that needs all its arguments) on values.
///
/// The term store only holds well-sorted terms and models are sort-checked, so a shape that does not fit can only come
/// from a model's body; it is [`Reason::IllSorted`], never a panic.
pub fn apply(op: Op, args: &[&Value], cx: &mut Context<'_>) -> Result<Value, Reason> {
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
        ConstArray => arrays::constant(args, cx),
        Construct | Test | Select | Update => datatypes::apply(op, args, cx),
        _ => Err(Reason::Opaque),
    }
}
