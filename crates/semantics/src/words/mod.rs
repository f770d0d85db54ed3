//! Words over any alphabet, as slices: the common part of strings and sequences.
//!
//! Elements are compared by `==`, which must be exact.

mod search;

use dashu_int::IBig;
pub(crate) use search::Finder;

/// Returns the `count` elements from position `start` on, or fewer at the end; empty unless `0 <= start < |word|` and `0 <
/// count`.
pub(crate) fn subword<'w, T>(word: &'w [T], start: &IBig, count: &IBig) -> &'w [T] {
    let Some(start) = position_up_to(start, word.len()) else {
        return &[];
    };
    let available = word.len() - start;
    let taken = if *count <= IBig::ZERO { 0 } else { position_up_to(count, available).unwrap_or(available) };
    &word[start..start + taken]
}

/// Whether `part` occurs in `word`; the empty word occurs in every one.
pub(crate) fn contains<T: PartialEq>(word: &[T], part: &[T]) -> bool {
    Finder::new(part, word.len()).find(word, 0).is_some()
}

/// Returns the first position at or after `start` where `part` occurs; `None` unless `0 <= start <= |word|`. The empty word
/// occurs at `start`.
pub(crate) fn index_of<T: PartialEq>(word: &[T], part: &[T], start: &IBig) -> Option<usize> {
    position_up_to(start, word.len()).and_then(|start| Finder::new(part, word.len()).find(word, start))
}

/// Returns the last position where `part` occurs. The empty word occurs last at the end.
pub(crate) fn last_index_of<T: PartialEq>(word: &[T], part: &[T]) -> Option<usize> {
    // Read backwards it is the first one, found in linear time.
    let (word, part): (Vec<&T>, Vec<&T>) = (word.iter().rev().collect(), part.iter().rev().collect());
    let start = Finder::new(&part, word.len()).find(&word, 0)?;
    Some(word.len() - part.len() - start)
}

/// Where `pattern` occurs first, from its first element to past its last; an empty one occurs at the start.
pub(crate) fn first_occurrence<T: PartialEq>(word: &[T], pattern: &[T]) -> Option<(usize, usize)> {
    let start = Finder::new(pattern, word.len()).find(word, 0)?;
    Some((start, start + pattern.len()))
}

/// Where `pattern` occurs, left to right and without overlap; an empty one occurs nowhere.
pub(crate) fn occurrences<T: PartialEq>(word: &[T], pattern: &[T]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    if pattern.is_empty() {
        return found;
    }
    let finder = Finder::new(pattern, word.len());
    let mut position = 0;
    while let Some(start) = finder.find(word, position) {
        position = start + pattern.len();
        found.push((start, position));
    }
    found
}

/// Returns the length of a word of `length` elements after replacing disjoint ranges by `by` elements each.
pub(crate) fn spliced_length(length: usize, ranges: &[(usize, usize)], by: usize) -> u128 {
    let removed: usize = ranges.iter().map(|&(start, end)| end - start).sum();
    (length - removed) as u128 + ranges.len() as u128 * by as u128
}

/// Returns the word with each of the disjoint ascending ranges `(start, end)` replaced by `by`.
pub(crate) fn splice<T: Clone>(word: &[T], ranges: &[(usize, usize)], by: &[T]) -> Vec<T> {
    let mut result = Vec::with_capacity(spliced_length(word.len(), ranges, by.len()) as usize);
    let mut copied = 0;
    for &(start, end) in ranges {
        result.extend_from_slice(&word[copied..start]);
        result.extend_from_slice(by);
        copied = end;
    }
    result.extend_from_slice(&word[copied..]);
    result
}

/// Returns the word with the part from `start` on overwritten by `by`, cut at its end; `None`, for the unchanged word, if
/// `start` is not a position in it.
pub(crate) fn overwritten<T: Clone>(word: &[T], start: &IBig, by: &[T]) -> Option<Vec<T>> {
    let start = usize::try_from(start).ok().filter(|&n| n < word.len())?;
    let mut result = word.to_vec();
    for (slot, element) in result[start..].iter_mut().zip(by) {
        *slot = element.clone();
    }
    Some(result)
}

/// `number` as a position when it lies in `0..=bound`.
fn position_up_to(number: &IBig, bound: usize) -> Option<usize> {
    usize::try_from(number).ok().filter(|&position| position <= bound)
}
