//! A misbehaving stand-in, case by case: each is classified correctly, and no process survives.

mod endings;

use std::path::Path;
use std::time::{Duration, Instant};

use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{CancelToken, ProcessLimits, RunError, RunStatus};
use solver::profiles::{Profiles, parse};
use solver::session::{SessionNeeds, Solver};
use solver::sources::path::SearchPath;
use solver::spec::SolverSpec;

const STAND_IN: &str = env!("CARGO_BIN_EXE_stand-in-solver");

/// Texts that only the profile of the stand-in knows.
const PROFILE: &str = r#"
name = "stand-in"
executables = ["stand-in-solver"]
reset-works = true
error-texts = ["parse error"]
ignore = ["an old story"]
[memory]
guard = "GUARD"
[[self-check]]
text = "an invalid model was generated"
class = "B"
[[known]]
text = "seen.cpp:7"
report = "issue 7"
"#;

fn stand_in(tag: &str, options: &str, guard: &str) -> Solver {
    let mut profiles = Profiles::embedded();
    profiles.add(parse(&PROFILE.replace("GUARD", guard), "test").unwrap(), "test").unwrap();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let spec: SolverSpec = format!("'{STAND_IN}' --tag={tag} {options}").parse().unwrap();
    fleet.solver(fleet.resolve(&spec).unwrap())
}

fn limits() -> ProcessLimits {
    ProcessLimits {
        // Reached only by the cases that hang; long enough for the slowest machine's first spawn.
        wall: Duration::from_secs(20),
        cpu: None,
        script_cpu: None,
        memory_bytes: Some(256 << 20),
        output_bytes: 4 << 20,
    }
}

fn hanging() -> ProcessLimits {
    ProcessLimits { wall: Duration::from_millis(500), ..limits() }
}

/// Asserts that no process with this tag is left; those just killed may take a moment.
fn assert_nothing_survives(tag: &str) {
    let wanted = format!("--tag={tag}");
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let left = std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            std::fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == wanted.as_bytes()))
        });
        if !left {
            return;
        }
        assert!(Instant::now() < deadline, "a process tagged {tag} survives");
        std::thread::sleep(Duration::from_millis(10));
    }
}

struct Case {
    name: &'static str,
    script: &'static str,
    options: &'static str,
    guard: &'static str,
    limits: ProcessLimits,
}

fn case(name: &'static str, script: &'static str) -> Case {
    Case { name, script, options: "", guard: "address-space", limits: limits() }
}

fn run(case: &Case) -> SolverOutcome {
    let tag = format!("{}-{}", std::process::id(), case.name.replace(' ', "-"));
    let solver = stand_in(&tag, case.options, case.guard);
    let outcome = solver.check(case.script, SessionNeeds::SINGLE, &case.limits);
    assert_nothing_survives(&tag);
    outcome.unwrap_or_else(|error| panic!("{}: {error}", case.name))
}

fn answers(outcome: &SolverOutcome) -> String {
    outcome.answers.iter().map(|check| check.answer.word()).collect::<Vec<_>>().join(" ")
}

/// A caller that wants answers does not wait until the program has exited: this one never does by itself.
#[test]
fn an_answer_is_not_kept_waiting_for_the_exit() {
    let check = |script: &str, options: &str, status: RunStatus, expect: &str, responses: &[&str]| {
        let tag = format!("{}-answer-{}", std::process::id(), expect);
        let limits = if script.contains("hang") { hanging() } else { limits() };
        let asked = stand_in(&tag, options, "address-space").answer(script, SessionNeeds::MODELS, &limits);
        let (outcome, ending) = asked.unwrap();
        drop(ending);
        assert_nothing_survives(&tag);
        assert_eq!((outcome.status, answers(&outcome).as_str()), (status, expect), "{script}");
        let last = outcome.answers.last().map(|check| check.responses.clone()).unwrap_or_default();
        assert_eq!(last, responses, "{script}");
    };
    let model = ";; say sat\n;; say (x)\n(check-sat)\n(get-model)\n";
    check(model, "--linger", RunStatus::Exited(0), "sat", &["(x)"]);
    check(model, "", RunStatus::Exited(0), "sat", &["(x)"]);
    // A program that ends before its last answer ends as it ends, and one that never gives it reaches its limit.
    check(";; exit 3\n(check-sat)\n", "--linger", RunStatus::Exited(3), "missing", &[]);
    check(";; say unsat\n;; hang\n(check-sat)\n", "--linger", RunStatus::TimedOut, "unsat", &[]);
}

