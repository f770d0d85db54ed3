//! Unit tests of `src/nats/parts.rs`.

use super::*;

fn part(bytes: &[u8], n: usize, of: usize, whole: &[u8]) -> (HeaderMap, Vec<u8>) {
    let mut headers = HeaderMap::new();
    let (name, value) = header(&files::digest::sha256(whole), n, of);
    headers.insert(name, value.as_str());
    (headers, bytes.to_vec())
}

fn word(assembled: &Assembled<u32>) -> String {
    match assembled {
        Assembled::Whole(bytes, kept) => format!("{} {kept:?}", String::from_utf8_lossy(bytes)),
        Assembled::Waiting => "waiting".to_string(),
        Assembled::Refused(why, _) => format!("{why:?}"),
    }
}

#[test]
fn parts_become_the_whole_in_any_order() {
    let mut parts = Parts::new();
    let mut take = |(headers, bytes): (HeaderMap, Vec<u8>), n: u32| word(&parts.take(Some(&headers), &bytes, n));
    assert_eq!(take(part(b"cd", 1, 3, b"abcdef"), 1), "waiting");
    assert_eq!(take(part(b"xy", 0, 2, b"xyz"), 2), "waiting");
    assert_eq!(take(part(b"cd", 1, 3, b"abcdef"), 3), "waiting", "delivered again");
    assert_eq!(take(part(b"ef", 2, 3, b"abcdef"), 4), "waiting");
    assert_eq!(take(part(b"ab", 0, 3, b"abcdef"), 5), "abcdef [5, 3, 4]");
    assert_eq!(take(part(b"!", 1, 2, b"xyz"), 6), "Hash");
    assert_eq!(take(part(b"a", 2, 2, b"ab"), 7), "Size");
    assert_eq!(take(part(b"a", 0, 100_000, b"ab"), 8), "Size");
    assert_eq!(word(&parts.take(None, b"alone", 9)), "alone [9]");
    assert_eq!(parts.held, 0);
}

#[test]
fn what_never_ends_is_given_up() {
    let mut parts = Parts::new();
    for n in 0..1000u32 {
        let whole = n.to_be_bytes();
        let (headers, bytes) = part(&[0; 100], 0, 2, &whole);
        parts.take(Some(&headers), &bytes, n);
    }
    assert_eq!((parts.open.len(), parts.held), (MAX_OPEN, MAX_OPEN * 100));
}
