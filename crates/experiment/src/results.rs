//! What a comparison found: who solved what in which time, who was wrong, contradictions, and the pairwise table of the JFS paper.

use crate::contender::{ModelVerdict, Sample};
use crate::problem::BenchProblem;
use crate::statistics::{Mean, median};
use serde::Serialize;
use smtlib::Status;
use solver::outcome::Answer;

/// All samples: by problem, contender and run.
pub struct BenchSamples {
    /// The contenders' names.
    pub names: Vec<String>,
    /// The problems.
    pub problems: Vec<BenchProblem>,
    /// `samples[problem][contender]`: the runs.
    pub samples: Vec<Vec<Vec<Sample>>>,
    /// The time limit in seconds.
    pub timeout: f64,
}

/// How often everybody runs on a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunsPerFile {
    /// Those who answer it in the first run.
    pub solved: u32,
    /// Those who do not, at most as often.
    pub unsolved: u32,
}

impl RunsPerFile {
    /// Whether run number `run` (from 0) is to be made after those before it.
    pub fn is_due(self, run: u32, done: &[Sample], timeout: f64) -> bool {
        run < self.unsolved || run < self.solved && done.first().is_some_and(|first| answers(first, timeout))
    }
}

/// A contender on a suite.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ContenderScore {
    /// The contender.
    pub name: String,
    /// Files solved in more than half of the runs, and answered wrongly in none.
    pub solved: usize,
    /// Files answered wrongly in at least one run.
    pub wrong: usize,
    /// Files solved less files answered wrongly.
    pub score: i64,
    /// Of those, answered sat.
    pub sat: usize,
    /// Of those, answered unsat.
    pub unsat: usize,
    /// Files solved in some runs and not in others.
    pub unsteady: usize,
    /// The median of the times of the files solved, in seconds.
    pub median: Option<f64>,
    /// The sum of the times of all files, in seconds; one not solved, or answered wrongly, counts as the limit.
    pub total: f64,
}

/// What one run counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleVerdict {
    /// An answer within the limit that nothing contradicts.
    Solved,
    /// An answer that contradicts the truth, or a model that makes an assertion false.
    Wrong,
    /// An answer that another contender contradicts, where nothing says who is right.
    Disputed,
    /// No answer, or too late.
    Unsolved,
}

impl SampleVerdict {
    /// The verdict in a word.
    pub fn word(self) -> &'static str {
        match self {
            SampleVerdict::Solved => "solved",
            SampleVerdict::Wrong => "wrong",
            SampleVerdict::Disputed => "disputed",
            SampleVerdict::Unsolved => "unsolved",
        }
    }
}

/// One contender against another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ContenderPair {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// Files both solve.
    pub both: usize,
    /// Files only the one solves.
    pub only_one: usize,
    /// Files only the other solves.
    pub only_other: usize,
    /// Files neither solves.
    pub neither: usize,
    /// Of the files both solve, those the one is faster on: the intervals of the times do not overlap.
    pub one_faster: usize,
    /// And those the other is faster on.
    pub other_faster: usize,
}

/// A sample that contradicts what is known, or what another says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ContradictingSample {
    /// The file.
    pub file: String,
    /// What is wrong, in a sentence without dot.
    pub what: String,
}

/// Whether a run's own model refutes its answer.
fn is_refuted(sample: &Sample) -> bool {
    sample.model == ModelVerdict::Invalid
}

/// Whether a sample is an answer: sat or unsat, within the time, not refuted by its own model.
fn answers(sample: &Sample, timeout: f64) -> bool {
    sample.answer.is_definite() && !is_refuted(sample) && sample.wall <= timeout * 1.05
}

impl BenchSamples {
    /// The right answer to a problem, where it is known: `sat` after a model that the evaluator finds valid, else what the manifest or
    /// the file says.
    pub fn truth(&self, problem: usize) -> Option<Status> {
        let is_shown = self.samples[problem].iter().flatten().any(|sample| sample.model == ModelVerdict::Valid);
        if is_shown { Some(Status::Sat) } else { self.problems[problem].expected }
    }

    /// Whether contenders contradict each other on a problem whose right answer nobody knows.
    pub fn is_disputed(&self, problem: usize) -> bool {
        let says = |answer| self.samples[problem].iter().flatten().any(|s| s.answer == answer && !is_refuted(s));
        self.truth(problem).is_none() && says(Answer::Sat) && says(Answer::Unsat)
    }

    /// What one run on a problem counts as. A wrong answer counts however late it comes.
    pub fn verdict(&self, problem: usize, sample: &Sample) -> SampleVerdict {
        let is_wrong = match (sample.answer, self.truth(problem)) {
            _ if is_refuted(sample) => true,
            (Answer::Sat, Some(Status::Unsat)) | (Answer::Unsat, Some(Status::Sat)) => true,
            _ => false,
        };
        match answers(sample, self.timeout) {
            _ if is_wrong => SampleVerdict::Wrong,
            true if self.is_disputed(problem) => SampleVerdict::Disputed,
            true => SampleVerdict::Solved,
            false => SampleVerdict::Unsolved,
        }
    }

