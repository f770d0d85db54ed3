//! Values in solver-specific syntax: strings printed character by character, and constructors without `as`.
//!
//! Solvers print `(cons 51 nil)` where SMT-LIB 2.6 asks for `(as nil (List Int))`: the sort of the symbol a model defines
//! says which instance is meant.

use smtlib::literal::MAX_CODE_POINT;
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use smtlib::{Sort, SortId, Store};
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

/// The maximum number of bytes of inserted sorts: each constructor of a long list gets the sort of the whole list.
const MAX_TEXT: usize = 1 << 26;

/// Returns the text of a value of `sort` with its constructors qualified; `None` if there is nothing to qualify.
pub(crate) fn qualified(store: &mut Store, text: &str, sort: SortId) -> Option<String> {
    let all = Sexprs::read_whole(text)?;
    let mut work: Vec<(SexprNode, SortId)> = all.top().map(|node| (node, sort)).collect();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut left = MAX_TEXT;
    while let Some((node, sort)) = work.pop() {
        let parts: Vec<SexprNode> = all.children(node).collect();
        let head = match parts.first() {
            Some(&first) => first,
            None if all.is_list(node) => continue,
            None => node,
        };
        match (all.text(head), &parts[..]) {
            ("ite", &[_, _, then, otherwise]) => {
                work.extend([(then, sort), (otherwise, sort)]);
                continue;
            }
            ("let", &[_, _, body]) => {
                work.push((body, sort));
                continue;
            }
            _ => {}
        }
        match *store.sorts.get(sort) {
            Sort::Array(index, element) | Sort::Map(index, element) => match (all.text(head), &parts[..]) {
                ("store", &[_, array, at, value]) => {
                    work.extend([(array, sort), (at, index), (value, element)]);
                }
                (_, &[_, value]) if all.is_list(head) => work.push((value, element)),
                _ => {}
            },
            Sort::Seq(element) => match all.text(head) {
                "seq.unit" => work.extend(parts.get(1).map(|&value| (value, element))),
                "seq.++" => work.extend(parts.iter().skip(1).map(|&part| (part, sort))),
                _ => {}
            },
            Sort::Set(element) => match (all.text(head), &parts[..]) {
                ("set.singleton", &[_, value]) => work.push((value, element)),
                ("set.union", &[_, ref unions @ ..]) => work.extend(unions.iter().map(|&part| (part, sort))),
                _ => {}
            },
            Sort::Bag(element) => match (all.text(head), &parts[..]) {
                ("bag", &[_, value, _]) => work.push((value, element)),
                ("bag.union_disjoint", &[_, ref unions @ ..]) => work.extend(unions.iter().map(|&part| (part, sort))),
                _ => {}
            },
            Sort::Datatype(id, ref args) => {
                let is_plain = args.is_empty();
                // `(as name sort)` is qualified already, but its arguments may not be.
                let (name, done) = match all.words(head)[..] {
                    ["as", name, _] => (bare(name), true),
                    [] if !all.is_list(head) => (bare(all.text(head)), is_plain),
                    _ => continue,
                };
                let constructors = &store.datatype(id).constructors;
                let Some(number) = constructors.iter().position(|c| store.name(c.name) == name) else { continue };
                // Cvc5 leaves out which datatype's constructor it means.
                if !done || is_plain && all.words(head).is_empty() && store.is_ambiguous(constructors[number].name) {
                    let qualified = format!("(as |{name}| {})", store.sort_text(sort));
                    left = left.checked_sub(qualified.len())?;
                    edits.push((all.span(head), qualified));
                }
                let fields = store.field_sorts(sort, number);
                work.extend(parts.iter().skip(1).copied().zip(fields));
            }
            _ => {}
        }
    }
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|e| e.0.start);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (span, replacement) in edits {
        out.push_str(&text[copied..span.start]);
        out.push_str(&replacement);
        copied = span.end;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// Replaces these characters by SMT-LIB strings.
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
            // Two adjacent strings would be one with a quote in it. Writing to a string cannot fail.
            let _ = write!(out, " \"\\u{{{code:x}}}\" ");
            copied = span.end;
        }
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Returns the code point in `(seq.unit (_ Char 97))`.
fn character(all: &Sexprs<'_>, list: SexprNode) -> Option<u32> {
    let inside = all.headed(list, "seq.unit")?;
    let &[inside] = &inside[..] else { return None };
    match all.words(inside)[..] {
        ["_", "Char", code] => code.parse().ok().filter(|&code| code <= MAX_CODE_POINT),
        _ => None,
    }
}
