//! Theories as data: from the file to a certified finding, which needs the file no more.

use crate::support::{Run, Stage, printed, record, squall};
use std::fs;
use std::path::Path;

/// Counters that stop at both ends. Also the manual's example.
const COUNTERS: &str = r##"
[[sort]]
name = "Counter"
encoding = "(_ BitVec 2)"
[[operator]]
name = "top"
result = "Counter"
meaning = "#b11"
[[operator]]
name = "plus"
arguments = "(x Counter) (y Counter)"
result = "Counter"
meaning = "(ite (bvult (bvadd x y) x) #b11 (bvadd x y))"
[[operator]]
name = "half"
arguments = "(x Counter)"
result = "Counter"
meaning = "(bvlshr x #b01)"
"##;

/// Returns a stand-in for a solver of counters, which defines their sum so and lets `squall solve` answer.
fn solver_with(sum: &str) -> String {
    format!(
        "case \"$1\" in --version) echo 'counters 0.1'; exit;; esac\n\
         {{ echo '(define-sort Counter () (_ BitVec 2))(define-fun top () Counter #b11)'\n\
         echo '(define-fun half ((x Counter)) Counter (bvlshr x #b01))'\n\
         echo '(define-fun plus ((x Counter) (y Counter)) Counter {sum})'\n\
         cat \"$@\" | grep -v squall-theory; }} | {} solve --own-engines -\n",
        env!("CARGO_BIN_EXE_squall")
    )
}

/// Runs a campaign over the theory on a solver with this sum, then deletes the theory.
fn campaign(sum: &str) -> (Stage, Run) {
    let stage = Stage::new(&solver_with(sum));
    let theory = stage.path("counters.toml");
    fs::write(&theory, COUNTERS).expect("a file");
    let more =
        ["--theory-file", &theory.display().to_string(), "--mutants", "12", "--jobs", "1", "--reduce-share", "0"];
    let run = stage.fuzz("", &[&more[..], &["--until-found", "B", "--timeout", "60s"]].concat());
    fs::remove_file(theory).expect("the file");
    (stage, run)
}

#[test]
fn a_wrong_sum_is_found_and_replayed_without_the_theory_file() {
    let (stage, run) = campaign("(bvadd x y)");
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    let folder = stage.findings().into_iter().next().expect("a finding");
    let found = record(&folder);
    assert!(["certified", "exhausted"].contains(&found["trust"]["kind"].as_str().unwrap_or("")), "{found}");
    let script = fs::read_to_string(folder.join("mutant.smt2")).expect("a script");
    assert!(script.starts_with("(set-info :squall-theory \"") && script.contains("(plus "), "{script}");
    assert!(!script.contains("Counter!of"), "values are written with the theory's operators: {script}");
    let (code, out, error) = printed(squall().arg("replay").arg(&folder));
    assert_eq!(code, Some(10), "{out}{error}");
    // The record holds the theory: the file is gone, and a worker elsewhere never had it.
    let resume = || printed(squall().args(["fuzz", "--resume"]).arg(stage.out()).args(["--mutants", "16"]));
    let (code, out, error) = resume();
    assert_eq!(code, Some(10), "{out}{error}");
    let path = stage.out().join("campaign.json");
    let record = fs::read_to_string(&path).expect("a record");
    let mut record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    let words = record["note"]["arguments"].as_array_mut().expect("words");
    let at = words.iter().position(|word| word == "--theory-file").expect("the option");
    words[at + 1] = "/etc/passwd".into();
    fs::write(&path, record.to_string()).expect("a file");
    let (code, _, error) = resume();
    assert!(code == Some(1) && error.contains("it names a theory file"), "{error}");
}

#[test]
fn a_right_solver_of_the_theory_has_no_finding() {
    let (_, run) = campaign("(ite (bvult (bvadd x y) x) #b11 (bvadd x y))");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn scripts_may_use_the_names_of_a_theory_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |theory: &str, script: &str, words: &[&str], expect: (i32, &str)| {
        fs::write(folder.path().join("t.toml"), theory).expect("a file");
        fs::write(folder.path().join("s.smt2"), script).expect("a file");
        fs::write(folder.path().join("m.txt"), "((define-fun x () Counter top))").expect("a file");
        let (code, out, error) =
            printed(squall().args(words).args(["--theory-file", "t.toml"]).current_dir(folder.path()));
        let said = format!("{out}{error}");
        assert!(
            code == Some(expect.0) && said.contains(expect.1),
            "{words:?}: {code:?}, but expected {expect:?}\n{said}"
        );
    };
    let script = "(declare-const x Counter)\n(assert (= (plus x x) x (plus (half top) x)))\n(check-sat)\n";
    let exhaust = &["solve", "s.smt2", "--exhaust"][..];
    check(COUNTERS, script, exhaust, (0, "(define-fun x () Counter (Counter!of #b11))"));
    check(COUNTERS, script, &["solve", "s.smt2", "--own-engines"], (0, "sat"));
    check(COUNTERS, script, &["validate", "s.smt2", "m.txt"], (0, "valid"));
    check(COUNTERS, script, &["mutate", "s.smt2", "--mutator", "operator"], (0, "(plus "));
    check(COUNTERS, "\n(assert (plus top))", exhaust, (1, "s.smt2:2:9: error: "));
    // Of a theory file the first mistake is said, before anything runs.
    check("[[sort]]\nname = \"A\"\nencoding = \"B\"", script, exhaust, (2, "t.toml:3:13: error: unknown sort `B`"));
    let endless = "[[operator]]\nname = \"f\"\nresult = \"Int\"\nmeaning = \"(+ f 1)\"";
    check(
        endless,
        script,
        &["fuzz", "--solver", "builtin:sat"],
        (2, "t.toml:4:11: error: this definition never ends: `f`"),
    );
    let gone = ["solve", "s.smt2", "--theory-file", "gone.toml"];
    let (code, _, error) = printed(squall().args(gone).current_dir(Path::new(folder.path())));
    assert!(code == Some(2) && error.contains("gone.toml"), "{error}");
}
