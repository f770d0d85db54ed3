//! Substring search in linear time (Knuth, Morris and Pratt, "Fast pattern matching in strings", 1977).

/// Below this product of lengths comparing at every position is quicker than building the failure table.
const PLAIN_SEARCH_BOUND: usize = 4096;

/// A non-empty pattern prepared for search in many places.
pub(crate) struct Finder<'a, T> {
    needle: &'a [T],
    /// `borders[i]` is the length of the longest proper border of `needle[..=i]`; empty when plain search is used.
    borders: Vec<u32>,
}

impl<'a, T: PartialEq> Finder<'a, T> {
    /// Prepares the search for `needle` in a text of `text_length` elements.
    pub(crate) fn new(needle: &'a [T], text_length: usize) -> Self {
        let plain = needle.len() <= 1 || needle.len().saturating_mul(text_length) <= PLAIN_SEARCH_BOUND;
        Finder { needle, borders: if plain { Vec::new() } else { border_table(needle) } }
    }

    /// Returns the first position at or after `start` where the needle occurs. A `start` beyond the end finds
    /// nothing, and an empty needle occurs everywhere up to the end.
    pub(crate) fn find(&self, text: &[T], start: usize) -> Option<usize> {
        let tail = text.get(start..)?;
        let found = match self.needle {
            [] => Some(0),
            [only] => tail.iter().position(|c| c == only),
            _ if self.borders.is_empty() => tail.windows(self.needle.len()).position(|w| w == self.needle),
            _ => self.find_by_borders(tail),
        };
        found.map(|offset| start + offset)
    }

    fn find_by_borders(&self, text: &[T]) -> Option<usize> {
        let needle = self.needle;
        let mut position = 0;
        loop {
            // With nothing matched yet the next candidate is the next occurrence of the first element.
            position += text[position..].iter().position(|c| *c == needle[0])? + 1;
            let mut matched = 1;
            while matched > 0 {
                if matched == needle.len() {
                    return Some(position - matched);
                }
                let next = text.get(position)?;
                if *next == needle[matched] {
                    matched += 1;
                    position += 1;
                } else {
                    matched = self.borders[matched - 1] as usize;
                }
            }
        }
    }
}

fn border_table<T: PartialEq>(needle: &[T]) -> Vec<u32> {
    let mut borders = vec![0u32; needle.len()];
    let mut length = 0usize;
    for i in 1..needle.len() {
        while length > 0 && needle[i] != needle[length] {
            length = borders[length - 1] as usize;
        }
        if needle[i] == needle[length] {
            length += 1;
        }
        borders[i] = length as u32;
    }
    borders
}
