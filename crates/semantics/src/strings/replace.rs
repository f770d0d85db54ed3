//! The replacing operations: of words, and of the leftmost shortest matches of a regular expression.

use super::operations::concat;
use super::regex::{RegexId, RegexStore};
use super::value::{SmtString, check_length};
use super::{StringsError, WorkBudget};
use crate::words;

/// `str.replace`: the first occurrence of `pattern` replaced by `by`; an empty pattern occurs at the start.
pub fn replace(word: &SmtString, pattern: &SmtString, by: &SmtString) -> Result<SmtString, StringsError> {
    match words::first_occurrence(word.code_points(), pattern.code_points()) {
        Some(found) => splice(word, &[found], by),
        None => Ok(word.clone()),
    }
}

/// `str.replace_all`: every occurrence of `pattern`, left to right and without overlap, replaced by `by`; the word
/// itself when the pattern is empty.
pub fn replace_all(word: &SmtString, pattern: &SmtString, by: &SmtString) -> Result<SmtString, StringsError> {
    splice(word, &words::occurrences(word.code_points(), pattern.code_points()), by)
}

/// `str.replace_re`: the shortest leftmost match of `pattern` replaced by `by`. When the pattern matches the empty
/// word, that is the empty match at the start.
pub fn replace_regex(
    store: &mut RegexStore,
    word: &SmtString,
    pattern: RegexId,
    by: &SmtString,
    work: &mut WorkBudget,
) -> Result<SmtString, StringsError> {
    if store.is_nullable(pattern) {
        return concat(&[by.clone(), word.clone()]);
    }
    match store.first_shortest_match(word, pattern, work)? {
        Some(found) => splice(word, &[found], by),
        None => Ok(word.clone()),
    }
}

/// `str.replace_re_all`: each shortest non-empty match of `pattern`, left to right, replaced by `by`.
///
/// The formal clause leaves the value open if the pattern matches only the empty word; the description at the
/// declaration ("each shortest *non-empty* match") makes it the word itself.
pub fn replace_all_regex(
    store: &mut RegexStore,
    word: &SmtString,
    pattern: RegexId,
    by: &SmtString,
    work: &mut WorkBudget,
) -> Result<SmtString, StringsError> {
    let matches = store.all_shortest_matches(word, pattern, work)?;
    splice(word, &matches, by)
}

/// Returns the word with each of the disjoint ascending ranges `(start, end)` replaced by `by`.
fn splice(word: &SmtString, ranges: &[(usize, usize)], by: &SmtString) -> Result<SmtString, StringsError> {
    if ranges.is_empty() {
        return Ok(word.clone());
    }
    check_length(words::spliced_length(word.len(), ranges, by.len()))?;
    Ok(SmtString::from_valid(&words::splice(word.code_points(), ranges, by.code_points())))
}
