//! The operations of the theory on words alone: concatenation, order, parts and search.

use dashu_int::IBig;

use super::StringsError;
use super::value::{SmtString, check_length};
use crate::words;

/// `str.++` of any number of words; fails when the result is longer than [`MAX_LENGTH`](super::MAX_LENGTH).
pub fn concat(words: &[SmtString]) -> Result<SmtString, StringsError> {
    if let [only] = words {
        return Ok(only.clone());
    }
    let length: u128 = words.iter().map(|word| word.len() as u128).sum();
    check_length(length)?;
    let mut joined = Vec::with_capacity(length as usize);
    for word in words {
        joined.extend_from_slice(word.code_points());
    }
    Ok(SmtString::from_valid(&joined))
}

/// `str.len`: the number of characters.
pub fn length(word: &SmtString) -> IBig {
    IBig::from(word.len())
}

/// `str.<`: the strict lexicographic order of code points.
pub fn is_less(left: &SmtString, right: &SmtString) -> bool {
    left < right
}

/// `str.<=`: the reflexive closure of `str.<`.
pub fn is_less_or_equal(left: &SmtString, right: &SmtString) -> bool {
    left <= right
}

/// `str.substr`: the `count` characters from position `start` on, or as many as there are; the empty word unless
/// `0 <= start < |word|` and `0 < count`.
pub fn substring(word: &SmtString, start: &IBig, count: &IBig) -> SmtString {
    let part = words::subword(word.code_points(), start, count);
    if part.len() == word.len() { word.clone() } else { SmtString::from_valid(part) }
}

/// `str.at`: `(str.substr word position 1)`.
pub fn at(word: &SmtString, position: &IBig) -> SmtString {
    substring(word, position, &IBig::ONE)
}

/// `str.prefixof`: whether `word` starts with `prefix` (which is the first argument in SMT-LIB too).
pub fn is_prefix(prefix: &SmtString, word: &SmtString) -> bool {
    word.code_points().starts_with(prefix.code_points())
}

/// `str.suffixof`: whether `word` ends with `suffix` (which is the first argument in SMT-LIB too).
pub fn is_suffix(suffix: &SmtString, word: &SmtString) -> bool {
    word.code_points().ends_with(suffix.code_points())
}

/// `str.contains`: whether `part` occurs in `word`; the empty word occurs in every one.
pub fn contains(word: &SmtString, part: &SmtString) -> bool {
    words::contains(word.code_points(), part.code_points())
}

/// `str.indexof`: the first position at or after `start` where `part` occurs, else -1; -1 too unless
/// `0 <= start <= |word|`. The empty word occurs at `start`.
pub fn index_of(word: &SmtString, part: &SmtString, start: &IBig) -> IBig {
    match words::index_of(word.code_points(), part.code_points(), start) {
        Some(position) => IBig::from(position),
        None => IBig::NEG_ONE,
    }
}
