//! A misbehaving stand-in, case by case: each is classified correctly, and no process survives.

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
fn endings_are_classified() {
    let check = |case: Case, status: RunStatus, expect: &str, signature: Option<&str>| {
        let outcome = run(&case);
        let printed = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.status, status, "{}: {printed:.300}", case.name);
        assert_eq!(answers(&outcome), expect, "{}", case.name);
        let found = outcome.crash.map(|crash| crash.signature.0);
        assert_eq!(found.as_deref(), signature, "{}", case.name);
    };
    let signaled = |signal| RunStatus::Signaled(signal);
    let (abrt, segv, kill) = (libc::SIGABRT, libc::SIGSEGV, libc::SIGKILL);

    check(case("sat", ";; say sat\n(check-sat)"), RunStatus::Exited(0), "sat", None);
    check(case("error code", ";; say sat\n;; exit 1\n(check-sat)"), RunStatus::Exited(1), "sat", None);
    check(case("crlf", ";; crlf sat\n;; crlf unsat\n(check-sat)(check-sat)"), RunStatus::Exited(0), "sat unsat", None);
    check(case("no last newline", ";; bare unsat\n(check-sat)"), RunStatus::Exited(0), "unsat", None);
    check(case("silence", "(check-sat)(check-sat)"), RunStatus::Exited(0), "missing missing", None);
    check(case("on stderr", ";; complain unsat\n(check-sat)"), RunStatus::Exited(0), "unsat", None);
    check(case("too few", ";; say sat\n(check-sat)(check-sat)"), RunStatus::Exited(0), "sat missing", None);
    check(case("too many", ";; say sat\n;; say sat\n(check-sat)"), RunStatus::Exited(0), "void", None);
    check(case("own timeout", ";; say timeout\n(check-sat)"), RunStatus::Exited(0), "timeout", None);

    let crash = |name, script, status, signature| check(case(name, script), status, "sat crashed", Some(signature));
    crash("segfault", ";; say sat\n;; signal 11\n(check-sat)(check-sat)", signaled(segv), "signal: SIGSEGV");
    crash(
        "segfault with words",
        ";; say sat\n;; complain pid 12345 at 0xdeadbeef in /tmp/build-1/a.cpp:12\n;; signal 11\n(check-sat)(check-sat)",
        signaled(segv),
        "signal: SIGSEGV: pid # at # in a.cpp:12",
    );
    // Survived errors and remarks on the script made a cause of each line number.
    let odd = case(
        "segfault after an error and a remark",
        ";; say sat\n;; say (error \"line 7 column 3: bit-vector size\")\n;; complain <stdin>:0.12: No set-logic\n;; signal 11\n\
         (check-sat)(check-sat)",
    );
    check(odd, signaled(segv), "sat void", Some("signal: SIGSEGV"));
    crash(
        "segfault with a stack",
        ";; say sat\n;; complain caught signal 11 at line 3\n;; complain #0 0x55aa in sat::solver::propagate(bool) a.cpp\n\
         ;; complain #1 0x55ab in check() b.cpp\n;; signal 11\n(check-sat)(check-sat)",
        signaled(segv),
        "signal: SIGSEGV in sat::solver::propagate < check",
    );
    crash(
        "through a shell",
        ";; say sat\n;; exit 139\n(check-sat)(check-sat)",
        RunStatus::Exited(139),
        "signal: SIGSEGV",
    );
    crash(
        "assertion of z3",
        ";; say sat\n;; complain ASSERTION VIOLATION\n;; complain File: ../src/smt/theory.cpp\n;; complain Line: 12345\n\
         ;; complain m_x == 0\n;; exit 114\n(check-sat)(check-sat)",
        RunStatus::Exited(114),
        "assertion: ASSERTION VIOLATION File: theory.cpp Line: 12345 m_x == 0",
    );
    crash(
        "fatal failure",
        ";; say sat\n;; complain Fatal failure within void f() at /home/u/src/a.cpp:7\n;; signal 6\n(check-sat)(check-sat)",
        signaled(abrt),
        "assertion: Fatal failure within void f() at a.cpp:7",
    );
    crash(
        "sanitizer",
        ";; say sat\n;; complain ==4711==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000 at pc 0x1\n\
         ;; complain     #0 0x55aa in smt::run(int) /src/a.cpp:3\n;; complain     #1 0x55ab in main /src/b.cpp:4\n\
         ;; exit 1\n(check-sat)(check-sat)",
        RunStatus::Exited(1),
        "sanitizer: heap-use-after-free in smt::run < main",
    );
    // As printed by a debugger: without an address at the innermost location, with values, and with template arguments.
    crash(
        "debugger",
        ";; say sat\n;; complain Program received signal SIGSEGV\n;; complain #0  obj::map<a, (b)1>::operator() (this=0x0, x=1) at map.h:3\n\
         ;; complain #1  0x000055 in smt::run<bool> (n=7) at a.cpp:3\n;; complain #2  main (c=1) at b.cpp:4\n\
         ;; signal 11\n(check-sat)(check-sat)",
        signaled(segv),
        "signal: SIGSEGV in obj::map::operator() < smt::run < main",
    );
    crash(
        "sanitizer of clang without its symbolizer",
        ";; say sat\n;; complain ==4711==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x55 bp 0x7f T0)\n\
         ;; complain     #0 0x5564363dbef9  (/builds/z3+0x32ef9) (BuildId: d98dbf606d61)\n\
         ;; complain     #1 0x7f133cc45249  (/lib/libc.so.6+0x27249)\n;; exit 1\n(check-sat)(check-sat)",
        RunStatus::Exited(1),
        "sanitizer: SEGV in z3+0x32ef9 < libc.so.6+0x27249",
    );
    // As printed by programs compiled with g++ 12 and clang 19. The program continues, and its values are not part of the name.
    let undefined = |script, signature| check(case("undefined", script), RunStatus::Exited(0), "sat", Some(signature));
    undefined(
        ";; say sat\n;; complain ../src/util/ub.cpp:7:36: runtime error: signed integer overflow: 2147483647 + 2 cannot be \
         represented in type 'int'\n;; complain     #0 0x55 in add(int, int) ub.cpp:7\n(check-sat)",
        "sanitizer: signed integer overflow at ub.cpp:7:36",
    );
    undefined(
        ";; say sat\n;; complain /b/ub.cpp:6:36: runtime error: shift exponent 42 is too large for 32-bit type 'int'\n(check-sat)",
        "sanitizer: shift exponent # is too large for #-bit type 'int' at ub.cpp:6:36",
    );
    undefined(
        ";; say sat\n;; complain /b/ub.cpp:9:1: runtime error: load of misaligned address 0x7ffc12ab for type 'int', which \
         requires 4 byte alignment\n(check-sat)",
        "sanitizer: load of misaligned address # for type 'int', which requires # byte alignment at ub.cpp:9:1",
    );
    crash(
        "assertion of the C library",
        ";; say sat\n;; complain bitwuzla: /b/source/src/solver.cpp:9: void Solver::check(const std::vector<int>&): \
         Assertion `v.size() > 2' failed.\n;; signal 6\n(check-sat)(check-sat)",
        signaled(abrt),
        "assertion: bitwuzla: solver.cpp:9: void Solver::check(const std::vector<int>&): Assertion `v.size() > 2' failed.",
    );
    crash(
        "exception",
        ";; say sat\n;; complain terminate called after throwing an instance of 'std::out_of_range'\n\
         ;; complain   what():  at 123456\n;; signal 6\n(check-sat)(check-sat)",
        signaled(abrt),
        "exception: terminate called after throwing an instance of 'std::out_of_range' what(): at #",
    );
    check(case("killed from outside", ";; signal 9\n(check-sat)"), signaled(kill), "missing", None);
    check(
        case("model with the words of a crash", ";; say sat\n;; say (model \"internal error\")\n(check-sat)"),
        RunStatus::Exited(0),
        "sat",
        None,
    );
}

