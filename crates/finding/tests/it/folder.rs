//! The folder of a finding: written whole, read within it, and no further.

use finding::answer_vector::SavedVector;
use finding::folder::{self, FINDINGS, FindingFile, FindingFolder, FindingPaths, FolderError, is_name};
use finding::{Finding, Trust};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

fn record(id: &str) -> Finding {
    let record = json!({
        "format": 1, "id": id, "class": "A", "summary": "s", "origin": "mutant", "trust": {"kind": "certified"}, "check": 0,
        "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": "unsat", "repeats": {"shown": 2, "runs": 2},
        "solver": {"spec": "z3", "label": "z3", "version": null, "origin": "x", "purposes": [], "command": [], "timeout_s": 1.0,
                   "memory_bytes": null},
        "others": [], "mutator": null, "campaign": {"seed": 4, "unit": 9, "index": 0}, "mutant_sha256": "", "mutant_bytes": 3,
        "found_at": 0, "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    serde_json::from_value(record).expect("a record")
}

/// The findings of a new campaign, with one named `A-x`.
fn campaign() -> (tempfile::TempDir, FindingFolder) {
    let root = tempfile::tempdir().expect("a folder");
    let findings = root.path().join(FINDINGS);
    fs::create_dir(&findings).expect("a folder");
    let files = [(FindingFile::Mutant, &b"abc"[..]), (FindingFile::Witness, &b"w"[..])];
    let finding = FindingFolder::create(&findings, &record("A-x"), &files).expect("it is written");
    (root, finding)
}

#[test]
fn what_is_written_is_found_and_read() {
    let (root, finding) = campaign();
    assert_eq!(folder::find(root.path()).expect("one"), [finding.path()]);
    assert_eq!(finding.record().expect("a record"), record("A-x"));
    assert_eq!(finding.text(FindingFile::Mutant).expect("a text"), "abc");
    assert_eq!(finding.text_if_there(FindingFile::Seed).expect("none"), None);
    // An existing one stays, and so does one that was reduced.
    let changed = Finding { trust: Trust::Command, ..record("A-x") };
    FindingFolder::create(&root.path().join(FINDINGS), &changed, &[]).expect("it is there");
    assert_eq!(finding.record().expect("a record"), record("A-x"));
    finding.put(FindingFile::Reduced, "ab").expect("written");
    for (script, expect) in [("ab", true), ("abc", false)] {
        let saved =
            SavedVector { script: files::sha256(script), vector: [("z3".to_string(), true)].into_iter().collect() };
        finding.write(&saved).expect("written");
        assert_eq!(finding.vector(), expect.then_some(saved), "of {script}");
    }
    finding.put(FindingFile::Account, "{}").expect("written");
    finding.remove_unreduced().expect("nothing to do");
    assert!(finding.has(FindingFile::Mutant));
    fs::remove_file(finding.place(FindingFile::Account)).expect("removed");
    finding.remove_unreduced().expect("removed");
    assert!(matches!(folder::find(root.path()), Err(FolderError::NoFinding(_))));
    assert!(matches!(folder::find(&root.path().join("gone")), Err(FolderError::NoFolder(_))));
}

#[test]
fn nothing_is_followed_out_of_the_folder() {
    let (root, finding) = campaign();
    let victim = root.path().join("victim");
    fs::write(&victim, "mine").expect("a file");
    symlink(&victim, finding.place(FindingFile::Reduced)).expect("a link");
    symlink(&victim, finding.path().join("reduced.json")).expect("a link");
    let paths = FindingPaths::of(finding.path(), None);
    paths.write_result(b"(check-sat)", Some("w"), &json!({"key": 1})).expect("written");
    assert_eq!(fs::read_to_string(&victim).expect("a file"), "mine");
    assert_eq!(paths.account::<Value>(), Some(json!({"key": 1})));
    assert_eq!((paths.result_bytes(), paths.result_witness().as_deref()), (Some(11), Some("w")));
    symlink(finding.path(), root.path().join(FINDINGS).join("A-y")).expect("a link");
    assert_eq!(folder::find(root.path()).expect("one"), [finding.path()]);
}

#[test]
fn what_is_damaged_is_said() {
    let (_root, finding) = campaign();
    let check = |change: &dyn Fn(&mut Value), expect: &str| {
        let mut value = serde_json::to_value(record("A-x")).expect("a value");
        change(&mut value);
        finding.put(FindingFile::Record, &value.to_string()).expect("written");
        let error = finding.record().expect_err(expect).to_string();
        assert!(error.contains(expect), "{error}");
    };
    check(
        &|record| record["format"] = json!(9),
        "finding.json' has format 9, this program knows 1; use a newer squall",
    );
    check(&|record| record["id"] = json!("../x"), "finding.json' is damaged: its name \"../x\" is none");
    check(&|record| record["class"] = json!("F"), "finding.json' is damaged: unknown variant `F`");
    fs::remove_file(finding.place(FindingFile::Mutant)).expect("removed");
    assert!(finding.text(FindingFile::Mutant).is_err_and(|error| error.is_missing()));
}

#[test]
fn the_files_of_a_reduction_lie_next_to_what_is_reduced() {
    let (_root, finding) = campaign();
    let check = |path: &Path, expect: [&str; 2]| {
        let paths = FindingPaths::of(path, None);
        let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!([name(&paths.input), name(&paths.output)], expect);
        assert_eq!(paths.folder.is_some(), path.is_dir());
        paths.write_result(b"(exit)", None, &json!({})).expect("written");
        assert!(paths.has_result() && !paths.is_reduced());
    };
    check(finding.path(), ["mutant.smt2", "reduced.smt2"]);
    check(&finding.path().join("bug.smt2"), ["bug.smt2", "bug.reduced.smt2"]);
    check(&finding.path().join("bug.c"), ["bug.c", "bug.reduced.c"]);
    check(&finding.path().join("bug"), ["bug", "bug.reduced"]);
    check(&finding.path().join("data.json"), ["data.json", "data.reduced.json"]);
    for account in ["bug.reduced.json", "data.reduced.account.json"] {
        assert!(finding.path().join(account).exists(), "{account}");
    }
    assert!(FindingPaths::of_smallest(finding.path()).is_reduced());
}

#[test]
fn names_lead_nowhere() {
    let check = |name: &str, expect: bool| assert_eq!(is_name(name), expect, "{name}");
    check("A-z3@4.8.7+seq-bug_3.x", true);
    ["", ".x", "a/b", "..", "a b", "ä"].into_iter().for_each(|name| check(name, false));
    check(&"x".repeat(200), true);
    check(&"x".repeat(201), false);
}
