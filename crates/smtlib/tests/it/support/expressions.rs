//! What must hold of the reader of s-expressions for any bytes whatever; a fuzz target and tests share it.

use smtlib::sexpr::{ItemKind, Sexprs, atoms, items};
use smtlib::{Store, parse};
use std::ops::Range;

/// Reads bytes as s-expressions.
///
/// # Panics
/// When an expression is not where it is said to be, or the reader of scripts sees others.
pub fn check(bytes: &[u8]) {
    let found: Vec<_> = items(bytes).collect();
    let mut behind = 0;
    for item in &found {
        blank(bytes, behind..item.span.start);
        assert!(!item.span.is_empty() && item.span.end <= bytes.len(), "{item:?}");
        behind = item.span.end;
        let cut = item.kind == ItemKind::Cut;
        assert!(!cut || behind == bytes.len(), "{item:?}: the text goes on");
        let (first, last) = (bytes[item.span.start], bytes[behind - 1]);
        match item.kind {
            ItemKind::List => assert!(first == b'(' && last == b')', "{item:?}"),
            ItemKind::Stray => assert!(first == b')' && item.span.len() == 1, "{item:?}"),
            ItemKind::Cut => assert!(matches!(first, b'(' | b'"' | b'|'), "{item:?}"),
            ItemKind::Atom => assert!(!matches!(first, b'(' | b')' | b';'), "{item:?}"),
        }
    }
    blank(bytes, behind..bytes.len());
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let tree = Sexprs::read(text);
    let strays = found.iter().filter(|item| item.kind == ItemKind::Stray).count();
    assert_eq!(tree.is_whole(), strays == 0 && found.iter().all(|item| item.kind != ItemKind::Cut));
    let kept = found.iter().filter(|item| item.kind != ItemKind::Stray);
    let top: Vec<_> = tree.top().map(|node| tree.span(node)).collect();
    let expect: Vec<_> = kept.map(|item| item.span.clone()).collect();
    // A list that is not closed ends with the text; a string or symbol that is not does too.
    assert_eq!(top, expect);
    assert_eq!(tree.atoms().collect::<Vec<_>>(), atoms(text).collect::<Vec<_>>());
    for node in tree.nodes() {
        let mut at = tree.span(node).start + 1;
        for child in tree.children(node) {
            let span = tree.span(child);
            assert!(tree.is_list(node) && at <= span.start && span.end <= tree.span(node).end);
            at = span.end;
        }
    }
    let mut store = Store::new();
    let parsed = parse(&mut store, text);
    if parsed.errors.is_empty() {
        assert_eq!(parsed.spans, expect, "the reader of scripts sees other commands");
    }
}

/// Between expressions there are only blanks and comments.
fn blank(bytes: &[u8], between: Range<usize>) {
    let mut text = &bytes[between];
    text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    while let Some((&first, rest)) = text.split_first() {
        text = match first {
            b';' => rest.iter().position(|&b| b == b'\n').map_or(&[], |end| &rest[end + 1..]),
            _ => {
                assert!(
                    matches!(first, b' ' | b'\t' | b'\r' | b'\n'),
                    "{:?} is left out",
                    String::from_utf8_lossy(text)
                );
                rest
            }
        };
    }
}
