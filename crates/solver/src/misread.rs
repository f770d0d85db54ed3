//! Spellings that some versions misread or print incorrectly: a text that contains one has no truth for these versions.

use smtlib::sexpr::{atoms, bare};
use std::collections::HashSet;

/// Returns a spelling in `text` that a solver with these `misreads` (names as in profiles) misreads.
///
/// Invariant: every misread text is reported; a correct text may be reported as well, since the text is searched and not parsed (a
/// comment or a quoted symbol counts, too).
pub fn misread<'m>(misreads: impl IntoIterator<Item = &'m str>, text: &str) -> Option<&'m str> {
    misreads.into_iter().find(|name| match *name {
        "string-escape-u" => text.contains("\\u"),
        "string-escape-c" => text.contains('\\'),
        "re.loop-empty-range" => {
            text.match_indices("re.loop").any(|(at, word)| !is_full_loop(&text[at + word.len()..]))
        }
        "map-application" => applies_by_underscore(text),
        // A spelling unknown to this program may be anywhere.
        _ => true,
    })
}

/// Whether `_` precedes a name that the text declares or gives a sort `(-> …)`: it may be the application of a function.
fn applies_by_underscore(text: &str) -> bool {
    const DECLARES: [&str; 6] =
        ["declare-fun", "declare-const", "define-fun", "define-const", "define-fun-rec", "define-funs-rec"];
    // Most texts have only indexed operators of a theory, and need no further look.
    const INDEXED: [&str; 12] = [
        "BitVec",
        "FloatingPoint",
        "extract",
        "zero_extend",
        "sign_extend",
        "repeat",
        "rotate_left",
        "rotate_right",
        "to_fp",
        "to_fp_unsigned",
        "is",
        "as-array",
    ];
    let ends = |c: char| c.is_ascii_whitespace() || "()".contains(c);
    let may_be = text.match_indices('_').any(|(at, _)| {
        let after = &text[at + 1..];
        let name = after.trim_ascii_start().split(ends).next().unwrap_or_default();
        text[..at].ends_with(ends)
            && after.starts_with(|c: char| ends(c) || c == ';')
            && !INDEXED.contains(&name)
            && !name.strip_prefix("bv").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    });
    if !may_be {
        return false;
    }
    let words = || atoms(text).map(|span| bare(&text[span]));
    let mut functions = HashSet::new();
    let mut before = "";
    for word in words() {
        if DECLARES.contains(&before) {
            functions.insert(word);
        } else if word == "->" {
            functions.insert(before);
        }
        before = word;
    }
    let mut before = "";
    words().any(|word| std::mem::replace(&mut before, word) == "_" && functions.contains(word))
}

/// Returns a model or values in the standard's spelling, if a solver with these `misreads` prints string characters by C escapes and
/// knows no others. `None` if it follows the standard, or an escape is unknown.
pub fn with_standard_escapes<'m>(misreads: impl IntoIterator<Item = &'m str>, printed: &str) -> Option<String> {
    let strings = misreads.into_iter().filter(|name| matches!(*name, "string-escape-u" | "string-escape-c")).count();
    if strings < 2 || !printed.contains('\\') {
        return None;
    }
    let mut out = String::with_capacity(printed.len() + 16);
    let (mut is_string, mut is_quoted) = (false, false);
    let mut rest = printed.chars();
    while let Some(c) = rest.next() {
        match c {
            // A doubled quote ends the string and begins it again.
            '"' if !is_quoted => is_string = !is_string,
            '|' if !is_string => is_quoted = !is_quoted,
            '\\' if is_string => {
                let code = escaped(&mut rest)?;
                out.push_str(&format!("\\u{{{code:x}}}"));
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    Some(out)
}

/// Returns the character of a C escape; `rest` starts after its backslash.
fn escaped(rest: &mut std::str::Chars<'_>) -> Option<u32> {
    Some(match rest.next()? {
        'x' => rest.next()?.to_digit(16)? * 16 + rest.next()?.to_digit(16)?,
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        'e' => 27,
        '\\' => '\\'.into(),
        _ => return None,
    })
}

/// Returns a spelling in `text`, printed by a solver with these `miswrites` (names as in profiles), that differs from the value it
/// represents.
pub fn miswritten<'m>(miswrites: impl IntoIterator<Item = &'m str>, text: &str) -> Option<&'m str> {
    miswrites.into_iter().find(|name| match *name {
        "cut-decimal" => holds_cut_decimal(text),
        _ => true,
    })
}

/// Whether there is a decimal that may approximate another number: the root of 2 is printed as `1.414214`, that of 1.0000000000000064 as
/// `1.000000`. Exact values are printed as `1.0` or `(/ 1 2)`.
fn holds_cut_decimal(text: &str) -> bool {
    let is_cut = |(at, _): (usize, &str)| {
        let digits = || text[at + 1..].bytes().take_while(u8::is_ascii_digit);
        text[..at].ends_with(|c: char| c.is_ascii_digit())
            && (digits().count() > 1 || digits().any(|digit| digit != b'0'))
    };
    text.match_indices('.').any(is_cut)
}

/// Whether the text after `re.loop` is `LOW HIGH)` with LOW at most HIGH.
fn is_full_loop(after: &str) -> bool {
    let Some((bounds, _)) = after.split_once(')') else { return false };
    let mut bounds = bounds.split_ascii_whitespace().map(str::parse::<u64>);
    matches!((bounds.next(), bounds.next(), bounds.next()), (Some(Ok(low)), Some(Ok(high)), None) if low <= high)
}
