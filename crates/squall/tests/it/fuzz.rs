//! `squall fuzz` and `squall replay` end to end, against stand-in solvers that misbehave in every way.

use crate::support::{ALWAYS, Run, Stage, after_preflight, record, squall};
use serde_json::Value;
use std::fs;

#[test]
fn a_wrong_unsat_is_a_certified_finding_that_replays() {
    let stage = Stage::new(ALWAYS);
    // Without reductions: a finding under reduction is kept in addition to the smallest three.
    let few = ["--mutants", "300", "--jobs", "2", "--mutator", "storm,operator"];
    let run = stage.fuzz("unsat", &[&few[..], &["--reduce-share", "0"]].concat());
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    assert_eq!(run.number("mutants"), 300);
    assert!(run.summary()["findings"]["A"].as_u64() >= Some(3));
    assert_eq!(run.summary()["seed_findings"]["A"], 1, "the seed itself is labelled apart");
    for key in ["wall_s", "cpu_s", "solver_cpu_s"] {
        assert!(run.summary()[key].is_f64(), "{key}");
    }
    assert_eq!(run.number("causes"), 0, "none is reduced");
    assert_eq!(run.number("not_reduced"), stage.findings().len() as u64);
    let mut by_group = std::collections::HashMap::new();
    for folder in stage.findings() {
        let finding = record(&folder);
        assert_eq!(finding["class"], "A");
        let from_seed = finding["origin"] == "seed";
        assert_eq!(finding["trust"]["kind"], if from_seed { "trusted" } else { "certified" });
        assert_eq!(finding["repeats"]["shown"], finding["repeats"]["runs"]);
        assert!(folder.join("mutant.smt2").exists() && folder.join("output.txt").exists());
        assert_eq!(folder.join("witness.smt2").exists(), !from_seed);
        *by_group.entry((from_seed, finding["mode"].to_string())).or_insert(0) += 1;
    }
    assert!(by_group.values().all(|kept| *kept <= 3), "{by_group:?}");
    assert!(by_group.len() >= 2, "plain and incremental are kept apart: {by_group:?}");
    assert!(run.number("repeats") > 0, "the rest is counted");

    let replay = squall().arg("replay").arg(stage.out()).output().expect("it runs");
    assert_eq!(replay.status.code(), Some(10));
    // Without a reader it once panicked.
    let (_, writer) = std::io::pipe().expect("a pipe");
    let unread = squall().arg("replay").arg(stage.out()).stdout(writer).output().expect("it runs");
    assert_eq!(unread.status.code(), Some(10), "{}", String::from_utf8_lossy(&unread.stderr));
    assert!(!String::from_utf8_lossy(&replay.stdout).contains("does not reproduce"));
    // A build that does not answer, because it does not run or rejects the script, once counted as fixed.
    let check = |solver: &str, code: i32, says: &str| {
        let (exit, told, _) =
            crate::support::printed(squall().arg("replay").arg(stage.out()).args(["--solver", solver]));
        assert_eq!(exit, Some(code), "{told}");
        assert!(told.contains(says), "{says}: {told}");
    };
    check("builtin:sat", 0, "=> does not reproduce");
    check("/bin/true", 11, "=> not decided: it gave no answer");
    check("/bin/sh -c 'kill -SEGV $$'", 11, "=> not decided: it crashed in another way");
    check("/bin/sh -c 'echo \"(error \\\"no\\\")\"; echo unsat'", 11, "=> not decided: it reported an error");
    check("/bin/sh -c 'echo unknown'", 0, "=> does not reproduce");
}

