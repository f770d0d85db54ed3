//! Unit tests of `src/render/markup.rs`.

use super::{fence, plain, spans};

#[test]
fn nothing_in_a_line_marks_anything_up() {
    let check = |text: &str, expect: &str| assert_eq!(plain(text.to_string()), expect);
    check("a|b\nc", "a\\|b c");
    check("<img src=x>", "\\<img src=x\\>");
    check("[x](http://y) *b* `c` #1", "\\[x\\](http://y) \\*b\\* \\`c\\` \\#1");
    check("z3@4.8.7 for @someone", "z3@4.8.7 for @\u{200b}someone");
}

#[test]
fn code_stays_code_between_two_backticks() {
    let check = |text: &str, expect: &str| assert_eq!(spans(text.to_string()), expect);
    check("right with `a_b=*` or *not*", "right with `a_b=*` or \\*not\\*");
    check("a_b", "a\\_b");
    check("one ` alone_", "one \\` alone\\_");
    check("`a\nb`", "`a b`");
}

#[test]
fn a_fence_is_longer_than_what_it_fences() {
    let check = |text: &str, expect: &str| assert_eq!(fence(text.to_string(), "smt2".to_string()), expect);
    check("(check-sat)", "```smt2\n(check-sat)\n```");
    check("; ```` four", "`````smt2\n; ```` four\n`````");
}
