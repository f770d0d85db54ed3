//! Unit tests of `src/commands/report/next.rs`.

use super::*;

#[test]
fn the_list_is_the_users_to_edit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(FILE);
    let check = |text: &str, names: Option<&[&str]>, since: usize| {
        std::fs::write(&path, text).expect("a file");
        let read = TakenIssues::load(folder.path());
        let seen = read.as_ref().ok().map(|list| list.by_name.keys().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(seen.as_deref(), names, "{text}: {read:?}");
        assert_eq!(read.map_or(0, |list| list.since("2026-01-02")), since, "{text}");
    };
    check("", Some(&[]), 0);
    check("[\"A-1\"]\n", Some(&["A-1"]), 0);
    check(
        "# mine\n[\"A-1\"]\ntaken = \"2026-01-02\"\nlink = \"x\"\n[B]\ntaken = \"2026-01-01\"\n",
        Some(&["A-1", "B"]),
        1,
    );
    check("[\"A-1\"]\nreason = 1\n", None, 0);
    check("A-1", None, 0);
    std::fs::remove_file(&path).expect("it goes");
    let mut list = TakenIssues::load(folder.path()).expect("no list is an empty one");
    list.add("A-\"1\"", "Z3 errs on \"x\"\\", "2026-01-02");
    list.write().expect("it is written");
    let list = TakenIssues::load(folder.path()).expect("what was written is read");
    assert_eq!(list.by_name.keys().collect::<Vec<_>>(), ["A-\"1\""]);
    assert!(list.text.starts_with(HEAD));
}
