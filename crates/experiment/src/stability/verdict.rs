//! The verdict on a check: its trials as a sample, wrong answers, and the change over releases.

use super::check::StabilityCheck;
use super::runs::StabilityRun;
use crate::statistics::wilson_interval;
use finding::SolverLabel;
use serde::Serialize;
use smtlib::Status;
use solver::outcome::Answer;
use std::cmp::Ordering;

/// Below this share of answers a check is unsolvable, above the second one it is stable. Mariposa has 0.05 and 0.95, for which this
/// interval needs 73 trials; these need 22.
pub const LIMITS: (f64, f64) = (0.15, 0.85);

/// Whether a solver answers a check in any phrasing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StabilityVerdict {
    /// The whole interval lies between the limits.
    Unstable,
    /// A limit lies in the interval: more trials would decide.
    Undetermined,
    /// The interval lies below both limits.
    Unsolvable,
    /// Every trial ended in an error or a crash.
    Refused,
    /// The interval lies above both limits.
    Stable,
}

/// One check and solver.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StabilityRow {
    /// The file and line of the check.
    pub name: String,
    /// The solver's label.
    pub solver: String,
    /// The verdict.
    pub verdict: StabilityVerdict,
    /// The trials with an answer of `sat` or `unsat` within the limit, and the 95 % interval of their share.
    pub answered: u32,
    /// See there.
    pub interval: (f64, f64),
    /// The run of the check as it is, which is no trial, and the trials.
    pub runs: Vec<StabilityRun>,
    /// What makes it unstable, if that was asked.
    pub cause: Option<InstabilityCore>,
}

/// Why a check is unstable.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct InstabilityCore {
    /// The assertions and options of the reduced check without which the whole check is stable, each alone.
    pub guilty: Vec<String>,
    /// All assertions and options of the reduced check.
    pub kept: Vec<String>,
    /// The reduced script.
    pub script: String,
}

impl StabilityVerdict {
    /// All of them, the best last.
    pub const ALL: [StabilityVerdict; 5] =
        [Self::Unstable, Self::Undetermined, Self::Unsolvable, Self::Refused, Self::Stable];

    /// Decides by a one-sample proportion test.
    pub fn of(answered: u32, trials: u32) -> StabilityVerdict {
        match (wilson_interval(answered, trials), LIMITS) {
            ((low, _), (_, limit)) if low > limit => StabilityVerdict::Stable,
            ((_, high), (limit, _)) if high < limit => StabilityVerdict::Unsolvable,
            ((low, high), (lower, upper)) if low >= lower && high <= upper => StabilityVerdict::Unstable,
            _ => StabilityVerdict::Undetermined,
        }
    }

    /// Returns the verdict as one word.
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl StabilityRow {
    /// Judges the runs of a solver on a check, of which the first is the check as it is.
    pub fn of(check: &StabilityCheck, solver: String, runs: Vec<StabilityRun>) -> StabilityRow {
        let is_error = |run: &StabilityRun| matches!(run.answer, Answer::Void | Answer::Missing | Answer::Crashed);
        let count = |is: &dyn Fn(&StabilityRun) -> bool| runs.iter().skip(1).filter(|run| is(run)).count() as u32;
        let (trials, answered) = (count(&|_| true), count(&|run| run.answer.is_definite()));
        let is_refused = count(&is_error) == trials;
        let verdict = if is_refused { StabilityVerdict::Refused } else { StabilityVerdict::of(answered, trials) };
        let (name, interval) = (check.name.clone(), wilson_interval(answered, trials));
        StabilityRow { name, solver, verdict, answered, interval, runs, cause: None }
    }

    /// Returns how many runs have this answer.
    pub fn count(&self, answer: Answer) -> usize {
        self.runs.iter().filter(|run| run.answer == answer).count()
    }
}

/// Compares the answers of all solvers to a check with each other and with the right one, since all runs ask the same question. Returns who
/// answered what, if not all can be right.
pub fn wrong_answers(check: &StabilityCheck, rows: &[StabilityRow]) -> Option<String> {
    let mut given = vec![Answer::Sat, Answer::Unsat];
    given.retain(|answer| rows.iter().any(|row| row.count(*answer) > 0));
    let right = check.right.map(Status::word);
    let is_right = |answer: &Answer| right.is_none_or(|right| right == answer.word());
    let count = |row: &StabilityRow| {
        let [sat, unsat] = [Answer::Sat, Answer::Unsat].map(|answer| row.count(answer));
        format!("{} answers sat {sat} times and unsat {unsat} times", row.solver)
    };
    let known = format!("; the right answer is {}", right.unwrap_or("not known"));
    let is_possible = given.len() < 2 && given.iter().all(is_right);
    (!is_possible).then(|| rows.iter().map(count).collect::<Vec<_>>().join(", ") + &known)
}

/// Describes how the verdict on a check changes over releases of one solver: `stable until z3@4.12.1, unstable from z3@4.12.2`. `None`
/// without a change, or if the rows are not of releases of one solver from the oldest to the newest.
pub fn change_over_releases(rows: &[StabilityRow]) -> Option<String> {
    let are_ordered = rows.is_sorted_by(|a, b| {
        let is_later = SolverLabel::order(&a.solver, &b.solver) == Ordering::Less;
        let [a, b] = [a, b].map(|row| SolverLabel::of(&row.solver));
        is_later && a.name == b.name && a.version.is_some() && b.version.is_some()
    });
    let known = rows.iter().filter(|row| row.verdict != StabilityVerdict::Undetermined);
    let known: Vec<_> = known.map(|row| (row.verdict, &row.solver)).collect();
    let changes = known.windows(2).filter(|pair| pair[0].0 != pair[1].0);
    let words = |pair: &[(StabilityVerdict, &String)]| {
        let [(before, until), (after, from)] = [pair[0], pair[1]];
        format!("{} until {until}, {} from {from}", before.word(), after.word())
    };
    let words: Vec<String> = changes.map(words).collect();
    (are_ordered && !words.is_empty()).then(|| words.join("; "))
}
