//! Strings, literals and sorts as text.

use super::dialect::{Dialect, SET};
use crate::constant::Constant;
use crate::decl::Func;
use crate::names::quote_symbol;
use crate::sort::{Sort, SortId};
use crate::term::Store;
use dashu_int::UBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_ratio::RBig;
use std::fmt::Write;

/// Appends a string literal with its quotes. Printable ASCII is literal; everything else, and every backslash, is a
/// `\u{…}` escape (SMT-LIB 2.6, Strings theory), so that no other text is read as an escape.
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
        Constant::FieldElement { order, value } => write!(out, "#f{value}m{}", order.get()),
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

/// Appends a non-negative rational whose denominator has no prime factor but 2 and 5, as a decimal.
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

/// Appends a sort, in the standard's dialect if none is given.
///
/// Sorts are at most [`MAX_SORT_DEPTH`](crate::parser::MAX_SORT_DEPTH) deep, so recursion is safe.
pub(crate) fn push_sort(store: &Store, dialect: Option<&Dialect>, s: SortId, out: &mut String) {
    let compound = |head: &str, args: &[SortId], out: &mut String| {
        if !args.is_empty() {
            out.push('(');
        }
        quote_symbol(head, out);
        for &a in args {
            out.push(' ');
            push_sort(store, dialect, a, out);
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
        Sort::FiniteField(order) => {
            let _ = write!(out, "(_ FiniteField {})", order.get());
        }
        Sort::Array(i, e) => compound("Array", &[*i, *e], out),
        Sort::Map(a, b) => compound("->", &[*a, *b], out),
        Sort::Seq(element) => compound("Seq", &[*element], out),
        Sort::Set(element) => compound(dialect.map_or(SET, Dialect::set), &[*element], out),
        Sort::Bag(element) => compound("Bag", &[*element], out),
        // The name of an indexed sort includes its indices.
        Sort::Extension(name, _) if store.name(*name).starts_with("(_ ") => out.push_str(store.name(*name)),
        Sort::Uninterpreted(name, args) | Sort::Extension(name, args) => compound(store.name(*name), args, out),
        Sort::Datatype(d, args) => {
            let name = store.datatype(*d).name;
            compound(store.name(dialect.map_or(name, |dialect| dialect.name_of(store, name))), args, out);
        }
        Sort::Parameter(name) => quote_symbol(store.name(*name), out),
    }
}

/// Appends the name of a function. That of a solver's or a theory's operator may be an indexed identifier, and needs no bars then.
pub fn push_function_name(store: &Store, dialect: &Dialect, func: &Func, out: &mut String) {
    let printed = store.name(dialect.name_of(store, func.name));
    match printed.starts_with("(_ ") && store.is_of_theory(func.name) && func.definition().is_some() {
        true => out.push_str(printed),
        false => quote_symbol(printed, out),
    }
}
