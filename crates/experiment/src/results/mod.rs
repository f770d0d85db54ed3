//! The results of a comparison: which contender solved what in which time, and which was wrong.

mod disagreements;
mod scores;

pub use disagreements::AnswerDisagreement;
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
    /// The number of contenders that ran. Those after them are portfolios, computed from these runs.
    pub measured: usize,
    /// The problems.
    pub problems: Vec<BenchProblem>,
    /// `samples[problem][contender]`: the runs.
    pub samples: Vec<Vec<Vec<Sample>>>,
    /// The time limit in seconds.
    pub timeout: f64,
    /// How several runs combine to one result.
    pub combined: RunsCombined,
}

/// How the runs of a contender on a file combine to one result. A wrong answer in any run makes the result wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RunsCombined {
    /// Solved if any run solves it. The time is the mean of all runs, where unsolved runs count as the limit, as in the evaluation of the
    /// JFS paper (`merge_aggregate_events` and `get_arithmetic_mean_and_confidence_intervals` in the `smt-runner` of
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

/// The number of runs of a contender on a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunsPerFile {
    /// Runs of contenders that answer the file in the first run.
    pub solved: u32,
    /// Runs of other contenders; at most as many.
    pub unsolved: u32,
}

impl RunsPerFile {
    /// Whether run number `run` (from 0) is needed after the earlier ones.
    pub fn is_due(self, run: u32, done: &[Sample], timeout: f64) -> bool {
        run < self.unsolved || run < self.solved && done.first().is_some_and(|first| answers(first, timeout))
    }
}

/// The verdict on one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleVerdict {
    /// An uncontradicted answer within the limit.
    Solved,
    /// An answer that contradicts the truth, or has a model that makes an assertion false.
    Wrong,
    /// An answer that another contender contradicts, where the right answer is unknown.
    Disputed,
    /// No answer, or one after the limit.
    Unsolved,
}

impl SampleVerdict {
    /// Returns the verdict as one word.
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

/// Whether a sample answers: each check by sat or unsat, within the time, not refuted by its own model.
fn answers(sample: &Sample, timeout: f64) -> bool {
    let is_answered = !sample.answers.is_empty() && sample.answers.iter().all(|answer| answer.is_definite());
    is_answered && !is_refuted(sample) && sample.wall <= timeout * 1.05
}

impl BenchSamples {
    /// Returns the right answer to a check of a problem, if known, and what shows it: `sat` with a model that the evaluator finds valid, else
    /// what exhaustion proved, else the answer in the manifest or the file.
    pub fn truth(&self, problem: usize, check: usize) -> Option<(Status, &'static str)> {
        let BenchProblem { proven, expected, .. } = &self.problems[problem];
        let is_shown = self.samples[problem].iter().flatten().any(|sample| sample.model == ModelVerdict::Valid);
        let of = |known: &[Option<Status>]| known.get(check).copied().flatten();
        match (is_shown, of(proven), of(expected)) {
            (true, ..) => Some((Status::Sat, "by a model that makes every assertion true")),
            (_, Some(status), _) => Some((status, "by exhaustion")),
            (.., Some(status)) => Some((status, "by its :status or manifest")),
            _ => None,
        }
    }

    /// The number of checks of a problem.
    pub fn checks(&self, problem: usize) -> usize {
        let answered = self.samples[problem].iter().flatten().map(|sample| sample.answers.len()).max();
        answered.unwrap_or(0).max(self.problems[problem].expected.len())
    }

    /// Whether some run answers a check in this way, not refuted by its own model.
    fn says(&self, problem: usize, check: usize, answer: Answer) -> bool {
        let is = |sample: &Sample| sample.answers.get(check) == Some(&answer) && !is_refuted(sample);
        self.samples[problem].iter().flatten().any(is)
    }

    /// Whether contenders contradict each other on a check whose right answer is unknown.
    pub fn is_disputed(&self, problem: usize) -> bool {
        (0..self.checks(problem)).any(|check| {
            self.truth(problem, check).is_none()
                && self.says(problem, check, Answer::Sat)
                && self.says(problem, check, Answer::Unsat)
        })
    }

    /// Whether a run contradicts the right answer to a check.
    fn errs_at(&self, problem: usize, check: usize, sample: &Sample) -> bool {
        let truth = self.truth(problem, check).map(|(status, _)| status);
        matches!(
            (sample.answers.get(check), truth),
            (Some(Answer::Sat), Some(Status::Unsat)) | (Some(Answer::Unsat), Some(Status::Sat))
        )
    }

    /// Returns the verdict on one run. A wrong answer counts even after the limit.
    pub fn verdict(&self, problem: usize, sample: &Sample) -> SampleVerdict {
        let is_wrong =
            is_refuted(sample) || (0..sample.answers.len()).any(|check| self.errs_at(problem, check, sample));
        match answers(sample, self.timeout) {
            _ if is_wrong => SampleVerdict::Wrong,
            true if self.is_disputed(problem) => SampleVerdict::Disputed,
            true => SampleVerdict::Solved,
            false => SampleVerdict::Unsolved,
        }
    }

    /// Counts the runs of a contender on a problem with a verdict.
    fn runs(&self, problem: usize, contender: usize, verdict: SampleVerdict) -> usize {
        self.samples[problem][contender].iter().filter(|s| self.verdict(problem, s) == verdict).count()
    }

    /// Whether a contender answers a problem wrongly in any run.
    pub fn errs(&self, problem: usize, contender: usize) -> bool {
        self.runs(problem, contender, SampleVerdict::Wrong) > 0
    }

    /// Whether a contender solves a problem in as many runs as [`RunsCombined`] requires, and answers wrongly in none.
    pub fn solves(&self, problem: usize, contender: usize) -> bool {
        let solved = self.runs(problem, contender, SampleVerdict::Solved);
        let is_enough = match self.combined {
            RunsCombined::Any => solved > 0,
            RunsCombined::Most => 2 * solved > self.samples[problem][contender].len(),
        };
        is_enough && !self.errs(problem, contender)
    }

    /// Returns the mean time of a contender on a problem it solves; see [`RunsCombined`].
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

    /// Counts the problems of a suite that a contender answers wrongly.
    pub fn wrong(&self, suite: Option<&str>, contender: usize) -> usize {
        self.of_suite(suite).filter(|&p| self.errs(p, contender)).count()
    }

    /// Returns the problems of a suite, or all.
    pub fn of_suite<'r>(&'r self, suite: Option<&'r str>) -> impl Iterator<Item = usize> + Clone + 'r {
        (0..self.problems.len()).filter(move |&p| suite.is_none_or(|s| self.problems[p].suite == s))
    }

    /// Returns the suites in order of name.
    pub fn suites(&self) -> Vec<&str> {
        let mut suites: Vec<&str> = self.problems.iter().map(|p| p.suite.as_str()).collect();
        suites.sort_unstable();
        suites.dedup();
        suites
    }
}