/// Two checks, of which the first was answered when the output grew too long: the end of the answer may be missing.
const FLOODED: &str = "outputout outputout";
const FLOOD_LATER: &str = ";; say sat\n;; say unsat\n;; flood\n(check-sat)(check-sat)(check-sat)";

#[test]
fn limits_hold_and_are_no_crashes() {
    let check = |case: Case, status: RunStatus, expect: &str| {
        let outcome = run(&case);
        assert_eq!(outcome.status, status, "{}", case.name);
        assert_eq!(answers(&outcome), expect, "{}", case.name);
        assert_eq!(outcome.crash, None, "{}", case.name);
        let kept = outcome.stdout.len() + outcome.stderr.len();
        assert!(kept <= case.limits.output_bytes + 256 * 1024, "{} kept {kept} bytes", case.name);
    };
    let with = |limits: ProcessLimits, case: Case| Case { limits, ..case };
    let hang = with(hanging(), case("hang", ";; say sat\n;; hang\n(check-sat)(check-sat)"));
    check(hang, RunStatus::TimedOut, "sat timeout");
    let stubborn = with(hanging(), case("stubborn", ";; ignore-term\n;; hang\n(check-sat)"));
    check(stubborn, RunStatus::TimedOut, "timeout");
    let deaf = Case { options: "--never-read", ..with(hanging(), case("never reads", "(check-sat)")) };
    check(deaf, RunStatus::TimedOut, "timeout");
    check(case("flood", ";; say sat\n;; flood\n(check-sat)(check-sat)"), RunStatus::OutputOut, FLOODED);
    check(case("flood later", FLOOD_LATER), RunStatus::OutputOut, "sat outputout outputout");
    check(case("flood on stderr", ";; say sat\n;; flood-err\n(check-sat)"), RunStatus::OutputOut, "outputout");
    // The flood may consist of answers, or responses, or errors: once, these took twenty times their size of our memory.
    check(case("flood of answers", ";; flood sat\n(check-sat)"), RunStatus::OutputOut, "void");
    check(case("flood of responses", ";; say sat\n;; flood ()\n(check-sat)(check-sat)"), RunStatus::OutputOut, FLOODED);
    check(case("flood of errors", ";; flood (error)\n(check-sat)"), RunStatus::OutputOut, "outputout");
    // What left the group fills the pipe on, while the rest of the output is taken.
    check(
        case("flood from outside", ";; fork-leave-and-flood\n;; flood\n(check-sat)"),
        RunStatus::OutputOut,
        "outputout",
    );
    let early = Case { options: "--flood-first", ..case("flood before reading", ";; say sat\n(check-sat)") };
    check(early, RunStatus::Exited(0), "sat");
    check(case("bad_alloc", ";; say sat\n;; allocate\n(check-sat)(check-sat)"), RunStatus::MemOut, "sat memout");
    check(case("memory quietly", ";; allocate-quietly\n(check-sat)"), RunStatus::MemOut, "memout");
    let watched = Case { guard: "watched-rss", ..case("watched memory", ";; allocate\n(check-sat)") };
    check(watched, RunStatus::MemOut, "memout");
    let spin =
        with(ProcessLimits { cpu: Some(Duration::from_millis(300)), ..limits() }, case("spin", ";; spin\n(check-sat)"));
    check(spin, RunStatus::CpuOut, "timeout");
    check(case("forks", ";; fork\n;; fork\n;; say sat\n(check-sat)"), RunStatus::Exited(0), "sat");
    check(case("forks and leaves", ";; fork-and-leave\n;; say sat\n(check-sat)"), RunStatus::Exited(0), "sat");
    let both = with(hanging(), case("forks and hangs", ";; fork\n;; fork-and-leave\n;; hang\n(check-sat)"));
    check(both, RunStatus::TimedOut, "timeout");
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
    assert!(error.to_string().contains("no program for this machine"), "{error}");
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
