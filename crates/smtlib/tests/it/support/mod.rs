//! What the tests of the reader share.

pub mod expressions;
pub mod mutation;
pub mod reader;

use smtlib::{Script, Store, parse};

/// Reads a script that must be right.
pub fn read(text: &str) -> (Store, Script) {
    let mut store = Store::new();
    let parsed = parse(&mut store, text);
    if let Some(error) = parsed.errors.first() {
        panic!("{}", error.render("test", text));
    }
    (store, parsed.script)
}

/// Reads `input`, which must print as `expect` (one command a line), and read from that as the identical script.
pub fn check(input: &str, expect: &str) {
    let (mut store, script) = read(input);
    let printed = store.script_text(&script);
    let expect = format!("{}\n", expect.trim());
    assert_eq!(printed, expect, "for\n{input}");
    let again = parse(&mut store, &printed);
    if let Some(error) = again.errors.first() {
        panic!("what was printed is refused\n{}", error.render("printed", &printed));
    }
    assert_eq!(again.script, script, "printed and read again, it is another script:\n{printed}");
}

/// Reads `input` with some declarations before it; the last command must print as `expect`.
pub fn check_after(declarations: &str, input: &str, expect: &str) {
    let (store, before) = read(declarations);
    check(&format!("{declarations}\n{input}"), &format!("{}{expect}", store.script_text(&before)));
}

/// Reads `input`, whose first mistake must render as `line:column: message` and, after ` | `, its help.
pub fn check_refused(input: &str, expect: &str) {
    let mut store = Store::new();
    let parsed = parse(&mut store, input);
    let Some(error) = parsed.errors.first() else { panic!("no mistake found in\n{input}") };
    let (line, column) = error.position(input);
    let help = error.help.as_ref().map_or(String::new(), |h| format!(" | {h}"));
    assert_eq!(format!("{line}:{column}: {error}{help}"), expect, "for\n{input}");
}