/// Another kind of solver that replays a finding of z3 gets neither z3's options nor its tactics, which once counted as not solved.
#[test]
fn another_solver_replays_the_script_in_its_own_spelling() {
    let stage = Stage::new(ALWAYS);
    stage.fuzz("unsat", &["--mutants", "4", "--jobs", "1", "--mutator", "storm", "--incremental", "off"]);
    let certified = |folder: &std::path::PathBuf| folder.join("witness.smt2").exists();
    let folder = stage.findings().into_iter().find(certified).expect("a finding");
    let (mut finding, script) = (record(&folder), folder.join("mutant.smt2"));
    finding["solver"]["profile"] = "z3".into();
    fs::write(folder.join("finding.json"), finding.to_string()).expect("a record");
    let text = fs::read_to_string(&script).expect("a script").replace("(check-sat)", "(check-sat-using smt)");
    fs::write(&script, format!("(set-option :smt.arith.solver 2)\n{text}")).expect("a script");
    let right = r#"t=$(cat); case "$t" in *using*|*:smt*) echo '(error "not mine")';; *) echo sat;; esac"#;
    let check = |name: &str, code: i32, says: &[&str]| {
        let program = testing::executable(&stage.path(name), &format!("#!/bin/sh\n{right}\n"));
        let (exit, told, _) = crate::support::printed(squall().arg("replay").arg(&folder).args(["--solver", &program]));
        assert_eq!(exit, Some(code), "{told}");
        says.iter().for_each(|says| assert!(told.contains(says), "{says}: {told}"));
    };
    check("cvc5", 0, &["rewritten in the syntax of", " answers: sat (expected sat)", "=> does not reproduce"]);
    check("z3", 11, &["error: not mine", "=> not decided"]);
}

#[test]
fn a_campaign_without_findings_replays_cleanly() {
    let stage = Stage::new(ALWAYS);
    assert_eq!(
        stage.fuzz("sat", &["--mutants", "8", "--mutator", "storm", "--models", "0", "--jobs", "1"]).code,
        Some(0)
    );
    let check = |path: &std::path::Path, code: i32, says: &str| {
        let (exit, out, error) = crate::support::printed(squall().arg("replay").arg(path));
        assert_eq!(exit, Some(code), "{out}{error}");
        assert!(format!("{out}{error}").contains(says), "{out}{error}");
    };
    check(&stage.out(), 0, "no findings in");
    check(stage.root.path(), 1, "is no finding and holds none");
    check(&stage.path("nowhere"), 2, "there is no '");
}

/// Missing solvers once were installed silently: OxiZ was compiled for half an hour.
#[test]
fn a_replay_installs_nothing_unasked() {
    let stage = Stage::new(ALWAYS);
    stage.fuzz("unsat", &["--mutator", "storm", "--mutants", "8", "--jobs", "1", "--reduce-share", "0"]);
    let folder = stage.findings().into_iter().next().expect("a finding");
    let recorded = record(&folder);
    let check = |spec: &str, words: &[&str]| {
        let mut changed = recorded.clone();
        changed["solver"]["spec"] = spec.into();
        fs::write(folder.join("finding.json"), changed.to_string()).expect("written");
        let mut replay = squall();
        // Without pip and cargo, an attempt to install prints an error.
        replay.arg("replay").arg(&folder).env("PATH", stage.path("")).env("XDG_CACHE_HOME", stage.path("cache"));
        let (code, out, error) = crate::support::printed(&mut replay);
        assert_eq!(code, Some(1), "{out}{error}");
        words.iter().for_each(|word| assert!(error.contains(word), "{word}: {error}"));
        let (_, _, error) = crate::support::printed(replay.arg("--install"));
        assert!(!error.contains("--install installs it"), "{error}");
    };
    check(
        "z3@4.8.6",
        &["z3@4.8.6 is not installed", "squall solver install z3@4.8.6", "--install", "about 40 MB by pip"],
    );
    check("oxiz@0.3.4", &["oxiz@0.3.4 is not installed", "a compilation of about 30 minutes by cargo"]);
}

#[test]
fn a_replay_needs_the_witness() {
    let stage = Stage::new(ALWAYS);
    stage.fuzz("unsat", &["--mutator", "storm", "--mutants", "8", "--jobs", "1"]);
    let folder = stage.findings().into_iter().find(|f| f.join("witness.smt2").exists()).expect("a finding");
    let check = |witness: &str, expect: i32| {
        fs::write(folder.join("witness.smt2"), witness).expect("a file");
        let replay = squall().arg("replay").arg(&folder).output().expect("it runs");
        assert_eq!(replay.status.code(), Some(expect), "{witness}: {}", String::from_utf8_lossy(&replay.stdout));
    };
    let good = fs::read_to_string(folder.join("witness.smt2")).expect("a witness");
    check("(declare-const x Int)", 0);
    check("(assert", 0);
    check(&good, 10);
    fs::remove_file(folder.join("witness.smt2")).expect("it goes");
    let replay = squall().arg("replay").arg(&folder).output().expect("it runs");
    assert_eq!(replay.status.code(), Some(1), "a witness that is gone is no clean replay");
    assert!(String::from_utf8_lossy(&replay.stdout).contains("MISSING"));
    check(&good, 10);
    fs::write(folder.join("finding.json"), "{\"format\": 99}").expect("a file");
    let replay = squall().arg("replay").arg(&folder).output().expect("it runs");
    assert_eq!(replay.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&replay.stderr).contains("newer"));
    let rest = squall().arg("replay").arg(stage.out()).output().expect("it runs");
    assert_eq!(rest.status.code(), Some(1), "one is damaged");
    let text = String::from_utf8_lossy(&rest.stdout).into_owned();
    assert!(text.contains("1 could not be replayed") && text.contains("=> reproduces"), "the others go on: {text}");
    let nothing = squall().arg("replay").arg(stage.path("nowhere")).output().expect("it runs");
    assert_eq!(nothing.status.code(), Some(2));
}

