//! Unit tests of `src/commands/doctor/machine.rs`.

use super::*;

#[test]
fn memory_is_read_as_the_kernel_writes_it() {
    let check = |text: &str, expect: Option<u64>| assert_eq!(kibibytes(text, "MemAvailable:"), expect, "{text}");
    check("MemTotal: 9 kB\nMemAvailable:    2048 kB\n", Some(2 << 20));
    check("MemTotal: 9 kB\n", None);
    check("MemAvailable: much", None);
    check("MemAvailable: 99999999999999999999 kB", None);
}

#[test]
fn a_folder_that_is_not_there_yet_is_one_with_room() {
    let root = tempfile::tempdir().unwrap();
    let folder = usable(&root.path().join("a").join("b"));
    assert!(folder.free > 0 && folder.refused.is_none(), "{:?}", folder.refused);
    assert!(!folder.path.exists(), "a check creates nothing");
}
