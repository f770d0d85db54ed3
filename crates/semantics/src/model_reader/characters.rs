//! Strings that z3 prints character by character: `(seq.unit (_ Char 97))` in the tables of functions of strings.

use smtlib::literal::MAX_CODE_POINT;
use smtlib::sexpr::{SexprNode, Sexprs};
use std::borrow::Cow;
use std::fmt::Write;

/// The text with these characters as strings of SMT-LIB.
pub(super) fn as_strings(text: &str) -> Cow<'_, str> {
    if !text.contains("seq.unit") {
        return Cow::Borrowed(text);
    }
    let all = Sexprs::read(text);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for list in all.nodes().filter(|&node| all.is_list(node)) {
        if let Some(code) = character(&all, list) {
            let span = all.span(list);
            out.push_str(&text[copied..span.start]);
            // Two strings side by side would be one with a quote in it. Writing to a string cannot fail.
            let _ = write!(out, " \"\\u{{{code:x}}}\" ");
            copied = span.end;
        }
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The code point in `(seq.unit (_ Char 97))`.
fn character(all: &Sexprs<'_>, list: SexprNode) -> Option<u32> {
    let inside = all.headed(list, "seq.unit")?;
    let &[inside] = &inside[..] else { return None };
    match all.words(inside)[..] {
        ["_", "Char", code] => code.parse().ok().filter(|&code| code <= MAX_CODE_POINT),
        _ => None,
    }
}
