//! What a comparison found: who solved what in which time, and who was wrong.

mod contradictions;
#[cfg(test)]
pub(crate) mod examples;
mod scores;

pub use contradictions::ContradictingSample;
pub use scores::{ALL_OTHERS, ContenderPair, ContenderScore};

use crate::contender::{ModelVerdict, Sample};
use crate::problem::BenchProblem;
use crate::statistics::Mean;
use smtlib::Status;
use solver::outcome::Answer;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// All samples: by problem, contender and run.
pub struct BenchSamples {
    /// The contenders' names.
    pub names: Vec<String>,
    /// How many of the contenders ran. Those after them are portfolios, put together from what these did.
    pub measured: usize,
    /// The problems.
    pub problems: Vec<BenchProblem>,
    /// `samples[problem][contender]`: the runs.
    pub samples: Vec<Vec<Vec<Sample>>>,
    /// The time limit in seconds.
    pub timeout: f64,
    /// How several runs become one result.
    pub combined: RunsCombined,
}

/// How the runs of a contender on a file become one result. A wrong answer in any run makes the result wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RunsCombined {
    /// Solved if any run solves it. The time is the mean of all runs, where one that does not solve it took the limit. So the evaluation
    /// of the JFS paper does it (`merge_aggregate_events` and `get_arithmetic_mean_and_confidence_intervals` in the `smt-runner` of
    /// its artifact).
    #[default]
    Any,
    /// Solved if more than half of the runs solve it. The time is the mean of these.
    Most,
}

impl FromStr for RunsCombined {
    type Err = String;

    fn from_str(text: &str) -> Result<RunsCombined, String> {
        match text {
            "any" => Ok(RunsCombined::Any),
            "most" => Ok(RunsCombined::Most),
            _ => Err(format!("runs are not combined by '{text}'; choose any or most")),
        }
    }
}

impl Display for RunsCombined {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RunsCombined::Any => "any",
            RunsCombined::Most => "most",
        })
    }
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

    /// Whether a contender solves a problem: in as many runs as [`RunsCombined`] wants, and wrongly in none.
    pub fn solves(&self, problem: usize, contender: usize) -> bool {
        let solved = self.runs(problem, contender, SampleVerdict::Solved);
        let is_enough = match self.combined {
            RunsCombined::Any => solved > 0,
            RunsCombined::Most => 2 * solved > self.samples[problem][contender].len(),
        };
        is_enough && !self.errs(problem, contender)
    }

    /// The mean time of a contender on a problem it solves; see [`RunsCombined`].
    pub fn time(&self, problem: usize, contender: usize) -> Option<Mean> {
        if !self.solves(problem, contender) {
            return None;
        }
        let time = |sample: &Sample| match (self.verdict(problem, sample), self.combined) {
            (SampleVerdict::Solved, _) => Some(sample.wall),
            (_, RunsCombined::Any) => Some(self.timeout),
            (_, RunsCombined::Most) => None,
        };
        Mean::of(&self.samples[problem][contender].iter().filter_map(time).collect::<Vec<_>>())
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
}

#[cfg(test)]
mod tests {
    use super::examples::{results, runs, sample};
    use super::*;

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
}
