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
pub fn holes(store: &Store, tree: &PrintedTree) -> Vec<u32> {
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
