//! The SMT-LIB theory of Unicode strings on values: words over the code points 0..=0x2FFFF and regular languages.
//!
//! The clauses quoted in the documentation are those of the theory declaration `Strings`, SMT-LIB 2.6 (2020-02-11,
//! updated 2022-12-07); 2.7 takes it over unchanged. Every function of the theory is total, so each function here either
//! gives the exact value or says by [`StringsError`] which stated bound it would have exceeded.

mod charset;
mod error;
mod escape;
mod numbers;
mod operations;
mod regex;
mod replace;
mod value;

pub use charset::CharSet;
pub use error::{StringsError, WorkBudget};
pub use escape::{EscapeDialect, LiteralError, escape, unescape};
pub use numbers::{MAX_DECIMAL_DIGITS, from_code, from_int, is_digit, to_code, to_int};
pub use operations::{
    at, concat, contains, index_of, is_less, is_less_or_equal, is_prefix, is_suffix, length, substring,
};
pub use regex::{RegexId, RegexStore, UNBOUNDED};
pub use replace::{replace, replace_all, replace_all_regex, replace_regex};
pub use value::{MAX_CODE_POINT, MAX_LENGTH, SmtString};
