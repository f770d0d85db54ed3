//! Names that need bars.

use smtlib::names::{COMMANDS, RESERVED, quote_symbol};

/// CVC4 and cvc5 refused scripts in which a symbol has the name of a command.
#[test]
fn names_with_a_meaning_stand_in_bars() {
    assert!(COMMANDS.is_sorted(), "it is searched by halves");
    let check = |name: &str, expect: &str| {
        let mut text = String::new();
        quote_symbol(name, &mut text);
        assert_eq!(text, expect);
    };
    for name in COMMANDS.iter().chain(RESERVED) {
        check(name, &format!("|{name}|"));
    }
    for name in ["asserts", "check", "x", "pop!0", "declare-rel", "Push"] {
        check(name, name);
    }
}
