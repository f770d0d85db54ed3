//! What campaigns make of a solver's peculiarities: logics it must be told, spellings it misreads, answers that depend on
//! what it was asked before.

use crate::support::{ALWAYS, Run, SEED, Stage, after_preflight, record, squall};
use std::fs;

/// A stage whose stand-in (a shell script) has these lines in its profile.
fn stage_with_profile(script: &str, lines: &str) -> Stage {
    let stage = Stage::new(script);
    let profiles = stage.path("config/squall/solvers");
    fs::create_dir_all(&profiles).expect("a folder");
    let profile = format!("name = \"stand-in\"\nexecutables = [\"sh\"]\n{lines}\n");
    fs::write(profiles.join("stand-in.toml"), profile).expect("a file");
    stage
}

fn fuzz(stage: &Stage, more: &[&str]) -> Run {
    let mut command = stage.command(&stage.solver(""), more);
    Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")).env("ONCE", stage.path("once")))
}

#[test]
fn a_solver_that_needs_a_logic_is_told_the_smallest() {
    // Reads nothing that does not begin with a logic, and answers by it.
    let script = r#"read -r first
        case "$first" in "(set-logic "*) ;; *) echo '(error "no logic")'; exit 1 ;; esac
        echo "$first" >> "$0.log"
        awk '/^\(check-sat/ { print "sat" }'"#;
    let check = |seed: &str, lines: &str, answered: bool, logic: &str| {
        let stage = stage_with_profile(script, lines);
        fs::write(stage.path("seed.smt2"), seed).expect("a file");
        let mutators = ["--mutator", "storm,operator,generative,fusion"];
        let run = fuzz(&stage, &[&["--mutants", "60", "--jobs", "1", "--models", "0"], &mutators[..]].concat());
        assert_eq!(run.number("sat") > 0, answered, "{lines}: {}", run.summary());
        assert_eq!(run.number("errors") > 0, !answered, "{lines}: {}", run.summary());
        let told = fs::read_to_string(stage.path("solver.sh.log")).unwrap_or_default();
        let own = format!("(set-logic {logic})");
        // Behind the two of the preflight.
        let told: Vec<&str> = told.lines().skip(2).collect();
        assert_eq!(told.contains(&own.as_str()), answered, "{lines}: {told:?}");
        // A mutant that leaves the logic is given all.
        assert!(told.iter().all(|line| *line == own || *line == "(set-logic ALL)"), "{lines}: {told:?}");
    };
    let unnamed = SEED.replace("(set-logic QF_LIA)\n", "");
    check(&unnamed, "needs-logic = true", true, "QF_LIA");
    check(&unnamed, "needs-logic = true\nlogics = [\"QF_UFLIA\", \"QF_BV\", \"ALL\"]", true, "QF_UFLIA");
    check(&unnamed, "needs-logic = false", false, "");
    check(SEED, "needs-logic = true", true, "QF_LIA");
}

