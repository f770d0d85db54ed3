//! Unit tests of `src/coverage/gcov_file.rs`.

use super::*;

#[test]
fn versions_are_letters() {
    let check = |text: &[u8; 4], expect: Option<u32>| assert_eq!(version(u32::from_be_bytes(*text)), expect);
    check(b"B22*", Some(122));
    check(b"408*", Some(48));
    check(b"A93*", Some(93));
    check(b"....", None);
}

#[test]
fn what_is_no_file_of_gcov_is_refused() {
    let check = |bytes: &[u8], part: &str| {
        let error = GcovFile::open(Path::new("a.gcda"), bytes, b"gcda").err().expect("it is refused").to_string();
        assert!(error.contains("a.gcda cannot be read") && error.contains(part), "{error}");
    };
    check(b"", "ends too early");
    check(b"oncg*22B", "not a gcov file");
    check(b"adcg....0000", "version");
    check(b"adcg*22B0000", "ends too early");
}
