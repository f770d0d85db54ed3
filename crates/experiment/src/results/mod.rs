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

    /// Whether a contender solves a problem in any run, and answers wrongly in none, as in the evaluation of the JFS paper
    /// (`merge_aggregate_events` in the `smt-runner` of its artifact).
    pub fn solves(&self, problem: usize, contender: usize) -> bool {
        self.runs(problem, contender, SampleVerdict::Solved) > 0 && !self.errs(problem, contender)
    }

    /// Returns the mean time of all runs of a contender on a problem it solves, where unsolved runs count as the limit
    /// (`get_arithmetic_mean_and_confidence_intervals` in JFS's `smt-runner`).
    pub fn time(&self, problem: usize, contender: usize) -> Option<Mean> {
        if !self.solves(problem, contender) {
            return None;
        }
        let time = |sample: &Sample| match self.verdict(problem, sample) {
            SampleVerdict::Solved => sample.wall,
            _ => self.timeout,
        };
        Mean::of(&self.samples[problem][contender].iter().map(time).collect::<Vec<_>>())
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
