//! The operators that a script is about, by which titles and explanations name it.

use smtlib::{Command, Kind, Store, TermId};
use std::collections::BTreeSet;

/// How many operators are named.
const MAX_OPERATORS: usize = 4;

/// The theory operators of a script in the order in which they are read, the first few.
pub fn operators(script: &str) -> Vec<String> {
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, script).script;
    let roots = script.commands.iter().filter_map(|command| match command {
        Command::Assert(term, _) => Some(*term),
        _ => None,
    });
    let mut open: Vec<TermId> = roots.collect();
    open.reverse();
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(name) = operator(&store, term)
            && !names.contains(&name)
        {
            names.push(name);
        }
        open.extend(store.args(term).iter().rev());
    }
    if names.len() > MAX_OPERATORS {
        names.truncate(MAX_OPERATORS);
        names.push("…".to_string());
    }
    names
}

/// What an operator is called in a title; none of those that occur in any script.
fn operator(store: &Store, term: TermId) -> Option<String> {
    match store.kind(term) {
        Kind::Constant | Kind::Variable | Kind::True | Kind::False | Kind::Not | Kind::And | Kind::Or => None,
        Kind::Implies | Kind::Xor | Kind::Eq | Kind::Distinct | Kind::Ite | Kind::Fp => None,
        Kind::Rne | Kind::Rna | Kind::Rtp | Kind::Rtn | Kind::Rtz => None,
        Kind::Forall | Kind::Exists => Some("quantifiers".to_string()),
        Kind::Apply => (!store.args(term).is_empty()).then(|| "functions".to_string()),
        Kind::ConstArray => Some("constant arrays".to_string()),
        // A value is no operator.
        _ if store.args(term).is_empty() => None,
        kind => smtlib::theories::row(kind).map(|row| row.name.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::operators;

    #[test]
    fn a_title_names_the_operators_in_their_order() {
        let check = |script: &str, expect: &str| assert_eq!(operators(script).join(", "), expect, "{script}");
        check("(assert (str.<= \"9\" \"93\"))", "str.<=");
        check("(declare-const a Int)(assert (and (> (+ a 1) 2) (= (* a a) (mod a 3))))", ">, +, *, mod");
        check(
            "(declare-const a Int)(assert (> (- (+ a 1) (* a 2)) (div a 3)))(assert (= (mod a 2) 1))",
            ">, -, +, *, …",
        );
        check("(declare-const p Bool)(assert (not p))", "");
        check("(assert (= (fp.neg (_ +oo 3 2)) (_ -oo 3 2)))", "fp.neg");
        check("(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f x) 1)))", "quantifiers, functions");
        check(
            "(assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) false true)))",
            "constant arrays, store",
        );
        check("(assert", "");
    }
}
