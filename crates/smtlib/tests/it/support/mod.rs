//! What the tests of the reader share.

pub mod cases;
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
