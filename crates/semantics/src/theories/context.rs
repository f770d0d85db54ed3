//! What an operator's meaning may depend on besides its arguments.

use crate::limits::EvalLimits;
use crate::model::Model;
use crate::open::{Allowed, OpenPoint};
use crate::strings::{RegexStore, WorkBudget};
use crate::unknown::UnknownReason;
use crate::value::Value;
use smtlib::{Op, SortId, Store};

/// What an operator's meaning may depend on besides its arguments.
pub struct OperatorContext<'a> {
    /// The store, for sorts and declarations.
    pub store: &'a Store,
    /// The model, for universes and choices.
    pub model: &'a Model,
    /// The bounds.
    pub limits: &'a EvalLimits,
    /// Regular expressions made so far.
    pub regexes: &'a mut RegexStore,
    /// What they may still cost.
    pub work: &'a mut WorkBudget,
    /// The bytes that values may still take.
    pub room: usize,
    /// The sort of the result.
    pub sort: SortId,
    /// Where an application without a chosen value is noted; none if it is not asked for.
    pub open: Option<&'a mut Option<OpenPoint>>,
}

impl OperatorContext<'_> {
    /// The model's choice for an application the standard leaves open, or `reason` if it makes none that may be made.
    pub fn chosen(&mut self, op: Op, args: &[&Value], reason: UnknownReason) -> Result<Value, UnknownReason> {
        if self.open.is_none() && self.model.choices_of(op).is_none() {
            return Err(reason);
        }
        let args: Box<[Value]> = args.iter().map(|&v| v.clone()).collect();
        if let Some(value) = self.model.choice(op, &args).filter(|value| value.has_sort(self.store, self.sort)) {
            return if Allowed::at(op, &args).contains(value) { Ok(value.clone()) } else { Err(reason) };
        }
        if let Some(open) = &mut self.open {
            **open = Some(OpenPoint::Choice(op, args));
        }
        Err(reason)
    }

    /// Whether a string of so many characters may be made.
    pub fn check_length(&self, characters: usize) -> Result<(), UnknownReason> {
        if characters > self.room / size_of::<u32>() { Err(UnknownReason::TooLarge) } else { Ok(()) }
    }

    /// Whether an integer of so many bits may be made.
    pub fn check_bits(&self, bits: usize) -> Result<(), UnknownReason> {
        if bits > self.limits.bits { Err(UnknownReason::TooLarge) } else { Ok(()) }
    }
}
