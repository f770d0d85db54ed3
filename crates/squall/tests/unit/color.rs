//! Unit tests of `src/render/color.rs`.

use super::*;

#[test]
fn the_choice_is_known_before_the_command_line_is_parsed() {
    let check = |line: &str, expect: ColorChoice| {
        assert_eq!(named(line.split(' ').map(OsString::from)), expect, "{line}");
    };
    check("squall fuzz", ColorChoice::Auto);
    check("squall --color never fuzz", ColorChoice::Never);
    check("squall fuzz --color=always --plain", ColorChoice::Always);
    check("squall fuzz --color", ColorChoice::Auto);
    check("squall fuzz --color=mauve", ColorChoice::Auto);
    check("squall ci --color never -- --color always", ColorChoice::Never);
}

#[test]
fn the_command_line_goes_before_the_environment() {
    let check = |choice, is_terminal, is_wanted, expect: bool| {
        assert_eq!(is_on(choice, is_terminal, is_wanted), expect, "{choice:?} {is_terminal} {is_wanted}");
    };
    check(ColorChoice::Auto, true, true, true);
    check(ColorChoice::Auto, true, false, false);
    check(ColorChoice::Auto, false, true, false);
    check(ColorChoice::Always, false, false, true);
    check(ColorChoice::Never, true, true, false);
    assert_eq!(painted(BAD, "no", false), "no");
    assert_eq!(painted(BAD, "no", true), "\u{1b}[1m\u{1b}[31mno\u{1b}[0m");
}
