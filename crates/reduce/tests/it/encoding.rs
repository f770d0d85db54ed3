//! Texts hold any bytes, and give them back.

use reduce::encoding::TextEncoding;

#[test]
fn bytes_come_back() {
    let check = |bytes: &[u8], expect: TextEncoding| {
        let encoding = TextEncoding::of(bytes);
        assert_eq!(encoding, expect, "{bytes:?}");
        assert_eq!(*encoding.encode(&encoding.decode(bytes)), *bytes);
    };
    check("(é)".as_bytes(), TextEncoding::Utf8);
    check(b"", TextEncoding::Utf8);
    check(b"\xff", TextEncoding::Bytes);
    check(&(0..=u8::MAX).collect::<Vec<_>>(), TextEncoding::Bytes);
    // What was cut from bytes may be UTF-8 by chance, and is held as before.
    let cut = "é".as_bytes();
    assert_eq!(*TextEncoding::Bytes.encode(&TextEncoding::Bytes.decode(cut)), *cut);
}
