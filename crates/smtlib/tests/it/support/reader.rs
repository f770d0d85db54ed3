//! What must hold of the reader for any bytes whatever; a fuzz target and a test share it.

use smtlib::{Store, parse_bytes, parse_commands};

/// Reads bytes as a script.
///
/// # Panics
/// When a mistake cannot be shown, or what was read without one does not print and read back as itself.
pub fn check(bytes: &[u8]) {
    let mut store = Store::new();
    let parsed = match parse_bytes(&mut store, bytes) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(error.span.start < bytes.len());
            return;
        }
    };
    let text = std::str::from_utf8(bytes).expect("the reader took it for UTF-8");
    for error in &parsed.errors {
        assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
        let (line, column) = error.position(text);
        assert!(error.render("x", text).starts_with(&format!("x:{line}:{column}: error: ")));
    }
    // All that was read is well-formed, so that every way of looking at it works.
    for instance in parsed.script.each_instance() {
        assert!(instance.assertions.iter().all(|&t| store.is_bool(t)));
    }
    let printed = store.script_text(&parsed.script);
    if !parsed.errors.is_empty() {
        return;
    }
    let mut scope = smtlib::Scope::new(&store);
    let again = parse_commands(&mut store, &mut scope, &printed);
    if let Some(error) = again.errors.first() {
        panic!("what was printed is refused\n{}", error.render("printed", &printed));
    }
    if again.script != parsed.script {
        let first = parsed.script.commands.iter().zip(&again.script.commands).find(|(a, b)| a != b);
        panic!("printed and read again, it is another script: {first:?}\n{printed}");
    }
}
