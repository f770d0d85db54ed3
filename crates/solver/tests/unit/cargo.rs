//! Unit tests of `src/sources/cargo.rs`.

use super::{place_in_index, versions_in};

#[test]
fn the_index_is_read_as_cargo_keeps_it() {
    let check = |copy: &[u8], expect: &str| {
        let names: Vec<String> = versions_in(copy).iter().map(ToString::to_string).collect();
        assert_eq!(names.join(" "), expect, "{}", String::from_utf8_lossy(copy));
    };
    let two = b"\x03\x02\0\0\0etag: \"7\"\x000.3.4\0{\"name\":\"a\",\"vers\":\"0.3.4\",\"yanked\":false}\0\
            0.10.0\0{\"name\":\"a\",\"vers\":\"0.10.0\"}\0";
    check(two, "0.10.0 0.3.4");
    check(b"\0{\"vers\":\"1.0.0\",\"yanked\":true}\0{\"vers\":\"0.9.0\",\"yanked\":false}\0", "0.9.0");
    check(b"\0{\"vers\":\"nonsense\"}\0{\"vers\":1}\0{\0", "");
    check(b"", "");
}

#[test]
fn crates_lie_where_the_registry_says() {
    let check = |name: &str, expect: &str| assert_eq!(place_in_index(name).to_str(), Some(expect));
    check("a", "1/a");
    check("ab", "2/ab");
    check("abc", "3/a/abc");
    check("oxiz-cli", "ox/iz/oxiz-cli");
    check("Abcd", "ab/cd/abcd");
}
