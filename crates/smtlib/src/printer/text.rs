//! Symbols, strings, literals and sorts as text.

use crate::constant::Constant;
use crate::sort::{Sort, SortId};
use crate::term::Store;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_ratio::RBig;
use std::fmt::Write;

/// Words that a symbol may be only in bars (SMT-LIB 2.7, section 3.1).
pub(crate) const RESERVED: &[&str] = &[
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "forall",
    "HEXADECIMAL",
    "lambda",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
];

/// Names of commands in the order of their bytes, which the same section reserves too. We read them without bars, as Z3 does, and
/// print them in bars, which CVC4 and cvc5 insist on.
pub(crate) const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "check-sat-using",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// Whether a name can stand without bars.
pub(crate) fn is_simple(name: &str) -> bool {
    let Some(first) = name.bytes().next() else { return false };
    !first.is_ascii_digit()
        && name.bytes().all(is_symbol_byte)
        && !RESERVED.contains(&name)
        && COMMANDS.binary_search(&name).is_err()
}

/// Whether a byte may occur in a simple symbol.
pub(crate) const fn is_symbol_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'~' | b'!'
                | b'@'
                | b'$'
                | b'%'
                | b'^'
                | b'&'
                | b'*'
                | b'_'
                | b'-'
                | b'+'
                | b'='
                | b'<'
                | b'>'
                | b'.'
                | b'?'
                | b'/'
        )
}

/// Appends a name, in bars if it needs them.
pub fn quote_symbol(name: &str, out: &mut String) {
    if is_simple(name) {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

/// Appends a string literal with its quotes. Printable ASCII stands for itself; everything else, and every backslash, is
/// a `\u{…}` escape (SMT-LIB 2.6, Strings theory), so that no text is read as an escape that was none.
pub fn escape_string(code_points: &[u32], out: &mut String) {
    out.push('"');
    for &c in code_points {
        match char::from_u32(c) {
            Some('"') => out.push_str("\"\""),
            Some(ch) if (' '..='~').contains(&ch) && ch != '\\' => out.push(ch),
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{c:x}}}");
            }
        }
    }
    out.push('"');
}

pub(crate) fn push_constant(constant: &Constant, out: &mut String) {
    let result = match constant {
        Constant::Int(n) => write!(out, "{n}"),
        Constant::Real(r) => {
            push_decimal(r, out);
            Ok(())
        }
        Constant::BitVec { width, value } if width % 4 == 0 => {
            push_padded("#x", &format!("{value:x}"), *width as usize / 4, out);
            Ok(())
        }
        Constant::BitVec { width, value } => {
            push_padded("#b", &format!("{value:b}"), *width as usize, out);
            Ok(())
        }
        Constant::String(s) => {
            escape_string(s, out);
            Ok(())
        }
    };
    debug_assert!(result.is_ok(), "writing to a String cannot fail");
}

/// Appends digits, with zeros before them up to `width`. The formatter's own padding panics on widths above 65535.
fn push_padded(before: &str, digits: &str, width: usize, out: &mut String) {
    out.push_str(before);
    out.extend(std::iter::repeat_n('0', width.saturating_sub(digits.len())));
    out.push_str(digits);
}

/// A non-negative rational whose denominator has no prime factor but 2 and 5, as a decimal.
fn push_decimal(r: &RBig, out: &mut String) {
    let denominator = r.denominator();
    let numerator = r.numerator().unsigned_abs();
    if denominator.is_one() {
        let _ = write!(out, "{numerator}.0");
        return;
    }
    let twos = denominator.trailing_zeros().unwrap_or(0);
    let odd = denominator >> twos;
    // The bit length of 5^k is floor(k * log2 5) + 1, so k is the quotient rounded down.
    let fives = (odd.bit_len() as f64 / 5f64.log2()) as usize;
    let places = twos.max(fives);
    let scaled = numerator * (UBig::from(2u8).pow(places - twos)) * (UBig::from(5u8).pow(places - fives));
    let mut digits = String::new();
    push_padded("", &scaled.to_string(), places + 1, &mut digits);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    out.push_str(whole);
    out.push('.');
    out.push_str(fraction);
}

/// Appends a sort. Sorts are at most [`MAX_SORT_DEPTH`](crate::parser::MAX_SORT_DEPTH) deep, so recursion is safe.
pub(crate) fn push_sort(store: &Store, s: SortId, out: &mut String) {
    let compound = |head: &str, args: &[SortId], out: &mut String| {
        if !args.is_empty() {
            out.push('(');
        }
        quote_symbol(head, out);
        for &a in args {
            out.push(' ');
            push_sort(store, a, out);
        }
        if !args.is_empty() {
            out.push(')');
        }
    };
    match store.sorts.get(s) {
        Sort::Bool => out.push_str("Bool"),
        Sort::Int => out.push_str("Int"),
        Sort::Real => out.push_str("Real"),
        Sort::String => out.push_str("String"),
        Sort::RegLan => out.push_str("RegLan"),
        Sort::RoundingMode => out.push_str("RoundingMode"),
        Sort::BitVec(w) => {
            let _ = write!(out, "(_ BitVec {w})");
        }
        Sort::Float { eb, sb } => {
            let _ = write!(out, "(_ FloatingPoint {eb} {sb})");
        }
        Sort::Array(i, e) => compound("Array", &[*i, *e], out),
        Sort::Map(a, b) => compound("->", &[*a, *b], out),
        // The name of an indexed sort holds its indices.
        Sort::Extension(name, _) if store.name(*name).starts_with("(_ ") => out.push_str(store.name(*name)),
        Sort::Uninterpreted(name, args) | Sort::Extension(name, args) => compound(store.name(*name), args, out),
        Sort::Datatype(d, args) => compound(store.name(store.datatype(*d).name), args, out),
        Sort::Parameter(name) => quote_symbol(store.name(*name), out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CVC4 and cvc5 refused scripts in which a symbol has the name of a command.
    #[test]
    fn names_with_a_meaning_stand_in_bars() {
        assert!(COMMANDS.is_sorted(), "it is searched by halves");
        let check = |name: &str, expect: &str| {
            let mut text = String::new();
            quote_symbol(name, &mut text);
            assert_eq!(text, expect);
        };
        for name in COMMANDS.iter().chain(RESERVED) {
            check(name, &format!("|{name}|"));
        }
        for name in ["asserts", "check", "x", "pop!0", "declare-rel", "Push"] {
            check(name, name);
        }
    }
}
