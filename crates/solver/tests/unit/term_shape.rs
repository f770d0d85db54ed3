//! Unit tests of `src/term_shape.rs`.

use super::*;

#[test]
fn a_shape_is_an_operator_with_those_below_it() {
    let check = |term: &str, expect: &str| assert_eq!(of_text(term), expect, "{term}");
    check("(= (str.<= a a) true)", "(= (str.<= …) true)");
    check("(= ((_ extract 3 0) (bvnot x)) #b0110)", "(= (extract …) _)");
    check("(and a b c d e f)", "(and _ _ _ _ …)");
    check("(= \"(\" |a b|)", "(= _ _)");
    check("x", "_");
    check("()", "()");
    check("(", "()");
    check("", "");
}

#[test]
fn names_stand_for_what_they_name_and_a_circle_ends() {
    let all = Sexprs::read("(= @a @c) (not @b) @c @d");
    let tops: Vec<SexprNode> = all.top().collect();
    let defined = HashMap::from([("@a", tops[1]), ("@c", tops[3]), ("@d", tops[2])]);
    assert_eq!(of(&all, tops[0], &defined), "(= (not …) _)");
}
