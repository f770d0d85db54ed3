//! `squall bench` end to end, with stand-ins that are right, wrong and silent.

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

fn bench(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command: Command = squall();
    command.args(["bench", "fp"]).args(arguments).args(["--timeout", "5s", "--out", "compared"]);
    let output = command.current_dir(root).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_solver_that_always_says_unsat_has_no_good_score() {
    let root = problems();
    let unsat = format!("/bin/sh {} unsat", root.path().join("solver.sh").display());
    let arguments = ["problems/S", "--runs", "1", "--with", "strategy:(then simplify smt)", "--with", &unsat];
    let (code, stdout, stderr) = bench(root.path(), &arguments);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    let shows = |text: &str| assert!(stdout.contains(text), "'{text}' in {stdout}");
    shows("S: 4 files, 3 known to be sat, 1 unsat");
    shows("4 solved (3 sat, 1 unsat), 0 wrong, score 4,");
    shows("1 solved (0 sat, 1 unsat), 3 wrong, score -2,");
    shows("published: Tool 3 (1 wrong)");
    assert!(stderr.contains("CONTRADICTION: a.smt2: ") && stderr.contains("the file is known to be sat"), "{stderr}");
    let read = |name: &str| fs::read_to_string(root.path().join("compared").join(name)).expect("a file");
    let pairs = read("pairs.csv");
    assert_eq!(pairs.lines().nth(1).map(|row| row.rsplit(',').next()), Some(Some("0")), "never faster: {pairs}");
    assert!(pairs.contains(",1,3,0,0,"), "one file is solved by both, three by the first alone: {pairs}");
    assert!(read("scores.csv").contains(",1,3,-2,0,1,0,"), "{}", read("scores.csv"));
    assert_eq!(read("samples.csv").matches(",wrong,").count(), 3, "{}", read("samples.csv"));
    let page = read("index.html");
    assert!(page.contains(">Wrong</th>") && page.contains(">-2</td>"), "{page}");
    // The axis of the plot begins at the score of three wrong answers.
    assert!(page.contains(">-3</text>"), "{page}");
}

#[test]
fn files_that_nobody_knows_are_in_dispute() {
    let root = problems();
    fs::remove_file(root.path().join("problems/manifest.tsv")).expect("removed");
    let solver = |answer: &str| format!("/bin/sh {} {answer}", root.path().join("solver.sh").display());
    let arguments = ["problems/S", "--runs", "1", "--with", &solver("sat"), "--with", &solver("unsat")];
    let (code, stdout, stderr) = bench(root.path(), &arguments);
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    assert!(stdout.contains("4 files, 0 known to be sat, 0 unsat, 4 in dispute"), "{stdout}");
    assert_eq!(stdout.matches("0 solved (0 sat, 0 unsat), 0 wrong, score 0,").count(), 2, "{stdout}");
    let (_, stdout, _) = bench(root.path(), &["problems/S", "--runs", "1", "--with", &solver("unsat")]);
    assert!(stdout.contains("4 solved (0 sat, 4 unsat), 0 wrong"), "alone, nobody contradicts it: {stdout}");
}
