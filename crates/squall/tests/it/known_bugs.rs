//! `squall experiment known-bugs` end to end, with a wrong solver and a fixed one.

use crate::support::{ALWAYS, Stage, printed, squall};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Answers `unsat` if it reads `xor`, and `sat` otherwise.
const WRONG: &str = r#"read_all=$(cat)
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | grep '^(check-sat' | while read -r l; do echo $answer; done
"#;

const SHOWS: &str = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(check-sat)\n";

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    fs::write(stage.path("repaired.sh"), ALWAYS).expect("a file");
    fs::create_dir(stage.path("seeds")).expect("a folder");
    let seed =
        "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (xor (> x 1) (< y x)))(check-sat)\n";
    fs::write(stage.path("seeds/xor.smt2"), seed).expect("a file");
    fs::write(stage.path("seeds/same.smt2"), SHOWS.replace(")(", ")\n(")).expect("a file");
    fs::write(stage.path("shows.smt2"), SHOWS).expect("a file");
    let (wrong, repaired) = (stage.solver(""), format!("/bin/sh {} sat", stage.path("repaired.sh").display()));
    let bug = |id: &str, fixed: &str, more: &str| {
        format!("[[bug]]\nid = '{id}'\nsolver = '{}'\nfixed = '{}'\nclass = 'A'\n{more}\n", wrong.trim(), fixed.trim())
    };
    let bugs = [
        bug("seeded", &repaired, "seed = 'seeds/xor.smt2'\nfuzz = '--mutator operator'"),
        bug("shown", &repaired, "revealing = 'shows.smt2'\nfuzz = '--mutator operator'"),
        // The release that the list calls fixed errs, too.
        bug("standing", &wrong, "seed = 'seeds/xor.smt2'\nfuzz = '--mutator operator'"),
        // A finding must show in the last release that has the bug, too.
        bug(
            "later",
            &repaired,
            &format!("seed = 'seeds/xor.smt2'\nlast = '{}'\nfuzz = '--mutator operator'", repaired.trim()),
        ),
    ];
    fs::write(stage.path("bugs.toml"), bugs.concat()).expect("a file");
    stage
}

fn known_bugs(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = squall();
    command.args(["experiment", "known-bugs", "seeds", "--manifest", "bugs.toml", "--quick", "--out", "again"]);
    printed(command.args(arguments).current_dir(stage.root.path()))
}

#[test]
fn a_bug_counts_where_the_fixed_release_is_right() {
    let stage = stage();
    let few = ["--for-cpu", "2s", "--jobs", "1"];
    let (code, stdout, stderr) = known_bugs(&stage, &few);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let read = |name: &str| fs::read_to_string(stage.path("again").join(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("results.json")).expect("JSON");
    let bug = |n: usize, key: &str| results["bugs"][n][key].clone();
    assert_eq!([0, 1, 2, 3].map(|n| bug(n, "found")), [1, 1, 0, 0].map(Value::from), "{results}");
    assert_eq!(bug(0, "refused"), 0, "{results}");
    assert!([2, 3].iter().all(|n| bug(*n, "refused").as_u64() >= Some(1)), "{results}");
    // The script that shows the bug is not a seed, whatever its layout.
    let words = results["runs"][1]["words"].to_string();
    assert!(words.contains("seeds/xor.smt2") && !words.contains("same.smt2"), "{words}");
    assert!(stdout.contains("2 of 4 bugs found"), "{stdout}");
    let page = read("index.html");
    assert!(page.contains(">standing</text>") && page.contains(">0 of 1</text>"), "{page}");
    // The page links to a finding.
    let link = page.split("<a href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a link");
    let link = link.replace("&#x2f;", "/");
    assert!(link.starts_with("runs/"), "{link}");
    assert!(read(&format!("{link}finding.json")).contains("\"class\""), "{link}");
    assert_eq!(read("runs.csv").lines().count(), 5, "{}", read("runs.csv"));
    // Nothing runs again, and other conditions need another folder.
    let before = read("runs.csv");
    assert_eq!((known_bugs(&stage, &few).0, read("runs.csv")), (Some(0), before));
    let other = known_bugs(&stage, &["--for-cpu", "1s", "--jobs", "1"]);
    assert!(other.0 == Some(1) && other.2.contains("was made under other conditions"), "{}", other.2);
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = known_bugs(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(&["--bug", "bug3"], 2, "there is no such bug; there are: seeded, shown, standing, later");
    check(&["nowhere"], 2, "there is no 'nowhere'");
    fs::remove_file(stage.path("seeds/xor.smt2")).expect("a file");
    check(&[], 1, "bug 'seeded'");
    fs::write(stage.path("bugs.toml"), "[[bug]]\nid='b'\nsolver='/bin/sh'\nfixed='/no/such/solver'").expect("a file");
    check(&[], 2, "bug 'b': cannot get /no/such/solver");
}

/// Copies findings of the repository, with the answers of a future release to their scripts.
fn findings_with_release(folder: &Path, names: &[&str], errs: bool) {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../found");
    for name in names {
        let to = folder.join(name);
        fs::create_dir_all(&to).expect("a folder");
        for entry in fs::read_dir(found.join(name)).expect("a finding").map(|entry| entry.expect("a file")) {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
        let vector = to.join("vector.json");
        let mut value: Value = serde_json::from_slice(&fs::read(&vector).expect("a vector")).expect("JSON");
        value["vector"]["z3@9.0.0"] = errs.into();
        fs::write(&vector, value.to_string()).expect("a file");
    }
}

#[test]
fn a_list_is_made_of_findings() {
    let names = ["z3@5.4.1-A-102c8603", "z3@5.4.1-A-30ff1c4d", "z3@5.4.1-A-6ded926e"];
    let check = |errs: bool, code: i32| {
        let root = tempfile::tempdir().expect("a folder");
        findings_with_release(root.path(), &names, errs);
        let mut command = squall();
        let run = printed(command.args(["experiment", "known-bugs", "--collect"]).arg(root.path()));
        assert_eq!(run.0, Some(code), "{}{}", run.1, run.2);
        run
    };
    let (_, list, _) = check(false, 0);
    insta::assert_snapshot!(list);
    // It is a list that the command takes.
    let stage = Stage::new(ALWAYS);
    fs::write(stage.path("bugs.toml"), &list).expect("a file");
    let mut command = squall();
    command.args(["experiment", "known-bugs", "--manifest", "bugs.toml", "--bug", "none"]);
    let (code, _, stderr) = printed(command.current_dir(stage.root.path()));
    assert!(code == Some(2) && stderr.contains("there are: z3-5.4.1-A-"), "{stderr}");
    let (_, _, stderr) = check(true, 1);
    assert!(
        stderr.contains("no finding is reduced that an installed release shows and a later one does not"),
        "{stderr}"
    );
}
