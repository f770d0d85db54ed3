//! Tests of `problem`.

use anyhow::Result;
use experiment::problem::{BenchProblem, PublishedScore, SuiteManifest, instance};
use smtlib::{Status, Store};
use std::path::PathBuf;

const MANIFEST: &str = "manifest.tsv";

/// Reads these manifests, each in its own folder.
fn read(tables: &[&str]) -> Result<SuiteManifest> {
    let root = tempfile::tempdir().expect("a folder");
    let file = |(n, table): (usize, &&str)| {
        let folder = root.path().join(n.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(folder.join(MANIFEST), table).expect("a file");
        folder.join("x.smt2")
    };
    SuiteManifest::read(&tables.iter().enumerate().map(file).collect::<Vec<PathBuf>>())
}

#[test]
fn manifests_have_known_answers() {
    let text = "file\tsuite\texpected\tA\tB\nx.smt2\tQF_FP\tsat\t1.5\tunknown\ny.smt2\tQF_FP\tunknown\twrong\t900\n";
    let Ok(manifest) = read(&[text]) else { panic!("a manifest") };
    assert_eq!(manifest.rows["x.smt2"].expected, Some(Status::Sat));
    assert_eq!(manifest.rows["y.smt2"].expected, None);
    let problem = |name: &str| BenchProblem {
        path: PathBuf::new(),
        name: name.to_string(),
        suite: String::new(),
        expected: vec![None],
        proven: Vec::new(),
        text: String::new(),
    };
    let both = [problem("x.smt2"), problem("y.smt2"), problem("z.smt2")];
    let score = |name: &str, solved, wrong| PublishedScore { name: name.to_string(), solved, wrong };
    assert_eq!(manifest.published(both.iter()), [score("A", 1, 1), score("B", 1, 0)]);
    assert_eq!(manifest.published(both[2..].iter()), []);
}

#[test]
fn manifests_of_several_folders_have_their_own_columns() {
    let tables =
        ["file\tsuite\texpected\tA\tB\nx.smt2\tS\tsat\t1.5\t2\n", "file\tsuite\texpected\tB\ny.smt2\tT\tunsat\t7\n"];
    let Ok(manifest) = read(&tables) else { panic!("manifests") };
    assert_eq!(manifest.solvers, ["A", "B"]);
    assert_eq!(manifest.rows["y.smt2"].published.get("B").map(String::as_str), Some("7"));
}

#[test]
fn the_nearest_manifest_counts() {
    let root = tempfile::tempdir().expect("a folder");
    let suite = root.path().join("problems/QF_FP");
    std::fs::create_dir_all(&suite).expect("a folder");
    let file = suite.join("x.smt2");
    let table = |expected: &str| format!("file\tsuite\texpected\nx.smt2\tS\t{expected}\n");
    let check = |expect: Option<Option<Status>>| {
        let manifest = SuiteManifest::read(std::slice::from_ref(&file)).ok();
        assert_eq!(manifest.map(|m| m.rows.get("x.smt2").and_then(|row| row.expected)), expect);
    };
    check(Some(None));
    std::fs::write(root.path().join(MANIFEST), table("sat")).expect("a file");
    check(Some(Some(Status::Sat)));
    // A table with another heading around the files is unrelated.
    std::fs::write(root.path().join("problems").join(MANIFEST), "name\tx\n").expect("a file");
    check(Some(Some(Status::Sat)));
    std::fs::write(root.path().join("problems").join(MANIFEST), table("unsat")).expect("a file");
    check(Some(Some(Status::Unsat)));
    std::fs::write(suite.join(MANIFEST), "name\tx\n").expect("a file");
    check(None);
}

#[test]
fn other_tables_are_not_manifests() {
    assert!(read(&["name\tx\n"]).is_err());
    assert!(read(&["file\tsuite\texpected\nx.smt2\tQF_FP\n"]).is_err());
}

#[test]
fn a_problem_has_one_check() {
    let one = |text: &str| instance(&mut Store::new(), text).is_some();
    assert!(one("(declare-const x Int)(assert (< x 0))(check-sat)"));
    assert!(!one("(check-sat)(check-sat)"));
    assert!(!one("(assert x)(check-sat)"));
    assert!(!one("(assert true)"));
}