#[test]
fn errors_void_what_they_may_have_touched() {
    let check = |name: &'static str, script: &'static str, expect: &str, self_checks: usize| {
        let outcome = run(&case(name, script));
        assert_eq!(answers(&outcome), expect, "{name}: {:?}", outcome.errors);
        assert_eq!(outcome.self_checks.len(), self_checks, "{name}");
        assert_eq!(outcome.crash, None, "{name}");
    };
    check("before all", ";; say (error \"unknown symbol\")\n;; say sat\n(assert x)(check-sat)", "void", 0);
    check("of nobody", ";; say (error \"no\")\n;; say sat\n(check-sat)", "void", 0);
    check(
        "between",
        ";; say sat\n;; say (error \"unknown symbol\")\n;; say unsat\n(check-sat)\n(assert x)\n(check-sat)",
        "sat void",
        0,
    );
    check(
        "of get-model between",
        ";; say unsat\n;; say (error \"no model\")\n;; say sat\n(check-sat)(get-model)(check-sat)",
        "unsat sat",
        0,
    );
    check(
        "in doubt which of two",
        ";; say unsat\n;; say (error \"no\")\n(check-sat)(get-model)(check-sat)",
        "unsat void",
        0,
    );
    check("of get-model at the end", ";; say unsat\n;; say (error \"no model\")\n(check-sat)(get-model)", "unsat", 0);
    check("of exit", ";; say unsat\n;; say (error \"bye\")\n(check-sat)\n(exit)", "unsat", 0);
    check(
        "with its line",
        ";; say sat\n;; say (error \"line 5 column 2: no\")\n;; say sat\n(check-sat)\n(get-model)\n(assert true)\n(check-sat)",
        "sat sat",
        0,
    );
    check(
        "with the line of an assertion",
        ";; say sat\n;; say (error \"line 6 column 2: no\")\n;; say sat\n(check-sat)\n(get-model)\n(assert true)\n(check-sat)",
        "sat void",
        0,
    );
    // Marked commands are errors: only what is said of others counts.
    let marked = |line: u32, of: &str| {
        let said = format!(";; say (error \"line {line} column 2: no\")\n;; say sat\n");
        &*format!("{said}(set-info {of} true)\n(assert x)\n(assert y)\n(check-sat)").leak()
    };
    check("of a marked command", marked(4, ":squall-error"), "sat", 0);
    check("of the command after it", marked(5, ":squall-error"), "void", 0);
    check("of the mark", marked(3, ":squall-error"), "sat", 0);
    check("after another mark", marked(4, ":squall-errors"), "void", 0);
    check("on stderr", ";; say sat\n;; complain (error \"somewhere\")\n(check-sat)", "void", 0);
    check("in words of the profile", ";; say sat\n;; complain a.smt2:3: parse error at x\n(check-sat)", "void", 0);
    check("unsupported option", ";; say unsupported\n;; say sat\n(set-option :x 1)(check-sat)", "sat", 0);
    check("unsupported check", ";; say unsupported\n;; say sat\n(check-sat-assuming (a))(check-sat)", "void void", 0);
    check(
        "a self-check voids nothing",
        ";; say sat\n;; say (error \"line 4 column 10: an invalid model was generated\")\n;; say unsat\n(check-sat)(check-sat)",
        "sat unsat",
        1,
    );
    check("quotes in messages", ";; say sat\n;; say (error \"bad \"x\" (\")\n(check-sat)(get-info :x)", "sat", 0);
    // An answer spelled in an unknown way shifted those after it: an `unsat` of the third check convicted cvc5 at the first.
    let three = "(check-sat)(check-sat)(check-sat)";
    let with_reason: &'static str = ";; say unknown (INCOMPLETE)\n;; say unsat\n(check-sat)(check-sat)";
    check("a reason after the word", with_reason, "unknown unsat", 0);
    let odd = format!(";; say perhaps\n;; say perhaps\n;; say unsat\n{three}").leak();
    check("answers in unknown words", odd, "void void void", 0);
    let later = format!(";; say sat\n;; say perhaps\n;; say unsat\n{three}").leak();
    check("an answer in an unknown word", later, "sat void void", 0);
    check("a remark", ";; say a remark\n;; say sat\n(check-sat)", "sat", 0);
    check("no check-sat at all", ";; say (error \"x\")\n(assert true)", "", 0);
}

#[test]
fn responses_are_kept_with_their_answer() {
    let script = ";; say sat\n;; say ((x \"a)\"\"sat\n;; say sat\n;; say \") (|b)\n;; say unsat\n;; say | 1))\n;; say unsat\n\
                  (check-sat)(get-value (x))(check-sat)";
    let outcome = run(&case("responses", script));
    assert_eq!(answers(&outcome), "sat unsat");
    assert_eq!(outcome.answers[0].responses, ["((x \"a)\"\"sat\nsat\n\") (|b)\nunsat\n| 1))"]);
    assert_eq!(outcome.answers[1].responses, Vec::<String>::new());
    let cut = run(&case("cut", ";; say sat\n;; say (model (x 1)\n;; say sat\n(check-sat)(get-model)(check-sat)"));
    assert_eq!(answers(&cut), "sat missing");
}

