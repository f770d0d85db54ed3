//! Tests of `kept_runs`.

use anyhow::Result;
use experiment::contender::{Conditions, Contender, ModelVerdict, Sample};
use experiment::kept_runs::{KeptRun, KeptRuns};
use experiment::problem::BenchProblem;
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::CancelToken;
use std::time::Duration;

use std::path::{Path, PathBuf};

#[test]
fn every_sample_is_kept_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    std::fs::write(&program, "one").expect("a file");
    let runs = folder.path().join("runs");
    let run = || {
        let kept = KeptRuns::new(&runs, &conditions(&program, 5)).expect("runs");
        kept.run(&problem(), 0, 3).expect("a run")
    };
    let one = contender("search:coverage");
    use Answer::{Cancelled, Crashed, MemOut, Missing, OutputOut, Sat, Timeout, Unknown, Unsat, Void};
    for answer in [Sat, Unsat, Unknown, Timeout, MemOut, OutputOut, Cancelled, Crashed, Void, Missing] {
        for model in [ModelVerdict::None, ModelVerdict::Valid, ModelVerdict::Invalid, ModelVerdict::Unknown] {
            let sample = Sample { answers: vec![answer; 2], model, wall: 0.25, cpu: 0.125, memory: 7 };
            run().keep(&one, &sample).expect("written");
            let back = run().sample(&one);
            let back = back.expect("kept");
            assert_eq!((back.answers, back.model, back.wall, back.memory), (vec![answer; 2], model, 0.25, 7));
        }
    }
    run().keep(&one, &sample()).expect("written");
    let record = std::fs::read_dir(&runs).expect("a folder").next().expect("a run").expect("a run").path();
    let record = record.join("samples.json");
    let text = std::fs::read_to_string(&record).expect("a record");
    std::fs::write(&record, text.replace("\"sat\"", "\"maybe\"")).expect("a file");
    assert!(run().sample(&one).is_none());
}

fn sample() -> Sample {
    Sample { answers: vec![Answer::Sat], model: ModelVerdict::Valid, wall: 1.0, cpu: 1.0, memory: 1 }
}

fn conditions(program: &Path, timeout: u64) -> Conditions {
    let (program, timeout) = (program.to_path_buf(), Duration::from_secs(timeout));
    Conditions { program, timeout, cancel: CancelToken::new(), memory: 1 << 30 }
}

fn problem() -> BenchProblem {
    let (name, suite, text) = ("a.smt2".into(), "S".into(), "(check-sat)".into());
    BenchProblem { path: PathBuf::new(), name, suite, expected: vec![None], proven: Vec::new(), text }
}

fn contender(name: &str) -> Contender {
    Contender::of(name, &Fleet::of_user().expect("a fleet"), &CancelToken::new()).expect("a contender")
}

#[test]
fn a_run_is_found_again_under_the_same_conditions_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    std::fs::write(&program, "one").expect("a file");
    let kept = |timeout| KeptRuns::new(&folder.path().join("runs"), &conditions(&program, timeout)).expect("runs");
    let problem = problem();
    let (one, other) = (contender("search:coverage"), contender("search:coverage:7"));
    let mut run = kept(5).run(&problem, 0, 3).expect("a run");
    assert!(run.sample(&one).is_none());
    run.keep(&one, &sample()).expect("written");
    let run = kept(5).run(&problem, 0, 3).expect("a run");
    assert!(run.sample(&one).is_some() && run.sample(&other).is_none());
    assert!(kept(5).run(&problem, 1, 4).expect("a run").sample(&one).is_none(), "another run");
    let refused = |result: Result<KeptRun>| result.err().is_some_and(|e| e.to_string().contains("other conditions"));
    assert!(refused(kept(6).run(&problem, 0, 3)) && refused(kept(5).run(&problem, 0, 4)));
    std::fs::write(&program, "two").expect("a file");
    assert!(refused(kept(5).run(&problem, 0, 3)), "another build");
}
