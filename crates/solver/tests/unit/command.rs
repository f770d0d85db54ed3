//! Unit tests of `src/build/command.rs`.

use super::*;

#[test]
fn the_steps_of_ninja_are_read() {
    let check = |text: &str, expect: Option<(u64, u64)>| {
        assert_eq!(steps(text).map(|steps| (steps.done, steps.total)), expect, "{text}");
    };
    check("[1/898] Building a\n[2/898] Building b\nwarning: x\n", Some((2, 898)));
    check("[ 12/18] x", Some((12, 18)));
    check("x [1/2]\n", None);
    check("[a/b]\n[1]\n", None);
    check("", None);
}

#[test]
fn the_end_of_a_log_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let check = |text: &str, expect: &str| {
        std::fs::write(&log, text).unwrap();
        assert_eq!(last_lines(&log), expect);
    };
    check("", "it printed nothing");
    check("a\n\nb\n", "a\n  b");
    check("a.cpp:1: error: x\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "a.cpp:1: error: x\n  2\n  3\n  4\n  5\n  6\n  7\n  8");
}
