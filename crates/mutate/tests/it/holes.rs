//! What skeletons take for atoms.

use mutate::edit::printed_tree::PrintedTree;
use mutate::skeleton::hole::holes;
use smtlib::Store;

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
