//! How a run ends, and what it printed before, is classified.

use super::{Case, answers, case, hanging, limits, run};
use solver::process::{ProcessLimits, RunStatus};
use std::time::Duration;

/// Two checks, of which the first was answered when the output grew too long: the end of the answer may be missing.
const FLOODED: &str = "outputout outputout";

const FLOOD_LATER: &str = ";; say sat\n;; say unsat\n;; flood\n(check-sat)(check-sat)(check-sat)";

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
