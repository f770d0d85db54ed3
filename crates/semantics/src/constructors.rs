//! Constructors of parametric datatypes written without `as`, qualified by the sort that is expected where they stand.
//!
//! Solvers print `(cons 51 nil)` where SMT-LIB 2.6 asks for `(as nil (List Int))`: the sort of the symbol a model defines
//! says which instance is meant.

use crate::sexpr::{bare, children, is_list, items};
use smtlib::{Sort, SortId, Store};
use std::ops::Range;

/// The most bytes looked at, nested lists counted once a level.
const MAX_WORK: usize = 1 << 24;

/// The text of a value of `sort` with its constructors qualified; none when there is nothing to qualify.
pub(crate) fn qualified(store: &mut Store, text: &str, sort: SortId) -> Option<String> {
    let top = items(text, 0..text.len());
    let mut work: Vec<(Range<usize>, SortId)> = top.into_iter().map(|item| (item, sort)).collect();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut left = MAX_WORK;
    while let Some((item, sort)) = work.pop() {
        left = left.checked_sub(item.len())?;
        let parts = children(text, &item);
        let head = match parts.first() {
            Some(first) => first.clone(),
            None if is_list(text, &item) => continue,
            None => item,
        };
        match (&text[head.clone()], &parts[..]) {
            ("ite", [_, _, then, otherwise]) => {
                work.extend([(then.clone(), sort), (otherwise.clone(), sort)]);
                continue;
            }
            ("let", [_, _, body]) => {
                work.push((body.clone(), sort));
                continue;
            }
            _ => {}
        }
        match *store.sorts.get(sort) {
            Sort::Array(index, element) => match (&text[head.clone()], &parts[..]) {
                ("store", [_, array, at, value]) => {
                    work.extend([(array.clone(), sort), (at.clone(), index), (value.clone(), element)]);
                }
                (_, [_, value]) if is_list(text, &head) => work.push((value.clone(), element)),
                _ => {}
            },
            Sort::Datatype(id, ref args) => {
                let plain = args.is_empty();
                // `(as name sort)` is qualified already, its arguments perhaps not.
                let inner = children(text, &head);
                let (name, done) = match &inner[..] {
                    [word, name, _] if &text[word.clone()] == "as" => (bare(&text[name.clone()]), true),
                    [] if !is_list(text, &head) => (bare(&text[head.clone()]), plain),
                    _ => continue,
                };
                let constructors = &store.datatype(id).constructors;
                let Some(number) = constructors.iter().position(|c| store.name(c.name) == name) else { continue };
                if !done {
                    edits.push((head, format!("(as |{name}| {})", store.sort_text(sort))));
                }
                let fields = store.field_sorts(sort, number);
                work.extend(parts.iter().skip(1).cloned().zip(fields));
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
