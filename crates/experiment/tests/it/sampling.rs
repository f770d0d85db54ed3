//! Tests of `sampling`.

use experiment::problem::{BenchProblem, SuiteManifest};
use experiment::sampling::*;
use smtlib::Status;
use std::path::PathBuf;

fn problem(suite: &str, n: usize, expected: Option<Status>) -> BenchProblem {
    let name = format!("{suite}{n}.smt2");
    BenchProblem {
        path: PathBuf::new(),
        name,
        suite: suite.into(),
        expected: vec![expected],
        proven: Vec::new(),
        text: String::new(),
    }
}

/// 60 files of A known to be sat, 30 of B, 9 of B known to be unsat, one of B without a known answer.
fn problems() -> Vec<BenchProblem> {
    let a = (0..60).map(|n| problem("A", n, Some(Status::Sat)));
    let b = (0..40).map(|n| match n {
        0..30 => problem("B", n, Some(Status::Sat)),
        39 => problem("B", n, None),
        _ => problem("B", n, Some(Status::Unsat)),
    });
    a.chain(b).collect()
}

fn names(count: usize, seed: u64) -> Vec<String> {
    let sampled = sample(problems(), &SuiteManifest::default(), (SampleStrata::Answer, count), seed);
    sampled.expect("no times are needed").into_iter().map(|problem| problem.name).collect()
}

#[test]
fn a_sample_is_representative() {
    let all = names(1000, 1);
    assert_eq!(all.len(), 100);
    let some = names(20, 1);
    assert_eq!(some.len(), 20);
    let of = |suite: &str| some.iter().filter(|name| name.starts_with(suite)).count();
    // The stratum of one file has a place. The others share the other 19 as 60 to 30 to 9.
    assert_eq!((of("A"), of("B")), (11, 9));
    assert!(some.contains(&"B39.smt2".to_string()), "a stratum of one file: {some:?}");
    let mut sorted: Vec<&String> = all.iter().filter(|name| some.contains(name)).collect();
    sorted.dedup();
    assert!(sorted.iter().zip(&some).all(|(a, b)| *a == b), "in the order of the files: {some:?}");
    assert_eq!(names(20, 1), some, "the same seed");
    assert_ne!(names(20, 2), some, "another seed");
}

#[test]
fn hard_files_are_not_lost_among_easy_ones() {
    let mut text = "file\tsuite\texpected\tTool\tOther\n".to_string();
    let problems: Vec<BenchProblem> = (0..100).map(|n| problem("S", n, None)).collect();
    for (n, problem) in problems.iter().enumerate() {
        let time = match n {
            0 => "50",
            1 => "wrong",
            _ => "0.5",
        };
        text.push_str(&format!("{}\tS\tunknown\t{time}\tunknown\n", problem.name));
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("manifest.tsv"), text).expect("a file");
    let manifest = SuiteManifest::read(&[folder.path().join("S0.smt2")]).expect("a manifest");
    let sampled = |seed| {
        let few = sample(clones(&problems), &manifest, (SampleStrata::Time, 10), seed).expect("times");
        assert_eq!(few.len(), 10);
        few.into_iter().map(|problem| problem.name).collect::<Vec<_>>()
    };
    // Two bins of one file and one of 98: a sample of ten nearly always has both rare files; ten uniform draws rarely do.
    let hits = (0..50).filter(|&seed| sampled(seed).starts_with(&["S0.smt2".into(), "S1.smt2".into()])).count();
    assert!(hits >= 45, "{hits} of 50");
    assert_eq!(sampled(3), sampled(3));
    let without = sample(clones(&problems), &SuiteManifest::default(), (SampleStrata::Time, 10), 0);
    assert!(without.is_err_and(|error| error.contains("no manifest.tsv has published times")));
}

fn clones(problems: &[BenchProblem]) -> Vec<BenchProblem> {
    let one = |problem: &BenchProblem| BenchProblem {
        path: problem.path.clone(),
        name: problem.name.clone(),
        suite: problem.suite.clone(),
        expected: problem.expected.clone(),
        proven: Vec::new(),
        text: problem.text.clone(),
    };
    problems.iter().map(one).collect()
}
