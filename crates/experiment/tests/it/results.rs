//! Tests of `results`.

use crate::examples::{results, runs, sample};
use experiment::contender::{ModelVerdict, Sample};
use experiment::results::{BenchSamples, ContenderPair, RunsCombined, RunsPerFile, SampleVerdict};
use smtlib::Status;
use solver::outcome::Answer;

/// The verdicts on the second contender's runs when the first one does not answer.
#[test]
fn answers_are_judged_by_the_truth() {
    use SampleVerdict::{Solved, Unsolved, Wrong};
    let with = |answer, model| Sample { model, ..sample(answer, 1.0) };
    let check = |expected, sample: Sample, expect| {
        let mut results = results();
        results.problems[0].expected = expected;
        results.samples[0] = vec![runs(Answer::Timeout, [20.0; 3]), vec![sample.clone()]];
        assert_eq!(results.verdict(0, &sample), expect, "{sample:?} where {expected:?}");
        assert_eq!((results.solves(0, 1), results.errs(0, 1)), (expect == Solved, expect == Wrong), "{sample:?}");
    };
    let (sat, unsat) = (Some(Status::Sat), Some(Status::Unsat));
    check(sat, sample(Answer::Unsat, 1.0), Wrong);
    check(sat, sample(Answer::Unsat, 30.0), Wrong);
    check(sat, sample(Answer::Sat, 1.0), Solved);
    check(sat, sample(Answer::Sat, 30.0), Unsolved);
    check(sat, sample(Answer::Unknown, 1.0), Unsolved);
    check(sat, with(Answer::Sat, ModelVerdict::Unknown), Solved);
    check(sat, with(Answer::Sat, ModelVerdict::Invalid), Wrong);
    check(None, with(Answer::Sat, ModelVerdict::Invalid), Wrong);
    check(unsat, with(Answer::Sat, ModelVerdict::Unknown), Wrong);
    check(unsat, sample(Answer::Unsat, 1.0), Solved);
    // The evaluator precedes the manifest.
    check(unsat, with(Answer::Sat, ModelVerdict::Valid), Solved);
    check(None, sample(Answer::Unsat, 1.0), Solved);
}

#[test]
fn runs_are_combined_as_asked() {
    let check = |combined, answers: [Answer; 3], solved: bool, time: Option<f64>| {
        let mut results = BenchSamples { combined, ..results() };
        results.samples[0][1] = answers.iter().zip([1.0, 2.0, 3.0]).map(|(&a, wall)| sample(a, wall)).collect();
        assert_eq!(results.solves(0, 1), solved, "{combined} of {answers:?}");
        assert_eq!(results.time(0, 1).map(|mean| mean.mean), time, "{combined} of {answers:?}");
    };
    use Answer::{Sat, Timeout, Unsat};
    check(RunsCombined::Any, [Sat, Sat, Sat], true, Some(2.0));
    check(RunsCombined::Any, [Timeout, Timeout, Sat], true, Some((20.0 + 20.0 + 3.0) / 3.0));
    check(RunsCombined::Any, [Timeout; 3], false, None);
    check(RunsCombined::Any, [Sat, Sat, Unsat], false, None);
    check(RunsCombined::Most, [Sat, Timeout, Sat], true, Some(2.0));
    check(RunsCombined::Most, [Timeout, Timeout, Sat], false, None);
    check(RunsCombined::Most, [Sat, Sat, Unsat], false, None);
    assert!("some".parse::<RunsCombined>().is_err_and(|error| error.contains("any or most")));
}

#[test]
fn files_in_dispute_count_for_no_contender() {
    let mut results = results();
    results.samples[2][0] = runs(Answer::Sat, [1.0; 3]);
    assert!(!results.is_disputed(2) && results.errs(2, 1), "a valid model decides");
    results.samples[2][0].iter_mut().for_each(|s| s.model = ModelVerdict::Unknown);
    assert!(results.is_disputed(2));
    for c in 0..2 {
        assert!(!results.solves(2, c) && !results.errs(2, c), "{c}");
    }
    results.problems[2].expected = Some(Status::Unsat);
    assert!(!results.is_disputed(2) && results.errs(2, 0) && results.solves(2, 1));
}

