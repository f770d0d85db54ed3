//! `squall compare` end to end, with stand-ins that are right, wrong and silent.

use crate::support::{ALWAYS, squall};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SAT: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))\n(check-sat)\n";
const UNSAT: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (and (> x 1) (< x 1)))\n(check-sat)\n";

/// `problems/S` with three files known to be sat and one known to be unsat, by the manifest of `problems`.
fn problems() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("problems/S");
    fs::create_dir_all(&folder).expect("a folder");
    let mut manifest = "file\tsuite\texpected\tTool\n".to_string();
    for (name, text, expected, published) in
        [("a", SAT, "sat", "1.5"), ("b", SAT, "sat", "wrong"), ("c", SAT, "sat", "2"), ("d", UNSAT, "unsat", "3")]
    {
        fs::write(folder.join(format!("{name}.smt2")), text).expect("a file");
        manifest.push_str(&format!("{name}.smt2\tS\t{expected}\t{published}\n"));
    }
    fs::write(root.path().join("problems/manifest.tsv"), manifest).expect("a file");
    fs::write(root.path().join("solver.sh"), ALWAYS).expect("a file");
    root
}

fn compare(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command: Command = squall();
    command.args(["compare"]).args(arguments).args(["--timeout", "5s", "--out", "compared"]);
    let output = command.current_dir(root).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_solver_that_always_says_unsat_has_no_good_score() {
    let root = problems();
    let unsat = format!("/bin/sh {} unsat", root.path().join("solver.sh").display());
    let arguments = ["problems/S", "--runs", "1", "--solver", "strategy:(then simplify smt)", "--solver", &unsat];
    let (code, stdout, stderr) = compare(root.path(), &arguments);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    let shows = |text: &str| assert!(stdout.contains(text), "'{text}' in {stdout}");
    shows("S: 4 files, 3 known to be sat, 1 unsat");
    shows("4 solved (3 sat, 1 unsat), 0 wrong, score 4,");
    shows("1 solved (0 sat, 1 unsat), 3 wrong, score -2,");
    shows("published: Tool 3 (1 wrong)");
    // Disagreements come first, with the contender that is wrong and why.
    let first = format!(
        "WRONG: {unsat}: a.smt2: strategy:(then simplify smt) says sat, {unsat} says unsat; it is sat by a model"
    );
    assert!(stdout.starts_with(&first), "{stdout}");
    let read = |name: &str| fs::read_to_string(root.path().join("compared").join(name)).expect("a file");
    let pairs = read("pairs.csv");
    assert_eq!(pairs.lines().nth(1).map(|row| row.rsplit(',').next()), Some(Some("0")), "never faster: {pairs}");
    assert!(pairs.contains(",1,3,0,0,"), "one file is solved by both, three by the first alone: {pairs}");
    assert!(read("scores.csv").contains(",1,0,3,-2,0,1,0,"), "{}", read("scores.csv"));
    assert_eq!(read("samples.csv").matches(",wrong,").count(), 3, "{}", read("samples.csv"));
    let page = read("index.html");
    assert!(page.contains(">Wrong</th>") && page.contains(">-2</td>"), "{page}");
    // The axis of the plot starts at the score of three wrong answers.
    assert!(page.contains(">-3</text>"), "{page}");
}

/// A contender that was right about a file with a wrong `:status` was said to disagree, with nobody.
#[test]
fn a_wrong_status_is_accused() {
    let root = problems();
    fs::write(root.path().join("wrong.smt2"), format!("(set-info :status unsat){SAT}")).expect("a file");
    let (code, stdout, stderr) = compare(root.path(), &["wrong.smt2", "--solver", "strategy:(then simplify smt)"]);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    let says = "strategy:(then simplify smt) says sat; it is sat by a model that makes every assertion true";
    assert!(stdout.starts_with(&format!("WRONG: its :status or manifest (unsat): wrong.smt2: {says}\n")), "{stdout}");
    assert!(stdout.contains(" 0 wrong, score 1,"), "{stdout}");
    let read = |name: &str| fs::read_to_string(root.path().join("compared").join(name)).expect("a file");
    assert!(read("results.json").contains("\"claimed\": \"unsat\""), "{}", read("results.json"));
    assert!(read("index.html").contains("its :status or manifest (unsat)"), "{}", read("index.html"));
}

#[test]
fn files_without_a_known_answer_are_in_dispute() {
    let root = problems();
    fs::remove_file(root.path().join("problems/manifest.tsv")).expect("removed");
    let solver = |answer: &str| format!("/bin/sh {} {answer}", root.path().join("solver.sh").display());
    let arguments = ["problems/S", "--runs", "1", "--solver", &solver("sat"), "--solver", &solver("unsat")];
    let (code, stdout, stderr) = compare(root.path(), &arguments);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    // Exhaustion refutes one of them; the others range over all integers.
    assert!(stdout.contains("4 files, 0 known to be sat, 1 unsat, 3 in dispute"), "{stdout}");
    assert_eq!(stdout.matches("nothing proves who is right").count(), 3, "{stdout}");
    assert!(stdout.starts_with("WRONG: ") && stdout.contains("it is unsat by exhaustion"), "{stdout}");
    assert!(stdout.contains("0 solved (0 sat, 0 unsat), 1 wrong, score -1,"), "{stdout}");
    let (_, stdout, _) = compare(root.path(), &["problems/S", "--runs", "1", "--solver", &solver("unsat")]);
    assert!(stdout.contains("4 solved (0 sat, 4 unsat), 0 wrong"), "alone, nobody contradicts it: {stdout}");
}

/// Runs the experiment with the options of all tests.
fn run(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command: Command = squall();
    command.args(["compare"]).args(arguments).args(["--out", "compared"]);
    let output = command.current_dir(root).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn read(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join("compared").join(name)).expect("a file")
}

#[test]
fn the_same_command_resumes() {
    let root = problems();
    fs::write(root.path().join("problems/S/e.smt2"), "(declare-const x Int)\n").expect("a file");
    fs::write(root.path().join("problems/S/f.smt2"), [0xff, 0xfe]).expect("a file");
    let ways = ["search", "search:invert", "search:sum", "search:random"];
    let mut arguments = vec!["problems/S", "--timeout", "500ms"];
    ways.iter().for_each(|way| arguments.extend(["--solver", way]));
    let (code, stdout, stderr) = run(root.path(), &arguments);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let samples = read(root.path(), "samples.csv");
    for way in ways {
        assert!(samples.contains(&format!(",S,sat,{way},0,")), "{way}: {samples}");
    }
    assert!(
        stderr.contains("e.smt2: it has no complete check-sat") && stderr.contains("f.smt2: the text is not UTF-8"),
        "{stderr}"
    );
    let tables = read(root.path(), "figures.md");
    assert_eq!(tables.matches("| all others |").count(), 1, "{tables}");
    assert!(read(root.path(), "index.html").contains("<td class=\"keep\">all others</td>"));
    // Kept samples do not run again: the same command writes the same times.
    let (code, again, stderr) = run(root.path(), &arguments);
    assert_eq!((code, again.as_str()), (Some(0), stdout.as_str()), "{stderr}");
    assert_eq!(read(root.path(), "samples.csv"), samples);
    // Only an added contender runs.
    arguments.extend(["--solver", "search:distance"]);
    let (code, _, stderr) = run(root.path(), &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    let more = read(root.path(), "samples.csv");
    assert!(samples.lines().all(|row| more.contains(row)) && more.contains("search:distance"), "{more}");
    // Runs under other conditions are other runs.
    arguments.extend(["--seed", "1"]);
    let (code, _, stderr) = run(root.path(), &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    let other = read(root.path(), "samples.csv");
    assert!(samples.lines().skip(1).any(|row| !other.contains(row)), "{other}");
}

/// Runs of the user's own program were not kept, and an interruption lost them.
#[test]
fn a_program_of_ones_own_runs_again_once_it_changed() {
    let root = problems();
    let solver = root.path().join("own.sh");
    let write = |more: &str| fs::write(&solver, format!("echo >> {}/runs\n{ALWAYS}{more}", root.path().display()));
    let named = format!("/bin/sh {} sat", solver.display());
    let runs = || fs::read_to_string(root.path().join("runs")).map_or(0, |runs| runs.lines().count());
    let check = |runs_after: usize| {
        let (_, stdout, stderr) = compare(root.path(), &["problems/S", "--solver", &named]);
        assert_eq!(runs(), runs_after, "{stdout}{stderr}");
    };
    write("").expect("a file");
    compare(root.path(), &["problems/S", "--solver", &named]);
    // The second command asks for the version and for models alone.
    let first = runs();
    compare(root.path(), &["problems/S", "--solver", &named]);
    let asked = runs() - first;
    assert!(asked < first, "{asked} of {first}");
    check(first + 2 * asked);
    write("\n# changed\n").expect("a file");
    check(2 * first + 2 * asked);
}

#[test]
fn each_check_of_a_session_is_compared() {
    let root = problems();
    let session = "(declare-const b Bool)(assert b)\n(check-sat)\n(push 1)(assert (not b))\n(check-sat)\n(pop 1)";
    fs::write(root.path().join("session.smt2"), session).expect("a file");
    let sat = format!("/bin/sh {} sat", root.path().join("solver.sh").display());
    let arguments = ["session.smt2", "--format", "json", "--solver", "strategy:smt", "--solver", &sat];
    let (code, stdout, stderr) = run(root.path(), &arguments);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    let results: serde_json::Value = serde_json::from_str(&stdout).expect("one JSON object");
    let one = &results["disagreements"][0];
    assert_eq!(
        (&one["check"], &one["truth"], &one["wrong"][0]),
        (&2.into(), &"unsat".into(), &sat.clone().into()),
        "{stdout}"
    );
    assert_eq!(results["disagreements"].as_array().map(Vec::len), Some(1), "{stdout}");
    assert!(
        read(root.path(), "samples.csv").contains(",strategy:smt,0,sat unsat,"),
        "{}",
        read(root.path(), "samples.csv")
    );
}

#[test]
fn scores_and_tables_tell_who_solves_what() {
    let root = problems();
    let solver = |answer: &str| format!("/bin/sh {} {answer}", root.path().join("solver.sh").display());
    let (sat, unsat) = (solver("sat"), solver("unsat"));
    let silent = solver("unknown");
    let with = ["--solver", &sat, "--solver", &unsat, "--solver", &silent];
    let arguments = [&["problems/S", "--runs", "2", "--timeout", "5s"][..], &with].concat();
    let (code, stdout, stderr) = run(root.path(), &arguments);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    let row = stdout.lines().find(|line| line.trim_start().starts_with(&sat));
    let row = row.unwrap_or_else(|| panic!("{sat} in {stdout}"));
    assert!(row.contains("3 solved (3 sat, 0 unsat), 1 wrong, score 2,") && row.contains("3 alone"), "{stdout}");
    assert!(stdout.contains("and all others: both 0, only it 3, only they 1, neither 0"), "{stdout}");
    assert!(read(root.path(), "pairs.csv").contains(",all others,0,3,1,0,0,0"), "{}", read(root.path(), "pairs.csv"));
    assert_eq!(read(root.path(), "samples.csv").lines().count(), 1 + 4 * 3 * 2);
}
