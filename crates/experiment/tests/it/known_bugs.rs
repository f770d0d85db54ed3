//! Tests of `known_bugs`.

use experiment::known_bugs::manifest::*;
use experiment::known_bugs::run::form;
use finding::BugClass;
use std::path::Path;

fn defaults() -> BugDefaults {
    BugDefaults { solver: Some("z3@4.8.7".into()), fixed: Some("z3@4.15.4".into()), folders: Vec::new() }
}

#[test]
fn the_known_bugs_read() {
    let list = read(Path::new("own"), &BugDefaults::default()).expect("a list");
    assert!(list.len() >= 40, "{}", list.len());
    let is_made = |bug: &ReleaseBug| bug.words.iter().any(|word| word == "finite");
    for bug in &list {
        assert!(Some(&bug.solver) != bug.fixed.as_ref() && bug.last != bug.fixed, "{bug:?}");
        assert!(bug.seed.is_some() || is_made(bug), "{bug:?}");
    }
    let error = read(Path::new("storm"), &BugDefaults::default()).expect_err("its seeds are elsewhere");
    assert!(format!("{error:#}").contains("bug 'bug3': there is no 'bug3.smt2'; name the folder"), "{error:#}");
}

#[test]
fn mistakes_in_lists_are_reported() {
    let root = tempfile::tempdir().expect("a folder");
    std::fs::write(root.path().join("s.smt2"), "(check-sat)").expect("a file");
    let check = |name: &str, text: &str, defaults: &BugDefaults, part: &str| {
        let path = root.path().join(name);
        std::fs::write(&path, text).expect("a file");
        match read(&path, defaults) {
            Ok(list) => assert_eq!((list.len(), part), (1, ""), "{text}"),
            Err(error) => assert!(!part.is_empty() && format!("{error:#}").contains(part), "{text}: {error:#}"),
        }
    };
    let (known, none) = (defaults(), BugDefaults::default());
    check("a.toml", "[[bug]]\nid='b'\nseed='s.smt2'", &known, "");
    check("a.toml", "[[bug]]\nid='b'\nseed='t.smt2'", &known, "there is no");
    check("a.toml", "[[bug]]\nid='b'", &none, "no solver is named");
    check("a.toml", "[[bug]]\nid='b'\nsolver='z3'", &none, "no fixed release is named");
    check("a.toml", "[[bug]]\nid='b'\nclass='Q'", &known, "'Q'");
    check("a.toml", "[[bug]]\nid='b'\nfuzz='--seed 3'", &known, "sets --seed");
    check("a.toml", "[[bug]]\nid='../b'", &known, "is not the name of an arm");
    check("a.toml", "[[bug]]\nid='b'\n[[bug]]\nid='b'", &known, "two bugs are called 'b'");
    check("a.toml", "bug=[]", &known, "it holds no bug");
    check("a.toml", "[[bug]]\nid='b'\ntheory='x'", &known, "unknown field `theory`");
    let table = |row: &str| format!("file\tsolver\toptions\tbehaviour\n{row}\n");
    check("a.tsv", &table("s.smt2\tz3@4.8.7\t-\twrong-unsat"), &known, "");
    check("a.tsv", &table("s.smt2\tz3@4.8.7\t-\tslow"), &known, "line 2: 'slow' is not wrong-unsat");
    check("a.tsv", &table("s.smt2\tz3@4.8.7"), &known, "line 2 is too short");
    check("a.tsv", "s.smt2\n", &known, "the first line must name the columns");
    assert!(read(Path::new("no-such-list.toml"), &known).is_err());
}

#[test]
fn seeds_may_lie_as_in_the_repository_of_the_paper() {
    let root = tempfile::tempdir().expect("a folder");
    let seeds = root.path().join("copy/storm/fse_repl");
    for bug in ["bug3", "bug7", "bug9", "bug11", "bug12"] {
        std::fs::create_dir_all(seeds.join(bug)).expect("a folder");
        std::fs::write(seeds.join(bug).join("seed.smt2"), "(check-sat)").expect("a file");
    }
    for folder in [root.path().join("copy"), seeds] {
        let list = read(Path::new("storm"), &BugDefaults { folders: vec![folder], ..BugDefaults::default() });
        let list = list.expect("all seeds are there");
        assert!(list.len() == 5 && list[0].seed.as_ref().is_some_and(|seed| seed.ends_with("bug3/seed.smt2")));
    }
}

#[test]
fn rows_become_bugs() {
    let root = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(root.path().join(name), text).expect("a file");
    file("s.smt2", "(check-sat)");
    file("a.toml", "[[bug]]\nid='b'\nclass='B'\noptions='model_validate=true'\ntactic='(then simplify smt)'");
    let bug = read(&root.path().join("a.toml"), &defaults()).expect("a list").remove(0);
    assert_eq!((bug.class, bug.words), (BugClass::B, vec!["--tactics".into(), "(then simplify smt)".to_string()]));
    assert_eq!(bug.solver, "z3@4.8.7 model_validate=true");
    assert_eq!(bug.fixed.as_deref(), Some("z3@4.15.4 model_validate=true"));
    let list = read(root.path(), &defaults()).expect("a list");
    assert_eq!(list.iter().map(|bug| (&*bug.id, bug.seed.is_some())).collect::<Vec<_>>(), [("s", true)]);
    // A seed is searched for next to the list, then in the folders. With a seed, its mutants are used.
    file("b.toml", "[[bug]]\nid='b'\nseed='only.smt2'\nfuzz='--models 0'");
    let elsewhere = tempfile::tempdir().expect("a folder");
    std::fs::write(elsewhere.path().join("only.smt2"), "(check-sat)").expect("a file");
    let known = BugDefaults { folders: vec![elsewhere.path().to_path_buf()], ..defaults() };
    let bug = read(&root.path().join("b.toml"), &known).expect("a list").remove(0);
    assert_eq!(bug.words, ["--models", "0", "--mutator", "storm"]);
}

#[test]
fn the_form_ignores_spacing_and_status() {
    let check = |a: &str, b: &str, same: bool| assert_eq!(form(a) == form(b), same, "{a} {b}");
    let text = "(declare-const p Bool)(assert p)(check-sat)";
    check(text, "(set-info :status sat)\n(declare-const p Bool) (assert p)\n(check-sat)\n(exit)", true);
    check(text, "(declare-const p Bool)(assert (not p))(check-sat)", false);
}
