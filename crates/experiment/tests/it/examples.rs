//! A small comparison for tests.

use experiment::contender::{ModelVerdict, Sample};
use experiment::problem::BenchProblem;
use experiment::results::BenchSamples;
use smtlib::Status;
use solver::outcome::Answer;
use std::path::PathBuf;

/// One run that took `wall` seconds.
pub(crate) fn sample(answer: Answer, wall: f64) -> Sample {
    let model = if answer == Answer::Sat { ModelVerdict::Valid } else { ModelVerdict::None };
    Sample { answers: vec![answer], model, wall, cpu: wall, memory: 0 }
}

/// A problem of the suite S.
pub(crate) fn problem(name: &str, expected: Option<Status>) -> BenchProblem {
    let (path, text) = (PathBuf::new(), String::new());
    BenchProblem { path, name: name.into(), suite: "S".into(), expected: vec![expected], proven: Vec::new(), text }
}

/// Three runs with one answer.
pub(crate) fn runs(answer: Answer, times: [f64; 3]) -> Vec<Sample> {
    times.map(|t| sample(answer, t)).to_vec()
}

/// Two contenders on three files, three runs each.
pub(crate) fn results() -> BenchSamples {
    let unsteady = vec![sample(Answer::Unsat, 1.0), sample(Answer::Timeout, 20.0), sample(Answer::Timeout, 20.0)];
    BenchSamples {
        names: vec!["a".into(), "b".into()],
        problems: vec![problem("1", Some(Status::Sat)), problem("2", None), problem("3", None)],
        samples: vec![
            vec![runs(Answer::Sat, [0.1, 0.11, 0.09]), runs(Answer::Sat, [1.0, 1.1, 0.9])],
            vec![runs(Answer::Sat, [1.0, 5.0, 1.0]), runs(Answer::Sat, [2.0, 2.1, 2.2])],
            vec![unsteady, runs(Answer::Unsat, [3.0, 3.0, 3.0])],
        ],
        timeout: 20.0,
    }
}
