//! Unit tests of `src/render/say.rs`.

use super::{quoted, whence};

#[test]
fn a_generated_script_names_no_seed() {
    let check = |mutator: Option<&str>, expect: &str| assert_eq!(whence(mutator, Some("a.smt2")), expect);
    check(None, "the seed a.smt2 itself");
    check(Some("storm"), "made by storm from the seed a.smt2");
    check(Some("fusion>storm"), "made by fusion>storm from the seed a.smt2");
    check(Some("finite"), "made by finite");
    check(Some("finite>storm"), "made by finite>storm");
    assert_eq!(whence(Some("finite"), None), "made by finite");
}

#[test]
fn words_are_quoted_for_the_shell() {
    let check = |word: &str, expect: &str| assert_eq!(quoted(word), expect);
    check("z3", "z3");
    check("model_validate=true", "model_validate=true");
    check("", "''");
    check("a b", "'a b'");
    check("it's", "'it'\\''s'");
    check("$(rm x)", "'$(rm x)'");
}