#[test]
fn what_is_no_bug_is_not_a_finding() {
    let ends = |code: i32, script: &str, arguments: &str, counter: &str| {
        let stage = Stage::new(script);
        // Its mutants are satisfiable, so none contradicts a solver that answers `sat`.
        let more = ["--mutator", "storm", "--mutants", "1", "--for", "20s", "--timeout", "400ms", "--jobs", "2"];
        let run = stage.fuzz(arguments, &more);
        assert_eq!(run.code, Some(code), "{script}: {}", run.stderr);
        assert!(run.number(counter) > 0, "{counter}: {}", run.summary());
        assert!(stage.findings().is_empty());
        assert_eq!(run.summary()["findings"], serde_json::json!({}));
    };
    let check = |script: &str, arguments: &str, counter: &str| ends(0, script, arguments, counter);
    check(ALWAYS, "sat", "sat");
    ends(11, ALWAYS, "unknown", "unknown");
    let error = after_preflight(&format!("echo '(error \"line 1 column 1: no\")'; {ALWAYS}"));
    // Its errors void every answer: nothing was tested, which is not a success.
    ends(1, &error, "unsat", "errors");
    ends(11, "exec sleep 100", "", "timeouts");
    // Ignores SIGTERM, and leaves a child that holds its output open.
    ends(11, "trap '' TERM HUP INT; sleep 100 & sleep 100", "", "timeouts");
    // Long lines: short ones cost most of a minute to read.
    ends(11, "exec yes \"$(printf %01000d 0)\"", "", "memouts");
    ends(1, &after_preflight("exec yes unsat"), "", "errors");
    ends(1, &after_preflight("cat >/dev/null"), "", "missing");
    check("printf 'sat\\r\\n'; cat >/dev/null", "", "sat");
}

#[test]
fn a_seed_with_a_wrong_status_accuses_no_solver() {
    let script = r#"text=$(cat); n=$(printf '%s\n' "$text" | grep -c '^(check-sat')
        while [ "$n" -gt 0 ]; do echo sat; n=$((n-1)); done
        case "$text" in *get-model*) echo "((define-fun x () Int $1))";; esac"#;
    let check = |x: &str, expect: i32| {
        let stage = Stage::new(script);
        let seed = "(set-info :status unsat)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n";
        fs::write(stage.path("seed.smt2"), seed).expect("a file");
        let run = stage.fuzz(x, &["--mutants", "8", "--jobs", "1"]);
        assert_eq!(run.code, Some(expect), "{}: {}", run.stderr, run.summary());
        assert_eq!(run.events("unconfirmed").len(), usize::from(expect == 11));
        // It is not used again, neither now nor in the next campaign in the same folder.
        let quarantined = usize::from(expect == 11);
        assert_eq!(run.events("quarantined").len(), quarantined, "{:?}", run.events);
        let list = fs::read_to_string(stage.out().join("quarantine.json")).unwrap_or_else(|_| "[]".to_string());
        let list: Vec<Value> = serde_json::from_str(&list).expect("a list");
        assert_eq!(list.len(), quarantined, "{list:?}");
        if let Some(entry) = list.first() {
            assert_eq!((run.number("mutants"), run.number("quarantined")), (0, 1), "{}", run.summary());
            assert_eq!(entry["label"], "unsat, says the seed's own :status");
            assert!(entry["replay"].as_str().is_some_and(|command| command.contains("--solver")), "{entry}");
            assert!(stage.out().join(entry["script"].as_str().expect("a name")).exists());
            let again = stage.fuzz(x, &["--mutants", "8", "--jobs", "1"]);
            // The campaign resumes, and the seed is not sent again.
            assert_eq!((again.number("sat"), again.number("quarantined")), (1, 1), "{}", again.summary());
        }
    };
    check("9", 11);
    // The model does not satisfy the seed, so it does not support the solver's answer.
    check("2", 10);
}