#[test]
fn known_and_ignored_crashes_are_marked() {
    let known = run(&case("known", ";; complain Fatal failure within f at seen.cpp:7\n;; signal 6\n(check-sat)"))
        .crash
        .unwrap();
    assert_eq!((known.known.as_deref(), known.ignored), (Some("issue 7"), false));
    let ignored =
        run(&case("ignored", ";; complain internal error: an old story\n;; exit 1\n(check-sat)")).crash.unwrap();
    assert_eq!((ignored.known, ignored.ignored), (None, true));
}

#[test]
fn signatures_do_not_depend_on_addresses_numbers_and_folders() {
    let signature = |script: &'static str| run(&case("signature", script)).crash.unwrap().signature;
    let one = signature(";; complain [12345] Assertion `x > 0' failed at 0x7ffe12 (/a/b/c.cpp:99)\n;; signal 6\n");
    let two = signature(";; complain [99887] Assertion `x > 0' failed at 0x7fab34 (/tmp/z/c.cpp:99)\n;; signal 6\n");
    let three = signature(";; complain [99887] Assertion `x > 0' failed at 0x7fab34 (/tmp/z/c.cpp:98)\n;; signal 6\n");
    assert_eq!(one, two);
    assert_ne!(one, three);
}

#[test]
fn a_cancelled_run_ends() {
    let token = CancelToken::new();
    let tag = format!("{}-cancel", std::process::id());
    let solver = stand_in(&tag, "", "address-space").with_cancel(token.clone());
    let long = ProcessLimits { wall: Duration::from_secs(600), ..limits() };
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| solver.check(";; fork\n;; hang\n(check-sat)", SessionNeeds::SINGLE, &long));
        token.cancel();
        run.join().unwrap().unwrap()
    });
    assert_eq!((outcome.status, outcome.last_answer()), (RunStatus::Cancelled, Answer::Cancelled));
    assert_nothing_survives(&tag);
}

#[test]
fn two_hundred_runs_at_once_all_give_their_answer() {
    let tag = format!("{}-many", std::process::id());
    let solver = stand_in(&tag, "", "address-space");
    let limits = ProcessLimits { wall: Duration::from_secs(120), ..limits() };
    // A little more than a pipe holds, so that runs must be served while others start.
    let filler = ";; say ; filler line\n".repeat(5000);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..200)
            .map(|index| {
                let (word, filler, solver, limits) =
                    (if index % 2 == 0 { "sat" } else { "unsat" }, &filler, &solver, &limits);
                scope.spawn(move || {
                    let script = format!("{filler};; fork\n;; say {word}\n(check-sat)");
                    (word, solver.check(&script, SessionNeeds::SINGLE, limits))
                })
            })
            .collect();
        for run in runs {
            let (word, outcome) = run.join().unwrap();
            let outcome = outcome.unwrap();
            assert_eq!(outcome.last_answer().word(), word, "{:?}", outcome.status);
        }
    });
    assert_nothing_survives(&tag);
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_with_advice() {
    let text = std::env::temp_dir().join(format!("squall-not-a-program-{}", std::process::id()));
    testing::executable(&text, "garbage");
    let fleet =
        Fleet::new(Profiles::embedded(), SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let spec: SolverSpec = text.to_str().unwrap().parse().unwrap();
    let solver = fleet.solver(fleet.resolve(&spec).unwrap());
    let error = solver.check("(check-sat)", SessionNeeds::SINGLE, &limits()).unwrap_err();
    std::fs::remove_file(&text).unwrap();
    assert!(matches!(&error, RunError::Spawn { .. }), "{error}");
    assert!(error.to_string().contains("not a program for this machine"), "{error}");
}

#[test]
fn built_ins_answer_every_check() {
    let fleet =
        Fleet::new(Profiles::embedded(), SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let all = [("sat", "sat"), ("unsat", "unsat"), ("unknown", "unknown"), ("error", "void")];
    for (name, word) in all.map(|(name, word)| (format!("builtin:{name}"), word)) {
        let solver = fleet.solver(fleet.resolve(&name.parse().unwrap()).unwrap());
        let outcome = solver.check(
            "; (check-sat)\n(check-sat)(push 1)(check-sat-using smt)",
            SessionNeeds::INCREMENTAL,
            &limits(),
        );
        assert_eq!(answers(&outcome.unwrap()), format!("{word} {word}"));
    }
}