    /// How many runs of a contender on a problem have a verdict.
    fn runs(&self, problem: usize, contender: usize, verdict: SampleVerdict) -> usize {
        self.samples[problem][contender].iter().filter(|s| self.verdict(problem, s) == verdict).count()
    }

    /// Whether a contender answers a problem wrongly: in any run.
    pub fn errs(&self, problem: usize, contender: usize) -> bool {
        self.runs(problem, contender, SampleVerdict::Wrong) > 0
    }

    /// Whether a contender solves a problem: in more than half of the runs, and wrongly in none.
    pub fn solves(&self, problem: usize, contender: usize) -> bool {
        let solved = self.runs(problem, contender, SampleVerdict::Solved);
        2 * solved > self.samples[problem][contender].len() && !self.errs(problem, contender)
    }

    /// The mean time of a contender on a problem, over the runs that solved it.
    pub fn time(&self, problem: usize, contender: usize) -> Option<Mean> {
        if !self.solves(problem, contender) {
            return None;
        }
        let runs = self.samples[problem][contender].iter();
        let solved = runs.filter(|s| self.verdict(problem, s) == SampleVerdict::Solved);
        Mean::of(&solved.map(|s| s.wall).collect::<Vec<_>>())
    }

    /// On how many problems of a suite a contender is wrong.
    pub fn wrong(&self, suite: Option<&str>, contender: usize) -> usize {
        self.of_suite(suite).filter(|&p| self.errs(p, contender)).count()
    }

    /// The problems of a suite, or all.
    pub fn of_suite<'r>(&'r self, suite: Option<&'r str>) -> impl Iterator<Item = usize> + Clone + 'r {
        (0..self.problems.len()).filter(move |&p| suite.is_none_or(|s| self.problems[p].suite == s))
    }

    /// The suites, in order of name.
    pub fn suites(&self) -> Vec<&str> {
        let mut suites: Vec<&str> = self.problems.iter().map(|p| p.suite.as_str()).collect();
        suites.sort_unstable();
        suites.dedup();
        suites
    }

    /// Each contender's score on a suite, or on all.
    pub fn scores(&self, suite: Option<&str>) -> Vec<ContenderScore> {
        let score = |(c, name): (usize, &String)| {
            let solved: Vec<usize> = self.of_suite(suite).filter(|&p| self.solves(p, c)).collect();
            let answered = |p: usize, answer: Answer| {
                self.samples[p][c].iter().any(|s| answers(s, self.timeout) && s.answer == answer)
            };
            let times: Vec<f64> = solved.iter().filter_map(|&p| self.time(p, c)).map(|m| m.mean).collect();
            let unsteady = self.of_suite(suite).filter(|&p| {
                let good = self.runs(p, c, SampleVerdict::Solved);
                good > 0 && good < self.samples[p][c].len()
            });
            let wrong = self.wrong(suite, c);
            let missed = self.of_suite(suite).count() - solved.len();
            ContenderScore {
                name: name.clone(),
                solved: solved.len(),
                wrong,
                score: solved.len() as i64 - wrong as i64,
                sat: solved.iter().filter(|&&p| answered(p, Answer::Sat)).count(),
                unsat: solved.iter().filter(|&&p| answered(p, Answer::Unsat)).count(),
                unsteady: unsteady.count(),
                median: median(&times),
                total: times.iter().sum::<f64>() + missed as f64 * self.timeout,
            }
        };
        self.names.iter().enumerate().map(score).collect()
    }

    /// Every contender against every later one.
    pub fn pairs(&self, suite: Option<&str>) -> Vec<ContenderPair> {
        let mut pairs = Vec::new();
        for a in 0..self.names.len() {
            for b in a + 1..self.names.len() {
                let mut pair = ContenderPair {
                    one: self.names[a].clone(),
                    other: self.names[b].clone(),
                    both: 0,
                    only_one: 0,
                    only_other: 0,
                    neither: 0,
                    one_faster: 0,
                    other_faster: 0,
                };
                for p in self.of_suite(suite) {
                    match (self.time(p, a), self.time(p, b)) {
                        (Some(x), Some(y)) => {
                            pair.both += 1;
                            pair.one_faster += usize::from(x.is_below(y));
                            pair.other_faster += usize::from(y.is_below(x));
                        }
                        (Some(_), None) => pair.only_one += 1,
                        (None, Some(_)) => pair.only_other += 1,
                        (None, None) => pair.neither += 1,
                    }
                }
                pairs.push(pair);
            }
        }
        pairs
    }

