//! Batches give the same answers as single runs, whatever the scripts do to the solver.

use std::path::Path;
use std::time::Duration;

use solver::batch::{BatchSize, Batched, Lesson};
use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::process::{ProcessLimits, RunStatus};
use solver::profiles::{Profiles, parse};
use solver::session::{SessionNeeds, Solver};
use solver::sources::path::SearchPath;
use solver::spec::SolverSpec;

const STAND_IN: &str = env!("CARGO_BIN_EXE_stand-in-solver");

fn stand_in() -> Solver {
    let profile = "name = \"stand-in\"\nexecutables = [\"stand-in-solver\"]\nreset-works = true\n";
    let mut profiles = Profiles::embedded();
    profiles.add(parse(profile, "test").unwrap(), "test").unwrap();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    let spec: SolverSpec = STAND_IN.parse().unwrap();
    fleet.solver(fleet.resolve(&spec).unwrap())
}

fn limits() -> ProcessLimits {
    // Only the script that hangs reaches it.
    ProcessLimits { wall: Duration::from_secs(5), ..ProcessLimits::default() }
}

fn words(batched: &Batched) -> Vec<&'static str> {
    batched.outcome.answers.iter().map(|check| check.answer.word()).collect()
}

#[test]
fn a_batch_changes_no_verdict() {
    // The script, its answers, and the number of scripts before it in its process.
    let table: [(&str, &[&str], usize); 14] = [
        (";; say sat\n(check-sat)", &["sat"], 0),
        (";; say unsat\n;; say unknown\n(check-sat)(check-sat)", &["unsat", "unknown"], 1),
        (";; say sat\n;; signal 11\n(check-sat)(check-sat)", &["sat", "crashed"], 0),
        (";; say unsat\n(check-sat) ; a comment without an end of line", &["unsat"], 0),
        (";; say (error \"no\")\n;; say sat\n(check-sat)", &["void"], 0),
        (";; say sat\n(check-sat)", &["sat"], 2),
        (";; hang\n(check-sat)", &["timeout"], 0),
        ("(set-option :x 1)\n;; say sat\n(check-sat)", &["sat"], 0),
        (";; say sat\n;; say end-of-script-0-0\n(check-sat)", &["sat"], 0),
        (";; say sat\n(check-sat)\n(exit)", &["sat"], 1),
        (";; say sat\n(check-sat)\n(assert \"", &["sat"], 0),
        ("(check-sat)", &["missing"], 0),
        (";; say unsupported\n;; say sat\n(set-info :x 1)(check-sat)", &["sat"], 1),
        (";; say unsat\n(check-sat)", &["unsat"], 2),
    ];
    let scripts: Vec<&str> = table.iter().map(|(script, ..)| *script).collect();
    let solver = stand_in();
    let outcomes = solver.check_batch(&scripts, SessionNeeds::SINGLE, &limits()).unwrap();
    assert_eq!(outcomes.len(), scripts.len());
    for (batched, (script, answers, predecessors)) in outcomes.iter().zip(&table) {
        assert_eq!(words(batched), *answers, "{script}");
        assert_eq!(batched.predecessors, *predecessors, "{script}");
    }
    let ended: Vec<_> = outcomes.iter().map(|batched| batched.ended_batch.as_ref().map(|end| end.status)).collect();
    assert_eq!((ended[2], ended[6]), (Some(RunStatus::Signaled(11)), Some(RunStatus::TimedOut)));
    assert_eq!(ended.iter().flatten().count(), 2);
    let twice: Vec<_> = (0..table.len()).filter(|index| outcomes[*index].asked_twice).collect();
    assert_eq!(twice, [2, 4, 6, 11]);
}

#[test]
fn lines_on_standard_error_send_every_script_to_a_process_of_its_own() {
    let scripts = [";; say sat\n(check-sat)", ";; say unsat\n;; complain Fatal failure within f\n(check-sat)"];
    let outcomes = stand_in().check_batch(&scripts, SessionNeeds::SINGLE, &limits()).unwrap();
    assert!(outcomes[0].outcome.crash.is_none());
    assert!(outcomes[1].outcome.crash.is_some());
    assert!(outcomes.iter().all(|batched| batched.predecessors == 0));
}

#[test]
fn built_ins_and_single_scripts_need_no_batch() {
    let solver = stand_in();
    assert!(solver.check_batch(&[], SessionNeeds::SINGLE, &limits()).unwrap().is_empty());
    let one = solver.check_batch(&[";; say sat\n(check-sat)"], SessionNeeds::SINGLE, &limits()).unwrap();
    assert_eq!(words(&one[0]), ["sat"]);
}

