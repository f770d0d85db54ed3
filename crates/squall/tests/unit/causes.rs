//! Unit tests of `src/render/causes.rs`.

use super::{INDENT, WIDTH, wrapped};

#[test]
fn lines_fit_next_to_the_columns() {
    let check = |text: &str, expect: &[&str]| assert_eq!(wrapped(text, WIDTH), expect, "{text}");
    check("", &[""]);
    check("a b", &["a b"]);
    let word = "x".repeat(WIDTH - INDENT);
    check(&format!("a {word} b"), &["a", &word, "b"]);
    let long = "y".repeat(100);
    check(&format!("{long} b"), &[&long, "b"]);
    assert_eq!(wrapped("a b cd", INDENT + 3), ["a b", "cd"]);
}
