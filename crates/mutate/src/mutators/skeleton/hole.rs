//! The holes of an assertion: the places of its atoms below connectives and quantifiers.

use crate::edit::PrintedTree;
use smtlib::{Kind, Store, TermId};

/// The role of a Boolean term in a skeleton.
enum Role {
    /// A connective: its arguments belong to the skeleton.
    Connective,
    /// A quantifier: its body belongs to the skeleton, its patterns do not.
    Quantifier,
    /// Everything else.
    Atom,
}

fn role(store: &Store, t: TermId) -> Role {
    match store.kind(t) {
        Kind::Not | Kind::And | Kind::Or | Kind::Implies | Kind::Xor => Role::Connective,
        Kind::Ite | Kind::Eq | Kind::Distinct if store.args(t).iter().all(|&a| store.is_bool(a)) => Role::Connective,
        Kind::Forall | Kind::Exists => Role::Quantifier,
        _ => Role::Atom,
    }
}

/// The places of the maximal subterms of an assertion that are neither connectives nor quantifiers, in the order of the text.
pub(super) fn holes(store: &Store, tree: &PrintedTree) -> Vec<u32> {
    let mut seen = vec![false; tree.places().len()];
    let mut open = vec![0];
    let mut holes = Vec::new();
    while let Some(number) = open.pop() {
        let place = tree.place(number);
        if place.frozen || std::mem::replace(&mut seen[number as usize], true) {
            continue;
        }
        let children = tree.children(number);
        match role(store, place.term) {
            _ if place.is_reference => open.extend(children),
            Role::Connective => open.extend(children),
            Role::Quantifier => open.extend(children.first()),
            Role::Atom => holes.push(number),
        }
    }
    holes.sort_unstable_by_key(|&number| tree.place(number).span);
    holes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_what_no_connective_and_no_quantifier_is() {
        let check = |formula: &str, expect: &[&str]| {
            let mut store = Store::new();
            let script = format!(
                "(declare-const x Int)(declare-const b Bool)(declare-fun p (Int Bool) Bool)(assert {formula})(check-sat)"
            );
            let parsed = smtlib::parse(&mut store, &script);
            assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
            let term = parsed.script.instances()[0].assertions[0];
            let text = store.term_text(term);
            let tree = PrintedTree::new(&store, term, text.clone()).expect("the text reads back");
            let found: Vec<&str> = holes(&store, &tree)
                .into_iter()
                .map(|n| tree.place(n).span)
                .map(|(start, end)| &text[start as usize..end as usize])
                .collect();
            assert_eq!(found, expect, "{text}");
        };
        check("(< x 5)", &["(< x 5)"]);
        check("(or b (not (= x 1)))", &["b", "(= x 1)"]);
        check("(= b (ite (> x 2) true b))", &["b", "(> x 2)", "true", "b"]);
        check("(p (ite b x 3) (and b (< x 1)))", &["(p (ite b x 3) (and b (< x 1)))"]);
        check("(forall ((y Int)) (! (=> (p y b) (< x y)) :pattern ((p y b))))", &["(p y b)", "(< x y)"]);
        // A term with one `let` name and two uses is one hole.
        check("(let ((c (< (+ x 1) (* 2 x)))) (and (or c b) (xor c b)))", &["(< (+ x 1) (* 2 x))", "b", "b"]);
    }
}
