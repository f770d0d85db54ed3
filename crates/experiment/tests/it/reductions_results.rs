//! Tests of `reductions::results`.

use experiment::reductions::results::*;
use experiment::reductions::run::ReductionRun;
use reduce::Size;

fn run(file: &str, reducer: &str, bytes: usize, finished: bool) -> ReductionRun {
    let size = |bytes| Size { bytes, assertions: 2, depth: 1 };
    ReductionRun {
        file: file.into(),
        reducer: reducer.into(),
        seed: 1,
        words: Vec::new(),
        before: size(1000),
        after: size(bytes),
        wall_s: 1.0,
        cpu_s: 2.0,
        calls: 3,
        finished,
        failed: None,
        holds: finished,
    }
}

#[test]
fn files_that_one_reducer_lacks_are_in_no_summary() {
    let runs = [
        run("a", "passes", 300, true),
        run("a", "passes", 100, true),
        run("a", "ddsmt", 50, false),
        run("b", "ddsmt", 10, true),
    ];
    let files = by_file(&["a", "b", "c"].map(String::from), &["passes", "ddsmt"], &runs);
    assert_eq!(files.iter().map(|file| file.reducers.len()).collect::<Vec<_>>(), [2, 1]);
    let row = &files[0].reducers[1];
    assert_eq!((row.runs, row.stopped, row.lost), (1, 1, 1));
    let summary = summaries(&files, &["passes", "ddsmt"]);
    let told: Vec<_> = summary.iter().map(|row| (row.files, row.bytes, row.percent_less)).collect();
    assert_eq!(told, [(1, 200.0, 80.0), (1, 50.0, 95.0)]);
    assert_eq!(summaries(&files[1..], &["passes", "ddsmt"]), []);
}
