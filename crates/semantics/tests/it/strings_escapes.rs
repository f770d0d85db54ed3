//! Tables of string literals in every escape dialect, read and written.

use proptest::prelude::*;
use semantics::strings::{EscapeDialect, LiteralError, MAX_CODE_POINT, SmtString, escape, unescape};

use EscapeDialect::{Cvc4Legacy, Raw, Standard, Z3Legacy};

fn check(dialect: EscapeDialect, body: &str, expect: &[u32]) {
    let value = unescape(body.as_bytes(), dialect).unwrap();
    assert_eq!(value.code_points(), expect, "{dialect:?} {body}");
}

/// Expects the characters of `text` themselves.
fn check_text(dialect: EscapeDialect, body: &str, text: &str) {
    check(dialect, body, &text.chars().map(u32::from).collect::<Vec<_>>());
}

#[test]
fn the_standard_has_two_forms() {
    check_text(Standard, "", "");
    check_text(Standard, r"\u{41}\u0041A", "AAA");
    check_text(Standard, r"\u{3A}\u003a", "::");
    check_text(Standard, r"a\u02C1a", "a\u{2C1}a");
    check_text(Standard, r"\u{2C}1a", ",1a");
    check_text(Standard, r"\u00411", "A1");
    check(Standard, r"\u{2FFFF}\u{2ffff}\u{0}\uD800", &[0x2FFFF, 0x2FFFF, 0, 0xD800]);
    check(Standard, r"\u{d800}\u{00041}", &[0xD800, 0x41]);
    // A backslash that begins no sequence is a character, and the next one may begin one.
    check_text(Standard, r"\\u{41}", "\\A");
    check_text(Standard, r"\u\u{41}", "\\uA");
    check_text(Standard, r"\u{\u{41}}", "\\u{A}");
    check_text(Standard, r"\u{4\u0041", "\\u{4A");
    for plain in [
        r"\",
        r"a\",
        r"\u",
        r"\u{",
        r"\u{}",
        r"\u{4",
        r"\u{4g}",
        r"\u{30000}",
        r"\u{000041}",
        r"\u{00000041}",
        r"\u2CA",
        r"\u2CXA",
        r"\u{ACG}A",
        r"\n\t\x41\101\\",
        r"\U{41}",
        r"\u{ 41}",
    ] {
        check_text(Standard, plain, plain);
    }
    check_text(Standard, "é⟨", "é⟨");
}

#[test]
fn z3_legacy() {
    check_text(Z3Legacy, r"\x41\x4", "Ax4");
    check_text(Z3Legacy, r"\n\t\a\b\f\r\v\e\q\\n", "\n\t\x07\x08\x0C\r\x0Beq\\n");
    check(Z3Legacy, r"\1\12\101\777\8\1012", &[1, 10, 65, 255, 56, 65, 50]);
    check_text(Z3Legacy, r"\u{41}\u0041", "u{41}u0041");
    check_text(Z3Legacy, r"a\", "a\\");
    check(Z3Legacy, "é", &[0xC3, 0xA9]);
}

#[test]
fn cvc4_legacy() {
    check_text(Cvc4Legacy, r"\x41", "A");
    check_text(Cvc4Legacy, r"\n\t\a\b\f\r\v\e\q\\n", "\n\t\x07\x08\x0C\r\x0Beq\\n");
    check(Cvc4Legacy, r"\1\12\101\777\8", &[1, 10, 65, 63, 55, 8]);
    for wrong in [r"\x4", r"\x4g1", r"\xg11", r"\"] {
        assert_eq!(unescape(wrong.as_bytes(), Cvc4Legacy), Err(LiteralError::Escape { offset: 0 }), "{wrong}");
    }
    assert_eq!(unescape("é".as_bytes(), Cvc4Legacy), Err(LiteralError::Character { code_point: 0xC3, greatest: 0x7F }));
}

#[test]
fn raw_has_none() {
    check_text(Raw, r"\u{41}\n\", r"\u{41}\n\");
    assert!(escape(&SmtString::new(&[0xD800]).unwrap(), Raw).is_err());
}

#[test]
fn wrong_bytes_are_errors() {
    assert_eq!(unescape(b"ab\xFF", Standard), Err(LiteralError::Encoding { offset: 2 }));
    assert_eq!(unescape(b"a\xE2\x9F", Standard), Err(LiteralError::Encoding { offset: 1 }));
    assert_eq!(unescape(b"\xED\xA0\x80", Standard), Err(LiteralError::Encoding { offset: 0 }));
    let beyond = LiteralError::Character { code_point: 0x30000, greatest: MAX_CODE_POINT };
    assert_eq!(unescape("\u{30000}".as_bytes(), Standard), Err(beyond));
}

#[test]
fn writing() {
    let write = |points: &[u32], dialect, expect: &str| {
        assert_eq!(escape(&SmtString::new(points).unwrap(), dialect).unwrap(), expect, "{points:x?}");
    };
    write(&[0x41, 0x20, 0x7E, 0x22], Standard, "A ~\"");
    write(&[0, 0x1F, 0x7F, 0x2FFFF, 0xD800], Standard, r"\u{0}\u{1f}\u{7f}\u{2ffff}\u{d800}");
    // What follows a backslash must not make an escape sequence of it.
    write(&[0x5C, 0x6E, 0x5C, 0x75, 0x7B, 0x35, 0x7D], Standard, r"\u{5c}n\u{5c}u{5}");
    write(&[0x5C, 0x41, 0x0A, 0xFF], Z3Legacy, r"\x5cA\x0a\xff");
    assert!(escape(&SmtString::new(&[0x100]).unwrap(), Z3Legacy).is_err());
    assert!(escape(&SmtString::new(&[0x100]).unwrap(), Cvc4Legacy).is_err());
}

/// Characters that are likely to make or break an escape sequence.
fn tricky_character() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => proptest::sample::select("\\u{}0aAfgx17n\"".chars().map(u32::from).collect::<Vec<_>>()),
        1 => 0u32..=0xFF,
        1 => 0u32..=MAX_CODE_POINT,
    ]
}

proptest! {
    #[test]
    fn reading_inverts_writing(points in proptest::collection::vec(tricky_character(), 0..24)) {
        let value = SmtString::new(&points).unwrap();
        for dialect in [Standard, Z3Legacy, Cvc4Legacy, Raw] {
            if let Ok(text) = escape(&value, dialect) {
                prop_assert_eq!(&unescape(text.as_bytes(), dialect).unwrap(), &value, "{:?}", dialect);
                prop_assert!(dialect == Raw || text.bytes().all(|b| (0x20..=0x7E).contains(&b)));
            }
        }
        prop_assert!(escape(&value, Standard).is_ok());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        for dialect in [Standard, Z3Legacy, Cvc4Legacy, Raw] {
            let _ = unescape(&bytes, dialect);
        }
    }
}
