//! Rules for all subcommands: how times and sizes are written, and what exit codes mean.

use crate::snapshots::listed;
use std::fs;
use std::io::BufRead;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the program in a folder. Returns its exit code and all output.
fn squall(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = crate::support::program();
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100");
    let output = command.output().expect("squall runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

/// Returns the options of a help text with the names of their values.
fn options(help: &str) -> Vec<(&str, &str)> {
    let lines = help.lines().filter_map(|line| line.split_once("--")).filter(|(before, _)| {
        let before = before.trim().trim_end_matches(',');
        before.is_empty() || (before.len() == 2 && before.starts_with('-'))
    });
    lines.filter_map(|(_, option)| Some((option.split(' ').next()?, option.split(['<', '>']).nth(1)?))).collect()
}

/// `solve`, `apply`, `validate` and `compare` once took plain numbers of seconds or MiB, the others a time with its unit, and
/// `--memory 4096` was 4 GiB for one and 4 KiB for another.
#[test]
fn times_and_sizes_are_written_one_way_in_all_subcommands() {
    let here = std::env::temp_dir();
    let mut commands: Vec<Vec<String>> = Vec::new();
    let (_, help) = squall(&here, &["--help"]);
    for name in listed(&help) {
        let (_, help) = squall(&here, &[name, "--help"]);
        commands.push(vec![name.to_string()]);
        commands.extend(listed(&help).iter().map(|under| vec![name.to_string(), under.to_string()]));
    }
    let (mut times, mut sizes) = (0, 0);
    for command in &commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let (_, help) = squall(&here, &[&words[..], &["--help"]].concat());
        for (option, value) in options(&help) {
            let is_time = [
                "timeout",
                "build-timeout",
                "for",
                "for-cpu",
                "reduce-for",
                "for-each",
                "within",
                "make-for",
                "slower-than",
                "each",
            ]
            .contains(&option);
            assert_eq!(is_time, value == "TIME", "--{option} <{value}> of {words:?}");
            let is_size = ["memory", "max-size"].contains(&option);
            assert_eq!(is_size, value == "SIZE", "--{option} <{value}> of {words:?}");
            // The value is accepted if the error is about the argument after it.
            let says = |text: &str, expect: &[&str]| {
                let flag = format!("--{option}={text}");
                let (code, said) = squall(&here, &[&words[..], &[&flag, "--no-such-option"]].concat());
                assert_eq!(code, 2, "{words:?} {flag}: {said}");
                expect.iter().for_each(|part| assert!(said.contains(part), "{words:?} {flag}: {part} not in {said}"));
            };
            match value {
                "TIME" => {
                    times += 1;
                    for right in ["5s", "500ms", "10m", "1.5h", "2", "0.5"] {
                        says(right, &["'--no-such-option'"]);
                    }
                    for wrong in ["0", "5 parsecs", "2GiB", "s"] {
                        says(wrong, &[&format!("'{wrong}'"), option, "write a time as 500ms"]);
                    }
                }
                "SIZE" => {
                    sizes += 1;
                    for right in ["2GiB", "512MiB", "4G"] {
                        says(right, &["'--no-such-option'"]);
                    }
                    // Of memory and of files.
                    let (small, write) = match option {
                        "memory" => ("1KiB", "write a size as 512MiB"),
                        _ => ("0.5KiB", "write a size as 64KiB"),
                    };
                    for wrong in ["4096", small, "10s", "2GB"] {
                        says(wrong, &[&format!("'{wrong}'"), option, write]);
                    }
                }
                _ => {}
            }
        }
    }
    assert!(times >= 12 && sizes >= 2, "{times} options for times and {sizes} for sizes: the help is read wrongly");
}

const SAT: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)";
const UNSAT: &str = "(declare-const x Int)(assert (< x x))(check-sat)";
const OPEN: &str = "(set-logic NIA)(assert (forall ((x Int)) (exists ((y Int) (z Int)) (= (+ (* y y y) (* z z z)) (+ (* 9 x) 4)))))(check-sat)";

