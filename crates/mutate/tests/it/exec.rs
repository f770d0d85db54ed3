//! Programs as mutators: what they get, what they give, and how they fail.

use crate::support::{parent, read};
use mutate::exec::{ENTRIES, Exec, ExecBatch, ExecFailure, ProgramBatch, from_name, may_run_program};
use mutate::{Batch, Mutant, MutantRequest, TargetSpelling, Unit};
use smtlib::Status;

const SEED: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)";

/// Runs a command on the seed and hands over the first mutant with the batch.
fn check(command: &str, body: impl FnOnce(&Mutant, &ExecBatch<'_>)) {
    let exec = Exec { command: command.to_string(), seconds: 2, megabytes: 1, ..Exec::default() };
    let (store, instances) = read(SEED);
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 1, number: 2 } };
    let mut batch = exec.batch(&store, request).expect("one seed");
    let mut mutant = Mutant::default();
    batch.mutant(0, &mut mutant);
    body(&mutant, &batch);
}

#[test]
fn the_program_reads_the_seed_and_writes_a_mutant() {
    check("sed 's/> x 3/< x 9/'", |mutant, batch| {
        assert!(mutant.text.contains("(assert (< x 9))"), "{}", mutant.text);
        assert_eq!((&mutant.expected[..], &mutant.truth), (&[Status::Unknown][..], &None));
        assert_eq!(batch.failures(), (0, None));
    });
}

#[test]
fn the_program_gets_the_same_random_seed_again() {
    let mut texts = Vec::new();
    for _ in 0..2 {
        check("cat; echo \"; $SQUALL_SEED\"", |mutant, _| texts.push(mutant.text.clone()));
    }
    assert_eq!(texts[0], texts[1]);
    assert!(texts[0].lines().last().is_some_and(|l| l.len() > 8), "{}", texts[0]);
}

#[test]
fn failures_are_counted_and_leave_nothing_to_send() {
    let fails = |command: &str, expect: &str| {
        check(command, |mutant, batch| {
            assert_eq!((mutant.text.as_str(), mutant.expected.len()), ("", 0), "{command}");
            let (count, failure) = batch.failures();
            let failure = failure.map(ToString::to_string).unwrap_or_default();
            assert!(count == 1 && failure.contains(expect), "{command}: {failure}");
        });
    };
    fails("echo no >&2; exit 3", "the program ended with exit code 3: no");
    fails("sleep 60", "did not end within 2 s");
    fails("yes", "more than 1 MiB");
    fails("echo '(assert'", "no SMT-LIB script");
    fails("echo '(assert true)'", "without `(check-sat)`");
    fails("kill -SEGV $$", "died of signal 11");
    assert_eq!(ExecFailure::NoCheck.to_string(), "the program wrote a script without `(check-sat)`");
}

#[test]
fn names_hold_the_command() {
    let check = |name: &str, expect: Option<(&str, &str)>| {
        assert_eq!(from_name(name).map(|(entry, command)| (entry.name, command)), expect, "{name}");
    };
    check("exec:python3 m.py -q", Some(("exec", "python3 m.py -q")));
    check("pipe: python3 m.py:3", Some(("pipe", "python3 m.py:3")));
    check("exec:", None);
    check("pipe: ", None);
    check("exec", None);
    check("pipes:cat", None);
    check("storm", None);
    for entry in ENTRIES {
        assert!((entry.build)(&[("command", "cat"), ("seconds", "1")]).is_ok());
        assert!((entry.build)(&[("command", " ")]).is_err());
        assert!((entry.build)(&[("command", "cat"), ("seconds", "0")]).is_err());
        assert!((entry.build)(&[("command", "cat"), ("minutes", "1")]).is_err());
    }
}

/// A worker runs nobody's program without being told to.
#[test]
fn programs_are_seen_in_every_list_that_may_run_one() {
    let check = |list: &str, expect: bool| assert_eq!(may_run_program(list), expect, "{list}");
    check("exec:rm -r x", true);
    check("pipe:rm -r x", true);
    check("storm, operator> pipe:rm", true);
    check("storm:3,fusion", false);
    check("finite", false);
}
