//! The s-expressions of a solver's answer, as spans of its text: just enough to take a model apart.

use std::ops::Range;

/// The items of a text, one after the other: atoms and lists, comments left out. An unclosed list ends with the text.
pub(crate) fn items(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = within.start;
    let (mut depth, mut start) = (0usize, at);
    while at < within.end {
        match bytes[at] {
            b'(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
                at += 1;
            }
            b')' => {
                at += 1;
                depth = depth.saturating_sub(1);
                if depth == 0 && start < at {
                    found.push(start..at);
                    start = at;
                }
            }
            _ => {
                let end = token_end(bytes, at).min(within.end);
                if depth == 0 && !is_blank(bytes[at]) {
                    found.push(at..end);
                    start = end;
                }
                at = end;
            }
        }
    }
    if depth > 0 {
        found.push(start..within.end);
    }
    found
}

/// The item that begins at `at`, which is an opening parenthesis or the start of an atom.
pub(crate) fn item_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut end = at;
    while end < bytes.len() {
        match bytes[end] {
            b'(' => {
                depth += 1;
                end += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                end += 1;
            }
            _ => end = token_end(bytes, end),
        }
        if depth == 0 {
            break;
        }
    }
    at..end
}

/// The item that follows `at`, if there is one before the list around ends.
pub(crate) fn next_item(text: &str, mut at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b')' => return None,
            _ if is_blank(byte) => at = token_end(bytes, at),
            _ => return Some(item_at(text, at)),
        }
    }
    None
}

/// The items inside a list; none of an atom.
pub(crate) fn children(text: &str, list: &Range<usize>) -> Vec<Range<usize>> {
    if !is_list(text, list) {
        return Vec::new();
    }
    let end = if text[list.clone()].ends_with(')') { list.end - 1 } else { list.end };
    items(text, list.start + 1..end.max(list.start + 1))
}

/// Whether an item is a list.
pub(crate) fn is_list(text: &str, item: &Range<usize>) -> bool {
    text[item.clone()].starts_with('(')
}

/// All atoms of a text in order, whatever the nesting.
pub(crate) fn atoms(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = within.start;
    while at < within.end {
        if matches!(bytes[at], b'(' | b')') {
            at += 1;
            continue;
        }
        let end = token_end(bytes, at).min(within.end);
        if !is_blank(bytes[at]) {
            found.push(at..end);
        }
        at = end;
    }
    found
}

/// A symbol's name, without the bars of a quoted one.
pub(crate) fn bare(atom: &str) -> &str {
    atom.strip_prefix('|').and_then(|a| a.strip_suffix('|')).unwrap_or(atom)
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b';'
}

/// Where the token (atom, string, quoted symbol, comment or white space) at `at` ends.
pub(crate) fn token_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let until = |stop: u8| rest[1..].iter().position(|&b| b == stop).map_or(rest.len(), |n| n + 2);
    at + match rest[0] {
        b';' => rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |n| n + 1),
        b'|' => until(b'|'),
        // A doubled quote inside a string starts what looks like another string right behind, which does no harm.
        b'"' => until(b'"'),
        b if b.is_ascii_whitespace() => 1,
        _ => rest
            .iter()
            .position(|b| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b';' | b'"' | b'|'))
            .unwrap_or(rest.len()),
    }
}