/// A folder with the files of the tests below.
fn folder() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let files = [
        ("sat.smt2", SAT),
        ("unsat.smt2", UNSAT),
        ("open.smt2", OPEN),
        ("wrong.smt2", "(assert nobody)"),
        ("empty.smt2", ""),
        ("ended.smt2", "(assert false) (exit) (declare-const p Bool)"),
        ("true.model", "((define-fun x () Int 4))"),
        ("false.model", "((define-fun x () Int 3))"),
        ("zero.smt2", "(declare-const x Int)(assert (= (div x 0) 1))(check-sat)"),
        ("right.proof", "(assume @a (< x x))\n(step @end false :rule all :premises (@a))\n"),
        ("open.proof", "(assume @a (= (div x 0) 1))\n(step @end false :rule all :premises (@a))\n"),
    ];
    fs::create_dir(root.path().join("right")).expect("a folder");
    fs::write(root.path().join("right/a.smt2"), SAT).expect("a file");
    for (name, text) in files {
        fs::write(root.path().join(name), text).expect("a file");
    }
    root
}

/// One number has one meaning everywhere: 0 nothing found, 10 found, 11 not decided, 3 not ended, 2 usage, 1 failure.
#[test]
fn exit_codes_mean_the_same_everywhere() {
    let root = folder();
    let check = |line: &str, code: i32, says: &str| {
        let args: Vec<&str> = line.split(' ').collect();
        let (exit, text) = squall(root.path(), &args);
        assert_eq!(exit, code, "{line}: {text}");
        assert!(text.contains(says), "{line}: {says} not in {text}");
    };
    check("check sat.smt2", 0, "1 file without errors");
    check("check sat.smt2 wrong.smt2", 10, "1 with errors");
    check("check sat.smt2 absent.smt2", 2, "there is no 'absent.smt2'");
    check("validate sat.smt2 true.model", 0, "valid");
    check("validate sat.smt2 false.model", 10, "invalid");
    check("validate unsat.smt2 absent.model", 2, "absent.model");
    check("validate sat.smt2", 2, "squall validate FILE MODEL");
    check("proof judge unsat.smt2 right.proof", 0, "0 refuted, 0 open");
    check("proof judge zero.smt2 open.proof", 11, "0 refuted, 1 open");
    check("proof judge sat.smt2 right.proof", 10, "fault: ");
    check("solve sat.smt2 unsat.smt2", 0, "unsat.smt2: unsat");
    check("solve sat.smt2 open.smt2 --own-engines", 11, "unknown");
    check("solve wrong.smt2 open.smt2 --own-engines", 1, "nobody");
    check("solve sat.smt2 --strategy search --explain", 2, "--strategy '(then search)'");
    check("solve sat.smt2 --strategy (then", 2, "STRATEGY");
    check("solve sat.smt2 --own-engines --with z3", 2, "cannot be used with");
    check("solve sat.smt2 --own-engines --strategy qe", 2, "the strategy asks `z3`, and with --own-engines");
    check("solve sat.smt2 --own-engines --strategy exec:true", 2, "the strategy asks `true`");
    check("solve sat.smt2 --own-engines --strategy smt", 0, "sat");
    check("validate sat.smt2 --eval (+ --check 9", 2, "the file has 1 check; --check must be 1");
    check("strategy apply simplify sat.smt2 --check 9", 2, "the file has 1 check; --check must be 1");
    check("strategy apply sat open.smt2", 11, "failed");
    check("mutate --list rain", 2, "there is no mutator `rain`");
    check("strategy tactics rain", 2, "rain");
    check("experiment conform --solver builtin:sat --theory Strngs", 2, "there is no theory 'Strngs'");
    check("experiment conform --solver builtin:sat --theory Ints --operator bvadd", 2, "has no operator");
    check("bench fp sat.smt2 --solver search", 2, "'squall bench fp' is now 'squall compare'");
    check("experiment survey seeds", 2, "is now 'squall experiment campaigns --vary'");
    check("compare sat.smt2 --solver strategy:", 2, "strategy:");
    check("compare sat.smt2 --solver search:wildly", 2, "there is no search strategy 'wildly'");
    check("compare sat.smt2 --solver search:distance:3", 2, "there is no search strategy 'distance:3'");
    check("compare nowhere.smt2 --solver search", 2, "nowhere.smt2");
    check("solve sat.smt2 --strategy search --search wildly", 2, "choose one of default, random, distance");
    check("solver which z4@1", 2, "z4");
    // Input files must exist.
    for line in [
        "fuzz absent --solver builtin:sat",
        "fuzz --resume absent",
        "report --list absent",
        "report absent",
        "status absent",
        "cluster merge absent --out whole",
        "replay absent",
        "reduce absent --solver builtin:sat",
        "bisect absent --solver builtin:sat",
        "explain absent",
        "corpus distill absent --out suite",
        "corpus add absent",
        "check absent",
        "validate absent sat.smt2",
        "validate absent --eval x",
        "validate sat.smt2 absent --eval x",
        "solve --exhaust absent",
        "mutate absent",
        "solve absent",
        "solve sat.smt2 --strategy search --start absent",
        "strategy apply simplify absent",
        "experiment conform --rules absent",
    ] {
        check(line, 2, "there is no 'absent'");
    }
    // Unknown names, terms and options, and options that exclude each other.
    check("fuzz --solver builtin:sat --corpus absent", 2, "there is no corpus 'absent'");
    check("fuzz --solver builtin:sat --logic QF_NONE --units 1", 2, "QF_NONE");
    check("corpus remove absent", 2, "there is no corpus 'absent'");
    check("mutate sat.smt2 --mutator rain", 2, "there is no mutator 'rain'");
    check("mutate sat.smt2 --set colour=red", 2, "colour");
    check("validate sat.smt2 --eval nobody", 2, "nobody");
    check("validate sat.smt2 --eval x --solver builtin:sat", 2, "--eval takes the model from a file");
    check("reduce sat.smt2", 2, "say which solver answers wrongly");
    check("bisect sat.smt2", 2, "say which solver answers wrongly");
    check("cluster merge right right --out whole", 2, "named more than once");
    check("demo --solver rain --out shown", 2, "rain");
}