#[test]
fn contenders_without_a_first_answer_run_less_often() {
    let repeats = RunsPerFile { solved: 3, unsolved: 1 };
    let check = |run: u32, first: Option<Answer>, due: bool| {
        let done: Vec<Sample> = first.map(|answer| sample(answer, 1.0)).into_iter().collect();
        assert_eq!(repeats.is_due(run, &done, 20.0), due, "run {run} after {first:?}");
    };
    check(0, None, true);
    check(1, Some(Answer::Sat), true);
    check(2, Some(Answer::Unsat), true);
    check(3, Some(Answer::Sat), false);
    check(1, Some(Answer::Timeout), false);
    check(1, Some(Answer::Unknown), false);
    // An interruption may leave a first run out.
    check(1, None, false);
    assert!(!repeats.is_due(1, &[sample(Answer::Sat, 25.0)], 20.0));
}

#[test]
fn scores_count_files_solved_in_most_runs() {
    let scores = results().scores(None);
    assert_eq!((scores[0].solved, scores[0].sat, scores[0].unsteady), (2, 2, 1));
    assert_eq!((scores[1].solved, scores[1].unsat, scores[1].unsteady), (3, 1, 0));
    assert!(scores.iter().all(|s| s.wrong == 0 && s.score == s.solved as i64));
    assert!((scores[0].total - (0.1 + 7.0 / 3.0 + 20.0)).abs() < 1e-9);
    assert!(results().scores(Some("other")).iter().all(|s| s.solved == 0));
}

#[test]
fn a_wrong_answer_lowers_the_score_and_is_never_faster() {
    let mut results = results();
    // Far faster, and wrong in one run of three.
    let mut once = runs(Answer::Sat, [0.001; 3]);
    once[2] = sample(Answer::Unsat, 0.001);
    results.samples[0][1] = once;
    results.samples[1][1] = runs(Answer::Unsat, [0.001; 3]);
    let scores = results.scores(None);
    assert_eq!((scores[1].solved, scores[1].wrong, scores[1].score), (1, 2, -1));
    assert!((scores[1].total - 43.0).abs() < 1e-9, "a wrong answer costs the limit: {}", scores[1].total);
    let pair = &results.pairs(None)[0];
    assert_eq!((pair.both, pair.only_one, pair.only_other, pair.neither), (0, 2, 1, 0));
    assert_eq!((pair.one_faster, pair.other_faster), (0, 0));
}

#[test]
fn pairs_call_times_different_only_where_they_are() {
    let pairs = results().pairs(None);
    let expect = ContenderPair {
        one: "a".into(),
        other: "b".into(),
        both: 2,
        only_one: 0,
        only_other: 1,
        neither: 0,
        one_faster: 1,
        other_faster: 0,
    };
    assert_eq!(pairs, [expect]);
}

#[test]
fn all_others_together_solve_what_any_of_them_does() {
    let mut results = results();
    results.names.push("c".into());
    results.measured = 3;
    for (problem, answer) in [Answer::Timeout, Answer::Sat, Answer::Timeout].into_iter().enumerate() {
        results.samples[problem].push(runs(answer, [1.0; 3]));
    }
    let row = |one: usize| results.against_all(None, one).map(|p| (p.both, p.only_one, p.only_other, p.neither));
    assert_eq!([row(0), row(1), row(2)], [Some((2, 0, 1, 0)), Some((2, 1, 0, 0)), Some((1, 0, 2, 0))]);
    assert_eq!(results.scores(None).iter().map(|score| score.alone).collect::<Vec<_>>(), [0, 1, 0]);
    assert!(results.against_all(Some("other"), 0).is_some_and(|pair| pair.neither == 0 && pair.both == 0));
    // A portfolio of a and b is not another contender.
    results.measured = 1;
    assert_eq!(results.against_all(None, 0), None);
}

#[test]
fn contradictions_are_reported() {
    let mut results = results();
    assert_eq!(results.contradictions(), []);
    results.samples[2][0][0] = sample(Answer::Sat, 1.0);
    let found = results.contradictions();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].file == "3" && found[0].what.contains("b says unsat, a model of a makes"), "{found:?}");
    results.samples[2][0][0].model = ModelVerdict::Unknown;
    let found = results.contradictions();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].file == "3" && found[0].what.contains("a says sat, b says unsat"), "{found:?}");
    results.problems[0].expected = Some(Status::Unsat);
    results.samples[1][0][0].model = ModelVerdict::Invalid;
    let found = results.contradictions();
    assert!(found.iter().any(|c| c.file == "1" && c.what.contains("known to be unsat")));
    assert!(found.iter().any(|c| c.file == "2" && c.what.contains("an assertion is false")));
    // A refuted answer is wrong.
    assert_eq!(results.verdict(1, &results.samples[1][0][0]), SampleVerdict::Wrong);
}
