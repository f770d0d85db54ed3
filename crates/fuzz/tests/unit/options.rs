//! Unit tests of `src/under_test/options.rs`.

use super::replaces;

#[test]
fn one_command_takes_back_another_that_sets_the_same() {
    let check = |one: &str, other: &str, expect: bool| assert_eq!(replaces(one, other), expect, "{one} {other}");
    check("(set-simplifier a)", "(set-simplifier (then b c))", true);
    check("(set-option :a 1)", "(set-option :a 2)", true);
    check("(set-option :a 1)", "(set-option :b 1)", false);
    check("(set-option :a 1)", "(set-simplifier a)", false);
}
