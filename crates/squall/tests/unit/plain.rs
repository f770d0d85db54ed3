//! Unit tests of `src/render/plain.rs`.

use super::shown;

#[test]
fn foreign_text_commands_nothing() {
    let check = |text: &str, has_color: bool, expect: &str| assert_eq!(shown(text, has_color), expect, "{text:?}");
    for same in ["", "a: b\n\tc", "z3@4.8.7", "(declare-fun |é| () Int)", "a\r\nb", "x ::error::", "# 1", "日本"] {
        check(same, false, same);
    }
    check("a\u{1b}]0;title\u{7}", false, "a\\u001b]0;title\\u0007");
    check("\u{1b}[31mred\u{1b}[0m", false, "\\u001b[31mred\\u001b[0m");
    check("\u{1b}[31mred\u{1b}[0m", true, "\u{1b}[31mred\u{1b}[0m");
    check("\u{1b}[2J\u{1b}[1;1H", true, "\\u001b[2J\\u001b[1;1H");
    check("\u{1b}[31", true, "\\u001b[31");
    check("safe\rgone", false, "safe\\u000dgone");
    check("\u{9b}31m\u{7f}\u{0}", false, "\\u009b31m\\u007f\\u0000");
    check("a\u{202e}b", false, "a\\u202eb");
    check("::error file=x::y", false, "\\u003a:error file=x::y");
    check("a\n  ::set-env name=X::y\n", false, "a\n  \\u003a:set-env name=X::y\n");
    check("\u{1b}[1m::error::x", true, "\u{1b}[1m\\u003a:error::x");
    check("a ##[error]b", false, "a \\u0023#[error]b");
    check("\u{85}::error::x", false, "\\u0085\\u003a:error::x");
}