#[test]
fn a_text_that_a_solver_misreads_has_no_truth_for_it() {
    const ESCAPE: &str = r#"(assert (= (str.len (str.++ s "\u{100}")) (+ x 1)))"#;
    const LOOP: &str = r#"(assert (not (str.in_re s ((_ re.loop 3 1) (str.to_re "a")))))"#;
    let check = |odd_assertion: &str, misreads: &str, expect: bool| {
        let profile = format!("[[dialect]]\nversions = \"*\"\nmisreads = [{misreads}]");
        let stage = stage_with_profile(ALWAYS, &profile);
        // Where findings must have the spelling there is nothing else to breed from, since only the smallest are kept; where
        // they must not, some mutants have it and some have not.
        let plain_assertion = if expect { "" } else { "(assert (or (= x 0) (> x 3)))" };
        let seed =
            format!("(declare-const s String)(declare-const x Int){odd_assertion}{plain_assertion}(check-sat)\n");
        fs::write(stage.path("seed.smt2"), seed).expect("a file");
        let more =
            ["--mutants", "200", "--jobs", "1", "--mutator", "storm", "--max-asserts", "1", "--reduce-share", "0"];
        let mut command = stage.command(&stage.solver("unsat"), &more);
        let run = Run::of(command.env("XDG_CONFIG_HOME", stage.path("config")));
        let odd = if odd_assertion == ESCAPE { "\\u{100}" } else { "re.loop" };
        let recorded = stage
            .findings()
            .iter()
            .any(|folder| fs::read_to_string(folder.join("mutant.smt2")).is_ok_and(|text| text.contains(odd)));
        assert_eq!(recorded, expect, "{misreads}: {}", run.summary());
        assert_eq!(run.number("misread") == 0, expect, "{misreads}: {}", run.summary());
        // Mutants without the spelling stay findings, however many had it.
        assert_eq!(run.code, Some(10), "{misreads}: {}", run.summary());
        if expect {
            // By the word of a profile that says otherwise, what was found is none.
            let lines = "name = \"stand-in\"\nexecutables = [\"sh\"]\n[[dialect]]\nversions = \"*\"\n\
                misreads = [\"string-escape-u\", \"re.loop-empty-range\"]\n";
            fs::write(stage.path("config/squall/solvers/stand-in.toml"), lines).expect("a file");
            for folder in stage.findings() {
                let text = fs::read_to_string(folder.join("mutant.smt2")).expect("a mutant");
                let mut replay = squall();
                replay.arg("replay").arg(&folder).env("XDG_CONFIG_HOME", stage.path("config"));
                let code = replay.output().expect("it runs").status.code();
                assert_eq!(code, Some(if text.contains(odd) { 0 } else { 10 }), "{text}");
            }
        }
    };
    check(ESCAPE, "\"string-escape-u\"", false);
    check(ESCAPE, "\"re.loop-empty-range\"", true);
    check(LOOP, "\"re.loop-empty-range\"", false);
    check(LOOP, "\"string-escape-u\"", true);
}

