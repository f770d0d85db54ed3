//! Tests of `evolution::history`.

use experiment::evolution::history::*;
use experiment::evolution::problems::{EvolutionProblem, EvolutionProblems, RightAnswer};
use experiment::evolution::release_run::{ProblemVerdict, ReleaseRun};
use finding::Trust;

/// One letter per problem: `r`ight, wrong `s`at, wrong `u`nsat, `c`rash, `?` unknown, `t`imeout, `-` rejected.
fn history(runs: &[&str]) -> EvolutionHistory {
    let problem = |n: usize| EvolutionProblem {
        name: format!("p{n}"),
        theory: if n == 0 { "fp" } else { "strings" }.to_string(),
        text: "x".repeat(10 - n),
        answers: vec![Some(RightAnswer::Sat)],
        truth: Trust::Exhausted,
    };
    let count = runs.first().map_or(0, |run| run.len());
    let problems = EvolutionProblems { list: (0..count).map(problem).collect(), without_answer: Vec::new() };
    let verdict = |letter: char| match letter {
        's' => ProblemVerdict::WrongSat,
        'u' => ProblemVerdict::WrongUnsat,
        'c' => ProblemVerdict::Crash,
        '?' => ProblemVerdict::Unknown,
        't' => ProblemVerdict::Limit,
        '-' => ProblemVerdict::Refused,
        _ => ProblemVerdict::Right,
    };
    let run = |(n, letters): (usize, &&str)| ReleaseRun {
        label: format!("z3@{}", n + 1),
        problems: String::new(),
        limit_ms: 1,
        verdicts: letters.chars().map(verdict).collect(),
        cpu_us: vec![500_000; letters.len()],
        wrong_after_others: 0,
    };
    EvolutionHistory::of(&problems, &runs.iter().enumerate().map(run).collect::<Vec<_>>())
}

#[test]
fn releases_are_compared_with_the_last_one_that_answered_or_crashed() {
    let check = |runs: &[&str], broke: &[&str], mended: &[&str], gained: &[usize], lost: &[usize]| {
        let history = history(runs);
        let of = |names: fn(&ReleaseRow) -> &Vec<String>| -> Vec<String> {
            history.releases.iter().map(|row| names(row).join(" ")).collect()
        };
        assert_eq!(of(|row| &row.broke), broke, "{runs:?}");
        assert_eq!(of(|row| &row.mended), mended, "{runs:?}");
        assert_eq!(history.releases.iter().map(|row| row.gained).collect::<Vec<_>>(), gained, "{runs:?}");
        assert_eq!(history.releases.iter().map(|row| row.lost).collect::<Vec<_>>(), lost, "{runs:?}");
    };
    check(&["rr", "rs", "rr"], &["", "p1", ""], &["", "", "p1"], &[0, 0, 0], &[0, 0, 0]);
    // A release without an answer hides neither a bug nor a fix.
    check(&["rs", "?-", "ur"], &["", "", "p0"], &["", "", "p1"], &[0, 0, 1], &[0, 1, 0]);
    check(&["??", "rt", "rr"], &["", "", ""], &["", "", ""], &[0, 1, 1], &[0, 0, 0]);
    // Nothing was right before the first release.
    check(&["us", "us"], &["", ""], &["", ""], &[0, 0], &[0, 0]);
}

#[test]
fn errors_of_the_newest_release_have_their_first_release() {
    let history = history(&["rssr", "rs?c", "usuc", "ussc"]);
    let rows: Vec<(&str, ProblemVerdict, &str, usize, &str)> = history
        .standing
        .iter()
        .map(|bug| (bug.theory.as_str(), bug.verdict, bug.since.as_str(), bug.count, bug.shortest.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            ("strings", ProblemVerdict::WrongSat, "z3@1", 2, "p2"),
            ("fp", ProblemVerdict::WrongUnsat, "z3@3", 1, "p0"),
            ("strings", ProblemVerdict::Crash, "z3@2", 1, "p3"),
        ]
    );
    assert_eq!(history.theories, [("fp".to_string(), 1), ("strings".to_string(), 3)]);
    let last = history.releases.last().expect("a release");
    assert_eq!((last.bugs.as_slice(), last.counts.bugs(), last.cpu_s), ([1, 3].as_slice(), 4, 2.0));
}

#[test]
fn an_empty_history_has_no_errors() {
    assert_eq!(history(&[]).releases, []);
    assert_eq!(history(&["rr"]).standing, []);
}
