//! Tests of `portfolio`.

use crate::examples;
use experiment::contender::{ModelVerdict, Sample};
use experiment::portfolio::*;
use experiment::problem::BenchProblem;
use experiment::results::{BenchSamples, RunsCombined};
use solver::outcome::Answer;

#[test]
fn a_strategy_is_compared_with_the_fastest_other() {
    let run = |wall: Option<f64>| {
        let answer = if wall.is_some() { Answer::Unsat } else { Answer::Timeout };
        vec![Sample {
            answers: vec![answer],
            model: ModelVerdict::None,
            wall: wall.unwrap_or(20.0),
            cpu: 0.0,
            memory: 0,
        }]
    };
    let problem = |name: &&str| BenchProblem {
        path: std::path::PathBuf::new(),
        name: name.to_string(),
        suite: "S".into(),
        expected: vec![None],
        proven: Vec::new(),
        text: String::new(),
    };
    let times = [
        ("slower", [Some(2.0), None, Some(3.0)]),
        ("lost", [None, Some(5.0), None]),
        ("short", [Some(0.1), None, Some(0.9)]),
        ("won", [None, None, Some(7.0)]),
        ("level", [Some(4.0), Some(2.0), Some(2.1)]),
    ];
    let results = BenchSamples {
        names: vec!["a".into(), "b".into(), "strategy:(par-or a b)".into()],
        measured: 3,
        problems: times.iter().map(|(name, _)| problem(name)).collect(),
        samples: times.iter().map(|(_, times)| times.map(run).to_vec()).collect(),
        timeout: 20.0,
        combined: RunsCombined::Most,
    };
    let [one] = &compare_strategies(&results)[..] else { panic!("one strategy") };
    assert_eq!((one.lost.as_slice(), one.won.as_slice()), (&["lost".to_string()][..], &["won".to_string()][..]));
    assert_eq!(one.ratios, [1.05, 1.5]);
    assert!(one.text().contains("1.50 at worst, at most 1.1 times on 1"), "{}", one.text());
}

#[test]
fn a_portfolio_does_what_its_fastest_member_did() {
    let mut results = examples::results();
    let runs = |answer, wall: f64| examples::runs(answer, [wall; 3]);
    // a is faster on 1, only b solves 3. On 2 a answers first, and wrongly.
    results.samples[1] = vec![runs(Answer::Unsat, 1.0), runs(Answer::Sat, 2.0)];
    add(&mut results, &[0, 1]);
    assert_eq!(results.names[2], "portfolio of a and b");
    let scores = results.scores(None);
    assert_eq!([0, 1, 2].map(|c| (scores[c].solved, scores[c].wrong)), [(1, 1), (3, 0), (2, 1)]);
    assert!((scores[2].total - (0.1 + 20.0 + 3.0)).abs() < 1e-9, "{}", scores[2].total);
    // It did not run: it contradicts no contender, and solves no file alone.
    assert!(
        results.disagreements().iter().all(|d| d.sat.iter().chain(&d.unsat).all(|name| !name.contains("portfolio")))
    );
    assert_eq!((scores[1].alone, scores[2].alone), (2, 0));
    // A right answer counts if it is the first.
    results = examples::results();
    results.samples[1] = vec![runs(Answer::Unsat, 3.0), runs(Answer::Sat, 2.0)];
    add(&mut results, &[0, 1]);
    assert!(results.solves(1, 2));
    // No member answers: neither does the portfolio.
    results = examples::results();
    results.samples[2] = vec![runs(Answer::Timeout, 20.0), runs(Answer::Unknown, 0.1)];
    add(&mut results, &[1, 0]);
    assert!(!results.solves(2, 2) && !results.errs(2, 2));
    add(&mut results, &[]);
    assert_eq!(results.names.len(), 3);
}