#[test]
fn what_shows_only_after_other_scripts_is_kept_with_them() {
    let check = |rule: &str, more: &[&str], class: Option<&str>| {
        let echo = r#"/^\(echo/ { gsub(/^\(echo "|"\)$/, ""); print }"#;
        let script = format!(r#"awk '/^\(reset/ {{ resets++ }} {echo} /^\(check-sat/ {{ {rule} }}'"#);
        let stage = stage_with_profile(&script, "reset-works = true");
        let fixed = ["--mutants", "40", "--jobs", "1", "--mutator", "storm", "--incremental", "off", "--models", "0"];
        let run = fuzz(&stage, &[&fixed[..], more].concat());
        assert_eq!(run.code, Some(if class.is_some() { 10 } else { 0 }), "{rule}: {}", run.summary());
        let found = stage.findings();
        assert_eq!(found.is_empty(), class.is_none(), "{rule}");
        for folder in found {
            let finding = record(&folder);
            assert_eq!((finding["class"].as_str(), finding["mode"].as_str()), (class, Some("reset")), "{finding}");
            let run = |command: &str, more: &[&str]| {
                let mut squall = squall();
                squall.arg(command).arg(&folder).args(more).env("XDG_CONFIG_HOME", stage.path("config"));
                squall.output().expect("it runs").status.code()
            };
            let replay = || run("replay", &[]);
            assert_eq!(replay(), Some(10), "{rule}: with its predecessors");
            assert_eq!(run("reduce", &["--trust", "none", "--jobs", "1"]), Some(0), "{rule}: what replays is reduced");
            let reduced = |name: &str| fs::read_to_string(folder.join(name)).expect("a reduced file");
            let needed = reduced("reduced.predecessors.smt2");
            // The solver only counts scripts, so that a check is left of each.
            assert!(needed.contains("(reset)\n"), "{rule}: {needed}");
            assert!(needed.len() <= 60 * needed.matches("(reset)").count(), "{rule}: {needed}");
            let account: serde_json::Value = serde_json::from_str(&reduced("reduced.json")).expect("JSON");
            let size = needed.len() + reduced("reduced.smt2").len();
            assert_eq!(
                account["report"]["after"]["bytes"].as_u64(),
                Some(size as u64),
                "{rule}: the size of all: {account}"
            );
            assert_eq!(run("bisect", &[]), Some(10), "{rule}: and bisected");
            let file = folder.join("predecessors.smt2");
            let earlier = fs::read_to_string(&file).expect("the predecessors");
            assert!(earlier.ends_with("(reset)\n") && earlier.contains("(check-sat)"), "{earlier}");
            fs::write(&file, "").expect("a file");
            assert_eq!(replay(), Some(0), "{rule}: without them");
            fs::remove_file(&file).expect("a file");
            assert_eq!(replay(), Some(1), "{rule}: they are missing");
        }
    };
    let wrong = r#"print (resets > 0 ? "unsat" : "sat")"#;
    check(wrong, &[], Some("A"));
    check(wrong, &["--no-batch"], None);
    check(r#"print (resets > 2 ? "unsat" : "sat")"#, &[], Some("A"));
    check(r#"if (resets > 1) exit 139; print "sat""#, &[], Some("D"));
    check(r#"if (resets > 1) exit 139; print "sat""#, &["--no-batch"], None);
    check(r#"print "sat""#, &[], None);
    // What is not found again in a fresh process with the same predecessors is dropped.
    let once = r#"print ((resets > 0 && system("mkdir \"$ONCE\" 2>/dev/null") == 0) ? "unsat" : "sat")"#;
    check(once, &[], None);
}

#[test]
fn a_tactic_that_a_solver_does_not_take_is_said_at_once() {
    let script = r#"awk '/^\(check-sat-using (smt|\(then simplify smt\))\)/ { print "sat"; next }
        /^\(check-sat-using/ { print "(error \"line 3 column 17: unknown tactic\")"; next } /^\(check-sat/ { print "sat" }'"#;
    let check = |tactics: &str, code: i32, expect: &str| {
        let stage = stage_with_profile(script, "[[tactic]]\ntext = \"(then simplify smt)\"");
        let run = fuzz(&stage, &["--tactics", tactics, "--mutator", "storm", "--mutants", "8", "--jobs", "1"]);
        assert_eq!(run.code, Some(code), "{tactics}: {}", run.stderr);
        assert!(run.stderr.contains(expect), "{tactics}: {}", run.stderr);
    };
    check("smt; (then simplify smt)", 0, "");
    check("none", 0, "");
    check(
        "smt; simplfy",
        2,
        "rejects the tactic 'simplfy': line 3 column 17: unknown tactic; did you mean 'simplify'?",
    );
    check("(then simplify foo)", 2, "rejects the tactic '(then simplify foo)'");
}

#[test]
fn a_solver_that_hangs_when_asked_its_version_does_not_hold_a_campaign_up() {
    let stage = stage_with_profile("case \"$*\" in *--version*) exec sleep 6000 ;; esac; exec sleep 6000", "");
    let begun = std::time::Instant::now();
    let run = fuzz(&stage, &["--for", "1s", "--timeout", "6000s", "--jobs", "1"]);
    assert_eq!(run.code, Some(11), "{}", run.stderr);
    // The two probes are bounded by some seconds each; ten minutes leave room for a busy machine.
    assert!(begun.elapsed() < std::time::Duration::from_secs(600), "{:?}", begun.elapsed());
}

#[test]
fn a_name_that_stands_for_no_solver_is_a_usage_error_everywhere() {
    let stage = Stage::new(ALWAYS);
    let (seed, out) = (stage.path("seed.smt2").display().to_string(), stage.out().display().to_string());
    let check = |args: &[&str], code: i32, expect: &str| {
        let output = squall().args(args).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(expect), "{args:?}: {said}");
    };
    let unknown = "there is no solver named 'z4'; did you mean 'z3'?";
    check(&["fuzz", &seed, "--solver", "z4", "--out", &out], 2, unknown);
    check(&["experiment", "conform", "--solver", "z4"], 2, unknown);
    check(&["reduce", &seed, "--solver", "z4"], 2, unknown);
    check(&["bisect", &seed, "--solver", "z4"], 2, unknown);
    for command in ["install", "remove", "which", "doctor"] {
        let expect = if command == "remove" { "no installed solver is named 'z4'" } else { unknown };
        check(&["solver", command, "z4"], 2, expect);
    }
    check(&["solver", "list", "--remote", "z4"], 2, unknown);
    check(&["solver", "which", "z3+nosuch"], 2, "z3 has no variant 'nosuch'");
    check(&["solver", "which", "./nosuch"], 2, "there is no executable program at './nosuch'");
    // It is known, and not here: that is no mistake of whoever wrote it.
    check(&["solver", "which", "mathsat@1.0"], 1, "is not installed");
    check(
        &["experiment", "conform", "--solver", "/bin/true", "--theory", "Ints", "--count", "4"],
        11,
        "never answered",
    );
}

#[test]
fn a_stand_in_inside_the_process_accuses_itself_of_nothing() {
    let stage = Stage::new(ALWAYS);
    let unsat = SEED.replace("status sat", "status unsat").replace("(check-sat)", "(assert false)\n(check-sat)");
    fs::write(stage.path("seed.smt2"), unsat).expect("a file");
    let run = Run::of(&mut stage.command("builtin:sat", &["--mutants", "40", "--jobs", "1"]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(stage.findings().is_empty());
}

#[test]
fn what_goes_before_is_shown_where_it_is_the_bug() {
    let echo = r#"/^\(echo/ { gsub(/^\(echo "|"\)$/, ""); print }"#;
    let script =
        format!(r#"awk '/^\(reset/ {{ resets++ }} {echo} /^\(check-sat/ {{ print (resets > 0 ? "unsat" : "sat") }}'"#);
    let stage = stage_with_profile(&script, "reset-works = true");
    let run = |command: &str, more: &[&str]| {
        let mut squall = squall();
        squall.arg(command).args(more).env("XDG_CONFIG_HOME", stage.path("config"));
        let output = squall.output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (seed, out) = (stage.path("seed.smt2").display().to_string(), stage.out().display().to_string());
    let fixed = ["--mutants", "40", "--jobs", "1", "--mutator", "storm", "--incremental", "off", "--models", "0"];
    let solver = stage.solver("");
    let ci = [
        &seed,
        "--solver",
        &solver,
        "--baseline",
        "builtin:sat",
        "--for",
        "60s",
        "--reduce-for",
        "5s",
        "--out",
        &out,
        "--",
    ];
    let told = run("ci", &[&ci[..], &fixed[..]].concat());
    let scripts: Vec<&str> = told.split("----\n").skip(1).step_by(2).collect();
    assert!(!scripts.is_empty(), "{told}");
    for script in scripts {
        assert!(script.contains("(reset)\n") && script.matches("(check-sat)").count() > 1, "{script}\n{told}");
    }
    let told = run("report", &["--list", &out]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(", after a reset") && !told.contains("tactic"), "{told}");
}

#[test]
fn a_solver_that_starts_slowly_answers_problems_made_from_nothing() {
    let check = |start: &str, more: &[&str], answered: bool| {
        let stage = Stage::new(&format!("sleep {start}; {ALWAYS}"));
        let fixed = ["--mutator", "finite", "--mutants", "3", "--jobs", "1", "--models", "0", "--reduce-share", "0"];
        let run = stage.fuzz("unknown", &[&fixed[..], more].concat());
        assert_eq!(run.number("unknown") > 0, answered, "{start} {more:?}: {}", run.summary());
        assert_eq!(run.number("timeouts") > 0, !answered, "{start} {more:?}: {}", run.summary());
    };
    check("0.7", &[], true);
    // The user's own limit holds all the same.
    check("0.7", &["--timeout", "500ms"], false);
}

#[test]
fn seeds_of_other_logics_are_not_sent() {
    let check = |logics: &str, skipped: bool| {
        let stage = stage_with_profile(&after_preflight(ALWAYS), logics);
        let run = fuzz(&stage, &["--mutator", "storm", "--mutants", "20", "--jobs", "1"]);
        let events = run.events("skipped_seed");
        let said = events.iter().any(|e| e["reason"].as_str().is_some_and(|reason| reason.contains("`logics`")));
        assert_eq!((said, run.number("seeds") == 0), (skipped, skipped), "{logics}: {events:?} {}", run.summary());
    };
    check("logics = [\"QF_BV\", \"QF_UF\"]", true);
    check("logics = [\"QF_BV\", \"QF_UFLIA\"]", false);
    check("", false);
}

#[test]
fn what_a_solver_says_in_place_of_answers_is_shown() {
    let check = |script: &str, text: &str| {
        let stage = Stage::new(&after_preflight(script));
        let fixed = ["--mutator", "storm", "--mutants", "20", "--jobs", "1", "--reduce-share", "0"];
        let run = stage.fuzz("sat", &fixed);
        let said = &run.summary()["error_texts"][0];
        assert_eq!(said["text"], text, "{}", run.summary());
        assert!(said["checks"].as_u64() > Some(0), "{said}");
        let (seed, out) = (stage.path("seed.smt2"), stage.path("plain"));
        let mut plain = squall();
        plain.arg("fuzz").arg(seed).args(["--solver", &stage.solver("sat"), "--plain", "--for", "60s"]).args(fixed);
        let output = plain.arg("--out").arg(out).output().expect("it runs");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains(&format!(" × {text}\n")) && told.contains("more than a tenth"), "{told}");
    };
    check(&format!("echo '(error \"line 1 column 1: no bvsdivo\")'; {ALWAYS}"), "no bvsdivo");
    check("cat >/dev/null; echo 'usage: solver FILE' >&2; exit 1", "usage: solver FILE");
}

/// A script of standard theories that one solver refuses and another one reads is a finding of its own class, one for each message.
#[test]
fn what_one_solver_refuses_and_another_reads_is_a_refusal() {
    let refuses = after_preflight("echo \"(error \\\"line 3 column 7: unknown constant 'x12'\\\")\"");
    let check = |reader: &str, assertion: &str, expect: usize| {
        let stage = Stage::new(&refuses);
        fs::write(stage.path("reader.sh"), reader).expect("a file");
        let seed = format!("(declare-const x Int)\n(assert (> x 3))\n{assertion}\n(check-sat)\n");
        fs::write(stage.path("seed.smt2"), seed).expect("a file");
        // Another program than the shell of the first one.
        let other = format!("/bin/bash \"{}\" sat", stage.path("reader.sh").display());
        let more =
            ["--reference", &other, "--mutator", "storm", "--mutants", "4", "--jobs", "1", "--reduce-share", "0"];
        let run = stage.fuzz("", &more);
        let found: Vec<_> = stage.findings().iter().map(|folder| record(folder)).collect();
        assert_eq!(found.len(), expect, "{reader} {assertion}: {}", run.stderr);
        for finding in found {
            assert_eq!((&finding["class"], &finding["trust"]["kind"]), (&"R".into(), &"trusted".into()), "{finding}");
            assert_eq!(finding["symptom"], "line # column #: unknown constant …");
        }
        if expect > 0 {
            let replay = squall().arg("replay").arg(stage.out()).output().expect("it runs");
            assert_eq!(replay.status.code(), Some(10), "{}", String::from_utf8_lossy(&replay.stdout));
        }
    };
    check(ALWAYS, "", 1);
    // Nobody reads it.
    check(&refuses, "", 0);
    // An operator that the standard does not have.
    check(ALWAYS, "(assert (= (rem x 2) 1))", 0);
    // A logic that does not grant what occurs.
    check(ALWAYS, "(set-logic QF_BV)", 0);
}