    /// Every answer that contradicts the known one, its own model, or another contender's.
    pub fn contradictions(&self) -> Vec<ContradictingSample> {
        let mut found = Vec::new();
        for (p, problem) in self.problems.iter().enumerate() {
            let mut say = |what: String| {
                let one = ContradictingSample { file: problem.name.clone(), what };
                if !found.contains(&one) {
                    found.push(one);
                }
            };
            let by = |is: &dyn Fn(&Sample) -> bool| {
                self.names.iter().zip(&self.samples[p]).find(|(_, runs)| runs.iter().any(is)).map(|(name, _)| name)
            };
            let shown = by(&|sample| sample.model == ModelVerdict::Valid);
            for (name, runs) in self.names.iter().zip(&self.samples[p]) {
                for sample in runs {
                    match (sample.answer, problem.expected, shown) {
                        _ if is_refuted(sample) => {
                            say(format!("{name} gives a model under which an assertion is false"))
                        }
                        (Answer::Sat, Some(Status::Unsat), None) => {
                            say(format!("{name} says sat, the file is known to be unsat"))
                        }
                        (Answer::Unsat, Some(Status::Sat), _) => {
                            say(format!("{name} says unsat, the file is known to be sat"))
                        }
                        (Answer::Unsat, _, Some(who)) => {
                            say(format!("{name} says unsat, a model of {who} makes every assertion true"))
                        }
                        _ => {}
                    }
                }
            }
            match (shown, problem.expected) {
                (Some(who), Some(Status::Unsat)) => {
                    say(format!("a model of {who} makes every assertion true, the file is known to be unsat"))
                }
                _ if self.is_disputed(p) => {
                    let sat = by(&|sample| sample.answer == Answer::Sat && !is_refuted(sample));
                    if let (Some(a), Some(b)) = (sat, by(&|sample| sample.answer == Answer::Unsat)) {
                        say(format!("{a} says sat, {b} says unsat, and nothing says who is right"));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn sample(answer: Answer, wall: f64) -> Sample {
        let model = if answer == Answer::Sat { ModelVerdict::Valid } else { ModelVerdict::None };
        Sample { answer, model, wall, cpu: wall, memory: 0 }
    }

    fn problem(name: &str, expected: Option<Status>) -> BenchProblem {
        BenchProblem { path: PathBuf::new(), name: name.into(), suite: "S".into(), expected, text: String::new() }
    }

    fn runs(answer: Answer, times: [f64; 3]) -> Vec<Sample> {
        times.map(|t| sample(answer, t)).to_vec()
    }

    /// Two contenders on three files, three runs each.
    fn results() -> BenchSamples {
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

    #[test]
    fn scores_count_files_solved_in_most_runs() {
        let scores = results().scores(None);
        assert_eq!((scores[0].solved, scores[0].sat, scores[0].unsteady), (2, 2, 1));
        assert_eq!((scores[1].solved, scores[1].unsat, scores[1].unsteady), (3, 1, 0));
        assert!(scores.iter().all(|s| s.wrong == 0 && s.score == s.solved as i64));
        assert!((scores[0].total - (0.1 + 7.0 / 3.0 + 20.0)).abs() < 1e-9);
        assert!(results().scores(Some("other")).iter().all(|s| s.solved == 0));
    }

    /// What the second contender's runs count as against a first one that does not answer.
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
        // The evaluator is believed before the manifest.
        check(unsat, with(Answer::Sat, ModelVerdict::Valid), Solved);
        check(None, sample(Answer::Unsat, 1.0), Solved);
    }

    #[test]
    fn a_wrong_answer_is_taken_off_the_score_and_is_never_faster() {
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
    fn files_in_dispute_count_for_nobody() {
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
    fn who_does_not_answer_at_once_runs_less_often() {
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
    fn contradictions_are_told() {
        let mut results = results();
        assert_eq!(results.contradictions(), []);
        results.samples[2][0][0] = sample(Answer::Sat, 1.0);
        let told = results.contradictions();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].file == "3" && told[0].what.contains("b says unsat, a model of a makes"), "{told:?}");
        results.samples[2][0][0].model = ModelVerdict::Unknown;
        let told = results.contradictions();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].file == "3" && told[0].what.contains("a says sat, b says unsat"), "{told:?}");
        results.problems[0].expected = Some(Status::Unsat);
        results.samples[1][0][0].model = ModelVerdict::Invalid;
        let told = results.contradictions();
        assert!(told.iter().any(|c| c.file == "1" && c.what.contains("known to be unsat")));
        assert!(told.iter().any(|c| c.file == "2" && c.what.contains("an assertion is false")));
        // A refuted answer is none.
        assert!(!results.samples[1][0].iter().all(|s| answers(s, 20.0)));
    }
}
