//! Unit tests of `src/reading.rs`.

use super::*;

#[test]
fn printed_values_are_read() {
    let check = |ours: &str, theirs: &str, expect: Result<bool, Unread>| {
        assert_eq!(ValueReader::default().same(ours, theirs), expect, "{ours} and {theirs}");
    };
    check("#b0011", "#x3", Ok(true));
    check("#b0011", "#x4", Ok(false));
    check("#b0011", "#b011", Err(Unread::NoTerm));
    check("(fp #b1 #b001 #b0000)", "(fp #b1 #b001 #x0)", Ok(true));
    check("(_ NaN 3 5)", "(fp #b0 #b111 #x1)", Ok(true));
    check("(_ +zero 3 5)", "(_ -zero 3 5)", Ok(false));
    check("(_ +zero 3 5)", "(_ +zero 5 3)", Err(Unread::NoTerm));
    check("RNE", "roundNearestTiesToEven", Ok(true));
    check("true", "false", Ok(false));
    check("(- 5)", "(- 6)", Ok(false));
    // Reals of z3, of cvc5, and of yices, which omits the point.
    check("(/ (- 1.0) 3.0)", "(- (/ 1.0 3.0))", Ok(true));
    check("(/ (- 1.0) 3.0)", "(/ (- 1) 3)", Ok(true));
    check("(- 2.0)", "(- 2)", Ok(true));
    check("2.5", "(/ 5 2)", Ok(true));
    check("2.5", "(/ 5 3)", Ok(false));
    check("2", "2.0", Err(Unread::NoTerm));
    check("0.0", "(/ 1.0 0.0)", Err(Unread::Unspecified));
    check("\"a\\u{1}\"", "\"a\\u{01}\"", Ok(true));
    check("\"a\"\"\"", "\"a\"\"\"", Ok(true));
    check("\"a\"", "\"b\"", Ok(false));
    let array = "(store ((as const (Array Int Real)) 1.0) (- 3) (- 4.0))";
    check(array, "(store (store ((as const (Array Int Real)) 1.0) 2 1.0) (- 3) (- 4.0))", Ok(true));
    check(array, "(store ((as const (Array Int Real)) 1.0) 3 (- 4.0))", Ok(false));
    check("(as set.empty (Set Int))", "(as set.empty (FiniteSet Int))", Ok(true));
    let set = "(set.union (set.singleton 1) (set.singleton (- 2)))";
    check(set, "(set.union (set.singleton (- 2)) (set.union (set.singleton 1) (set.singleton 1)))", Ok(true));
    check(set, "(set.singleton 1)", Ok(false));
    check(set, "(set.union (set.singleton (- 0 2)) (set.singleton 1))", Err(Unread::NoValue));
    check(set, "((as set.unique (FiniteSet Int)) 1 2)", Err(Unread::NoTerm));
    check("(as bag.empty (Bag Int))", "(as bag.empty (Bag Int))", Ok(true));
    let bag = "(bag.union_disjoint (bag (- 2) 1) (bag 1 3))";
    check(bag, "(bag.union_disjoint (bag.union_disjoint (bag 1 2) (bag (- 2) 1)) (bag 1 1))", Ok(true));
    check(bag, "(bag.union_disjoint (bag 1 2) (bag (- 2) 1))", Ok(false));
    check(bag, "(bag.union_disjoint (bag 1 (+ 1 2)) (bag (- 2) 1))", Err(Unread::NoValue));
    check(bag, "(bag.union_max (bag 1 3) (bag (- 2) 1))", Err(Unread::NoValue));
    check("3", "(bag.choose (bag 3 1))", Err(Unread::NoValue));
    // Terms that are not values, even those with a known value.
    check("#b0011", "(bvadd #b0001 #b0010)", Err(Unread::NoValue));
    check("3", "(- 4 1)", Err(Unread::NoValue));
    check("3", "(- (- 3))", Err(Unread::NoValue));
    check("1.0", "(/ 4.0 (/ 2.0 0.5))", Err(Unread::NoValue));
    check(array, "(store ((as const (Array Int Real)) 1.0) (- 4 7) (- 4.0))", Err(Unread::NoValue));
    check("#b0011", "k!0", Err(Unread::NoTerm));
    check("#b0011", "(bvadd #b0001", Err(Unread::NoTerm));
    check("#b0011", "", Err(Unread::NoTerm));
}