/// `squall experiment conform` and `solver doctor` look for errors of solvers; they used to exit as if the work itself had failed.
#[test]
fn what_is_wrong_with_a_solver_makes_conform_and_doctor_exit_with_10() {
    let root = folder();
    // Repeats echoes, and answers `sat` to the negation of every equation.
    let script = root.path().join("liar.sh");
    let liar = r#"sed -n 's/^(echo "\(.*\)")$/\1/p; s/^(check-sat).*/sat/p'"#;
    fs::write(&script, liar).expect("a file");
    let solver = format!("/bin/sh {}", script.display());
    let (code, text) =
        squall(root.path(), &["experiment", "conform", "--solver", &solver, "--theory", "Core", "--count", "50"]);
    assert_eq!(code, 10, "{text}");
    assert!(text.contains("UNEXPLAINED"), "{text}");
    // It answers `sat` to an unsatisfiable check, which violates a property of every solver.
    let (code, text) = squall(root.path(), &["solver", "doctor", &solver]);
    assert_eq!(code, 10, "{text}");
    assert!(text.contains("NO   answers unsat"), "{text}");
}

/// Answers for several files once were lines without names, which hid the file that was `unknown`.
#[test]
fn several_files_name_the_file_of_each_answer() {
    let root = folder();
    let check = |line: &str, expect: &str| {
        let args: Vec<&str> = line.split(' ').collect();
        let output = Command::new(env!("CARGO_BIN_EXE_squall")).args(args).current_dir(root.path()).output();
        let output = output.expect("squall runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text, expect, "{line}: {}", String::from_utf8_lossy(&output.stderr));
        output
    };
    check("solve sat.smt2", "sat\n");
    check("solve sat.smt2 unsat.smt2", "sat.smt2: sat\nunsat.smt2: unsat\n");
    // A script without a check is checked at its end. If that was `(exit)`, nothing was printed.
    check("solve empty.smt2", "sat\n");
    check("solve ended.smt2", "unsat\n");
    // A folder may hold one file today and two tomorrow.
    check("solve right", "right/a.smt2: sat\n");
    let model = "(\n(define-fun x () Int 4)\n)\n";
    check("solve sat.smt2 --model", &format!("sat\n{model}"));
    let named =
        |file: &str| format!("sat\n{model}").lines().map(|line| format!("{file}: {line}\n")).collect::<String>();
    check("solve sat.smt2 right --model", &(named("sat.smt2") + &named("right/a.smt2")));
    let output = check("solve open.smt2 unsat.smt2 --own-engines", "open.smt2: unknown\nunsat.smt2: unsat\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("squall: open.smt2: unknown: "), "{said}");
}

/// An interrupted campaign is incomplete, but a campaign without a limit can only be interrupted.
#[test]
#[cfg(unix)]
fn an_interrupted_campaign_says_so() {
    let root = folder();
    let ended = |end: &[&str], attempt: usize| {
        let mut command = crate::support::program();
        command
            .args(["fuzz", "sat.smt2", "--solver", "builtin:sat", "--plain", "--format", "json", "--jobs", "1"])
            // It is never wrong about these, even with unlimited time.
            .args(["--mutator", "storm"])
            .args(end);
        command.args(["--out", &format!("out{}-{attempt}", end.len())]).current_dir(root.path()).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("squall runs");
        let mut lines = std::io::BufReader::new(child.stdout.take().expect("it was asked for")).lines();
        // Its signal handlers are installed long before its first output.
        lines.next().expect("it has begun").expect("text");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
        lines.for_each(drop);
        child.wait().expect("it ends").code()
    };
    // Interrupted before its first mutant, it says that nothing was tested.
    const NOTHING: Option<i32> = Some(11);
    let check = |end: &[&str], code: i32| {
        let found = (0..20).map(|attempt| ended(end, attempt)).find(|code| *code != NOTHING);
        assert_eq!(found, Some(Some(code)), "{end:?}");
    };
    check(&["--for", "10m"], 3);
    check(&[], 0);
}

/// The claims of `docs/smtlib.md` and `docs/comparison.md` about solvers' own theories and the size of units, which once were too high.
#[test]
fn documents_say_what_is_carried_and_how_many_mutants_a_unit_has() {
    let root = folder();
    let check = |script: &str, code: i32, says: &str| {
        fs::write(root.path().join("own.smt2"), script).expect("a file");
        let (exit, text) = squall(root.path(), &["check", "own.smt2"]);
        assert!(exit == code && text.contains(says), "{script}: {exit}: {text}");
    };
    check("(declare-const n Unicode)(assert (= (char.to_int n) 2))", 0, "1 command only carried");
    fs::write(root.path().join("sat.sh"), "while IFS= read -r l; do case $l in '(check-sat'*) echo sat;; esac; done\n")
        .expect("a file");
    let solver = format!("/bin/sh {}", root.path().join("sat.sh").display());
    let campaign =
        ["fuzz", "sat.smt2", "--solver", &solver, "--mutator", "operator", "--jobs", "1", "--schedule", "uniform"];
    let more =
        ["--set", "mutants=100", "--units", "6", "--timeout", "60s", "--format", "json", "--plain", "--out", "units"];
    let (_, text) = squall(root.path(), &[&campaign[..], &more].concat());
    assert!(text.contains(&format!("\"mutants\":{}", 8 + 16 + 32 + 64 + 64 + 64)), "{text}");
}

/// The list of subcommands once offered features that the build lacks, and the message named a command for developers.
#[cfg(not(feature = "nats"))]
#[test]
fn a_build_without_nats_says_how_to_get_one() {
    let root = folder();
    let (code, text) = squall(root.path(), &["cluster", "--help"]);
    assert!(code == 0 && text.contains("over NATS (needs `--features full`)"), "{text}");
    let (code, text) = squall(root.path(), &["cluster", "worker", "nats://127.0.0.1:4222"]);
    assert!(code == 2 && text.contains("cargo install --locked") && text.contains("pip install ."), "{text}");
}
