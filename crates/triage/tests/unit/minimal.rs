//! Unit tests of `src/explain/minimal.rs`.

use super::minimal;

#[test]
fn what_can_be_left_out_is() {
    let check = |all: &str, errs: fn(&str) -> bool, expect: &str, most: usize| {
        let all: Vec<char> = all.chars().collect();
        let mut asked = 0;
        let kept = minimal(&all, |parts: &[char]| {
            asked += 1;
            Some(errs(&parts.iter().collect::<String>()))
        });
        assert_eq!(kept.map(|kept| kept.into_iter().collect::<String>()).as_deref(), Some(expect), "{all:?}");
        assert!(asked <= most, "{all:?}: {asked} questions");
    };
    check("", |_| true, "", 0);
    check("abc", |_| true, "", 1);
    check("abc", |parts| parts.contains('b'), "b", 4);
    check("abcd", |parts| parts.contains('b') && parts.contains('d'), "bd", 7);
    check("abc", |parts| parts == "abc", "abc", 4);
    // Leaving out `a` makes another part needed: what is left after the first round is examined again.
    check("abc", |parts| !parts.is_empty() && (parts.contains('c') || parts.contains('b')), "c", 6);
    check("abc", |parts| matches!(parts, "abc" | "ac" | "a"), "a", 8);
}

#[test]
fn nothing_is_said_where_a_question_was_not_answered() {
    let mut answers = [Some(false), Some(false), None].into_iter();
    assert_eq!(minimal(&["a", "b"], |_| answers.next().flatten()), None);
    assert_eq!(minimal(&["a"], |_| None), None);
}
