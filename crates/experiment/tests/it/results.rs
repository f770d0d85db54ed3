//! Tests of `results`.

use crate::examples::{results, runs, sample};
use experiment::contender::{ModelVerdict, Sample};
use experiment::results::{AnswerDisagreement, BenchSamples, ContenderPair, SampleVerdict};
use smtlib::Status;
use solver::outcome::Answer;
use solver::process::CancelToken;

/// The verdicts on the second contender's runs when the first one does not answer.
#[test]
fn answers_are_judged_by_the_truth() {
    use SampleVerdict::{Solved, Unsolved, Wrong};
    let with = |answer, model| Sample { model, ..sample(answer, 1.0) };
    let check = |expected, sample: Sample, expect| {
        let mut results = results();
        results.problems[0].expected = vec![expected];
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
fn one_run_solves_a_file() {
    let check = |answers: [Answer; 3], solved: bool, time: Option<f64>| {
        let mut results = results();
        results.samples[0][1] = answers.iter().zip([1.0, 2.0, 3.0]).map(|(&a, wall)| sample(a, wall)).collect();
        assert_eq!(results.solves(0, 1), solved, "{answers:?}");
        assert_eq!(results.time(0, 1).map(|mean| mean.mean), time, "{answers:?}");
    };
    use Answer::{Sat, Timeout, Unsat};
    check([Sat, Sat, Sat], true, Some(2.0));
    check([Timeout, Timeout, Sat], true, Some((20.0 + 20.0 + 3.0) / 3.0));
    check([Timeout; 3], false, None);
    check([Sat, Sat, Unsat], false, None);
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
    results.problems[2].expected = vec![Some(Status::Unsat)];
    assert!(!results.is_disputed(2) && results.errs(2, 0) && results.solves(2, 1));
}

#[test]
fn scores_count_files_solved_in_a_run() {
    let scores = results().scores(None);
    assert_eq!((scores[0].solved, scores[0].sat, scores[0].unsteady), (3, 2, 1));
    assert_eq!((scores[1].solved, scores[1].unsat, scores[1].unsteady), (3, 1, 0));
    assert!(scores.iter().all(|s| s.wrong == 0 && s.score == s.solved as i64));
    assert!((scores[0].total - (0.1 + 7.0 / 3.0 + 41.0 / 3.0)).abs() < 1e-9);
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
    assert_eq!((pair.both, pair.only_one, pair.only_other, pair.neither), (1, 2, 0, 0));
    assert_eq!((pair.one_faster, pair.other_faster), (0, 0));
}

#[test]
fn pairs_call_times_different_only_where_they_are() {
    let pairs = results().pairs(None);
    let expect = ContenderPair {
        one: "a".into(),
        other: "b".into(),
        both: 3,
        only_one: 0,
        only_other: 0,
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
    results.samples[2][0] = runs(Answer::Timeout, [20.0; 3]);
    for (problem, answer) in [Answer::Timeout, Answer::Sat, Answer::Timeout].into_iter().enumerate() {
        results.samples[problem].push(runs(answer, [1.0; 3]));
    }
    let row = |one: usize| results.against_all(None, one).map(|p| (p.both, p.only_one, p.only_other, p.neither));
    assert_eq!([row(0), row(1), row(2)], [Some((2, 0, 1, 0)), Some((2, 1, 0, 0)), Some((1, 0, 2, 0))]);
    assert_eq!(results.scores(None).iter().map(|score| score.alone).collect::<Vec<_>>(), [0, 1, 0]);
    assert!(results.against_all(Some("other"), 0).is_some_and(|pair| pair.neither == 0 && pair.both == 0));
    results.names.truncate(1);
    assert_eq!(results.against_all(None, 0), None);
}

/// The answers and the verdict of each disagreement, and who or what is wrong.
fn told(results: &BenchSamples) -> Vec<String> {
    let one = |d: &AnswerDisagreement| {
        format!("{} {}: {}; {}; wrong: {}", d.file, d.check, d.answers(), d.verdict(), d.accused())
    };
    results.disagreements().iter().map(one).collect()
}

#[test]
fn disagreements_say_who_is_wrong() {
    let mut results = results();
    assert_eq!(told(&results), [""; 0]);
    results.samples[2][0] = vec![sample(Answer::Sat, 1.0)];
    let shown = "3 1: a says sat, b says unsat; it is sat by a model that makes every assertion true; wrong: b";
    assert_eq!(told(&results), [shown]);
    results.samples[2][0][0].model = ModelVerdict::Unknown;
    assert_eq!(told(&results), ["3 1: a says sat, b says unsat; nothing proves who is right; wrong: "]);
    results.samples[1][0] = vec![Sample { model: ModelVerdict::Invalid, ..sample(Answer::Sat, 1.0) }];
    results.samples[1][1] = vec![sample(Answer::Timeout, 20.0)];
    let refuted = "2 1: a says sat; nothing proves who is right; a model of a makes an assertion false; wrong: a";
    // Where it is known who is wrong comes first.
    assert_eq!(told(&results)[0], refuted);
    assert_eq!(results.verdict(1, &results.samples[1][0][0]), SampleVerdict::Wrong);
    // A file's :status that a model refutes is accused. It was called a disagreement of contenders that agree.
    results.problems[0].expected = vec![Some(Status::Unsat)];
    let status = "1 1: a and b say sat; it is sat by a model that makes every assertion true; wrong: its :status or manifest (unsat)";
    assert_eq!(told(&results)[0], status);
    assert_eq!(results.disagreements()[0].claimed, Some("unsat"));
}

#[test]
fn every_check_of_a_file_counts() {
    let mut results = results();
    let with = |answers: [Answer; 2]| vec![Sample { answers: answers.to_vec(), ..sample(Answer::Unsat, 1.0) }];
    use Answer::{Sat, Timeout, Unsat};
    results.problems[0].expected = vec![Some(Status::Unsat), None];
    for (first, second, solves, errs) in [
        ([Unsat, Sat], [Unsat, Sat], [true, true], [false, false]),
        ([Unsat, Timeout], [Unsat, Sat], [false, true], [false, false]),
        ([Unsat, Sat], [Sat, Sat], [true, false], [false, true]),
        ([Unsat, Sat], [Unsat, Unsat], [false, false], [false, false]),
    ] {
        results.samples[0] = vec![with(first), with(second)];
        assert_eq!([0, 1].map(|c| results.solves(0, c)), solves, "{first:?} {second:?}");
        assert_eq!([0, 1].map(|c| results.errs(0, c)), errs, "{first:?} {second:?}");
    }
    assert_eq!(told(&results), ["1 2: a says sat, b says unsat; nothing proves who is right; wrong: "]);
    assert_eq!(results.samples[0][0][0].words(), "unsat sat");
    assert_eq!(with([Unsat, Unsat])[0].words(), "unsat*2");
}

#[test]
fn exhaustion_settles_small_disagreements() {
    let mut results = results();
    results.problems.truncate(1);
    results.problems[0].expected = Vec::new();
    for (body, truth) in
        [("(declare-const b Bool)(assert b)", "sat"), ("(declare-const b (_ BitVec 3))(assert (bvult b b))", "unsat")]
    {
        results.problems[0].text = format!("{body}(check-sat)");
        results.problems[0].proven.clear();
        let unchecked = Sample { model: ModelVerdict::Unknown, ..sample(Answer::Sat, 1.0) };
        results.samples = vec![vec![vec![unchecked], vec![sample(Answer::Unsat, 1.0)]]];
        assert!(results.is_disputed(0));
        results.settle(&CancelToken::new());
        let wrong = if truth == "sat" { "b" } else { "a" };
        assert_eq!(
            told(&results),
            [format!("1 1: a says sat, b says unsat; it is {truth} by exhaustion; wrong: {wrong}")]
        );
    }
}

#[test]
fn scores_count_as_in_competitions() {
    let results = results();
    let scores = results.scores(None);
    assert_eq!([scores[0].quick, scores[1].quick], [3, 3]);
    assert_eq!(scores[1].par2, scores[1].total);
    let mut results = BenchSamples { timeout: 100.0, ..results };
    results.samples[0] = vec![vec![sample(Answer::Sat, 30.0)], vec![sample(Answer::Crashed, 1.0)]];
    let scores = results.scores(None);
    // The third file takes 67 seconds in the mean of its runs.
    assert_eq!((scores[0].quick, scores[0].crashed, scores[1].crashed), (1, 0, 1));
    assert_eq!(scores[1].par2, scores[1].total + 100.0);
}
