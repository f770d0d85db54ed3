//! Tables of a comparison: the scores of contenders, and the pairwise table of the JFS paper.

use super::{BenchSamples, SampleVerdict, answers};
use crate::statistics::median;
use serde::Serialize;
use solver::outcome::Answer;

/// The score of a contender on a suite.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ContenderScore {
    /// The contender.
    pub name: String,
    /// Files solved in any run, and answered wrongly in none.
    pub solved: usize,
    /// Solved files that no other contender solves.
    pub alone: usize,
    /// Files answered wrongly in at least one run.
    pub wrong: usize,
    /// Files solved minus files answered wrongly.
    pub score: i64,
    /// Solved files answered `sat`.
    pub sat: usize,
    /// Solved files answered `unsat`.
    pub unsat: usize,
    /// Files solved in some runs only.
    pub unsteady: usize,
    /// The median of the times of the files solved, in seconds.
    pub median: Option<f64>,
    /// The sum of the times of all files, in seconds; unsolved or wrongly answered files count as the limit.
    pub total: f64,
    /// The same sum where such files count as twice the limit (PAR-2).
    pub par2: f64,
    /// Files solved within 24 seconds of wall-clock time, as in SMT-COMP's 24-seconds score.
    pub quick: usize,
    /// Files on which a run crashes.
    pub crashed: usize,
    /// The largest resident set of all runs, in bytes.
    pub memory: u64,
}

/// One contender against another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ContenderPair {
    /// The first contender.
    pub one: String,
    /// The second contender.
    pub other: String,
    /// Files that both solve.
    pub both: usize,
    /// Files that only the first solves.
    pub only_one: usize,
    /// Files that only the second solves.
    pub only_other: usize,
    /// Files that neither solves.
    pub neither: usize,
    /// Files that both solve and the first solves faster: the intervals of the times do not overlap.
    pub one_faster: usize,
    /// Files that both solve and the second solves faster.
    pub other_faster: usize,
}

/// The limit of SMT-COMP's 24-seconds score, in seconds of wall-clock time (rules of 2024, section 7.1).
const SHORT_LIMIT: f64 = 24.0;

/// The name of all contenders but one, taken together.
pub const ALL_OTHERS: &str = "all others";

impl ContenderPair {
    /// Creates a pair with all counts zero.
    fn new(one: String, other: String) -> ContenderPair {
        ContenderPair { one, other, both: 0, only_one: 0, only_other: 0, neither: 0, one_faster: 0, other_faster: 0 }
    }
}

impl BenchSamples {
    /// Returns each contender's score on a suite, or on all.
    pub fn scores(&self, suite: Option<&str>) -> Vec<ContenderScore> {
        let score = |(c, name): (usize, &String)| {
            let solved: Vec<usize> = self.of_suite(suite).filter(|&p| self.solves(p, c)).collect();
            let answered = |p: usize, answer: Answer| {
                self.samples[p][c].iter().any(|s| answers(s, self.timeout) && s.is_only(answer))
            };
            let times: Vec<f64> = solved.iter().filter_map(|&p| self.time(p, c)).map(|m| m.mean).collect();
            let unsteady = self.of_suite(suite).filter(|&p| {
                let good = self.runs(p, c, SampleVerdict::Solved);
                good > 0 && good < self.samples[p][c].len()
            });
            let wrong = self.wrong(suite, c);
            let missed = (self.of_suite(suite).count() - solved.len()) as f64 * self.timeout;
            let crashes = |p: &usize| self.samples[*p][c].iter().any(|s| s.answers.contains(&Answer::Crashed));
            let memory = self.of_suite(suite).flat_map(|p| &self.samples[p][c]).map(|s| s.memory).max();
            ContenderScore {
                name: name.clone(),
                solved: solved.len(),
                alone: solved.iter().filter(|&&p| self.solves_alone(p, c)).count(),
                wrong,
                score: solved.len() as i64 - wrong as i64,
                sat: solved.iter().filter(|&&p| answered(p, Answer::Sat)).count(),
                unsat: solved.iter().filter(|&&p| answered(p, Answer::Unsat)).count(),
                unsteady: unsteady.count(),
                median: median(&times),
                total: times.iter().sum::<f64>() + missed,
                par2: times.iter().sum::<f64>() + 2.0 * missed,
                quick: times.iter().filter(|&&time| time <= SHORT_LIMIT).count(),
                crashed: self.of_suite(suite).filter(crashes).count(),
                memory: memory.unwrap_or(0),
            }
        };
        self.names.iter().enumerate().map(score).collect()
    }

    /// Whether a contender is the only one that solves a problem.
    fn solves_alone(&self, problem: usize, contender: usize) -> bool {
        let mut others = (0..self.names.len()).filter(|&other| other != contender);
        self.solves(problem, contender) && !others.any(|other| self.solves(problem, other))
    }

    /// Compares a contender with all others, taken together: they solve a file if any of them does. This is the row "all above" of
    /// the JFS paper's tables of complementarity (`report_sets_for_index` in the `smt-runner` of its artifact), which compares no
    /// times. `None` if there is no other.
    pub fn against_all(&self, suite: Option<&str>, one: usize) -> Option<ContenderPair> {
        let others: Vec<usize> = (0..self.names.len()).filter(|&other| other != one).collect();
        if others.is_empty() {
            return None;
        }
        let mut pair = ContenderPair::new(self.names[one].clone(), ALL_OTHERS.to_string());
        for p in self.of_suite(suite) {
            match (self.solves(p, one), others.iter().any(|&other| self.solves(p, other))) {
                (true, true) => pair.both += 1,
                (true, false) => pair.only_one += 1,
                (false, true) => pair.only_other += 1,
                (false, false) => pair.neither += 1,
            }
        }
        Some(pair)
    }

    /// Compares every contender with every later one.
    pub fn pairs(&self, suite: Option<&str>) -> Vec<ContenderPair> {
        let mut pairs = Vec::new();
        for a in 0..self.names.len() {
            for b in a + 1..self.names.len() {
                let mut pair = ContenderPair::new(self.names[a].clone(), self.names[b].clone());
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
}
