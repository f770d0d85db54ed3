//! Unit tests of `src/commands/ci/options.rs`.

use super::*;

#[test]
fn options_have_a_long_and_a_short_form() {
    let check = |word: &str, expect: &str| assert_eq!(name(word), expect, "{word}");
    check("--solver", "--solver");
    check("--solver=z3", "--solver");
    check("-s", "--solver");
    check("-sz3", "--solver");
    check("-o", "--out");
    check("--set", "--set");
    check("storm", "storm");
    check("", "");
}

#[test]
fn classes_are_a_list_of_letters() {
    let check = |text: &str, expect: Option<&str>| {
        assert_eq!(text.parse::<FailOn>().ok().map(|on| on.to_string()).as_deref(), expect, "{text}");
    };
    check("A,B,X,D", Some("A,B,X,D"));
    check("A, C", Some("A,C"));
    check("C", Some("C"));
    check("", None);
    check("A,E", Some("A,E"));
    check("A,F", None);
    check("AB", None);
}