#[test]
fn the_size_follows_what_batches_come_to() {
    let outcomes = |scripts: &[&str]| stand_in().check_batch(scripts, SessionNeeds::SINGLE, &limits()).unwrap();
    let good = Lesson::of(&outcomes(&[";; say sat\n(check-sat)"; 4]));
    let bad = Lesson::of(&outcomes(&[";; signal 6\n(check-sat)", ";; signal 11\n(check-sat)"]));
    assert_eq!(
        (good.scripts, good.twice, bad.scripts, bad.twice),
        (4, 0, 2, 1),
        "the second crash is behind the batch"
    );
    assert_eq!(BatchSize::new(0).get(), 1);
    // The results of processes (scripts, asked twice, milliseconds of CPU), their number, and the resulting size.
    let learned = |lessons: &[(usize, usize, u64, usize)], cut_short: Option<u64>| {
        let mut size = BatchSize::new(64);
        if let Some(millis) = cut_short {
            size.learn(Lesson { scripts: 1, twice: 0, cpu: Duration::from_millis(millis), cut_short: true });
        }
        for &(scripts, twice, millis, times) in lessons {
            let lesson = Lesson { scripts, twice, cpu: Duration::from_millis(millis), cut_short: false };
            (0..times).for_each(|_| size.learn(lesson));
        }
        size.get()
    };
    let check = |lessons: &[_], expect: usize| assert_eq!(learned(lessons, None), expect, "{lessons:?}");
    check(&[], 8);
    // Only the start costs anything: the maximum size.
    check(&[(8, 0, 10, 3)], 64);
    check(&[(8, 0, 10, 1)], 16);
    // A start of 10 ms is a sixteenth of 16 scripts of 10 ms each.
    check(&[(1, 0, 10, 1), (8, 0, 91, 20)], 16);
    // Scripts of a second are asked alone, whatever a start costs.
    check(&[(1, 0, 10, 1), (1, 0, 1010, 20)], 1);
    check(&[(8, 0, 8000, 20)], 5);
    // A single crash in a batch is cheap, but many crashes are not.
    check(&[(8, 0, 10, 3), (64, 1, 20, 5)], 64);
    check(&[(8, 0, 10, 3), (64, 60, 20, 3)], 8);
    check(&[(8, 8, 10, 9)], 1);
    // It takes a while until batches are tried again.
    check(&[(8, 8, 10, 9), (1, 0, 10, 15)], 1);
    check(&[(8, 8, 10, 9), (1, 0, 10, 16)], 2);
    // A process that was starved of the processor and killed: its CPU time was once taken for the start, and all others were asked alone
    // from then on.
    assert_eq!(learned(&[(1, 0, 10, 1), (8, 0, 91, 20)], Some(1)), 16);
    assert_eq!(learned(&[(8, 0, 10, 3)], Some(1)), 64);
}

#[test]
fn a_batch_goes_on_in_a_fresh_process_behind_a_crash() {
    let crash = ";; say sat\n;; complain Fatal failure within f\n;; signal 6\n(check-sat)(check-sat)";
    let good = ";; say sat\n(check-sat)";
    let scripts = [good, good, crash, good, good];
    let together = stand_in().ask_together(&scripts, SessionNeeds::SINGLE, &limits()).unwrap();
    assert_eq!((together.asked, together.told.len(), together.status), (5, 2, RunStatus::Signaled(6)));
    assert!(together.told.iter().all(|told| told.smooth), "the words on standard error are those of the crash");
    assert!(together.last.is_some_and(|last| last.crash.is_some()));
    let outcomes = stand_in().check_batch(&scripts, SessionNeeds::SINGLE, &limits()).unwrap();
    let told: Vec<_> = outcomes.iter().map(|one| (words(one)[0], one.predecessors, one.asked_twice)).collect();
    assert_eq!(
        told,
        [("sat", 0, false), ("sat", 1, false), ("sat", 0, true), ("sat", 0, false), ("sat", 1, false)],
        "only the one that crashed is asked twice"
    );
}

#[test]
fn every_script_of_a_batch_has_the_whole_limit() {
    let slow = ";; sleep 1000\n;; say sat\n(check-sat)";
    let limits = ProcessLimits { wall: Duration::from_millis(2500), ..ProcessLimits::default() };
    let scripts = [slow; 3];
    let together = stand_in().ask_together(&scripts, SessionNeeds::SINGLE, &limits).unwrap();
    assert_eq!((together.told.len(), together.status), (3, RunStatus::Exited(0)));
    let hang = ";; hang\n(check-sat)";
    let together = stand_in().ask_together(&[slow, hang, slow], SessionNeeds::SINGLE, &limits).unwrap();
    assert_eq!((together.told.len(), together.status), (1, RunStatus::TimedOut));
    assert!(stand_in().ask_together(&[slow], SessionNeeds::SINGLE, &limits).unwrap().asked == 0);
}

/// A wall-clock limit short enough for small problems ends scripts on a loaded machine that have hardly run.
#[test]
fn the_cpu_time_of_a_script_is_limited_anew_in_each() {
    let limits = ProcessLimits {
        wall: Duration::from_secs(60),
        script_cpu: Some(Duration::from_millis(100)),
        ..ProcessLimits::default()
    };
    let together = |scripts: &[&str]| {
        let together = stand_in().ask_together(scripts, SessionNeeds::SINGLE, &limits).unwrap();
        (together.told.len(), together.status)
    };
    let waits = ";; sleep 400\n;; say sat\n(check-sat)";
    let spins = ";; spin\n(check-sat)";
    assert_eq!(together(&[waits, waits]), (2, RunStatus::Exited(0)), "one that waits uses no CPU time");
    assert_eq!(together(&[waits, spins, waits]), (1, RunStatus::TimedOut));
    let alone = stand_in().check(spins, SessionNeeds::SINGLE, &limits).unwrap();
    assert_eq!(alone.last_answer().word(), "timeout");
}
