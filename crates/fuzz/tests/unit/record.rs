//! Unit tests of `src/worker/record.rs`.

use super::*;

#[test]
fn a_finding_is_named_after_its_solver_and_what_it_was_made_of() {
    let check = |class: BugClass, label: &str, mode: &str, expect: &str| {
        assert_eq!(id(class, label, "a b", mode, "0123456789abcdef"), expect);
    };
    check(BugClass::A, "z3@4.8.7", "plain", "A-z3@4.8.7-a_b-plain-0123456789ab");
    check(BugClass::A, "z3@4.8.7", "tactic smt", "A-z3@4.8.7-a_b-tactic-0123456789ab");
    check(BugClass::D, "./a folder/z3@4.8.7", "", "D-z3@4.8.7-a_b-0123456789ab");
}
