//! The parameters of mutators: what is said of one, and how values are read from text.

use std::fmt::Display;
use std::str::FromStr;

/// One parameter of a mutator.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value when nothing is said.
    pub default: &'static str,
    /// What it does, with units and bounds.
    pub about: &'static str,
}

/// A setting that a mutator does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// No parameter has this name.
    #[error("`{mutator}` has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The mutator.
        mutator: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The value does not fit.
    #[error("`{value}` is no value for `{name}`: expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
}

/// Two bounds that a count is scaled between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The count for the smallest pool.
    pub low: u32,
    /// The count for a pool of [`LARGE_POOL`] fragments or more.
    pub high: u32,
}

/// The size of an initial pool from which NC and NM are at their upper bounds.
pub const LARGE_POOL: usize = 400;

impl Span {
    /// The count for a pool of `pool` fragments: linear between the bounds.
    pub fn scaled(self, pool: usize) -> u64 {
        let share = pool.min(LARGE_POOL) as u64;
        let span = u64::from(self.high.saturating_sub(self.low));
        u64::from(self.low) + span * share / LARGE_POOL as u64
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.low, self.high)
    }
}

impl FromStr for Span {
    type Err = ();

    fn from_str(text: &str) -> Result<Span, ()> {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        let span = Span { low: low.trim().parse().map_err(|_| ())?, high: high.trim().parse().map_err(|_| ())? };
        if span.low == 0 || span.low > span.high { Err(()) } else { Ok(span) }
    }
}

/// Parameters with their values as text.
pub fn settings_text(parameters: &[Parameter], values: &[&dyn Display]) -> Vec<(&'static str, String)> {
    parameters.iter().zip(values).map(|(p, v)| (p.name, v.to_string())).collect()
}

/// A value by its `FromStr`.
///
/// # Errors
/// [`ParameterError::Value`] where the text is none.
pub fn parsed<T: FromStr>(name: &str, value: &str, expected: &'static str) -> Result<T, ParameterError> {
    value.parse().map_err(|_| ParameterError::Value { name: name.to_string(), value: value.to_string(), expected })
}

/// A whole number of at least 1.
///
/// # Errors
/// [`ParameterError::Value`] where the text is none.
pub fn number(name: &str, value: &str) -> Result<u32, ParameterError> {
    const EXPECTED: &str = "a whole number of at least 1";
    match parsed(name, value, EXPECTED)? {
        0 => Err(ParameterError::Value { name: name.to_string(), value: value.to_string(), expected: EXPECTED }),
        n => Ok(n),
    }
}

/// A percentage from 0 to 100.
///
/// # Errors
/// [`ParameterError::Value`] where the text is none.
pub fn percent(name: &str, value: &str) -> Result<u32, ParameterError> {
    const EXPECTED: &str = "a percentage from 0 to 100";
    match parsed(name, value, EXPECTED)? {
        n @ 0..=100 => Ok(n),
        _ => Err(ParameterError::Value { name: name.to_string(), value: value.to_string(), expected: EXPECTED }),
    }
}