/// A script of cvc5's regression tests has a deliberately wrong `:status` and no symbol; a solver that prints no model for it once was
/// accused of a wrong `sat`.
#[test]
fn a_label_is_checked_by_exhaustion_where_possible() {
    let check = |status: &str, assertion: &str, answer: &str, trust: Option<&str>| {
        let stage = Stage::new(ALWAYS);
        let seed = format!("(set-info :status {status})\n(declare-const p Bool)\n(assert {assertion})\n(check-sat)\n");
        fs::write(stage.path("seed.smt2"), seed).expect("a file");
        let run = stage.fuzz(answer, &["--mutants", "8", "--jobs", "1", "--mutator", "storm"]);
        let quarantined = run.events("quarantined");
        assert_eq!(quarantined.len(), usize::from(trust.is_none()), "{assertion}: {}", run.summary());
        for event in quarantined {
            assert!(event["evidence"].as_str().is_some_and(|words| words.contains("assign")), "{event}");
        }
        let found: Vec<Value> = stage.findings().iter().map(|folder| record(folder)).collect();
        assert_eq!(found.is_empty(), trust.is_none(), "{assertion}: {}", run.summary());
        assert!(found.iter().all(|finding| finding["trust"]["kind"] == trust.unwrap_or_default()), "{found:?}");
    };
    check("unsat", "(= #b1 #b1)", "sat", None);
    check("sat", "(and p (not p))", "unsat", None);
    check("unsat", "(and p (not p))", "sat", Some("exhausted"));
    // This one has too many values for exhaustion.
    check("unsat", "(= (str.len (str.++ \"a\" (ite p \"b\" \"c\"))) 3)", "sat", Some("exhausted"));
    check("unsat", "(exists ((x Int)) (and p (= (* 2 x) 1)))", "sat", Some("exhausted"));
    check("unsat", "(exists ((x Int) (y Int)) (and p (= (* 2 x y) 1)))", "sat", Some("trusted"));
}

#[test]
fn two_solvers_against_a_label_put_the_seed_in_quarantine() {
    let stage = Stage::new(ALWAYS);
    let folder = stage.path("unsat");
    fs::create_dir(&folder).expect("a folder");
    let text = "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n";
    fs::write(folder.join("seed.smt2"), text).expect("a file");
    let check = |other: &str, quarantined: usize| {
        let out = stage.path(&format!("out-{}", other.replace(':', "-")));
        let mut command = squall();
        command.arg("fuzz").arg(&folder).args(["--solver", &stage.solver("sat"), "--reference", other]);
        let run = Run::of(command.args(["--mutants", "4", "--jobs", "1", "--format", "json", "--out"]).arg(&out));
        assert_eq!(run.events("quarantined").len(), quarantined, "{}", run.summary());
        for event in run.events("quarantined") {
            assert_eq!(event["label"], "unsat, says the seed's folder");
            assert!(event["evidence"].as_str().is_some_and(|words| words.contains("both answer sat")), "{event}");
        }
    };
    // The built-in stand-in cannot be the solver under test: it errs by design.
    check("builtin:sat", 1);
    check("builtin:unknown", 0);
}

