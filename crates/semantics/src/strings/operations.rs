//! The operations of the theory on words alone: concatenation, order, parts and search.

use dashu_int::IBig;

use super::error::StringsError;
use super::search::Finder;
use super::value::{SmtString, check_length};

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
    let Some(start) = position_up_to(start, word.len()) else {
        return SmtString::empty();
    };
    let available = word.len() - start;
    let taken = if *count <= IBig::ZERO { 0 } else { position_up_to(count, available).unwrap_or(available) };
    if taken == word.len() {
        return word.clone();
    }
    SmtString::from_valid(&word.code_points()[start..start + taken])
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
    Finder::new(part.code_points(), word.len()).find(word.code_points(), 0).is_some()
}

/// `str.indexof`: the first position at or after `start` where `part` occurs, else -1; -1 too unless
/// `0 <= start <= |word|`. The empty word occurs at `start`.
pub fn index_of(word: &SmtString, part: &SmtString, start: &IBig) -> IBig {
    let found = position_up_to(start, word.len())
        .and_then(|start| Finder::new(part.code_points(), word.len()).find(word.code_points(), start));
    match found {
        Some(position) => IBig::from(position),
        None => IBig::NEG_ONE,
    }
}

/// `number` as a position when it lies in `0..=bound`.
fn position_up_to(number: &IBig, bound: usize) -> Option<usize> {
    usize::try_from(number).ok().filter(|&position| position <= bound)
}
