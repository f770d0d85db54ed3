//! The command `squall fuzz`: unusable seeds, early ends, messages for people, and wrong command lines.

use crate::support::{ALWAYS, Run, SEED, Stage, name, record, squall};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn broken_seeds_are_skipped_and_counted() {
    let stage = Stage::new(ALWAYS);
    let seeds = stage.path("seeds");
    fs::create_dir(&seeds).expect("a folder");
    fs::write(seeds.join("good.smt2"), SEED).expect("a file");
    fs::write(seeds.join("latin1.smt2"), b"(assert true) ; \xe9").expect("a file");
    fs::write(seeds.join("cut.smt2"), "(declare-const x Int) (assert (> x").expect("a file");
    fs::write(seeds.join("empty.smt2"), "").expect("a file");
    fs::create_dir(seeds.join("folder.smt2")).expect("a folder");
    std::os::unix::fs::symlink("nowhere", seeds.join("dangling.smt2")).expect("a link");
    fs::write(seeds.join("levels.smt2"), "(declare-const p Bool)(push 1000000000)(assert p)(check-sat)")
        .expect("a file");
    let mut command = squall();
    command.arg("fuzz").arg(&seeds).args(["--solver", "builtin:sat", "--format", "json", "--mutants", "3000"]);
    let run = Run::of(command.arg("--out").arg(stage.out()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut skipped: Vec<String> =
        run.events("skipped_seed").iter().map(|e| name(Path::new(e["seed"].as_str().expect("a name")))).collect();
    skipped.sort();
    assert_eq!(skipped, ["cut.smt2", "dangling.smt2", "empty.smt2", "latin1.smt2"]);
    assert_eq!(run.number("skipped"), 4);
    assert_eq!(run.number("seeds"), 2);
}

#[test]
fn only_broken_seeds_end_the_campaign() {
    let stage = Stage::new(ALWAYS);
    fs::write(stage.path("seed.smt2"), "(assert").expect("a file");
    let run = Run::of(&mut stage.command("builtin:sat", &[]));
    assert_eq!(run.code, Some(11), "nothing was tested: {}", run.stderr);
    assert_eq!((run.number("skipped"), run.number("mutants")), (1, 0));
}

#[test]
fn the_same_seed_gives_the_same_mutants() {
    let script = format!(r#"cat >"$2.tmp"; cat "$2.tmp" >>"$2"; exec <"$2.tmp"; {ALWAYS}"#);
    let texts = |seed: &str| {
        let stage = Stage::new(&script);
        let log = stage.path("log");
        let more = ["--mutator", "storm", "--mutants", "40", "--jobs", "1", "--seed", seed];
        let run = stage.fuzz(&format!("sat {}", log.display()), &more);
        assert_eq!((run.code, run.number("mutants")), (Some(0), 40), "{}", run.stderr);
        fs::read_to_string(log).expect("a log")
    };
    let first = texts("5");
    assert!(first.matches("(check-sat").count() > 40);
    assert!(!first.contains(":status"), "the status is never sent");
    assert_eq!(first, texts("5"));
    assert_ne!(first, texts("6"));
}

#[test]
fn a_killed_campaign_leaves_complete_findings_and_resumes() {
    let stage = Stage::new(ALWAYS);
    let mut child =
        stage.command(&stage.solver("unsat"), &["--jobs", "2"]).stdout(Stdio::null()).spawn().expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(600);
    while stage.findings().len() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    let findings = stage.findings();
    assert!(findings.len() >= 2);
    for folder in &findings {
        let finding = record(folder);
        let mutant = fs::read(folder.join("mutant.smt2")).expect("a mutant");
        assert_eq!(finding["mutant_bytes"].as_u64(), Some(mutant.len() as u64));
        assert!(folder.join("output.txt").exists());
    }
    let run = stage.fuzz("unsat", &["--mutants", "10", "--jobs", "1"]);
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    let partial = fs::read_dir(stage.out().join("findings")).expect("findings").flatten();
    assert_eq!(partial.filter(|e| e.file_name().to_string_lossy().starts_with('.')).count(), 0);
}

#[test]
fn an_interrupt_ends_with_the_summary() {
    let stage = Stage::new(ALWAYS);
    let child =
        stage.command(&stage.solver("unsat"), &["--jobs", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(600);
    while stage.findings().len() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
    let run = Run::from(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    assert!(run.number("mutants") > 0);
}

#[test]
fn an_unusable_folder_is_reported_at_once() {
    let stage = Stage::new(ALWAYS);
    let check = |out: &Path, expect: &str| {
        let mut command = squall();
        command.arg("fuzz").arg(stage.path("seed.smt2")).args(["--solver", "builtin:sat", "--mutants", "5", "--out"]);
        let output = command.arg(out).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(expect), "{stderr}");
    };
    check(&stage.path("seed.smt2"), "cannot create the folder");
    check(stage.root.path(), "is not a campaign of squall");
    let mut first = stage.command("builtin:sat", &[]).stdout(Stdio::null()).spawn().expect("it runs");
    while !stage.out().join("campaign.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    check(&stage.out(), "another squall");
    first.kill().expect("it is killed");
    first.wait().expect("it is gone");
}

#[test]
fn a_wrong_command_line_is_a_usage_error() {
    let stage = Stage::new(ALWAYS);
    let check = |solver: &str, more: &[&str], expect: &str| {
        let output = stage.command(solver, more).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{more:?}: {stderr}");
        assert!(stderr.contains(expect), "{more:?}: {stderr}");
    };
    check("builtin:sat", &["--mutator", "rain"], "there are: storm");
    check("builtin:sat", &["--mutator", "storm=0"], "is not a weight");
    check("builtin:sat", &["--mutator", "exec:"], "exec:COMMAND");
    check("builtin:sat", &["--truth", "both"], "--reference");
    check("builtin:sat", &["--until-found", "S"], "--slow");
    check("builtin:sat", &["--models", "101"], "models");
    check("builtin:sat", &["--set", "colour=red"], "no chosen mutator has a parameter 'colour'");
    check("builtin:sat", &["--set", "max-asserts=0"], "max-asserts");
    check("builtin:sat", &["--for", "0s"], "60s");
    check("builtin:sat", &["--memory", "1"], "2GiB");
    check("builtin:sat", &["--jobs", "0"], "jobs");
    check("builtin:maybe", &[], "did you mean");
    check("", &[], "no solver is named");
}

#[test]
fn people_get_sentences() {
    let stage = Stage::new(ALWAYS);
    let run = |out: &str, more: &[&str]| {
        let mut command = squall();
        // No other solver can confirm the seed's label, so nothing can be reduced.
        command.env("PATH", stage.root.path()).arg("fuzz").arg(stage.path("seed.smt2")).args(more);
        command.args(["--mutants", "20", "--jobs", "1", "--solver"]).arg(stage.solver("unsat"));
        let output = command.arg("--out").arg(stage.path(out)).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, stdout, stderr) = run("out", &[]);
    assert_eq!(code, Some(10));
    assert!(stderr.contains("FOUND class A") && stderr.contains("[trusted: the seed's own :status; "), "{stderr}");
    assert!(stderr.contains("unsat, but no model is certified; name other solvers with --trust"), "{stderr}");
    assert!(stdout.contains("Found: ") && stdout.contains("squall replay "), "{stdout}");
    let folder = stdout.lines().find_map(|l| Some(l.split_once("squall replay ")?.1)).expect("a command to type");
    assert!(Path::new(folder).join("finding.json").exists(), "{folder}");
    let (code, stdout, stderr) = run("quiet", &["--quiet"]);
    assert_eq!(code, Some(10), "{stderr}");
    assert!(stdout.contains("Found: ") && stdout.contains("squall replay "), "{stdout}");
    assert!(stderr.lines().all(|line| line.contains("cannot reduce ")), "{stderr}");
}

#[test]
fn a_program_that_makes_no_mutants_is_counted_and_named() {
    let check = |command: &str, more: &[&str], reason: &str| {
        let stage = Stage::new(ALWAYS);
        let mutator = format!("exec:{command}");
        let run = stage.fuzz("sat", &[&["--mutator", &mutator, "--mutants", "16", "--jobs", "1"][..], more].concat());
        // With one solver, nothing is compared.
        assert_eq!(run.code, Some(11), "{command}: {}", run.stderr);
        let skipped = run.events("skipped_seed");
        match reason {
            "" => {
                assert_eq!((skipped.len(), run.number("mutants"), run.number("unmade")), (0, 16, 0), "{command}");
            }
            _ => {
                assert!(run.number("unmade") > 0 && run.number("mutants") < 16, "{command}: {}", run.summary());
                let why = run.summary()["unmade_texts"][0]["text"].clone();
                assert!(why.as_str().is_some_and(|text| text.contains(reason)), "{command}: {}", run.summary());
                let said = skipped.iter().any(|e| e["reason"].as_str().is_some_and(|text| text.contains(reason)));
                assert!(said, "{command}: {skipped:?}");
            }
        }
    };
    check("cat", &[], "");
    check("echo out of ideas >&2; exit 3", &[], "out of ideas");
    check("echo '(assert'", &[], "no SMT-LIB script");
    check("echo '(declare-const x Int)'", &[], "without `(check-sat)`");
    check("sleep 60", &["--set", "seconds=1"], "did not end within 1 s");
}

/// A mutator that failed together with another was counted as checks without its reason, and a resumed campaign forgot all reasons.
#[test]
fn a_program_that_fails_beside_a_mutator_is_named() {
    let stage = Stage::new(ALWAYS);
    let run = |arguments: &[&str]| {
        let output = squall().args(["fuzz", "--plain"]).args(arguments).output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (seed, out) = (stage.path("seed.smt2").display().to_string(), stage.out().display().to_string());
    let solver = stage.solver("sat");
    let mutators = "storm:1,exec:echo RuntimeError: my bug >&2; exit 3";
    let begun = [&seed, "--solver", &solver, "--mutator", mutators, "--jobs", "1", "--relations", "off", "--out", &out];
    for told in [run(&[&begun[..], &["--units", "8"]].concat()), run(&["--resume", &out, "--units", "9"])] {
        let (_, why) = told.split_once("Mutants that could not be made: ").unwrap_or_else(|| panic!("{told}"));
        assert!(why.lines().nth(1).is_some_and(|line| line.contains(" × ") && line.contains("my bug")), "{told}");
        assert!(!told.contains("Checks not answered"), "{told}");
    }
}

#[test]
fn chains_breed_certified_mutants() {
    let stage = Stage::new(ALWAYS);
    let chain = "operator>generative>storm";
    let run = stage.fuzz("unsat", &["--mutator", chain, "--mutants", "30", "--jobs", "1", "--models", "0"]);
    assert_eq!(run.code, Some(10), "{}", run.summary());
    let findings = stage.findings();
    let mutants: Vec<Value> = findings.iter().map(|f| record(f)).filter(|f| f["origin"] == "mutant").collect();
    assert!(!mutants.is_empty());
    for finding in mutants {
        assert_eq!((&finding["trust"]["kind"], &finding["mutator"]["name"]), (&"certified".into(), &chain.into()));
        assert_eq!(finding["mutator"]["parameters"]["chain"], chain);
    }
    let replayed = squall().arg("replay").arg(stage.out()).output().expect("it runs").status.code();
    assert_eq!(replayed, Some(10));
}

#[test]
fn the_first_finding_of_a_class_ends_the_campaign() {
    let check = |answer: &str, class: &str, expect: i32, ends_early: bool| {
        let stage = Stage::new(ALWAYS);
        let more = ["--until-found", class, "--mutants", "400", "--jobs", "1", "--mutator", "storm"];
        let run = stage.fuzz(answer, &[&more[..], &["--no-batch", "--reduce-share", "0"]].concat());
        assert_eq!(run.code, Some(expect), "{answer} {class}: {}", run.stderr);
        assert_eq!(run.number("mutants") < 400, ends_early, "{answer} {class}: {}", run.summary());
    };
    check("unsat", "A", 10, true);
    // A finding of a more important class ends it, too.
    check("unsat", "B", 10, true);
    check("sat", "A", 0, false);
}

#[test]
fn a_record_has_the_resources_used_by_the_campaign() {
    let check = |mutator: &str, is_of_seed: bool| {
        let stage = Stage::new(ALWAYS);
        let run = stage.fuzz("unsat", &["--mutants", "60", "--jobs", "1", "--mutator", mutator]);
        assert_eq!(run.code, Some(10), "{}", run.stderr);
        let mutants: Vec<Value> = stage
            .findings()
            .iter()
            .map(|folder| {
                let record = record(folder);
                let is_mutant = record["origin"] == "mutant";
                let copy = fs::read_to_string(folder.join("seed.smt2")).ok();
                assert_eq!(copy, (is_of_seed && is_mutant).then(|| SEED.to_string()), "{record}");
                record
            })
            .filter(|record| record["origin"] == "mutant")
            .collect();
        assert!(!mutants.is_empty());
        for effort in mutants.iter().map(|record| &record["effort"]) {
            assert!(effort["mutants"].as_u64().is_some_and(|mutants| mutants <= 60), "{effort}");
            assert!(effort["cpu_s"].as_f64() > Some(0.0) && effort["wall_s"].as_f64() > Some(0.0), "{effort}");
        }
    };
    check("storm", true);
    check("finite", false);
}

#[test]
fn seeds_are_taken_by_their_logic() {
    let check = |logics: &str, expect: Result<u64, &str>| {
        let stage = Stage::with_seeds(ALWAYS);
        let add = |name: &str, text: &str| fs::write(stage.path(&format!("seeds/{name}")), text).expect("a file");
        add("bv.smt2", "; (set-logic QF_LIA)\n( set-logic\n QF_BV )(declare-const p Bool)(assert p)(check-sat)");
        add("none.smt2", "(declare-const p Bool)(assert p)(check-sat)");
        let mut command = stage.command(&stage.solver("sat"), &["--logic", logics, "--units", "2", "--jobs", "1"]);
        let run = Run::of(command.arg(stage.path("seeds")).args(["--mutator", "storm"]));
        match expect {
            Ok(seeds) => assert_eq!(run.events("started")[0]["seeds"], seeds, "{logics}: {}", run.stderr),
            Err(words) => {
                assert_eq!(run.code, Some(2), "{logics}");
                assert!(run.stderr.contains(words), "{logics}: {}", run.stderr);
            }
        }
    };
    // Six from the folder, and one from the stage.
    check("QF_LIA", Ok(7));
    check("QF_BV,QF_LIA", Ok(8));
    check("QF_BV", Ok(1));
    check("QF_FP", Err("no seed sets the logic QF_FP: they set QF_BV, QF_LIA"));
}

#[test]
fn generated_problems_stay_within_the_logics() {
    let stage = Stage::new(ALWAYS);
    let kept = stage.path("kept");
    let kept_text = kept.display().to_string();
    let more =
        ["--logic", "QF_LIA", "--mutator", "finite", "--mutants", "40", "--jobs", "1", "--keep-mutants", &kept_text];
    // It does not matter that no seed has the logic.
    fs::write(stage.path("seed.smt2"), "(set-logic QF_BV)(declare-const p Bool)(assert p)(check-sat)").expect("a file");
    let run = stage.fuzz("unknown", &more);
    // All that were sent, and none of another theory.
    let files: Vec<_> = fs::read_dir(&kept).expect("a folder").flatten().collect();
    assert!(files.len() as u64 >= run.number("mutants") && !files.is_empty(), "{}: {}", files.len(), run.summary());
    for file in files {
        let text = fs::read_to_string(file.path()).expect("a mutant");
        let is_within = ["BitVec", "String", "FloatingPoint", "Array", "Real", "forall", "exists"];
        assert!(is_within.iter().all(|word| !text.contains(word)), "{text}");
    }
    fs::write(stage.path("file"), "").expect("a file");
    let file = stage.path("file").display().to_string();
    let refused = stage.fuzz("sat", &["--keep-mutants", &file, "--mutants", "1"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("cannot create the folder"), "{}", refused.stderr);
}
