//! Formulas whose shape shows that they are valid.

use oracle::relation::stronger::is_valid;

#[test]
fn what_is_valid_shows_in_its_shape() {
    let check = |term: &str, expect: bool| assert_eq!(is_valid(term), expect, "{term}");
    check("(or (p x) (not (p x)))", true);
    check("(=> a a)", true);
    check("(= (f x) (f x))", true);
    check("(not (and a (not a)))", true);
    check("(or (p x) (not (p y)))", false);
    check("(or a (not a b))", false);
    check("(=> a b)", false);
    check("(=> a a a)", false);
    check("(not (and a a))", false);
    check("a", false);
}
