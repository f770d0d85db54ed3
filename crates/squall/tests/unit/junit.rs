//! Unit tests of `src/commands/ci/junit.rs`.

use super::escaped;

#[test]
fn nothing_breaks_the_xml() {
    let check = |text: &str, expect: &str| assert_eq!(escaped(text), expect);
    check("(< a \"b\") & c", "(&lt; a &quot;b&quot;) &amp; c");
    check("]]>\n\u{0}\u{1b}\u{7f}", "]]&gt;&#10;\u{fffd}\u{fffd}\u{7f}");
    check("日本語", "日本語");
}
