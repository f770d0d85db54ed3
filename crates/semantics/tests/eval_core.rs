//! Core, Ints, Reals and bit-vectors by tables of terms and values.

mod support;

use support::check;

#[test]
fn core() {
    for (term, value) in [
        ("(and true (not false))", "true"),
        ("(=> true false true)", "true"),
        ("(=> true true false)", "false"),
        ("(=> false false false)", "true"),
        ("(xor true true true)", "true"),
        ("(= 1 1 2)", "false"),
        ("(distinct 1 2 3)", "true"),
        ("(distinct 1 2 1)", "false"),
        ("(ite (= 1 2) 3 4)", "4"),
    ] {
        check("", term, value);
    }
}
