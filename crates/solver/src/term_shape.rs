//! The shape of a term that a solver prints, by which holes in proofs are distinguished: its operator and those directly below it.

use smtlib::sexpr::{SexprNode, Sexprs, bare};
use std::collections::HashMap;

/// The maximum number of arguments in a shape.
const MAX_ARGUMENTS: usize = 4;

/// The maximum number of names for names that are followed: a text may define one by itself.
const MAX_NAMES: usize = 64;

/// Returns the shape of a term: `(= (str.<= …) true)` for `(= (str.<= a a) true)`. Names in `defined` are expanded; symbols and values
/// without arguments except `true` and `false` become `_`.
pub fn of(all: &Sexprs<'_>, term: SexprNode, defined: &HashMap<&str, SexprNode>) -> String {
    let term = explained(all, term, defined);
    if !all.is_list(term) {
        return leaf(all.text(term)).to_string();
    }
    let mut parts = all.children(term);
    let mut text = format!("({}", parts.next().map_or("", |head| operator(all, head)));
    for (n, part) in parts.enumerate() {
        if n == MAX_ARGUMENTS {
            text.push_str(" …");
            break;
        }
        let part = explained(all, part, defined);
        text.push(' ');
        match all.is_list(part) {
            true => {
                let head = all.children(part).next().map_or("", |head| operator(all, head));
                text.push_str(&format!("({head} …)"));
            }
            false => text.push_str(leaf(all.text(part))),
        }
    }
    text + ")"
}

/// Returns the shape of a text that is one term.
pub fn of_text(text: &str) -> String {
    let all = Sexprs::read(text);
    all.top().next().map_or(String::new(), |term| of(&all, term, &HashMap::new()))
}

fn explained(all: &Sexprs<'_>, term: SexprNode, defined: &HashMap<&str, SexprNode>) -> SexprNode {
    let mut term = term;
    for _ in 0..MAX_NAMES {
        match defined.get(all.text(term)) {
            Some(named) => term = *named,
            None => break,
        }
    }
    term
}

/// Returns the operator's name; for an indexed or qualified one, `(_ extract 3 0)` or `((as const T) v)`, without its indices.
fn operator<'t>(all: &Sexprs<'t>, head: SexprNode) -> &'t str {
    match all.is_list(head) {
        true => all.children(head).nth(1).map_or("", |name| all.text(name)),
        false => all.text(head),
    }
}

fn leaf(atom: &str) -> &str {
    if matches!(bare(atom), "true" | "false") { atom } else { "_" }
}

#[cfg(test)]
#[path = "../tests/unit/term_shape.rs"]
mod tests;
