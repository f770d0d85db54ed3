//! The string value: an immutable word over the alphabet 0..=0x2FFFF that is cheap to clone and to compare.

use std::fmt;
use std::sync::Arc;

use super::StringsError;
use super::escape::{EscapeDialect, escape};

/// The greatest character of the theory: the planes 0 to 2 of Unicode, surrogates included.
pub const MAX_CODE_POINT: u32 = 0x2_FFFF;

/// The maximum length of an evaluated string, in characters (128 MiB); a longer one is *unknown*.
pub const MAX_LENGTH: usize = 1 << 25;

/// A value of sort `String`.
///
/// Invariant: at most [`MAX_LENGTH`] characters, each at most [`MAX_CODE_POINT`]. The order is that of `str.<`, the
/// lexicographic extension of the order of the code points.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmtString(Arc<[u32]>);

impl SmtString {
    /// Returns the empty word.
    pub fn empty() -> Self {
        SmtString(Arc::default())
    }

    /// The word of these code points; fails on one outside the alphabet and on more than [`MAX_LENGTH`] of them.
    pub fn new(code_points: &[u32]) -> Result<Self, StringsError> {
        check_length(code_points.len() as u128)?;
        match code_points.iter().position(|&c| c > MAX_CODE_POINT) {
            Some(position) => Err(StringsError::NoCharacter { code_point: code_points[position], position }),
            None => Ok(SmtString(code_points.into())),
        }
    }

    /// Returns the word of the characters of `text`, taken literally (no escapes).
    pub fn from_text(text: &str) -> Result<Self, StringsError> {
        let code_points: Vec<u32> = text.chars().map(u32::from).collect();
        SmtString::new(&code_points)
    }

    /// Wraps characters of other values of the theory.
    pub(super) fn from_valid(code_points: &[u32]) -> Self {
        debug_assert!(code_points.len() <= MAX_LENGTH && code_points.iter().all(|&c| c <= MAX_CODE_POINT));
        SmtString(code_points.into())
    }

    /// Returns the code points in order.
    pub fn code_points(&self) -> &[u32] {
        &self.0
    }

    /// Returns the number of characters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this is the empty word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Default for SmtString {
    fn default() -> Self {
        SmtString::empty()
    }
}

impl fmt::Debug for SmtString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match escape(self, EscapeDialect::Standard) {
            Ok(text) => write!(f, "\"{text}\""),
            Err(_) => write!(f, "{:?}", self.0),
        }
    }
}

/// Fails when a string of `length` characters must not be made.
pub(super) fn check_length(length: u128) -> Result<(), StringsError> {
    if length > MAX_LENGTH as u128 {
        return Err(StringsError::TooLong { length, bound: MAX_LENGTH });
    }
    Ok(())
}
