//! Unit tests of `src/commands/ci/outcome.rs`.

use super::*;

#[test]
fn an_excerpt_is_bounded_and_says_so() {
    let check = |text: &str, expect: &str| assert_eq!(excerpt(text, 2), expect, "{text}");
    check("", "");
    check("a\nb", "a\nb");
    check("a\nb\n", "a\nb");
    check("a\nb\n\n", "a\nb");
    check("a\nb\nc", "a\nb\n; … the rest is in the file");
    let long = "ä".repeat(SCRIPT_BYTES);
    let shown = excerpt(&long, 2);
    assert!(shown.starts_with("ää") && shown.ends_with("ä\n; … the rest is in the file"));
    assert!(shown.len() < SCRIPT_BYTES + 50);
}