/// A wrong `sat` or model counts under an option only if the profile says that answers must stay right; a command is put into the script.
#[test]
fn a_wrong_sat_counts_under_options_that_keep_answers() {
    const SEVEN: &str = "(declare-const x Int)\n(assert (= x 7))\n(check-sat)\n";
    let wrong_sat = "text=$(cat); case \"$* $text\" in *mood*) echo sat;; *) echo unknown;; esac";
    let wrong_model = "text=$(cat); case \"$* $text\" in *mood*) x=3;; *) x=7;; esac; printf '%s' \"$text\" | \
        awk -v x=$x '/^\\(check-sat/ { print \"sat\" } /^\\(get-model/ { print \"((define-fun x () Int \" x \"))\" }'";
    let check = |script: &str, mutator: &str, option: &str, sound: bool, counts: bool| {
        let stage = Stage::new(script);
        let profiles = stage.path("config/squall/solvers");
        fs::create_dir_all(&profiles).expect("a folder");
        let profile = format!(
            "name = \"moody\"\nexecutables = [\"sh\"]\ngives-models = \"*\"\n\
             [[choice]]\noption = \"{option}\"\nvalues = [\"mood\"]\nsound = {sound}\n"
        );
        fs::write(profiles.join("moody.toml"), profile).expect("a file");
        fs::write(stage.path("seed.smt2"), SEVEN).expect("a file");
        let fixed =
            ["--mutator", mutator, "--mutants", "120", "--jobs", "1", "--incremental", "off", "--models", "100"];
        let more = [&fixed[..], &["--options", "random"]].concat();
        let run = Run::of(stage.command(&stage.solver(""), &more).env("XDG_CONFIG_HOME", stage.path("config")));
        let mut under_options = 0;
        for folder in stage.findings() {
            let text = fs::read_to_string(folder.join("mutant.smt2")).expect("a script");
            let is_command = text.contains("(set-simplifier mood)");
            assert!(!is_command || option.starts_with('('), "{text}");
            let finding = record(&folder);
            if is_command || finding["solver"]["drawn_options"].is_array() {
                assert_eq!(finding["class"], "B", "{finding}");
                under_options += 1;
            }
        }
        assert_eq!(under_options > 0, counts, "{option}, {sound}: {}", run.summary());
    };
    check(wrong_sat, "finite", "--{}", false, false);
    check(wrong_sat, "finite", "--{}", true, true);
    check(wrong_sat, "finite", "(set-simplifier {})", true, true);
    check(wrong_sat, "finite", "(set-simplifier {})", false, false);
    check(wrong_model, "storm", "--{}", true, true);
    check(wrong_model, "storm", "--{}", false, false);
}

