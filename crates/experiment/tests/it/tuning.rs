//! Tests of `tuning`: strategies learned from tables whose best strategy is known.

use experiment::tuning::learn::learn;
use experiment::tuning::rules::{LearnedStrategy, TimeSlice};
use experiment::tuning::splits::splits;
use experiment::tuning::table::{StepEnd, StepResult, TuningFile, TuningProbe, TuningTable};

const LIMIT: f64 = 10.0;

fn solved(seconds: f64) -> StepEnd {
    StepEnd { seconds, result: StepResult::Solved }
}

const OUT_OF_TIME: StepEnd = StepEnd { seconds: LIMIT, result: StepResult::GaveUp };

/// A table of two steps, and of one probe of each kind.
fn table(files: impl IntoIterator<Item = ([f64; 2], [StepEnd; 2])>) -> TuningTable {
    let probe = |name: &str, is_number| TuningProbe { name: name.into(), is_number };
    let file = |(probes, ends): ([f64; 2], [StepEnd; 2])| TuningFile { probes: probes.into(), ends: ends.into() };
    TuningTable {
        steps: vec!["smt".into(), "(solver z3)".into()],
        probes: vec![probe("num-consts", true), probe("is-qfbv", false)],
        files: files.into_iter().map(file).collect(),
        limit: LIMIT,
    }
}

fn learned(table: &TuningTable) -> String {
    let files: Vec<usize> = (0..table.files.len()).collect();
    learn(table, &files, 1).text(table)
}

#[test]
fn a_strategy_is_as_simple_as_its_files_allow() {
    // One step solves all at once.
    assert_eq!(learned(&table((0..40).map(|n| ([n.into(), 0.0], [solved(0.1), OUT_OF_TIME])))), "smt");
    // None solves any.
    assert_eq!(learned(&table((0..40).map(|n| ([n.into(), 0.0], [OUT_OF_TIME; 2])))), "smt");
    // A number decides.
    let by_number = table(
        (0..40)
            .map(|n| ([n.into(), 0.0], if n < 20 { [solved(1.0), OUT_OF_TIME] } else { [OUT_OF_TIME, solved(9.0)] })),
    );
    let text = learned(&by_number);
    assert!(text.starts_with("(if (< num-consts ") && text.ends_with(") smt (solver z3))"), "{text}");
    // A property decides.
    let by_truth = table((0..40).map(|n| {
        let is_bits = n % 2 == 0;
        ([1.0, f64::from(is_bits)], if is_bits { [OUT_OF_TIME, solved(9.0)] } else { [solved(9.0), OUT_OF_TIME] })
    }));
    assert_eq!(learned(&by_truth), "(if is-qfbv (solver z3) smt)");
    // Nothing decides, but one step is quick where it works: it goes first.
    let by_time =
        table((0..40).map(|n| {
            ([1.0, 0.0], if n * 7 % 3 == 0 { [solved(0.05), OUT_OF_TIME] } else { [OUT_OF_TIME, solved(6.0)] })
        }));
    assert_eq!(learned(&by_time), "(or-else (try-for smt 50) (solver z3))");
}

#[test]
fn a_schedule_ends_as_its_steps_do() {
    let check = |first: StepEnd, second: StepEnd, expect: Option<f64>| {
        let table = table([([0.0; 2], [first, second])]);
        let slice = |step, seconds| TimeSlice { step, seconds };
        let strategy = LearnedStrategy::Schedule(vec![slice(0, 2.0), slice(1, LIMIT)]);
        assert_eq!(strategy.solved_after(&table, 0), expect, "{first:?} {second:?}");
    };
    let ends = |seconds, result| StepEnd { seconds, result };
    check(solved(1.0), OUT_OF_TIME, Some(1.0));
    check(solved(3.0), solved(5.0), Some(7.0));
    check(solved(3.0), solved(8.5), None);
    check(ends(0.5, StepResult::GaveUp), solved(9.0), Some(9.5));
    check(ends(0.5, StepResult::Wrong), solved(1.0), None);
    check(ends(2.5, StepResult::Wrong), solved(1.0), Some(3.0));
}

#[test]
fn held_out_files_show_what_is_gained() {
    let table = table(
        (0..60)
            .map(|n| ([n.into(), 0.0], if n < 30 { [solved(1.0), OUT_OF_TIME] } else { [OUT_OF_TIME, solved(2.0)] })),
    );
    for split in splits(&table, 2, 3) {
        assert_eq!(split.held_out, 20);
        assert!(split.closed().is_some_and(|closed| closed > 0.8), "{split:?}");
        assert!(split.of_learned.solved > split.of_single.solved && split.of_best.solved == 20, "{split:?}");
    }
    assert_eq!(splits(&table, 2, 3), splits(&table, 2, 3));
}
