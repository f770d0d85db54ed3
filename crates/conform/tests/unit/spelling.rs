//! Unit tests of `src/passes/spelling.rs`.

use super::*;

#[test]
fn operators_of_z3_are_spelled_by_the_standards() {
    let check = |text: &str, expect: &str| assert_eq!(standard_spelling(text), expect, "{text}");
    check("(assert (= x #b1))\n", "(assert (= x #b1))\n");
    check("(f (mkbv a b c))", "(f (concat (ite c #b1 #b0) (ite b #b1 #b0) (ite a #b1 #b0)))");
    check("(f (mkbv (not a)))", "(f  (ite (not a) #b1 #b0))");
    check("(and ((_ bit2bool 3) (bvudiv_i x y)) p)", "(and (= ((_ extract 3 3) (bvudiv x y)) #b1) p)");
    check("(declare-fun k!0 () (_ bv 5))", "(declare-fun k!0 () (_ BitVec 5))");
    check("(= x (_ bv5 8))", "(= x (_ bv5 8))");
    check("(mkbv) |bvudiv_i|", "(mkbv) |bvudiv_i|");
    // Words of strings and of quoted symbols stay.
    check("(= s \"mkbv ( bvurem_i\") (g_i |a (mkbv b)|)", "(= s \"mkbv ( bvurem_i\") (g_i |a (mkbv b)|)");
    let deep = format!("{}mkbv{}", "(".repeat(9000), ")".repeat(9000));
    check(&deep, &deep);
}
