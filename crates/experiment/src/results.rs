//! What a comparison found: who solved what in which time, contradictions, and the pairwise table of the JFS paper.

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
        run < self.unsolved || run < self.solved && done.first().is_some_and(|first| counts(first, timeout))
    }
}

/// A contender on a suite.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ContenderScore {
    /// The contender.
    pub name: String,
    /// Files solved in more than half of the runs.
    pub solved: usize,
    /// Of those, answered sat.
    pub sat: usize,
    /// Of those, answered unsat.
    pub unsat: usize,
    /// Files solved in some runs and not in others.
    pub unsteady: usize,
    /// The median of the times of the files solved, in seconds.
    pub median: Option<f64>,
    /// The sum of the times of all files, in seconds; one not solved counts as the limit.
    pub total: f64,
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

/// Whether a sample counts as an answer: sat or unsat, within the time, not refuted by its own model.
fn counts(sample: &Sample, timeout: f64) -> bool {
    sample.answer.is_definite() && sample.model != ModelVerdict::Invalid && sample.wall <= timeout * 1.05
}

impl BenchSamples {
    /// Whether a contender solves a problem: in more than half of the runs.
    pub fn solves(&self, problem: usize, contender: usize) -> bool {
        let runs = &self.samples[problem][contender];
        2 * runs.iter().filter(|s| counts(s, self.timeout)).count() > runs.len()
    }

    /// The mean time of a contender on a problem, over the runs that solved it.
    pub fn time(&self, problem: usize, contender: usize) -> Option<Mean> {
        let runs = self.samples[problem][contender].iter().filter(|s| counts(s, self.timeout));
        Mean::of(&runs.map(|s| s.wall).collect::<Vec<_>>()).filter(|_| self.solves(problem, contender))
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
                self.samples[p][c].iter().any(|s| counts(s, self.timeout) && s.answer == answer)
            };
            let times: Vec<f64> = solved.iter().filter_map(|&p| self.time(p, c)).map(|m| m.mean).collect();
            let unsteady = self.of_suite(suite).filter(|&p| {
                let runs = &self.samples[p][c];
                let good = runs.iter().filter(|s| counts(s, self.timeout)).count();
                good > 0 && good < runs.len()
            });
            let missed = self.of_suite(suite).count() - solved.len();
            ContenderScore {
                name: name.clone(),
                solved: solved.len(),
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
            let mut sat: Option<&str> = None;
            let mut unsat: Option<&str> = None;
            for (c, name) in self.names.iter().enumerate() {
                for sample in &self.samples[p][c] {
                    if sample.model == ModelVerdict::Invalid {
                        say(format!("{name} gives a model under which an assertion is false"));
                    }
                    match (sample.answer, problem.expected) {
                        (Answer::Sat, Some(Status::Unsat)) => {
                            say(format!("{name} says sat, the file is known to be unsat"))
                        }
                        (Answer::Unsat, Some(Status::Sat)) => {
                            say(format!("{name} says unsat, the file is known to be sat"))
                        }
                        _ => {}
                    }
                    match sample.answer {
                        Answer::Sat => sat = Some(name),
                        Answer::Unsat => unsat = Some(name),
                        _ => {}
                    }
                }
            }
            if let (Some(a), Some(b)) = (sat, unsat) {
                say(format!("{a} says sat, {b} says unsat"));
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

    /// Two contenders on three files, three runs each.
    fn results() -> BenchSamples {
        let runs = |answer, times: [f64; 3]| times.map(|t| sample(answer, t)).to_vec();
        let unsteady = vec![sample(Answer::Sat, 1.0), sample(Answer::Timeout, 20.0), sample(Answer::Timeout, 20.0)];
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
        assert!((scores[0].total - (0.1 + 7.0 / 3.0 + 20.0)).abs() < 1e-9);
        assert!(results().scores(Some("other")).iter().all(|s| s.solved == 0));
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
        let told = results.contradictions();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].file == "3" && told[0].what.contains("a says sat, b says unsat"));
        results.problems[0].expected = Some(Status::Unsat);
        results.samples[1][0][0].model = ModelVerdict::Invalid;
        let told = results.contradictions();
        assert!(told.iter().any(|c| c.file == "1" && c.what.contains("known to be unsat")));
        assert!(told.iter().any(|c| c.file == "2" && c.what.contains("an assertion is false")));
        // A refuted answer is none.
        assert!(!results.samples[1][0].iter().all(|s| counts(s, 20.0)));
    }
}
