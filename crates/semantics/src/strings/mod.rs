//! The SMT-LIB theory of Unicode strings on values: words over the code points 0..=0x2FFFF and regular languages.
//!
//! The clauses quoted in the documentation are those of the theory declaration `Strings`, SMT-LIB 2.6 (2020-02-11,
//! updated 2022-12-07); 2.7 takes it over unchanged. Every function of the theory is total, so each function here either
//! returns the exact value or a [`StringsError`] with the bound it would have exceeded.

mod charset;
mod escape;
mod numbers;
mod operations;
mod regex;
mod replace;
mod value;

use crate::meter::Stop;
pub use charset::CharSet;
pub use escape::{EscapeDialect, LiteralError, escape, unescape};
pub use numbers::{MAX_DECIMAL_DIGITS, from_code, from_int, is_digit, to_code, to_int};
pub use operations::{
    at, concat, contains, index_of, is_less, is_less_or_equal, is_prefix, is_suffix, length, substring,
};
pub use regex::{RegexId, RegexStore, UNBOUNDED};
pub use replace::{replace, replace_all, replace_all_regex, replace_regex};
use thiserror::Error;
pub use value::{MAX_CODE_POINT, MAX_LENGTH, SmtString};

/// Steps between two readings of the clock.
const PATIENCE: u64 = 4096;

/// Why a string operation has no value although the theory gives it one; the caller reports *unknown*.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StringsError {
    /// The result or an argument would be longer than [`MAX_LENGTH`] characters.
    #[error("a string of {length} characters exceeds the bound of {bound} characters; use shorter strings")]
    TooLong {
        /// Characters of the string, as far as counted.
        length: u128,
        /// The bound it exceeds.
        bound: usize,
    },
    /// A character is outside the alphabet 0..=0x2FFFF of the theory.
    #[error("code point {code_point:#x} at position {position} is outside the alphabet 0..=0x2ffff")]
    NoCharacter {
        /// The offending number.
        code_point: u32,
        /// Its position in the string, from 0.
        position: usize,
    },
    /// `str.to_int` or `str.from_int` of a number with more than [`MAX_DECIMAL_DIGITS`] digits.
    #[error("a number of {digits} decimal digits exceeds the bound of {bound} digits; use smaller numbers")]
    TooManyDigits {
        /// Significant decimal digits (a lower bound of them for `str.from_int`).
        digits: usize,
        /// The bound it exceeds.
        bound: usize,
    },
    /// The time is up, or the result is no longer wanted.
    #[error("the time is up")]
    Stopped,
    /// A regular expression needs more work than the caller allows.
    #[error("the regular expression needs more than {budget} steps; simplify it or raise the budget")]
    RegexWork {
        /// The steps that were allowed.
        budget: u64,
    },
}

/// The steps a caller allows for regular expressions. One step is one new node or one visited operand (a few dozen
/// nanoseconds and at most some 100 bytes), or 16 characters read by known transitions.
#[derive(Debug, Clone)]
pub struct WorkBudget {
    allowed: u64,
    stop: Stop,
    /// Steps until the clock is read again.
    patience: u64,
    remaining: u64,
}

impl WorkBudget {
    /// Ample for the regular expressions of benchmarks, and at most some seconds and a few hundred megabytes.
    pub const DEFAULT_STEPS: u64 = 8_000_000;

    /// Makes a budget of `steps` steps.
    pub fn new(steps: u64) -> Self {
        WorkBudget { allowed: steps, stop: Stop::default(), patience: PATIENCE, remaining: steps }
    }

    /// Adds a clock.
    pub fn heeding(mut self, stop: &Stop) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Returns the remaining steps.
    pub fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Charges `steps`, or fails (and leaves nothing) if fewer are left.
    pub fn charge(&mut self, steps: u64) -> Result<(), StringsError> {
        match self.remaining.checked_sub(steps) {
            Some(left) => {
                self.remaining = left;
                match self.patience.checked_sub(steps) {
                    Some(patience) => self.patience = patience,
                    None => {
                        self.patience = PATIENCE;
                        self.stop.check().map_err(|_| StringsError::Stopped)?;
                    }
                }
                Ok(())
            }
            None => {
                self.remaining = 0;
                Err(StringsError::RegexWork { budget: self.allowed })
            }
        }
    }

    /// Splits off half of the remaining steps, so that a cheap method that fails leaves some for a slower one. Return
    /// the rest with [`rejoin`](Self::rejoin).
    pub(super) fn split_half(&mut self) -> WorkBudget {
        let half = self.remaining / 2;
        self.remaining -= half;
        WorkBudget { allowed: self.allowed, stop: self.stop.clone(), patience: PATIENCE, remaining: half }
    }

    /// Takes back the rest of a budget made by [`split_half`](Self::split_half).
    pub(super) fn rejoin(&mut self, part: WorkBudget) {
        self.remaining += part.remaining;
    }
}

impl Default for WorkBudget {
    fn default() -> Self {
        WorkBudget::new(Self::DEFAULT_STEPS)
    }
}