#[test]
fn options_of_a_profile_without_any_are_an_error() {
    let stage = Stage::new(ALWAYS);
    let run = stage.fuzz("sat", &["--mutants", "8", "--options", "random"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("no option that can be varied"), "{}", run.stderr);
}

/// Answers sat to every check, prints `model` for `(get-model)` and `values` for `(get-value …)`.
fn modeller(model: &str, values: &str) -> String {
    format!(
        r#"awk '/^\(check-sat/ {{ print "sat" }} /^\(get-model/ {{ print "{model}" }} /^\(get-value/ {{ print "{values}" }}'"#
    )
}

#[test]
fn a_wrong_model_is_class_b_but_an_odd_spelling_is_not() {
    const ALWAYS_TRUE: &str = "(declare-fun f (Int) Int)(declare-const |x y| Real)(declare-const x Int)\n\
        (assert (or (= x x) (= |x y| |x y|) (= (f x) (f x))))\n(check-sat)\n";
    const NARROW: &str = "(declare-const x Int)\n\
        (assert (or (= x 0) (= x 5) (and (> x 3) (< x 9)) (< x (- 2))))\n(check-sat)\n";
    let check = |seed: &str, model: &str, values: &str, counter: &str| {
        let stage = Stage::new(&modeller(model, values));
        fs::write(stage.path("seed.smt2"), seed).expect("a file");
        let fixed = ["--incremental", "off", "--mutator", "storm", "--assignment", "random"];
        let run = stage.fuzz("", &[&["--mutants", "60", "--jobs", "1", "--models", "100"], &fixed[..]].concat());
        assert!(run.number(counter) > 0, "{model}: {}", run.summary());
        let found = counter == "models_invalid";
        assert_eq!(run.code, Some(if found { 10 } else { 0 }), "{model}: {}", run.summary());
        assert_eq!(run.number("models_invalid") > 0, found, "{model}: {}", run.summary());
        assert_eq!(run.summary()["findings"]["B"].as_u64() > Some(0), found);
        stage
    };
    let odd = [
        "(model (define-fun |x| () Int (- 3)) (define-fun |x y| () Real (/ (- 1) 3)) (define-fun f ((a Int)) Int a))",
        "((define-fun f ((x!0 Int)) Int (ite (= x!0 (- 3)) 5 0)) (define-fun |x y| () Real (- 0.5)) (define-fun x () Int 7))",
        "((define-fun x () Int 0))",
    ];
    for model in odd {
        check(ALWAYS_TRUE, model, "", "models_valid");
    }
    check(NARROW, "((define-fun x () Int (frobnicate 5)))", "", "models_open");
    check(NARROW, "((define-fun x () Real 5.0))", "", "models_open");
    // Values that the model leaves out are asked for before the solver is blamed.
    check(NARROW, "()", "", "models_open");
    check(NARROW, "()", "((x 5))", "models_invalid");
    let stage = check(NARROW, "((define-fun x () Int 5))", "", "models_invalid");
    let folder = stage.findings().into_iter().next().expect("a finding");
    let finding = record(&folder);
    assert!(finding["summary"].as_str().is_some_and(|s| s.contains("makes assertion")), "{finding}");
    let output = fs::read_to_string(folder.join("output.txt")).expect("the output");
    assert!(output.contains("(define-fun x () Int 5)") && output.contains("false under the model"), "{output}");
    let replay = || squall().arg("replay").arg(&folder).output().expect("it runs").status.code();
    assert_eq!(replay(), Some(10));
    fs::write(stage.path("solver.sh"), modeller("((define-fun x () Int (frobnicate 5)))", "")).expect("a file");
    assert_eq!(replay(), Some(0));
}

/// A solver that prints its first argument as the answer to every check and its second one as the model.
const SAYER: &str = r#"awk -v said="$1" -v model="$2" '/^\(check-sat/ { print said } /^\(get-model/ { print model }'"#;

#[test]
fn models_decide_between_solvers_that_contradict_each_other() {
    const SEED: &str = "(declare-const x Int)\n(assert (or (= x 7) (> x 7)))\n(assert (distinct x 3))\n(check-sat)\n";
    let check = |one: &str, other: &str, reference: &str, class: &str, trust: &str, wrong: &str| {
        let stage = Stage::new(SAYER);
        fs::write(stage.path("seed.smt2"), SEED).expect("a file");
        fs::write(stage.path("mutate.sh"), "cat").expect("a file");
        let mutator = format!("exec:sh {}", stage.path("mutate.sh").display());
        let (one, other, reference) = (stage.solver(one), stage.solver(other), stage.solver(reference));
        let mut more = vec!["--mutator", &mutator, "--mutants", "4", "--jobs", "1", "--models", "0"];
        more.extend(["--truth", "differential", "--solver", &other]);
        if !reference.ends_with("none") {
            more.extend(["--reference", &reference]);
        }
        let run = Run::of(&mut stage.command(&one, &more));
        assert!(run.number("disagreements") > 0, "{}", run.summary());
        assert_eq!(run.number("unresolved") > 0, class.is_empty(), "{}", run.summary());
        let findings: Vec<Value> = stage.findings().iter().map(|folder| record(folder)).collect();
        assert_eq!(findings.is_empty(), class.is_empty(), "{one} {other}: {}", run.summary());
        for finding in &findings {
            assert_eq!((&finding["class"], &finding["trust"]["kind"]), (&Value::from(class), &Value::from(trust)));
            assert!(finding["solver"]["spec"].as_str().is_some_and(|spec| spec.contains(wrong)), "{finding}");
        }
        let replayed = squall().arg("replay").arg(stage.out()).output().expect("it runs").status.code();
        assert_eq!(replayed, Some(if class.is_empty() { 0 } else { 10 }));
    };
    let right = "sat '((define-fun x () Int 7))'";
    let wrong = "sat '((define-fun x () Int 3))'";
    let silent = "sat '(nothing)'";
    check(right, "unsat", "none", "A", "certified", "unsat");
    check("unsat", right, "none", "A", "certified", "unsat");
    check("unsat", right, "unsat '(x)'", "A", "certified", "unsat");
    check(wrong, "unsat", "none", "B", "certified", "Int 3");
    check(silent, "unsat", "none", "", "", "");
    check(silent, "unsat", "sat '(nobody)'", "A", "trusted", "unsat");
    check(silent, "unsat", "unsat '(x)'", "B", "trusted", "nothing");
}

/// The `sat` of one program under two names once was a majority against another solver.
#[test]
fn a_majority_is_of_several_programs() {
    let check = |second: &str, expect: bool| {
        let stage = Stage::new("");
        fs::write(stage.path("seed.smt2"), "(declare-const x Int)(assert (> x 7))(check-sat)").expect("a file");
        let says = |word: &str| format!("#!/bin/sh\nset -- {word} '(nothing)'\n{SAYER}\n");
        let one = testing::executable(&stage.path("one"), &says("sat"));
        let other = testing::executable(&stage.path("other"), &says("unsat"));
        fs::write(stage.path("mutate.sh"), "cat").expect("a file");
        let mutator = format!("exec:sh {}", stage.path("mutate.sh").display());
        let (second, tested) = (format!("{second}:{one}"), format!("z3:{other}"));
        let more = ["--mutator", &mutator, "--mutants", "4", "--jobs", "1", "--models", "0", "--solver", &second];
        let more = more.iter().copied().chain(["--truth", "differential", "--solver", &tested]).collect::<Vec<_>>();
        let run = Run::of(&mut stage.command(&format!("cvc5:{one}"), &more));
        assert!(run.number("disagreements") > 0, "{}", run.summary());
        assert_eq!(!stage.findings().is_empty(), expect, "{second}: {}", run.summary());
    };
    check("cvc5-gpl", false);
    check("bitwuzla", true);
}

/// A wrong `unsat` of z3 by a tactic, found by another fuzzer, once counted as a false alarm: cvc5 does not read the command.
#[test]
fn an_answer_by_a_tactic_is_compared_with_a_plain_check_of_others() {
    const SEED: &str = "(declare-const x Int)\n(assert (or (= x 7) (> x 7)))\n(check-sat)\n";
    let by_tactic = r#"awk '/^\(check-sat-using/ { print "unsat"; next } /^\(check-sat/ { print "sat" }'"#;
    let plain_only = r#"awk '/^\(check-sat-using/ { print "(error \"unknown command\")"; next }
        /^\(check-sat/ { print "sat" } /^\(get-model/ { print "((define-fun x () Int 7))" }'"#;
    let stage = Stage::new(&format!("if [ \"$1\" = tactic ]; then {by_tactic}; else {plain_only}; fi"));
    fs::write(stage.path("seed.smt2"), SEED).expect("a file");
    fs::write(stage.path("mutate.sh"), "sed 's/(check-sat)/(check-sat-using smt)/'").expect("a file");
    let mutator = format!("exec:sh {}", stage.path("mutate.sh").display());
    let (tested, other) = (stage.solver("tactic"), stage.solver("plain"));
    let more = ["--mutator", &mutator, "--mutants", "24", "--jobs", "1", "--models", "0", "--reworded", "0"];
    let more = more.iter().copied().chain(["--truth", "differential", "--solver", &other]).collect::<Vec<_>>();
    let run = Run::of(&mut stage.command(&tested, &more));
    let findings: Vec<Value> = stage.findings().iter().map(|folder| record(folder)).collect();
    let is_it = |finding: &Value| finding["class"] == "A" && finding["trust"]["kind"] == "certified";
    assert!(!findings.is_empty() && findings.iter().all(is_it), "{findings:?} {}", run.summary());
}

#[test]
fn options_are_drawn_from_the_profile_and_recorded() {
    let script = format!("case \"$*\" in *--mood=*) set -- unsat ;; *) set -- sat ;; esac; {ALWAYS}");
    let check = |options: &str, expect: i32| {
        let stage = Stage::new(&script);
        let profiles = stage.path("config/squall/solvers");
        fs::create_dir_all(&profiles).expect("a folder");
        let profile =
            "name = \"moody\"\nexecutables = [\"sh\"]\n[[choice]]\noption = \"--mood={}\"\nvalues = [\"a\", \"b\"]\n";
        fs::write(profiles.join("moody.toml"), profile).expect("a file");
        let more = ["--mutator", "storm", "--mutants", "60", "--jobs", "1", "--options", options];
        let run = Run::of(stage.command(&stage.solver(""), &more).env("XDG_CONFIG_HOME", stage.path("config")));
        assert_eq!(run.code, Some(expect), "{options}: {}", run.summary());
        for folder in stage.findings() {
            let spec = record(&folder)["solver"]["spec"].to_string();
            assert!(spec.contains("--mood="), "{spec}");
            // The same user: the profile lists the options that a record may name.
            let mut replay = squall();
            let replay = replay.env("XDG_CONFIG_HOME", stage.path("config")).arg("replay").arg(&folder).output();
            assert_eq!(replay.expect("it runs").status.code(), Some(10), "{spec}");
        }
    };
    check("random", 10);
    check("default", 0);
}

#[test]
fn errors_never_vote() {
    let stage = Stage::new(&after_preflight(r#"echo '(error "line 1 column 1: no")'; echo unsat"#));
    let mut more = vec!["--mutator", "operator,generative", "--mutants", "20", "--jobs", "1", "--models", "0"];
    more.extend(["--truth", "both", "--solver", "builtin:sat"]);
    let run = stage.fuzz("", &more);
    assert_eq!((run.code, run.number("disagreements")), (Some(0), 0), "{}", run.summary());
    assert!(run.number("mutants") > 0);
}

#[test]
fn seeds_are_paired_and_programs_run_as_mutators() {
    let stage = Stage::new(ALWAYS);
    let seeds = stage.path("seeds");
    for (folder, status, bound) in [("sat", "", "4"), ("sat/b", "", "5"), ("unsat", "(assert (< x 0))", "6")] {
        let text = format!("(set-logic QF_LIA)(declare-const x Int)(assert (> x {bound})){status}(check-sat)");
        fs::create_dir_all(seeds.join(folder)).expect("a folder");
        fs::write(seeds.join(folder).join("seed.smt2"), text).expect("a file");
    }
    let check = |mutator: &str, answer: &str, class: &str, partner: bool| {
        let mut command = squall();
        let out = stage.path(&format!("out-{class}-{}", mutator.len()));
        command
            .arg("fuzz")
            .arg(&seeds)
            .args(["--solver", &stage.solver(answer), "--format", "json", "--out"])
            .arg(&out);
        let run = Run::of(command.args(["--mutator", mutator, "--mutants", "48", "--jobs", "1", "--models", "0"]));
        assert!(run.summary()["findings"][class].as_u64() > Some(0), "{mutator}: {}", run.summary());
        let folders = fs::read_dir(out.join("findings")).expect("findings").flatten();
        for finding in folders.map(|folder| record(&folder.path())).filter(|finding| finding["origin"] == "mutant") {
            assert_eq!(finding["mutator"]["parameters"]["partner"].is_string(), partner, "{finding}");
        }
    };
    check("fusion", "unsat", "A", true);
    check("operator,generative=3", "unsat", "A", false);
    // An external program's mutants have no known answer, but a crash needs none.
    fs::write(stage.path("solver.sh"), "cat >/dev/null; kill -SEGV $$").expect("a file");
    check("exec:sed s/6/7,8/ | tr -d ,", "", "D", false);
}

#[test]
fn a_crash_is_class_d() {
    let stage = Stage::new("cat >/dev/null; kill -SEGV $$");
    let run = stage.fuzz("", &["--mutants", "20", "--jobs", "1"]);
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    assert!(run.summary()["findings"]["D"].as_u64() > Some(0), "{}", run.summary());
    let finding = record(&stage.findings()[0]);
    assert_eq!(finding["trust"]["kind"], "observed");
    assert!(finding["symptom"].as_str().is_some_and(|s| s.contains("SIGSEGV")), "{finding}");
}

#[test]
fn unknown_is_class_c_only_where_another_solver_answers() {
    let stage = Stage::new(ALWAYS);
    let fixed = ["--mutator", "storm", "--mutants", "20", "--jobs", "1"];
    let run = stage.fuzz("unknown", &[&fixed[..], &["--reference", "builtin:sat"]].concat());
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    assert!(run.summary()["findings"]["C"].as_u64() > Some(0), "{}", run.summary());
    assert_eq!(record(&stage.findings()[0])["others"][0]["solver"], "builtin:sat");
    let stage = Stage::new(ALWAYS);
    let run = stage.fuzz("unknown", &[&fixed[..], &["--reference", "builtin:unknown"]].concat());
    assert_eq!(run.code, Some(11), "{}", run.summary());
}

#[test]
fn a_flaky_answer_is_marked_and_does_not_count() {
    // Wrong at every second call.
    let script = r#"n=$(cat "$1" 2>/dev/null || echo 0); echo $((n+1)) >"$1"
        if [ $((n % 2)) = 0 ]; then set -- x unsat; else set -- x sat; fi
        while IFS= read -r line; do case $line in "(check-sat"*) echo "$2";; esac; done"#;
    let stage = Stage::new(script);
    let counter = stage.path("counter").display().to_string();
    let run =
        stage.fuzz(&counter, &["--mutants", "12", "--jobs", "1", "--assignment", "random", "--reduce-share", "0"]);
    assert!(run.number("flaky") + run.number("unconfirmed") > 0, "{}", run.summary());
    assert_eq!(run.summary()["findings"], serde_json::json!({}));
    assert_eq!(run.code, Some(0));
    for folder in stage.findings() {
        let repeats = &record(&folder)["repeats"];
        assert!(repeats["shown"].as_u64() < repeats["runs"].as_u64());
    }
}
