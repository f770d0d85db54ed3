//! Unit tests of `src/commands/ci/known.rs`.

use super::*;

fn way(by: KnownBy, key: &str) -> KnownFinding {
    KnownFinding { class: BugClass::D, solver: "z3".to_string(), by, key: key.to_string() }
}

#[test]
fn what_is_written_is_read_and_one_way_is_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("known.json");
    let mut known = KnownFindings::default();
    known.add(vec![way(KnownBy::Script, "ab"), way(KnownBy::Crash, "assertion: x")]);
    known.write(&path).expect("written");
    let read = KnownFindings::read(&path).expect("read");
    assert_eq!(read, known);
    assert!(read.holds(&[way(KnownBy::Script, "cd"), way(KnownBy::Crash, "assertion: x")]));
    let cvc5 = KnownFinding { solver: "cvc5".to_string(), ..way(KnownBy::Crash, "assertion: x") };
    let wrong_answer = KnownFinding { class: BugClass::A, ..way(KnownBy::Crash, "assertion: x") };
    assert!(!read.holds(&[way(KnownBy::Skeleton, "ab"), cvc5, wrong_answer]));
    assert!(!read.holds(&[]));
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |text: &str, expect: &str| {
        let path = folder.path().join("known.json");
        std::fs::write(&path, text).expect("a file");
        let error = format!("{:#}", KnownFindings::read(&path).expect_err(text));
        assert!(error.contains(expect), "{error}");
    };
    check("", "--write-known");
    check("[1]", "--write-known");
    check(r#"{"format": 2, "findings": []}"#, "format 2");
    assert!(format!("{:#}", KnownFindings::read(Path::new("/nowhere")).expect_err("none")).contains("/nowhere"));
}
