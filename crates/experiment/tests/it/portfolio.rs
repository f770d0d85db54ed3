//! Tests of `portfolio`.

use experiment::contender::{ModelVerdict, Sample};
use experiment::portfolio::*;
use experiment::problem::BenchProblem;
use experiment::results::BenchSamples;
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
        problems: times.iter().map(|(name, _)| problem(name)).collect(),
        samples: times.iter().map(|(_, times)| times.map(run).to_vec()).collect(),
        timeout: 20.0,
    };
    let [one] = &compare_strategies(&results)[..] else { panic!("one strategy") };
    assert_eq!((one.lost.as_slice(), one.won.as_slice()), (&["lost".to_string()][..], &["won".to_string()][..]));
    assert_eq!(one.ratios, [1.05, 1.5]);
    assert!(one.text().contains("1.50 at worst, at most 1.1 times on 1"), "{}", one.text());
}
